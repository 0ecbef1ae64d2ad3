# family: pathlib
# title: rotated logs
# time: O(n * k)
# space: O(k)
# english: Appends lines to a log and rotates it by renaming when it is full, keeping a few old files.
# chinese: 向日志追加行，写满后通过重命名轮转，仅保留少量旧文件。
# call: rotate(["start", "load", "run", "stop"], 9, 2)
# call: rotate(["aa", "bb", "cc", "dd", "ee"], 3, 1)
# call: rotate(["long line here", "x", "y"], 5, 3)
import shutil
from pathlib import Path


def rotate(lines, most, kept):
    log = Path("logs", "app.log")
    log.parent.mkdir()
    log.write_text("")
    for line in lines:
        if log.stat().st_size + len(line) > most:
            for number in range(kept, 0, -1):
                older = log.with_suffix(f".{number}")
                newer = log.with_suffix(f".{number - 1}") if number > 1 else log
                if newer.exists():
                    newer.replace(older)
            log.write_text("")
        with log.open("a") as file:
            file.write(line + "\n")
    found = {path.name: path.read_text() for path in sorted(log.parent.iterdir())}
    shutil.rmtree(log.parent)
    return found
