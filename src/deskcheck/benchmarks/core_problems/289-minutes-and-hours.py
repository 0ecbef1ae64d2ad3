# family: control
# title: minutes and hours
# time: O(n)
# space: O(1)
# english: A clock that gains seventeen minutes and more.
# chinese: 每轮前进十七分钟以上的时钟。
# control-for: 254
# call: pass_time(44, 50, 140)
# call: pass_time(49, 29, 216)
# call: pass_time(59, 29, 311)
def pass_time(minutes, hours, turns):
    for turn in range(turns):
        minutes += 17 + turn
        hours += minutes // 60
        minutes %= 60
        hours %= 24
    return hours, minutes
