# family: control
# title: days until a goal is reached
# time: O(g)
# space: O(1)
# english: Adds a daily gain that runs through 1 to 7 until a goal is reached; returns days, level and the next gain.
# chinese: 每天加上在 1 到 7 之间循环的增量，直到达到目标；返回天数、水平和下一次增量。
# control-for: 07
# call: reach(2, 5, 44)
# call: reach(-11, 3, 72)
# call: reach(6, 1, 43)
def reach(level, gain, goal):
    days = 0
    while level < goal:
        level += gain
        gain = gain % 7 + 1
        days += 1
    return days, level, gain
