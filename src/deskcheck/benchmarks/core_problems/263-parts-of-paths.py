# family: system
# title: parts of paths
# time: O(n)
# space: O(1)
# english: Takes paths apart, swaps their endings, and joins them under the common folder.
# chinese: 拆解路径、更换后缀，并置于公共目录之下。
# call: parts(["/home/a/x.tar.gz", "/home/b.txt"])
# call: parts(["/v/w/../k.py", "/v/w/l"])
# call: parts(["/one", "/two/three.c"])
import os.path
from pathlib import PurePosixPath


def parts(paths):
    clean = [os.path.normpath(path) for path in paths]
    common = os.path.commonpath(clean)
    out = []
    for path in clean:
        pure = PurePosixPath(path)
        name = pure.with_suffix(".bak").name if pure.suffix else pure.stem + ".new"
        out.append(os.path.join(common, name))
    return out
