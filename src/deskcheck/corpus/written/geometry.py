# call: Point(1, 2).shift(3, -1).mirror().text()
# call: Point(0.5, 0.25).shift(1, 1).text()
# call: Point(0, 0).mirror().text()
# call: Point(-3, 4).shift(1, 1).mirror().shift(1, 1).mirror().text()
# call: Point(7, 7).mirror().text()
# call: Point("a", 1).shift(1, 1).text()
class Point:
    def __init__(self, x, y):
        self.x = x
        self.y = y

    def shift(self, dx, dy):
        return Point(self.x + dx, self.y + dy)

    def mirror(self):
        self.x, self.y = self.y, self.x
        return self

    def text(self):
        if self.x == self.y:
            return f"diagonal at {self.x}"
        return f"({self.x}, {self.y})"


# call: walk_length([(0, 0), (3, 4), (3, 10)])
# call: walk_length([(1, 1), (2, 2)])
# call: walk_length([])
# call: walk_length([(0, 0), (5, 12), (5, 0), (0, 0), (8, 15), (8, 15), (-1, 3)])
# call: walk_length([(2, 2)])
# call: walk_length([(0, 0), (1, 2, 3)])
from math import hypot


def walk_length(stops):
    total = 0
    for (x1, y1), (x2, y2) in zip(stops, stops[1:]):
        total += hypot(x2 - x1, y2 - y1)
    return round(total, 3)


# call: nearest_town((0, 0), {"oak": (3, 4), "elm": (1, 1)})
# call: nearest_town((5, 5), {"fir": (5, 5)})
# call: nearest_town((0, 0), {})
# call: nearest_town((2, 3), {"a": (9, 9), "b": (2, 7), "c": (-1, 3), "d": (3, 5), "e": (0, 4), "f": (30, 1)})
# call: nearest_town((0, 0), {"w": (-1, 0), "e": (1, 0)})
# call: nearest_town((0, 0), {"x": None})
def nearest_town(here, towns):
    x, y = here
    best, best_square = None, None
    for name in towns:
        tx, ty = towns[name]
        square = (tx - x) ** 2 + (ty - y) ** 2
        if best_square is None or square < best_square:
            best, best_square = name, square
    return best, best_square


# call: quadrant(3, -2)
# call: quadrant(-1.5, 4)
# call: quadrant(0, 0)
# call: quadrant(-100, -0.001)
# call: quadrant(0, 7)
# call: quadrant("1", 1)
def quadrant(x, y):
    if x == 0 or y == 0:
        return "axis" if x or y else "origin"
    if x > 0:
        return "NE" if y > 0 else "SE"
    return "NW" if y > 0 else "SW"


# call: bounding_box([(1, 5), (3, 2)])
# call: bounding_box([(0, 0)])
# call: bounding_box([])
# call: bounding_box([(4, 4), (-2, 9), (7, -3), (0, 0), (5, 11), (-6, 2)], margin=1)
# call: bounding_box([(2, 2), (2, 2)], margin=-1)
# call: bounding_box([(1, 2), (3,)])
def bounding_box(points, margin=0):
    xs, ys = zip(*points) if points else ((0,), (0,))
    left, right = min(xs) - margin, max(xs) + margin
    bottom, top = min(ys) - margin, max(ys) + margin
    return {"corner": (left, bottom), "width": right - left, "height": top - bottom}


# call: snap((1.26, 3.74), 0.5)
# call: snap((0.1, 0.2), 0.25)
# call: snap((), 1)
# call: snap((2.5, 3.5, -2.5, 10.49, 7.51, 99.9), 1)
# call: snap((0.3,), 0.1)
# call: snap((1, 2), 0)
def snap(values, grid):
    return tuple(round(v / grid) * grid for v in values)


# call: turn_steps("RRF", "N")
# call: turn_steps("FFLF", "E")
# call: turn_steps("", "S")
# call: turn_steps("FFRFFRFFLFFFLLF", "W")
# call: turn_steps("LLLLF", "N")
# call: turn_steps("F", "up")
def turn_steps(moves, facing):
    compass = "NESW"
    steps = ((0, 1), (1, 0), (0, -1), (-1, 0))
    d = compass.index(facing)
    x = y = 0
    for move in moves:
        if move == "F":
            x += steps[d][0]
            y += steps[d][1]
        else:
            d = (d + (1 if move == "R" else -1)) % 4
    return x, y, compass[d]


# call: triangle_kind(3, 4, 5)
# call: triangle_kind(2, 2, 3)
# call: triangle_kind(0, 0, 0)
# call: triangle_kind(13.0, 5.0, 12.0)
# call: triangle_kind(1, 2, 3)
# call: triangle_kind(3, "4", 5)
def triangle_kind(*sides):
    a, b, c = sorted(sides)
    if a + b <= c:
        return "flat"
    names = {1: "even", 2: "balanced", 3: "uneven"}
    gap = a * a + b * b - c * c
    corner = "right" if gap == 0 else "sharp" if gap > 0 else "blunt"
    return f"{names[len(set(sides))]} {corner}"


# call: turned((1, 0), 90)
# call: turned((2, 2), 45)
# call: turned((0, 0), 30)
# call: turned((10, -5), 210, around=(3, 3))
# call: turned((1, 1), 360)
# call: turned((1, 1), "90")
import math


def turned(point, degrees, around=(0, 0)):
    angle = math.radians(degrees)
    ox, oy = around
    x, y = point[0] - ox, point[1] - oy
    cos, sin = math.cos(angle), math.sin(angle)
    return round(ox + x * cos - y * sin, 3), round(oy + x * sin + y * cos, 3)


# call: center_of([(0, 0), (2, 4)])
# call: center_of([(1, 1), (2, 2), (6, 0)])
# call: center_of([])
# call: center_of([(10, 3), (-4, 8), (0, 0), (7, 7), (2, -9), (5, 1)], [1, 1, 2, 3, 1, 2])
# call: center_of([(5, 5)], [0])
# call: center_of([(1, 2)], ["1"])
def center_of(points, weights=None):
    if weights is None:
        weights = [1] * len(points)
    mass = sum(weights)
    try:
        cx = sum(w * x for w, (x, _) in zip(weights, points)) / mass
        cy = sum(w * y for w, (_, y) in zip(weights, points)) / mass
    except ZeroDivisionError:
        return None
    return round(cx, 2), round(cy, 2)


# call: grid_picture([(0, 0), (2, 1)], 3, 2)
# call: grid_picture([(1, 1)], 2, 2)
# call: grid_picture([], 1, 1)
# call: grid_picture([(0, 0), (1, 1), (2, 2), (3, 3), (4, 2), (5, 1), (6, 0)], 7, 4)
# call: grid_picture([(-1, 0)], 3, 1)
# call: grid_picture([(9, 9)], 3, 3)
def grid_picture(points, width, height, mark="#"):
    rows = [["."] * width for _ in range(height)]
    for x, y in points:
        rows[height - 1 - y][x] = mark
    return ["".join(row) for row in rows]


# call: slope_text((0, 0), (4, 2))
# call: slope_text((1, 1), (2, 5))
# call: slope_text((0, 0), (0, 0))
# call: slope_text((-7, 12), (14, -23))
# call: slope_text((3, 0), (3, 9))
# call: slope_text((0, 0), (0.5, 1))
from fractions import Fraction


def slope_text(start, end):
    rise = end[1] - start[1]
    run = end[0] - start[0]
    if run == 0:
        return "steep" if rise else "point"
    slope = Fraction(rise, run)
    base = start[1] - slope * start[0]
    return f"y = {slope} x {'+' if base >= 0 else '-'} {abs(base)}"


# call: between((0, 0), (4, 4), (2, 2))
# call: between((0, 0), (4, 4), (2, 3))
# call: between((1, 1), (1, 1), (1, 1))
# call: between((-10, 5), (20, -10), (4, -2))
# call: between((0, 0), (3, 3), (4, 4))
# call: between((0, 0), (3, 3), None)
def between(a, b, p):
    (ax, ay), (bx, by), (px, py) = a, b, p
    cross = (bx - ax) * (py - ay) - (by - ay) * (px - ax)
    if cross != 0:
        return "left" if cross > 0 else "right"
    inside = min(ax, bx) <= px <= max(ax, bx) and min(ay, by) <= py <= max(ay, by)
    return "on" if inside else "beyond"


# call: heading("N", 90)
# call: heading("SE", -45)
# call: heading("N", 0)
# call: heading("WNW", 450)
# call: heading("N", 22)
# call: heading("Q", 10)
POINTS = "N NNE NE ENE E ESE SE SSE S SSW SW WSW W WNW NW NNW".split()


def heading(start, degrees):
    index = POINTS.index(start)
    steps, rest = divmod(degrees, 22.5)
    name = POINTS[(index + int(steps)) % 16]
    return name if not rest else f"{name} + {rest}"


# call: dedupe_points([(1, 1), (1.0, 1.0), (2, 2)])
# call: dedupe_points([(0, 0), (0, 0.05)], 0.1)
# call: dedupe_points([])
# call: dedupe_points([(0, 0), (1, 1), (0.2, 0.1), (1.3, 0.9), (5, 5), (4.6, 5.2), (0, 1)], 0.5)
# call: dedupe_points([(0.0, -0.0), (-0.0, 0.0)])
# call: dedupe_points([(1, 1), [1, 1], (1,)])
def dedupe_points(points, tolerance=0):
    kept = []
    for p in points:
        if all(abs(p[0] - q[0]) > tolerance or abs(p[1] - q[1]) > tolerance for q in kept):
            kept.append(p)
    return kept


# call: star_corners(3)
# call: star_corners(2, 1, 0.5)
# call: star_corners(0)
# call: star_corners(5, 10, 4)
# call: star_corners(1, 0)
# call: star_corners(2.5)
from math import cos, pi, sin


def star_corners(rays, outer=2, inner=1):
    corners = []
    for k in range(2 * rays):
        r = inner if k % 2 else outer
        a = k * pi / rays
        corners.append((round(r * cos(a), 2) + 0.0, round(r * sin(a), 2) + 0.0))
    return corners


# call: scale_all([(1, 2), (3, 4)], 2)
# call: scale_all([(5, 5)], 0.5)
# call: scale_all([], 3)
# call: scale_all([(0, 1), (2, 3), (4, 5), (6, 7), (8, 9)], -1, center=(4, 5))
# call: scale_all([(1, 1)], 0, center=(7, 7))
# call: scale_all([(1, 1)], "2")
def scale_all(points, factor, center=(0, 0)):
    cx, cy = center
    grow = lambda v, c: c + (v - c) * factor
    return [(grow(x, cx), grow(y, cy)) for x, y in points]


# call: blocks_apart("B2", "E7")
# call: blocks_apart("A1", "A9")
# call: blocks_apart("C3", "C3")
# call: blocks_apart("H8", "A1", diagonal=True)
# call: blocks_apart("a1", "B1")
# call: blocks_apart("", "A1")
def blocks_apart(home, goal, diagonal=False):
    def parse(square):
        return ord(square[0]) - ord("A"), int(square[1:]) - 1

    (x1, y1), (x2, y2) = parse(home), parse(goal)
    gaps = abs(x1 - x2), abs(y1 - y2)
    return max(gaps) if diagonal else sum(gaps)


# call: polygon_sides([(0, 0), (0, 2), (3, 2)])
# call: polygon_sides([(0, 0), (1, 0), (1, 1), (0, 1)])
# call: polygon_sides([])
# call: polygon_sides([(0, 0), (4, 0), (4, 1), (2, 1), (2, 3), (0, 3)], names="abcdef")
# call: polygon_sides([(0, 0), (3, 4)])
# call: polygon_sides([(0, 0), None])
import math


def polygon_sides(corners, names="pqrstuv"):
    sides = {}
    n = len(corners)
    for i, corner in enumerate(corners):
        after = (i + 1) % n
        key = names[i] + names[after]
        sides[key] = round(math.dist(corner, corners[after]), 2)
    return sides


# call: spiral_walk(4)
# call: spiral_walk(1)
# call: spiral_walk(0)
# call: spiral_walk(9)
# call: spiral_walk(-2)
# call: spiral_walk("3")
def spiral_walk(turns):
    x = y = 0
    dx, dy = 1, 0
    corners = [(x, y)]
    for turn in range(turns):
        length = turn // 2 + 1
        x, y = x + dx * length, y + dy * length
        corners.append((x, y))
        dx, dy = -dy, dx
    return corners


# call: tile_count(300, 200, 50)
# call: tile_count(310, 200, 50)
# call: tile_count(0, 0, 10)
# call: tile_count(1234, 567, 33, gap=2)
# call: tile_count(40, 40, 50)
# call: tile_count(100, 100, 0)
def tile_count(length, width, tile, gap=0):
    step = tile + gap
    whole = (length // step) * (width // step)
    cut = 0
    if length % step:
        cut += width // step
    if width % step:
        cut += length // step
    if length % step and width % step:
        cut += 1
    return whole, cut


# call: Turtle().draw("f10 r90 f5")
# call: Turtle().draw("f3 b3")
# call: Turtle().draw("")
# call: Turtle(1, 1).draw("f4 r90 f4 r90 f4 r90 f4 u f9 d r45 f2")
# call: Turtle().draw("u f5")
# call: Turtle().draw("f5 x3")
from math import cos, radians, sin


class Turtle:
    def __init__(self, x=0.0, y=0.0):
        self.x, self.y, self.angle = x, y, 90
        self.down = True
        self.ink = 0

    def go(self, length):
        self.x = round(self.x + length * cos(radians(self.angle)), 4)
        self.y = round(self.y + length * sin(radians(self.angle)), 4)
        if self.down:
            self.ink += abs(length)

    def draw(self, commands):
        for word in commands.split():
            letter, number = word[0], int(word[1:] or 0)
            match letter:
                case "f" | "b":
                    self.go(number if letter == "f" else -number)
                case "r" | "l":
                    self.angle -= number if letter == "r" else -number
                case "u" | "d":
                    self.down = letter == "d"
                case _:
                    raise ValueError(word)
        return self.x, self.y, self.ink


# call: degrees_text(12.5)
# call: degrees_text(-0.75)
# call: degrees_text(0)
# call: degrees_text(179.99999)
# call: degrees_text(59.9999)
# call: degrees_text("12")
def degrees_text(angle):
    sign = "-" if angle < 0 else ""
    seconds = round(abs(angle) * 3600)
    minutes, s = divmod(seconds, 60)
    d, m = divmod(minutes, 60)
    return f"{sign}{d}d{m:02}'{s:02}\""


# call: normal_angle(370)
# call: normal_angle(-90)
# call: normal_angle(0)
# call: normal_angle(-1234.5)
# call: normal_angle(180)
# call: normal_angle(None)
def normal_angle(a):
    while a > 180:
        a -= 360
    while a <= -180:
        a += 360
    return a


# call: convex_turns([(0, 0), (4, 0), (4, 4), (0, 4)])
# call: convex_turns([(0, 0), (4, 0), (1, 1), (0, 4)])
# call: convex_turns([])
# call: convex_turns([(0, 0), (3, 0), (3, 1), (2, 1), (2, 2), (3, 2), (3, 3), (0, 3)])
# call: convex_turns([(0, 0), (1, 1), (2, 2)])
# call: convex_turns([(0, 0), (1, 1), "no"])
def convex_turns(corners):
    turns = ""
    n = len(corners)
    for i in range(n):
        (ax, ay), (bx, by), (cx, cy) = corners[i - 1], corners[i], corners[(i + 1) % n]
        z = (bx - ax) * (cy - by) - (by - ay) * (cx - bx)
        turns += "L" if z > 0 else "R" if z < 0 else "-"
    return turns, len(set(turns)) == 1


# call: midpoint_chain([(0, 0), (4, 0), (4, 4)])
# call: midpoint_chain([(0, 0), (1, 1)])
# call: midpoint_chain([(3, 3)])
# call: midpoint_chain([(0, 0), (8, 0), (8, 8), (0, 8), (0, 16), (16, 16)], 3)
# call: midpoint_chain([], 2)
# call: midpoint_chain([(0, 0), (1,)])
def midpoint_chain(points, times=1):
    for _ in range(times):
        points = [((a + c) / 2, (b + d) / 2) for (a, b), (c, d) in zip(points, points[1:])]
    return points


# call: sort_around([(1, 0), (0, 1), (-1, 0)])
# call: sort_around([(2, 2), (2, -2)])
# call: sort_around([])
# call: sort_around([(3, 1), (-2, 5), (0, -4), (-3, -3), (5, 5), (1, 1), (4, -1)], pivot=(1, 0))
# call: sort_around([(0, 0), (0, 0)])
# call: sort_around([(1, 2), (1, "2")])
from math import atan2, degrees


def sort_around(points, pivot=(0, 0)):
    px, py = pivot

    def bearing(p):
        return round(degrees(atan2(p[0] - px, p[1] - py))) % 360

    return [(bearing(p), p) for p in sorted(points, key=bearing)]


# call: line_meet((1, 0), (-1, 4))
# call: line_meet((2, 1), (0, 7))
# call: line_meet((0, 0), (0, 0))
# call: line_meet((0.5, -3.25), (-1.75, 12.5))
# call: line_meet((3, 1), (3, 2))
# call: line_meet((1, 2), (3,))
def line_meet(first, second):
    """Lines as (slope, height at 0)."""
    m1, b1 = first
    m2, b2 = second
    try:
        x = (b2 - b1) / (m1 - m2)
    except ZeroDivisionError:
        return "same line" if b1 == b2 else "parallel"
    else:
        return round(x, 3), round(m1 * x + b1, 3)


# call: pixel_line((0, 0), (4, 2))
# call: pixel_line((0, 0), (1, 5))
# call: pixel_line((2, 2), (2, 2))
# call: pixel_line((10, 3), (0, -4))
# call: pixel_line((3, 0), (-1, 0))
# call: pixel_line((0, 0), (2.5, 1))
def pixel_line(start, end):
    (x0, y0), (x1, y1) = start, end
    steps = max(abs(x1 - x0), abs(y1 - y0))
    if not steps:
        return [start]
    return [
        (x0 + round((x1 - x0) * k / steps), y0 + round((y1 - y0) * k / steps))
        for k in range(steps + 1)
    ]


# call: Box(0, 0, 4, 4).split().areas()
# call: Box(0, 0, 3, 2).split().areas()
# call: Box(0, 0, 0, 0).areas()
# call: Box(0, 0, 16, 10).split().split().split().areas()
# call: Box(0, 0, 1, 1).split().split().areas()
# call: Box(0, 0, "4", 4).split().areas()
class Box:
    def __init__(self, x, y, w, h):
        self.parts = [(x, y, w, h)]

    def split(self):
        x, y, w, h = self.parts.pop(0)
        if w >= h:
            self.parts += [(x, y, w / 2, h), (x + w / 2, y, w / 2, h)]
        else:
            self.parts += [(x, y, w, h / 2), (x, y + h / 2, w, h / 2)]
        return self

    def areas(self):
        return {(x, y): w * h for x, y, w, h in self.parts}


# call: mirror_points([(1, 2), (3, 4)], "x")
# call: mirror_points([(1, 2)], "y", at=5)
# call: mirror_points([], "x")
# call: mirror_points([(0, 1), (2, 3), (4, 5), (-6, 7), (8, -9)], "diagonal")
# call: mirror_points([(1, 1)], "z")
# call: mirror_points([(1, 2)], "x", at="0")
def mirror_points(points, axis, at=0):
    rules = {
        "x": lambda x, y: (x, 2 * at - y),
        "y": lambda x, y: (2 * at - x, y),
        "diagonal": lambda x, y: (y, x),
    }
    return [rules[axis](*p) for p in points]


# call: contour([[1, 2], [3, 4]], 2)
# call: contour([[5, 5, 5]], 5)
# call: contour([], 1)
# call: contour([[1, 4, 6, 2], [3, 7, 8, 5], [0, 6, 9, 4]], 5)
# call: contour([[0, 9], [9, 0]], 4.5)
# call: contour([[1, None]], 2)
def contour(heights, level):
    crossings = set()
    for r, row in enumerate(heights):
        for c, here in enumerate(row):
            if c + 1 < len(row) and (here < level) != (row[c + 1] < level):
                crossings.add((r, c + 0.5))
            if r + 1 < len(heights) and (here < level) != (heights[r + 1][c] < level):
                crossings.add((r + 0.5, c))
    return sorted(crossings)


# call: same_shape([(0, 0), (1, 0)], [(5, 5), (6, 5)])
# call: same_shape([(0, 0), (1, 0), (1, 1)], [(2, 2), (3, 3), (3, 2)])
# call: same_shape([], [])
# call: same_shape([(0, 0), (2, 0), (2, 1), (0, 1), (1, 3)], [(9, 3), (7, 0), (9, 1), (8, 3), (9, 0)])
# call: same_shape([(0, 0)], [(1, 1), (2, 2)])
# call: same_shape([(0, 0)], [])
def same_shape(first, second):
    def home(points):
        left = min(x for x, _ in points)
        low = min(y for _, y in points)
        return {(x - left, y - low) for x, y in points}

    if not first and not second:
        return True
    return home(first) == home(second)


# call: path_to_svg([(0, 0), (10, 5)])
# call: path_to_svg([(1, 1), (2, 2), (3, 1)], closed=True)
# call: path_to_svg([])
# call: path_to_svg([(0, 0), (2.50, 1), (2.5, 1), (7, 1), (7, 1.125), (0.1, 9)], closed=True)
# call: path_to_svg([(5, 5)], closed=True)
# call: path_to_svg([("a", 1)])
def path_to_svg(points, closed=False):
    commands = []
    last = None
    for x, y in points:
        if (x, y) == last:
            continue
        commands.append(f"{'L' if last else 'M'}{x:g},{y:g}")
        last = x, y
    if closed and len(commands) > 1:
        commands.append("Z")
    return " ".join(commands)


# call: magnet((0, 0), [(1, 0, 2), (0, 2, 4)])
# call: magnet((1, 1), [(2, 2, 1)])
# call: magnet((0, 0), [])
# call: magnet((3, -2), [(0, 0, 5), (6, 1, 3), (3, 4, -8), (-2, -2, 10), (4, -3, 1)])
# call: magnet((1, 1), [(1, 1, 9)])
# call: magnet((0, 0), [(1, 1)])
def magnet(spot, poles):
    fx = fy = 0.0
    for x, y, strength in poles:
        dx, dy = x - spot[0], y - spot[1]
        square = dx * dx + dy * dy
        if square == 0:
            return "stuck"
        fx += strength * dx / square
        fy += strength * dy / square
    return float(f"{fx:.3f}"), float(f"{fy:.3f}")


# call: stair_outline(3, 2)
# call: stair_outline(1, 5)
# call: stair_outline(0, 1)
# call: stair_outline(5, 3, down=True)
# call: stair_outline(2, 0)
# call: stair_outline("2", 1)
def climb(count, width, sign):
    x = y = 0
    for _ in range(count):
        yield x, y
        y += sign
        yield x, y
        x += width


def stair_outline(count, width, down=False):
    corners = list(climb(count, width, -1 if down else 1))
    length = sum(abs(a - c) + abs(b - d) for (a, b), (c, d) in zip(corners, corners[1:]))
    return corners, length


# call: furthest_pair({"a": (0, 0), "b": (3, 4), "c": (1, 1)})
# call: furthest_pair({"x": (0, 0), "y": (0, 2)})
# call: furthest_pair({})
# call: furthest_pair({"n": (0, 9), "s": (1, -8), "e": (7, 0), "w": (-6, 1), "m": (0, 0)})
# call: furthest_pair({"only": (1, 1)})
# call: furthest_pair({"a": (0, 0), "b": 5})
from itertools import combinations


def furthest_pair(places):
    pairs = combinations(sorted(places), 2)

    def span(pair):
        (x1, y1), (x2, y2) = (places[p] for p in pair)
        return abs(x1 - x2) + abs(y1 - y2)

    return max(((span(p), p) for p in pairs), default=None)


# call: matrix_apply([[1, 0], [0, 1]], [(3, 4)])
# call: matrix_apply([[0, -1], [1, 0]], [(1, 0), (0, 1)])
# call: matrix_apply([], [])
# call: matrix_apply([[2, 1], [0.5, -1]], [(1, 1), (2, 3), (-4, 0), (0, 0.5), (10, -10)])
# call: matrix_apply([[1, 0, 5], [0, 1, 7]], [(1, 1)])
# call: matrix_apply([[1, 0]], [3])
def matrix_apply(matrix, points):
    moved = []
    for point in points:
        moved.append(tuple(sum(m * p for m, p in zip(row, point)) for row in matrix))
    return moved


# call: light_cone(5, [0, 3, 9])
# call: light_cone(10, [10])
# call: light_cone(3, [])
# call: light_cone(8, [1, 2, 4, 8, 16, 32, -3], opening=60)
# call: light_cone(0, [0, 1])
# call: light_cone(5, ["1"])
from math import radians, tan


def light_cone(height, spots, opening=90):
    reach = height * tan(radians(opening / 2))
    lit = [s for s in spots if -reach <= s <= reach]
    return f"{reach:.2f}", lit, len(spots) - len(lit)


# call: rope_around([(0, 0), (4, 3)], 20)
# call: rope_around([(0, 0), (0, 5)], 5)
# call: rope_around([], 10)
# call: rope_around([(0, 0), (3, 4), (6, 0), (9, 4), (12, 0), (12, 9)], 22)
# call: rope_around([(0, 0), (100, 0)], 0.5)
# call: rope_around([(0, 0), (1, 1)], None)
def rope_around(pegs, rope):
    used = []
    position = pegs[0] if pegs else None
    for peg in pegs[1:]:
        need = ((peg[0] - position[0]) ** 2 + (peg[1] - position[1]) ** 2) ** 0.5
        if need > rope:
            part = rope / need
            end = tuple(round(a + (b - a) * part, 2) for a, b in zip(position, peg))
            return used, end
        rope -= need
        used.append(peg)
        position = peg
    return used, rope


# call: Vector(1, 2).combine([(3, 4), (-1, 0)])
# call: Vector(5, 5).combine([(5, 5)])
# call: Vector(0, 0).combine([])
# call: Vector(1, 1).combine([(2, 0), (0, 2), (-3, 1), (1, -3), (2, 2)])
# call: Vector(1, 0).combine([(-1, 0)])
# call: Vector(1, 0).combine([3])
class Vector:
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __add__(self, other):
        return Vector(self.x + other.x, self.y + other.y)

    def __bool__(self):
        return bool(self.x or self.y)

    def __repr__(self):
        return f"<{self.x} {self.y}>"

    def combine(self, others):
        total = self
        for other in others:
            total = total + Vector(*other)
        return repr(total) if total else "nothing"


# call: Circle(0, 0, 5).touches(8, 0, 3)
# call: Circle(0, 0, 5).touches(1, 1, 2)
# call: Circle(0, 0, 0).touches(0, 0, 0)
# call: Circle(-3, 4, 2.5).touches(9, -1, 10.5)
# call: Circle(0, 0, 1).touches(10, 10, 1)
# call: Circle(0, 0, 1).touches(0, 0, -1)
from dataclasses import dataclass


@dataclass
class Circle:
    x: float
    y: float
    r: float

    def __post_init__(self):
        if self.r < 0:
            raise ValueError("radius %r" % self.r)

    def touches(self, *other):
        other = Circle(*other)
        square = (self.x - other.x) ** 2 + (self.y - other.y) ** 2
        outer = (self.r + other.r) ** 2
        inner = (self.r - other.r) ** 2
        if square > outer:
            return "apart"
        if square == outer or square == inner:
            return "touch"
        return "cross" if square > inner else "inside"


# call: Size(3, 4).fit(6, 6)
# call: Size(30, 10).fit(15, 15)
# call: Size(1, 1).fit(1, 1)
# call: Size(1920, 1080).fit(800, 800)
# call: Size(5, 0).fit(1, 1)
# call: Size(0, 0).fit(2, 2)
from typing import NamedTuple


class Size(NamedTuple):
    width: float
    height: float

    def times(self, factor):
        return self._replace(width=self.width * factor, height=self.height * factor)

    def fit(self, *frame):
        factors = [f / s for f, s in zip(frame, self) if s]
        return tuple(round(v, 2) for v in self.times(min(factors)))


# call: Interval(1, 5).cut(3, 9).text()
# call: Interval(0, 2).join(5, 6).text()
# call: Interval(0, 0).text()
# call: Interval(-4, 12).cut(0, 20).join(15, 16).cut(3, 15.5).text()
# call: Interval(0, 1).cut(2, 3).text()
# call: Interval(5, 1).text()
class Interval:
    def __init__(self, low, high):
        if low > high:
            raise ValueError(f"{low} > {high}")
        self.low, self.high = low, high

    @property
    def length(self):
        return self.high - self.low

    def cut(self, low, high):
        low = max(self.low, low)
        return Interval(low, max(low, min(self.high, high)))

    def join(self, low, high):
        return Interval(min(self.low, low), max(self.high, high))

    def text(self):
        return "[%s..%s] %s" % (self.low, self.high, self.length or "empty")


# call: rounding_loss([1.005, 2.675], 2)
# call: rounding_loss([0.5, 1.5, 2.5], 0)
# call: rounding_loss([], 1)
# call: rounding_loss([1234.5678, -0.05, 99.95, 1e-7, 3.14159, 7], 1)
# call: rounding_loss([1250, 1350], -2)
# call: rounding_loss(["1.5"], 1)
def rounding_loss(lengths, places):
    pairs = [(v, round(v, places)) for v in lengths]
    up = [v for v, r in pairs if r > v]
    down = [v for v, r in pairs if r < v]
    exact_total = round(sum(lengths), places)
    return up, down, exact_total, exact_total == sum(r for _, r in pairs)


# call: first_axis_apart((1, 2), (1, 3))
# call: first_axis_apart((2, 0), (1, 9))
# call: first_axis_apart((), ())
# call: first_axis_apart((1, 2, 3, 4), (1, 2, 3))
# call: first_axis_apart((1, "a"), (1, "b"))
# call: first_axis_apart((1, 2), (1, "2"))
def first_axis_apart(p, q, axes="xyzw"):
    nearer = "first" if p < q else "second"
    for axis, a, b in zip(axes, p, q):
        if a == b:
            continue
        return f"{nearer} by {axis}: {a} {b}"
    return "same" if len(p) == len(q) else f"{nearer} is flat"


# call: Vec3(1, 2, 3).work([0, 1, 0])
# call: Vec3(2, 0, 0).work([2, 0, 0])
# call: Vec3(0, 0, 0).work([0, 0, 0])
# call: Vec3(1.5, -2, 4).work([-3, 0.5, 2])
# call: Vec3(1, 1, 1).work([-1, -1, -1])
# call: Vec3(1, 2, 3).work([1, 2])
class Vec3:
    __slots__ = ("x", "y", "z")

    def __init__(self, x, y, z):
        self.x, self.y, self.z = x, y, z

    def __iter__(self):
        return iter((self.x, self.y, self.z))

    def __sub__(self, other):
        return Vec3(*(a - b for a, b in zip(self, other)))

    def __neg__(self):
        return Vec3(*(-a for a in self))

    def __matmul__(self, other):
        return sum(a * b for a, b in zip(self, other))

    def __abs__(self):
        return round((self @ self) ** 0.5, 4)

    def work(self, other):
        other = Vec3(*other)
        return self @ other, abs(self - other), list(-other), self == other


# call: print_plot([1, 3, 2])
# call: print_plot([0.4, 2.6], mark="o")
# call: print_plot([])
# call: print_plot([4, 1, 5, 2, 0, 3, 5], mark="#")
# call: print_plot([-1, 2])
# call: print_plot([1, "2"])
def print_plot(heights: list, mark: str = "*") -> list:
    top = max((round(h) for h in heights), default=0)
    rows = []
    for level in range(top, 0, -1):
        row = "".join(mark if round(h) >= level else " " for h in heights)
        print(row)
        rows.append(row.rstrip())
    return rows


# call: area_by_kind([("square", 2), ("rect", 2, 5)])
# call: area_by_kind([("circle", 1)])
# call: area_by_kind([])
# call: area_by_kind([("circle", 0.5), ("rect", 3, 4.5), ("square", 1.1), ("frame", 6, 4, 1), ("rect", 2, 2), ("circle", 2)])
# call: area_by_kind([("frame", 2, 2, 1)])
# call: area_by_kind([("blob", 1)])
from math import pi


def area_by_kind(shapes):
    areas = {}
    for shape in shapes:
        match shape:
            case ("square", side):
                area = side * side
            case ("rect", w, h):
                area = w * h
            case ("circle", r):
                area = pi * r**2
            case ("frame", w, h, rim) if 2 * rim < min(w, h):
                area = w * h - (w - 2 * rim) * (h - 2 * rim)
            case (kind, *sizes):
                raise ValueError(f"{kind} with {len(sizes)} sizes")
        areas[shape[0]] = round(areas.get(shape[0], 0) + area, 2)
    return areas


# call: Span(0, 4).relation(2, 6)
# call: Span(1, 2).relation(1, 2)
# call: Span(0, 0).relation(0, 0)
# call: Span(-5.5, 12.25).relation(-5.5, 3)
# call: Span(5, 1).relation(7, 6)
# call: Span(1, 2).relation("1", 2)
class Span:
    def __init__(self, *ends):
        self.ends = sorted(ends)

    def __contains__(self, other):
        return self.ends[0] <= other.ends[0] and other.ends[-1] <= self.ends[-1]

    def __or__(self, other):
        return Span(*self.ends, *other.ends)

    def __len__(self):
        return int(self.ends[-1] - self.ends[0])

    def relation(self, a, b):
        other = Span(a, b)
        both = self | other
        words = [w for w, yes in (("holds", other in self), ("fits", self in other)) if yes]
        gap = len(both) - len(self) - len(other)
        return " and ".join(words) or ("apart" if gap > 0 else "partly"), both.ends


# call: stand_off((0, 0, 4, 4), (6, 1))
# call: stand_off((0, 0, 4, 4), (7, 8))
# call: stand_off((0, 0, 0, 0), (0, 0))
# call: stand_off((-5, -5, 20, 15), (23.5, 17))
# call: stand_off((0, 0, 4, 4), (2, 2))
# call: stand_off((0, 0, 4), (2, 2))
def stand_off(house, person):
    left, low, right, high = house
    x, y = person
    dx = max(left - x, 0, x - right)
    dy = max(low - y, 0, y - high)
    if dx == dy == 0:
        return "inside"
    side = ("S" if y < low else "N" if y > high else "") + ("W" if x < left else "E" if x > right else "")
    return f"{(dx * dx + dy * dy) ** 0.5:.2f} {side}"


# call: sundial(9)
# call: sundial(15.5, stick=2)
# call: sundial(12)
# call: sundial(17.25, stick=1.5)
# call: sundial(5)
# call: sundial("noon")
from math import radians, tan


def sundial(hour, stick=1):
    """Shadow of a stick; the sun climbs 15 degrees an hour from six."""
    height = 15 * (hour - 6 if hour <= 12 else 18 - hour)
    if height <= 0:
        return None
    length = stick / tan(radians(height))
    side = "west" if hour < 12 else "east"
    return ("none", 0.0) if height == 90 else (side, round(length, 2))
