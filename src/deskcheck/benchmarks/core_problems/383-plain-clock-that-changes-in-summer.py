# family: plain
# title: clock that changes in summer, in plain Python
# time: O(n)
# space: O(n)
# english: Shows UTC times on a clock of its own tzinfo, one hour ahead from March 31 to October 27 at 01:00 UTC.
# chinese: 用自定义 tzinfo 显示时间，3月31日至10月27日 UTC 一点之间快一小时。
# control-for: 323
# call: local_times([(3, 31, 0), (3, 31, 1), (10, 26, 23)])
# call: local_times([(10, 27, 0), (10, 27, 1), (7, 1, 12)])
# call: local_times([(1, 1, 23), (6, 30, 22), (12, 31, 23)])
LENGTHS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]


def ahead_at(month, day, hour):
    start = (3, 31, 1)
    end = (10, 27, 1)
    return 2 if start <= (month, day, hour) < end else 1


def local_times(moments):
    shown = []
    changes = 0
    before = None
    for month, day, hour in moments:
        ahead = ahead_at(month, day, hour)
        late, hour = divmod(hour + ahead, 24)
        day += late
        if day > LENGTHS[month - 1]:
            month, day = month % 12 + 1, 1
        changes += before is not None and ahead != before
        before = ahead
        shown.append(f"{day:02d}.{month:02d} {hour:02d}+{ahead}")
    return shown, changes
