# family: control
# title: two hands that give and take
# time: O(n)
# space: O(1)
# english: One hand gives a share to the other every round.
# chinese: 每轮一只手把一部分给另一只手。
# control-for: 143
# call: give(9, 3)
# call: give(16, 9)
# call: give(5, 12)
def give(x, rounds):
    left = x * 3
    right = 4
    for i in range(rounds):
        part = left // 3
        left = left - part + i
        right = right + part
    return left, right
