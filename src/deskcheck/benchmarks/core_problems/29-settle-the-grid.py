# family: matrices
# title: blocks that fall in a grid
# time: O(n*m)
# space: O(1)
# english: Lets every block (a number above 0) fall to the lowest free cell of its column, except that a 9 stays where it is. Returns the grid and how many blocks moved.
# chinese: 让每个方块（大于 0 的数）落到所在列最低的空格，但 9 固定不动。返回网格和移动的方块数。
# call: settle([[3, 1], [0, 2]])
# call: settle([[5, 9], [0, 4], [2, 0]])
# call: settle([[1, 8, 9, 3], [9, 0, 5, 0], [0, 6, 0, 0]])
def settle(grid):
    moved = 0
    for column in range(len(grid[0])):
        free = len(grid) - 1
        for row in range(free, -1, -1):
            block = grid[row][column]
            if block == 9:
                free = row - 1
            elif block:
                if row < free:
                    grid[row][column], grid[free][column] = 0, block
                    moved += 1
                free -= 1
    return grid, moved
