# family: plain
# title: sizes by suffix, in plain Python
# time: O(n)
# space: O(n)
# english: Writes files below a folder, finds them with rglob, and sums their sizes by suffix, hidden files apart.
# chinese: 在目录下写入文件，用 rglob 查找并按后缀累计大小，隐藏文件另计。
# control-for: 335
# call: by_suffix({"a.txt": "hello", "b/c.txt": "hi", "b/.env": "x=1"})
# call: by_suffix({"p/q/r.md": "# t", "p/q/s.tar.gz": "zip", "readme": "four"})
# call: by_suffix({".x/y.py": "pass", ".z": "", "w.PY": "1\n"})
def by_suffix(files):
    ordered = []
    for name, text in files.items():
        parts = name.split("/")
        last = parts[-1]
        ordered.append((parts, last, len(text)))
    sizes = {}
    hidden = 0
    for parts, name, size in sorted(ordered):
        if not name:
            continue
        if name.startswith("."):
            hidden += size
        else:
            stem, dot, suffix = name.rpartition(".")
            suffix = (dot + suffix).lower() if dot else "none"
            sizes[suffix] = sizes.get(suffix, 0) + size
    return sizes, hidden
