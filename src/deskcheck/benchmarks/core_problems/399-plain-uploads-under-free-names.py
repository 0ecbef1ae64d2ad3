# family: plain
# title: uploads under free names, in plain Python
# time: O(n * k)
# space: O(n)
# english: Saves uploads under names that are still free, by a number before the suffix, and refuses names that leave the folder.
# chinese: 以后缀前加编号的方式用空闲名保存上传文件，拒绝越出目录的名称。
# control-for: 339
# call: save(["cv.pdf", "cv.pdf", "cv-1.pdf", "cv.pdf"])
# call: save(["a", "../a", "a", "b/c.txt"])
# call: save([".env", ".env", "x.tar.gz", "x.tar.gz"])
def save(names):
    stored = []
    refused = []
    for name in names:
        if "/" in name:
            refused.append(name)
            continue
        target = name
        cut = name.rfind(".")
        cut = cut if cut > 0 else len(name)
        number = 0
        while target in stored:
            number += 1
            target = f"{name[:cut]}-{number}{name[cut:]}"
        stored.append(target)
    stored = [target for target in sorted(stored)]
    return stored, refused
