# family: control
# title: a sum of falling parts
# time: O(n)
# space: O(1)
# english: Adds a number that shrinks by a fixed rule every round.
# chinese: 每轮累加一个按固定规则变小的数。
# control-for: 66
# call: falling(3, 3)
# call: falling(2, 18)
# call: falling(11, 73)
def falling(x, rounds):
    total = 0
    for i in range(rounds):
        total += x
        x = x * 7 // 9 + 1
    return total, x
