# call: missing_parts({"wheel", "seat"}, {"seat"})
# call: missing_parts({"bell"}, {"bell", "lamp"})
# call: missing_parts(set(), set())
# call: missing_parts({"wheel", "seat", "bell", "lamp", "chain", "pump"}, {"pump", "bell", "rope", "nail"})
# call: missing_parts({"a"}, ())
# call: missing_parts({"a"}, None)
def missing_parts(needed, shelf):
    lacking = needed.difference(shelf)
    spare = set(shelf) - needed
    if not lacking:
        return "complete", len(spare)
    return ", ".join(sorted(lacking)), len(spare)


# call: shelve([("A1", "nut"), ("B2", "bolt"), ("A1", "cog")])
# call: shelve([("A1", "nut"), ("A1", "nut")])
# call: shelve([])
# call: shelve([("C3", "e"), ("A1", "d"), ("B2", "c"), ("C3", "b"), ("A1", "a"), ("A2", "f"), ("C3", "e")])
# call: shelve([("A1", "")])
# call: shelve([("A1", "nut", 5)])
from collections import defaultdict


def shelve(goods):
    shelves = defaultdict(set)
    for place, thing in goods:
        shelves[place].add(thing)
    return {place: "+".join(sorted(things)) for place, things in sorted(shelves.items())}


# call: take_out({"nut": 3, "cog": 1}, ["nut", "cog"])
# call: take_out({"nut": 1}, ["nut", "nut"])
# call: take_out({}, [])
# call: take_out({"a": 2, "b": 1, "c": 5}, ["c3", "a", "b", "c", "a", "c", "b"])
# call: take_out({"a": 1}, ["z"])
# call: take_out({"a": "1"}, ["a"])
def take_out(stock, wanted):
    failed = ""
    for order in wanted:
        item, n = order[:-1], order[-1]
        if not n.isdigit():
            item, n = order, 1
        have = stock.pop(item, 0)
        rest = have - int(n)
        if rest < 0:
            failed += f"{item}:{-rest} "
        elif rest:
            stock[item] = rest
    return stock, failed.split()


# call: purge({"milk": 2, "rice": 90}, 10)
# call: purge({"milk": 2}, 1)
# call: purge({}, 5)
# call: purge({"egg": 9, "ham": 4, "oat": 100, "fig": 30, "pie": 0, "jam": -1}, 9)
# call: purge({"egg": 5}, 5)
# call: purge({"egg": None}, 5)
def purge(days_left, least):
    thrown = []
    for food in list(days_left):
        if days_left[food] < least:
            thrown.append((food, days_left.pop(food)))
    return thrown, days_left


# call: remove_small([1, 2, 3, 10])
# call: remove_small([1, 9])
# call: remove_small([])
# call: remove_small([1, 1, 1, 1, 8, 2, 2, 9, 3])
# call: remove_small([7, 8])
# call: remove_small((1, 2))
def remove_small(boxes):
    """Deletes while it runs through the same list, so it skips some."""
    looked = 0
    for place, box in enumerate(boxes):
        looked += 1
        if box < 5:
            del boxes[place]
    return f"{looked} looked at", boxes


# call: two_depots([5, 6])
# call: two_depots([])
# call: two_depots([0])
# call: two_depots([1, 2, 3, 4, 5, 6])
# call: two_depots(["a"])
# call: two_depots((1, 2))
def two_depots(start):
    north = start
    south = north
    west = list(north)
    south.append(99)
    west.insert(0, -1)
    north = north + [7]
    return start, north, south, west


# call: count_stock(["nut", "cog", "nut"])
# call: count_stock(["nut"])
# call: count_stock([])
# call: count_stock("b a c a b d a e e c c a".split())
# call: count_stock("moss")
# call: count_stock([["nut"]])
from collections import Counter


def count_stock(labels):
    counts = Counter(labels)
    twice = Counter({label: 2 for label in counts})
    return (counts - twice).most_common(), sum((counts & twice).values())


# call: price_tags([("nut", 5), ("cog", 120)])
# call: price_tags([("long screw", 99999)])
# call: price_tags([])
# call: price_tags([("a", 1), ("bb", 22), ("ccc", 333), ("dddd", 4444), ("eeeee", 55555)])
# call: price_tags([("x", -150)])
# call: price_tags([("x", "5")])
from collections import namedtuple

Item = namedtuple("Item", "name cents")


def price_tags(pairs):
    items = [Item(*pair) for pair in pairs]
    width = max((len(item.name) for item in items), default=0)
    return [f"{item.name:.<{width + 2}}{item.cents / 100:>8.2f}" for item in items]


# call: ToolCrate().load(["tin", "jar"], 5)
# call: ToolCrate(3).load(["jar", "jar"], 2)
# call: ToolCrate().load([], 0)
# call: ToolCrate(20).load(["tin", "jar", "sack", "tin", "jar", "sack", "tin"], 30)
# call: ToolCrate(6).load(["sack", "tin", "jar"], 9)
# call: ToolCrate().load(["box"], 9)
class ToolCrate:
    WEIGHTS = {"tin": 1, "jar": 2, "sack": 6}

    def __init__(self, strength=10):
        self.strength = strength
        self.inside = []

    def __len__(self):
        return sum(self.WEIGHTS[thing] for thing in self.inside)

    def load(self, things, most):
        for thing in things:
            if len(self) + self.WEIGHTS[thing] <= min(self.strength, most):
                self.inside.append(thing)
        return self.inside, len(self), bool(self)


# call: barcode_groups(["40-1", "40-2", "90-1"])
# call: barcode_groups(["40-1"])
# call: barcode_groups([])
# call: barcode_groups(["12-9", "7-1", "12-3", "12-9", "40-5", "7-0", "7-2"])
# call: barcode_groups(["12"])
# call: barcode_groups([12])
def barcode_groups(codes):
    groups = {}
    for code in codes:
        maker, _, number = code.partition("-")
        groups.setdefault(maker, []).append(int(number or -1))
    for numbers in groups.values():
        numbers.sort()
    return groups


# call: swap_labels({"a": 1, "b": 2})
# call: swap_labels({"a": 1, "b": 1})
# call: swap_labels({})
# call: swap_labels({"u": 3, "v": 1, "w": 3, "x": 2, "y": 1, "z": 3})
# call: swap_labels({"a": True, "b": 1})
# call: swap_labels({"a": [1]})
def swap_labels(places):
    by_place = {}
    lost = []
    for label, place in places.items():
        if place in by_place:
            lost.append(by_place[place])
        by_place[place] = label
    return by_place, lost


# call: reorder_list({"nut": (2, 10), "cog": (8, 5)})
# call: reorder_list({"nut": (0, 1)})
# call: reorder_list({})
# call: reorder_list({"a": (1, 9), "b": (3, 4), "c": (0, 20), "d": (5, 5), "e": (2, 10)})
# call: reorder_list({"a": (5, 0)})
# call: reorder_list({"a": 5})
def reorder_list(stock):
    """Largest share of what is missing first."""
    short = [(name, want - have) for name, (have, want) in stock.items() if have < want]
    short.sort(key=lambda pair: (-pair[1] / stock[pair[0]][1], pair[0]))
    return short


# call: tool_loans(["ann +saw", "bob +axe", "ann -saw"])
# call: tool_loans(["ann +saw", "bob +saw"])
# call: tool_loans([])
# call: tool_loans(["a +saw", "b +axe", "a +jig", "c +saw", "a -saw", "c +saw", "b -jig", "b -axe"])
# call: tool_loans(["ann -saw"])
# call: tool_loans(["ann saw"])
def tool_loans(lines):
    holder, refused = {}, []
    for line in lines:
        who, what = line.split()
        sign, tool = what[0], what[1:]
        if sign == "+" and tool not in holder:
            holder[tool] = who
        elif sign == "-" and holder.get(tool) == who:
            holder.pop(tool)
        else:
            refused.append(line)
    return holder, refused


# call: pack_orders(["tea", "tea", "rum"], 2)
# call: pack_orders(["tea"], 3)
# call: pack_orders([], 1)
# call: pack_orders(["a", "b", "a", "c", "a", "b", "d", "a", "e", "a"], 3)
# call: pack_orders(["a", "a"], 1)
# call: pack_orders(["a"], None)
def pack_orders(orders, per_box):
    """No two equal things in one box."""
    boxes = []
    for thing in orders:
        for box in boxes:
            if len(box) < per_box and thing not in box:
                box.append(thing)
                break
        else:
            boxes.append([thing])
    return boxes


# call: shared_suppliers({"nut": {"acme", "zeta"}, "cog": {"acme"}})
# call: shared_suppliers({"nut": {"acme"}})
# call: shared_suppliers({})
# call: shared_suppliers({"a": {"x", "y", "z"}, "b": {"y", "z"}, "c": {"z", "w", "y"}, "d": {"y", "z", "q"}})
# call: shared_suppliers({"a": {"x"}, "b": set()})
# call: shared_suppliers({"a": {"x"}, "b": ["x"]})
def shared_suppliers(parts):
    if not parts:
        return None
    first, *others = parts.values()
    common = first.copy()
    for suppliers in others:
        common &= suppliers
        if not common:
            return "none"
    return sorted(common), sorted(set().union(*parts.values()) ^ common)


# call: stocktake({"nut": 5, "cog": 2}, {"nut": 4, "cog": 2})
# call: stocktake({"nut": 5}, {"cog": 5})
# call: stocktake({}, {})
# call: stocktake({"a": 1, "b": 2, "c": 3, "d": 4}, {"b": 2, "c": 5, "d": 0, "e": 1})
# call: stocktake({"a": 0}, {})
# call: stocktake({"a": 1}, {"a": "1"})
def stocktake(book, counted):
    report = []
    for name in sorted(book.keys() | counted.keys()):
        gap = counted.get(name, 0) - book.get(name, 0)
        if gap:
            report.append(f"{name}{gap:+d}")
    return report


# call: fifo_cost([(10, 2), (5, 3)], 12)
# call: fifo_cost([(4, 7)], 4)
# call: fifo_cost([], 0)
# call: fifo_cost([(3, 10), (8, 12), (1, 50), (20, 9), (6, 11)], 25)
# call: fifo_cost([(2, 5)], 3)
# call: fifo_cost([(2, 5, 1)], 1)
from collections import deque


def fifo_cost(lots, wanted):
    queue, cost = deque(lots), 0
    while wanted > 0:
        if not queue:
            raise ValueError(f"{wanted} too few")
        have, price = queue.popleft()
        used = min(have, wanted)
        cost += used * price
        wanted -= used
        if have > used:
            queue.appendleft((have - used, price))
    return cost, list(queue)


# call: kit({"bike": ["wheel", "wheel", "frame"], "wheel": ["rim", "tyre"]}, "bike")
# call: kit({"a": ["b"]}, "b")
# call: kit({}, "")
# call: kit({"car": ["axle", "axle", "box"], "axle": ["wheel", "wheel"], "wheel": ["tyre", "nut"], "box": ["nut"]}, "car")
# call: kit({"a": []}, "a")
# call: kit({"a": 5}, "a")
def kit(parts_of, thing):
    parts = parts_of.get(thing)
    if parts is None:
        return {thing: 1}
    total = {}
    for part in parts:
        for name, n in kit(parts_of, part).items():
            total[name] = total.get(name, 0) + n
    return total


# call: colours_left({"red": 2, "blue": 1}, "red", "red")
# call: colours_left({"red": 1}, "blue")
# call: colours_left({})
# call: colours_left({"red": 3, "blue": 1, "pink": 2, "grey": 1}, "red", "grey", "pink", "pink", "blue", "red")
# call: colours_left({"red": 0}, "red")
# call: colours_left(["red"], "red")
def colours_left(tins, *used):
    left = {**tins}
    for colour in used:
        try:
            left[colour] -= 1
        except KeyError:
            left["?"] = left.get("?", 0) + 1
        finally:
            if left.get(colour) == 0:
                left.pop(colour)
    return left, len(tins) - len(left)


# call: lend_books([("ann", "b1"), ("bob", "b2"), ("ann", "b3")], 2)
# call: lend_books([("ann", "b1"), ("ann", "b2")], 1)
# call: lend_books([], 1)
# call: lend_books([("a", 1), ("b", 2), ("a", 3), ("c", 1), ("b", 4), ("a", 5), ("b", 6), ("b", 7)], 2)
# call: lend_books([("a", 1)], 0)
# call: lend_books([("a",)], 3)
def lend_books(requests, most):
    loans = {}
    gone = set()
    for reader, book in requests:
        if book in gone or len(loans.get(reader, ())) >= most:
            continue
        gone.add(book)
        loans[reader] = loans.get(reader, ()) + (book,)
    return loans


# call: nestedDefaults([("fruit", "fig", 2), ("fruit", "plum", 1), ("fruit", "fig", 3)])
# call: nestedDefaults([("x", "y", 0)])
# call: nestedDefaults([])
# call: nestedDefaults([("t", "saw", 1), ("f", "fig", 4), ("t", "axe", 2), ("t", "saw", -1), ("g", "pot", 9)])
# call: nestedDefaults([("a", "b", -5)])
# call: nestedDefaults([("a", "b", "c")])
from collections import defaultdict


def nestedDefaults(rows):
    stock = defaultdict(lambda: defaultdict(int))
    for kind, name, n in rows:
        stock[kind][name] += n
    looked = stock["none"]["nothing"]
    return {kind: dict(names) for kind, names in stock.items() if any(names.values())}, looked, len(stock)


# call: sort_crates([{"id": 2, "kg": 5}, {"id": 1, "kg": 5}])
# call: sort_crates([{"id": 9, "kg": 0}])
# call: sort_crates([])
# call: sort_crates([{"id": 4, "kg": 8}, {"id": 3}, {"id": 7, "kg": 12}, {"id": 1, "kg": 8}, {"id": 5, "kg": 1}])
# call: sort_crates([{"id": 2}, {"id": 1}])
# call: sort_crates([{"kg": 3}])
def sort_crates(crates):
    heavy_first = sorted(crates, key=lambda c: c.get("kg", 0), reverse=True)
    ids = [c["id"] for c in heavy_first]
    return ids, sum(c.get("kg", 0) for c in heavy_first[:2])


# call: label_clash(["a1", "A1", "b2"])
# call: label_clash(["x"])
# call: label_clash([])
# call: label_clash(["Nut", "nut ", "cog", "COG", "Cog", "axe", " AXE", "saw"])
# call: label_clash(["", " "])
# call: label_clash(["a", 1])
def label_clash(labels):
    first_use = {}
    clashes = []
    for i, label in enumerate(labels):
        plain = label.strip().lower()
        if (j := first_use.setdefault(plain, i)) != i:
            clashes.append((labels[j], label))
    return clashes


# call: rooms_of({"saw": "shed", "bed": "room", "axe": "shed"})
# call: rooms_of({"saw": "shed"})
# call: rooms_of({})
# call: rooms_of({"a": "hall", "b": "attic", "c": "hall", "d": "cellar", "e": "attic", "f": "hall", "g": ""})
# call: rooms_of({"saw": None, "axe": "shed"})
# call: rooms_of({"saw": ["shed"]})
from itertools import groupby


def rooms_of(things):
    by_room = sorted(things, key=lambda t: (str(things[t]), t))
    return [(room or "lost", "".join(t[0] for t in ts)) for room, ts in groupby(by_room, key=things.get)]


# call: update_twice({"nut": 1}, {"nut": 2, "cog": 3})
# call: update_twice({}, {"a": 1})
# call: update_twice({}, {})
# call: update_twice({"a": 1, "b": 2, "c": 3, "d": 4}, {"d": 40, "c": 30, "e": 50})
# call: update_twice({"a": 1}, [("a", 5)])
# call: update_twice({"a": 1}, None)
def update_twice(old, new):
    alias = old
    merged = dict(old)
    merged.update(new)
    alias |= {name: n for name, n in merged.items() if name not in old}
    return merged, old, list(alias) == list(merged)


# call: NamedShelf("tools").change([("add", "saw"), ("add", "axe")])
# call: NamedShelf("pots").change([("drop", "pan")])
# call: NamedShelf("").change([])
# call: NamedShelf("food").change([("add", "fig"), ("add", "oat"), ("add", "fig"), ("drop", "fig"), ("add", "tea"), ("drop", "oat")])
# call: NamedShelf("x").change([("add", "a"), ("clear", "")])
# call: NamedShelf("x").change([("eat", "a")])
class NamedShelf:
    def __init__(self, name):
        self.name = name
        self.things = {}

    def __contains__(self, thing):
        return self.things.get(thing, 0) > 0

    def add(self, thing):
        self.things[thing] = self.things.get(thing, 0) + 1

    def drop(self, thing):
        if thing in self:
            self.things[thing] -= 1

    def clear(self, _):
        self.things.clear()

    def change(self, steps):
        for verb, thing in steps:
            getattr(self, verb)(thing)
        return f"{self.name}: {' '.join(t for t in self.things if t in self)}", self.things


# call: expiry_lanes([3, 12, 40, 8])
# call: expiry_lanes([0])
# call: expiry_lanes([])
# call: expiry_lanes([5, 31, 7, 90, 14, 6, 30, 1, 365, 13, 29])
# call: expiry_lanes([-2])
# call: expiry_lanes(["3"])
from bisect import bisect_right


def expiry_lanes(days):
    limits, names = [0, 7, 30], ["bin", "sale", "shop", "store"]
    lanes = {name: [] for name in names}
    for d in days:
        lanes[names[bisect_right(limits, d)]].append(d)
    return {name: (len(lane), min(lane)) for name, lane in lanes.items() if lane}


# call: frozen_kits([["nut", "cog"], ["cog", "nut"]])
# call: frozen_kits([["a"], ["b"]])
# call: frozen_kits([])
# call: frozen_kits([["a", "b"], ["c"], ["b", "a", "a"], ["c", "c"], ["d", "a"], [], ["a", "d"]])
# call: frozen_kits([[], []])
# call: frozen_kits([["a"], 5])
def frozen_kits(kits):
    seen = {}
    for number, kit in enumerate(kits):
        seen.setdefault(frozenset(kit), []).append(number)
    return [numbers for numbers in seen.values() if len(numbers) > 1], len(seen)


# call: parse_stock("nut=3;cog=4")
# call: parse_stock("nut=3;nut=2")
# call: parse_stock("")
# call: parse_stock("a = 1; b=22 ;c=0;;d=-4; a=9")
# call: parse_stock("nut")
# call: parse_stock("nut=x")
def parse_stock(text):
    stock, notes = {}, []
    for field in filter(None, map(str.strip, text.split(";"))):
        name, equals, number = field.partition("=")
        name = name.strip()
        if not equals:
            notes.append("no number: " + name)
        elif name in stock:
            notes.append(f"{name} again")
        else:
            stock[name] = int(number)
    return stock, notes


# call: fromkeys_trap(["a", "b"])
# call: fromkeys_trap(["a"])
# call: fromkeys_trap([])
# call: fromkeys_trap(["x", "y", "z", "x", "w", "v"])
# call: fromkeys_trap("aa")
# call: fromkeys_trap([["a"]])
def fromkeys_trap(names):
    shared = dict.fromkeys(names, [])
    own = {name: [] for name in names}
    for number, name in enumerate(names):
        shared[name].append(number)
        own[name].append(number)
    return shared, own


# call: heaviest_first([("tv", 12), ("cup", 1), ("bed", 40)], 45)
# call: heaviest_first([("a", 5)], 4)
# call: heaviest_first([], 10)
# call: heaviest_first([("a", 9), ("b", 9), ("c", 4), ("d", 30), ("e", 2), ("f", 17), ("g", 1)], 40)
# call: heaviest_first([("a", 0)], 0)
# call: heaviest_first([("a", "5")], 10)
import heapq


def heaviest_first(goods, room):
    heap = [(-weight, name) for name, weight in goods]
    heapq.heapify(heap)
    loaded, left = [], []
    while heap:
        weight, name = heapq.heappop(heap)
        if -weight <= room:
            room += weight
            loaded.append(name)
        else:
            left.append(name)
    return loaded, left, room


# call: move_stock({"north": ["saw", "axe"], "south": []}, "axe", "south")
# call: move_stock({"a": ["x"]}, "x", "a")
# call: move_stock({}, "x", "a")
# call: move_stock({"a": ["p", "q"], "b": ["q", "r", "q"], "c": ["q"], "d": []}, "q", "d")
# call: move_stock({"a": ["x"]}, "y", "a")
# call: move_stock({"a": ["x"]}, "x", "z")
def move_stock(depots, thing, target):
    moved = 0
    for name, things in depots.items():
        if name == target:
            continue
        while thing in things:
            things.remove(thing)
            moved += 1
    if moved:
        depots[target].extend([thing] * moved)
    return depots


# call: SizeLabel("nut", 5).same("nut", 5)
# call: SizeLabel("nut", 5).same("nut", 6)
# call: SizeLabel("", 0).same("", 0)
# call: SizeLabel("very long screw", 120).same("very long nail", 12)
# call: SizeLabel("a", 1).same("a", True)
# call: SizeLabel("a", 1).same("a", "1")
from dataclasses import dataclass, field


@dataclass(frozen=True, order=True)
class SizeLabel:
    name: str
    size: int
    notes: list = field(default_factory=list, compare=False)

    def same(self, name, size):
        other = SizeLabel(name, size, ["copy"])
        self.notes.append(self == other)
        pair = {self.name + str(self.size): self, other.name + str(other.size): other}
        return self.notes, len(pair), self < other


# call: restock_plan({"nut": [3, 4], "cog": []})
# call: restock_plan({"nut": [0]})
# call: restock_plan({})
# call: restock_plan({"a": [5, 7, 9], "b": [1], "c": [], "d": [2, 2, 2, 2], "e": [10, 0]})
# call: restock_plan({"a": [-4, 1]})
# call: restock_plan({"a": ["1"]})
def restock_plan(sold):
    plan = {}
    for name, weeks in sold.items():
        if not weeks:
            plan[name] = "drop"
            continue
        mean = sum(weeks) / len(weeks)
        trend = weeks[-1] - weeks[0]
        plan[name] = round(mean * 2 + trend) if trend > 0 else round(mean)
    return plan


# call: popitem_log({"a": 1, "b": 2, "c": 3}, 2)
# call: popitem_log({"a": 1}, 1)
# call: popitem_log({}, 0)
# call: popitem_log({"p": 5, "q": 1, "r": 8, "s": 2, "t": 9}, 4)
# call: popitem_log({"a": 1, "b": 2}, -1)
# call: popitem_log({"a": 1}, 2)
def popitem_log(crates, count):
    taken = []
    for i in range(count):
        name, n = crates.popitem()
        taken.append(name)
        if n % 2 and crates:
            first = next(iter(crates))
            crates[first] = crates.pop(first) + n
    return taken, crates


# call: price_changes({"tea": 250, "rum": 900}, {"tea": 275, "oat": 99})
# call: price_changes({"a": 1}, {"a": 1})
# call: price_changes({}, {})
# call: price_changes({"a": 10, "b": 20, "c": 30, "d": 40}, {"d": 44, "c": 30, "b": 15, "e": 1})
# call: price_changes({"a": 0}, {"a": 5})
# call: price_changes({"a": "1"}, {"a": 1})
def price_changes(old, new):
    lines = {}
    for name in old:
        if name not in new:
            lines[name] = "gone"
        elif old[name] != new[name]:
            try:
                lines[name] = f"{(new[name] - old[name]) / old[name]:+.1%}"
            except ZeroDivisionError:
                lines[name] = "was free"
    lines.update((name, "new") for name in new if name not in old)
    return lines


# call: crate_towers([3, 1, 2])
# call: crate_towers([1, 2])
# call: crate_towers([])
# call: crate_towers([5, 9, 3, 4, 8, 1, 2, 7])
# call: crate_towers([4, 4])
# call: crate_towers([1, None])
def crate_towers(sizes):
    """A crate goes on the first tower with a larger top, else it begins a tower."""
    towers = []
    for size in sizes:
        for tower in towers:
            if tower[-1] > size:
                tower.append(size)
                break
        else:
            towers.append([size])
    return towers, max(map(len, towers), default=0)


# call: wish_list(["tent", "lamp"], owned={"lamp"})
# call: wish_list(["tent"])
# call: wish_list([])
# call: wish_list(["tent", "boat", "lamp", "tent", "rope", "boat", "map", "pan"], owned={"rope", "pan"}, most=3)
# call: wish_list(["a", "b"], most=0)
# call: wish_list(["a"], owned=["a", ["b"]])
def wish_list(wishes, *, owned=(), most=5):
    wanted = [w for w in dict.fromkeys(wishes) if w not in set(owned)]
    short = wanted[:most]
    return short, f"{len(wanted) - len(short)} more" if len(wanted) > most else "all"


# call: count_pairs(["saw axe", "axe saw", "saw jig"])
# call: count_pairs(["saw axe"])
# call: count_pairs([])
# call: count_pairs(["a b c", "b a", "c a b", "d", "a d", "d c b"])
# call: count_pairs(["a a"])
# call: count_pairs([None])
from collections import Counter
from itertools import combinations


def count_pairs(baskets):
    together = Counter()
    for basket in baskets:
        together.update(combinations(sorted(set(basket.split())), 2))
    return {"+".join(pair): n for pair, n in together.items() if n > 1}


# call: deposit_bottles([("beer", 6), ("cola", 2)])
# call: deposit_bottles([("wine", 3)])
# call: deposit_bottles([])
# call: deposit_bottles([("beer", 20), ("can", 5), ("wine", 1), ("cola", 3), ("beer", 4), ("can", 1)])
# call: deposit_bottles([("jar", 2), ("beer", 0)])
# call: deposit_bottles([("beer", "6")])
def deposit_bottles(bottles):
    DEPOSIT = {"beer": 8, "cola": 15, "can": 25}
    back, refused = 0, set()
    for kind, n in bottles:
        if kind not in DEPOSIT:
            refused |= {kind}
            continue
        crates, single = divmod(n, 20) if kind == "beer" else (0, n)
        back += crates * 310 + single * DEPOSIT[kind]
    return back / 100, sorted(refused)


# call: garden_rows({"bean": 3, "kale": 5}, 4)
# call: garden_rows({"bean": 4}, 4)
# call: garden_rows({}, 2)
# call: garden_rows({"bean": 3, "kale": 9, "leek": 1, "dill": 2, "mint": 6}, 5)
# call: garden_rows({"bean": 0}, 3)
# call: garden_rows({"bean": 2}, 0)
def garden_rows(seeds, per_row):
    line = "".join(name[0] * n for name, n in seeds.items())
    rows = []
    for start in range(0, len(line), per_row):
        rows.append(line[start:start + per_row].ljust(per_row, "."))
    mixed = [row for row in rows if len(set(row) - {"."}) > 1]
    return rows, len(mixed)


# call: serial_gaps(["N1", "N2", "N5"])
# call: serial_gaps(["A7"])
# call: serial_gaps([])
# call: serial_gaps(["B3", "A1", "B6", "A4", "A2", "C9", "B4"])
# call: serial_gaps(["A2", "A2"])
# call: serial_gaps(["AB"])
def serial_gaps(serials):
    found = {}
    for serial in serials:
        found.setdefault(serial[0], set()).add(int(serial[1:]))
    gaps = {}
    for letter in sorted(found):
        have = found[letter]
        missing = set(range(min(have), max(have))) - have
        if missing:
            gaps[letter] = sorted(missing)
    return gaps


# call: tidy([" saw", "axe ", "", None])
# call: tidy(["x"])
# call: tidy([])
# call: tidy(["Saw", "saw", " SAW ", "jig saw", None, "Jig Saw", "", "axe", "  "])
# call: tidy([None, ""])
# call: tidy(["a", 5])
def tidy(names):
    clean = []
    for name in names:
        if not name or name.isspace():
            continue
        name = name.strip().capitalize()
        if name in clean:
            clean.append(clean.pop(clean.index(name)))
        else:
            clean.append(name)
    return clean


# call: copy_depth([[1], [2]])
# call: copy_depth([[]])
# call: copy_depth([])
# call: copy_depth([[1, 2, 3], [4, 5], [6], [7, 8]])
# call: copy_depth([[1], [1]])
# call: copy_depth([1])
def copy_depth(drawers):
    backup = drawers.copy()
    inner = list(map(list, drawers))
    for n, drawer in enumerate(drawers):
        drawer += [f"key {n}"]
    drawers[1:1] = [["new"]]
    if backup:
        del backup[0][:1]
    return {"now": drawers, "backup": backup, "inner": inner}


# call: ration({"ann": 3, "bob": 1}, 3)
# call: ration({"ann": 1}, 0)
# call: ration({}, 5)
# call: ration({"a": 4, "b": 2, "c": 5, "d": 1, "e": 3}, 12)
# call: ration({"a": 2, "b": 2}, 9)
# call: ration({"a": None}, 1)
def ration(wants, loaves):
    """One loaf a round to everyone who still wants some."""
    got = {name: 0 for name in wants}
    rounds = 0
    while loaves:
        rounds += 1
        before = loaves
        for name, want in wants.items():
            if loaves and got[name] < want:
                got[name] += 1
                loaves -= 1
        if loaves == before:
            break
    return " ".join(f"{name}:{n}/{wants[name]}" for name, n in got.items()), rounds, loaves


# call: lot_codes(["2024A", "2023B", "2024C"])
# call: lot_codes(["1999Z"])
# call: lot_codes([])
# call: lot_codes(["2022A", "2024B", "2022C", "2023A", "2024A", "2022B", "x9"])
# call: lot_codes(["20A24"])
# call: lot_codes([2024])
import re


def lot_codes(lots):
    years, bad = {}, 0
    for lot in lots:
        if m := re.fullmatch(r"(\d{4})([A-Z])", lot):
            year, letter = m[1], m[2]
            years[year] = years.get(year, "") + letter
        else:
            bad += 1
    return {y: "".join(sorted(letters)) for y, letters in sorted(years.items())}, bad


# call: thaw(("box", [1, 2]), 3)
# call: thaw(("a", []), 0)
# call: thaw(("", []), "")
# call: thaw(("crate", [5, [6, 7], 8, [9]]), 10)
# call: thaw(("a", [1]), None)
# call: thaw(("a", (1, 2)), 3)
def thaw(pair, more):
    """The assignment fails, and yet the list in the tuple has grown."""
    try:
        pair[1] += [more]
    except TypeError as error:
        return pair, str(error).split()[0]
    return pair


# call: checkout_order({"low": ["a", "b"], "high": ["c"]})
# call: checkout_order({"high": []})
# call: checkout_order({})
# call: checkout_order({"low": ["p", "q", "r"], "mid": ["s", "t"], "high": ["u", "v", "w", "x"]})
# call: checkout_order({"other": ["a"]})
# call: checkout_order({"low": None})
def checkout_order(queues):
    order = []
    turn = 0
    while any(queues.get(kind) for kind in ("high", "mid", "low")):
        turn += 1
        kinds = ["low", "mid", "high"] if turn % 3 == 0 else ["high", "mid", "low"]
        for kind in kinds:
            if queues.get(kind):
                order.append(queues[kind].pop(0))
                break
    return order, turn


# call: scales([500, 200], 650)
# call: scales([100], 100)
# call: scales([], 0)
# call: scales([500, 250, 100, 50, 20, 10, 5], 799)
# call: scales([100], 45)
# call: scales(["100"], 50)
def scales(weights, thing):
    """Weights go, one after the other, on the lighter side."""
    left, right = [thing], []
    for weight in weights:
        side = right if sum(right) < sum(left) else left
        side.append(weight)
    tilt = sum(left) - sum(right)
    return left, right, "even" if tilt == 0 else f"{'left' if tilt > 0 else 'right'} by {abs(tilt)}"


# call: bin_lookup({"nut": "A1", "cog": "B7"}, ["cog", "nut", "gum"])
# call: bin_lookup({"nut": "A1"}, ["nut"])
# call: bin_lookup({}, [])
# call: bin_lookup({"a": "C9", "b": "A2", "c": "A1", "d": "B5", "e": "C1"}, ["e", "x", "a", "b", "d", "c", "y"])
# call: bin_lookup({"a": ""}, ["a", "a"])
# call: bin_lookup({"a": 5, "b": "A1"}, ["a", "b"])
def bin_lookup(bins, wanted):
    known, unknown = [], []
    for thing in wanted:
        (known if thing in bins else unknown).append(thing)
    known.sort(key=bins.get)
    walk = " > ".join(f"{bins[t]}:{t}" for t in known)
    return walk or "stay", unknown
