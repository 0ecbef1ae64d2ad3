# family: plain
# title: dates in three spellings, in plain Python
# time: O(n)
# space: O(n)
# english: Tries several formats for each date, normalizes what it can read, and counts formats and failures.
# chinese: 依次尝试多种日期格式，将可读者规范化，并统计格式与失败数。
# control-for: 322
# call: normalize(["2024-02-29", "29.02.2023", "2021/3/3"])
# call: normalize(["01.12.1999", "31.11.1999", "1999/12/31"])
# call: normalize(["7.7.2020", "2020-13-01", "2020/02/30", "2020-1-9"])
FORMATS = [("-", 1), (".", -1), ("/", 1)]
LENGTHS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]


def normalize(texts):
    clean = []
    counts = [0, 0, 0]
    failed = 0
    for text in texts:
        for place, (mark, order) in enumerate(FORMATS):
            try:
                year, month, day = map(int, text.split(mark)[::order])
                longest = LENGTHS[range(1, 13).index(month)] - (month == 2 and year % 4 > 0)
                range(1, longest + 1).index(day)
            except ValueError:
                continue
            counts[place] += 1
            clean.append(f"{year}{month:02d}{day:02d}")
            break
        else:
            failed += 1
    return clean, counts, failed
