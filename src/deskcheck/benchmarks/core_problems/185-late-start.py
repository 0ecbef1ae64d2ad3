# family: control
# title: a rule that starts late
# time: O(n)
# space: O(1)
# english: Applies one rule up to a border and another after it.
# chinese: 边界前用一种规则，之后用另一种。
# control-for: 151
# call: late(15, 6)
# call: late(20, 9)
# call: late(3, 15)
def late(x, rounds):
    y = 0
    for i in range(rounds):
        if y < 30:
            y = y + x
        else:
            y = y - 17
    return y
