# family: plain
# title: meeting across offsets, in plain Python
# time: O(n)
# space: O(n)
# english: Converts a meeting to the fixed offsets of its guests and lists whose clock shows working hours or another day.
# chinese: 将会议时间换算到各来宾的固定时区，列出处于工作时间或日期不同者。
# control-for: 318
# call: invite("2024-03-09 22:30", 60, {"oslo": 60, "tokyo": 540, "lima": -300})
# call: invite("2024-12-31 09:00", 0, {"delhi": 330, "rome": 60})
# call: invite("2024-02-29 00:15", -480, {"here": -480, "utc": 0, "apia": 780})
def invite(text, minutes, guests):
    hour, minute = map(int, text.split(" ")[1].split(":"))
    start = hour * 60 + minute
    clocks = {}
    awake = []
    for guest, offset in guests.items():
        shift, local = divmod(start - minutes + offset, 1440)
        clock = f"{local // 60:02d}:{local % 60:02d}"
        clocks[guest] = clock + f"{shift:+d}" * (shift != 0)
        if 540 <= local < 1080:
            awake.append(guest)
    return clocks, awake
