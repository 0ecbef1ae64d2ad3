# family: control
# title: clock of thirteen
# time: O(n)
# space: O(1)
# english: A hand on a dial of thirteen whose jumps grow.
# chinese: 十三格表盘上跳幅递增的指针。
# control-for: 270
# call: clock(4, 50, 1)
# call: clock(23, 41, 1)
# call: clock(3, 41, 1)
def clock(hour, jump, turns):
    while turns > 0:
        hour = (hour + jump) % 13
        jump += 1
        turns -= 1
    return hour, jump
