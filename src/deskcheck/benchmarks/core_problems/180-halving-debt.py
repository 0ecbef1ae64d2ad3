# family: control
# title: a debt halved and raised
# time: O(n)
# space: O(1)
# english: Halves a debt on even amounts, raises it on odd ones.
# chinese: 债务为偶数则减半，奇数则增加。
# control-for: 115
# call: debt(7, 3)
# call: debt(19, 13)
# call: debt(23, 26)
def debt(x, rounds):
    paid = 0
    for i in range(rounds):
        if x % 2 == 0:
            paid += x // 2
            x = x // 2
        else:
            x = x + 7
    return x, paid
