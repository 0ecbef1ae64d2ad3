# family: plain
# title: transfers that roll back, in plain Python
# time: O(n)
# space: O(k)
# english: Runs batches of transfers as transactions; a batch that breaks a rule of the table is rolled back as a whole.
# chinese: 以事务执行成批转账，违反表约束的整批回滚。
# control-for: 333
# call: run({"a": 10, "b": 0}, [[("a", "b", 4), ("b", "a", 5)], [("a", "b", 6)]])
# call: run({"k": 3, "m": 3}, [[("k", "m", 3)], [("m", "k", 6), ("k", "m", 7)], [("m", "z", 1)]])
# call: run({"u": 5}, [[("u", "u", 5)], [("u", "u", 6)]])
class IntegrityError(Exception):
    pass


def run(accounts, batches):
    left = dict(sorted(accounts.items()))
    failures = []
    for number, batch in enumerate(batches):
        saved = dict(left)
        try:
            for source, target, money in batch:
                if left[source] < money:
                    raise IntegrityError(source)
                left[source] -= money
                if target not in left:
                    raise LookupError(target)
                left[target] += money
        except (IntegrityError, LookupError) as error:
            left = saved
            failures.append((number, type(error).__name__))
    return left, failures
