# family: matrices
# title: places higher than their neighbours
# time: O(n*m)
# space: O(n*m)
# english: Places of a map that are higher than those above, below, left and right of them, with their heights.
# chinese: 地图上高于上下左右邻居的位置及其高度。
# call: peaks([[3]])
# call: peaks([[1, 4, 2]])
# call: peaks([[5, 1, 7], [2, 6, 3]])
def peaks(rows):
    found = []
    for r, row in enumerate(rows):
        for c, height in enumerate(row):
            around = []
            if r > 0:
                around.append(rows[r - 1][c])
            if r + 1 < len(rows):
                around.append(rows[r + 1][c])
            around += row[max(c - 1, 0) : c] + row[c + 1 : c + 2]
            if all(height > other for other in around):
                found.append((r, c, height))
    return found
