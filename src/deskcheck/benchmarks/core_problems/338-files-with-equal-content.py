# family: pathlib
# title: files with equal content
# time: O(n)
# space: O(n)
# english: Removes files whose bytes equal those of an earlier file and reports what was removed and what stays.
# chinese: 删除内容与先前文件相同的文件，并报告删除与保留者。
# call: dedupe({"a.txt": "one", "b.txt": "two", "c.txt": "one"})
# call: dedupe({"z": "", "y": "", "x": "", "w": "!"})
# call: dedupe({"10.csv": "1;2", "9.csv": "1;2", "8.csv": "1;3"})
import shutil
from pathlib import Path


def dedupe(files):
    folder = Path("uploads")
    folder.mkdir()
    for name, text in files.items():
        (folder / name).write_bytes(text.encode())
    seen = {}
    removed = []
    for path in sorted(folder.iterdir()):
        content = path.read_bytes()
        first = seen.setdefault(content, path)
        if first is path:
            continue
        path.unlink()
        removed.append(f"{path.stem}={first.stem}")
    left = sorted(path.name for path in folder.iterdir())
    shutil.rmtree(folder)
    return removed, left
