# family: aliases
# title: a default list that remembers
# time: O(n)
# space: O(n)
# english: Collects items in a default list that all calls share unless they bring their own, then changes it through one of its names.
# chinese: 把元素收集到默认列表中，未自带列表的调用共用它；随后通过其中一个名字修改它。
# call: run([4, 7, 9])
# call: run(["x", "y"])
# call: run([3, 3, 5, 1, 2])
def collect(item, box=[]):
    box.append(item)
    return box


def run(items):
    first = collect(items[0])
    second = collect(items[1], items[2:])
    third = collect(items[-1])
    first.append(len(second))
    return third, second
