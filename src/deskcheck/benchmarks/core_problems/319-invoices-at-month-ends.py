# family: datetime
# title: invoices at month ends
# time: O(n)
# space: O(n)
# english: Lists the dates of invoices every few months, on the agreed day or the last day of a shorter month.
# chinese: 每隔数月列出账单日期，取约定日或较短月份的最后一天。
# call: invoices("2023-11-30", 3, 3)
# call: invoices("2024-01-31", 1, 4)
# call: invoices("1999-12-29", 2, 2)
import calendar
from datetime import date


def invoices(first, months, count):
    start = date.fromisoformat(first)
    dates = []
    clipped = 0
    for k in range(count):
        years, month = divmod(start.month - 1 + k * months, 12)
        year = start.year + years
        _, length = calendar.monthrange(year, month + 1)
        day = min(start.day, length)
        clipped += day < start.day
        due = start.replace(year=year, month=month + 1, day=day)
        dates.append(due.strftime("%y-%m-%d"))
    return dates, clipped
