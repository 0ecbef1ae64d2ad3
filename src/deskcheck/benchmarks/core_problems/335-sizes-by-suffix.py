# family: pathlib
# title: sizes by suffix
# time: O(n)
# space: O(n)
# english: Writes files below a folder, finds them with rglob, and sums their sizes by suffix, hidden files apart.
# chinese: 在目录下写入文件，用 rglob 查找并按后缀累计大小，隐藏文件另计。
# call: by_suffix({"a.txt": "hello", "b/c.txt": "hi", "b/.env": "x=1"})
# call: by_suffix({"p/q/r.md": "# t", "p/q/s.tar.gz": "zip", "readme": "four"})
# call: by_suffix({".x/y.py": "pass", ".z": "", "w.PY": "1\n"})
import shutil
from pathlib import Path


def by_suffix(files):
    root = Path("project")
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    sizes = {}
    hidden = 0
    for path in sorted(root.rglob("*")):
        if path.is_dir():
            continue
        size = path.stat().st_size
        if path.name.startswith("."):
            hidden += size
        else:
            suffix = path.suffix.lower() or "none"
            sizes[suffix] = sizes.get(suffix, 0) + size
    shutil.rmtree(root)
    return sizes, hidden
