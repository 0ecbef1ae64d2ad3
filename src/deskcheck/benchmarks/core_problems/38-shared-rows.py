# family: aliases
# title: rows that are one row
# time: O(n)
# space: O(n)
# english: Makes a board of two rows that are the same list and a copy whose rows are not, writes into both and replaces one row.
# chinese: 做一个两行其实是同一列表的棋盘，以及各行独立的副本，分别写入，并替换其中一行。
# call: board(2, "x")
# call: board(4, "o")
# call: board(5, "+")
def board(width, mark):
    shared = [["."] * width] * 2
    copied = [shared[0][:], shared[1][1:]]
    shared[0][width // 2] = mark
    copied[1][0] = mark
    shared[1] = shared[0] + [mark]
    shared[1][0] = "#"
    shared[0][-1] = "="
    lines = map("".join, shared + copied)
    return list(lines)
