# family: parsing
# title: an outline read by its indentation
# time: O(n)
# space: O(d)
# english: Reads lines with leading dots as an outline and gives the full path of each line; a jump by two levels fails.
# chinese: 以前导点读取大纲，给出每行的完整路径；跳两级则报错。
# call: outline(["a", ".b"])
# call: outline(["a", ".b", "..c", ".d"])
# call: outline(["x", ".y", "...z"])
def outline(lines):
    path, found = [], []
    for line in lines:
        name = line.lstrip(".")
        depth = len(line) - len(name)
        if depth > len(path):
            raise IndentationError(line)
        path = path[:depth] + [name]
        found.append("/".join(path))
    return found
