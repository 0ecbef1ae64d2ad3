# family: pathlib
# title: uploads under free names
# time: O(n * k)
# space: O(n)
# english: Saves uploads under names that are still free, by a number before the suffix, and refuses names that leave the folder.
# chinese: 以后缀前加编号的方式用空闲名保存上传文件，拒绝越出目录的名称。
# call: save(["cv.pdf", "cv.pdf", "cv-1.pdf", "cv.pdf"])
# call: save(["a", "../a", "a", "b/c.txt"])
# call: save([".env", ".env", "x.tar.gz", "x.tar.gz"])
import shutil
from pathlib import Path


def save(names):
    folder = Path("inbox")
    folder.mkdir()
    refused = []
    for name in names:
        wanted = folder / name
        if wanted.name != name:
            refused.append(name)
            continue
        target = wanted
        number = 0
        while target.exists():
            number += 1
            target = wanted.with_stem(f"{wanted.stem}-{number}")
        target.write_text("")
    stored = [path.name for path in sorted(folder.iterdir())]
    shutil.rmtree(folder)
    return stored, refused
