# family: plain
# title: readings of a stuck meter, in plain Python
# time: O(n)
# space: O(n)
# english: Carries the last reading of a meter forward over gaps, takes differences, and cuts negative ones to zero.
# chinese: 把电表读数向后填补空缺，求差值，并把负差截为零。
# control-for: 301
# call: usage([100, None, 130, 125, None, 160])
# call: usage([None, 7, None, None, 9])
# call: usage([40, 42, 41, 50])
def usage(readings):
    used = []
    days = []
    last = None
    for reading in readings:
        if reading is None:
            used.append(0)
            continue
        used.append(max(reading - (reading if last is None else last), 0))
        days.append(used[-1])
        last = reading
    return days, sum(days), used.index(max(used))
