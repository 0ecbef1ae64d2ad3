# family: dynamic programming
# title: plus then minus
# time: O(n)
# space: O(1)
# english: Largest alternating sums of chosen numbers that end on a plus and on a minus; a minus term counts half, rounded down.
# chinese: 选取子序列正负交替求和，减项按一半（向下取整）；分别以加、以减结尾的最大值。
# pattern: take or skip
# call: alternate([4, 2, 9])
# call: alternate([5, 8, 1, 1, 7])
# call: alternate([3, 1, 6, 2, 2, 8, 5])
def alternate(values):
    plus = 0
    minus = -1000
    for value in values:
        started = minus if minus > 0 else 0
        plus, minus = max(plus, started + value), max(minus, plus - value // 2)
    return plus, minus
