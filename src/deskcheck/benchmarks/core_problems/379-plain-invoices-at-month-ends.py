# family: plain
# title: invoices at month ends, in plain Python
# time: O(n)
# space: O(n)
# english: Lists the dates of invoices every few months, on the agreed day or the last day of a shorter month.
# chinese: 每隔数月列出账单日期，取约定日或较短月份的最后一天。
# control-for: 319
# call: invoices("2023-11-30", 3, 3)
# call: invoices("2024-01-31", 1, 4)
# call: invoices("1999-12-29", 2, 2)
def invoices(first, months, count):
    start_year, start_month, start_day = map(int, first.split("-"))
    dates = []
    clipped = 0
    for k in range(count):
        years, month = divmod(start_month - 1 + k * months, 12)
        year = start_year + years
        leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
        length = 28 + leap if month == 1 else 30 + (month + (month > 6) + 1) % 2
        day = min(start_day, length)
        clipped += day < start_day
        dates.append(f"{year % 100:02d}-{month + 1:02d}-{day:02d}")
    return dates, clipped
