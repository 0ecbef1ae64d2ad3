# family: re
# title: durations written by hand
# time: O(n)
# space: O(1)
# english: Reads durations such as 1h20m with finditer, refuses texts with anything else, and adds seconds up.
# chinese: 用 finditer 读取如 1h20m 的时长，拒绝含其他内容的文本，并累加秒数。
# call: seconds(["1h20m", "45s", "2d"])
# call: seconds(["90m", "m5", "10s3s"])
# call: seconds(["1h", "", "1 h", "0d7m"])
import re

PART = re.compile(r"(?P<count>\d+)(?P<unit>[dhms])")
UNITS = {"d": 86400, "h": 3600, "m": 60, "s": 1}


def seconds(texts):
    total = 0
    refused = []
    for text in texts:
        end = value = 0
        for part in PART.finditer(text):
            if part.start() != end:
                break
            scale = UNITS[part["unit"]]
            value += int(part["count"]) * scale
            end = part.end()
        if not text or end < len(text):
            refused.append(text)
            continue
        total += value
    return total, refused
