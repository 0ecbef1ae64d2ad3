# family: plain
# title: tickets within office hours, in plain Python
# time: O(n)
# space: O(n)
# english: Measures how long tickets were open within office hours of one week and finds those that were too slow.
# chinese: 统计工单在一周办公时间内的处理时长，并找出过慢者。
# control-for: 325
# call: slow_tickets([(1, "10:00", 1, "15:30"), (2, "16:00", 3, "09:30")], 120)
# call: slow_tickets([(5, "17:00", 6, "12:00"), (0, "08:15", 0, "09:45")], 50)
# call: slow_tickets([(3, "07:00", 5, "10:10")], 960)
def slow_tickets(tickets, limit):
    minutes = []
    slow = []
    for number, (day, opened, until, closed) in enumerate(tickets):
        start = day * 1440 + int(opened[:2]) * 60 + int(opened[3:])
        stop = until * 1440 + int(closed[:2]) * 60 + int(closed[3:])
        spent = 0
        current = start
        while current < stop:
            midnight = current // 1440 * 1440
            if current // 1440 < 5:
                spent += max(min(stop, midnight + 1020) - max(current, midnight + 540), 0)
            current = midnight + 1440
        minutes.append(spent)
        if minutes[-1] > limit:
            slow.append(number)
    return minutes, slow
