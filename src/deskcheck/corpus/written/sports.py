# call: points_table([("Ajax", "Feye", 2, 1), ("Feye", "PSV", 0, 0)])
# call: points_table([("A", "B", 1, 1), ("B", "C", 3, 0), ("C", "A", 0, 2)])
# call: points_table([])
# call: points_table([("A", "B", 2, 0), ("C", "D", 1, 1), ("A", "C", 0, 1), ("B", "D", 4, 4), ("D", "A", 0, 3)])
# call: points_table([("Solo", "Solo", 2, 1)])
# call: points_table([("A", "B", 2)])
def points_table(results):
    table = {}
    for home, away, hg, ag in results:
        table.setdefault(home, 0)
        table.setdefault(away, 0)
        if hg > ag:
            table[home] += 3
        elif hg < ag:
            table[away] += 3
        else:
            table[home] += 1
            table[away] += 1
    return sorted(table.items(), key=lambda row: (-row[1], row[0]))


# call: win_streak("WWLWWW")
# call: win_streak("WDWWL")
# call: win_streak("")
# call: win_streak("WWLDWWWWLLDWW")
# call: win_streak("LLDDL")
# call: win_streak(["W", "W", None, "W"])
def win_streak(form):
    best = run = 0
    for result in form:
        run = run + 1 if result == "W" else 0
        if run > best:
            best = run
    return best, run


# call: shared_places([310, 305, 310, 290])
# call: shared_places([7, 7, 7])
# call: shared_places([])
# call: shared_places([88, 91, 75, 91, 88, 60, 99, 75, 75])
# call: shared_places([-1.5, 0, -1.5])
# call: shared_places([3, "3", 2])
def shared_places(scores):
    order = sorted(scores, reverse=True)
    return [order.index(s) + 1 for s in scores]


# call: knockout(["Eagles", "Hawks", "Owls", "Crows"], {"Eagles": 7, "Hawks": 5, "Owls": 8, "Crows": 2})
# call: knockout(["A", "B", "C"], {"A": 1, "B": 2, "C": 3})
# call: knockout(["Solo"], {})
# call: knockout(["a", "b", "c", "d", "e", "f", "g"], {"a": 4, "b": 9, "c": 2, "d": 2, "e": 7, "f": 8, "g": 1})
# call: knockout(["A", "B"], {"A": 3, "B": 3})
# call: knockout([], {})
def knockout(teams, strength):
    rounds = []
    while len(teams) > 1:
        winners = []
        for i in range(0, len(teams) - 1, 2):
            one, two = teams[i], teams[i + 1]
            winners.append(one if strength[one] >= strength[two] else two)
        if len(teams) % 2:
            winners.append(teams[-1])
        rounds.append(winners)
        teams = winners
    return teams[0], rounds


# call: goalDifference("3-1 0-0 2-4")
# call: goalDifference("5-0")
# call: goalDifference("")
# call: goalDifference("1-1 2-0 0-3 4-4 1-0 2-2 0-1 6-1")
# call: goalDifference("  2-1   0-5 ")
# call: goalDifference("3:1 0-0")
def goalDifference(text):
    scored, conceded = 0, 0
    for match in text.split():
        us, them = match.split("-")
        scored += int(us)
        conceded += int(them)
    return f"{scored}:{conceded} ({scored - conceded:+d})"


# call: Scoreboard("Reds", "Blues").play("RRBRB")
# call: Scoreboard("Home", "Visit").play("HHVHV")
# call: Scoreboard("X", "Y").play("")
# call: Scoreboard("Lions", "Tigers").play("LTLLTTLLTLTT")
# call: Scoreboard("Bears", "Bulls").play("BBB")
# call: Scoreboard("Reds", "Blues").play("RQ")
class Scoreboard:
    def __init__(self, home, away):
        self.names = {home[0]: home, away[0]: away}
        self.points = dict.fromkeys(self.names.values(), 0)

    def play(self, letters):
        leader = None
        changes = 0
        for letter in letters:
            self.points[self.names[letter]] += 1
            top = max(self.points, key=self.points.get)
            if top != leader:
                leader, changes = top, changes + 1
        return self.points, leader, changes


# call: round_robin(["Ann", "Bo", "Cy", "Di"])
# call: round_robin(["P", "Q"])
# call: round_robin([])
# call: round_robin(["a", "b", "c", "d", "e"])
# call: round_robin(["only"])
# call: round_robin(("x", "y"))
def round_robin(players):
    field = list(players)
    if len(field) % 2:
        field.append(None)
    n = len(field)
    days = []
    for _ in range(n - 1):
        pairs = [(field[i], field[-1 - i]) for i in range(n // 2)]
        days.append([p for p in pairs if None not in p])
        field.insert(1, field.pop())
    return days


# call: batting_average({"Root": [45, 12, 0], "Pope": [88]})
# call: batting_average({"Kim": [1, 2, 2]})
# call: batting_average({})
# call: batting_average({"A": [10, 20], "B": [33, 7, 41, 0], "C": [5], "D": [100, 99, 98]})
# call: batting_average({"Duck": []})
# call: batting_average({"Root": ["45", 12]})
def batting_average(innings):
    out = {}
    for batter, runs in innings.items():
        times_out = 0
        for score in runs:
            times_out += score > 0
        try:
            out[batter] = f"{sum(runs) / times_out:.2f}"
        except ZeroDivisionError:
            out[batter] = "-"
    return out


# call: penalty_shootout([1, 1, 0, 1, 1], [1, 0, 0, 1, 0])
# call: penalty_shootout([1, 1, 1], [0, 0, 0])
# call: penalty_shootout([], [])
# call: penalty_shootout([1, 0, 1, 1, 1, 1, 0], [1, 1, 0, 1, 1, 1, 1])
# call: penalty_shootout([0, 0], [0, 0])
# call: penalty_shootout([1, "goal"], [1, 0])
def penalty_shootout(a_kicks, b_kicks, first=5):
    a = b = 0
    for n, (x, y) in enumerate(zip(a_kicks, b_kicks), 1):
        a += x
        b += y
        left = max(first - n, 0)
        if abs(a - b) > left:
            return ("A" if a > b else "B"), n, (a, b)
    return None, len(a_kicks), (a, b)


# call: relay_times([("Ana", 52.31), ("Bea", 50.9), ("Cat", 53.05), ("Dot", 49.74)])
# call: relay_times([("Solo", 61.0)])
# call: relay_times([])
# call: relay_times([("a", 12.5), ("b", 12.25), ("c", 13.0), ("d", 11.75), ("e", 12.125), ("f", 14.5)])
# call: relay_times([("x", 0.1), ("y", 0.2)])
# call: relay_times([("x", None)])
def relay_times(legs):
    total = 0.0
    splits = []
    for name, seconds in legs:
        total += seconds
        splits.append(f"{name:<4}{seconds:6.2f}{total:8.2f}")
    return splits, total


# call: medal_table({"NOR": (16, 8, 13), "GER": (12, 10, 5), "CHN": (9, 4, 2)})
# call: medal_table({"A": (1, 0, 0), "B": (0, 9, 9)})
# call: medal_table({})
# call: medal_table({"USA": (8, 10, 7), "SWE": (8, 5, 5), "NED": (8, 5, 4), "AUT": (7, 7, 4), "SUI": (8, 5, 5)})
# call: medal_table({"X": (0, 0, 0)})
# call: medal_table({"X": (1, 2, 3), "Y": 4})
def medal_table(medals):
    ranked = sorted(medals, key=lambda c: (*(-m for m in medals[c]), c))
    return [f"{i}. {c} {'/'.join(map(str, medals[c]))} = {sum(medals[c])}" for i, c in enumerate(ranked, start=1)]


# call: drop_worst([8.5, 9.0, 7.0, 9.5])
# call: drop_worst([6, 6, 6], 1)
# call: drop_worst([])
# call: drop_worst([9.1, 8.8, 9.3, 9.0, 8.7, 9.6, 9.2, 8.9], 2)
# call: drop_worst([5.0, 6.0], 1)
# call: drop_worst([5, 6, 7], "1")
def drop_worst(marks, cut=1):
    """Judges' total without the highest and lowest marks, and the marks that did not count."""
    marks.sort()
    kept = marks[cut:-cut]
    ignored = marks[:cut] + marks[-cut:]
    if not kept:
        return 0.0, ignored
    return round(sum(kept), 2), ignored


# call: Team("Rovers", 7).result(1, 3)
# call: Team("Rovers", 7).result(2, 2)
# call: Team("", 0).result(0, 0)
# call: Team("United", 41).result(5, 3)
# call: Team("Rovers", -2).result(4, 0)
# call: Team("Rovers").result(1, 0)
class Team:
    def __init__(self, name, points):
        self.name = name
        self.points = points

    def __lt__(self, other):
        return (self.points, other.name) < (other.points, self.name)

    def __repr__(self):
        return f"{self.name}({self.points})"

    def result(self, ours, theirs):
        if ours > theirs:
            self.points += 3
        elif ours == theirs:
            self.points += 1
        rival = Team("Rivals", 10)
        return sorted([self, rival]), self < rival


# call: bowling_total([3, 4, 10, 5, 2])
# call: bowling_total([9, 1, 9, 1, 0, 0])
# call: bowling_total([])
# call: bowling_total([10, 10, 7, 2, 8, 2, 9, 0, 10, 3, 3])
# call: bowling_total([5])
# call: bowling_total([5, "/", 3, 4])
def bowling_total(rolls):
    i, frames = 0, []
    while i < len(rolls):
        if rolls[i] == 10:
            frames.append(10 + sum(rolls[i + 1:i + 3]))
            i += 1
            continue
        pair = rolls[i:i + 2]
        bonus = sum(rolls[i + 2:i + 3]) if sum(pair) == 10 else 0
        frames.append(sum(pair) + bonus)
        i += 2
    return frames, sum(frames)


# call: head_to_head([("A", "B"), ("B", "A"), ("A", "B"), ("A", "C")], "A", "B")
# call: head_to_head([("A", "C")], "A", "B")
# call: head_to_head([], "A", "B")
# call: head_to_head([("x", "y"), ("y", "x"), ("x", "z"), ("z", "y"), ("y", "x"), ("y", "x"), ("z", "x")], "x", "y")
# call: head_to_head([("A", "B"), ("B", "A")], "B", "A")
# call: head_to_head([("A", "B", "C")], "A", "B")
def head_to_head(wins, one, two):
    w = sum(winner == one and loser == two for winner, loser in wins)
    l = sum((winner, loser) == (two, one) for winner, loser in wins)
    if w == l:
        return "level" if w else "never met"
    ahead = one if w > l else two
    return f"{ahead} leads {max(w, l)}-{min(w, l)}"


# call: eloUpdate(1500, 1500, 1)
# call: eloUpdate(1800, 1400, 0.5)
# call: eloUpdate(0, 0, 0)
# call: eloUpdate(2105, 1987, 0, k=16)
# call: eloUpdate(1200, 2400, 1, k=40)
# call: eloUpdate("1500", 1500, 1)
def eloUpdate(mine, theirs, result, k=32):
    expected = 1 / (1 + 10 ** ((theirs - mine) / 400))
    shift = round(k * (result - expected))
    return mine + shift, theirs - shift


# call: squad_numbers(["Mia", "Lou", "Kai"], {"Lou": 10})
# call: squad_numbers(["Mia"], {})
# call: squad_numbers([], {"Ghost": 1})
# call: squad_numbers(["a", "b", "c", "d", "e", "f", "g"], {"c": 1, "f": 3, "a": 7})
# call: squad_numbers(["Mia", "Mia", "Lou"], {"Lou": 2})
# call: squad_numbers(["Mia", "Lou"], ["Lou"])
def squad_numbers(players, wishes):
    numbers = {p: n for p, n in wishes.items() if p in players}
    taken = set(numbers.values())
    free = 1
    for player in players:
        if player in numbers:
            continue
        while free in taken:
            free += 1
        numbers[player] = free
        taken.add(free)
    return numbers


# call: possession("HHAHAAHH")
# call: possession("AAAH")
# call: possession("")
# call: possession("HAHAHHHAAAHHHAHAHHHA")
# call: possession("HHHH")
# call: possession(["H", "A", 3])
def possession(touches):
    if not touches:
        return "no play"
    home = touches.count("H")
    share = home / len(touches)
    return "%d%% - %d%%" % (round(100 * share), round(100 * (1 - share)))


# call: lap_gaps([61.2, 60.8, 62.0])
# call: lap_gaps([90, 91, 89, 89])
# call: lap_gaps([])
# call: lap_gaps([75.5, 74.9, 75.0, 74.25, 76.0, 73.75, 73.8, 74.0])
# call: lap_gaps([70])
# call: lap_gaps([70, "71"])
def lap_gaps(laps):
    fastest = min(laps, default=None)
    return [None if lap == fastest else round(lap - fastest, 2) for lap in laps]


# call: transfer([["Ann", "Bob"], ["Cal"]], "Bob", 0, 1)
# call: transfer([["Ann"], ["Cal", "Dee"]], "Cal", 1, 0)
# call: transfer([["Zed"], []], "Zed", 0, 1)
# call: transfer([["a", "b", "c"], ["d", "e"], ["f", "g", "h", "i"]], "h", 2, -3)
# call: transfer([["Ann", "Bob"], ["Cal"]], "Ann", 0, 0)
# call: transfer([["Ann", "Bob"], ["Cal"]], "Cal", 0, 1)
def transfer(clubs, player, source, target):
    before = clubs[:]
    clubs[source].remove(player)
    clubs[target].append(player)
    clubs[target].sort()
    return before, before is clubs, clubs[source] is before[source]


# call: season_form([2, 0, 1, 1, 3], 3)
# call: season_form([1, 1], 1)
# call: season_form([], 3)
# call: season_form([3, 3, 0, 1, 3, 0, 0, 1, 3, 3, 3], 5)
# call: season_form([3, 1], 5)
# call: season_form([3, 1, 0], -1)
def season_form(points, window):
    from collections import deque
    recent = deque(maxlen=window)
    letters = {3: "W", 1: "D", 0: "L"}
    story = []
    for p in points:
        recent.appendleft(letters[p])
        story.append("".join(recent))
    return story[-1] if story else "", max(story, key=lambda s: s.count("W"), default=None)


# call: seed_pairs(["s1", "s2", "s3", "s4"])
# call: seed_pairs(["top", "low"])
# call: seed_pairs([])
# call: seed_pairs([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])
# call: seed_pairs("abc")
# call: seed_pairs(4)
def seed_pairs(seeds):
    *field, = seeds
    pairs = []
    while len(field) > 1:
        top, *field, bottom = field
        pairs.append(f"{top} v {bottom}")
    if field:
        pairs.append(f"{field[0]} bye")
    return pairs


# call: yellow_cards([("Ruiz", 12), ("Hall", 40), ("Ruiz", 71)])
# call: yellow_cards([("Hall", 3)])
# call: yellow_cards([])
# call: yellow_cards([("a", 5), ("b", 9), ("a", 30), ("c", 33), ("a", 44), ("b", 80), ("d", 90)])
# call: yellow_cards([("a", 90), ("a", 2)])
# call: yellow_cards([("a", 5), ("b", "late"), ("b", 7)])
def yellow_cards(bookings):
    booked, sent_off = {}, []
    for name, minute in sorted(bookings, key=lambda b: b[1]):
        if name in dict(sent_off):
            raise RuntimeError(f"{name} already left the pitch")
        if name in booked:
            sent_off.append((name, minute))
        booked[name] = minute
    return sent_off


# call: set_winner("6-4", "3-6", "7-5")
# call: set_winner("6-0", "6-1")
# call: set_winner()
# call: set_winner("6-7", "7-6", "4-6", "6-3", "10-8")
# call: set_winner("6-4", "4-6")
# call: set_winner("6-4", "ret")
def set_winner(*sets):
    margin = 0
    for s in sets:
        left, _, right = s.partition("-")
        margin += 1 if int(left) > int(right) else -1
    match margin:
        case 0:
            return "unfinished"
        case n if n > 0:
            return f"first player by {n}"
        case _:
            return f"second player by {-margin}"


# call: best_eleven({"GK": [("Nor", 7.1)], "DF": [("Vik", 6.9), ("Lea", 7.4)], "FW": [("Zoe", 8.0), ("Ida", 8.0)]})
# call: best_eleven({"GK": [("A", 5), ("B", 6)]})
# call: best_eleven({})
# call: best_eleven({"GK": [("a", 1), ("b", 2)], "DF": [("c", 9), ("d", 3), ("e", 9)], "MF": [("f", 4)], "FW": [("g", 2), ("h", 8)]})
# call: best_eleven({"GK": []})
# call: best_eleven({"GK": [("A", 5), ("B", None)]})
def best_eleven(candidates):
    return {spot: max(people, key=lambda p: p[1])[0] if people else "?" for spot, people in candidates.items()}


# call: run_chase(160, [12, 8, 15, 6])
# call: run_chase(20, [10, 11, 3])
# call: run_chase(1, [])
# call: run_chase(75, [9, 4, 0, 12, 7, 8, 11, 3, 10, 14])
# call: run_chase(0, [4])
# call: run_chase("160", [12])
def run_chase(target, overs):
    made = 0
    for number, runs in enumerate(overs, start=1):
        made += runs
        if made >= target:
            return "won in over %d" % number
    else:
        need = target - made
    return "%d needed" % need


# call: time_text(75.5)
# call: time_text(3671.25)
# call: time_text(0)
# call: time_text(86399.999)
# call: time_text(59.996)
# call: time_text("75")
def time_text(seconds: float) -> str:
    whole = int(seconds)
    hundredths = round((seconds - whole) * 100)
    minutes, whole = divmod(whole, 60)
    hours, minutes = divmod(minutes, 60)
    text = f"{minutes:02}:{whole:02}.{hundredths:02}"
    return f"{hours}:{text}" if hours else text


# call: Coach().pick([("Eli", 3), ("Fay", 9), ("Gus", 5)])
# call: Coach(2).pick([("Eli", 3), ("Fay", 9), ("Gus", 5)])
# call: Coach(1).pick([])
# call: Coach(4).pick([("a", 2), ("b", 7), ("c", 7), ("d", 1), ("e", 9), ("f", 4), ("g", 6)])
# call: Coach(0).pick([("Eli", 3)])
# call: Coach(2).pick([("Eli", 3), "Fay"])
class Coach:
    bench = []

    def __init__(self, places=1):
        self.places = places

    def pick(self, squad):
        ordered = sorted(squad, key=lambda s: s[1], reverse=True)
        starters = [name for name, _ in ordered[:self.places]]
        for name, _ in ordered[self.places:]:
            self.bench.append(name)
        return starters, Coach.bench


# call: split_halves([12, 44, 45, 67, 90])
# call: split_halves([46, 45])
# call: split_halves([])
# call: split_halves([3, 17, 45, 46, 58, 61, 77, 89, 90, 93])
# call: split_halves([0, 120])
# call: split_halves([30, "45+2"])
def split_halves(minutes):
    halves = {"first": [], "second": []}
    for m in minutes:
        halves["first" if 0 <= m <= 45 else "second"].append(m)
    return halves, len(halves["first"]) - len(halves["second"])


# call: bracket_depth(["A", ["B", "C"]])
# call: bracket_depth([["A", "B"], ["C", "D"]])
# call: bracket_depth("A")
# call: bracket_depth([[["a", "b"], "c"], [["d", "e"], ["f", ["g", "h"]]]])
# call: bracket_depth([])
# call: bracket_depth(["A", 7])
def bracket_depth(node):
    if isinstance(node, str):
        return {node: 0}
    games = {}
    for child in node:
        for team, n in bracket_depth(child).items():
            games[team] = n + 1
    return games


# call: ski_jump(98.5, [17.0, 17.5, 18.0, 16.5, 17.5])
# call: ski_jump(90, [15, 15, 15, 15, 15])
# call: ski_jump(0, [0, 0, 0, 0, 0])
# call: ski_jump(131.5, [19.5, 19.0, 18.5, 20.0, 19.5], k_point=120)
# call: ski_jump(60, [10, 9.5, 11, 10, 10])
# call: ski_jump(98, [])
def ski_jump(metres, style, k_point=90):
    distance = 60 + (metres - k_point) * (2.0 if k_point < 100 else 1.8)
    low, *middle, high = sorted(style)
    return round(max(distance, 0) + sum(middle), 1)


# call: overtakes(["HAM", "VER", "LEC"], ["VER", "HAM", "LEC"])
# call: overtakes(["a", "b"], ["a", "b"])
# call: overtakes([], [])
# call: overtakes(["a", "b", "c", "d", "e", "f"], ["d", "a", "f", "b", "c", "e"])
# call: overtakes(["a", "b", "c"], ["c"])
# call: overtakes(["a"], ["b"])
def overtakes(grid, finish):
    report = []
    retired = set(grid).difference(finish)
    for place, driver in enumerate(finish):
        gain = grid.index(driver) - place
        if gain > 0:
            report.append(driver + " up " + str(gain))
        elif gain < 0:
            report.append(driver + " down " + str(-gain))
    return report, len(retired)


# call: longest_unbeaten({"Reds": "WDLWW", "Blues": "DDDDL"})
# call: longest_unbeaten({"Solo": "L"})
# call: longest_unbeaten({})
# call: longest_unbeaten({"a": "WWDLWDW", "b": "LLLL", "c": "DWDWDL", "d": "WWWLWWW"})
# call: longest_unbeaten({"a": "WD", "b": "DW"})
# call: longest_unbeaten({"a": None})
def longest_unbeaten(forms):
    lengths = {team: max(map(len, form.split("L"))) for team, form in forms.items()}
    record = max(lengths.values(), default=0)
    return record, sorted(t for t in lengths if lengths[t] == record)


# call: rest_days([3, 7, 10, 18])
# call: rest_days([1, 2])
# call: rest_days([5])
# call: rest_days([2, 5, 9, 12, 16, 23, 26, 28, 30], 3)
# call: rest_days([9, 4])
# call: rest_days([3, None])
def rest_days(match_days, needed=2):
    tired = []
    for before, after in zip(match_days, match_days[1:]):
        rest = after - before - 1
        if rest < needed:
            tired.append((before, after, rest))
    return tired or "rested"


# call: fantasy([("Kane", {"goals": 2}), ("Rice", {"assists": 1, "cards": 1})])
# call: fantasy([("Pope", {"saves": 7})])
# call: fantasy([])
# call: fantasy([("a", {"goals": 1, "cards": 2}), ("b", {"assists": 3}), ("c", {}), ("d", {"saves": 3, "goals": 1})])
# call: fantasy([("a", {"saves": 2})])
# call: fantasy([("a", {"dives": 2})])
def fantasy(players):
    worth = dict(goals=5, assists=3, cards=-2)
    totals = {}
    for name, stats in players:
        points = 0
        for what, count in stats.items():
            if what == "saves":
                points += count // 3
            else:
                points += worth[what] * count
        totals[name] = points
    return totals


# call: swim_heats(["Al", "Bo", "Cy", "Di", "Ed"], 2)
# call: swim_heats(["Al", "Bo"], 4)
# call: swim_heats([], 3)
# call: swim_heats(["s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9", "s10"], 4)
# call: swim_heats(["Al", "Bo", "Cy"], 1)
# call: swim_heats(["Al"], 0)
def swim_heats(swimmers, lanes):
    heats = [[] for _ in range(-(-len(swimmers) // lanes))]
    while swimmers:
        for heat in heats:
            if not swimmers:
                break
            heat.insert(len(heat) // 2, swimmers.pop(0))
    heats.reverse()
    return heats


# call: wind_legal([(9.98, 1.2), (9.91, 2.4)])
# call: wind_legal([(10.5, 2.0)])
# call: wind_legal([])
# call: wind_legal([(10.02, 0.3), (9.95, 2.1), (9.99, -0.5), (9.88, 3.0), (10.1, 1.9), (9.99, 1.0)])
# call: wind_legal([(9.7, 2.01)])
# call: wind_legal([(9.98, "calm")])
def wind_legal(runs):
    legal = (t for t, wind in runs if wind <= 2.0)
    fastest = next(legal, None)
    if fastest is None:
        return "no legal run"
    for t in legal:
        fastest = min(fastest, t)
    return f"{fastest:.2f}s"


# call: captain_vote(["Mo", "Li", "Mo", "Jo"])
# call: captain_vote(["Mo", "Li"])
# call: captain_vote([])
# call: captain_vote(["Li", "Mo", "Jo", "Li", "Mo", "", "Jo", "Jo", "", "Mo", "Li", "Jo"])
# call: captain_vote(["", ""])
# call: captain_vote([["Mo"]])
def captain_vote(ballots):
    tally, blank = {}, 0
    for ballot in ballots:
        if not ballot:
            blank += 1
            continue
        tally[ballot] = tally.get(ballot, 0) + 1
    for name, votes in tally.items():
        if 2 * votes > len(ballots) - blank:
            return name
    if not tally:
        return None
    second_round = sorted(tally, key=tally.get)[-2:]
    return "run-off " + " and ".join(second_round)


# call: fouls_left({"Jo": 3, "Al": 5, "Ty": 0})
# call: fouls_left({"Jo": 6}, limit=6)
# call: fouls_left({})
# call: fouls_left({"a": 1, "b": 5, "c": 4, "d": 2, "e": 6, "f": 3, "g": 0}, limit=5)
# call: fouls_left({"Jo": -1})
# call: fouls_left({"Jo": 3, "Al": "5"})
def fouls_left(fouls, *, limit=5):
    for name in list(fouls):
        left = limit - fouls[name]
        if left <= 0:
            del fouls[name]
        else:
            fouls[name] = "*" * left
    return fouls


# call: cup_draw("abcd", 1)
# call: cup_draw("abcdef", 7)
# call: cup_draw("", 3)
# call: cup_draw("KLMNOPQRST", 4)
# call: cup_draw("abc", 2)
# call: cup_draw("ab", 0.5)
def cup_draw(pots, step):
    pool, pairs, at = list(pots), [], 0
    while len(pool) >= 2:
        at = (at + step) % len(pool)
        home = pool.pop(at)
        at = (at + step) % len(pool)
        pairs.append(home + pool.pop(at))
    return pairs


# call: darts([("T", 20), ("S", 5), ("D", 16)], 97)
# call: darts([("S", 1)], 2)
# call: darts([], 501)
# call: darts([("T", 20), ("T", 20), ("T", 20), ("T", 19), ("T", 19), ("S", 7), ("D", 10)], 321)
# call: darts([("T", 20), ("S", 1)], 60)
# call: darts([("Q", 20)], 97)
def darts(throws, left):
    factor = {"S": 1, "D": 2, "T": 3}
    for n, (ring, number) in enumerate(throws, 1):
        hit = factor[ring] * number
        rest = left - hit
        if rest == 0 and ring == "D":
            return f"checkout with dart {n}"
        if rest < 2:
            return f"bust at {left}"
        left = rest
    return left


# call: substitutions(["A", "B", "C"], [(60, "B", "X"), (75, "X", "Y")])
# call: substitutions(["A"], [(10, "A", "Z")])
# call: substitutions([], [])
# call: substitutions(["a", "b", "c", "d", "e"], [(46, "c", "k"), (61, "a", "l"), (61, "e", "m"), (80, "k", "n"), (88, "b", "o")])
# call: substitutions(["A", "B"], [(50, "Q", "X")])
# call: substitutions(["A", "B"], [(50, "A", "B")])
def substitutions(lineup, changes):
    pitch, minutes = lineup, {}
    for minute, off, on in changes:
        if off not in pitch:
            continue
        if on in pitch:
            raise ValueError(on + " is already playing")
        pitch[pitch.index(off)] = on
        minutes[off] = minute - minutes.pop(off, 0)
        minutes[on] = minute
    return lineup, minutes


# call: high_jump([(180, "o"), (185, "xo"), (190, "xxx")])
# call: high_jump([(200, "xxo"), (203, "-"), (206, "x")])
# call: high_jump([])
# call: high_jump([(170, "-"), (175, "o"), (180, "xo"), (183, "xxo"), (186, "o"), (189, "x-"), (192, "xx")])
# call: high_jump([(150, "xxx")])
# call: high_jump([(150, None)])
def high_jump(series):
    cleared, misses, row = None, 0, 0
    for height, marks in series:
        for mark in marks:
            if mark == "x":
                misses += 1
                row += 1
            elif mark == "o":
                cleared, row = height, 0
            if row == 3:
                return {"best": cleared, "misses": misses, "out": True}
    return {"best": cleared, "misses": misses, "out": False}


# call: standings_text([("Lynx", 21, 9), ("Wolf", 21, 12)])
# call: standings_text([("Elk", 4, -3)])
# call: standings_text([])
# call: standings_text([("Bear", 9, 0), ("Stag", 14, 5), ("Hare", 14, -2), ("Mole", 3, -11), ("Fox", 20, 8)])
# call: standings_text([("Long name here", 1000, 0)])
# call: standings_text([("Lynx", 21.5, 9)])
def standings_text(rows):
    rows = sorted(rows, key=lambda r: r[1:], reverse=True)
    lines = []
    for place, (name, points, diff) in enumerate(rows, 1):
        lines.append("{:>2} {:<6.6}{:>4d}{:>+5}".format(place, name, points, diff))
    return "\n".join(lines)


# call: pool_potted("RBRYRG")
# call: pool_potted("RKRP")
# call: pool_potted("")
# call: pool_potted("RKRKRBRPRKRYRK")
# call: pool_potted("RRK")
# call: pool_potted("RZ")
def pool_potted(balls):
    value = {c: v for v, c in enumerate("RYGNBPK", 1)}
    score = 0
    want_red = True
    for ball in balls:
        if (ball == "R") != want_red:
            return score, "foul", max(4, value[ball])
        score += value[ball]
        want_red = not want_red
    return score, "ok", 0


# call: by_decade([("Borg", 1976), ("Graf", 1988), ("Edberg", 1988)])
# call: by_decade([("x", 2000)])
# call: by_decade([])
# call: by_decade([("a", 1999), ("b", 2001), ("c", 2010), ("d", 2009), ("e", 1991), ("f", 2019), ("g", 2011)])
# call: by_decade([("early", -5)])
# call: by_decade([("a", "1990")])
def by_decade(champions):
    from itertools import groupby
    start = lambda entry: entry[1] // 10 * 10
    return {f"{d}s": [name for name, _ in group] for d, group in groupby(sorted(champions, key=start), key=start)}


# call: rowing_seats("bow 2 3 stroke")
# call: rowing_seats("ann ben")
# call: rowing_seats("")
# call: rowing_seats("a b c d e f g h cox")
# call: rowing_seats("solo")
# call: rowing_seats(["a", "b"])
def rowing_seats(names):
    crew = names.split()
    sides = {"port": crew[::2], "starboard": crew[1::2]}
    if len(crew) % 2 and len(crew) > 1:
        sides["cox"] = sides["port"].pop()
    return sides


# call: innings_breaks([4, 0, 6, -1, 1, -1])
# call: innings_breaks([-1, -1])
# call: innings_breaks([])
# call: innings_breaks([1, 2, 4, -1, 0, 0, 6, 1, -1, 4, 4, -1, 3])
# call: innings_breaks([6, 6, 6])
# call: innings_breaks([1, None, -1])
def innings_breaks(balls):
    # -1 stands for a wicket
    def stands():
        runs = 0
        for ball in balls:
            if ball == -1:
                yield runs
                runs = 0
            else:
                runs += ball
        yield runs
    partnerships = list(stands())
    return partnerships, max(partnerships), partnerships.index(max(partnerships)) + 1


# call: bonus_points(31, 24, 4)
# call: bonus_points(10, 15, 1)
# call: bonus_points(0, 0, 0)
# call: bonus_points(52, 45, 7)
# call: bonus_points(17, 25, 4)
# call: bonus_points(17, "20", 2)
def bonus_points(us, them, tries):
    pts = 4 if us > them else 2 if us == them else 0
    pts += tries >= 4
    pts += 0 < them - us <= 7
    return pts


# call: Stopwatch().lap(3.5).lap(4.0).report()
# call: Stopwatch().lap(10).lap(9).lap(8).report()
# call: Stopwatch().report()
# call: Stopwatch().lap(5.5).lap(5.25).lap(6.0).lap(5.125).lap(7.75).report()
# call: Stopwatch().lap(0).report()
# call: Stopwatch().lap(-1).report()
class Stopwatch:
    def __init__(self):
        self.laps = ()

    def lap(self, seconds):
        if seconds < 0:
            raise ValueError("time runs forward")
        self.laps += (seconds,)
        return self

    @property
    def best(self):
        return min(self.laps, default=float("inf"))

    def report(self):
        return sum(self.laps), self.best, len(self.laps)


# call: promote([["A", "B", "C"], ["D", "E", "F"]])
# call: promote([["A", "B"], ["C", "D"], ["E", "F"]])
# call: promote([["solo"]])
# call: promote([["a", "b", "c", "d"], ["e", "f", "g"], ["h", "i", "j"]], 2)
# call: promote([["A"], []])
# call: promote([["A", "B"], None])
def promote(leagues, n=1):
    for upper, lower in zip(leagues, leagues[1:]):
        down, up = upper[-n:], lower[:n]
        upper[-n:] = up
        lower[:n] = down
    return leagues


# call: tie_break(["A", "B", "B", "A", "A"])
# call: tie_break(["B", "B", "B", "B", "B", "B", "B"])
# call: tie_break([])
# call: tie_break(["A", "B", "B", "A", "A", "A", "A", "B", "A", "A", "B"])
# call: tie_break(["A"], first="C")
# call: tie_break("AB?")
def tie_break(points, first="B"):
    serving, lost_serves = first, 0
    for n, who in enumerate(points):
        if who not in {"A", "B"}:
            raise ValueError(f"point {n}: {who}")
        if who != serving:
            lost_serves += 1
        if n % 2 == 0:
            serving = "B" if serving == "A" else "A"
    return f"{points.count('A')}:{points.count('B')}, {lost_serves} lost on serve, {serving} serves next"
