# call: unroll_program(["F", [2, "R"]])
# call: unroll_program([[3, "F", "L"]])
# call: unroll_program([])
# call: unroll_program(["F", [2, "R", [3, "F"]], "B", [1, "L"]])
# call: unroll_program([[0, "F"]])
# call: unroll_program(["F", 2])
def unroll_program(program):
    out = ""
    for part in program:
        if isinstance(part, str):
            out += part
        else:
            times, *body = part
            out += times * unroll_program(body)
    return out


# call: clampArm(95, 0, 90)
# call: clampArm(-4, -10, 10)
# call: clampArm(0, 0, 0)
# call: clampArm(12345.678, -180.0, 180.0)
# call: clampArm(5, 10, 0)
# call: clampArm("5", 0, 10)
def clampArm(angle, low, high):
    if low <= angle <= high:
        return angle, False
    return (low if angle < low else high), True


# call: battery_left("FFRF")
# call: battery_left("FFFF", 5)
# call: battery_left("")
# call: battery_left("FLFRFFCFFLLF", 12)
# call: battery_left("C", 100)
# call: battery_left("FZ")
def battery_left(moves, charge=10):
    cost = {"F": 2, "L": 1, "R": 1, "C": -5}
    used = 0
    for m in moves:
        if charge < cost[m]:
            return f"stopped after {used}"
        charge = min(charge - cost[m], 20)
        used += 1
    return charge


# call: doorRobot(["push", "push"])
# call: doorRobot(["push", "wait", "wait", "wait"])
# call: doorRobot([])
# call: doorRobot(["wait", "push", "wait", "lock", "push", "unlock", "push", "wait"])
# call: doorRobot(["lock", "lock"])
# call: doorRobot(["push", "lock", 3])
def doorRobot(events):
    table = {
        ("shut", "push"): "open",
        ("open", "push"): "open",
        ("open", "wait"): "closing",
        ("closing", "push"): "open",
        ("closing", "wait"): "shut",
        ("shut", "lock"): "locked",
        ("locked", "unlock"): "shut",
    }
    state = "shut"
    trail = [state]
    for e in events:
        state = table.get((state, e), state)
        if state != trail[-1]:
            trail.append(state)
    return trail


# call: TrackRobot().obey("forward 3, left, forward 2")
# call: TrackRobot("Bolt").obey("back 4, forward 1")
# call: TrackRobot("").obey("")
# call: TrackRobot("R2").obey("right, forward 10, right, forward 5, left, back 3")
# call: TrackRobot().obey("jump, forward 1")
# call: TrackRobot().obey("forward far")
class TrackRobot:
    def __init__(self, name="robot"):
        self.name = name
        self.heading = 0
        self.pos = [0, 0]

    def move(self, n):
        axis = 1 - self.heading // 90 % 2
        sign = 1 if self.heading in (0, 90) else -1
        self.pos[axis] += sign * n

    def obey(self, text):
        for order in text.split(", "):
            word, _, amount = order.partition(" ")
            if word in ("forward", "back"):
                self.move(int(amount) if word == "forward" else -int(amount))
            elif word in ("left", "right"):
                self.heading = (self.heading + (90 if word == "right" else -90)) % 360
        return f"{self.name} at {self.pos} facing {self.heading}"


# call: visited_cells("NNES")
# call: visited_cells("EEWW")
# call: visited_cells("")
# call: visited_cells("NNEESSWWNEN")
# call: visited_cells("EW" * 4)
# call: visited_cells("n")
def visited_cells(path):
    place = 0j
    step = {"N": 1j, "S": -1j, "E": 1, "W": -1}
    seen = [place]
    for letter in path:
        place += step[letter]
        if place not in seen:
            seen.append(place)
    return [(int(p.real), int(p.imag)) for p in seen]


# call: gripper_log([5, 30, 2])
# call: gripper_log([11, 11], limit=11)
# call: gripper_log([])
# call: gripper_log([3, 14, 8, 26, 1, 40, 19, 20, 7], limit=20)
# call: gripper_log([-1, 4])
# call: gripper_log([3, "heavy"])
class GripError(Exception):
    pass

def gripper_log(weights, limit=25):
    def lift(w):
        if w < 0:
            raise GripError("sensor")
        if w > limit:
            raise GripError(f"{w} over {limit}")
        return w
    held, notes = 0, []
    for w in weights:
        try:
            held += lift(w)
        except GripError as problem:
            notes.append(str(problem))
    return held, notes


# call: count_actions(["go", ["turn", "go"]])
# call: count_actions(["go"])
# call: count_actions([])
# call: count_actions(["a", ["b", ["c", ["d"], "e"], []], ("f", "g"), "h"])
# call: count_actions([[[]], []])
# call: count_actions("go")
def count_actions(prog):
    if not isinstance(prog, list):
        return 1
    n = 0
    for p in prog:
        n += count_actions(p)
    return n


# call: wheel_turns(100, 10)
# call: wheel_turns(250, 7.5)
# call: wheel_turns(0, 1)
# call: wheel_turns(98765, 12.25)
# call: wheel_turns(-50, 10)
# call: wheel_turns(5, 0)
import math

def wheel_turns(distance: float, diameter: float) -> str:
    turns = distance / (math.pi * diameter)
    whole = math.floor(turns)
    degrees = (turns - whole) * 360
    return f"{whole} turns {degrees:.0f} deg"


# call: guard_patrol([2, 0], 4, 5)
# call: guard_patrol([0], 3, 4)
# call: guard_patrol([], 5, 5)
# call: guard_patrol([1, 4, 6, 9], 10, 12)
# call: guard_patrol([3, 3], 4, 0)
# call: guard_patrol([5], 5, 2)
def guard_patrol(guards, length, ticks):
    moves = [1] * len(guards)
    for _ in range(ticks):
        for i, g in enumerate(guards):
            if not 0 <= g + moves[i] < length:
                moves[i] = -moves[i]
            guards[i] += moves[i]
    return guards, moves


# call: readSensors("t=21;d=140")
# call: readSensors("t=21")
# call: readSensors("")
# call: readSensors("t=19.5;d=88;bat=0.71;mode=auto;err=")
# call: readSensors("t=1;t=2")
# call: readSensors("t21;d=4")
def readSensors(packet):
    values = {}
    for field in filter(None, packet.split(";")):
        key, value = field.split("=")
        try:
            values[key] = float(value)
        except ValueError:
            values[key] = value or None
    return values


# call: macro_call("ab", {"a": "FF", "b": "L"})
# call: macro_call("aXa", {"a": "bb", "b": "R"})
# call: macro_call("", {})
# call: macro_call("abc", {"a": "bFb", "b": "cL", "c": "RR"})
# call: macro_call("a", {"a": "aF"})
# call: macro_call("FL", {"F": None})
def macro_call(text, macros, depth=0):
    if depth > 3:
        return "!"
    result = []
    for ch in text:
        if ch in macros:
            result.append(macro_call(macros[ch], macros, depth + 1))
        else:
            result.append(ch)
    return "".join(result)


# call: stack_bot(["hold 3", "hold 4", "join"])
# call: stack_bot(["hold 9", "copy", "join", "drop"])
# call: stack_bot([])
# call: stack_bot(["hold 1", "hold 2", "hold 3", "swap", "join", "copy", "join"])
# call: stack_bot(["nap", "hold 5"])
# call: stack_bot(["hold 1", "join"])
def stack_bot(lines):
    arm = []
    for line in lines:
        match line.split():
            case ["hold", n]:
                arm.append(int(n))
            case ["join"]:
                top = arm.pop()
                arm.append(arm.pop() + top)
            case ["copy"]:
                arm.append(arm[-1])
            case ["swap"]:
                arm[-1], arm[-2] = arm[-2], arm[-1]
            case ["drop"]:
                del arm[-1]
            case _:
                arm.append(0)
    return arm


# call: compressMoves("FFFLFF")
# call: compressMoves("RRL")
# call: compressMoves("")
# call: compressMoves("FFFFFFFFFFFFBLLRRRF")
# call: compressMoves("FfF")
# call: compressMoves(["F", "F", 2])
from itertools import groupby

def compressMoves(path):
    names = {"F": "ahead", "B": "back", "L": "left", "R": "right"}
    steps = [(names.get(k, "?"), len(list(g))) for k, g in groupby(path)]
    return ", ".join(w if n == 1 else f"{w} x{n}" for w, n in steps)


# call: vacuum_row("..#.~", 0)
# call: vacuum_row("~~~.~", 2)
# call: vacuum_row("", 0)
# call: vacuum_row("~.~~.~..~#~~", 1)
# call: vacuum_row("#~", 0)
# call: vacuum_row("~~", -1)
def vacuum_row(floor, at):
    cells = list(floor)
    dust = 0
    while at < len(cells) and cells[at] != "#":
        if cells[at] == "~":
            dust += 1
            cells[at] = "."
        at += 1
    return "".join(cells), dust, at


# call: bearing_word(0, 100)
# call: bearing_word(350, 20)
# call: bearing_word(0, 0)
# call: bearing_word(10, 725)
# call: bearing_word(90, 270)
# call: bearing_word("north", 10)
def bearing_word(heading, wanted):
    turn = (wanted - heading) % 360
    if turn == 180:
        return "turn round"
    if turn > 180:
        return f"left {360 - turn}"
    return f"right {turn}" if turn else "straight on"


# call: UndoRobot().play("FFU")
# call: UndoRobot(5).play("FBBFUU")
# call: UndoRobot().play("")
# call: UndoRobot(-2).play("FFFDUBUFFD")
# call: UndoRobot().play("UUU")
# call: UndoRobot("a").play("F")
class UndoRobot:
    def __init__(self, at=0):
        self.at = at
        self._past = []

    @property
    def steps(self):
        return len(self._past)

    def play(self, keys):
        change = {"F": lambda x: x + 1, "B": lambda x: x - 1, "D": lambda x: x * 2}
        for k in keys:
            if k == "U":
                if self._past:
                    self.at = self._past.pop()
                continue
            self._past.append(self.at)
            self.at = change[k](self.at)
        return self.at, self.steps


# call: lineFollower([0, 1, -1, 0])
# call: lineFollower([2, 2, 2])
# call: lineFollower([])
# call: lineFollower([0, 0, 1, 3, 2, 1, 0, -1, -4, -2, 0], gain=0.25)
# call: lineFollower([9])
# call: lineFollower([1, None])
def lineFollower(offsets, gain=0.5):
    left, right = [], []
    for off in offsets:
        turn = max(-1, min(1, off * gain))
        left.append(round(1 - turn, 2))
        right.append(round(1 + turn, 2))
    return {"left": left, "right": right}


# call: meeting_tick("EEN", "WNE")
# call: meeting_tick("EE", "WW", gap=4)
# call: meeting_tick("", "", gap=0)
# call: meeting_tick("EEEEWEEE", "WEWWNSWE", gap=5)
# call: meeting_tick("NN", "SS")
# call: meeting_tick("E", "?")
def meeting_tick(first, second, gap=2):
    d = {"E": (1, 0), "W": (-1, 0), "N": (0, 1), "S": (0, -1)}
    ax, ay, bx, by = 0, 0, gap, 0
    for tick, (p, q) in enumerate(zip(first, second), 1):
        ax, ay = ax + d[p][0], ay + d[p][1]
        bx, by = bx + d[q][0], by + d[q][1]
        if (ax, ay) == (bx, by):
            return tick
    return -1


# call: paintProgram([("down", 0), ("right", 3), ("up", 0), ("right", 2)])
# call: paintProgram([("right", 2), ("down", 0), ("right", 1)])
# call: paintProgram([])
# call: paintProgram([("down", 0), ("right", 4), ("up", 0), ("right", 1), ("down", 0), ("right", 6)])
# call: paintProgram([("left", 2), ("right", -1)])
# call: paintProgram([("down",)])
def paintProgram(steps):
    pen, strip = False, ""
    for what, n in steps:
        if what in {"up", "down"}:
            pen = what == "down"
        elif what == "right":
            strip += ("*" if pen else " ") * n
    return strip.rstrip() + "|"


# call: nested_time(["go", ["turn", "go"]])
# call: nested_time(["go", {"repeat": 3, "do": ["turn"]}])
# call: nested_time([])
# call: nested_time([{"repeat": 2, "do": ["go", {"repeat": 4, "do": ["turn"]}]}, "rest"])
# call: nested_time([{"repeat": 0, "do": ["go"]}])
# call: nested_time([{"do": ["go"]}])
TIMES = {"go": 4, "turn": 1}

def nested_time(program):
    """Seconds needed; unknown words last ten seconds."""
    if isinstance(program, str):
        return TIMES.get(program, 10)
    if isinstance(program, dict):
        return program["repeat"] * nested_time(program["do"])
    return sum(nested_time(p) for p in program)


# call: bumpCount("FFFF", 3)
# call: bumpCount("FBFB", 2)
# call: bumpCount("", 1)
# call: bumpCount("FFFBBBBFFFFFFB", 4)
# call: bumpCount("BB", 1)
# call: bumpCount("FF", None)
def bumpCount(cmds, wall):
    x = bumps = 0
    for c in cmds:
        nxt = x + (c == "F") - (c == "B")
        if nxt < 0 or nxt >= wall:
            bumps += 1
            continue
        x = nxt
    return x, bumps


# call: share_parcels(["p1", "p2", "p3"], ["ada", "bob"])
# call: share_parcels(["x"], ["ada", "bob"])
# call: share_parcels([], ["ada"])
# call: share_parcels(["a", "b", "c", "d", "e", "f", "g"], ["r1", "r2", "r3"])
# call: share_parcels(["a", "b"], ["ada", "ada"])
# call: share_parcels(["a"], [])
def share_parcels(parcels, bots):
    loads = dict.fromkeys(bots, [])
    for i, p in enumerate(parcels):
        loads[bots[i % len(bots)]].append(p)
    return loads


# call: make_bot("F", "L")
# call: make_bot("F", "F", "R", start=4)
# call: make_bot()
# call: make_bot("F", "R", "F", "L", "B", "F", "F", start=-1)
# call: make_bot("Q")
# call: make_bot("F", start="0")
def make_bot(*orders, start=0):
    place = start
    turned = 0

    def obey(o):
        nonlocal place, turned
        if o == "F":
            place += 1 if turned % 2 == 0 else -1
        elif o in "LR":
            turned += 1
        return place

    return [obey(o) for o in orders], turned


# call: arm_reach([3, 4], [0, 90])
# call: arm_reach([10, 5, 2], [45, 0, -45])
# call: arm_reach([], [])
# call: arm_reach([2, 2, 2, 2, 1], [30, 30, 30, 30, 60])
# call: arm_reach([5, 5], [180])
# call: arm_reach([5], ["90"])
from math import cos, sin, radians

def arm_reach(lengths, bends):
    x = y = angle = 0
    for length, bend in zip(lengths, bends):
        angle += bend
        x += length * cos(radians(angle))
        y += length * sin(radians(angle))
    return round(x, 2), round(y, 2)


# call: modeTimeline([(0, "idle"), (4, "run"), (9, "idle")], 12)
# call: modeTimeline([(2, "run")], 5)
# call: modeTimeline([], 10)
# call: modeTimeline([(0, "boot"), (3, "run"), (8, "charge"), (15, "run"), (21, "idle"), (22, "run")], 30)
# call: modeTimeline([(5, "run"), (3, "idle")], 6)
# call: modeTimeline([(0, "idle"), 4], 6)
def modeTimeline(changes, end):
    spent = {}
    for (t, mode), (until, _) in zip(changes, changes[1:] + [(end, None)]):
        spent[mode] = spent.get(mode, 0) + until - t
    return spent


# call: status_bits(5)
# call: status_bits(0b1011)
# call: status_bits(0)
# call: status_bits(255)
# call: status_bits(16)
# call: status_bits(2.0)
FLAGS = ["moving", "holding", "charging", "error"]

def status_bits(word):
    on = [f for i, f in enumerate(FLAGS) if word >> i & 1]
    extra = word & ~0xF
    if extra:
        on.append(hex(extra))
    return " ".join(on) or "idle"


# call: replay_tape([1, -1, 2], times=2)
# call: replay_tape([3])
# call: replay_tape([])
# call: replay_tape([2, -3, 4, -1], times=3)
# call: replay_tape([1, 2], times=0)
# call: replay_tape((1, 2), times=1)
from itertools import accumulate

def replay_tape(tape, times=1):
    moves = tape * times
    return list(accumulate(moves, initial=0))[::-1]


# call: nearestCharger((2, 3), [(0, 0), (5, 3)])
# call: nearestCharger((0, 0), [(1, 1), (-1, -1)])
# call: nearestCharger((0, 0), [])
# call: nearestCharger((4, 4), [(9, 9), (4, 0), (0, 5), (7, 4), (6, 6), (3, 1)])
# call: nearestCharger((1, 1), [(1, 1)])
# call: nearestCharger((1, 1), [(1,)])
def nearestCharger(me, docks):
    def walk(dock):
        return abs(dock[0] - me[0]) + abs(dock[1] - me[1])
    if not docks:
        return None
    dock = min(docks, key=walk)
    return {"dock": dock, "walk": walk(dock), "others": len(docks) - 1}


# call: Walker("F").run(3)
# call: Walker("FB").run(2)
# call: Walker("F").run(0)
# call: Walker("FFB").run(4)
# call: Walker("").run(2)
# call: Walker("F").run("2")
class Walker:
    stride = 2

    def __init__(self, gait):
        self.gait = gait
        self.x = 0

    def step(self, c):
        self.x += self.stride if c == "F" else -1

    def run(self, rounds):
        for _ in range(rounds):
            for c in self.gait:
                self.step(c)
        return f"{type(self).__name__}:{self.x}"

class Crab(Walker):
    stride = 1


# call: if_program(["see", "F", "L"], [True, False])
# call: if_program(["see", ["see", "A", "B"], "C"], [True, False])
# call: if_program("F", [])
# call: if_program(["see", ["see", "A", ["see", "D", "E"]], ["see", "F", "G"]], [1, 0, 0, 1])
# call: if_program(["see", "F", "L"], [])
# call: if_program(["see", "F"], [True])
def if_program(node, senses):
    if isinstance(node, str):
        return node
    _, yes, no = node
    answer = senses.pop(0) if senses else False
    branch = yes if answer else no
    return ("+" if answer else "-") + if_program(branch, senses)


# call: conveyor_arm(["box", "can", "box"], 2)
# call: conveyor_arm(["box"], 3)
# call: conveyor_arm([], 1)
# call: conveyor_arm(["a", "b", "c", "d", "e", "f", "g", "h"], 3)
# call: conveyor_arm(["a", "b"], 0)
# call: conveyor_arm(["a"], -1)
from collections import deque

def conveyor_arm(items, capacity):
    belt = deque(maxlen=capacity)
    lost = []
    for it in items:
        if len(belt) == capacity and belt:
            lost.append(belt[0])
        belt.append(it)
    return list(belt), lost


# call: speedPlan(10, 4)
# call: speedPlan(3, 10)
# call: speedPlan(0, 5)
# call: speedPlan(60, 9)
# call: speedPlan(5, 1)
# call: speedPlan(5, "fast")
def speedPlan(distance, top):
    v, gone, speeds = 0, 0, []
    while gone < distance:
        if v < top:
            v += 1
        v = min(v, distance - gone)
        gone += v
        speeds.append(v)
    else:
        speeds.append(0)
    return speeds


# call: tidy_orders("  Forward   2 ; LEFT;")
# call: tidy_orders("left;left;right 90")
# call: tidy_orders("")
# call: tidy_orders("Forward 10;  back 3;turn LEFT 45 ; stop ; ;beep")
# call: tidy_orders(";;;")
# call: tidy_orders(b"left")
def tidy_orders(raw):
    return [" ".join(o.split()).lower() for o in raw.split(";") if o.strip()]


# call: gridDrawing("RRDD")
# call: gridDrawing("RDRU", 3)
# call: gridDrawing("", 1)
# call: gridDrawing("RRRDDLLUR", 4)
# call: gridDrawing("UL")
# call: gridDrawing("RRR", 2)
def gridDrawing(path, n=3):
    board = [["."] * n for _ in range(n)]
    r = c = 0
    board[r][c] = "o"
    for p in path:
        r += (p == "D") - (p == "U")
        c += (p == "R") - (p == "L")
        board[r][c] = "x"
    return ["".join(row) for row in board]


# call: firmware_newer("1.2.3", "1.2.10")
# call: firmware_newer("2.0", "1.9.9")
# call: firmware_newer("0", "0")
# call: firmware_newer("10.4.33.7", "10.4.33.7.0")
# call: firmware_newer("1.0", "1")
# call: firmware_newer("1.b", "1.2")
def firmware_newer(installed, offered):
    a, b = ([int(n) for n in v.split(".")] for v in (installed, offered))
    if a < b:
        return "update " + "->".join((installed, offered))
    return "keep" if a == b else "downgrade"


# call: retry_motor([False, True])
# call: retry_motor([False, False, False, True], tries=3)
# call: retry_motor([True])
# call: retry_motor([0, 0, 0, 0, 0, 1], tries=8)
# call: retry_motor([], tries=0)
# call: retry_motor([False], tries=2)
def retry_motor(answers, tries=3):
    def retrying(f):
        def inner():
            for n in range(1, tries + 1):
                if f():
                    return n
            raise TimeoutError(f"{tries} tries")
        return inner

    @retrying
    def spin(source=iter(answers)):
        return next(source)

    return spin()


# call: mirrorProgram(["F", ["L", "F"]])
# call: mirrorProgram(["L", "R"])
# call: mirrorProgram([])
# call: mirrorProgram(["F", [2, "R", ["L", "B"]], [[["R"]]], "L"])
# call: mirrorProgram("LEFT")
# call: mirrorProgram([None, ("L",)])
def mirrorProgram(p):
    swap = {"L": "R", "R": "L"}
    if isinstance(p, list):
        return [mirrorProgram(q) for q in p]
    return swap.get(p, p)


# call: energy_of({"move": 3, "lift": 2})
# call: energy_of({"move": 3, "spin": 5}, spin=0.5)
# call: energy_of({})
# call: energy_of({"move": 12, "lift": 7, "beep": 40, "look": 9}, beep=0.1, look=0.25)
# call: energy_of({"fly": 1})
# call: energy_of({"move": 2}, move=None)
def energy_of(work, **prices):
    prices = {"move": 1.5, "lift": 4} | prices
    total = 0
    for job, amount in work.items():
        total += amount * prices[job]
    return f"{total:.2f} Wh"


# call: knight_bot(["hop", "turn", "hop"])
# call: knight_bot(["hop", "hop"], ahead=3)
# call: knight_bot([])
# call: knight_bot(["turn", "hop", "turn", "hop", "hop", "turn", "turn", "hop"], ahead=2, side=-1)
# call: knight_bot(["sit", "sit"])
# call: knight_bot(["hop"], ahead="2")
def knight_bot(orders, ahead=2, side=1):
    spot = complex(0, 0)
    jump = complex(ahead, side)
    for order in orders:
        if order == "turn":
            jump *= 1j
        elif order == "hop":
            spot += jump
    return int(spot.real), int(spot.imag)


# call: weldSpots([3, 8, 15], 4)
# call: weldSpots([1, 2], 10)
# call: weldSpots([], 3)
# call: weldSpots([2, 5, 6, 11, 19, 20, 28, 33], 6)
# call: weldSpots([9, 3], 2)
# call: weldSpots([4], 0)
def weldSpots(marks, reach):
    base, trips = 0, []
    for m in marks:
        gap = m - base
        shifts = -(-(gap - reach) // reach) if gap > reach else 0
        base += shifts * reach
        trips.append((m, base))
    return trips


# call: formation_text([(0, 0), (1, 1)])
# call: formation_text([(2, 0), (0, 1)], "A")
# call: formation_text([(0, 0)])
# call: formation_text([(0, 0), (2, 0), (1, 1), (4, 1), (3, 2), (0, 2)], "ox")
# call: formation_text([(1, 1), (1, 1)])
# call: formation_text([])
def formation_text(spots, letters="rs"):
    wide = max(x for x, y in spots) + 1
    tall = max(y for x, y in spots) + 1
    rows = [[" ."[x % 2] for x in range(wide)] for _ in range(tall)]
    for i, (x, y) in enumerate(spots):
        rows[y][x] = letters[i % len(letters)]
    return list(map("".join, rows))


# call: ProgramStack(["F", ["L", "F"]]).pull(2)
# call: ProgramStack(["F", ["L", "F"]]).pull(3)
# call: ProgramStack([]).pull(1)
# call: ProgramStack([["A", ["B", ["C"]], "D"], [], "E", ["F"]]).pull(6)
# call: ProgramStack(["F"]).pull(5)
# call: ProgramStack("FL").pull(1)
class ProgramStack:
    def __init__(self, program):
        self.todo = [program]

    def next_word(self):
        while self.todo:
            item = self.todo.pop()
            if not isinstance(item, list):
                return item
            self.todo.extend(reversed(item))
        return None

    def pull(self, n):
        words = [self.next_word() for _ in range(n)]
        return words, len(self.todo)


# call: part_tags([("arm", 3), ("cam", 12)])
# call: part_tags([("arm", 3)], "-")
# call: part_tags([])
# call: part_tags([("arm", 3), ("leg", 104), ("cam", 12), ("hub", 0), ("arm", 77)], "")
# call: part_tags([("", 1)])
# call: part_tags([("arm", "3")])
def part_tags(parts, sep="_"):
    tags = [f"{kind.upper():.2}{sep}{num:04x}" for kind, num in parts]
    return dict(zip(tags, parts))


# call: elevatorBot([3, 1], 0)
# call: elevatorBot([2, 2, 5], 2)
# call: elevatorBot([], 4)
# call: elevatorBot([6, 1, 9, 3, 4, 8], 5)
# call: elevatorBot([-1, 0], 1)
# call: elevatorBot([1, None], 0)
def elevatorBot(calls, floor):
    going_up = True
    route = []
    while calls:
        ahead = [c for c in calls if (c >= floor if going_up else c <= floor)]
        if not ahead:
            going_up = not going_up
            continue
        floor = min(ahead) if going_up else max(ahead)
        calls.remove(floor)
        route.append(floor)
    return route


# call: run_until(["F", "F", ["stop"], "F"])
# call: run_until([["F", ["F"]], "B"])
# call: run_until([])
# call: run_until(["F", ["B", ["F", "F", ["F"]], "stop", "F"], "F", ["F"]])
# call: run_until(["stop"])
# call: run_until(["F", ["hop"]])
class Halt(Exception):
    def __init__(self, x):
        super().__init__(f"halt at {x}")
        self.x = x

def run_until(program):
    def go(part, x):
        if isinstance(part, list):
            for p in part:
                x = go(p, x)
            return x
        if part == "stop":
            raise Halt(x)
        return x + {"F": 1, "B": -1}[part]
    try:
        return go(program, 0), "end"
    except Halt as h:
        return h.x, str(h)
