# family: control
# title: remainders mixed
# time: O(n)
# space: O(1)
# english: Mixes two remainders of a growing number.
# chinese: 混合一个增长的数的两个余数。
# control-for: 123
# call: mix(22, 5)
# call: mix(18, 16)
# call: mix(5, 57)
def mix(x, rounds):
    a = 1
    for i in range(rounds):
        x = x + a
        a = x % 13 + x % 5
    return x, a
