# family: control
# title: dripping level
# time: O(n)
# space: O(1)
# english: A level that triples, wraps at 101 and gains the number of the turn.
# chinese: 水位每轮乘三、对 101 取余并加轮次。
# control-for: 261
# call: drip(57, 17)
# call: drip(14, 17)
# call: drip(25, 11)
def drip(level, turns):
    for turn in range(turns):
        level = level * 3 % 101 + turn
    return level
