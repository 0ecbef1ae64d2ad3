# family: control
# title: falling squares
# time: O(n)
# space: O(1)
# english: Adds the squares of a falling number, modulo 7.
# chinese: 累加递减数平方对 7 的余数。
# control-for: 262
# call: squares(55, 5)
# call: squares(8, 8)
# call: squares(49, 3)
def squares(total, rounds):
    while rounds:
        total += rounds * rounds % 7
        rounds -= 1
    return total
