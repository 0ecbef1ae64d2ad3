# family: numpy
# title: alarms of a moving sum
# time: O(n)
# space: O(n)
# english: Sums every window of readings through one cumulative sum and reports windows above a limit, without overlap.
# chinese: 用一次累加求各窗口之和，报告超过上限且互不重叠的窗口。
# call: alarms([3, 8, 2, 9, 9, 1, 0, 7], 3, 17)
# call: alarms([1, 1, 1, 1, 1, 1], 2, 1)
# call: alarms([5, 0, 6, 2, 2, 8, 4, 4, 1, 9], 4, 16)
import numpy as np


def alarms(readings, width, limit):
    total = np.concatenate(([0], np.cumsum(readings)))
    sums = total[width:] - total[:-width]
    raised = []
    quiet_until = 0
    for start, over in enumerate(sums > limit):
        start_sum = int(sums[start])
        free = start >= quiet_until
        if not over or not free:
            continue
        raised.append((start, start_sum))
        quiet_until = start + width
    peak = int(sums.max())
    return raised, peak
