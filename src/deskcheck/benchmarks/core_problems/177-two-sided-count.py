# family: control
# title: a count up and a count down
# time: O(n)
# space: O(1)
# english: Counts one number up and another down until they have met often enough.
# chinese: 一个数递增，另一个递减。
# control-for: 93
# call: meet(5, 2)
# call: meet(17, 9)
# call: meet(12, 65)
def meet(x, rounds):
    low = 0
    high = 60
    while rounds > 0:
        low += x % 7 + 1
        high -= 3
        rounds -= 1
    return low, high
