# family: effects
# title: a ledger written line by line
# time: O(n)
# space: O(n)
# english: Appends lines to a file held in a dict, closes it, reads it back and adds the amounts; writing after closing fails.
# chinese: 向字典中的文件追加行、关闭、读回并求和；关闭后写入报错。
# call: ledger(["3"])
# call: ledger(["2", "-5", "."])
# call: ledger(["7", ".", "1"])
class File:
    def __init__(self, disk, name):
        self.disk, self.name, self.open = disk, name, True
        disk[name] = ""

    def write(self, text):
        if not self.open:
            raise OSError(self.name)
        self.disk[self.name] += text + "\n"


def ledger(lines):
    disk = {}
    file = File(disk, "book")
    for line in lines:
        if line == ".":
            file.open = False
        else:
            file.write(line)
    return sum(int(part) for part in disk["book"].split()), disk
