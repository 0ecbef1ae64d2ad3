# family: datetime
# title: backups that are kept
# time: O(n log n)
# space: O(n)
# english: Keeps the newest backups of the last days, then one per month, and tells which are deleted.
# chinese: 保留最近几份备份，其后每月保留一份，并列出被删除者。
# call: retain(["2024-05-03", "2024-05-02", "2024-04-30", "2024-04-01", "2024-03-09"], 2)
# call: retain(["2023-12-31", "2024-01-01", "2023-12-01"], 1)
# call: retain(["2024-02-01", "2024-02-02", "2024-02-03", "2023-02-03"], 0)
from datetime import date


def retain(names, newest):
    days = sorted((date.fromisoformat(name) for name in names), reverse=True)
    months = {}
    dropped = []
    for place, day in enumerate(days):
        if place < newest:
            continue
        month = day.replace(day=1)
        if month in months:
            dropped.append(day.strftime("%m%d"))
            continue
        months[month] = day
    oldest = min(months, default=days[-1])
    return dropped, [f"{month:%b%y}" for month in months], days[0].year - oldest.year
