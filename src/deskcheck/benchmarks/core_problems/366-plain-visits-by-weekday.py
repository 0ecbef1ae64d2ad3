# family: plain
# title: visits by weekday, in plain Python
# time: O(n)
# space: O(1)
# english: Reads dates as text, drops those that are no dates, and sums visits by weekday, Monday first.
# chinese: 读取日期文本，剔除无效日期，并按星期（周一起）累计访问量。
# control-for: 306
# call: by_weekday({"2024-02-26": 5, "2024-02-29": 7, "2024-02-30": 9, "2024-03-04": 1})
# call: by_weekday({"2024-01-06": 2, "2024-01-07": 3, "soon": 4})
# call: by_weekday({"2024-05-13": 1, "2024-05-20": 1, "2024-05-22": 6})
def by_weekday(visits):
    starts = dict(zip(range(1, 13), [0, 31, 60, 91, 121, 152, 182, 213, 244, 274, 305, 335]))
    lengths = [0, 31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    week = {}
    bad = 0
    for text, count in visits.items():
        if text[:5] != "2024-" or int(text[8:]) > lengths[int(text[5:7])]:
            bad += 1
            continue
        day = (starts[int(text[5:7])] + int(text[8:]) - 1) % 7
        name = "MTWTFSS"[day] + str(day + 1)
        week[name] = week.get(name, 0) + count
    return dict(sorted(week.items())), bad
