# call: walk_robot("..#..", "RRLR")
# call: walk_robot("...", "RR")
# call: walk_robot("", "")
# call: walk_robot("......#...", "RRRRRRRLLRRLLLLLL")
# call: walk_robot(".#", "R")
# call: walk_robot("...", "RUR")
def walk_robot(row, moves):
    at, bumps = 0, 0
    for move in moves:
        step = {"R": 1, "L": -1}[move]
        if 0 <= at + step < len(row) and row[at + step] == ".":
            at += step
        else:
            bumps += 1
    return at, bumps


# call: count_neighbours(["#..", ".#.", "..#"], 1, 1)
# call: count_neighbours(["##", "##"], 0, 0)
# call: count_neighbours(["."], 0, 0)
# call: count_neighbours(["#.#.#", ".###.", "##.##", ".###.", "#.#.#"], 2, 2)
# call: count_neighbours(["#.", ".#"], 5, 5)
# call: count_neighbours(["#.", ".#"], 0, "1")
def count_neighbours(grid, r, c):
    n = 0
    for dr in (-1, 0, 1):
        for dc in (-1, 0, 1):
            if dr == dc == 0:
                continue
            y, x = r + dr, c + dc
            if 0 <= y < len(grid) and 0 <= x < len(grid[y]) and grid[y][x] == "#":
                n += 1
    return n


# call: seen_from(["..#", "...", "#.."], (1, 1))
# call: seen_from(["....#"], (0, 0))
# call: seen_from(["."], (0, 0))
# call: seen_from([".....", ".....", ".....", "..#..", "....."], (2, 2))
# call: seen_from(["###", "#.#", "###"], (1, 1))
# call: seen_from(["..."], (0,))
def seen_from(grid, spot):
    """How many free cells are seen to the north, east, south and west."""
    counts = []
    for dr, dc in [(-1, 0), (0, 1), (1, 0), (0, -1)]:
        r, c = spot
        seen = 0
        while True:
            r, c = r + dr, c + dc
            if not (0 <= r < len(grid) and 0 <= c < len(grid[0])) or grid[r][c] == "#":
                break
            seen += 1
        counts.append(seen)
    return counts


# call: spill(["..#", ".#."], (0, 0), 2)
# call: spill(["...", "..."], (1, 1), 9)
# call: spill(["."], (0, 0), 0)
# call: spill(["...#", "##..", "...."], (0, 0), 4)
# call: spill(["#."], (0, 0), 3)
# call: spill(["..."], (0, 9), 3)
def spill(rows, start, buckets):
    """Water runs down where it can, else to both sides; each cell takes one bucket."""
    wet, waiting = [], [start]
    while waiting and len(wet) < buckets:
        r, c = waiting.pop(0)
        if (r, c) in wet or rows[r][c] == "#":
            continue
        wet.append((r, c))
        if r + 1 < len(rows) and rows[r + 1][c] == ".":
            waiting.insert(0, (r + 1, c))
        else:
            waiting += [(r, x) for x in (c - 1, c + 1) if 0 <= x < len(rows[r])]
    return wet, buckets - len(wet)


# call: turn_and_go("F2 R F1")
# call: turn_and_go("L F3")
# call: turn_and_go("")
# call: turn_and_go("F10 R F5 R F3 L F2 L B4 R R F1")
# call: turn_and_go("R R R R")
# call: turn_and_go("F2 X")
def turn_and_go(orders):
    x = y = 0
    dx, dy = 0, 1
    for order in orders.split():
        match order[0], order[1:]:
            case "L", "":
                dx, dy = -dy, dx
            case "R", "":
                dx, dy = dy, -dx
            case ("F" | "B") as way, n:
                n = int(n) if way == "F" else -int(n)
                x, y = x + n * dx, y + n * dy
            case _:
                raise ValueError(order)
    return x, y, {(0, 1): "N", (1, 0): "E", (0, -1): "S", (-1, 0): "W"}[dx, dy]


# call: find_all(["a.b", ".a."], "a")
# call: find_all(["xyz"], "z")
# call: find_all([], "a")
# call: find_all(["S..E", ".SS.", "E..S", "...."], "S")
# call: find_all(["aa"], "q")
# call: find_all(["aa", None], "a")
def find_all(grid, sign):
    return {(r, c) for r, line in enumerate(grid) for c, ch in enumerate(line) if ch == sign}


# call: dig(["###", "###"], [(0, 1), (1, 1)])
# call: dig(["##"], [(0, 0), (0, 0)])
# call: dig([], [])
# call: dig(["#####", "#####", "#####"], [(1, 0), (1, 1), (1, 2), (0, 2), (2, 2), (1, 2), (2, 3)])
# call: dig(["#"], [(0, -1)])
# call: dig(["#"], [(1, 0)])
def dig(rows, holes):
    cave = [list(row) for row in rows]
    twice = []
    for r, c in holes:
        if cave[r][c] == " ":
            twice.append((r, c))
        cave[r][c] = " "
    return ["".join(row) for row in cave], twice


# call: open_doors("|..|.|")
# call: open_doors("|")
# call: open_doors("")
# call: open_doors("..|..|||...|.|..")
# call: open_doors("...")
# call: open_doors(["|", "."])
def open_doors(hall):
    rooms = hall.split("|")
    sizes = [len(room) for room in rooms]
    widest = max(range(len(rooms)), key=lambda i: (sizes[i], i))
    return sizes, widest


# call: slide((0, 0), "E", ["...#"])
# call: slide((1, 1), "N", ["...", "...", "..."])
# call: slide((0, 0), "W", ["."])
# call: slide((3, 0), "N", ["#....", ".....", ".....", "....."])
# call: slide((0, 2), "E", ["..."])
# call: slide((0, 0), "U", ["."])
STEPS = {"N": (-1, 0), "E": (0, 1), "S": (1, 0), "W": (0, -1)}


def slide(ball, way, ice):
    dr, dc = STEPS[way]
    r, c = ball
    path = [ball]
    while 0 <= r + dr < len(ice) and 0 <= c + dc < len(ice[r]) and ice[r + dr][c + dc] != "#":
        r, c = r + dr, c + dc
        path.append((r, c))
    return path[-1], len(path) - 1


# call: row_walls(["#.#", "...", "###"])
# call: row_walls(["##"])
# call: row_walls([])
# call: row_walls(["..##..", "######", ".#.#.#", "......", "#....#"])
# call: row_walls([""])
# call: row_walls(["#", 3])
def row_walls(maze):
    full, free = [], []
    for number, row in enumerate(maze):
        if set(row) <= {"#"}:
            full.append(number)
        elif "#" not in row:
            free.append(number)
    return full, free


# call: turtle_box("RRUU")
# call: turtle_box("L")
# call: turtle_box("")
# call: turtle_box("RRRUULDDDDLLLLLURRR")
# call: turtle_box("RLRL")
# call: turtle_box("RX")
def turtle_box(path):
    x = y = left = right = top = bottom = 0
    for step in path:
        if step == "R": x += 1
        elif step == "L": x -= 1
        elif step == "U": y += 1
        elif step == "D": y -= 1
        else: raise KeyError(step)
        left, right = min(left, x), max(right, x)
        bottom, top = min(bottom, y), max(top, y)
    return (right - left + 1, top - bottom + 1), (x, y)


# call: Ant(3).march(4)
# call: Ant(1).march(2)
# call: Ant(2).march(0)
# call: Ant(4).march(11)
# call: Ant(3, "N").march(3)
# call: Ant(0).march(1)
class Ant:
    """Turns right on a clean square and left on a dirty one; every square changes."""

    WAYS = "NESW"

    def __init__(self, size, way="E"):
        self.floor = [[0] * size for _ in range(size)]
        self.r = self.c = 0
        self.way = self.WAYS.index(way)

    def march(self, steps):
        size = len(self.floor)
        for _ in range(steps):
            dirty = self.floor[self.r][self.c]
            self.floor[self.r][self.c] ^= 1
            self.way = (self.way + (-1 if dirty else 1)) % 4
            dr, dc = [(-1, 0), (0, 1), (1, 0), (0, -1)][self.way]
            self.r, self.c = (self.r + dr) % size, (self.c + dc) % size
        return self.r, self.c, self.WAYS[self.way], self.floor


# call: shadow([3, 1, 2])
# call: shadow([1, 2, 3])
# call: shadow([])
# call: shadow([4, 0, 3, 9, 5, 5, 8, 1, 10, 2])
# call: shadow([2, 2])
# call: shadow([1, "2"])
def shadow(heights):
    """The sun is low on the left; '=' is lit, '.' lies in shadow."""
    lit, highest = "", 0
    for h in heights:
        lit += "=" if h > highest else "."
        highest = max(highest, h)
    return lit


# call: wall_gaps(["#.#", "###"])
# call: wall_gaps([".#."])
# call: wall_gaps([])
# call: wall_gaps(["#..#", "####", "##.#", "...."])
# call: wall_gaps(["", "#"])
# call: wall_gaps([1, 2])
def wall_gaps(rows):
    """Walls that run from west to east, with where one could slip through."""
    notes = []
    for depth, row in enumerate(rows, start=1):
        gap = row.find(".")
        if gap < 0:
            notes.append(f"{depth}: shut")
        elif row.rfind(".") == gap:
            notes.append(f"{depth}: only {gap}")
        else:
            notes.append(f"{depth}: {gap} to {row.rfind('.')}")
    return notes


# call: dead_ends(["#.#", "...", "#.#"])
# call: dead_ends(["..", ".."])
# call: dead_ends(["."])
# call: dead_ends([".#...", ".#.#.", "...#."])
# call: dead_ends(["#"])
# call: dead_ends([["."], 1])
def dead_ends(maze):
    free = {(r, c) for r, row in enumerate(maze) for c, ch in enumerate(row) if ch == "."}

    def ways(cell):
        r, c = cell
        return sum(near in free for near in ((r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)))

    return sorted(cell for cell in free if ways(cell) < 2)


# call: keys_and_doors("k.D")
# call: keys_and_doors("D..k")
# call: keys_and_doors("")
# call: keys_and_doors("..k.k.D..k.D.D.D..")
# call: keys_and_doors("kkk")
# call: keys_and_doors("k.?D")
def keys_and_doors(corridor):
    keys = 0
    for place, thing in enumerate(corridor):
        if thing == "k":
            keys += 1
        elif thing == "D":
            if not keys:
                return f"stopped at {place}"
            keys -= 1
        elif thing != ".":
            raise ValueError(f"what is {thing!r}?")
    return f"through with {keys}"


# call: add_border(["ab", "cd"])
# call: add_border(["x"])
# call: add_border([])
# call: add_border(["#..#", "....", "abcd"], "*")
# call: add_border(["ab", "c"])
# call: add_border([5])
def add_border(rows, sign="+"):
    width = max(map(len, rows), default=0)
    edge = sign * (width + 2)
    return [edge] + [sign + row.ljust(width) + sign for row in rows] + [edge]


# call: warp("a..a.")
# call: warp("..b.b")
# call: warp("")
# call: warp(".a.b..a.c.b...c.")
# call: warp("a.")
# call: warp(["a", "a"])
def warp(track):
    """Steps from the left end to the right; a letter throws to its last twin."""
    at, steps, jumps = 0, 0, []
    while at < len(track):
        tile = track[at]
        if tile != "." and track.rindex(tile) > at:
            jumps.append(tile)
            at = track.rindex(tile)
        at += 1
        steps += 1
    return steps, jumps


# call: manhattan_ring((2, 2), 1)
# call: manhattan_ring((0, 0), 2)
# call: manhattan_ring((0, 0), 0)
# call: manhattan_ring((3, 1), 3, size=5)
# call: manhattan_ring((9, 9), 1)
# call: manhattan_ring((1, "1"), 1)
def manhattan_ring(centre, radius, size=4):
    y0, x0 = centre
    return [
        (y, x)
        for y in range(size)
        for x in range(size)
        if abs(y - y0) + abs(x - x0) == radius
    ]


# call: blast(["..o", ".*.", "o.."])
# call: blast(["*o"])
# call: blast(["o"])
# call: blast(["o.o.o", ".....", "o.*oo", "..o..", "o.o.*"])
# call: blast([])
# call: blast(["*", ""])
def blast(field):
    """Bombs '*' clear the stones in their row and column."""
    rows = {r for r, line in enumerate(field) if "*" in line}
    cols = {line.find("*") for line in field} - {-1}
    after = []
    for r, line in enumerate(field):
        kept = ["." if ch == "o" and (r in rows or c in cols) else ch for c, ch in enumerate(line)]
        after.append("".join(kept))
    lost = sum(line.count("o") for line in field) - sum(line.count("o") for line in after)
    return after, lost


# call: rain_step(["o..", "...", "#.."])
# call: rain_step(["oo", "#."])
# call: rain_step(["o"])
# call: rain_step(["o.o.", ".o..", "#.o.", "..#o"])
# call: rain_step([])
# call: rain_step(["o", ""])
def rain_step(sky):
    height = len(sky)
    world = [list(row) for row in sky]
    for r in range(height - 2, -1, -1):
        for c in range(len(world[r])):
            if world[r][c] == "o" and world[r + 1][c] == ".":
                world[r][c], world[r + 1][c] = ".", "o"
    return ["".join(row) for row in world]


# call: word_at(["cat", "oxo"], 0, 0, (0, 1))
# call: word_at(["cat", "oxo"], 0, 1, (1, 0))
# call: word_at(["a"], 0, 0, (1, 1))
# call: word_at(["abcde", "fghij", "klmno", "pqrst", "uvwxy"], 0, 0, (1, 1))
# call: word_at(["abc", "def"], 1, 2, (-1, -1))
# call: word_at(["ab"], 0, 5, (0, 1))
def word_at(letters, r, c, direction):
    word = letters[r][c]
    while True:
        r += direction[0]
        c += direction[1]
        if r < 0 or c < 0:
            return word
        try:
            word += letters[r][c]
        except IndexError:
            return word + "|"


# call: patrol(["..", ".."], 5)
# call: patrol(["....", "...."], 7)
# call: patrol(["."], 3)
# call: patrol(["...", "...", "..."], 18)
# call: patrol(["..."], 0)
# call: patrol([], 1)
def patrol(field, steps):
    """A guard walks along the wall and turns right in the corners."""
    h, w = len(field), len(field[0])
    r = c = side = 0
    ways = [(0, 1), (1, 0), (0, -1), (-1, 0)]
    corners = 0
    for _ in range(steps):
        for _ in ways:
            dr, dc = ways[side % 4]
            if 0 <= r + dr < h and 0 <= c + dc < w:
                r, c = r + dr, c + dc
                break
            side += 1
            corners += 1
    return (r, c), corners


# call: treasure({"hall": ["cave", "attic"], "cave": ["gold"]}, "hall")
# call: treasure({"a": ["b"]}, "a")
# call: treasure({}, "gold")
# call: treasure({"in": ["left", "right"], "left": ["pit"], "right": ["up", "down"], "down": ["gold"], "up": []}, "in")
# call: treasure({"a": ["b"], "b": ["a", "gold"]}, "a")
# call: treasure({"a": [["b"]]}, "a")
def treasure(rooms, here, been=()):
    if here == "gold":
        return [here]
    if here in been:
        return None
    for door in rooms.get(here, []):
        way = treasure(rooms, door, (*been, here))
        if way:
            return [here] + way
    return None


# call: ice_sides(["###", "###", "###"])
# call: ice_sides(["##", "#."])
# call: ice_sides(["."])
# call: ice_sides(["#####", "#####", "##.##", "#####"])
# call: ice_sides([])
# call: ice_sides(["#", ""])
def ice_sides(ice):
    """A block melts if two or more of its sides touch no other block."""
    solid = {(r, c) for r, row in enumerate(ice) for c in range(len(ice[0])) if row[c] == "#"}
    gone = set()
    for r, c in solid:
        sides = {(r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1)}
        if len(sides - solid) >= 2:
            gone.add((r, c))
    return sorted(gone), len(solid - gone)


# call: level_rows(["..S", "#.#"], "SLR")
# call: level_rows(["S"], "")
# call: level_rows(["S..", "...", "..."], "DDRRU")
# call: level_rows(["#####", "#S..#", "#.#.#", "#...#", "#####"], "RRRDDLLUUR")
# call: level_rows(["S#"], "R")
# call: level_rows(["..."], "R")
def level_rows(maze, moves):
    at = next(complex(row.index("S"), y) for y, row in enumerate(maze) if "S" in row)
    ways = {"R": 1, "L": -1, "U": -1j, "D": 1j}
    trail = [at]
    for move in moves:
        to = at + ways.get(move, 0)
        x, y = int(to.real), int(to.imag)
        if 0 <= y < len(maze) and 0 <= x < len(maze[y]) and maze[y][x] != "#":
            at = to
            trail.append(at)
    return [(int(p.real), int(p.imag)) for p in trail]


# call: reflect("..S..", 4)
# call: reflect("S.", 3)
# call: reflect("S", 0)
# call: reflect(".......S..", 25)
# call: reflect("..S", 1)
# call: reflect("...", 2)
def reflect(tube, ticks):
    at = tube.index("S")
    speed = 1
    hits = 0
    for _ in range(ticks):
        if not 0 <= at + speed < len(tube):
            speed, hits = -speed, hits + 1
            if len(tube) == 1:
                break
        at += speed
    return at, hits


# call: map_legend(["TT~", "..T"])
# call: map_legend(["~~~"])
# call: map_legend([])
# call: map_legend(["T.~~.", "TT..?", "~~~~T", "A.A.A"])
# call: map_legend(["", " "])
# call: map_legend(["T", 5])
from collections import Counter

LEGEND = {"T": "tree", "~": "water", ".": "grass"}


def map_legend(rows):
    counts = Counter()
    for row in rows:
        counts.update(row)
    strange = "".join(sorted(ch for ch in counts if ch not in LEGEND))
    named = {LEGEND[ch]: n for ch, n in counts.most_common() if ch in LEGEND}
    return named, strange


# call: frontier({(0, 0)}, 2)
# call: frontier({(0, 0), (2, 2)}, 3)
# call: frontier(set(), 2)
# call: frontier({(1, 1), (1, 2), (2, 1), (3, 3)}, 4)
# call: frontier({(0, 0), (0, 1), (1, 0), (1, 1)}, 2)
# call: frontier({(0, "0")}, 2)
def frontier(taken, size):
    near = {
        (r + dr, c + dc)
        for r, c in taken
        for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0))
    }
    near = {(r, c) for r, c in near if 0 <= r < size and 0 <= c < size}
    return sorted(near - taken), len(near & taken)


# call: stepping_stones("o.o..o", 2)
# call: stepping_stones("oooo", 1)
# call: stepping_stones("", 3)
# call: stepping_stones("o..o...o.o.oo....o", 4)
# call: stepping_stones("o...o", 3)
# call: stepping_stones("o.o", None)
def stepping_stones(river, reach):
    """Always the farthest stone in reach."""
    at, hops = -1, []
    while at + reach < len(river):
        span = river[at + 1:at + 1 + reach]
        stone = span.rfind("o")
        if stone < 0:
            hops.append("splash")
            break
        at += stone + 1
        hops.append(at)
    return hops


# call: NoughtBoard(3).play(["a1", "b2", "a2"])
# call: NoughtBoard(2).play(["a1", "a1"])
# call: NoughtBoard(1).play([])
# call: NoughtBoard(4).play(["a1", "b1", "a2", "b2", "a3", "d4", "c1", "d1", "d2"])
# call: NoughtBoard(2).play(["c1"])
# call: NoughtBoard(3).play(["a0", "11"])
class NoughtBoard:
    def __init__(self, size):
        self.size = size
        self.cells = {}

    def play(self, moves):
        for turn, move in enumerate(moves):
            column, row = ord(move[0]) - ord("a"), int(move[1:]) - 1
            if not (0 <= column < self.size and 0 <= row < self.size):
                raise IndexError(move)
            if (column, row) in self.cells:
                return f"{move} is taken", str(self)
            self.cells[column, row] = "xo"[turn % 2]
        return len(self.cells), str(self)

    def __str__(self):
        rows = range(self.size)
        return "/".join("".join(self.cells.get((c, r), "-") for c in rows) for r in rows)


# call: watch_tower([[1, 2], [3, 1]])
# call: watch_tower([[5]])
# call: watch_tower([])
# call: watch_tower([[3, 0, 3, 7], [2, 5, 5, 1], [6, 5, 3, 3]])
# call: watch_tower([[1, 1, 1]])
# call: watch_tower([[1, None]])
def watch_tower(heights):
    """Cells from which the west edge is seen: higher than all to their left."""
    seen = []
    for r, row in enumerate(heights):
        seen += [(r, c) for c, h in enumerate(row) if all(h > left for left in row[:c])]
    return seen


# call: shift_map(["ab", "cd"], "E")
# call: shift_map(["abc"], "WW")
# call: shift_map(["x"], "")
# call: shift_map(["##..", ".#..", "...."], "NEES")
# call: shift_map(["ab", "cd"], "NSEW")
# call: shift_map(["ab", "cd"], "U")
def shift_map(rows, pushes):
    for push in pushes:
        if push == "N":
            rows = rows[1:] + rows[:1]
        elif push == "S":
            rows = [rows[-1], *rows[:-1]]
        elif push in "EW":
            k = -1 if push == "E" else 1
            rows = [row[k:] + row[:k] for row in rows]
        else:
            raise ValueError(f"push {push}?")
    return "|".join(rows)


# call: toll_path([[1, 9], [2, 3]], "DR")
# call: toll_path([[4, 5]], "R")
# call: toll_path([[7]], "")
# call: toll_path([[1, 2, 3, 4], [5, 6, 7, 8], [9, 8, 7, 6]], "RDRDRULLL")
# call: toll_path([[1, 2]], "L")
# call: toll_path([[1, 2]], "RR")
def toll_path(tolls, moves):
    r = c = 0
    paid = {(0, 0): tolls[0][0]}
    for m in moves:
        r += (m == "D") - (m == "U")
        c += (m == "R") - (m == "L")
        paid.setdefault((r, c), tolls[r][c])
    return sum(paid.values()), len(paid), (r, c)


# call: coast_words(["#.#", "##.", "..#"])
# call: coast_words(["..."])
# call: coast_words(["#"])
# call: coast_words(["##..#", "....#", "#.#..", "#.##."])
# call: coast_words([])
# call: coast_words(["#", 5])
def coast_words(chart):
    """Reads each line as lengths of land and sea: L2S1."""
    words = []
    for line in chart:
        word, run, last = "", 0, None
        for cell in [*line, None]:
            if last is not None and cell != last:
                word += ("L" if last == "#" else "S") + str(run)
                run = 0
            run += 1
            last = cell
        words.append(word)
    return words


# call: compass("N", "RRL")
# call: compass("W", "R")
# call: compass("S", "")
# call: compass("E", "LLLRRBRLBBL")
# call: compass("N", "RRRR")
# call: compass("X", "R")
def compass(facing, turns):
    points = "NESW"
    log = facing
    for turn in turns:
        shift = {"R": 1, "L": -1, "B": 2}[turn]
        facing = points[(points.index(facing) + shift) % len(points)]
        log += facing
    return log, "".join(sorted(set(points) - set(log)))


# call: parking_spots([".x.", "..x"], 2)
# call: parking_spots(["x"], 1)
# call: parking_spots([], 1)
# call: parking_spots(["x..x....", ".xx.xx.x", "........"], 4)
# call: parking_spots(["..."], 0)
# call: parking_spots(["..", None], 3)
def parking_spots(rows, length):
    spots = []
    for r, row in enumerate(rows):
        c = row.find("." * length)
        while c != -1:
            spots.append((r, c))
            c = row.find("." * length, c + length + 1)
    return spots


# call: mirror_match(["#..#", ".##."])
# call: mirror_match(["#."])
# call: mirror_match([])
# call: mirror_match(["#.#.#", "##.##", "#...#", "..#.#", "....."])
# call: mirror_match([""])
# call: mirror_match([12])
def mirror_match(tiles):
    odd = [r for r, row in enumerate(tiles) if any(a != b for a, b in zip(row, reversed(row)))]
    return f"{len(tiles) - len(odd)} of {len(tiles)}", odd


# call: sound(3, (0, 0))
# call: sound(2, (1, 1), 5)
# call: sound(1, (0, 0), 0)
# call: sound(5, (2, 3), 6)
# call: sound(3, (5, 5))
# call: sound(2, (0, None))
def sound(size, source, loud=3):
    """Loudness drops by one with each step, diagonal steps too."""
    y0, x0 = source
    lines = []
    for y in range(size):
        line = ""
        for x in range(size):
            line += str(max(0, loud - max(abs(y - y0), abs(x - x0))))
        lines.append(line)
    return lines


# call: gather("a.b\n.c.", ">>v<")
# call: gather("ab", ">")
# call: gather("", "")
# call: gather("a..d\n.bc.\ne..f", ">v>>^<vv<<<")
# call: gather("ab", "<")
# call: gather("ab\n.c", "?")
def gather(text, arrows):
    level = text.splitlines()
    pos, bag = [0, 0], ""
    for arrow in " " + arrows:
        i, d = {" ": (0, 0), ">": (1, 1), "<": (1, -1), "^": (0, -1), "v": (0, 1)}[arrow]
        pos[i] += d
        if level and level[pos[0]][pos[1]].isalpha() and level[pos[0]][pos[1]] not in bag:
            bag += level[pos[0]][pos[1]]
    return bag, tuple(pos)


# call: edge_cells(3, 4)
# call: edge_cells(1, 2)
# call: edge_cells(0, 0)
# call: edge_cells(5, 5)
# call: edge_cells(2, 1)
# call: edge_cells(3, "4")
def edge_cells(h, w):
    top = [(0, c) for c in range(w)]
    right = [(r, w - 1) for r in range(1, h)]
    bottom = [(h - 1, c) for c in range(w - 2, -1, -1)]
    left = [(r, 0) for r in range(h - 2, 0, -1)]
    ring = top + right + bottom + left
    return len(ring), len(set(ring)), ring[-1] if ring else None


# call: fog(["abc", "def", "ghi"], [(1, 1)])
# call: fog(["ab"], [(0, 0)])
# call: fog([], [])
# call: fog(["abcde", "fghij", "klmno"], [(0, 0), (2, 4), (0, 3)])
# call: fog(["abc"], [])
# call: fog(["abc"], [(0, "a")])
def fog(chart, scouts):
    shown = set()
    for r, c in scouts:
        shown |= {(r + a, c + b) for a in (-1, 0, 1) for b in (-1, 0, 1)}
    return ["".join(ch if (r, c) in shown else "?" for c, ch in enumerate(row)) for r, row in enumerate(chart)]


# call: push_box("@.o..")
# call: push_box("@oo.")
# call: push_box("@")
# call: push_box("..@..o....#.")
# call: push_box(".@.o#")
# call: push_box("..o..")
def push_box(line):
    """The man @ walks right and pushes one box o till something stops him."""
    cells = list(line)
    at = cells.index("@")
    steps = 0
    while at + 1 < len(cells):
        ahead = cells[at + 1]
        if ahead == "o":
            if cells[at + 2:at + 3] != ["."]:
                break
            cells[at + 2] = "o"
        elif ahead != ".":
            break
        cells[at], cells[at + 1] = ".", "@"
        at += 1
        steps += 1
    return "".join(cells), steps


# call: zone_of((3, 4))
# call: zone_of((0, 0))
# call: zone_of((1, -1), 2)
# call: zone_of((-40, 17), 10)
# call: zone_of((0, 5))
# call: zone_of((1, 2, 3))
def zone_of(spot, width=5):
    x, y = spot
    if x == 0 or y == 0:
        return "border"
    name = ("N" if y > 0 else "S") + ("E" if x > 0 else "W")
    ring = max(abs(x), abs(y)) // width
    return f"{name}{ring}", (x // width, y // width)


# call: spread_fire("T.TT", [0])
# call: spread_fire("TTT", [1])
# call: spread_fire("", [])
# call: spread_fire("TTTT.TT.TTTTT", [2, 9])
# call: spread_fire("...", [1])
# call: spread_fire("TT", [5])
def spread_fire(wood, sparks):
    burning = {s for s in sparks if wood[s] == "T"}
    minutes, ash = 0, set()
    while burning:
        ash |= burning
        burning = {n for b in burning for n in (b - 1, b + 1)
                   if 0 <= n < len(wood) and wood[n] == "T"} - ash
        minutes += 1
    return minutes, "".join("*" if i in ash else ch for i, ch in enumerate(wood))


# call: crossroads(["+-+", "|.|", "+-+"])
# call: crossroads(["--+--"])
# call: crossroads([])
# call: crossroads(["-+-+-", ".|.|.", "-+-+.", ".|..."])
# call: crossroads(["+"])
# call: crossroads(["+", ""])
def crossroads(streets):
    joined = {}
    for r, row in enumerate(streets):
        for c, ch in enumerate(row):
            if ch != "+":
                continue
            up = r > 0 and streets[r - 1][c] == "|"
            down = r + 1 < len(streets) and streets[r + 1][c] == "|"
            sides = row[max(c - 1, 0):c + 2].count("-")
            joined.setdefault(up + down + sides, []).append((r, c))
    return joined


# call: neighbours_sum([[1, 2], [3, 4]])
# call: neighbours_sum([[5, 5, 5]])
# call: neighbours_sum([[9]])
# call: neighbours_sum([[1, 0, 2], [0, 3, 0], [4, 0, 5]])
# call: neighbours_sum([])
# call: neighbours_sum([[1, "2"]])
def neighbours_sum(field):
    h, w = len(field), len(field[0]) if field else 0
    padded = [[0] * (w + 2)] + [[0, *row, 0] for row in field] + [[0] * (w + 2)]
    return [
        [padded[r][c + 1] + padded[r + 2][c + 1] + padded[r + 1][c] + padded[r + 1][c + 2] for c in range(w)]
        for r in range(h)
    ]


# call: copy_trap(2, 3)
# call: copy_trap(1, 1)
# call: copy_trap(0, 2)
# call: copy_trap(4, 5)
# call: copy_trap(3, 0)
# call: copy_trap("2", 1)
def copy_trap(height, width):
    """Rows of the first board are one and the same list."""
    shared = [["."] * width] * height
    own = [["."] * width for _ in range(height)]
    for i in range(min(height, width)):
        shared[i][i] = own[i][i] = "#"
    return ["".join(row) for row in shared], ["".join(row) for row in own]


# call: elevator_shaft([3, 1, 4], 0)
# call: elevator_shaft([2], 2)
# call: elevator_shaft([], 5)
# call: elevator_shaft([7, 2, 9, 4, 1, 8], 5)
# call: elevator_shaft([1, 2], 9)
# call: elevator_shaft([1, "2"], 0)
def elevator_shaft(calls, floor):
    """Up first as long as someone waits above, then down."""
    up = sorted(f for f in calls if f >= floor)
    down = sorted((f for f in calls if f < floor), reverse=True)
    stops, travelled = up + down, 0
    for stop in stops:
        travelled += abs(stop - floor)
        floor = stop
    return stops, travelled


# call: snake_body("RRD", 3)
# call: snake_body("UL", 2)
# call: snake_body("", 1)
# call: snake_body("RRRDDLLUURRRR", 5)
# call: snake_body("RDLU", 4)
# call: snake_body("RL", 3)
from collections import deque


def snake_body(moves, length):
    """The snake dies when its head meets its body; the tail moves away first."""
    body = deque([(0, 0)], maxlen=length)
    for count, move in enumerate(moves):
        x, y = body[-1]
        dx, dy = {"R": (1, 0), "L": (-1, 0), "U": (0, -1), "D": (0, 1)}[move]
        head = (x + dx, y + dy)
        if head in list(body)[len(body) == length:]:
            return f"bitten after {count}", list(body)
        body.append(head)
    return "alive", list(body)


# call: lamp_light("..L..#.", 2)
# call: lamp_light("L#", 3)
# call: lamp_light("", 1)
# call: lamp_light("..#...L....#.L.......", 4)
# call: lamp_light("...", 2)
# call: lamp_light("L.", "1")
def lamp_light(corridor, reach):
    lit = [False] * len(corridor)
    for at, thing in enumerate(corridor):
        if thing != "L":
            continue
        for way in (-1, 1):
            for far in range(reach + 1):
                x = at + way * far
                if not 0 <= x < len(corridor) or corridor[x] == "#":
                    break
                lit[x] = True
    return "".join("*" if on else ch for on, ch in zip(lit, corridor)), lit.count(False)


# call: bridge_plan(["#..#", "#.##"])
# call: bridge_plan(["#.#"])
# call: bridge_plan([])
# call: bridge_plan(["#....#", "..#.#.", "######", "#.#..#", "......"])
# call: bridge_plan(["..", "#."])
# call: bridge_plan(["#.#", 7])
def bridge_plan(rivers):
    """For each row: the narrowest water between two banks."""
    plan = {}
    for number, row in enumerate(rivers):
        banks = [c for c, ch in enumerate(row) if ch == "#"]
        spans = [(b - a - 1, a) for a, b in zip(banks, banks[1:]) if b - a > 1]
        plan[number] = min(spans) if spans else None
    needed = sum(span[0] for span in plan.values() if span)
    return plan, needed
