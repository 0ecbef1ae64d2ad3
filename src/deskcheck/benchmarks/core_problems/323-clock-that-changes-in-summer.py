# family: datetime
# title: clock that changes in summer
# time: O(n)
# space: O(n)
# english: Shows UTC times on a clock of its own tzinfo, one hour ahead from March 31 to October 27 at 01:00 UTC.
# chinese: 用自定义 tzinfo 显示时间，3月31日至10月27日 UTC 一点之间快一小时。
# call: local_times([(3, 31, 0), (3, 31, 1), (10, 26, 23)])
# call: local_times([(10, 27, 0), (10, 27, 1), (7, 1, 12)])
# call: local_times([(1, 1, 23), (6, 30, 22), (12, 31, 23)])
from datetime import datetime, timedelta, timezone, tzinfo

START = datetime(2024, 3, 31, 1)
END = datetime(2024, 10, 27, 1)


class Summer(tzinfo):
    def utcoffset(self, moment):
        return timedelta(hours=1) + self.dst(moment)

    def dst(self, moment):
        naive = moment.replace(tzinfo=None) - timedelta(hours=1)
        return timedelta(hours=int(START <= naive < END))

    def fromutc(self, moment):
        naive = moment.replace(tzinfo=None)
        ahead = 2 if START <= naive < END else 1
        return moment + timedelta(hours=ahead)


def local_times(moments):
    shown = []
    changes = 0
    before = None
    for month, day, hour in moments:
        utc = datetime(2024, month, day, hour, tzinfo=timezone.utc)
        local = utc.astimezone(Summer())
        ahead = (local.replace(tzinfo=None) - utc.replace(tzinfo=None)).seconds // 3600
        changes += before is not None and ahead != before
        before = ahead
        shown.append(f"{local:%d.%m %H}+{ahead}")
    return shown, changes
