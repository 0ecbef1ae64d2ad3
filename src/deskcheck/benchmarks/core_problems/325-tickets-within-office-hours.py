# family: datetime
# title: tickets within office hours
# time: O(n)
# space: O(n)
# english: Measures how long tickets were open within office hours of one week and finds those that were too slow.
# chinese: 统计工单在一周办公时间内的处理时长，并找出过慢者。
# call: slow_tickets([(1, "10:00", 1, "15:30"), (2, "16:00", 3, "09:30")], 120)
# call: slow_tickets([(5, "17:00", 6, "12:00"), (0, "08:15", 0, "09:45")], 50)
# call: slow_tickets([(3, "07:00", 5, "10:10")], 960)
from datetime import datetime, timedelta

MONDAY = "2024-04-01"


def slow_tickets(tickets, limit):
    minutes = []
    slow = []
    for number, (day, opened, until, closed) in enumerate(tickets):
        start = datetime.fromisoformat(f"{MONDAY} {opened}") + timedelta(days=day)
        stop = datetime.fromisoformat(f"{MONDAY} {closed}") + timedelta(days=until)
        spent = timedelta()
        current = start
        while current < stop:
            office = current.replace(hour=9, minute=0), current.replace(hour=17, minute=0)
            if current.weekday() < 5:
                spent += max(min(stop, office[1]) - max(current, office[0]), timedelta())
            current = current.replace(hour=0, minute=0) + timedelta(days=1)
        minutes.append(spent // timedelta(minutes=1))
        if minutes[-1] > limit:
            slow.append(number)
    return minutes, slow
