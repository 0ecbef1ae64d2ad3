# family: matrices
# title: sums along the diagonals
# time: O(n*m)
# space: O(n+m)
# english: Adds up every diagonal of a table that goes down to the right, from the lower left corner to the upper right one.
# chinese: 从左下到右上，计算每条右下方向对角线的和。
# call: diagonals([[4]])
# call: diagonals([[1, 2], [3, 4]])
# call: diagonals([[2, 7, 1], [9, 4, 3]])
def diagonals(rows):
    sums = {}
    for r, row in enumerate(rows):
        for c, value in enumerate(row):
            sums[c - r] = sums.get(c - r, 0) + value
    return [sums[key] for key in sorted(sums)]
