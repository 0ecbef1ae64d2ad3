# family: datetime
# title: night shift hours
# time: O(n)
# space: O(n)
# english: Adds up shifts that may pass midnight, with the minutes between 22:00 and 06:00 counted apart.
# chinese: 累计可能跨越午夜的班次，并单独统计 22:00 至 06:00 的分钟数。
# call: shifts([("21:30", "05:15"), ("08:00", "12:45")])
# call: shifts([("23:00", "07:30")])
# call: shifts([("04:00", "09:00"), ("14:00", "22:20"), ("22:00", "06:00")])
from datetime import datetime, timedelta


def shifts(times):
    whole = timedelta()
    night = timedelta()
    for begin, end in times:
        start = datetime.strptime(begin, "%H:%M")
        stop = datetime.strptime(end, "%H:%M")
        if stop <= start:
            stop += timedelta(days=1)
        whole += stop - start
        for day in (-1, 0):
            dark = start.replace(hour=22, minute=0) + timedelta(days=day)
            dawn = dark + timedelta(hours=8)
            night += max(min(stop, dawn) - max(start, dark), timedelta())
    hours, rest = divmod(whole, timedelta(hours=1))
    return f"{hours}h{rest.seconds // 60:02d}", night // timedelta(minutes=1)
