# family: plain
# title: seminar on the third Friday, in plain Python
# time: O(n)
# space: O(n)
# english: Finds a certain weekday of each month by calendar and moves it by a week where it falls on a blocked day.
# chinese: 用日历求每月第几个星期几，若当天被占用则顺延一周。
# control-for: 326
# call: seminars([(2024, 3), (2024, 5)], 4, 3, ["2024-05-17"])
# call: seminars([(2023, 2), (2023, 9), (2025, 6)], 0, 1, ["2023-02-06", "2023-02-13"])
# call: seminars([(2024, 2)], 3, 5, ["2024-02-29"])
def seminars(months, weekday, nth, blocked):
    taken = [tuple(map(int, text.split("-"))) for text in blocked]
    chosen = []
    for year, month in months:
        before = year - (month < 3)
        first = (before + before // 4 - before // 100 + before // 400 + (0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4)[month - 1]) % 7
        day = 1 + (weekday - first) % 7 + 7 * nth - 7
        while (year, month, day) in taken:
            day += 7
        month, day = (month + 1, day - 29) if (month, day > 29) == (2, True) else (month, day)
        chosen.append(f"{day:02d}" + "JanFebMarAprMayJunJulAugSepOctNovDec"[3 * month - 3 : 3 * month])
    return chosen, sum([year % 4 == 0 for year, _ in months])
