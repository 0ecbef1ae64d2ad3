# call: flood_fill([[1, 1, 0], [1, 0, 1]], 0, 0, 7)
# call: flood_fill([[2, 2], [2, 3]], 1, 1, 4)
# call: flood_fill([[5]], 0, 0, 6)
# call: flood_fill([[0, 0, 1], [1, 0, 1], [0, 0, 0]], 2, 2, 8)
# call: flood_fill([[1, 1], [1, 1]], 0, 1, 1)
# call: flood_fill([[1, 2]], 1, 0, 9)
def flood_fill(grid, r, c, paint):
    old = grid[r][c]
    filled = 0

    def fill(r, c):
        nonlocal filled
        if not (0 <= r < len(grid) and 0 <= c < len(grid[0])):
            return
        if grid[r][c] != old:
            return
        grid[r][c] = paint
        filled += 1
        fill(r - 1, c)
        fill(r + 1, c)
        fill(r, c - 1)
        fill(r, c + 1)

    if old != paint:
        fill(r, c)
    return grid, filled


# call: region_edge(["aab", "abb"], (0, 0))
# call: region_edge(["xy", "yx"], (1, 0))
# call: region_edge(["z"], (0, 0))
# call: region_edge(["aaa", "aba", "aab"], (2, 1))
# call: region_edge(["ab"], (0, -1))
# call: region_edge(["ab"], (1, 0))
def region_edge(rows, start):
    """Cells of the region around start, and what it touches."""
    kind = rows[start[0]][start[1]]
    stack, region, touched = [start], [], []
    while stack:
        r, c = stack.pop()
        if (r, c) in region:
            continue
        region.append((r, c))
        for near in [(r, c + 1), (r + 1, c), (r, c - 1), (r - 1, c)]:
            y, x = near
            if y < 0 or x < 0 or y >= len(rows) or x >= len(rows[y]):
                continue
            if rows[y][x] == kind:
                stack.append(near)
            elif near not in touched:
                touched.append(near)
    return sorted(region), sorted(touched)


# call: island_sizes(["#.", ".#"])
# call: island_sizes(["##."])
# call: island_sizes([])
# call: island_sizes(["##.#", "...#", "#..#"])
# call: island_sizes(["..", ".."])
# call: island_sizes(["#", 5])
def island_sizes(rows):
    land = set()
    for r, row in enumerate(rows):
        for c, sign in enumerate(row):
            if sign == "#":
                land.add((r, c))
    sizes = []
    while land:
        island = [min(land)]
        land.remove(island[0])
        for r, c in island:
            for near in ((r + 1, c), (r, c + 1), (r - 1, c), (r, c - 1)):
                if near in land:
                    land.remove(near)
                    island.append(near)
        sizes.append(len(island))
    return sorted(sizes, reverse=True)


# call: number_regions([[1, 0], [1, 1]])
# call: number_regions([[1, 0, 1]])
# call: number_regions([])
# call: number_regions([[1, 0, 1], [0, 0, 1], [1, 1, 0]])
# call: number_regions([[0, 0]])
# call: number_regions([[1], [1, 1]])
def number_regions(grid):
    def mark(r, c):
        if r < 0 or r == len(grid) or c < 0 or c == len(grid[r]) or grid[r][c] != 1:
            return
        grid[r][c] = name
        mark(r + 1, c)
        mark(r, c + 1)
        mark(r - 1, c)
        mark(r, c - 1)

    name = 1
    for r in range(len(grid)):
        for c in range(len(grid[r])):
            if grid[r][c] == 1:
                name += 1
                mark(r, c)
    return grid, name - 1


# call: lakes_inside(["###", "#.#", "###"])
# call: lakes_inside(["#.#"])
# call: lakes_inside([])
# call: lakes_inside(["#####", "#.#.#", "###.#"])
# call: lakes_inside(["..", ".."])
# call: lakes_inside([["#", "."], None])
def lakes_inside(rows):
    """Water that no way leads out of."""
    water = {(r, c) for r, row in enumerate(rows) for c, s in enumerate(row) if s == "."}

    def on_edge(cell):
        r, c = cell
        return r in (0, len(rows) - 1) or c in (0, len(rows[0]) - 1)

    todo = [cell for cell in sorted(water) if on_edge(cell)]
    while todo:
        r, c = todo.pop()
        if (r, c) not in water:
            continue
        water.discard((r, c))
        todo += [(r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)]
    return sorted(water)


# call: write_spiral(2, 3)
# call: write_spiral(3, 3)
# call: write_spiral(0, 0)
# call: write_spiral(3, 4)
# call: write_spiral(1, 4)
# call: write_spiral(-1, 2)
def write_spiral(rows, cols):
    grid = [[0] * cols for _ in range(rows)]
    r, c, dr, dc = 0, 0, 0, 1
    for n in range(1, rows * cols + 1):
        grid[r][c] = n
        nr, nc = r + dr, c + dc
        if not (0 <= nr < rows and 0 <= nc < cols) or grid[nr][nc]:
            dr, dc = dc, -dr
        r += dr
        c += dc
    return grid


# call: inside_out(["abc", "def", "ghi"])
# call: inside_out(["ab", "cd"])
# call: inside_out(["x"])
# call: inside_out(["abcd", "efgh", "ijkl", "mnop"])
# call: inside_out(["abc", "d", "ghi"])
# call: inside_out([])
def inside_out(rows):
    """Walks a square from its middle: steps of 1, 1, 2, 2, 3, 3, ..."""
    n = len(rows)
    r = c = (n - 1) // 2
    text = rows[r][c]
    side, way = 1, 0
    moves = ((0, 1), (1, 0), (0, -1), (-1, 0))
    while len(text) < n * n and side <= n:
        for _ in range(2):
            for _ in range(side):
                r += moves[way][0]
                c += moves[way][1]
                if 0 <= r < n and 0 <= c < len(rows[r]):
                    text += rows[r][c]
            way = (way + 1) % 4
        side += 1
    return text


# call: mirror_main([[1, 2], [3, 4]])
# call: mirror_main([[1, 2, 3], [4, 5, 6], [7, 8, 9]])
# call: mirror_main([])
# call: mirror_main([["a", "b", "c", "d"], ["e", "f", "g", "h"], ["i", "j", "k", "l"], ["m", "n", "o", "p"]])
# call: mirror_main([[7]])
# call: mirror_main([[1, 2, 3], [4, 5, 6]])
def mirror_main(m):
    """Swaps across the main diagonal, in place."""
    for i in range(len(m)):
        for j in range(i):
            m[i][j], m[j][i] = m[j][i], m[i][j]
    return m


# call: quarter_turn_rings([[1, 2], [3, 4]])
# call: quarter_turn_rings([[1, 2, 3], [4, 5, 6], [7, 8, 9]])
# call: quarter_turn_rings([[5]])
# call: quarter_turn_rings([[1, 2, 3, 4], [5, 6, 7, 8], [9, 0, 1, 2], [3, 4, 5, 6]])
# call: quarter_turn_rings([[1, 2, 3], [4, 5, 6], [7, 8]])
# call: quarter_turn_rings(["ab", "cd"])
def quarter_turn_rings(a):
    n = len(a)
    for ring in range(n // 2):
        last = n - 1 - ring
        for k in range(ring, last):
            other = n - 1 - k
            saved = a[ring][k]
            a[ring][k] = a[other][ring]
            a[other][ring] = a[last][other]
            a[last][other] = a[k][last]
            a[k][last] = saved
    return a


# call: turn_left(["ab", "cd"], 1)
# call: turn_left(["abc", "def"], 2)
# call: turn_left([], 1)
# call: turn_left(["abcd", "efgh", "ijkl"], 3)
# call: turn_left(["abc"], 0)
# call: turn_left(["ab", "c"], 1)
def turn_left(rows, quarters):
    for _ in range(quarters % 4):
        turned = []
        if rows:
            for c in range(len(rows[0])):
                column = ""
                for row in rows:
                    column += row[c]
                turned.insert(0, column)
        rows = turned
    return rows


# call: saddle_points([[4, 7], [5, 9]])
# call: saddle_points([[3, 1, 3], [2, 0, 2]])
# call: saddle_points([])
# call: saddle_points([[8, 7, 9], [6, 7, 6], [3, 2, 5]])
# call: saddle_points([[1, 1], [1, 1]])
# call: saddle_points([[1, 2], [3]])
def saddle_points(grid):
    """Largest in the row and smallest in the column."""
    points = []
    for r, row in enumerate(grid):
        top = max(row)
        for c, x in enumerate(row):
            if x != top:
                continue
            k = 0
            while k < len(grid) and grid[k][c] >= x:
                k += 1
            if k == len(grid):
                points.append((r, c))
    return points


# call: magic_report([[2, 7, 6], [9, 5, 1], [4, 3, 8]])
# call: magic_report([[1, 2], [2, 1]])
# call: magic_report([[7]])
# call: magic_report([[16, 3, 2, 13], [5, 10, 11, 8], [9, 6, 7, 12], [4, 15, 14, 1]])
# call: magic_report([[1, 2], [3, 4]])
# call: magic_report([[1, 2, 3], [4, 5, 6]])
def magic_report(square):
    n = len(square)
    sums = {}
    for i in range(n):
        sums[f"row {i}"] = sum(square[i])
        sums[f"column {i}"] = sum(square[j][i] for j in range(n))
    sums["falling"] = sum(square[i][i] for i in range(n))
    sums["rising"] = sum(square[i][-1 - i] for i in range(n))
    target = sums["row 0"]
    wrong = [name for name in sums if sums[name] != target]
    return target, wrong


# call: three_in_line(["xxx", "oo.", "..."])
# call: three_in_line(["xo.", ".xo", "..x"])
# call: three_in_line(["...", "...", "..."])
# call: three_in_line(["oxo", "xox", "oxx"])
# call: three_in_line(["xox", "oxo", "oxo"])
# call: three_in_line(["xo", "ox"])
LINES = [[(i, j) for j in range(3)] for i in range(3)]
LINES += [[(j, i) for j in range(3)] for i in range(3)]
LINES += [[(i, i) for i in range(3)], [(i, 2 - i) for i in range(3)]]


def three_in_line(board):
    for line in LINES:
        (r, c), *others = line
        sign = board[r][c]
        if sign != "." and all(board[y][x] == sign for y, x in others):
            return sign, line
    free = sum(row.count(".") for row in board)
    return ("open", free) if free else ("draw", 0)


# call: Noughts().play(0, 4, 1, 2).result()
# call: Noughts().play(0, 3, 1, 4, 2).result()
# call: Noughts().result()
# call: Noughts().play(0, 1, 2, 4, 3, 5, 7, 6, 8).result()
# call: Noughts().play(0, 0, 1).result()
# call: Noughts().play(4, 9).result()
class Noughts:
    ROWS = ("012", "345", "678", "036", "147", "258", "048", "246")

    def __init__(self):
        self.cells = list(".........")
        self.turn = "X"
        self.winner = None

    def wins(self, sign):
        for row in self.ROWS:
            if all(self.cells[int(d)] == sign for d in row):
                return True
        return False

    def play(self, *places):
        for place in places:
            if self.winner or self.cells[place] != ".":
                continue
            self.cells[place] = self.turn
            if self.wins(self.turn):
                self.winner = self.turn
            self.turn = "O" if self.turn == "X" else "X"
        return self

    def result(self):
        text = "".join(self.cells)
        return [text[i : i + 3] for i in (0, 3, 6)], self.winner, self.turn


# call: mine_counts(["*..", "..."])
# call: mine_counts(["*.*"])
# call: mine_counts([])
# call: mine_counts(["*..", ".*.", "..*"])
# call: mine_counts([".."])
# call: mine_counts(["*.", "."])
def mine_counts(field):
    height = len(field)
    counted = []
    for r in range(height):
        line = ""
        for c in range(len(field[r])):
            if field[r][c] == "*":
                line += "*"
                continue
            n = 0
            for y in range(max(0, r - 1), min(height, r + 2)):
                n += field[y][max(0, c - 1) : c + 2].count("*")
            line += str(n) if n else " "
        counted.append(line)
    return counted


# call: open_cell([[0, 1], [1, 9]], 0, 0)
# call: open_cell([[1, 9]], 0, 1)
# call: open_cell([[0]], 0, 0)
# call: open_cell([[0, 1, 9], [0, 1, 1], [0, 0, 0]], 2, 1)
# call: open_cell([[1, 9], [9, 2]], 0, 0)
# call: open_cell([[0, 1]], 1, 0)
def open_cell(counts, row, col):
    """Opens a cell of a minefield (9 is a mine); a 0 opens its neighbours too."""
    shown = [["?" for _ in line] for line in counts]
    queue = [(row, col)]
    while queue:
        r, c = queue.pop(0)
        if shown[r][c] != "?":
            continue
        shown[r][c] = "*" if counts[r][c] == 9 else str(counts[r][c])
        if counts[r][c] == 0:
            for dr, dc in ((-1, 0), (0, -1), (0, 1), (1, 0)):
                if 0 <= r + dr < len(counts) and 0 <= c + dc < len(counts[0]):
                    queue.append((r + dr, c + dc))
    return ["".join(line) for line in shown]


# call: snake_read([[1, 2, 3], [4, 5, 6]])
# call: snake_read([[1], [2], [3]], by_columns=True)
# call: snake_read([])
# call: snake_read([[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]], True)
# call: snake_read([[], []])
# call: snake_read([[1, 2], [3]], True)
def snake_read(grid, by_columns=False):
    out = []
    if not grid:
        return out
    if by_columns:
        r, down = 0, True
        for c in range(len(grid[0])):
            while 0 <= r < len(grid):
                out.append(grid[r][c])
                r += 1 if down else -1
            down = not down
            r += 1 if down else -1
    else:
        for r in range(len(grid)):
            c = 0 if r % 2 == 0 else len(grid[r]) - 1
            while 0 <= c < len(grid[r]):
                out.append(grid[r][c])
                c += (-1) ** r
    return out


# call: snake_number(3, 4, 2, 0)
# call: snake_number(2, 2, 0, 1)
# call: snake_number(1, 1, 0, 0)
# call: snake_number(4, 5, 3, 1)
# call: snake_number(3, 3, 2, 2)
# call: snake_number(2, 2, 2, 0)
def snake_number(rows, cols, r, c):
    """Number of a cell when rows run to and fro, from 1 at the bottom left."""
    board, n = {}, 0
    for level in range(rows):
        line = range(cols) if level % 2 == 0 else range(cols - 1, -1, -1)
        for col in line:
            n += 1
            board[rows - 1 - level, col] = n
    return board[r, c], n


# call: Worm(4, 3).go("RRD").view()
# call: Worm(2, 2).go("R").view()
# call: Worm(1, 1).view()
# call: Worm(4, 4, food=[(0, 1), (1, 2)]).go("RRDDL").view()
# call: Worm(3, 3, food=[(0, 1), (0, 2), (1, 2), (1, 1)]).go("RRDLU").view()
# call: Worm(2, 3).go("L").view()
class Worm:
    """body[0] is the head; eating makes it longer."""

    MOVES = {"R": (0, 1), "L": (0, -1), "U": (-1, 0), "D": (1, 0)}

    def __init__(self, rows, cols, food=()):
        self.rows, self.cols = rows, cols
        self.body = [(0, 0)]
        self.food = list(food)
        self.dead = False

    def go(self, path):
        for letter in path:
            if self.dead:
                break
            dr, dc = self.MOVES[letter]
            r, c = self.body[0]
            head = (r + dr, c + dc)
            if head in self.food:
                self.food.remove(head)
            else:
                self.body.pop()
            if not (0 <= head[0] < self.rows and 0 <= head[1] < self.cols) or head in self.body:
                self.dead = True
            self.body.insert(0, head)
        return self

    def view(self):
        return self.body, self.food, "dead" if self.dead else "alive"


# call: border_walk([[1, 2, 3], [4, 5, 6], [7, 8, 9]])
# call: border_walk([[1, 2], [3, 4]])
# call: border_walk([])
# call: border_walk([[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]])
# call: border_walk([[1, 2, 3]])
# call: border_walk([[1, 2], [], [3, 4]])
def border_walk(grid):
    if not grid:
        return []
    top, bottom = grid[0], grid[-1]
    walk = top[:]
    for r in range(1, len(grid) - 1):
        walk.append(grid[r][-1])
    if len(grid) > 1:
        walk.extend(reversed(bottom))
    if len(top) > 1:
        for r in range(len(grid) - 2, 0, -1):
            walk.append(grid[r][0])
    return walk


# call: turn_border([[1, 2, 3], [4, 5, 6], [7, 8, 9]])
# call: turn_border([[1, 2], [3, 4]], 2)
# call: turn_border([[1]], 1)
# call: turn_border([[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]], 3)
# call: turn_border([[1, 2], [3, 4]], -1)
# call: turn_border([], 1)
def turn_border(grid, steps=1):
    """Moves the outer ring of cells clockwise."""
    bottom, right = len(grid) - 1, len(grid[0]) - 1
    ring = [(0, c) for c in range(right)]
    ring += [(r, right) for r in range(bottom)]
    ring += [(bottom, c) for c in range(right, 0, -1)]
    ring += [(r, 0) for r in range(bottom, 0, -1)]
    values = [grid[r][c] for r, c in ring]
    for i, (r, c) in enumerate(ring):
        grid[r][c] = values[(i - steps) % len(values)]
    return grid


# call: falling_lines([[1, 2, 3], [4, 5, 6]])
# call: falling_lines(["ab", "cd"])
# call: falling_lines([])
# call: falling_lines([[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]])
# call: falling_lines([[7]])
# call: falling_lines([[1, 2, 3], [4]])
def falling_lines(grid):
    lines = []
    if grid:
        height, width = len(grid), len(grid[0])
        starts = [(r, 0) for r in range(height - 1, 0, -1)] + [(0, c) for c in range(width)]
        for r, c in starts:
            line = []
            while r < height and c < width:
                line.append(grid[r][c])
                r, c = r + 1, c + 1
            lines.append(line)
    return lines


# call: slant_zigzag([[1, 2, 3], [4, 5, 6]])
# call: slant_zigzag([[1, 2], [3, 4]])
# call: slant_zigzag([])
# call: slant_zigzag([[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]])
# call: slant_zigzag([[1], [2]])
# call: slant_zigzag([[1, 2], [3, None, 5]])
def slant_zigzag(grid):
    """Diagonals of equal r + c, every second one upwards."""
    groups = {}
    for r, row in enumerate(grid):
        for c, x in enumerate(row):
            groups.setdefault(r + c, []).append(x)
    out = []
    for k in sorted(groups):
        if k % 2 == 0:
            groups[k].reverse()
        out += groups[k]
    return out


# call: slope_heads([[1, 5, 9], [2, 1, 5], [3, 2, 1]])
# call: slope_heads([[1, 2], [3, 4]])
# call: slope_heads([[6]])
# call: slope_heads([[4, 1, 2, 3], [5, 4, 1, 2], [6, 5, 4, 1]])
# call: slope_heads([[1, 2], [3, 1], [3, 3]])
# call: slope_heads([[1, 2], [3]])
def slope_heads(grid):
    """Whether every falling diagonal holds one value; else the first break."""
    for r in range(1, len(grid)):
        for c in range(1, len(grid[0])):
            if grid[r][c] != grid[r - 1][c - 1]:
                return False, (r, c), grid[r][c]
    heads = [row[0] for row in grid[:0:-1]] + grid[0]
    return True, heads


# call: cheapest_descent([[2, 4, 1], [3, 1, 6]])
# call: cheapest_descent([[2, 1], [4, 3]])
# call: cheapest_descent([[9]])
# call: cheapest_descent([[5, 2, 7], [1, 9, 3], [4, 4, 2], [8, 1, 1]])
# call: cheapest_descent([[1, 2, 3]])
# call: cheapest_descent([[1, 2], [3]])
def cheapest_descent(cost):
    """Only right or down; gives the table of sums."""
    total = [row[:] for row in cost]
    for r in range(len(cost)):
        for c in range(len(cost[0])):
            if r and c:
                total[r][c] += min(total[r - 1][c], total[r][c - 1])
            elif r:
                total[r][c] += total[r - 1][c]
            elif c:
                total[r][c] += total[r][c - 1]
    return total[-1][-1], total


# call: coins_on_the_way([[1, 2], [3, 4]])
# call: coins_on_the_way([[0, 5, 1]])
# call: coins_on_the_way([[7]])
# call: coins_on_the_way([[1, 0, 2], [3, 1, 0], [0, 4, 2]])
# call: coins_on_the_way([[1, 1], [1, 1]])
# call: coins_on_the_way([[1, 2], [3, "4"]])
def coins_on_the_way(coins):
    """Most coins on a way right and down, with the way."""
    best = {}
    for r, row in enumerate(coins):
        for c, n in enumerate(row):
            got, way = 0, ""
            if c > 0:
                got, way = best[r, c - 1]
                way += "R"
            if r > 0 and (c == 0 or best[r - 1, c][0] > got):
                got, way = best[r - 1, c]
                way += "D"
            best[r, c] = (got + n, way)
    return best[len(coins) - 1, len(coins[-1]) - 1]


# call: ways_around([[0, 0], [0, 0]])
# call: ways_around([[0, 0, 0], [0, 1, 0]])
# call: ways_around([[0]])
# call: ways_around([[0, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 0]])
# call: ways_around([[0, 1], [1, 0]])
# call: ways_around([[1, 0]])
def ways_around(blocks):
    ways = [0] * (len(blocks[0]) + 1)
    ways[1] = 1
    for row in blocks:
        for c, stone in enumerate(row, start=1):
            ways[c] = 0 if stone else ways[c] + ways[c - 1]
    return ways[-1]


# call: all_ways(2, 2)
# call: all_ways(1, 3)
# call: all_ways(1, 1)
# call: all_ways(3, 3)
# call: all_ways(2, 3, "D")
# call: all_ways(0, 2)
def all_ways(rows, cols, way=""):
    """Words of D and R that lead to the last corner."""
    if rows < 1 or cols < 1:
        return []
    if rows == cols == 1:
        return [way]
    return all_ways(rows - 1, cols, way + "D") + all_ways(rows, cols - 1, way + "R")


# call: triangle_climb([[3], [5, 2], [1, 7, 8]])
# call: triangle_climb([[1], [2, 3]])
# call: triangle_climb([[8]])
# call: triangle_climb([[5], [9, 6], [4, 6, 8], [0, 7, 1, 5]])
# call: triangle_climb([[1], [-1, -2]])
# call: triangle_climb([])
def triangle_climb(triangle):
    row = triangle[-1][:]
    choices = []
    for above in reversed(triangle[:-1]):
        marks = ""
        for i, x in enumerate(above):
            if row[i] >= row[i + 1]:
                row[i] += x
                marks += "l"
            else:
                row[i] = row[i + 1] + x
                marks += "r"
        row.pop()
        choices.insert(0, marks)
    return row[0], choices


# call: SlidingTiles([[1, 2], [3, 0]]).slide("UL").report()
# call: SlidingTiles([[1, 0, 2]]).slide("R").report()
# call: SlidingTiles([[0]]).slide("UDLR").report()
# call: SlidingTiles([[1, 2, 3], [4, 0, 6], [7, 5, 8]]).slide("DRULLD").report()
# call: SlidingTiles([[1, 2], [0, 3]]).slide("R").report()
# call: SlidingTiles([[1, 2], [3, 4]]).slide("U").report()
class SlidingTiles:
    """The hole 0 moves; moves against the wall do nothing."""

    def __init__(self, grid):
        self.grid = grid
        self.moves = 0

    def hole(self):
        for r, row in enumerate(self.grid):
            if 0 in row:
                return r, row.index(0)
        raise LookupError("no hole")

    def slide(self, way):
        for letter in way:
            r, c = self.hole()
            y = r + (letter == "D") - (letter == "U")
            x = c + (letter == "R") - (letter == "L")
            if 0 <= y < len(self.grid) and 0 <= x < len(self.grid[0]):
                self.grid[r][c], self.grid[y][x] = self.grid[y][x], self.grid[r][c]
                self.moves += 1
        return self

    def report(self):
        flat = sum(self.grid, [])
        at_home = sum(1 for i, tile in enumerate(flat, 1) if tile == i)
        return self.grid, self.moves, at_home


# call: puzzle_solvable([[1, 2, 3], [4, 5, 6], [8, 7, 0]])
# call: puzzle_solvable([[1, 2], [3, 0]])
# call: puzzle_solvable([[0]])
# call: puzzle_solvable([[3, 1, 2], [0, 5, 4]])
# call: puzzle_solvable([[2, 1], [3, 0]])
# call: puzzle_solvable([[1, 2], [3, 4]])
def puzzle_solvable(grid):
    flat = [tile for row in grid for tile in row]
    crossings = 0
    for i, tile in enumerate(flat):
        for later in flat[i + 1 :]:
            if 0 < later < tile:
                crossings += 1
    if len(grid[0]) % 2 == 1:
        return crossings % 2 == 0
    from_below = len(grid) - flat.index(0) // len(grid[0])
    return (crossings + from_below) % 2 == 1


# call: drop_discs(2, 3, [0, 1, 0])
# call: drop_discs(2, 2, [1, 1, 0])
# call: drop_discs(1, 1, [])
# call: drop_discs(4, 4, [0, 1, 1, 2, 2, 3, 2, 3, 3, 0])
# call: drop_discs(1, 2, [0, 0, 1])
# call: drop_discs(2, 2, [2])
def drop_discs(rows, cols, moves):
    board = [["."] * cols for _ in range(rows)]
    player = 0
    rejected = []
    for number, c in enumerate(moves):
        r = rows - 1
        while r >= 0 and board[r][c] != ".":
            r -= 1
        if r < 0:
            rejected.append(number)
            continue
        board[r][c] = "rb"[player]
        player = 1 - player
    return ["".join(row) for row in board], rejected


# call: line_through(["..r", ".rb", "rbb"], 2, 0, 3)
# call: line_through(["bb"], 0, 0, 2)
# call: line_through(["x"], 0, 0, 1)
# call: line_through(["....", "rr.r", "brbr", "brbb"], 1, 1, 4)
# call: line_through(["r.", "br"], 0, 1, 2)
# call: line_through(["r"], 1, 0, 2)
def line_through(board, r, c, need):
    """Which ways through a disc hold enough discs of its colour in a row."""
    colour = board[r][c]
    if colour == ".":
        return []

    def reach(dr, dc):
        y, x, n = r + dr, c + dc, 0
        while 0 <= y < len(board) and 0 <= x < len(board[y]) and board[y][x] == colour:
            y, x, n = y + dr, x + dc, n + 1
        return n

    ways = {"-": (0, 1), "|": (1, 0), "\\": (1, 1), "/": (1, -1)}
    return [name for name, (dr, dc) in ways.items() if 1 + reach(dr, dc) + reach(-dr, -dc) >= need]


# call: shift_cells([[1, 2], [3, 4]], 1)
# call: shift_cells([[1, 2, 3]], 2)
# call: shift_cells([[5]], 7)
# call: shift_cells([[1, 2, 3], [4, 5, 6], [7, 8, 9]], 4)
# call: shift_cells([[1, 2], [3, 4]], -1)
# call: shift_cells([], 1)
def shift_cells(grid, k):
    """Every cell moves k places on; the last one of a row goes to the next row."""
    rows, cols = len(grid), len(grid[0])
    moved = [[None] * cols for _ in grid]
    for r in range(rows):
        for c in range(cols):
            place = (r * cols + c + k) % (rows * cols)
            moved[place // cols][place % cols] = grid[r][c]
    return moved


# call: lean(["abc", "def", "ghi"])
# call: lean(["ab", "cd"], 2)
# call: lean([])
# call: lean(["abcd", "efgh", "ijkl", "mnop"], 3)
# call: lean(["abc", "abc"], 0)
# call: lean(["ab", ""])
def lean(rows, by=1):
    """Row number r turns r * by places to the left."""
    for r in range(len(rows)):
        cut = r * by % len(rows[r])
        rows[r] = rows[r][cut:] + rows[r][:cut]
    return rows


# call: square_of_ones(["110", "111", "011"])
# call: square_of_ones(["10", "01"])
# call: square_of_ones([])
# call: square_of_ones(["1011", "1111", "0111", "0111"])
# call: square_of_ones(["000"])
# call: square_of_ones(["11", "1"])
def square_of_ones(rows):
    best = 0, None
    above = []
    for r, row in enumerate(rows):
        line = []
        for c, sign in enumerate(row):
            if sign != "1":
                line.append(0)
            elif r == 0 or c == 0:
                line.append(1)
            else:
                line.append(1 + min(line[c - 1], above[c], above[c - 1]))
            if line[-1] > best[0]:
                best = line[-1], (r, c)
        above = line
    return best


# call: block_sums([[1, 2, 3], [4, 5, 6]], 2)
# call: block_sums([[1, 2], [3, 4]], 1)
# call: block_sums([[5]], 2)
# call: block_sums([[1, 0, 2, 3], [4, 1, 0, 2], [3, 5, 1, 0]], 2)
# call: block_sums([[1, 2], [3, 4]], 2)
# call: block_sums([[1, 2], [3]], 2)
def block_sums(grid, k):
    sums = []
    r = 0
    while r + k <= len(grid):
        sums.append([])
        c = 0
        while c + k <= len(grid[r]):
            total = 0
            for y in range(r, r + k):
                for x in range(c, c + k):
                    total += grid[y][x]
            sums[-1].append(total)
            c += 1
        r += 1
    return sums


# call: Patchwork([[1, 2], [3, 4]]).area(0, 0, 1, 1)
# call: Patchwork([[5, 1, 2]]).area(0, 1, 0, 2)
# call: Patchwork([[7]]).area(0, 0, 0, 0)
# call: Patchwork([[1, 2, 3], [4, 5, 6], [7, 8, 9]]).area(1, 1, 2, 2)
# call: Patchwork([[1, 2], [3, 4]]).area(1, 0, 0, 1)
# call: Patchwork([[1, 2]]).area(0, 0, 1, 1)
class Patchwork:
    """Sums of all rectangles from the top left corner, once; then any rectangle from four of them."""

    def __init__(self, grid):
        self.corner = [[0] * (len(grid[0]) + 1)]
        for row in grid:
            line, so_far = [0], 0
            for c, x in enumerate(row):
                so_far += x
                line.append(so_far + self.corner[-1][c + 1])
            self.corner.append(line)

    def area(self, top, left, bottom, right):
        s = self.corner
        return s[bottom + 1][right + 1] - s[top][right + 1] - s[bottom + 1][left] + s[top][left]


# call: trace_word(["cat", "xxs"], "cats")
# call: trace_word(["ab", "dc"], "abcd")
# call: trace_word([], "a")
# call: trace_word(["sea", "tel", "ant"], "seal")
# call: trace_word(["aa"], "aaa")
# call: trace_word(["ab"], "")
def trace_word(rows, word):
    """A way over neighbouring cells that spells the word, no cell twice."""

    def follow(path):
        if len(path) == len(word):
            return path
        r, c = path[-1]
        for near in ((r, c + 1), (r + 1, c), (r, c - 1), (r - 1, c)):
            y, x = near
            if near in path or not (0 <= y < len(rows) and 0 <= x < len(rows[y])):
                continue
            if rows[y][x] == word[len(path)]:
                longer = follow(path + [near])
                if longer:
                    return longer
        return None

    for r, row in enumerate(rows):
        for c, letter in enumerate(row):
            if letter == word[0]:
                path = follow([(r, c)])
                if path:
                    return path
    return None


# call: straight_words(["cat", "oxo", "wed"], ["cow", "tax"])
# call: straight_words(["no"], ["on"])
# call: straight_words([], ["a"])
# call: straight_words(["tab", "oir", "nip"], ["ton", "rio", "pan"])
# call: straight_words(["a"], ["a", "b"])
# call: straight_words(["ab"], [5])
def straight_words(rows, words):
    """Reads rows and columns, both ways."""
    lines = {}
    for r, row in enumerate(rows):
        lines[f"row {r}"] = row
    for c in range(len(rows[0]) if rows else 0):
        lines[f"column {c}"] = "".join(row[c] for row in rows)
    found = {}
    for word in words:
        for name, line in lines.items():
            if word in line:
                found[word] = name
            elif word in line[::-1]:
                found[word] = name + " backwards"
    return found


# call: little_sudoku([[1, 2, 3, 4], [3, 4, 1, 2], [2, 1, 4, 3], [4, 3, 2, 1]])
# call: little_sudoku([[1, 1], [2, 0]])
# call: little_sudoku([[0]])
# call: little_sudoku([[1, 0, 0, 4], [0, 4, 1, 0], [2, 1, 0, 3], [4, 0, 2, 4]])
# call: little_sudoku([[0, 0], [0, 0]])
# call: little_sudoku([[1, 2, 3, 4], [3]])
def little_sudoku(grid):
    """Names the groups that hold a number twice; 0 is empty."""
    size = len(grid)
    box = int(size**0.5)
    seen = set()
    problems = []
    for r in range(size):
        for c in range(size):
            n = grid[r][c]
            if n == 0:
                continue
            for group in (("row", r), ("column", c), ("box", r // box * box + c // box)):
                if (group, n) in seen:
                    problems.append((*group, n))
                seen.add((group, n))
    return problems


# call: candidates_at([[1, 0], [0, 2]], 0, 1)
# call: candidates_at([[0, 0], [0, 0]], 1, 1)
# call: candidates_at([[0]], 0, 0)
# call: candidates_at([[1, 0, 3, 0], [0, 0, 0, 2], [4, 0, 0, 0], [0, 3, 0, 1]], 1, 1)
# call: candidates_at([[1, 2], [2, 1]], 0, 0)
# call: candidates_at([[0, 1]], 0, 0)
def candidates_at(latin, r, c):
    """What may stand in a cell of a square in which rows and columns hold no number twice."""
    if latin[r][c]:
        return []
    free = []
    for n in range(1, len(latin) + 1):
        ok = True
        i = 0
        while ok and i < len(latin):
            if latin[r][i] == n or latin[i][c] == n:
                ok = False
            i += 1
        if ok:
            free.append(n)
    return free


# call: burst_runs(["aab", "aac", "abc"])
# call: burst_runs(["aaa"])
# call: burst_runs([])
# call: burst_runs(["xyyy", "xzzy", "xzyy"])
# call: burst_runs(["ab", "ba"])
# call: burst_runs(["aaa", "a"])
def burst_runs(rows):
    """Blanks three equal letters in a row or a column, all at once."""
    doomed = set()
    for r in range(len(rows)):
        for c in range(len(rows[0])):
            for dr, dc in ((0, 1), (1, 0)):
                cells = [(r + k * dr, c + k * dc) for k in range(3)]
                y, x = cells[-1]
                if y < len(rows) and x < len(rows[0]):
                    if len({rows[i][j] for i, j in cells}) == 1:
                        doomed.update(cells)
    return ["".join(" " if (r, c) in doomed else s for c, s in enumerate(row)) for r, row in enumerate(rows)]


# call: cross_out([[1, 0], [2, 3]])
# call: cross_out([[1, 2, 3]])
# call: cross_out([])
# call: cross_out([[1, 2, 3, 4], [5, 0, 6, 7], [8, 9, 1, 0]])
# call: cross_out([[0, 0], [0, 0]])
# call: cross_out([[1, 2, 0], [3, 4]])
def cross_out(grid):
    """Every row and column with a zero becomes zero."""
    rows, cols = [], []
    for r in range(len(grid)):
        for c in range(len(grid[r])):
            if grid[r][c] == 0:
                rows.append(r)
                cols.append(c)
    for r in rows:
        grid[r] = [0] * len(grid[r])
    for c in cols:
        for row in grid:
            row[c] = 0
    return grid


# call: hilltops([[1, 2], [4, 3]])
# call: hilltops([[5, 1, 5]])
# call: hilltops([])
# call: hilltops([[3, 1, 4], [1, 2, 1], [6, 1, 5]])
# call: hilltops([[2, 2], [2, 2]])
# call: hilltops([[1, "a"]])
def hilltops(land):
    """Higher than all neighbours, diagonal ones too."""
    tops = []
    for r in range(len(land)):
        for c in range(len(land[r])):
            higher = True
            for y in range(r - 1, r + 2):
                for x in range(c - 1, c + 2):
                    if (y, x) == (r, c) or y < 0 or x < 0:
                        continue
                    if y < len(land) and x < len(land[y]) and land[y][x] >= land[r][c]:
                        higher = False
            if higher:
                tops.append((r, c, land[r][c]))
    return tops


# call: downhill([[1, 2], [4, 3]], 1, 0)
# call: downhill([[5, 1, 5]], 0, 0)
# call: downhill([[3]], 0, 0)
# call: downhill([[9, 8, 7], [2, 9, 6], [1, 4, 5]], 0, 0)
# call: downhill([[2, 2], [2, 2]], 1, 1)
# call: downhill([[1, 2]], 0, 2)
def downhill(land, r, c):
    """Follows the lowest neighbour as long as it is lower."""
    way = [land[r][c]]
    while True:
        lowest = None
        for y, x in ((r - 1, c), (r, c + 1), (r + 1, c), (r, c - 1)):
            if 0 <= y < len(land) and 0 <= x < len(land[0]):
                if lowest is None or land[y][x] < land[lowest[0]][lowest[1]]:
                    lowest = y, x
        if lowest is None or land[lowest[0]][lowest[1]] >= land[r][c]:
            return way, (r, c)
        r, c = lowest
        way.append(land[r][c])


# call: fullest_row(["0011", "0001", "0111"])
# call: fullest_row(["01"])
# call: fullest_row([])
# call: fullest_row(["00001", "00111", "00011", "01111"])
# call: fullest_row(["00", "00"])
# call: fullest_row(["01", "1"])
def fullest_row(rows):
    """Rows are zeros and then ones: one walk from the top right corner."""
    if not rows:
        return None
    best, c, looked = None, len(rows[0]) - 1, 0
    for r in range(len(rows)):
        while c >= 0 and rows[r][c] == "1":
            best = r
            c -= 1
            looked += 1
        looked += 1
    return best, len(rows[0]) - 1 - c, looked


# call: staircase_find([[1, 4, 7], [2, 5, 8]], 5)
# call: staircase_find([[1, 2], [3, 4]], 3)
# call: staircase_find([], 1)
# call: staircase_find([[1, 3, 6, 10], [2, 7, 9, 13], [4, 8, 12, 15]], 13)
# call: staircase_find([[1, 3], [2, 6]], 5)
# call: staircase_find([[1, 2], [3, 4]], "3")
def staircase_find(table, x):
    """Rows and columns ascend; starts at the bottom left."""
    r, c = len(table) - 1, 0
    path = []
    while r >= 0 and c < len(table[r]):
        here = table[r][c]
        path.append(here)
        if here == x:
            return (r, c), path
        if here > x:
            r -= 1
        else:
            c += 1
    return None, path


# call: press_lamps(["#.", ".#"], [(0, 0)])
# call: press_lamps(["..."], [(0, 1), (0, 2)])
# call: press_lamps(["."], [])
# call: press_lamps(["#.#", ".#.", "#.#"], [(1, 1), (0, 0), (2, 2)])
# call: press_lamps(["##", "##"], [(1, 1), (1, 1)])
# call: press_lamps(["."], [(1, 0)])
def press_lamps(rows, presses):
    """A press switches the lamp and its neighbours."""
    lamps = [[sign == "#" for sign in row] for row in rows]
    for r, c in presses:
        lamps[r][c] = not lamps[r][c]
        if r > 0:
            lamps[r - 1][c] = not lamps[r - 1][c]
        if c > 0:
            lamps[r][c - 1] = not lamps[r][c - 1]
        if r + 1 < len(lamps):
            lamps[r + 1][c] = not lamps[r + 1][c]
        if c + 1 < len(lamps[r]):
            lamps[r][c + 1] = not lamps[r][c + 1]
    on = sum(map(sum, lamps))
    return ["".join(".#"[lamp] for lamp in row) for row in lamps], on


# call: one_row_many_names(2, 3, [(0, 1, 5)])
# call: one_row_many_names(3, 2, [(2, 0, 1), (0, 0, 2)])
# call: one_row_many_names(0, 2, [])
# call: one_row_many_names(3, 3, [(0, 0, 1), (1, 1, 2), (2, 2, 3)])
# call: one_row_many_names(1, 1, [(0, 0, 9)])
# call: one_row_many_names(2, 2, [(0, 2, 1)])
def one_row_many_names(rows, cols, changes):
    """The first grid holds one row several times, the second has rows of its own."""
    shared = [[0] * cols] * rows
    own = [[0] * cols for _ in range(rows)]
    for r, c, value in changes:
        shared[r][c] += value
        own[r][c] += value
    return shared, own, shared == own


# call: rook_sees([".r.", "...", "p.."])
# call: rook_sees(["r.p"])
# call: rook_sees(["r"])
# call: rook_sees(["p..r", "....", ".p..", "...p"])
# call: rook_sees(["..", ".."])
# call: rook_sees(["r.", "."])
def rook_sees(board):
    sees = [list(row) for row in board]
    for r, row in enumerate(board):
        c = row.find("r")
        if c < 0:
            continue
        for dr, dc in ((-1, 0), (0, 1), (1, 0), (0, -1)):
            y, x = r + dr, c + dc
            while 0 <= y < len(board) and 0 <= x < len(row) and board[y][x] == ".":
                sees[y][x] = "+"
                y += dr
                x += dc
            if 0 <= y < len(board) and 0 <= x < len(row):
                sees[y][x] = "!"
    return ["".join(line) for line in sees]


# call: flip_discs(["...", "xo.", "..."], 1, 2, "x")
# call: flip_discs(["xoo."], 0, 3, "x")
# call: flip_discs(["."], 0, 0, "o")
# call: flip_discs(["x..x", ".oo.", "xo.."], 2, 2, "x")
# call: flip_discs([".o."], 0, 0, "x")
# call: flip_discs(["xo."], 0, 1, "x")
def flip_discs(board, row, col, mine):
    """One move of reversi."""
    grid = [list(line) for line in board]
    if grid[row][col] != ".":
        raise ValueError("taken")
    turned = 0
    for dr in (-1, 0, 1):
        for dc in (-1, 0, 1):
            line = []
            r, c = row + dr, col + dc
            while 0 <= r < len(grid) and 0 <= c < len(grid[0]) and grid[r][c] not in (".", mine):
                line.append((r, c))
                r += dr
                c += dc
            if line and 0 <= r < len(grid) and 0 <= c < len(grid[0]) and grid[r][c] == mine:
                for y, x in line:
                    grid[y][x] = mine
                turned += len(line)
    if turned:
        grid[row][col] = mine
    return ["".join(line) for line in grid], turned


# call: trim_to_content(["...", ".x.", "..."])
# call: trim_to_content(["xy"])
# call: trim_to_content([])
# call: trim_to_content([".....", "..a..", ".b.c.", "....."])
# call: trim_to_content(["..", ".."])
# call: trim_to_content([1, 2])
def trim_to_content(rows, blank="."):
    rows = list(rows)
    while rows and set(rows[0]) == {blank}:
        rows.pop(0)
    while rows and set(rows[-1]) == {blank}:
        rows.pop()
    if rows:
        left = min(len(row) - len(row.lstrip(blank)) for row in rows)
        right = max(len(row.rstrip(blank)) for row in rows)
        for i in range(len(rows)):
            rows[i] = rows[i][left:right]
    return rows


# call: stamp([[0, 0, 0], [0, 0, 0]], [[1, 2]], 1, 1)
# call: stamp([[1, 1], [1, 1]], [[5]], 0, 0)
# call: stamp([], [[1]], 0, 0)
# call: stamp([[0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]], [[1, 0], [2, 3]], 1, 2)
# call: stamp([[1, 1], [1, 1]], [[7, 8], [9, 6]], -1, 1)
# call: stamp([[1]], [2], 0, 0)
def stamp(grid, pattern, top, left):
    """Adds a pattern; what sticks out is lost."""
    lost = 0
    for i, row in enumerate(pattern):
        for j, value in enumerate(row):
            r, c = top + i, left + j
            if r in range(len(grid)) and c in range(len(grid[r])):
                grid[r][c] += value
            else:
                lost += value
    return grid, lost


# call: clear_below([[1, 2], [3, 4]])
# call: clear_below([[0, 2], [5, 1]])
# call: clear_below([[3]])
# call: clear_below([[2, 1, 3], [4, 1, 7], [1, 5, 2]])
# call: clear_below([[1, 2], [2, 4]])
# call: clear_below([[1, 2, 3], [4]])
def clear_below(m):
    """Whole-number elimination; rows are exchanged when the corner is 0."""
    swaps = 0
    for k in range(len(m)):
        pivot = k
        while pivot < len(m) and m[pivot][k] == 0:
            pivot += 1
        if pivot == len(m):
            continue
        if pivot != k:
            m[k], m[pivot] = m[pivot], m[k]
            swaps += 1
        for r in range(k + 1, len(m)):
            p, q = m[k][k], m[r][k]
            for c in range(k, len(m[r])):
                m[r][c] = p * m[r][c] - q * m[k][c]
    return m, swaps


# call: soften_grid([[9, 0], [0, 0]])
# call: soften_grid([[1, 2, 3]])
# call: soften_grid([[5]])
# call: soften_grid([[4, 8, 1], [2, 6, 3]])
# call: soften_grid([[0, 0], [0, 0]])
# call: soften_grid([[1, 2], [3]])
def soften_grid(grid):
    """Each cell becomes the whole mean of itself and the cells beside, above and below."""
    new = []
    for r, row in enumerate(grid):
        new.append([])
        for c in range(len(row)):
            around = [row[c]]
            if r > 0:
                around.append(grid[r - 1][c])
            if r < len(grid) - 1:
                around.append(grid[r + 1][c])
            around += row[c - 1 : c] if c else []
            around += row[c + 1 : c + 2]
            new[r].append(sum(around) // len(around))
    return new


# call: corner_frames(["xx", "xx"])
# call: corner_frames(["x.x", "x.x"])
# call: corner_frames([])
# call: corner_frames(["xx.x", ".x.x", "xx.x"])
# call: corner_frames(["x"])
# call: corner_frames(["xx", "x"])
def corner_frames(rows):
    """Rectangles whose four corners are crosses."""
    frames = []
    for top in range(len(rows)):
        for bottom in range(top + 1, len(rows)):
            both = []
            for c in range(len(rows[0])):
                if rows[top][c] == "x" == rows[bottom][c]:
                    for left in both:
                        frames.append((top, left, bottom, c))
                    both.append(c)
    return frames


# call: shoot(["ss.", "..t"], ["A1", "B3", "A3"])
# call: shoot(["s"], ["A1", "A1"])
# call: shoot(["..", ".."], [])
# call: shoot(["ss..", "...t", "u..t"], ["A1", "B4", "C4", "C1", "B2"])
# call: shoot(["s."], ["A2"])
# call: shoot(["s."], ["B1"])
def shoot(sea, shots):
    parts = {}
    for r, row in enumerate(sea):
        for c, sign in enumerate(row):
            if sign != ".":
                parts.setdefault(sign, []).append("ABCDE"[r] + str(c + 1))
    answers = []
    for shot in shots:
        sign = sea["ABCDE".index(shot[0])][int(shot[1:]) - 1]
        if sign == "." or shot not in parts[sign]:
            answers.append("miss")
            continue
        parts[sign].remove(shot)
        answers.append("hit" if parts[sign] else "sunk " + sign)
    return answers


# call: billiard(3, 4, 5)
# call: billiard(2, 2, 4)
# call: billiard(1, 1, 3)
# call: billiard(4, 5, 9)
# call: billiard(2, 3, 0)
# call: billiard(0, 2, 1)
def billiard(rows, cols, steps):
    """Starts in a corner and bounces; writes the last step number in each cell."""
    table = [["."] * cols for _ in range(rows)]
    r = c = 0
    dr = dc = 1
    table[0][0] = "0"
    for step in range(1, steps + 1):
        if not 0 <= r + dr < rows:
            dr = -dr
        if not 0 <= c + dc < cols:
            dc = -dc
        if rows > 1:
            r += dr
        if cols > 1:
            c += dc
        table[r][c] = str(step)
    return ["".join(row) for row in table]


# call: hourglasses([[1, 1, 1], [0, 1, 0], [1, 1, 1]])
# call: hourglasses([[1, 2], [3, 4]])
# call: hourglasses([])
# call: hourglasses([[1, 2, 3, 0], [4, 5, 6, 1], [7, 8, 9, 2]])
# call: hourglasses([[0, 0, 0], [0, 9, 0], [0, 0, 0]])
# call: hourglasses([[1, 2, 3], [4], [5, 6, 7]])
def hourglasses(grid):
    """Two rows of three with one cell between them."""
    sums = {}
    for r in range(1, len(grid) - 1):
        for c in range(1, len(grid[0]) - 1):
            glass = sum(grid[r - 1][c - 1 : c + 2]) + grid[r][c] + sum(grid[r + 1][c - 1 : c + 2])
            sums[r, c] = glass
    best = max(sums, key=sums.get, default=None)
    return sums, best


# call: raise_roofs([[1, 2], [3, 1]])
# call: raise_roofs([[4, 0, 1]])
# call: raise_roofs([])
# call: raise_roofs([[3, 0, 5], [2, 6, 1], [4, 4, 0]])
# call: raise_roofs([[2, 2], [2, 2]])
# call: raise_roofs([[1, 2], [3]])
def raise_roofs(city):
    """As high as the views along rows and columns allow."""
    if not city:
        return [], 0
    side = [max(row) for row in city]
    front = []
    for c in range(len(city[0])):
        front.append(max(row[c] for row in city))
    added = 0
    for r in range(len(city)):
        for c in range(len(city[r])):
            roof = min(side[r], front[c])
            added += roof - city[r][c]
            city[r][c] = roof
    return city, added


# call: refill([[1, 2, 3], [4, 5, 6]], 3)
# call: refill([[1, 2], [3, 4]], 4)
# call: refill([], 2)
# call: refill([[1, 2, 3], [4, 5], [6, 7, 8, 9]], 4)
# call: refill([[1, 2, 3]], 2)
# call: refill([[1]], 0)
def refill(grid, width):
    """The same cells in rows of another width; the last row may be short."""
    result = []
    for row in grid:
        for cell in row:
            if not result or len(result[-1]) == width:
                result.append([])
            result[-1].append(cell)
    return result, len(result[-1]) == width if result else True


# call: two_rows_change([[1, 2], [3, 4]], "rows", 0, 1)
# call: two_rows_change([[1, 2, 3]], "columns", 0, 2)
# call: two_rows_change([[1]], "rows", 0, 0)
# call: two_rows_change([[1, 2, 3], [4, 5, 6], [7, 8, 9]], "columns", 1, -1)
# call: two_rows_change([[1, 2], [3, 4]], "copy", 0, 1)
# call: two_rows_change([[1, 2]], "rows", 0, 1)
def two_rows_change(grid, what, i, j):
    """The names first and whole keep what they were bound to."""
    first, whole = grid[0], grid
    match what:
        case "rows":
            whole[i], whole[j] = whole[j], whole[i]
            first[0] *= 10
        case "columns":
            for line in whole:
                line[i], line[j] = line[j], line[i]
        case _:
            grid = [line.copy() for line in whole]
            grid[i][j] = first[j] + 100
    return {"grid": grid, "whole": whole, "first": first}


# call: knight_reaches(3, 3, 0, 0)
# call: knight_reaches(3, 4, 1, 1)
# call: knight_reaches(1, 1, 0, 0)
# call: knight_reaches(4, 5, 2, 2)
# call: knight_reaches(2, 2, 0, 1)
# call: knight_reaches(2, 3, 5, None)
def knight_reaches(rows, cols, r, c):
    """Draws the board: K for the knight, x for each cell one jump away."""
    board = []
    for y in range(rows):
        line = ""
        for x in range(cols):
            down, right = abs(y - r), abs(x - c)
            line += "K" if down == right == 0 else "x" if {down, right} == {1, 2} else "."
        board.append(line)
    return board, "".join(board).count("x")


# call: shift_border_values([[1, 2], [3, 4]], {1: 9})
# call: shift_border_values([[5, 5], [5, 6]], {5: 0, 6: 5})
# call: shift_border_values([], {1: 2})
# call: shift_border_values([[1, 2, 3], [2, 3, 1], [3, 1, 2]], {1: 2, 2: 3, 3: 1})
# call: shift_border_values([[1, 2]], {})
# call: shift_border_values([[1, [2]]], {1: 3})
def shift_border_values(grid, new):
    """Exchanges values on the edge of a grid, and counts each exchange."""
    used = dict.fromkeys(new, 0)
    for r, row in enumerate(grid):
        inner = 0 < r < len(grid) - 1
        for c in range(len(row)):
            if inner and 0 < c < len(row) - 1:
                continue
            if row[c] in new:
                used[row[c]] += 1
                row[c] = new[row[c]]
    return grid, used
