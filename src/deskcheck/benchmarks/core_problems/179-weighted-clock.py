# family: control
# title: a clock with a weight
# time: O(n)
# space: O(1)
# english: Adds the round's number times a weight on a clock of 97 hours.
# chinese: 在 97 小时的钟上累加轮次乘权重。
# control-for: 104
# call: clock(19, 3)
# call: clock(18, 17)
# call: clock(18, 37)
def clock(x, rounds):
    time = x
    for i in range(1, rounds + 1):
        time = (time + i * x) % 97
        x = x + 1
    return time, x
