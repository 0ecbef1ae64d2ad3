# family: pathlib
# title: folders that are too big
# time: O(n)
# space: O(d)
# english: Adds up sizes below each folder by recursion, removes files that are too big, and then empty folders.
# chinese: 递归累计各目录大小，删除过大的文件，再删除空目录。
# call: clean({"a/x": "12345", "a/y": "1", "b/c/z": "1234567"}, 4)
# call: clean({"k": "12", "l/m": "123", "l/n/o": "1"}, 2)
# call: clean({"q/r": "999", "q/s": "99", "t/u/v": "9"}, 0)
import shutil
from pathlib import Path


def size_of(folder, most, left):
    total = 0
    for path in sorted(folder.iterdir()):
        if path.is_dir():
            total += size_of(path, most, left)
            continue
        size = path.stat().st_size
        if size > most:
            path.unlink()
            continue
        left.append(path.as_posix())
        total += size
    if not total:
        folder.rmdir()
    return total


def clean(files, most):
    root = Path("cache")
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    left = []
    total = size_of(root, most, left)
    is_there = root.exists()
    shutil.rmtree(root, ignore_errors=True)
    return total, left, is_there
