# family: control
# title: three counters
# time: O(n)
# space: O(1)
# english: Three counters, each fed by the one before.
# chinese: 三个计数器依次递推。
# control-for: 265
# call: count(57, 55, 2)
# call: count(33, 37, 2)
# call: count(21, 20, 2)
def count(low, mid, turns):
    high = 0
    for turn in range(turns):
        low += turn % 3
        mid = mid + low
        high = mid - high
    return low, mid, high
