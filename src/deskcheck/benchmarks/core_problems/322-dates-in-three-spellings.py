# family: datetime
# title: dates in three spellings
# time: O(n)
# space: O(n)
# english: Tries several formats for each date, normalizes what it can read, and counts formats and failures.
# chinese: 依次尝试多种日期格式，将可读者规范化，并统计格式与失败数。
# call: normalize(["2024-02-29", "29.02.2023", "2021/3/3"])
# call: normalize(["01.12.1999", "31.11.1999", "1999/12/31"])
# call: normalize(["7.7.2020", "2020-13-01", "2020/02/30", "2020-1-9"])
from datetime import datetime

FORMATS = ["%Y-%m-%d", "%d.%m.%Y", "%Y/%m/%d"]


def normalize(texts):
    clean = []
    counts = [0, 0, 0]
    failed = 0
    for text in texts:
        for place, form in enumerate(FORMATS):
            try:
                moment = datetime.strptime(text, form)
            except ValueError:
                continue
            counts[place] += 1
            clean.append(moment.strftime("%Y%m%d"))
            break
        else:
            failed += 1
    return clean, counts, failed
