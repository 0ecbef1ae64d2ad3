# family: dynamic programming
# title: steps that divide
# time: O(m*n)
# space: O(m*n)
# english: Longest walks right or down in which each number is a multiple of the one before, for each end in the last row.
# chinese: 只能向右或向下、且后一个数是前一个数倍数的最长路径，按末行各终点列出。
# pattern: grid
# call: walk([[1, 2], [3, 6]])
# call: walk([[2, 4, 8], [3, 8, 16]])
# call: walk([[5, 1, 3], [10, 2, 6], [20, 4, 12]])
def walk(grid):
    longest = [[1] * len(row) for row in grid]
    for i in range(len(grid)):
        for j in range(len(grid[0])):
            for up, left in ((1, 0), (0, 1)):
                if i < up or j < left:
                    continue
                if grid[i][j] % grid[i - up][j - left] == 0:
                    longest[i][j] = max(longest[i][j], longest[i - up][j - left] + 1)
    return longest[-1]
