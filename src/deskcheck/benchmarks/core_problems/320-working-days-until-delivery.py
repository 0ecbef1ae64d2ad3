# family: datetime
# title: working days until delivery
# time: O(n)
# space: O(1)
# english: Counts working days from an order on, past weekends and holidays, until the parcel arrives.
# chinese: 从下单日起跳过周末和假日数工作日，直到包裹送达。
# call: delivery((2024, 3, 27), 3, [(2024, 3, 29), (2024, 4, 1)])
# call: delivery((2024, 12, 23), 4, [(2024, 12, 25), (2024, 12, 26), (2025, 1, 1)])
# call: delivery((2024, 6, 7), 1, [])
from datetime import date, timedelta


def delivery(ordered, days, holidays):
    free = [date(*holiday) for holiday in holidays]
    day = date(*ordered)
    skipped = 0
    left = days
    while left:
        day += timedelta(days=1)
        if day.weekday() >= 5 or day in free:
            skipped += 1
            continue
        left -= 1
    name = day.strftime("%a")
    total = (day - date(*ordered)).days
    return name, total, skipped
