# family: plain
# title: files with equal content, in plain Python
# time: O(n)
# space: O(n)
# english: Removes files whose bytes equal those of an earlier file and reports what was removed and what stays.
# chinese: 删除内容与先前文件相同的文件，并报告删除与保留者。
# control-for: 338
# call: dedupe({"a.txt": "one", "b.txt": "two", "c.txt": "one"})
# call: dedupe({"z": "", "y": "", "x": "", "w": "!"})
# call: dedupe({"10.csv": "1;2", "9.csv": "1;2", "8.csv": "1;3"})
def dedupe(files):
    store = {}
    for name, text in files.items():
        store[name] = text.encode()
    seen = {}
    removed = []
    for name in sorted(store):
        content = store[name]
        first = seen.setdefault(content, name)
        if first is name:
            continue
        del store[name]
        removed.append(f"{name.split('.')[0]}={first.split('.')[0]}")
    left = sorted(name for name in store)
    return removed, left
