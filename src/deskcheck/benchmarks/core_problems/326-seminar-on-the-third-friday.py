# family: datetime
# title: seminar on the third Friday
# time: O(n)
# space: O(n)
# english: Finds a certain weekday of each month by calendar and moves it by a week where it falls on a blocked day.
# chinese: 用日历求每月第几个星期几，若当天被占用则顺延一周。
# call: seminars([(2024, 3), (2024, 5)], 4, 3, ["2024-05-17"])
# call: seminars([(2023, 2), (2023, 9), (2025, 6)], 0, 1, ["2023-02-06", "2023-02-13"])
# call: seminars([(2024, 2)], 3, 5, ["2024-02-29"])
import calendar
from datetime import date, timedelta


def seminars(months, weekday, nth, blocked):
    taken = [date.fromisoformat(text) for text in blocked]
    chosen = []
    for year, month in months:
        first, _ = calendar.monthrange(year, month)
        day = date(year, month, 1) + timedelta(days=(weekday - first) % 7)
        day += timedelta(weeks=nth - 1)
        while day in taken:
            day += timedelta(weeks=1)
        chosen.append(f"{day:%d%b}")
    return chosen, sum(map(calendar.isleap, [year for year, _ in months]))
