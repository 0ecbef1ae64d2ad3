# family: control
# title: the ends of a swaying value
# time: O(n)
# space: O(1)
# english: Moves a value by a fixed rule and remembers the smallest and largest it has been.
# chinese: 按固定规则移动一个值，并记住出现过的最小值和最大值。
# control-for: 27
# call: sway(12, 6)
# call: sway(50, 12)
# call: sway(5, 32)
def sway(value, rounds):
    least = most = value
    for k in range(rounds):
        value = value * 7 % 93 - k
        least = min(least, value)
        most = max(most, value)
    return least, value, most
