# family: parsing
# title: spans of time in one text
# time: O(n)
# space: O(1)
# english: Adds up spans like 1h5m30s in seconds; a unit that is not known or comes without a number fails.
# chinese: 将形如 1h5m30s 的时长累加为秒；未知单位或缺少数字报错。
# call: seconds("45s")
# call: seconds("1h2m")
# call: seconds("3m20s4d")
def seconds(text):
    units = {"h": 3600, "m": 60, "s": 1}
    total, digits = 0, ""
    for sign in text:
        if sign.isdigit():
            digits += sign
            continue
        total += int(digits) * units[sign]
        digits = ""
    return total
