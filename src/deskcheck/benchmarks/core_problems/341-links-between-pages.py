# family: pathlib
# title: links between pages
# time: O(n)
# space: O(n)
# english: Follows relative links between pages on disk and reports broken ones and pages that nothing links to.
# chinese: 检查磁盘上页面间的相对链接，报告失效链接与无人链接的页面。
# call: links({"index.md": "guide/a.md guide/b.md", "guide/a.md": "../index.md c.md"})
# call: links({"x/y.md": "z.md", "x/z.md": "y.md", "w.md": "x/y.md"})
# call: links({"one.md": "", "d/two.md": "../one.md ../../one.md"})
import os.path
import shutil
from pathlib import Path


def links(pages):
    root = Path("docs")
    for name, text in pages.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    broken = []
    reached = []
    for page in sorted(root.rglob("*.md")):
        for link in page.read_text().split():
            target = Path(os.path.normpath(page.parent / link))
            if target.is_file():
                reached.append(target.relative_to(root).as_posix())
            else:
                broken.append((page.stem, link))
    alone = [name for name in pages if name not in reached]
    shutil.rmtree(root)
    return broken, alone
