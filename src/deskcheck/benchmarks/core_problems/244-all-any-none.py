# family: predicates
# title: all any none
# time: O(n)
# space: O(1)
# english: Whether all, any and no numbers of a list pass a chain of tests that stops early.
# chinese: 列表中的数是否全部、任一、无一通过一连串短路测试。
# call: quantify([2, 4, 6], 3)
# call: quantify([9, 5], 3)
# call: quantify([], 2)
def quantify(numbers, limit):
    calls = []

    def passes(number):
        calls.append(number)
        return number % 2 == 0 and number > limit

    every = all(passes(n) for n in numbers)
    some = any(passes(n) for n in numbers)
    none = not any(passes(n) for n in reversed(numbers))
    return every, some, none, len(calls)
