# call: next_light("red")
# call: next_light("yellow")
# call: next_light("")
# call: next_light("green", 7)
# call: next_light("off")
# call: next_light("red", -1)
def next_light(colour, steps=1):
    follows = {"red": "red-yellow", "red-yellow": "green", "green": "yellow", "yellow": "red"}
    if colour not in follows:
        return "flash"
    while steps != 0:
        colour = follows[colour]
        steps -= 1
        if steps < -3:
            raise OverflowError("signals do not run backwards")
    return colour


# call: cars_per_hour(["07:15", "07:50", "08:05"])
# call: cars_per_hour(["00:00", "23:59"])
# call: cars_per_hour([])
# call: cars_per_hour(["09:01", "17:30", "17:31", "08:59", "17:45", "12:00", "09:59", "08:00", "17:00"])
# call: cars_per_hour(["7:05", "07:10"])
# call: cars_per_hour(["seven"])
def cars_per_hour(stamps):
    from collections import defaultdict
    minutes = defaultdict(list)
    for stamp in stamps:
        hour, minute = stamp.split(":")
        minutes[int(hour)].append(int(minute))
    report = []
    for hour in sorted(minutes):
        first, last = min(minutes[hour]), max(minutes[hour])
        report.append(f"{hour:02}h {len(minutes[hour])}x {first}..{last}")
    return report


# call: signal_steps("ggyrr", 7)
# call: signal_steps("gr", 3)
# call: signal_steps("g", 0)
# call: signal_steps("gggyyrrrr", 20)
# call: signal_steps("gyr", -2)
# call: signal_steps("", 2)
def signal_steps(plan, ticks):
    shown = ""
    for tick in range(ticks):
        shown += plan[tick % len(plan)]
    changes = sum(a != b for a, b in zip(shown, shown[1:]))
    return shown, changes


# call: Crossing(2).tick(3).tick(1).state()
# call: Crossing(4).tick(9).state()
# call: Crossing().state()
# call: Crossing(3).tick(5).tick(2).tick(8).tick(1).state()
# call: Crossing(1).tick(0).state()
# call: Crossing(0).tick(1).state()
class Crossing:
    """Two roads in turn; each is green for `length` seconds."""

    def __init__(self, length=5):
        self.length = length
        self.clock = 0

    def tick(self, seconds):
        self.clock += seconds
        return self

    def state(self):
        phase, into = divmod(self.clock, self.length)
        north = "green" if phase % 2 == 0 else "red"
        return {"north": north, "left": self.length - into}


# call: queue_length([3, 0, 2, 5], 2)
# call: queue_length([1, 1, 1], 1)
# call: queue_length([], 4)
# call: queue_length([6, 2, 0, 0, 9, 1, 3, 0, 4, 7], 3)
# call: queue_length([2, 2], 0)
# call: queue_length([2, None], 1)
def queue_length(arrivals, per_green):
    waiting, longest, log = 0, 0, []
    for n in arrivals:
        waiting += n
        longest = max(longest, waiting)
        waiting -= min(waiting, per_green)
        log.append(waiting)
    return log, longest


# call: speed_fines([52, 61, 48, 75], 50)
# call: speed_fines([30], 30)
# call: speed_fines([], 100)
# call: speed_fines([88, 93, 110, 131, 79, 80, 81, 99], 80)
# call: speed_fines([0, -5], 10)
# call: speed_fines([60, "61"], 50)
def speed_fines(speeds, limit):
    steps = [(30, 280), (20, 115), (10, 70), (3, 30)]
    fines = []
    for speed in speeds:
        for over, fine in steps:
            if speed - limit > over:
                fines.append(fine)
                break
        else:
            fines.append(0)
    return fines


# call: lane_change(["car", None, "bus"], 0)
# call: lane_change([None, "car", None], 1)
# call: lane_change([], 0)
# call: lane_change(["a", "b", None, "c", None, None, "d"], 3)
# call: lane_change(["a", "b"], 0)
# call: lane_change(["a", None], 5)
def lane_change(lanes, at):
    if not lanes:
        return lanes
    for side in (-1, 1):
        new = at + side
        if 0 <= new < len(lanes) and lanes[new] is None:
            lanes[at], lanes[new] = lanes[new], lanes[at]
            break
    return lanes


# call: move_cars("a.b..")
# call: move_cars("ab.")
# call: move_cars("")
# call: move_cars("x..yz..w.v", 3)
# call: move_cars("abc")
# call: move_cars(["a", "."])
def move_cars(road, steps=1):
    cells = list(road)
    for _ in range(steps):
        moved = ["."] * len(cells)
        for i, car in enumerate(cells):
            if car == ".":
                continue
            ahead = (i + 1) % len(cells)
            if cells[ahead] == ".":
                moved[ahead] = car
            else:
                moved[i] = car
        cells = moved
    return "".join(cells)


# call: bus_headways(["06:00", "06:20", "06:35"])
# call: bus_headways(["10:59", "11:01"])
# call: bus_headways(["12:00"])
# call: bus_headways(["05:30", "05:50", "06:10", "06:25", "06:40", "06:50", "07:00", "07:30"])
# call: bus_headways(["23:50", "00:10"])
# call: bus_headways(["6.00", "06:20"])
def bus_headways(departures: list[str]) -> dict[int, list[str]]:
    after = {}
    previous = departures[0]
    for departure in departures[1:]:
        hours = int(departure[:2]) - int(previous[:2])
        minutes = int(departure[3:]) - int(previous[3:])
        wait = (60 * hours + minutes) % 1440
        after.setdefault(wait, []).append(previous)
        previous = departure
    return after


# call: toll(["car", "truck", "moto"])
# call: toll(["truck"], night=True)
# call: toll([])
# call: toll(["car", "car", "van", "moto", "truck", "car", "truck", "van"], night=True)
# call: toll(["bike", "car"])
# call: toll([["car"]])
def toll(vehicles, night=False):
    rates = {"moto": 150, "car": 300, "van": 420, "truck": 975}
    cents = 0
    for v in vehicles:
        fee = rates.get(v)
        if fee is None:
            continue
        cents += fee * 3 // 4 if night else fee
    return f"{cents // 100}.{cents % 100:02}"


# call: braking_distance(50)
# call: braking_distance(100, wet=True)
# call: braking_distance(0)
# call: braking_distance(137.5, wet=False)
# call: braking_distance(-50)
# call: braking_distance("50")
def braking_distance(kmh, wet=False):
    reaction = kmh / 10 * 3
    braking = (kmh / 10) ** 2
    if wet:
        braking *= 1.5
    return round(reaction + braking, 1)


# call: roundabout([("N", "E"), ("S", "N")])
# call: roundabout([("W", "W")])
# call: roundabout([])
# call: roundabout([("N", "W"), ("E", "S"), ("S", "E"), ("W", "N"), ("E", "N")])
# call: roundabout([("N", "N"), ("E", "E")])
# call: roundabout([("N", "X")])
def roundabout(trips):
    order = "NESW"
    load = dict.fromkeys(order, 0)
    for enter, leave in trips:
        quarters = (order.index(leave) - order.index(enter)) % 4 or 4
        for q in range(quarters):
            load[order[(order.index(enter) + q) % 4]] += 1
    return load


# call: plate_kind("B-AX 123")
# call: plate_kind("M-E 42E")
# call: plate_kind("")
# call: plate_kind("HH-OO 1968H")
# call: plate_kind("0-17")
# call: plate_kind(123)
def plate_kind(plate):
    import re
    m = re.fullmatch(r"([A-Z]{1,3})-([A-Z]{1,2}) (\d{1,4})([EH]?)", plate)
    if m is None:
        return "diplomatic" if plate[:2] == "0-" else "unknown"
    town, _, number, suffix = m.groups()
    kind = {"E": "electric", "H": "historic"}.get(suffix, "plain")
    return kind, town, int(number)


# call: green_wave([200, 350, 500], 50)
# call: green_wave([100], 36)
# call: green_wave([], 50)
# call: green_wave([150, 300, 310, 480, 700, 850, 1000], 45.0)
# call: green_wave([500, 200], 60)
# call: green_wave([100], 0)
def green_wave(positions, kmh):
    mps = kmh / 3.6
    return [int(p / mps + 0.5) % 60 for p in positions]


# call: merge_zipper(["a1", "a2", "a3"], ["b1"])
# call: merge_zipper(["a1"], ["b1"])
# call: merge_zipper([], [])
# call: merge_zipper(["a1", "a2"], ["b1", "b2", "b3", "b4", "b5", "b6"])
# call: merge_zipper([], ["b1", "b2"])
# call: merge_zipper(("a1",), ["b1"])
def merge_zipper(left, right):
    out = []
    while left and right:
        out.append(left.pop(0))
        left, right = right, left
    out.extend(left or right)
    return out


# call: parking([("in", "A1"), ("in", "B2"), ("out", "A1")])
# call: parking([("in", "A1")], 1)
# call: parking([])
# call: parking([("in", "a"), ("in", "b"), ("in", "c"), ("out", "b"), ("in", "d"), ("in", "e"), ("out", "a")], 3)
# call: parking([("in", "a"), ("in", "a")])
# call: parking([("out", "ghost")])
def parking(events, places=2):
    inside, turned = set(), []
    for kind, plate in events:
        if kind == "out":
            inside.remove(plate)
        elif len(inside) < places:
            inside.add(plate)
        else:
            turned.append(plate)
    return sorted(inside), turned


# call: parking_fee(95)
# call: parking_fee(30)
# call: parking_fee(0)
# call: parking_fee(1560)
# call: parking_fee(121, resident=True)
# call: parking_fee(-5)
def parking_fee(minutes: int, resident: bool = False) -> float:
    if minutes < 0:
        raise ValueError("left before coming")
    if minutes <= 30:
        return 0
    days, rest = divmod(minutes, 24 * 60)
    hours = -(-rest // 60)
    fee = days * 18 + min(hours * 2.5, 18)
    return fee / 2 if resident else fee


# call: count_kinds("ccbtcb")
# call: count_kinds("m")
# call: count_kinds("")
# call: count_kinds("cctbmccc?tbccmxctb")
# call: count_kinds("???")
# call: count_kinds(None)
def count_kinds(tape):
    """Tally from a hand-written tape: c car, b bus, t truck, m moto."""
    lines = []
    for letter, name in zip("cbtm", "car bus truck moto".split()):
        n = tape.count(letter)
        if n == 0:
            continue
        fives, ones = divmod(n, 5)
        lines.append(name.ljust(6) + "HHHH/ " * fives + "|" * ones)
        tape = tape.replace(letter, "")
    if tape:
        lines.append("not read: " + tape)
    return lines


# call: detour({"A": "B", "B": "C"}, "A")
# call: detour({"A": "B"}, "B")
# call: detour({}, "Z")
# call: detour({"a": "c", "c": "f", "f": "b", "b": "g", "g": "d"}, "a")
# call: detour({"A": "B", "B": "A"}, "A")
# call: detour({"A": ["B"]}, "A")
def detour(closed, street):
    path = [street]
    while street in closed:
        street = closed[street]
        if street in path:
            path.append("loop")
            break
        path.append(street)
    return " > ".join(path)


# call: axle_weight([5200, 7100, 6900])
# call: axle_weight([900, 850], 1000)
# call: axle_weight([])
# call: axle_weight([6100, 9900, 9700, 8000, 8050, 8100, 10100], 10000)
# call: axle_weight([10000, 10001], 10000)
# call: axle_weight([5000, "6000"])
def axle_weight(axles, limit=7000):
    heavy = {n: kg - limit for n, kg in enumerate(axles, 1) if kg > limit}
    if any(over > limit * 0.05 for over in heavy.values()):
        return "stop", heavy
    return "warn" if heavy else "pass", heavy


# call: pedestrian_button([2, 5, 6, 20], 10)
# call: pedestrian_button([0], 5)
# call: pedestrian_button([], 5)
# call: pedestrian_button([1, 3, 14, 15, 16, 29, 44, 45, 60], 15)
# call: pedestrian_button([9, 4], 3)
# call: pedestrian_button([1, "2"], 5)
def pedestrian_button(presses, wait):
    green_at = []
    ready = 0
    for press in presses:
        if green_at and press < green_at[-1]:
            continue
        start = max(press, ready)
        green_at.append(start)
        ready = start + wait
    return green_at


# call: TrafficLight("red").run("tttt")
# call: TrafficLight("green").run("tb")
# call: TrafficLight("red").run("")
# call: TrafficLight("yellow").run("ttbttbtrtt")
# call: TrafficLight("red").run("bbb")
# call: TrafficLight("blue").run("t")
class TrafficLight:
    cycle = ("red", "green", "yellow")

    def __init__(self, colour):
        self.at = self.cycle.index(colour)
        self.broken = False

    def run(self, events):
        seen = []
        for event in events:
            if event == "b":
                self.broken = True
            elif event == "r":
                self.broken = False
                self.at = 0
            elif not self.broken:
                self.at = (self.at + 1) % 3
            seen.append("blink" if self.broken else self.cycle[self.at])
        return seen


# call: average_wait([(0, 3), (2, 5), (4, 9)])
# call: average_wait([(1, 1)])
# call: average_wait([])
# call: average_wait([(0, 4), (1, 4), (3, 8), (5, 8), (9, 12), (10, 12), (11, 16)])
# call: average_wait([(5, 3)])
# call: average_wait([(0, 3), (2,)])
def average_wait(cars):
    total = 0
    for came, went in cars:
        if went < came:
            return "clock fault"
        total += went - came
    try:
        mean = total / len(cars)
    except ZeroDivisionError:
        return "no cars"
    else:
        return "%.1f s" % mean


# call: junction_code(True, False, True)
# call: junction_code(False, False, False)
# call: junction_code()
# call: junction_code(True, True, False, True, True, False, False, True)
# call: junction_code(0, 2, "")
# call: junction_code([], [0])
def junction_code(*loops):
    code = 0
    for bit, occupied in enumerate(loops):
        if occupied:
            code |= 1 << bit
    return code, format(code, f"0{len(loops) or 1}b")


# call: loop_bits(0b1011)
# call: loop_bits(1)
# call: loop_bits(0)
# call: loop_bits(0xA5C, 12)
# call: loop_bits(16)
# call: loop_bits(5.0)
def loop_bits(register, lanes=4):
    occupied = []
    for lane in range(lanes):
        if register >> lane & 1:
            occupied.append(f"lane {lane + 1}")
    return occupied or ["clear"]


# call: ferry(["car", "truck", "car", "bus"], 4)
# call: ferry(["moto"], 1)
# call: ferry([], 6)
# call: ferry(["bus", "car", "car", "truck", "moto", "car", "bus", "car", "truck"], 5)
# call: ferry(["bus"], 2)
# call: ferry(["tank"], 4)
def ferry(line, deck):
    length = {"moto": 0.5, "car": 1, "truck": 2, "bus": 3}
    trips, load, used = [], [], 0
    for vehicle in line:
        need = length[vehicle]
        if used + need > deck:
            trips.append(load)
            load, used = [], 0
        load.append(vehicle)
        used += need
    if load:
        trips.append(load)
    return trips


# call: rush_windows([3, 9, 8, 2, 10], 7)
# call: rush_windows([8, 8], 7)
# call: rush_windows([], 5)
# call: rush_windows([1, 6, 7, 7, 2, 9, 9, 9, 3, 0, 8], 6)
# call: rush_windows([5, 5, 5], 5)
# call: rush_windows([7, None], 5)
def rush_windows(per_hour, threshold):
    windows, start = [], None
    for hour, cars in enumerate(per_hour + [0]):
        if cars > threshold and start is None:
            start = hour
        elif cars <= threshold and start is not None:
            windows.append(f"{start}-{hour}")
            start = None
    return windows


# call: platoon([0, 2, 3, 10, 11])
# call: platoon([5, 20], 3)
# call: platoon([])
# call: platoon([1, 3, 5, 9, 10, 12, 20, 22, 23, 24, 31], 2)
# call: platoon([4])
# call: platoon([0, 1, "2"])
def platoon(passing, gap=2):
    groups = []
    for t in passing:
        if groups and t - groups[-1][-1] <= gap:
            groups[-1].append(t)
        else:
            groups.append([t])
    return [len(g) for g in groups], max(groups, key=len, default=[])


# call: sign_text("limit", 50)
# call: sign_text("exit", 12, "a")
# call: sign_text("stop")
# call: sign_text("detour", "Oak St", "Elm St", "Mill Ln")
# call: sign_text("limit", 50, 30)
# call: sign_text()
def sign_text(*parts):
    match parts:
        case ("limit", int(n)):
            return f"({n})"
        case ("exit", number, letter):
            return f"Exit {number}{letter.upper()}"
        case ("stop" | "yield" as word,):
            return word.upper()
        case ("detour", first, *others):
            return f"Detour via {first}" + "".join(f", {o}" for o in others)
    raise LookupError(len(parts))


# call: fuel_stops([0, 180, 320, 500], 350)
# call: fuel_stops([0, 100], 100)
# call: fuel_stops([0], 50)
# call: fuel_stops([0, 90, 160, 240, 330, 410, 480, 560, 700], 200)
# call: fuel_stops([0, 400], 300)
# call: fuel_stops([], 300)
def fuel_stops(stations, reach):
    at = stations[0]
    stops = []
    for here, ahead in zip(stations, stations[1:]):
        if ahead - here > reach:
            return f"stranded after km {here}"
        if ahead - at > reach:
            stops.append(here)
            at = here
    return stops


# call: make_counter("north")(3)
# call: make_counter("south")(1)
# call: make_counter("")(0)
# call: make_counter("A100 ring west", 40)(12)
# call: make_counter("east", -2)(2)
# call: make_counter("east")(2.5)
def make_counter(name, start=0):
    count = start

    def add(cars):
        nonlocal count
        for _ in range(cars):
            count += 1
        return f"{name}={count}"

    return add


# call: tram_positions([0, 4, 9], 3)
# call: tram_positions([1], 10)
# call: tram_positions([], 2)
# call: tram_positions([0, 2, 5, 7, 11, 14, 19], 8, ring=20)
# call: tram_positions([11], -12)
# call: tram_positions([3], 1, ring=0)
def tram_positions(trams, minutes, ring=12):
    moved = sorted((t + minutes) % ring for t in trams)
    gaps = [(b - a) % ring for a, b in zip(moved, moved[1:] + moved[:1])]
    return list(zip(moved, gaps))


# call: incident_log("08:10 A9 crash; 08:42 A9 clear")
# call: incident_log("10:00 B1 jam")
# call: incident_log("")
# call: incident_log("06:01 A1 jam; 06:15 A2 crash; 06:40 A1 clear; 07:05 A3 ice; 07:30 A2 clear")
# call: incident_log("09:00 A4 clear")
# call: incident_log("09:00 A4")
def incident_log(text):
    active = {}
    for entry in filter(None, map(str.strip, text.split(";"))):
        when, road, what = entry.split()
        if what == "clear":
            active.pop(road, None)
        else:
            active[road] = (what, when)
    return active


# call: yield_order([("north", 3), ("east", 1), ("south", 2)])
# call: yield_order([("west", 0)])
# call: yield_order([])
# call: yield_order([("south", 4), ("east", 2), ("north", 2), ("west", 4), ("east", 1), ("north", 1)])
# call: yield_order([("west", 1), ("north", 1)])
# call: yield_order([("up", 1)])
def yield_order(arrivals):
    rank = {side: i for i, side in enumerate(["north", "east", "south", "west"])}
    first = sorted(arrivals, key=lambda a: (a[1], rank[a[0]]))
    return [side[0].upper() for side, _ in first]


# call: convoy_space([4.5, 12.0, 4.2], 60)
# call: convoy_space([18], 80)
# call: convoy_space([], 50)
# call: convoy_space([4.5, 4.5, 7.25, 12.0, 18.75, 4.0, 5.5], 100)
# call: convoy_space([4, 4], 0)
# call: convoy_space([4, "x"], 50)
def convoy_space(lengths, kmh):
    gap = kmh / 2
    total = 0
    for i, metres in enumerate(lengths):
        total += metres
        if i < len(lengths) - 1:
            total += gap
    return total, round(total / 1000, 3)


# call: license_points([("phone", 1), ("speed", 3), ("red light", 2)])
# call: license_points([("belt", 0)])
# call: license_points([])
# call: license_points([("speed", 3), ("speed", 3), ("red light", 2), ("phone", 1), ("alcohol", 4), ("speed", 2)])
# call: license_points([("course", -1), ("speed", 3)])
# call: license_points([("speed", 3), ("phone",)])
def license_points(offences):
    points = 0
    for index, (what, p) in enumerate(offences):
        points = max(0, points + p)
        if points >= 8:
            return f"revoked at {what} ({index + 1} of {len(offences)})"
    return points


# call: street_grid(3, 4, [(1, 1), (2, 3)])
# call: street_grid(1, 2, [])
# call: street_grid(0, 5, [])
# call: street_grid(4, 6, [(0, 0), (1, 5), (2, 2), (3, 4), (3, 3)])
# call: street_grid(2, 2, [(-1, 0)])
# call: street_grid(2, 2, [(2, 0)])
def street_grid(rows, cols, closed):
    grid = [["+"] * cols for _ in range(rows)]
    for r, c in closed:
        grid[r][c] = "x"
    return ["-".join(row) for row in grid]


# call: shared_row(3, 2)
# call: shared_row(1, 1)
# call: shared_row(0, 0)
# call: shared_row(4, 5, "#")
# call: shared_row(2, 3, "")
# call: shared_row(2, "3")
def shared_row(rows, cols, wall="|"):
    # every row is the same list
    city = [["."] * cols] * rows
    for r in range(rows):
        city[r][r % cols] = wall
    return ["".join(row) for row in city]


# call: walk("NNE")
# call: walk("NSEW")
# call: walk("")
# call: walk("NNEESSSWNEENNW", start=(2, -1))
# call: walk("LLNR")
# call: walk(["N", 5, "E"])
def walk(turns, start=(0, 0)):
    x, y = start
    visited = {start}
    for turn in turns:
        dx, dy = {"N": (0, 1), "S": (0, -1), "E": (1, 0), "W": (-1, 0)}.get(turn, (0, 0))
        x, y = x + dx, y + dy
        visited.add((x, y))
    return (x, y), len(visited), abs(x - start[0]) + abs(y - start[1])


# call: steer(["L", "R", "R"], "N")
# call: steer(["U"], "E")
# call: steer([], "S")
# call: steer(["R", "R", "L", "U", "R", "R", "R", "L", "U"], "W")
# call: steer(["S", "L"], "N")
# call: steer(["L"], "Q")
def steer(commands, heading):
    compass = "NESW"
    trail = heading
    for c in commands:
        step = 1 if c == "R" else -1 if c == "L" else 2 if c == "U" else 0
        heading = compass[(compass.index(heading) + step) % len(compass)]
        trail += heading
    return trail


# call: signal_faults([1, 0, 0, 1, 0, 0])
# call: signal_faults([0])
# call: signal_faults([])
# call: signal_faults([1, 0, 0, 1, 0, 0, 0, 1, 1, 0, 0, 1])
# call: signal_faults([0, 0, 0])
# call: signal_faults([1, "0", None], "2")
def signal_faults(heartbeats, allowed=1):
    silent = 0
    alarms = []
    for second, beat in enumerate(heartbeats):
        if beat:
            silent = 0
            continue
        silent += 1
        if silent > allowed:
            alarms.append(second)
    return alarms


# call: compass_route([(0, 0), (3, 4), (3, 0)])
# call: compass_route([(1, 1), (0, 2)])
# call: compass_route([(5, 5)])
# call: compass_route([(0, 0), (0, 6), (8, 0), (8, -3), (4, -3), (-4, 3)])
# call: compass_route([(2, 2), (2, 2)])
# call: compass_route([(0, 0), (3,)])
def compass_route(points):
    import math
    legs = []
    for (x1, y1), (x2, y2) in zip(points, points[1:]):
        distance = math.hypot(x2 - x1, y2 - y1)
        bearing = math.degrees(math.atan2(x2 - x1, y2 - y1)) % 360
        legs.append((round(distance, 1), round(bearing)))
    return legs


# call: count_gaps("1100111")
# call: count_gaps("0110")
# call: count_gaps("")
# call: count_gaps("111000110100000011")
# call: count_gaps("000")
# call: count_gaps("12")
def count_gaps(detector):
    if noise := set(detector) - set("01"):
        raise ValueError("detector noise: " + "".join(sorted(noise)))
    gaps = [len(g) for g in detector.strip("0").split("1")]
    while 0 in gaps:
        gaps.remove(0)
    return {"gaps": gaps, "longest": max(gaps, default=0), "crossed": sum(g // 3 for g in gaps)}


# call: bus_load(["+3", "+2 -1", "-4"])
# call: bus_load(["+50"], 40)
# call: bus_load([])
# call: bus_load(["+12", "+9 -2", "+15 -4", "-11", "+20 -3", "+8", "-30 +1"], 40)
# call: bus_load(["-1"])
# call: bus_load(["three"])
def bus_load(stops, seats=10):
    on = 0
    standing = []
    for stop in stops:
        for change in stop.split():
            on += int(change)
        assert on >= 0, "more left than came"
        standing.append(max(on - seats, 0))
    return on, standing


# call: rank_roads({"A1": [120, 90], "B2": [300], "C3": [10, 20, 30]})
# call: rank_roads({"x": [5]})
# call: rank_roads({})
# call: rank_roads({"ring": [900, 870, 640], "main": [455, 512], "mill": [30, 25, 28, 31], "oak": [512, 455], "quay": [99]})
# call: rank_roads({"x": [], "y": [0]})
# call: rank_roads({"x": 5})
def rank_roads(counts):
    daily = {road: sum(c) / max(len(c), 1) for road, c in counts.items()}
    lines = []
    for road in sorted(daily, key=daily.get, reverse=True):
        lines.append(f"{road:>5}|{daily[road]:8.1f}|{'#' * int(daily[road] // 100)}")
    return lines


# call: vehicle_class(axles=2, height=1.5)
# call: vehicle_class(axles=5, height=4.0)
# call: vehicle_class()
# call: vehicle_class(axles=3, height=2.9, trailer=True, weight=7.5)
# call: vehicle_class(height=1.29)
# call: vehicle_class(height="tall")
def vehicle_class(**data):
    axles = data.pop("axles", 2)
    height = data.pop("height", 0)
    if height < 1.3 and axles == 2:
        c = 1
    elif 1.3 <= height <= 3:
        c = 2 if axles == 2 else 3
    else:
        c = 4
    c += bool(data.pop("trailer", False))
    return c, sorted(data)


# call: shuttle(5, ["a", "b", "c", "d", "e", "f"])
# call: shuttle(1, ["x", "y"])
# call: shuttle(3, [])
# call: shuttle(4, ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k"])
# call: shuttle(0, ["x"])
# call: shuttle(2, None)
def shuttle(seats, people):
    def rides(rest):
        if not rest:
            return
        yield rest[:seats]
        if seats < 1:
            raise StopIteration("no seats")
        yield from rides(rest[seats:])

    plan = {n: "".join(group) for n, group in enumerate(rides(people), 1)}
    return plan


# call: lamp_memory("red", True)
# call: lamp_memory("green", False)
# call: lamp_memory("", False)
# call: lamp_memory("red-yellow", True, ["red", "yellow", "green"])
# call: lamp_memory("red", True, ())
# call: lamp_memory(7, True, {7: "seven"})
def lamp_memory(lamp, on, lit=[]):
    if on and lamp not in lit:
        lit.append(lamp)
    if not on and lamp in lit:
        lit.remove(lamp)
    return lit, lamp_memory.__defaults__


# call: twoWayCount(["in", "in", "out"])
# call: twoWayCount(["out"])
# call: twoWayCount([])
# call: twoWayCount(["in", "in", "out", "in", "in", "in", "out", "out", "in", "out", "in"])
# call: twoWayCount(["in", "side", "out"])
# call: twoWayCount(["in", 3])
def twoWayCount(passes):
    inside = []
    peakAt = None
    peak = 0
    number = 0
    for way in passes:
        number = number + 1
        if way == "in":
            inside.append(number)
        elif way == "out":
            if inside == []:
                return "left before entering: " + str(number)
            inside.pop(0)
        if len(inside) >= peak:
            peak = len(inside)
            peakAt = number
    return {"inside": inside, "peak": peak, "peakAt": peakAt}


# call: cycle_split({"main": 600, "side": 200}, 90)
# call: cycle_split({"only": 1}, 60)
# call: cycle_split({}, 60)
# call: cycle_split({"north": 420, "east": 130, "south": 380, "west": 95, "tram": 12}, 120)
# call: cycle_split({"a": 0, "b": 5}, 20)
# call: cycle_split({"a": 0}, 20)
def cycle_split(flows, cycle):
    lost = 4 * len(flows)
    total = sum(flows.values())
    shares = {}
    for road, flow in flows.items():
        shares[road] = max(5, (cycle - lost) * flow // total)
    shares["spare"] = cycle - lost - sum(shares.values())
    return shares


# call: dead_end({"a": ["b", "c"], "b": [], "c": ["d"]}, "a")
# call: dead_end({"a": ["a2"]}, "a2")
# call: dead_end({}, "x")
# call: dead_end({"gate": ["oak", "elm"], "oak": ["ash", "fir"], "elm": ["yew"], "fir": ["bay", "ivy"]}, "gate")
# call: dead_end({"a": ["a"]}, "b")
# call: dead_end({"a": None}, "a")
def dead_end(streets, at, depth=0):
    onward = streets.get(at, [])
    if not onward:
        return [(at, depth)]
    ends = []
    for street in onward:
        ends += dead_end(streets, street, depth + 1)
    return ends
