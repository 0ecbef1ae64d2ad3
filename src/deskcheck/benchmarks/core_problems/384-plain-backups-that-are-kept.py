# family: plain
# title: backups that are kept, in plain Python
# time: O(n log n)
# space: O(n)
# english: Keeps the newest backups of the last days, then one per month, and tells which are deleted.
# chinese: 保留最近几份备份，其后每月保留一份，并列出被删除者。
# control-for: 324
# call: retain(["2024-05-03", "2024-05-02", "2024-04-30", "2024-04-01", "2024-03-09"], 2)
# call: retain(["2023-12-31", "2024-01-01", "2023-12-01"], 1)
# call: retain(["2024-02-01", "2024-02-02", "2024-02-03", "2023-02-03"], 0)
def retain(names, newest):
    days = sorted((tuple(map(int, name.split("-"))) for name in names), reverse=True)
    months = {}
    dropped = []
    for place, (year, month, day) in enumerate(days):
        if place < newest:
            continue
        key = (year, month)
        if key in months:
            dropped.append(f"{month:02d}{day:02d}")
            continue
        months[key] = day
    short = "JanFebMarAprMayJunJulAugSepOctNovDec"
    kept = [f"{short[3 * month - 3 : 3 * month]}{year % 100:02d}" for year, month in months]
    return dropped, kept, days[0][0] - min(months, default=days[-1])[0]
