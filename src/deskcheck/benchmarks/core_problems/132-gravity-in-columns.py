# family: matrices
# title: stones that fall
# time: O(n*m)
# space: O(n*m)
# english: Stones marked o fall down their column until a wall # or the ground; gives the rows.
# chinese: 标为 o 的石头沿列下落，直到墙 # 或底部；给出各行。
# call: fall(["o", "."])
# call: fall(["oo", "#.", ".."])
# call: fall(["o.o", ".o#", "#..", "..."])
def fall(rows):
    grid = [list(row) for row in rows]
    for c in range(len(grid[0])):
        floor = len(grid) - 1
        for r in range(len(grid) - 1, -1, -1):
            if grid[r][c] == "#":
                floor = r - 1
            elif grid[r][c] == "o":
                grid[r][c] = "."
                grid[floor][c] = "o"
                floor -= 1
    return ["".join(row) for row in grid]
