# family: plain
# title: durations written by hand, in plain Python
# time: O(n)
# space: O(1)
# english: Reads durations such as 1h20m with finditer, refuses texts with anything else, and adds seconds up.
# chinese: 用 finditer 读取如 1h20m 的时长，拒绝含其他内容的文本，并累加秒数。
# control-for: 310
# call: seconds(["1h20m", "45s", "2d"])
# call: seconds(["90m", "m5", "10s3s"])
# call: seconds(["1h", "", "1 h", "0d7m"])
UNITS = {"d": 86400, "h": 3600, "m": 60, "s": 1}
AFTER = str.maketrans({unit: unit + "," for unit in UNITS})


def seconds(texts):
    total = 0
    refused = []
    for text in texts:
        *parts, rest = text.translate(AFTER).split(",")
        value = 0
        for part in parts:
            count, unit = part[:-1], part[-1]
            if not count.isdigit():
                rest = part
                break
            value += int(count) * UNITS[unit]
        if not text or rest:
            refused.append(text)
        else:
            total += value
    return total, refused
