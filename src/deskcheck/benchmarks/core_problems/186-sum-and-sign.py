# family: control
# title: a sum that changes its sign
# time: O(n)
# space: O(1)
# english: Adds to a number and turns its sign every third round.
# chinese: 累加，并每三轮变号。
# control-for: 156
# call: signs(19, 3)
# call: signs(22, 7)
# call: signs(20, 11)
def signs(x, rounds):
    y = x
    for i in range(rounds):
        y = y + i + 2
        if i % 3 == 2:
            y = -y
    return y
