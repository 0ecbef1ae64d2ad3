# family: dynamic programming
# title: paths around holes
# time: O(m*n)
# space: O(n)
# english: Number of ways down a grid that step straight or to the right below, where a hole may be jumped from above once per column.
# chinese: 从网格顶到底的走法数，每步向下或向右下，遇到洞时每列可从上方跳过。
# pattern: grid
# call: falls(["..", ".#"])
# call: falls(["...", ".#.", "..."])
# call: falls(["..#.", "#...", ".#.."])
def falls(rows):
    width = len(rows[0])
    ways = [1 if cell == "." else 0 for cell in rows[0]]
    jumps = [0] * width
    for row in rows[1:]:
        fresh, waiting = [], []
        for j, cell in enumerate(row):
            reach = ways[j] + (ways[j - 1] if j else 0)
            fresh.append(reach + jumps[j] if cell == "." else 0)
            waiting.append(ways[j] if cell == "#" else 0)
        ways, jumps = fresh, waiting
    return sum(ways)
