# family: plain
# title: folders that are too big, in plain Python
# time: O(n)
# space: O(d)
# english: Adds up sizes below each folder by recursion, removes files that are too big, and then empty folders.
# chinese: 递归累计各目录大小，删除过大的文件，再删除空目录。
# control-for: 342
# call: clean({"a/x": "12345", "a/y": "1", "b/c/z": "1234567"}, 4)
# call: clean({"k": "12", "l/m": "123", "l/n/o": "1"}, 2)
# call: clean({"q/r": "999", "q/s": "99", "t/u/v": "9"}, 0)
def size_of(folder, above, most, left):
    total = 0
    for name, entry in sorted(folder.items()):
        if isinstance(entry, dict):
            total += size_of(entry, f"{above}/{name}", most, left)
            continue
        size = len(entry)
        if size > most:
            del folder[name]
            continue
        left.append(f"{above}/{name}")
        total += size
    if not total:
        folder.clear()
    return total


def clean(files, most):
    root = {}
    for name, text in files.items():
        *parts, last = name.split("/")
        folder = root
        for part in parts:
            folder = folder.setdefault(part, {})
        folder[last] = text
    left = []
    total = size_of(root, "cache", most, left)
    is_there = bool(root)
    return total, left, is_there
