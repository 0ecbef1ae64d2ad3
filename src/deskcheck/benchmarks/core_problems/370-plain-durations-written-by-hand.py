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


def seconds(texts):
    total = 0
    refused = []
    for text in texts:
        spaced = text.replace("d", "d,").replace("h", "h,").replace("m", "m,").replace("s", "s,")
        value = 0
        *parts, rest = spaced.split(",")
        for part in parts:
            if not part[:-1].isdigit():
                rest = part
                break
            value += int(part[:-1]) * UNITS[part[-1]]
        if not text or rest:
            refused.append(text)
            continue
        total += value
    return total, refused
