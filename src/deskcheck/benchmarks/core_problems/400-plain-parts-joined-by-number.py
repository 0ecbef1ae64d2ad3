# family: plain
# title: parts joined by number, in plain Python
# time: O(n log n)
# space: O(n)
# english: Joins the parts of a split table by the number in their names, drops repeated headers, and finds missing parts.
# chinese: 按文件名中的编号合并分片表格，去掉重复表头，并找出缺失分片。
# control-for: 340
# call: join({"part-10": "h\n10", "part-9": "h\n9a\n9b", "other": "h\nx"})
# call: join({"part-1": "a,b\n1,2", "part-3": "a,b\n5,6"})
# call: join({"part-2": "k", "part-4": "k\nv", "part-5": "z\nw"})
def join(files):
    store = {}
    for name, text in files.items():
        store[name + ".csv"] = text
    rows = []
    missing = []
    last = None
    parts = sorted(filter(lambda name: name.startswith("part-"), store), key=lambda name: int(name[5:-4]))
    for name in parts:
        number = int(name[5:-4])
        header, *lines = store[name].splitlines()
        if last is not None:
            missing += range(last + 1, number)
        if not rows:
            rows.append(header)
        rows += lines
        last = number
    return rows, missing
