# family: dynamic programming
# title: triangle with skip
# time: O(n**2)
# space: O(n)
# english: Smallest sum from the top of a triangle to its bottom when one row may be skipped for a fee.
# chinese: 从三角形顶到底的最小路径和，可付费跳过一行。
# pattern: grid
# call: descend([[2], [3, 1], [9, 8, 7]], 2)
# call: descend([[4], [6, 2], [5, 1, 3]], 1)
# call: descend([[1], [7, 8], [9, 9, 1], [2, 3, 4, 5]], 3)
def descend(rows, fee):
    plain = rows[-1][:]
    skipped = [fee] * len(plain)
    for row in rows[-2::-1]:
        below = plain, skipped
        plain, skipped = [], []
        for j, value in enumerate(row):
            least = min(below[0][j], below[0][j + 1])
            plain.append(value + least)
            skipped.append(min(value + min(below[1][j], below[1][j + 1]), fee + least))
    return plain[0], skipped[0]
