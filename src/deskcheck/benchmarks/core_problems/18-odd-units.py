# family: math
# title: ticks in odd units
# time: O(1)
# space: O(1)
# english: Splits ticks into units of 84 and 7, rounding the rest to the nearest 7 upwards where it is above 3; division rounds down, also below zero.
# chinese: 把刻数分成 84 和 7 的单位，余数大于 3 时向上进到一个 7；除法向下取整，负数也一样。
# call: units(200)
# call: units(-20)
# call: units(1009)
def units(ticks):
    large, ticks = divmod(ticks, 84)
    small, ticks = divmod(ticks, 7)
    if ticks > 3:
        small += 1
        ticks -= 7
    return large, small, ticks
