# family: re
# title: errors by their trace
# time: O(n)
# space: O(n)
# english: Groups errors of a log by type and the last file that its trace names, ignoring line numbers.
# chinese: 按错误类型和追踪中最后的文件分组统计日志中的错误，忽略行号。
# call: group(["File app.py:3", "File db.py:9", "KeyError: x", "File db.py:12", "KeyError: y"])
# call: group(["ok", "TypeError: a", "File a.py:1", "OSError", "noise"])
# call: group(["File m.py:7", "noise", "OSError: [2]", "OSError: [3]"])
import re

FRAME = re.compile(r"File (?P<file>[\w.]+):\d+")
ERROR = re.compile(r"(?P<type>[A-Z]\w*Error)(?:: (?P<message>.*))?")


def group(lines):
    counts = {}
    last = None
    messages = []
    for line in lines:
        if frame := FRAME.fullmatch(line):
            last = frame["file"]
        elif error := ERROR.fullmatch(line):
            key = (error["type"], last)
            counts[key] = counts.get(key, 0) + 1
            messages.append(error["message"])
            last = None
    return counts, messages
