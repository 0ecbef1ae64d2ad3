# family: dynamic programming
# title: largest plus square
# time: O(m*n)
# space: O(n)
# english: Side of the largest square whose numbers grow to the right of its first column, and the sum of the sides that end in the last row.
# chinese: 各行向右递增（首列除外）的最大正方形边长，以及以末行结尾的各边长之和。
# pattern: grid
# call: square([[1, 2], [1, 3]])
# call: square([[5, 1, 2], [1, 2, 3], [0, 4, 9]])
# call: square([[3, 2, 4, 6], [1, 1, 2, 5], [2, 3, 4, 4]])
def square(grid):
    sides = [0] * len(grid[0])
    best = 0
    for row in grid:
        corner = 0
        fresh = []
        for j, value in enumerate(row):
            grows = j == 0 or row[j - 1] < value
            side = 1 + min(sides[j], corner, fresh[-1] if fresh else 0) if grows and j else 1
            corner = sides[j]
            fresh.append(side)
        best = max(best, *fresh)
        sides = fresh
    return best, sum(sides)
