# family: pandas
# title: visits by weekday
# time: O(n)
# space: O(1)
# english: Reads dates as text, drops those that are no dates, and sums visits by weekday, Monday first.
# chinese: 读取日期文本，剔除无效日期，并按星期（周一起）累计访问量。
# call: by_weekday({"2024-02-26": 5, "2024-02-29": 7, "2024-02-30": 9, "2024-03-04": 1})
# call: by_weekday({"2024-01-06": 2, "2024-01-07": 3, "soon": 4})
# call: by_weekday({"2024-05-13": 1, "2024-05-20": 1, "2024-05-22": 6})
import pandas as pd


def by_weekday(visits):
    dates = pd.to_datetime(pd.Series(list(visits)), format="%Y-%m-%d", errors="coerce")
    counts = pd.Series(list(visits.values()))
    bad = int(dates.isna().sum())
    known = counts[dates.notna()]
    days = dates.dropna().dt.day_of_week
    week = {}
    for place, day in days.items():
        letter = "MTWTFSS"[day]
        name = letter + str(day + 1)
        count = int(known[place])
        week[name] = week.get(name, 0) + count
    return dict(sorted(week.items())), bad
