# family: dynamic programming
# title: cherries there and back
# time: O(n**3)
# space: O(n**2)
# english: Two pickers start in the upper corners and go down, each straight or sideways by one; most cherries, shared cells once.
# chinese: 两人从上方两角出发逐行向下（可偏一列），同一格只计一次，求最多樱桃数。
# pattern: grid
# call: pick([[1, 2], [3, 4]])
# call: pick([[2, 0, 1], [1, 5, 1]])
# call: pick([[1, 1, 1], [0, 9, 0], [4, 1, 4]])
def pick(grid):
    width = len(grid[0])
    best = {(0, width - 1): grid[0][0] + grid[0][-1]}
    for row in grid[1:]:
        after = {}
        for (a, b), got in best.items():
            for p in range(max(0, a - 1), min(width, a + 2)):
                for q in range(max(0, b - 1), min(width, b + 2)):
                    more = row[p] if p == q else row[p] + row[q]
                    after[p, q] = max(after.get((p, q), 0), got + more)
        best = after
    return max(best.values())
