# family: plain
# title: rotated logs, in plain Python
# time: O(n * k)
# space: O(k)
# english: Appends lines to a log and rotates it by renaming when it is full, keeping a few old files.
# chinese: 向日志追加行，写满后通过重命名轮转，仅保留少量旧文件。
# control-for: 336
# call: rotate(["start", "load", "run", "stop"], 9, 2)
# call: rotate(["aa", "bb", "cc", "dd", "ee"], 3, 1)
# call: rotate(["long line here", "x", "y"], 5, 3)
def rotate(lines, most, kept):
    logs = {"app.log": ""}
    for line in lines:
        if len(logs["app.log"]) + len(line) > most:
            for number in range(kept, 0, -1):
                older = f"app.{number}"
                newer = f"app.{number - 1}" if number > 1 else "app.log"
                if newer in logs:
                    logs[older] = logs.pop(newer)
            logs["app.log"] = ""
        text = logs["app.log"]
        logs["app.log"] = text + line + "\n"
    found = {name: logs[name] for name in sorted(logs)}
    return found
