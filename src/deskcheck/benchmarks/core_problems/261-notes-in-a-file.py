# family: system
# title: notes in a file
# time: O(n)
# space: O(n)
# english: Writes notes into a temporary file, appends more, reads it back and gives the lines with a number.
# chinese: 把便条写入临时文件并追加，再读回，返回含数字的行。
# call: notes(["buy 2 eggs", "call"], ["pay 30"])
# call: notes(["none"], ["x1", "", "y"])
# call: notes(["a 1", "b", "c 3"], [])
import os
import tempfile


def notes(first, more):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "notes.txt")
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(first))
        with open(path, "a", encoding="utf-8") as file:
            for line in more:
                file.write(f"\n{line}")
        with open(path, encoding="utf-8") as file:
            lines = file.read().splitlines()
    return [line for line in lines if any(c.isdigit() for c in line)], len(lines)
