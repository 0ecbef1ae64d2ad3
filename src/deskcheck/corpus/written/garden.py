# call: grow({"name": "bean", "height": 4.0}, 3, 1.5)
# call: grow({"name": "oak", "height": 0.2}, 1, 0.01)
# call: grow({"height": 0}, 0, 2.0)
# call: grow({"name": "vine", "height": 12.5, "max": 20}, 8, 1.75)
# call: grow({"name": "stump", "height": 3}, 2, -5)
# call: grow({"name": "ghost"}, 2, 1)
def grow(plant, weeks, rate):
    for week in range(weeks):
        plant["height"] += rate
        if plant["height"] > plant.get("max", 100):
            plant["height"] = plant["max"]
            break
    plant["alive"] = plant["height"] > 0
    return plant


# call: bed_plan(["leek", "kale"], 3)
# call: bed_plan(["beet"], 2)
# call: bed_plan([], 2)
# call: bed_plan(["pea", "leek", "kale", "chard", "beet"], 4)
# call: bed_plan(["pea", "pea"], 0)
# call: bed_plan("ab", 2)
def bed_plan(crops, years):
    return [[crops[(bed + year) % len(crops)] for bed in range(len(crops))] for year in range(years)]


# call: water_needed([{"area": 2.0, "dry": 3}, {"area": 1.5, "dry": 0}])
# call: water_needed([{"area": 4, "dry": 9}])
# call: water_needed([])
# call: water_needed([{"area": 1.2, "dry": 1}, {"area": 3.5, "dry": 4}, {"area": 0.8, "dry": 7}, {"area": 2.2, "dry": 2}])
# call: water_needed([{"area": 1.1}])
# call: water_needed([{"dry": 2}])
def water_needed(beds, per_m2=5):
    litres = 0
    for bed in beds:
        factor = 1 + 0.1 * min(bed.get("dry", 0), 5)
        litres += bed["area"] * per_m2 * factor
    cans = int(litres // 10) + (litres % 10 > 0)
    return round(litres, 2), cans


# call: Plant("mint", 3).water(2).water(4).describe()
# call: Plant("fern").describe()
# call: Plant("", 0).water(0).describe()
# call: Plant("hazel", 5).water(1).water(1).dry(4).water(9).dry(2).describe()
# call: Plant("cactus", 1).dry(3).describe()
# call: Plant("rose", 2).water("lots").describe()
class Plant:
    def __init__(self, name, moisture=2):
        self.name = name
        self.moisture = moisture
        self.wilted = 0

    def water(self, cups):
        self.moisture = min(self.moisture + cups, 10)
        return self

    def dry(self, days):
        for _ in range(days):
            self.moisture -= 1
            if self.moisture < 0:
                self.wilted += 1
                self.moisture = 0
        return self

    def describe(self):
        mood = "wilting" if self.wilted else "soaked" if self.moisture > 8 else "fine"
        return f"{self.name or 'weed'}: {mood} ({self.moisture}/10)"


# call: sow_dates({"pea": 60, "bean": 95}, 150)
# call: sow_dates({"cress": 0}, 10)
# call: sow_dates({}, 100)
# call: sow_dates({"leek": 150, "kale": 90, "radish": 28, "chard": 60, "garlic": 240}, 200)
# call: sow_dates({"pea": 60}, 30)
# call: sow_dates({"pea": "60"}, 30)
def sow_dates(ripens, harvest_day):
    out = {}
    for crop, days in ripens.items():
        sow = harvest_day - days
        out[crop] = sow if sow >= 0 else f"last year day {365 + sow}"
    return out


# call: pair_up(["basil", "tomato"], {("basil", "tomato")})
# call: pair_up(["onion", "bean"], {("leek", "carrot")})
# call: pair_up([], set())
# call: pair_up(["carrot", "leek", "pea", "mint", "rose"], {("leek", "carrot"), ("pea", "mint"), ("rose", "leek")})
# call: pair_up(["a", "a"], {("a", "a")})
# call: pair_up(["a", ["b"]], {("a", "b")})
def pair_up(plants, friends):
    from itertools import combinations
    good = []
    for a, b in combinations(plants, 2):
        if (a, b) in friends or (b, a) in friends:
            good.append(f"{a}+{b}")
    return good


# call: compost([("leaf", 3), ("straw", 1)])
# call: compost([("peel", 2)])
# call: compost([])
# call: compost([("leaf", 2), ("grass", 4), ("straw", 3), ("peel", 1.5), ("twig", 2), ("grass", 1)])
# call: compost([("stone", 5)])
# call: compost([("straw", 1), ("straw", 2)])
def compost(layers):
    green = brown = 0
    for what, amount in layers:
        if what in ("grass", "peel", "leaf"):
            green += amount
        elif what in ("straw", "twig"):
            brown += amount
    try:
        ratio = brown / green
    except ZeroDivisionError:
        return "too dry" if brown else "empty"
    return "good" if 0.4 <= ratio <= 0.9 else f"ratio {ratio:.2f}"


# call: rows_of_seed(100, 25)
# call: rows_of_seed(90, 40, edge=5)
# call: rows_of_seed(0, 10)
# call: rows_of_seed(240, 30, edge=15)
# call: rows_of_seed(20, 50)
# call: rows_of_seed(100, 0)
def rows_of_seed(width, spacing, edge=10):
    marks, at = [], edge
    while at <= width - edge:
        marks.append(at)
        at += spacing
        if spacing <= 0:
            raise ValueError("the string does not move on")
    return marks


# call: pest_watch("..a...s.")
# call: pest_watch("aa.")
# call: pest_watch("")
# call: pest_watch("..a..ss.a.b...a..s..")
# call: pest_watch("zz")
# call: pest_watch(["a", "."])
def pest_watch(row):
    names = {"a": "aphid", "s": "snail", "b": "beetle"}
    found = {}
    for place, mark in enumerate(row):
        if mark != ".":
            found.setdefault(names.get(mark, "unknown"), []).append(place)
    return dict(sorted(found.items()))


# call: sunlight([[0, 1], [2, 0]])
# call: sunlight([[3, 0, 0]])
# call: sunlight([])
# call: sunlight([[0, 2, 0, 0], [1, 0, 0, 3], [0, 0, 1, 0]])
# call: sunlight([[], []])
# call: sunlight([[0, None]])
def sunlight(heights):
    """A tall plant shades as many squares to its right as it is high."""
    lit = []
    for row in heights:
        shade, line = 0, ""
        for h in row:
            line += "o" if shade > 0 else "*"
            shade = max(shade - 1, h)
        lit.append(line)
    return lit


# call: seed_cost({"kale": 3, "leek": 1}, {"kale": 1.99, "leek": 2.49})
# call: seed_cost({"pea": 10}, {"pea": 0.1})
# call: seed_cost({}, {})
# call: seed_cost({"a": 2, "b": 7, "c": 1, "d": 4}, {"a": 0.99, "b": 1.2, "c": 12.0, "d": 3.35})
# call: seed_cost({"pea": 3}, {"pea": 0.1})
# call: seed_cost({"pea": 3}, {})
def seed_cost(order, prices):
    total = sum(prices[name] * packs for name, packs in order.items())
    postage = 0 if total >= 15 else 3.9
    return total, f"{total + postage:.2f}"


# call: ripe([("fig", 0.9), ("plum", 0.4), ("pear", 0.8)])
# call: ripe([("fig", 0.8)], limit=0.8)
# call: ripe([])
# call: ripe([("a", 0.1), ("b", 0.95), ("c", 0.76), ("d", 0.75), ("e", 1.2), ("f", 0.5), ("g", 0.77)])
# call: ripe([("fig", -1)])
# call: ripe([("fig", "yes")])
def ripe(fruit, limit=0.75):
    ready, wait = [], []
    for name, score in fruit:
        (ready if score > limit else wait).append(name)
    return {"pick": ready, "wait": wait}


# call: half_alive({"a": {"leaves": 5}, "b": {"leaves": 0}})
# call: half_alive({"x": {"leaves": 1}})
# call: half_alive({})
# call: half_alive({"ivy": {"leaves": 9}, "yew": {"leaves": 4}, "box": {"leaves": 0}, "elm": {"leaves": 7}, "ash": {}})
# call: half_alive({"a": {"leaves": -2}})
# call: half_alive({"a": None})
def half_alive(garden):
    cut = garden.copy()
    for name in cut:
        cut[name]["leaves"] = cut[name].get("leaves", 0) // 2
    # the copy is shallow: the garden was cut too
    return garden, [name for name, plant in garden.items() if not plant["leaves"]]


# call: vine([1, 3, 2], 0)
# call: vine([2], 5)
# call: vine([], 1)
# call: vine([3, -1, 4, -1, 5, -2, 6, 0, -7], 2, wall=10)
# call: vine([-4], 1)
# call: vine([1, "2"], 0)
def vine(growth, start, *, wall=6):
    height = start
    heights = [height]
    for g in growth:
        height += g
        if height > wall:
            height = wall - (height - wall)
        height = max(height, 0)
        heights.append(height)
    return heights


# call: Greenhouse(18).run([2, 3, -1])
# call: Greenhouse(30).run([0])
# call: Greenhouse(20).run([])
# call: Greenhouse(15.5).run([4, 4.5, 3, -2, -9, -6, 1, 0.5, 8])
# call: Greenhouse(10).run([-11])
# call: Greenhouse("warm").run([1])
class Greenhouse:
    def __init__(self, degrees):
        self.degrees = degrees
        self.window = "shut"
        self.heater = False

    def adjust(self):
        if self.degrees > 26:
            self.window = "open"
            self.degrees -= 3
        elif self.degrees < 22:
            self.window = "shut"
        self.heater = self.degrees < 8

    def run(self, changes):
        log = []
        for change in changes:
            self.degrees += change
            self.adjust()
            log.append((self.degrees, self.window[0], self.heater))
        return log


# call: tree_rings([0.4, 0.6, 0.5])
# call: tree_rings([1.0])
# call: tree_rings([])
# call: tree_rings([0.25, 0.5, 0.125, 0.75, 0.5, 0.25, 1.0, 0.375])
# call: tree_rings([0.1, 0.2, 0.3])
# call: tree_rings([0.4, "thin"])
def tree_rings(widths):
    radius = 0
    inner_to_outer = []
    for w in widths:
        radius += w
        inner_to_outer.append(radius)
    thin = [year for year, w in enumerate(widths, 1) if w < radius / len(widths)]
    return inner_to_outer, thin


# call: hedge("##.#", 2)
# call: hedge(".", 1)
# call: hedge("", 3)
# call: hedge("#..##...#.####..#", 4)
# call: hedge("...", 0)
# call: hedge("#.#", -1)
def hedge(line, plants):
    gaps = line.count(".")
    filled = line.replace(".", "+", plants)
    return filled, max(gaps - plants, 0), "full" if "." not in filled else "thin"


# call: weed_round([3, 0, 5], 2)
# call: weed_round([1], 1)
# call: weed_round([], 4)
# call: weed_round([4, 2, 7, 0, 1, 3, 9, 2], 3)
# call: weed_round([10, 10], 0)
# call: weed_round([2, 2.5], 1)
def weed_round(weeds, energy):
    """Pull the worst bed first, one bed per unit of energy; the others grow by one."""
    for _ in range(energy):
        if not any(weeds):
            break
        worst = weeds.index(max(weeds))
        weeds = [0 if i == worst else w + (w > 0) for i, w in enumerate(weeds)]
    return weeds, sum(weeds)


# call: leafCount(["leaf", ["leaf", "bud"], "leaf"])
# call: leafCount(["bud"])
# call: leafCount([])
# call: leafCount([["leaf", ["leaf", ["leaf", "bud"]], "bud"], "leaf", ["bud", ["leaf"]]])
# call: leafCount("leaf")
# call: leafCount(["leaf", 3])
def leafCount(branch):
    if branch == "leaf":
        return 1
    if branch == "bud":
        return 0
    total = 0
    for part in branch:
        total = total + leafCount(part)
    return total


# call: bird_feeder(10, [3, 4, 2])
# call: bird_feeder(5, [6])
# call: bird_feeder(0, [])
# call: bird_feeder(20, [5, 1, 0, 7, 4, 2, 3, 6, 1])
# call: bird_feeder(8, [2, 2], refill=1)
# call: bird_feeder(8, 2)
def bird_feeder(grams, visits, refill=None):
    served = 0
    for eaten in visits:
        if eaten > grams:
            if refill:
                grams += refill
                continue
            break
        grams -= eaten
        served += 1
    else:
        return f"all {served} birds fed, {grams} g left"
    return f"{served} birds fed, empty at {grams} g"


# call: seed_packet("kale;2023;40")
# call: seed_packet("sweet pea; 2019 ;12")
# call: seed_packet(";;")
# call: seed_packet("purple sprouting broccoli;2021;150;organic;gift from Ann")
# call: seed_packet("leek;0;5")
# call: seed_packet("leek")
def seed_packet(label, this_year=2024):
    name, year, count, *notes = label.split(";")
    age = 0
    if year.strip():
        age = this_year - int(year)
    alive = int(count or 0)
    for _ in range(min(age, 10)):
        alive -= alive // 10
    text = f"{name.title()}: {alive} may sprout"
    return text + " *" * len(notes)


# call: moon_sowing(3)
# call: moon_sowing(29.5)
# call: moon_sowing(0)
# call: moon_sowing(1234.75)
# call: moon_sowing(-7)
# call: moon_sowing("3")
def moon_sowing(day):
    phase = day % 29.5 / 29.5
    for limit, advice in [(0.25, "leaf"), (0.5, "fruit"), (0.75, "root")]:
        if phase < limit:
            return f"sow {advice} crops ({phase:.0%})"
    return "rest"


# call: slugs(4, [1, 2, 0])
# call: slugs(1, [5])
# call: slugs(0, [3])
# call: slugs(6, [2, 4, 1, 9, 0, 3, 12, 2])
# call: slugs(2, [])
# call: slugs("4", [1])
def slugs(young, eaten_by_hedgehog):
    old = 0
    weeks = []
    for eaten in eaten_by_hedgehog:
        old, young = max(old + young - eaten, 0), old // 2
        weeks.append((old, young))
        if (old, young) == (0, 0):
            weeks.append("gone")
            break
    return weeks


# call: allotment([(0, 0, 2, 3), (2, 0, 1, 1)])
# call: allotment([(0, 0, 5, 5)])
# call: allotment([])
# call: allotment([(0, 0, 2, 2), (1, 1, 2, 2), (4, 0, 1, 3), (3, 2, 2, 2)])
# call: allotment([(0, 0, 0, 4)])
# call: allotment([(0, 0, 2)])
def allotment(beds):
    dug = {(x + dx, y + dy) for x, y, w, h in beds for dx in range(w) for dy in range(h)}
    planned = sum(w * h for _, _, w, h in beds)
    return len(dug), planned - len(dug)


# call: draw_bed(4, 2, {(0, 0): "k", (3, 1): "p"})
# call: draw_bed(1, 1, {})
# call: draw_bed(0, 0, {})
# call: draw_bed(8, 3, {(1, 0): "o", (2, 1): "leek", (7, 2): "b", (5, 1): "c"})
# call: draw_bed(2, 2, {(5, 5): "x"})
# call: draw_bed(2, 1, {(0, 0): 7})
def draw_bed(w, h, plants):
    return "\n".join("".join(plants.get((x, y), ".")[0] for x in range(w)) for y in range(h))


# call: ph_advice(6.5)
# call: ph_advice(4.8, "blueberry")
# call: ph_advice(7)
# call: ph_advice(8.25, "cabbage")
# call: ph_advice(5.0, "cactus")
# call: ph_advice(None)
def ph_advice(ph, plant="bean"):
    ranges = {"bean": (6.0, 7.0), "blueberry": (4.2, 5.2), "cabbage": (6.5, 7.5)}
    low, high = ranges.get(plant, (5.5, 7.5))
    if low <= ph <= high:
        return "leave it"
    if ph < low:
        return f"lime, {low - ph:.1f} too sour"
    return f"peat, {ph - high:.1f} too sweet"


# call: rain_barrel([4, 0, 9], [2, 2, 2])
# call: rain_barrel([30], [0])
# call: rain_barrel([], [])
# call: rain_barrel([5, 0, 12, 7, 0, 0, 1, 15], [3, 3, 3, 6, 6, 6, 3, 0], 20)
# call: rain_barrel([0, 0], [1, 1])
# call: rain_barrel([1], [None])
def rain_barrel(rain, use, size=12):
    level = spilled = short = 0
    for r, u in zip(rain, use):
        level += r
        spilled += max(level - size, 0)
        level = min(level, size)
        if u > level:
            short += u - level
        level -= min(u, level)
    return dict(level=level, spilled=spilled, short=short)


# call: best_spot([[3, 7], [6, 2]], 6)
# call: best_spot([[1]], 1)
# call: best_spot([], 5)
# call: best_spot([[2, 5, 4, 8], [3, 3, 9, 1], [6, 0, 4, 7]], 4.6)
# call: best_spot([[5, 7]], 6)
# call: best_spot([[1, "x"]], 3)
def best_spot(light, wanted):
    spots = ((abs(value - wanted), r, c) for r, row in enumerate(light) for c, value in enumerate(row))
    try:
        miss, r, c = min(spots)
    except ValueError:
        return None
    return {"row": r, "col": c, "miss": round(miss, 2)}


# call: graft(["apple", "pear"], "plum")
# call: graft(["apple"], "apple")
# call: graft([], "fig")
# call: graft(["rose", "rose", "quince", "medlar", "pear"], "hawthorn", every=3)
# call: graft(["a", "b"], "c", every=1)
# call: graft(["a", "b"], "c", every=0)
def graft(branches, scion, every=2):
    out = branches
    for i in range(len(branches)):
        if i % every == 0:
            out[i] = scion + "/" + branches[i]
    return out is branches, out


# call: potting([3, 8, 5], [4, 6, 10])
# call: potting([1], [1])
# call: potting([], [2])
# call: potting([9, 2, 4, 7, 5, 12], [3, 5, 8, 10, 10, 4])
# call: potting([5], [3])
# call: potting([5, None], [6, 6])
def potting(roots, pots):
    """Give each plant, the largest first, the tightest pot that still fits."""
    free = sorted(pots)
    plan = {}
    for root in sorted(roots, reverse=True):
        pot = next((p for p in free if p >= root), None)
        if pot is not None:
            free.remove(pot)
        plan[root] = pot
    return plan, free


# call: mulch_bags(3.2, 1.5)
# call: mulch_bags(10, 10, depth_cm=8)
# call: mulch_bags(0, 4)
# call: mulch_bags(12.75, 0.8, depth_cm=7.5, bag_litres=40)
# call: mulch_bags(-1, 2)
# call: mulch_bags(1, 2, bag_litres=0)
def mulch_bags(length, width, depth_cm=5, bag_litres=60):
    import math
    litres = length * width * depth_cm * 10
    return math.ceil(litres / bag_litres)


# call: bloom_calendar([("tulip", 4, 5), ("aster", 9, 10)])
# call: bloom_calendar([("rose", 6, 6)])
# call: bloom_calendar([])
# call: bloom_calendar([("crocus", 2, 3), ("rose", 6, 9), ("lavender", 6, 8), ("aster", 9, 10), ("hellebore", 12, 2)])
# call: bloom_calendar([("odd", 0, 13)])
# call: bloom_calendar([("rose", "June", "July")])
def bloom_calendar(flowers):
    months = ["-"] * 12
    for name, first, last in flowers:
        for m in range(first - 1, last):
            months[m % 12] = name[0]
    return "".join(months)


# call: bloom_gap("--tt-rrr-aa-")
# call: bloom_gap("tttt")
# call: bloom_gap("")
# call: bloom_gap("c--tt---rrrll-aaa---x")
# call: bloom_gap("----")
# call: bloom_gap(["t", "-"])
def bloom_gap(calendar):
    bare = []
    start = calendar.find("-")
    while start != -1:
        end = start
        while end < len(calendar) and calendar[end] == "-":
            end += 1
        bare.append(f"{start + 1}-{end}" if end - start > 1 else str(end))
        start = calendar.find("-", end)
    return bare


# call: harvest_log(["2 kg kale", "0.5 kg peas"])
# call: harvest_log(["300 g mint"])
# call: harvest_log([])
# call: harvest_log(["1.25 kg leeks", "250 g chives", "3 kg kale", "900 g kale", "40 g mint", "0.1 kg mint"])
# call: harvest_log(["2 lb plums"])
# call: harvest_log(["kale"])
def harvest_log(entries):
    grams = {}
    for entry in entries:
        amount, unit, crop = entry.split(maxsplit=2)
        factor = {"kg": 1000, "g": 1}.get(unit)
        if factor is None:
            grams.setdefault("?", []).append(entry)
            continue
        grams[crop] = grams.get(crop, 0) + int(float(amount) * factor)
    return grams


# call: Bed([("leek", 3)]).add("kale", 2).totals()
# call: Bed().add("pea", 1).add("pea", 4).totals()
# call: Bed().totals()
# call: Bed([("a", 1), ("b", 2)]).add("c", 3).add("a", 9).add("d", 0).add("b", -2).totals()
# call: Bed([("a", 0)]).totals()
# call: Bed([("a",)]).totals()
class Bed:
    def __init__(self, rows=()):
        self.rows = list(rows)

    def add(self, crop, n):
        return Bed(self.rows + [(crop, n)])

    def __len__(self):
        return len(self.rows)

    def totals(self):
        sums = {}
        for crop, n in self.rows:
            sums[crop] = sums.get(crop, 0) + n
        return {crop: n for crop, n in sums.items() if n}, len(self)


# call: prune({"trunk": {"left": {}, "right": {"twig": {}}}}, 2)
# call: prune({"a": {}}, 1)
# call: prune({}, 3)
# call: prune({"t": {"l": {"l1": {"l2": {}}, "l3": {}}, "r": {"r1": {}}, "m": {}}}, 3)
# call: prune({"a": {"b": {}}}, 0)
# call: prune({"a": None}, 2)
def prune(tree, levels):
    if levels == 0:
        return {}
    return {name: prune(branch, levels - 1) for name, branch in tree.items()}


# call: branch_names({"trunk": {"left": {}, "right": {"twig": {}}}})
# call: branch_names({"a": {}, "b": {}})
# call: branch_names({})
# call: branch_names({"t": {"l": {"l1": {"l2": {}}, "l3": {}}, "r": {"r1": {}}}, "sucker": {}})
# call: branch_names({"": {"x": {}}})
# call: branch_names(["a"])
def branch_names(tree):
    def tips(tree, path):
        for name, below in tree.items():
            here = path + "/" + name if path else name
            if below:
                yield from tips(below, here)
            else:
                yield here

    return ", ".join(tips(tree, ""))


# call: lawn_stripes(5, 3)
# call: lawn_stripes(2, 2, "/\\")
# call: lawn_stripes(0, 1)
# call: lawn_stripes(9, 4, "=-")
# call: lawn_stripes(3, 2, "x")
# call: lawn_stripes(3, "2")
def lawn_stripes(width, height, pattern="||.."):
    rows = []
    for y in range(height):
        row = ""
        for x in range(width):
            row += pattern[(x + 2 * y) % len(pattern)]
        rows.append(row)
    return rows


# call: frost_cover([3.5, -1, 0.5, -4])
# call: frost_cover([5])
# call: frost_cover([])
# call: frost_cover([2.0, 0.0, -0.5, -3.25, -6, -2.5, 1, 4, -1, 0.25])
# call: frost_cover([-10, -10], 1)
# call: frost_cover([1, "cold"])
def frost_cover(nights, fleece=2):
    plan, on = "", False
    for low in nights:
        if low < 0 and not on and fleece:
            on, fleece = True, fleece - 1
        elif low >= 1:
            on = False
        plan += "F" if on else "!" if low < 0 else "."
    return plan, fleece


# call: tidy_names(["  Kale", "LEEK ", "sweet  pea"])
# call: tidy_names(["kale", "Kale"])
# call: tidy_names([])
# call: tidy_names(["Rosé", "dog rose", "ROSE", "  wild   rose ", "tea-rose", "rose!", "Rose"])
# call: tidy_names(["", "   "])
# call: tidy_names(["kale", None])
def tidy_names(labels):
    tidy = []
    for label in labels:
        clean = " ".join(label.split()).capitalize()
        while clean in tidy:
            clean += "'"
        tidy.append(clean)
    return tidy


# call: pollinate([1, 0, 1], [0.5, 0.25, 0.1])
# call: pollinate([1], [1.0])
# call: pollinate([], [])
# call: pollinate([2, 0, 3, 1, 4, 0], [0.1, 0.2, 0.3, 0.4, 0.5, 0.6])
# call: pollinate([1, 1], [0.5])
# call: pollinate([None], [0.5])
def pollinate(bees, chance):
    from functools import reduce
    missed = reduce(lambda left, pair: left * (1 - pair[1]) ** pair[0], zip(bees, chance), 1.0)
    return round(1 - missed, 4)


# call: nursery(4, {"pot": 2, "tray": 6})
# call: nursery(13, {"tray": 6, "pot": 1})
# call: nursery(0, {"pot": 1})
# call: nursery(47, {"bench": 24, "tray": 12, "box": 5, "pot": 1})
# call: nursery(5, {"tray": 2, "bench": 10})
# call: nursery(5, {"none": 0})
def nursery(seedlings, holders):
    packed = {}
    for holder in sorted(holders, key=holders.get, reverse=True):
        packed[holder], seedlings = divmod(seedlings, holders[holder])
    if seedlings:
        packed["loose"] = seedlings
    return packed


# call: path_tiles(10, 3)
# call: path_tiles(6, 2)
# call: path_tiles(0, 1)
# call: path_tiles(25, 4, "brick", "slate", "moss")
# call: path_tiles(3, 5)
# call: path_tiles(-4, 2)
def path_tiles(length, every, *kinds):
    kinds = kinds or ("stone",)
    path = []
    while len(path) < length:
        step = len(path) // every
        path.append(kinds[step % len(kinds)][0] if len(path) % every else "+")
    return "".join(path)


# call: gnome_walk([[".", "G"], [".", "."]])
# call: gnome_walk([["G"]])
# call: gnome_walk([])
# call: gnome_walk([[".", "#", "."], [".", "G", "."], [".", ".", "."], ["#", ".", "."]])
# call: gnome_walk([["."], ["."]])
# call: gnome_walk([["G", "."], 5])
def gnome_walk(garden):
    # the gnome slides down until a wall or the fence
    for r, row in enumerate(garden):
        if "G" in row:
            c = row.index("G")
            break
    else:
        return "no gnome"
    while r + 1 < len(garden) and garden[r + 1][c] == ".":
        garden[r][c], garden[r + 1][c] = ".", "G"
        r += 1
    return ["".join(row) for row in garden]


# call: swap_seeds({"ann": ["kale"], "bo": ["leek", "pea"]}, "bo", "ann", "pea")
# call: swap_seeds({"ann": ["kale"], "bo": []}, "ann", "bo", "kale")
# call: swap_seeds({}, "a", "b", "c")
# call: swap_seeds({"ann": ["a", "b", "c"], "bo": ["d"], "cy": ["e", "f"]}, "ann", "cy", "b")
# call: swap_seeds({"ann": ["kale"]}, "ann", "ann", "kale")
# call: swap_seeds({"ann": ["kale"], "bo": []}, "ann", "bo", "leek")
def swap_seeds(boxes, giver, taker, seed):
    try:
        boxes[giver].remove(seed)
    except KeyError:
        return f"who is {giver}?"
    except ValueError as problem:
        boxes["error"] = type(problem).__name__
    else:
        boxes.setdefault(taker, []).append(seed)
    finally:
        boxes["tried"] = seed
    return boxes


# call: shade_hours("xx..x", 8)
# call: shade_hours("x", 12)
# call: shade_hours("", 6)
# call: shade_hours(".xx.xxx...x..xx", 5)
# call: shade_hours("....", 22)
# call: shade_hours("x.", "8")
def shade_hours(marks, first):
    hours = [(first + i) % 24 for i, m in enumerate(marks) if m == "x"]
    return {"hours": hours, "noon": 12 in hours, "share": "{:.0%}".format(len(hours) / (len(marks) or 1))}


# call: flower_price("rose", 12)
# call: flower_price("tulip", 3, wrap=True)
# call: flower_price("lily", 0)
# call: flower_price("peony", 25, wrap=True)
# call: flower_price("nettle", 2)
# call: flower_price("rose", "dozen")
def flower_price(kind, stems, wrap=False):
    each = dict(rose=2.5, tulip=0.8, lily=3.2, peony=4.1)
    price = each.get(kind, 0) * stems
    discounts = [(20, 0.8), (10, 0.9)]
    for least, factor in discounts:
        if stems >= least:
            price *= factor
            break
    return price + wrap * 1.5


# call: worm_bin([3, 1, 2])
# call: worm_bin([10], worms=50)
# call: worm_bin([])
# call: worm_bin([4, 0, 6, 2, 8, 1, 0, 0, 5], worms=20)
# call: worm_bin([0, 0, 0], worms=1)
# call: worm_bin([1, None])
def worm_bin(scraps, worms=8):
    heap = 0.0
    for day, kilos in enumerate(scraps):
        heap += kilos
        eaten = min(heap, worms * 0.25)
        heap -= eaten
        worms += 1 if eaten >= 1 else -1
        if worms == 0:
            return "day %d: no worms" % day
    return worms, heap


# call: onion_string(["red", "white", "red"])
# call: onion_string(["white"])
# call: onion_string([])
# call: onion_string(["red", "red", "white", "gold", "gold", "gold", "red", "white", "white", "red"])
# call: onion_string(["blue", "blue"])
# call: onion_string(["red", 2])
def onion_string(onions):
    from itertools import groupby
    knots = [(colour, len(list(same))) for colour, same in groupby(onions)]
    return "-".join(colour[0].upper() * n for colour, n in knots), max(knots, key=lambda k: k[1], default=())


# call: trellis(3, 5)
# call: trellis(1, 1)
# call: trellis(0, 4)
# call: trellis(4, 12, gap=3)
# call: trellis(2, 5, gap=9)
# call: trellis(2, 5, gap=0)
def trellis(rows, cols, gap=2):
    picture = []
    for r in range(rows):
        posts = {c for c in range(cols) if (c + r) % gap == 0}
        picture.append("".join("X" if c in posts else "_" for c in range(cols)))
    return picture
