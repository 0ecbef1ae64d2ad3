# family: system
# title: tree of folders
# time: O(n)
# space: O(n)
# english: Makes folders and files below a temporary one and lists what a pattern finds, as paths below it.
# chinese: 在临时目录下建立文件夹与文件，列出匹配模式的相对路径。
# call: tree(["a/x.txt", "b/y.md"], "*/*.txt")
# call: tree(["p/q/r.py", "p/s.py", "t.py"], "**/*.py")
# call: tree(["one.txt"], "*.md")
import tempfile
from pathlib import Path


def tree(names, pattern):
    with tempfile.TemporaryDirectory() as folder:
        top = Path(folder)
        for name in names:
            place = top / name
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(name.upper(), encoding="utf-8")
        found = sorted(top.glob(pattern))
        sizes = sum(path.stat().st_size for path in found)
        return [path.relative_to(top).as_posix() for path in found], sizes
