# family: control
# title: highest so far
# time: O(n)
# space: O(1)
# english: The highest value less the turn of a small generator.
# chinese: 小型生成器的值减轮次后的最大值。
# control-for: 259
# call: highest(57, 137)
# call: highest(35, 202)
# call: highest(10, 262)
def highest(value, turns):
    top = 0
    for turn in range(turns):
        value = value * 11 % 73
        top = max(top, value - turn)
    return value, top
