# family: matrices
# title: the border of a grid, turned
# time: O(n + m)
# space: O(n + m)
# english: Reads the border of a grid clockwise from the top left corner, turns it on by some places and puts the sum of the inner cells at the end.
# chinese: 从左上角起顺时针读取网格的边框，转动若干位，并在末尾加上内部单元格之和。
# call: border([[4, 1], [7, 2]], 1)
# call: border([[1, 2, 3], [4, 5, 6], [7, 8, 9]], 3)
# call: border([[5, 0, 2, 8], [3, 6, 1, 9], [4, 7, 2, 5]], 4)
def border(grid, places):
    right = [row[-1] for row in grid[1:-1]]
    left = [row[0] for row in grid[-2:0:-1]]
    ring = grid[0] + right + grid[-1][::-1] + left
    inner = sum(sum(row[1:-1]) for row in grid[1:-1])
    return ring[-places:] + ring[:-places] + [inner]
