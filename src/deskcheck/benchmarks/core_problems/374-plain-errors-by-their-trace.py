# family: plain
# title: errors by their trace, in plain Python
# time: O(n)
# space: O(n)
# english: Groups errors of a log by type and the last file that its trace names, ignoring line numbers.
# chinese: 按错误类型和追踪中最后的文件分组统计日志中的错误，忽略行号。
# control-for: 314
# call: group(["File app.py:3", "File db.py:9", "KeyError: x", "File db.py:12", "KeyError: y"])
# call: group(["ok", "TypeError: a", "File a.py:1", "OSError", "noise"])
# call: group(["File m.py:7", "noise", "OSError: [2]", "OSError: [3]"])
def group(lines):
    counts = {}
    last = None
    messages = []
    for line in lines:
        if line.startswith("File "):
            last = line[5:].split(":")[0]
        elif line.split(":")[0].endswith("Error"):
            head, colon, message = line.partition(": ")
            key = (head, last)
            counts[key] = counts.get(key, 0) + 1
            messages.append(message if colon else None)
            last = None
    return counts, messages
