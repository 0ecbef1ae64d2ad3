# family: plain
# title: night shift hours, in plain Python
# time: O(n)
# space: O(n)
# english: Adds up shifts that may pass midnight, with the minutes between 22:00 and 06:00 counted apart.
# chinese: 累计可能跨越午夜的班次，并单独统计 22:00 至 06:00 的分钟数。
# control-for: 321
# call: shifts([("21:30", "05:15"), ("08:00", "12:45")])
# call: shifts([("23:00", "07:30")])
# call: shifts([("04:00", "09:00"), ("14:00", "22:20"), ("22:00", "06:00")])
def shifts(times):
    whole = night = 0
    for begin, end in times:
        start = int(begin[:2]) * 60 + int(begin[3:])
        stop = int(end[:2]) * 60 + int(end[3:])
        if stop <= start:
            stop += 1440
        whole += stop - start
        for day in (-1, 0):
            dark = 1320 + day * 1440
            dawn = dark + 480
            night += max(min(stop, dawn) - max(start, dark), 0)
    hours, rest = divmod(whole, 60)
    return f"{hours}h{rest:02d}", night
