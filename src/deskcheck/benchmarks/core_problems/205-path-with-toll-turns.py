# family: dynamic programming
# title: path with toll turns
# time: O(m*n)
# space: O(m*n)
# english: Cheapest way from corner to corner, right or down; every turn costs one.
# chinese: 从左上到右下（只能向右或向下）的最低花费，每次转弯另收 1。
# pattern: grid
# call: cheapest([[1, 2], [3, 1]])
# call: cheapest([[1, 9, 1], [2, 1, 6]])
# call: cheapest([[2, 1, 3], [1, 5, 1], [4, 1, 0]])
def cheapest(grid):
    best = {}
    for i, row in enumerate(grid):
        for j, cost in enumerate(row):
            if i == j == 0:
                best[0, 0] = (cost, cost)
                continue
            down, across = best.get((i - 1, j), (99, 99)), best.get((i, j - 1), (99, 99))
            fall = cost + min(down[0], down[1] + 1)
            walk = cost + min(across[1], across[0] + 1)
            best[i, j] = (fall, walk)
    return min(best[len(grid) - 1, len(grid[0]) - 1])
