# family: control
# title: two numbers that cross over
# time: O(n)
# space: O(1)
# english: Exchanges two numbers again and again, one losing and one gaining, and adds up what is first.
# chinese: 反复交换两个数，一个减少一个增加，并累加前一个数。
# control-for: 21
# call: cross(9, 2, 1)
# call: cross(3, 8, 2)
# call: cross(5, 1, 13)
def cross(a, b, rounds):
    total = a
    for _ in range(rounds):
        a, b = b - 1, a + 4
        total += a
    return total, a, b
