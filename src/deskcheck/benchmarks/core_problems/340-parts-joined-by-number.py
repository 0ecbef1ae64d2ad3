# family: pathlib
# title: parts joined by number
# time: O(n log n)
# space: O(n)
# english: Joins the parts of a split table by the number in their names, drops repeated headers, and finds missing parts.
# chinese: 按文件名中的编号合并分片表格，去掉重复表头，并找出缺失分片。
# call: join({"part-10": "h\n10", "part-9": "h\n9a\n9b", "other": "h\nx"})
# call: join({"part-1": "a,b\n1,2", "part-3": "a,b\n5,6"})
# call: join({"part-2": "k", "part-4": "k\nv", "part-5": "z\nw"})
import shutil
from pathlib import Path


def join(files):
    folder = Path("export")
    folder.mkdir()
    for name, text in files.items():
        (folder / name).with_suffix(".csv").write_text(text)
    rows = []
    missing = []
    last = None
    parts = sorted(folder.glob("part-*.csv"), key=lambda path: int(path.stem[5:]))
    for path in parts:
        number = int(path.stem.partition("-")[2])
        header, *lines = path.read_text().splitlines()
        if last is not None:
            missing += range(last + 1, number)
        if not rows:
            rows.append(header)
        rows += lines
        last = number
    shutil.rmtree(folder)
    return rows, missing
