# family: plain
# title: alarms of a moving sum, in plain Python
# time: O(n)
# space: O(n)
# english: Sums every window of readings through one cumulative sum and reports windows above a limit, without overlap.
# chinese: 用一次累加求各窗口之和，报告超过上限且互不重叠的窗口。
# control-for: 292
# call: alarms([3, 8, 2, 9, 9, 1, 0, 7], 3, 17)
# call: alarms([1, 1, 1, 1, 1, 1], 2, 1)
# call: alarms([5, 0, 6, 2, 2, 8, 4, 4, 1, 9], 4, 16)
def alarms(readings, width, limit):
    sums = [sum(readings[:width])]
    sums += [0] * (len(readings) - width)
    for end in range(width, len(readings)):
        sums[end - width + 1] = sums[end - width] + readings[end] - readings[end - width]
    raised = []
    quiet_until = 0
    for start, total in enumerate(sums):
        if total <= limit or start < quiet_until:
            continue
        raised.append((start, sums[start]))
        quiet_until = start + width
    return raised, max(sums)
