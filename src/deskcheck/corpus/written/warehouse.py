# call: pick_order({"A": 4, "B": 2}, {"A": 3})
# call: pick_order({"A": 4, "B": 2}, {"A": 5, "B": 2})
# call: pick_order({}, {})
# call: pick_order({"a": 9, "b": 1, "c": 4, "d": 2, "e": 7}, {"e": 7, "c": 5, "a": 1, "z": 2})
# call: pick_order({"A": 1}, {"A": 0})
# call: pick_order({"A": 1}, ["A"])
def pick_order(stock, order):
    picked, missing = {}, {}
    for article, wanted in order.items():
        got = min(wanted, stock.get(article, 0))
        if got:
            picked[article] = got
            stock[article] -= got
            if not stock[article]:
                del stock[article]
        if got < wanted:
            missing[article] = wanted - got
    return picked, missing, stock


# call: Bin("A1", 10).add(4).add(5)
# call: Bin("A1", 10).add(12)
# call: Bin("", 0).add(0)
# call: Bin("B2", 8).add(3).add(3).add(3).add(3)
# call: Bin("C", 5).add(-1)
# call: Bin("C", 5).add(None)
from dataclasses import dataclass


@dataclass
class Bin:
    name: str
    room: int
    held: int = 0
    spilled: int = 0

    def add(self, count):
        free = self.room - self.held
        stays = min(count, free)
        self.held += stays
        self.spilled += count - stays
        return self


# call: fifo_issue([(5, 10), (3, 12)], 6)
# call: fifo_issue([(5, 10)], 5)
# call: fifo_issue([], 0)
# call: fifo_issue([(4, 100), (2, 110), (9, 95), (1, 200), (6, 120)], 13)
# call: fifo_issue([(2, 10)], 5)
# call: fifo_issue([(2, 10)], "5")
from collections import deque


def fifo_issue(batches, wanted):
    queue = deque(batches)
    cost = 0
    while wanted > 0 and queue:
        count, price = queue.popleft()
        used = count if count <= wanted else wanted
        cost += used * price
        wanted -= used
        if count > used:
            queue.appendleft((count - used, price))
    return cost, wanted, list(queue)


# call: aisles_of(["A1", "A2", "B1"])
# call: aisles_of(["C7"])
# call: aisles_of([])
# call: aisles_of(["B3", "A1", "B1", "C2", "A9", "B2", "A4"])
# call: aisles_of(["AA12", "A2"])
# call: aisles_of(["A", "B1"])
def aisles_of(locations):
    aisles = {}
    for loc in locations:
        aisles.setdefault(loc[0], set()).add(int(loc[1:]))
    return {a: sorted(shelves) for a, shelves in sorted(aisles.items())}


# call: walk_route(["A3", "B1", "A1"])
# call: walk_route(["B2", "B1"])
# call: walk_route([])
# call: walk_route(["A1", "A5", "B2", "B7", "C1", "C3", "D9", "D4"])
# call: walk_route(["A1", "C1", "C2"])
# call: walk_route([1, 2])
def walk_route(stops):
    """Snake through the aisles: up the first, down the second ..."""
    route = []
    up = True
    for aisle in sorted({s[0] for s in stops}):
        here = sorted((s for s in stops if s[0] == aisle), key=lambda s: int(s[1:]), reverse=not up)
        route.extend(here)
        up = not up
    return route


# call: fill_boxes([3, 5, 2, 4], 7)
# call: fill_boxes([6], 6)
# call: fill_boxes([], 5)
# call: fill_boxes([4, 8, 1, 4, 2, 1, 7, 3, 3, 2], 10)
# call: fill_boxes([9, 1], 8)
# call: fill_boxes([1, "2"], 8)
class TooBig(ValueError):
    pass


def fill_boxes(weights, limit):
    boxes = [[]]
    for weight in weights:
        if weight > limit:
            raise TooBig(weight)
        if sum(boxes[-1]) + weight > limit:
            boxes.append([])
        boxes[-1].append(weight)
    return boxes


# call: conveyor(["a", "b", "c"], 1)
# call: conveyor(["a", "b", "c", "d"], -1)
# call: conveyor([], 3)
# call: conveyor(["p1", "p2", "p3", "p4", "p5", "p6"], 8, drop="p2")
# call: conveyor(["a", "b"], 0, drop="z")
# call: conveyor(["a", "b"], "1")
from collections import deque


def conveyor(parcels, turns, drop=None):
    belt = deque(parcels, maxlen=5)
    belt.rotate(turns)
    if drop is not None:
        try:
            belt.remove(drop)
        except ValueError:
            belt.append("?" + drop)
    return list(belt)


# call: crane_program("push box; push jar; pop; push tin")
# call: crane_program("push a")
# call: crane_program("")
# call: crane_program("push a; push b; dup; push c; swap; pop; turn")
# call: crane_program("push a; pop; pop")
# call: crane_program("lift a")
def crane_program(program):
    stack = []
    for command in filter(None, program.split("; ")):
        match command.split():
            case ["push", name]:
                stack.append(name)
            case ["pop"]:
                stack.pop()
            case ["dup"]:
                stack.append(stack[-1])
            case ["swap"]:
                stack[-1], stack[-2] = stack[-2], stack[-1]
            case ["turn"]:
                stack.reverse()
            case other:
                raise ValueError(f"unknown command {other}")
    return stack


# call: tally_scans(["nut", "bolt", "nut"])
# call: tally_scans(["x"])
# call: tally_scans([])
# call: tally_scans(["nut", "nail", "nut", "saw", "-nut", "nail", "-saw", "nail", "-gum"])
# call: tally_scans(["-nut"])
# call: tally_scans(["nut", 3])
from collections import Counter


def tally_scans(codes):
    counts = Counter()
    for code in codes:
        if code.startswith("-"):
            counts[code[1:]] -= 1
        else:
            counts[code] += 1
    return counts.most_common(3), dict(+counts), -1 in counts.values()


# call: grid_bins(2, 3)
# call: grid_bins(1, 1)
# call: grid_bins(0, 4)
# call: grid_bins(4, 3)
# call: grid_bins(2, -1)
# call: grid_bins("2", 2)
def grid_bins(rows, columns):
    bins = [[0] * columns] * rows
    for r in range(rows):
        for c in range(columns):
            bins[r][c] += r + c
    return bins


# call: transfer_between_sites({"north": {"nut": 5}}, "north", "south", "nut", 2)
# call: transfer_between_sites({"n": {"nut": 5}, "s": {"nut": 1}}, "n", "s", "nut", 5)
# call: transfer_between_sites({"n": {}}, "n", "n", "x", 0)
# call: transfer_between_sites({"n": {"nut": 5, "cap": 2}, "s": {"cap": 7, "rod": 1}, "w": {"rod": 4}}, "s", "w", "cap", 6)
# call: transfer_between_sites({"n": {"nut": 1}}, "n", "n", "nut", 1)
# call: transfer_between_sites({"n": {"nut": 1}}, "n", "s", "nut", 2)
def transfer_between_sites(sites, source, target, article, count):
    give = sites[source]
    take = sites.setdefault(target, {})
    if give.get(article, 0) < count:
        raise LookupError(f"{source} has only {give.get(article, 0)} {article}")
    take[article] = take.get(article, 0) + count
    give[article] = give.get(article, 0) - count
    return sites


# call: oldest_first([("milk", 3), ("ham", 1)], 2)
# call: oldest_first([("tea", 90)], 5)
# call: oldest_first([], 1)
# call: oldest_first([("milk", 4), ("ham", 2), ("jam", 60), ("egg", 9), ("fish", 1), ("rice", 200), ("figs", 9)], 4)
# call: oldest_first([("a", 1), ("b", 1), ("c", 1)], 2)
# call: oldest_first([("a", 1), ("b", None)], 1)
import heapq


def oldest_first(goods, n):
    heap = []
    for position, (name, days) in enumerate(goods):
        heapq.heappush(heap, (days, position, name))
    out = []
    while heap and len(out) < n:
        days, _, name = heapq.heappop(heap)
        out.append(name if days > 1 else name + "!")
    return out, len(heap)


# call: shelf_label(3, 12)
# call: shelf_label(0, 0)
# call: shelf_label(27, 4, level=2)
# call: shelf_label(701, 99, level=5)
# call: shelf_label(-1, 7)
# call: shelf_label(1.5, 2)
def shelf_label(aisle, shelf, level=0):
    letters = ""
    n = aisle + 1
    while n > 0:
        n, r = divmod(n - 1, 26)
        letters = chr(65 + r) + letters
    return f"{letters or '?'}-{shelf:02d}" + (f".{level}" if level else "")


# call: dockPlan([("t1", 8, 10), ("t2", 9, 11)], 2)
# call: dockPlan([("t1", 8, 9), ("t2", 9, 10)], 1)
# call: dockPlan([], 1)
# call: dockPlan([("t1", 6, 9), ("t2", 7, 8), ("t3", 8, 12), ("t4", 8, 9), ("t5", 9, 10), ("t6", 11, 12)], 2)
# call: dockPlan([("t1", 8, 12), ("t2", 9, 10)], 1)
# call: dockPlan([("t1", 8, 10)], 0)
def dockPlan(trucks, docks):
    freeAt = [0] * docks
    plan = {}
    for truck, arrives, leaves in trucks:
        best = min(range(docks), key=lambda d: freeAt[d])
        if freeAt[best] > arrives:
            leaves += freeAt[best] - arrives
            plan[truck] = (best, freeAt[best])
        else:
            plan[truck] = (best, arrives)
        freeAt[best] = leaves
    return plan


# call: count_cycle([("A1", 5, 5), ("A2", 3, 4)])
# call: count_cycle([("A1", 10, 9)])
# call: count_cycle([])
# call: count_cycle([("A1", 5, 5), ("A2", 12, 8), ("B1", 0, 2), ("B2", 7, 7), ("C1", 100, 99), ("C2", 1, 0)])
# call: count_cycle([("A1", 0, 0)])
# call: count_cycle([("A1", 5, None)])
def count_cycle(counts):
    report = []
    exact = 0
    for place, book, found in counts:
        difference = found - book
        if not difference:
            exact += 1
            continue
        report.append(f"{place}{difference:+}")
    accuracy = round(exact / len(counts) * 100, 1) if counts else 100.0
    return report, accuracy


# call: reserve({"nut": 10}, [("ann", "nut", 4), ("bob", "nut", 7)])
# call: reserve({"nut": 10}, [("ann", "nut", 10)])
# call: reserve({}, [])
# call: reserve({"nut": 6, "cap": 3}, [("a", "cap", 1), ("b", "nut", 6), ("c", "cap", 3), ("d", "nut", 1), ("e", "cap", 2)])
# call: reserve({"nut": 1}, [("a", "rod", 1)])
# call: reserve({"nut": 1}, [("a", "nut")])
def reserve(free, requests):
    accepted, refused = [], []
    for who, what, number in requests:
        target = accepted if free.get(what, 0) >= number else refused
        if target is accepted:
            free[what] -= number
        target.append(who)
    return dict(accepted=accepted, refused=refused, free=free)


# call: consolidate({"A1": {"nut": 2}, "A2": {"nut": 3}})
# call: consolidate({"A1": {"nut": 2, "cap": 1}})
# call: consolidate({})
# call: consolidate({"A1": {"nut": 2, "cap": 9}, "A2": {"rod": 1}, "B1": {"cap": 4, "nut": 8}, "B2": {}, "B3": {"rod": 6}})
# call: consolidate({"A1": {"nut": 0}, "A2": {"nut": 0}})
# call: consolidate({"A1": ["nut"]})
def consolidate(bins):
    best = {}
    for place, content in bins.items():
        for article, count in content.items():
            if article not in best or count > best[article][1]:
                best[article] = (place, count)
    moves = [
        (article, place, best[article][0], count)
        for place, content in bins.items()
        for article, count in content.items()
        if place != best[article][0]
    ]
    return moves


# call: serials("AB", 3)
# call: serials("X", 2, start=98)
# call: serials("", 0)
# call: serials("PK", 6, start=7, step=13)
# call: serials("N", 3, step=0)
# call: serials("N", -1, start="1")
def number_plates(prefix, number, step):
    while True:
        check = sum(map(int, str(number))) % 7
        yield f"{prefix}{number:03d}-{check}"
        number += step


def serials(prefix, count, start=1, step=1):
    plates = number_plates(prefix, start, step)
    return [next(plates) for _ in range(count)]


# call: unpack_pallet(["nut", ["cap", "rod"], "pin"])
# call: unpack_pallet(["a"])
# call: unpack_pallet([])
# call: unpack_pallet(["a", ["b", ["c", ["d", []], "e"]], ["f"]], 1)
# call: unpack_pallet([[["deep"]]], 0)
# call: unpack_pallet("box")
def unpack_pallet(content, depth=9):
    articles = []
    for thing in content:
        if isinstance(thing, list) and depth:
            articles += unpack_pallet(thing, depth - 1)
        else:
            articles.append(thing)
    return articles


# call: pallet_height([("box", 30), ("crate", 45)])
# call: pallet_height([("box", 30)], base=0)
# call: pallet_height([])
# call: pallet_height([("crate", 45), ("box", 30), ("tray", 8), ("crate", 60), ("tray", 9), ("box", 33), ("bag", 12)])
# call: pallet_height([("steel", 200)])
# call: pallet_height([("box", "30")])
def pallet_height(layers, base=15, limit=180):
    height = base
    for number, (kind, size) in enumerate(layers, 1):
        if height + size > limit:
            return f"layer {number} ({kind}) is {height + size - limit} cm too high"
        height += size
    return height


# call: receive_goods(["A1 3", "B2 1"])
# call: receive_goods(["A1 3", "A1 4"])
# call: receive_goods([])
# call: receive_goods(["A1 2", "C3 9", "B2 5", "A1 1", "C3 -9", "D4 0"])
# call: receive_goods(["A1 -2"])
# call: receive_goods(["A1 two"])
def receive_goods(slips):
    places, rejected = {}, []
    for slip in slips:
        place, amount = slip.split()
        new = places.get(place, 0) + int(amount)
        if new < 0:
            rejected.append(slip)
            continue
        places[place] = new
        if new == 0:
            places.pop(place)
    return places, rejected


# call: Forklift({"A": ["p1", "p2"], "B": []}).shift("A", "B")
# call: Forklift({"A": ["p1"], "B": ["p9"]}).shift("B", "A", 1)
# call: Forklift({"A": []}).shift("A", "A", 0)
# call: Forklift({"dock": ["p1", "p2", "p3", "p4"], "hall": ["q1"]}).shift("dock", "hall", 3)
# call: Forklift({"A": ["p1", "p2", "p3"]}).shift("A", "A", 2)
# call: Forklift({"A": ["p1"], "B": []}).shift("A", "C")
class Forklift:
    def __init__(self, places):
        self.places = places
        self.trips = 0

    def shift(self, source, target, count=2):
        stack = self.places[source]
        load = stack[-count:]
        del stack[-count:]
        self.places[target] += reversed(load)
        self.trips += 1 if load else 0
        return self.places, self.trips


# call: two_names(["nut"], "bolt")
# call: two_names([], "nail")
# call: two_names([], "")
# call: two_names(["a", "b", "c", "d", "e", "f"], "c")
# call: two_names(["x", "x"], "x")
# call: two_names(("nut",), "bolt")
def two_names(shelf, item):
    front = shelf
    back = shelf[:]
    if item in front:
        front.remove(item)
        back.insert(0, item)
    else:
        front.insert(0, item)
    back[1:1] = front
    return {"shelf": shelf, "back": back, "equal": front == back, "same": front is shelf}


# call: Rack(["nut", "cap"]).swap(0, 1).listed()
# call: Rack(["a", "b", "c"]).swap(0, -1).listed()
# call: Rack([]).listed()
# call: Rack(["a", "b", "c", "d", "e"]).swap(1, 3).swap(0, 4).swap(1, 1).listed()
# call: Rack(["a", "b"]).swap(-2, 1).listed()
# call: Rack(["a"]).swap(0, 1).listed()
class Rack:
    def __init__(self, items, parent=None):
        self.items = items
        self.parent = parent

    def swap(self, i, j):
        fresh = Rack(self.items, self)  # shares the list
        fresh.items[i], fresh.items[j] = fresh.items[j], fresh.items[i]
        return fresh

    def listed(self):
        history = [self.items]
        rack = self
        while rack.parent is not None:
            rack = rack.parent
            history.append(rack.items)
        return history


# call: turnover_rank({"nut": 80, "cap": 15, "rod": 5})
# call: turnover_rank({"nut": 1})
# call: turnover_rank({})
# call: turnover_rank({"a": 500, "b": 20, "c": 310, "d": 45, "e": 90, "f": 5, "g": 30})
# call: turnover_rank({"a": 0, "b": 0})
# call: turnover_rank({"a": -5, "b": 10})
from itertools import accumulate


def turnover_rank(turnover):
    ordered = sorted(turnover.items(), key=lambda kv: -kv[1])
    sums = list(accumulate(value for _, value in ordered))
    marks = {}
    for (name, _), running in zip(ordered, sums):
        share = running / sums[-1]
        marks[name] = "A" if share <= 0.8 else "B" if share <= 0.95 else "C"
    return marks


# call: packs_to_order({"nut": (4, 10), "cap": (20, 10)})
# call: packs_to_order({"nut": (9, 10)}, pack=5)
# call: packs_to_order({})
# call: packs_to_order({"a": (1, 30), "b": (0, 12), "c": (7, 7), "d": (100, 5), "e": (3, 4)}, pack=12)
# call: packs_to_order({"a": (-5, 0)})
# call: packs_to_order({"a": (1, 2)}, pack=0)
def packs_to_order(levels, pack=10):
    lines = []
    for article, (stock, least) in levels.items():
        if (gap := least - stock) > 0:
            packs = -(-gap // pack)
            lines.append(f"{packs} x {pack} {article}")
    return lines or "nothing to order"


# call: stocktake_diff({"nut": 3}, {"nut": 3, "cap": 1})
# call: stocktake_diff({"nut": 3}, {"nut": 5})
# call: stocktake_diff({}, {})
# call: stocktake_diff({"a": 1, "b": 2, "c": 3, "d": 4}, {"b": 2, "c": 30, "e": 5, "f": 6})
# call: stocktake_diff({"a": None}, {"a": 0})
# call: stocktake_diff({"a": 1}, ["a"])
def stocktake_diff(before, after):
    gone = before.keys() - after.keys()
    came = after.keys() - before.keys()
    other = {k: (before[k], after[k]) for k in before.keys() & after.keys() if before[k] != after[k]}
    return sorted(gone), sorted(came), dict(sorted(other.items()))


# call: copy_layout([["a"], ["b"]])
# call: copy_layout([["a", "b"], []])
# call: copy_layout([])
# call: copy_layout([["a", "b", "c"], ["d"], ["e", "f"], []])
# call: copy_layout([[["nested"]], ["x"]])
# call: copy_layout([["a"], "bc"])
def copy_layout(layout):
    shallow = list(layout)
    deep = [list(row) for row in layout]
    for row in shallow:
        row.append("new")
    shallow.append(["only here"])
    return layout, len(shallow), deep


# call: queue_trucks(["in red", "in blue", "out"])
# call: queue_trucks(["in a", "skip", "out"])
# call: queue_trucks([])
# call: queue_trucks(["in a", "in b", "in c", "front d", "skip", "out", "back b", "out", "in e", "out"])
# call: queue_trucks(["out"])
# call: queue_trucks(["in a", "back z"])
from collections import deque


def queue_trucks(events):
    lane, gone = deque(), []
    for event in events:
        verb, _, truck = event.partition(" ")
        if verb == "in":
            lane.append(truck)
        elif verb == "front":
            lane.appendleft(truck)
        elif verb == "skip" and len(lane) > 1:
            lane.rotate(-1)
        elif verb == "back":
            lane.remove(truck)
            lane.append(truck)
        elif verb == "out":
            gone.append(lane.popleft() if lane else None)
    return gone, list(lane)


# call: Inventory(nut=3).apply("+cap", "-nut")
# call: Inventory().apply("+a", "+a")
# call: Inventory().apply()
# call: Inventory(nut=2, cap=1).apply("+nut", "-cap", "+rod", "-nut", "-nut", "-nut", "+cap", "+cap")
# call: Inventory(a=1).apply("-b")
# call: Inventory(a="1").apply("+a")
class Inventory:
    def __init__(self, **stock):
        self.stock = stock

    def __iadd__(self, name):
        self.stock[name] = self.stock.get(name, 0) + 1
        return self

    def __isub__(self, name):
        if self.stock[name] == 1:
            del self.stock[name]
        else:
            self.stock[name] -= 1
        return self

    def __len__(self):
        return sum(self.stock.values())

    def apply(self, *changes):
        for change in changes:
            if change[0] == "+":
                self += change[1:]
            else:
                self -= change[1:]
        return self.stock, len(self)


# call: expiring([("milk", "2024-03-02"), ("rice", "2025-01-01")], "2024-03-01")
# call: expiring([("ham", "2024-02-29")], "2024-02-27")
# call: expiring([], "2024-01-01")
# call: expiring([("milk", "2024-03-02"), ("egg", "2024-03-10"), ("fish", "2024-02-28"), ("jam", "2026-01-01"), ("fig", "2024-03-08")], "2024-03-01", 9)
# call: expiring([("old", "1999-12-31")], "2000-01-01")
# call: expiring([("bad", "2023-02-29")], "2023-01-01")
from datetime import date


def expiring(goods, today, within=7):
    now = date.fromisoformat(today)
    soon = []
    for name, text in goods:
        left = (date.fromisoformat(text) - now).days
        if left <= within:
            soon.append((left, name))
    soon.sort()
    return [f"{name}: {'gone' if left < 0 else left}" for left, name in soon]


# call: split_pick([("nut", 12), ("cap", 5)], ["ann", "bob"])
# call: split_pick([("nut", 1)], ["ann", "bob"])
# call: split_pick([], ["ann"])
# call: split_pick([("nut", 10), ("cap", 3), ("rod", 7), ("pin", 0)], ["ann", "bob", "cy"])
# call: split_pick([("nut", -3)], ["ann", "bob"])
# call: split_pick([("nut", 4)], [])
def split_pick(lines, pickers):
    tasks = {p: {} for p in pickers}
    for article, count in lines:
        each, extra = divmod(count, len(pickers))
        for i, picker in enumerate(pickers):
            share = each + (i < extra)
            if share:
                tasks[picker][article] = share
    return tasks


# call: locate({"hall": {"A": ["nut", "cap"]}}, "cap")
# call: locate({"hall": {"A": ["nut"]}, "yard": {"Z": ["rod"]}}, "rod")
# call: locate({}, "nut")
# call: locate({"h1": {"A": ["a", "b"], "B": ["c"]}, "h2": {"A": [], "C": ["d", "e", "c"]}, "h3": {}}, "c")
# call: locate({"h": {"A": ["nut"]}}, "ghost")
# call: locate({"h": {"A": "nutcap"}}, "u")
def locate(halls, article):
    return [
        f"{hall}/{aisle}/{position}"
        for hall, aisles in halls.items()
        for aisle, row in aisles.items()
        for position, found in enumerate(row)
        if found == article
    ]


# call: returns_desk([("shoe", "torn"), ("hat", "new")])
# call: returns_desk([("hat", "worn")])
# call: returns_desk([])
# call: returns_desk([("shoe", "new"), ("hat", "torn"), ("bag", "new"), ("sock", "worn"), ("bag", "wet"), ("cap", "new")])
# call: returns_desk([("hat", "NEW")])
# call: returns_desk([("hat", None)])
def returns_desk(items):
    bins = {"shelf": [], "repair": [], "waste": []}
    route = {"new": "shelf", "worn": "repair", "torn": "repair"}
    for name, state in items:
        box = bins[route.get(state.lower(), "waste")]
        box.append(name)
        box.sort(key=len)
    return {k: v for k, v in bins.items() if v}


# call: weigh_in([("a", 10.04), ("b", 5.5)])
# call: weigh_in([("a", 0.1), ("b", 0.2)])
# call: weigh_in([])
# call: weigh_in([("a", 12.345), ("b", 7.655), ("c", 30.0), ("d", 0.05), ("e", 2.675), ("f", 1e3)])
# call: weigh_in([("a", -1.5)])
# call: weigh_in([("a", "heavy")])
def weigh_in(parcels):
    total = 0.0
    classes = []
    for name, kilos in parcels:
        if kilos <= 0:
            classes.append((name, "error"))
            continue
        total += kilos
        classes.append((name, "S" if kilos < 2 else "M" if kilos < 10 else "L"))
    return classes, round(total, 2), total == round(total, 2)


# call: chain_moves({"A": "nut", "B": None}, ["A>B"])
# call: chain_moves({"A": "x", "B": "y", "T": None}, ["A>T", "B>A", "T>B"])
# call: chain_moves({}, [])
# call: chain_moves({"A": 1, "B": 2, "C": 3, "D": None}, ["C>D", "B>C", "A>B", "D>A", "A>D"])
# call: chain_moves({"A": "x", "B": "y"}, ["A>B"])
# call: chain_moves({"A": "x"}, ["A-B"])
def chain_moves(slots, moves):
    done = []
    try:
        for move in moves:
            source, target = move.split(">")
            if slots[target] is not None:
                raise RuntimeError(f"{target} holds {slots[target]}")
            slots[target], slots[source] = slots[source], None
            done.append(move)
    except RuntimeError as full:
        done.append(str(full))
    finally:
        done.append(len(moves))
    return slots, done


# call: Batch("nut", 5).halve().text()
# call: Batch("cap", 8).merge("cap", 2).text()
# call: Batch("", 0).text()
# call: Batch("rod", 21).halve().halve().merge("rod", 4).halve().text()
# call: Batch("nut", 1).halve().text()
# call: Batch("nut", 1).merge("cap", 1).text()
from dataclasses import dataclass, field, replace


@dataclass(frozen=True)
class Batch:
    article: str
    count: int
    history: tuple = field(default=(), compare=False)

    def halve(self):
        return replace(self, count=self.count // 2, history=self.history + ("half",))

    def merge(self, article, count):
        other = Batch(article, count)
        if other.article != self.article:
            raise TypeError(f"{self.article} and {other.article}")
        return Batch(self.article, self.count + other.count, (*self.history, "merge"))

    def text(self):
        return f"{self.count} {self.article}: {', '.join(self.history) or 'new'}"


# call: crates_by_weight([{"id": 2, "kg": 5}, {"id": 1, "kg": 5}])
# call: crates_by_weight([{"id": 1, "kg": 9}])
# call: crates_by_weight([])
# call: crates_by_weight([{"id": 4, "kg": 7}, {"id": 2, "kg": 30, "fragile": True}, {"id": 9, "kg": 7, "fragile": True}, {"id": 1, "kg": 30}, {"id": 3, "kg": 2}])
# call: crates_by_weight([{"id": 1, "kg": 2, "fragile": False}, {"id": 0, "kg": 2}])
# call: crates_by_weight([{"id": 1}, {"id": 2, "kg": 1}])
def crates_by_weight(crates):
    # heavy and sturdy crates go first
    ordered = sorted(crates, key=lambda c: (c.get("fragile", False), -c["kg"], c["id"]))
    return [c["id"] for c in ordered]


# call: empty_spots("X.XX..X")
# call: empty_spots("...")
# call: empty_spots("")
# call: empty_spots("XX...X.XXXX....X.", 2)
# call: empty_spots("XXX")
# call: empty_spots(["X", ".", "."], 1)
def empty_spots(row, least=1):
    found = []
    start = None
    for i, spot in enumerate(row):
        if spot == "." and start is None:
            start = i
        elif spot != "." and start is not None:
            if i - start >= least:
                found.append((start, i - 1))
            start = None
    return found


# call: audit({"A": [1, 2], "B": [2, 3]})
# call: audit({"A": [1]})
# call: audit({})
# call: audit({"A": [1, 2, 3], "B": [4, 2], "C": [5, 1, 6], "D": [7], "E": [2]})
# call: audit({"A": [1, 1]})
# call: audit({"A": [[1]]})
def audit(places):
    seen_in = {}
    for place, serials in places.items():
        for serial in serials:
            seen_in.setdefault(serial, set()).add(place)
    doubles = {s: sorted(p) for s, p in seen_in.items() if len(p) > 1}
    assert len(seen_in) >= len(doubles)
    return doubles or "clean"


# call: day_shift(["09:00 in 5", "10:30 out 2"])
# call: day_shift(["07:15 in 1"])
# call: day_shift([])
# call: day_shift(["08:00 in 12", "08:45 out 5", "09:10 out 9", "11:00 in 3", "12:00 count 2", "13:05 out 1"])
# call: day_shift(["10:00 in 1", "09:00 in 1"])
# call: day_shift(["in 5"])
def day_shift(log):
    stock, lowest, clock = 0, 0, -1
    notes = []
    for entry in log:
        time, verb, number = entry.split()
        hours, minutes = map(int, time.split(":"))
        if (now := hours * 60 + minutes) < clock:
            notes.append("clock back at " + time)
        clock = now
        if verb == "count":
            if int(number) != stock:
                notes.append(f"counted {number}, book {stock}")
            stock = int(number)
        else:
            stock += int(number) if verb == "in" else -int(number)
        lowest = min(lowest, stock)
    return stock, lowest, notes


# call: cube_volume((2, 3, 4))
# call: cube_volume((10, 10, 10), (1, 2, 5))
# call: cube_volume()
# call: cube_volume((120, 80, 95), (60, 40, 30), (33, 21, 7), limit=900000)
# call: cube_volume((0, 5, 5))
# call: cube_volume((1, 2))
from math import prod


def cube_volume(*boxes, limit=1000):
    volume = 0
    for box in boxes:
        length, width, height = sorted(box, reverse=True)
        if not 0 < height <= width <= length:
            return f"flat box {box}"
        volume += prod((length, width, height))
    return volume, f"{volume / limit:.1%}"


# call: print_labels(["nut", "cap", "rod"], 2)
# call: print_labels(["a"], 3)
# call: print_labels([], 2)
# call: print_labels(["nut M4", "nut M5", "cap", "long rod", "pin", "o-ring", "saw"], 3, width=6)
# call: print_labels(["exactly8", "too long label"], 1)
# call: print_labels(["a", 5], 2)
def print_labels(labels, columns, width=8):
    sheet, row = [], ""
    for number, label in enumerate(labels, 1):
        row += f"{label:_<{width}.{width}}"
        if number % columns:
            row += "|"
        else:
            sheet.append(row)
            row = ""
    if row:
        sheet.append(row + ".")
    return sheet


# call: two_gates(["a", "b", "a"])
# call: two_gates(["x"])
# call: two_gates([])
# call: two_gates(["a", "b", "c", "a", "end", "b", "b", "c"])
# call: two_gates(["end", "end"])
# call: two_gates([7, "a"])
def two_gates(scans):
    opened = 0

    def gate(name):
        passed = []

        def scan(code):
            nonlocal passed, opened
            if code == "end":
                passed = [f"{name} closed"]
            else:
                opened += 1
                passed.append(code + name)
            return passed

        return scan

    north, south = gate("N"), gate("S")
    views = []
    for n, code in enumerate(scans):
        views.append((south if n % 2 else north)(code))
    return views, opened


# call: fill_rate([(10, 10), (5, 3)])
# call: fill_rate([(1, 0)])
# call: fill_rate([])
# call: fill_rate([(12, 12), (7, 5), (30, 28), (4, 4), (9, 0), (1, 1)])
# call: fill_rate([(0, 0), (0, 5)])
# call: fill_rate([(10, "9")])
def fill_rate(orders):
    complete = [o for o in orders if o[1] >= o[0]]
    asked = sum(a for a, _ in orders)
    given = sum(min(a, g) for a, g in orders)
    lines = len(complete) / len(orders) if orders else 1
    units = given / asked if asked else 1
    return f"lines {lines:.0%}, units {units:.1%}"


# call: nest_boxes([3, 5, 4])
# call: nest_boxes([2, 2])
# call: nest_boxes([])
# call: nest_boxes([7, 3, 9, 5, 5, 1, 8, 3])
# call: nest_boxes([0, -1])
# call: nest_boxes([3, None])
def nest_boxes(sizes):
    """Put each box into the outermost box that is still empty and larger."""
    towers = []
    for size in sorted(sizes, reverse=True):
        for tower in towers:
            if tower[-1] > size:
                tower.append(size)
                break
        else:
            towers.append([size])
    return towers


# call: dispatch([("mail", 2), ("freight", 30)])
# call: dispatch([("mail", 5)], mail=2)
# call: dispatch([])
# call: dispatch([("mail", 1), ("pallet", 4), ("freight", 12), ("mail", 3), ("mail", 0), ("drone", 1)], freight=4, drone=9)
# call: dispatch([("cart", 1)])
# call: dispatch([("mail", "1")], mail=1.5)
def dispatch(loads, **rates):
    table = {"mail": 5, "freight": 3, **rates}
    bill, refused = 0, []
    for kind, kilos in loads:
        rate = table.get(kind)
        if not rate:
            refused.append(kind)
            continue
        bill += rate * kilos
    return bill, refused, sorted(table)


# call: mixed_bins([{"nut"}, {"nut", "cap"}])
# call: mixed_bins([{"a", "b"}, {"b", "c"}, {"c"}])
# call: mixed_bins([])
# call: mixed_bins([{"a"}, {"b", "c"}, {"d", "e"}, {"c", "d"}, {"f"}, {"g", "a"}])
# call: mixed_bins([set(), {"a"}])
# call: mixed_bins([{"a"}, ["b"]])
def mixed_bins(bins):
    groups = []
    for content in bins:
        joined = set(content)
        apart = []
        for group in groups:
            if group & joined:
                joined |= group
            else:
                apart.append(group)
        groups = apart + [joined]
    return [sorted(group) for group in groups]


# call: one_more_day({"nut": [3, 1], "cap": [9]}, 5)
# call: one_more_day({"nut": []}, 1)
# call: one_more_day({}, 1)
# call: one_more_day({"milk": [1, 4, 6], "jam": [30, 2], "egg": [5, 5, 11], "salt": []}, 5)
# call: one_more_day({"milk": [-3, 0]}, 0)
# call: one_more_day({"milk": 3}, 1)
def one_more_day(ages, limit):
    spoiled = []
    for name in list(ages):
        older = [age + 1 for age in ages[name]]
        bad = sum(age > limit for age in older)
        if bad:
            spoiled.append((name, bad))
        if bad == len(older):
            del ages[name]
        else:
            ages[name] = sorted(older)[:len(older) - bad]
    return ages, spoiled


# call: print_manifest({"A1": ["nut", "cap"], "B2": []})
# call: print_manifest({"A1": ["nut"]}, total=False)
# call: print_manifest({})
# call: print_manifest({"A1": ["nut", "nut", "cap"], "A2": ["rod"], "B1": [], "C7": ["pin", "saw", "axe", "glue"]})
# call: print_manifest({"A1": "abc"})
# call: print_manifest({"A1": [1]})
def print_manifest(bins, total=True):
    count = 0
    for place, content in bins.items():
        count += len(content)
        print(place, ", ".join(content) or "(empty)", sep=": ")
    if total:
        print(f"{count} pieces in {len(bins)} bins")
    return count


# call: default_bin("nut")
# call: default_bin("cap", ["rod"])
# call: default_bin("")
# call: default_bin("pin", ["nut", "cap", "rod", "saw"], times=3)
# call: default_bin("nut", times=0)
# call: default_bin("nut", ("cap",))
def throw_in(item, bin=[]):
    bin.append(item)
    return bin


def default_bin(item, other=None, times=2):
    views = [throw_in(item + str(n)) for n in range(times)]
    if other is not None:
        views.append(throw_in(item, other))
    throw_in.__defaults__ = ([],)
    return views, throw_in("fresh")


# call: Parcel("p1", 5).push_ahead([("p2", 3), ("p3", 8)])
# call: Parcel("p1", 1).push_ahead([("p1", 1)])
# call: Parcel("", 0).push_ahead([])
# call: Parcel("vip", 7).push_ahead([("a", 9), ("b", 8), ("c", 7), ("d", 2), ("e", 8), ("f", 1)])
# call: Parcel("x", -1).push_ahead([("y", -2)])
# call: Parcel("x", 5).push_ahead([("y", None)])
class Parcel:
    def __init__(self, code, urgency):
        self.code = code
        self.urgency = urgency

    def __lt__(self, other):
        return self.urgency > other.urgency

    def __eq__(self, other):
        return self.code == other.code

    def push_ahead(self, line):
        line = [Parcel(*entry) for entry in line]
        if self in line:
            return "already waiting"
        place = len(line)
        while place > 0 and self < line[place - 1]:
            place -= 1
        line.insert(place, self)
        return place, "".join(p.code or "?" for p in line)


# call: clear_aisle(["old nut", "old cap", "new rod"])
# call: clear_aisle(["new a", "old b"])
# call: clear_aisle([])
# call: clear_aisle(["old a", "old b", "old c", "new d", "old e", "new f", "old g", "old h"])
# call: clear_aisle(["new x", "new y"])
# call: clear_aisle(["old a", 5])
def clear_aisle(aisle):
    # popping while counting up leaves the neighbour behind
    waste = []
    for i, _ in enumerate(aisle):
        if aisle[i].startswith("old"):
            waste.append(aisle.pop(i)[4:])
    return {"left": aisle, "waste": waste}
