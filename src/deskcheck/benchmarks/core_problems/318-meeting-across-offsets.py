# family: datetime
# title: meeting across offsets
# time: O(n)
# space: O(n)
# english: Converts a meeting to the fixed offsets of its guests and lists whose clock shows working hours or another day.
# chinese: 将会议时间换算到各来宾的固定时区，列出处于工作时间或日期不同者。
# call: invite("2024-03-09 22:30", 60, {"oslo": 60, "tokyo": 540, "lima": -300})
# call: invite("2024-12-31 09:00", 0, {"delhi": 330, "rome": 60})
# call: invite("2024-02-29 00:15", -480, {"here": -480, "utc": 0, "apia": 780})
from datetime import datetime, timedelta, timezone


def invite(text, minutes, guests):
    home = timezone(timedelta(minutes=minutes))
    start = datetime.strptime(text, "%Y-%m-%d %H:%M").replace(tzinfo=home)
    clocks = {}
    awake = []
    for guest, offset in guests.items():
        local = start.astimezone(timezone(timedelta(minutes=offset)))
        shift = (local.date() - start.date()).days
        clocks[guest] = local.strftime("%H:%M") + f"{shift:+d}" * (shift != 0)
        if 9 <= local.hour < 18:
            awake.append(guest)
    return clocks, awake
