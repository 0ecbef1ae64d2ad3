# family: exceptions
# title: a guard that lets some failures pass
# time: O(1)
# space: O(1)
# english: Runs a division inside a context manager that notes how the block was left and swallows lookup failures only; others go out.
# chinese: 在上下文管理器中做除法，它记录代码块如何结束，只吞掉查找类错误，其他错误继续向外抛出。
# call: run([8, 3, 17], 2, 5)
# call: run([8, 3], 4, 2)
# call: run([9], 0, 0)
class Guard:
    def __init__(self, log):
        self.log = log

    def __enter__(self):
        self.log.append("in")
        return self.log

    def __exit__(self, kind, error, trace):
        self.log.append(kind.__name__ if kind else "out")
        return kind is not None and issubclass(kind, LookupError)


def run(values, place, by):
    log = []
    with Guard(log) as notes:
        notes.append(values[place] // by)
        notes.append(values[place] % by)
    return log
