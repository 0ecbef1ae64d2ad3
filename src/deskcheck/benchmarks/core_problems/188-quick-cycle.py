# family: control
# title: a quick cycle of four
# time: O(n)
# space: O(1)
# english: Moves a number by one of two rules, by the remainder of the round.
# chinese: 按轮次的余数用两种规则之一更新一个数。
# control-for: 171
# call: cycle(5, 4)
# call: cycle(16, 11)
# call: cycle(5, 7)
def cycle(x, rounds):
    for i in range(rounds):
        if i % 4 == 1:
            x = x * 2 % 83
        else:
            x = x + 9
    return x
