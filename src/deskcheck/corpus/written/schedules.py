# call: minutes_of("08:15")
# call: minutes_of("23:59")
# call: minutes_of("00:00")
# call: minutes_of("7:5")
# call: minutes_of("24:00")
# call: minutes_of("noon")
def minutes_of(clock):
    hours, minutes = clock.split(":")
    hours, minutes = int(hours), int(minutes)
    if hours == 24:
        return "midnight"
    noon = 12 * 60
    since = hours * 60 + minutes - noon
    return f"{abs(since)} {'after' if since >= 0 else 'before'} noon"


# call: clock_after("09:50", 25)
# call: clock_after("23:30", 45)
# call: clock_after("00:00", 0)
# call: clock_after("12:34", 5000)
# call: clock_after("00:10", -20)
# call: clock_after("12.30", 5)
def clock_after(clock, minutes):
    h, m = map(int, clock.split(":"))
    total = h * 60 + m + minutes
    days, total = divmod(total, 1440)
    text = f"{total // 60:02}:{total % 60:02}"
    if days:
        text += f" ({days:+d} d)"
    return text


# call: next_bus([410, 430, 455], 420)
# call: next_bus([600], 600)
# call: next_bus([], 300)
# call: next_bus([300, 320, 340, 400, 415, 450, 480, 500, 560], 481)
# call: next_bus([410, 430], 1430)
# call: next_bus(["6:50"], 400)
from bisect import bisect_left


def next_bus(departures, now):
    place = bisect_left(departures, now)
    if place == len(departures):
        return "tomorrow", (departures[0] + 1440 - now) if departures else None
    return "today", departures[place] - now


# call: overlap_minutes((540, 600), (570, 660))
# call: overlap_minutes((60, 90), (10, 200))
# call: overlap_minutes((0, 0), (0, 0))
# call: overlap_minutes((480, 1020), (1000, 1440))
# call: overlap_minutes((60, 120), (120, 180))
# call: overlap_minutes((60,), (30, 90))
def overlap_minutes(first, second):
    start = max(first[0], second[0])
    end = min(first[1], second[1])
    return end - start if end > start else 0


# call: double_booked({"room 1": [(9, 10), (10, 12)], "room 2": [(9, 11), (10, 12)]})
# call: double_booked({"hall": [(8, 9)]})
# call: double_booked({})
# call: double_booked({"a": [(9, 12), (13, 15), (14, 16)], "b": [(8, 18), (9, 10)], "c": [(7, 8), (8, 9), (9, 10)]})
# call: double_booked({"a": [(9, 9), (9, 9)]})
# call: double_booked({"a": [(9, 10), None]})
def double_booked(rooms):
    clashes = []
    for room, bookings in rooms.items():
        for i, (start, end) in enumerate(bookings):
            for start2, end2 in bookings[i + 1 :]:
                if start < end2 and start2 < end:
                    clashes.append((room, max(start, start2)))
    return clashes


# call: shift_pay(480, 600)
# call: shift_pay(1320, 360, 1500)
# call: shift_pay(0, 0)
# call: shift_pay(365, 1439, 1825)
# call: shift_pay(600, 540)
# call: shift_pay(480, "600")
def shift_pay(start, end, cents_per_hour=1200):
    worked = end - start
    if worked < 0:
        worked += 24 * 60
    if worked > 360:
        worked -= 30  # unpaid break
    overtime = max(worked - 480, 0)
    pay = worked * cents_per_hour // 60
    pay += overtime * cents_per_hour // 240
    return worked, overtime, pay


# call: rota(["Ann", "Bob", "Cyd"], 5)
# call: rota(["Ann"], 2, start=3)
# call: rota(["Ann", "Bob"], 0)
# call: rota(["A", "B", "C", "D", "E"], 12, start=7)
# call: rota(["Ann", "Bob"], 3, start=-1)
# call: rota([], 2)
def rota(people, days, start=0):
    return {day: people[(start + day) % len(people)] for day in range(1, days + 1)}


# call: WeekPlan().run(["mon gym", "tue work", "mon work"])
# call: WeekPlan().run(["sun rest"])
# call: WeekPlan().run([])
# call: WeekPlan().run(["mon gym", "tue gym", "wed gym", "-gym", "thu swim", "fri swim", "sat run", "-run", "sun run"])
# call: WeekPlan().run(["mon gym", "-yoga"])
# call: WeekPlan().run(["moon walk"])
class WeekPlan:
    DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")

    def __init__(self):
        self.plan = {day: [] for day in self.DAYS}

    def run(self, orders):
        for order in orders:
            if order.startswith("-"):
                self.cancel(order[1:])
            else:
                day, what = order.split(" ", 1)
                self.plan[day].append(what)
        return {day: what for day, what in self.plan.items() if what}

    def cancel(self, what):
        for day in self.DAYS:
            if what in self.plan[day]:
                self.plan[day].remove(what)
                break


# call: free_slots([(540, 600), (660, 720)])
# call: free_slots([], 480, 500)
# call: free_slots([(480, 1020)])
# call: free_slots([(700, 760), (500, 530), (520, 610), (900, 910), (905, 950), (980, 1000)])
# call: free_slots([(400, 500), (1000, 1100)])
# call: free_slots([(540, 600), "lunch"])
def free_slots(busy, opens=480, closes=1020):
    free = []
    t = opens
    for start, end in sorted(busy):
        if start > t:
            free.append((t, start))
        t = max(t, end)
    if t < closes:
        free.append((t, closes))
    return free


# call: format_duration(95)
# call: format_duration(1500)
# call: format_duration(0)
# call: format_duration(12345)
# call: format_duration(60)
# call: format_duration(-61)
def format_duration(minutes):
    parts = []
    for size, letter in ((1440, "d"), (60, "h"), (1, "min")):
        n, minutes = divmod(minutes, size)
        if n:
            parts.append(f"{n} {letter}")
    return " ".join(parts) or "now"


# call: parse_duration("1h30m")
# call: parse_duration("2d 4h")
# call: parse_duration("")
# call: parse_duration("1w 2d 3h 45m")
# call: parse_duration("90")
# call: parse_duration("5 parsecs")
import re


def parse_duration(text):
    sizes = {"m": 1, "h": 60, "d": 1440, "w": 10080}
    if text.isdigit():
        return int(text)
    if not re.fullmatch(r"(\d+[mhdw]\s*)*", text):
        raise ValueError("bad duration %r" % text)
    return sum(int(n) * sizes[unit] for n, unit in re.findall(r"(\d+)(\w)", text))


# call: every(15, 480, 540)
# call: every(7, 0, 30)
# call: every(10, 60, 60)
# call: every(45, 400, 900)
# call: every(-20, 100, 0)
# call: every(0, 1, 5)
def every(step, first, last):
    """Departure times as text; the last one is left out by range()."""
    return ["%d:%02d" % divmod(t, 60) for t in range(first, last, step)]


# call: is_leap_day("2024-02-29")
# call: is_leap_day("2023-02-29")
# call: is_leap_day("0-1-1")
# call: is_leap_day("2000-02-29")
# call: is_leap_day("1900-02-29")
# call: is_leap_day("29.02.2024")
def is_leap_day(date):
    year, month, day = (int(part) for part in date.split("-"))
    if (month, day) != (2, 29):
        return False
    return year % 400 == 0 or year % 4 == 0 and year % 100 != 0


# call: school_bells([45, 45, 10], 480)
# call: school_bells([50, 50], 465, pause=5)
# call: school_bells([], 480)
# call: school_bells([45, 45, 90, 45, 60, 45], 450, pause=15)
# call: school_bells([0, 0], 0, pause=0)
# call: school_bells([45, "45"], 480)
def school_bells(lessons, start, pause=10):
    now = start

    def clock():
        return f"{now // 60}.{now % 60:02d}"

    bells = []
    for length in lessons:
        begin = clock()
        now += length
        bells.append(begin + "-" + clock())
        now += pause
    return bells


# call: who_works({"Ann": "mtw", "Bob": "tf"}, "t")
# call: who_works({"Ann": "m"}, "f")
# call: who_works({}, "m")
# call: who_works({"Ann": "mtwhf", "Bob": "ms", "Cy": "su", "Dee": "whfs", "Eli": "", "Flo": "f"}, "f")
# call: who_works({"Ann": "mtw"}, "")
# call: who_works({"Ann": None}, "m")
def who_works(rota, day):
    names = sorted(name for name, days in rota.items() if day in days)
    if not names:
        return "closed"
    *others, last = names
    return ", ".join(others) + " and " + last if others else last


# call: train_delays(["10:00", "10:30"], ["10:04", "10:29"])
# call: train_delays(["8:15"], ["8:15"])
# call: train_delays([], [])
# call: train_delays(["6:00", "7:00", "8:00", "9:00", "10:00"], ["6:01", "7:12", "7:58", "9:00", "10:31"])
# call: train_delays(["23:55"], ["0:10"])
# call: train_delays(["10:00"], ["cancelled"])
def train_delays(planned, actual):
    def mins(s):
        h, m = s.split(":")
        return int(h) * 60 + int(m)

    words = []
    for p, a in zip(planned, actual):
        delay = (mins(a) - mins(p) + 720) % 1440 - 720
        if delay > 5:
            words.append(f"{p} +{delay}")
        elif delay < 0:
            words.append(f"{p} early")
    return "; ".join(words) or "on time"


# call: weekday_of(1, "wed")
# call: weekday_of(31, "fri")
# call: weekday_of(1, "mon")
# call: weekday_of(365, "sun")
# call: weekday_of(0, "mon")
# call: weekday_of(5, "day")
def weekday_of(day, first):
    week = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
    return week[(week.index(first) + day - 1) % 7]


# call: calendar_rows(30, 2)
# call: calendar_rows(8, 6)
# call: calendar_rows(0, 0)
# call: calendar_rows(28, 0)
# call: calendar_rows(3, 9)
# call: calendar_rows(7, None)
def calendar_rows(days, skip):
    cells = ["  "] * skip + [f"{d:2}" for d in range(1, days + 1)]
    rows = []
    while cells:
        rows.append(" ".join(cells[:7]).rstrip())
        cells = cells[7:]
    return rows


# call: add_shift({"Ann": [8, 4]}, "Ann", 6)
# call: add_shift({}, "Bob", 8)
# call: add_shift({"Ann": []}, "Ann", 0)
# call: add_shift({"Ann": [8, 8, 8, 8], "Bob": [10]}, "Ann", 7.5)
# call: add_shift({"Ann": [12, 12, 12]}, "Ann", 5)
# call: add_shift({"Ann": 8}, "Ann", 8)
class TooManyHours(Exception):
    pass


def add_shift(rota, person, hours):
    shifts = rota.setdefault(person, [])
    shifts.append(hours)
    try:
        if sum(shifts) > 40:
            raise TooManyHours(person)
    except TooManyHours as trouble:
        shifts.pop()
        return f"refused: {trouble}", rota
    return "ok", rota


# call: copy_week([["gym"], [], ["tv"]])
# call: copy_week([["a", "b"]])
# call: copy_week([])
# call: copy_week([["run"], ["swim", "gym"], [], [], ["run"], ["rest"], ["rest"]])
# call: copy_week([[], []])
# call: copy_week(["gym"])
def copy_week(week):
    # shallow: the days are shared between both weeks
    following = week.copy()
    for day in following:
        if day:
            day.append("again")
    following.append([])
    return len(week), week, len(following)


# call: meeting_cost("9:00-10:30", 4)
# call: meeting_cost("13:15-14:00", 12, 6.5)
# call: meeting_cost("9:00-9:00", 0)
# call: meeting_cost("08:05-17:50", 3, 41.75)
# call: meeting_cost("22:00-1:00", 2)
# call: meeting_cost("9:00", 2)
def meeting_cost(span, people, hourly=50):
    start, end = span.split("-")
    (h1, m1), (h2, m2) = [map(int, t.split(":")) for t in (start, end)]
    hours = (h2 - h1) + (m2 - m1) / 60
    if hours < 0:
        hours += 24
    return f"{hours * people * hourly:.2f}"


# call: busiest_hour([(9, 11), (10, 12), (10, 13)])
# call: busiest_hour([(8, 9)])
# call: busiest_hour([])
# call: busiest_hour([(7, 10), (9, 10), (9, 12), (11, 15), (14, 15), (14, 18), (14, 16)])
# call: busiest_hour([(9, 9), (12, 11)])
# call: busiest_hour([(9, 10.5)])
def busiest_hour(visits):
    load = [0] * 24
    for come, go in visits:
        for hour in range(come, go):
            load[hour] += 1
    top = max(load)
    if top == 0:
        return None
    return load.index(top), top


# call: Timer().press("s5p3s2")
# call: Timer().press("s9")
# call: Timer().press("")
# call: Timer(100).press("4s6p9s1r2s3p")
# call: Timer().press("s3r")
# call: Timer().press("s3x")
class Timer:
    def __init__(self, seconds=0):
        self.seconds = seconds
        self.running = False
        self.laps = []

    def start(self):
        self.running = True

    def pause(self):
        self.running = False
        self.laps.append(self.seconds)

    def press(self, keys):
        actions = {"s": self.start, "p": self.pause, "r": self.__init__}
        for key in keys:
            if "0" <= key <= "9":
                self.seconds += int(key) * self.running
                continue
            actions[key]()
        return self.seconds, self.running, self.laps


# call: quarter_round(62)
# call: quarter_round(68)
# call: quarter_round(0)
# call: quarter_round(1433)
# call: quarter_round(67.5)
# call: quarter_round("62")
def quarter_round(minutes):
    down = minutes - minutes % 15
    return down if minutes - down < 7.5 else down + 15


# call: holidays_left([("Ann", 3), ("Bob", 5), ("Ann", 10)])
# call: holidays_left([("Ann", 1)], days=2)
# call: holidays_left([])
# call: holidays_left([("Ann", 5), ("Bob", 12), ("Cy", 1), ("Bob", 12), ("Ann", 8), ("Cy", 2), ("Dee", 25)], days=25)
# call: holidays_left([("Ann", 30), ("Ann", 1)])
# call: holidays_left([("Ann", "two")])
def holidays_left(requests, days=20):
    left, refused = {}, []
    for name, wanted in requests:
        if (remaining := left.get(name, days)) >= wanted:
            left[name] = remaining - wanted
        else:
            refused.append(f"{name}:{wanted}")
    return left, refused


# call: merge_closures([(1, 3), (2, 6), (8, 9)], 2)
# call: merge_closures([(5, 6)], 0)
# call: merge_closures([], 1)
# call: merge_closures([(20, 22), (1, 2), (4, 7), (23, 30), (9, 9), (2, 3), (40, 41)], 1)
# call: merge_closures([(1, 10), (2, 3)], 5)
# call: merge_closures([(3, 1), ("a", 2)], 0)
def merge_closures(closures, slack):
    """Closed days with gaps of at most `slack` between them count as one closure."""
    blocks = {}
    begin = until = None
    for first, last in sorted(closures):
        if until is None or first - until > slack:
            begin, until = first, last
        elif last > until:
            until = last
        blocks[begin] = until - begin + 1
    return blocks


# call: stops_between(["Aye", "Bee", "Cee", "Dee"], "Bee", "Dee")
# call: stops_between(["Aye", "Bee"], "Aye", "Bee")
# call: stops_between(["Aye"], "Aye", "Aye")
# call: stops_between(["A", "B", "C", "D", "E", "F", "G", "H"], "G", "B")
# call: stops_between(["A", "B", "C"], "C", "A")
# call: stops_between(["A", "B"], "A", "Z")
def stops_between(line, here, there):
    i, j = line.index(here), line.index(there)
    if i <= j:
        return line[i + 1:j]
    return line[i - 1:j:-1]


# call: journey({"home": ("bus", 12), "bus": ("train", 40), "train": ("work", 5)}, "home")
# call: journey({"a": ("b", 1)}, "b")
# call: journey({}, "x")
# call: journey({"a": ("b", 7), "b": ("c", 9), "c": ("d", 11), "d": ("e", 2), "q": ("a", 1)}, "q")
# call: journey({"a": ("b", 3), "b": ("a", 3)}, "a")
# call: journey({"a": ("b", "3")}, "a")
def journey(links, place, spent=0):
    if spent > 20 and place not in links:
        return [place, f"after {spent} minutes"]
    if place not in links or spent > 60:
        return [place]
    onward, minutes = links[place]
    return [place, *journey(links, onward, spent + minutes)]


# call: night_part(1320, 360)
# call: night_part(600, 1380)
# call: night_part(720, 720)
# call: night_part(1000, 900)
# call: night_part(0, 1439)
# call: night_part(1320, None)
def night_part(start, end):
    # minutes between 22:00 and 06:00
    if end < start:
        return night_part(start, 1440) + night_part(0, end)
    early = max(0, min(end, 360) - start)
    late = max(0, end - max(start, 1320))
    return early + late


# call: TimeSheet("Ann").week([8, 8, 7.5])
# call: TimeSheet("Bob", 20).week([4, 4, 4, 4, 4])
# call: TimeSheet("Cy").week([])
# call: TimeSheet("Dee", 30).week([10, 9, 8, 0, 0, 5.5, 1])
# call: TimeSheet("Eli", 10).week([12, 3])
# call: TimeSheet("Flo").week([8, "sick", 8])
class TimeSheet:
    def __init__(self, name, contract=40):
        self.name = name
        self.contract = contract
        self._hours = []

    @property
    def balance(self):
        return sum(self._hours) - self.contract

    def __repr__(self):
        return f"{self.name}{self.balance:+g}"

    def week(self, hours):
        for h in hours:
            if h > 10:
                h = 10
            self._hours.append(h)
        return repr(self)


# call: swap_shifts({"Ann": "early", "Bob": "late"}, "Ann", "Bob")
# call: swap_shifts({"Ann": "early", "Bob": "early"}, "Bob", "Ann")
# call: swap_shifts({"Ann": "off"}, "Ann", "Ann")
# call: swap_shifts({"A": "early", "B": "late", "C": "night", "D": "off", "E": "night"}, "D", "C")
# call: swap_shifts({"Ann": "night", "Bob": "early"}, "Ann", "Bob")
# call: swap_shifts({"Ann": "early"}, "Ann", "Zed")
def swap_shifts(rota, a, b):
    if rota[a] == rota[b]:
        return "nothing to swap"
    if {rota[a], rota[b]} == {"night", "early"}:
        return "no rest between"
    rota[a], rota[b] = rota[b], rota[a]
    return rota


# call: count_weekends(10, 5)
# call: count_weekends(31, 2)
# call: count_weekends(0, 0)
# call: count_weekends(29, 6)
# call: count_weekends(1, 6)
# call: count_weekends(3, "sat")
def count_weekends(nights, first_day):
    """first_day: 0 is Monday; counts Saturday and Sunday."""
    n = 0
    day = first_day
    while nights > 0:
        if day % 7 in (5, 6):
            n += 1
        day += 1
        nights -= 1
    return n, "Mon Tue Wed Thu Fri Sat Sun".split()[day % 7]


# call: read_timetable("7: 05 25 45\n8: 10 40")
# call: read_timetable("22: 00")
# call: read_timetable("")
# call: read_timetable("5: 58\n6: 18 38 58\n7: 08 18 28 38\n23:\n0: 15")
# call: read_timetable("9: 30 30")
# call: read_timetable("9 30")
def read_timetable(text):
    table = []
    for row in text.split("\n"):
        if row == "":
            continue
        hour, minutes = row.split(":")
        for m in minutes.split():
            table.append(int(hour) * 60 + int(m))
    gaps = [b - a for a, b in zip(table, table[1:])]
    return table, max(gaps, default=None)


# call: write_timetable([425, 445, 490])
# call: write_timetable([0])
# call: write_timetable([])
# call: write_timetable([360, 375, 390, 405, 420, 450, 480, 540, 600, 1439])
# call: write_timetable([430, 425])
# call: write_timetable([425.5])
def write_timetable(departures):
    rows = {}
    for t in departures:
        h, m = t // 60, t % 60
        rows.setdefault(h, []).append("%02d" % m)
    return [f"{h:>2} | {' '.join(ms)}" for h, ms in rows.items()]


# call: due_tasks([(3, "mow"), (1, "pay rent"), (9, "dentist")], 4)
# call: due_tasks([(5, "x")], 4)
# call: due_tasks([], 1)
# call: due_tasks([(6, "f"), (2, "b"), (4, "d"), (1, "a"), (5, "e"), (3, "c"), (2, "bb")], 4)
# call: due_tasks([(2, "same"), (2, "same")], 2)
# call: due_tasks([(1, "a"), (1, None)], 1)
def due_tasks(tasks, today):
    tasks = sorted(tasks)
    done = []
    for place, (day, name) in enumerate(tasks):
        if day > today:
            return done, tasks[place:]
        lateness = today - day
        done.append(f"{name} ({lateness} late)" if lateness else name)
    return done, "all done"


# call: repeat_dates(3, 7, 31)
# call: repeat_dates(10, 14, 60, skip=(24,))
# call: repeat_dates(5, 7, 5)
# call: repeat_dates(1, 3, 40, skip=(4, 13, 22, 31))
# call: repeat_dates(9, 2, 3)
# call: repeat_dates(1, "week", 9)
def repeat_dates(first, step, last, skip=()):
    dates = []
    while first <= last:
        if first not in skip:
            dates.append(first)
        first += step
    else:
        dates.append("end")
    return dates


# call: day_label(0)
# call: day_label(-1)
# call: day_label(1)
# call: day_label(45)
# call: day_label(-30)
# call: day_label("1")
def day_label(offset):
    match offset:
        case 0:
            return "today"
        case 1 | -1:
            return "tomorrow" if offset > 0 else "yesterday"
        case int() if abs(offset) < 14:
            return f"in {offset} days" if offset > 0 else f"{-offset} days ago"
        case int():
            weeks, days = divmod(abs(offset), 7)
            return f"{weeks}w{days}d {'ahead' if offset > 0 else 'back'}"
        case _:
            raise TypeError(type(offset).__name__)


# call: cover_gaps([(480, 720), (750, 1000)])
# call: cover_gaps([(0, 1440)])
# call: cover_gaps([])
# call: cover_gaps([(300, 600), (580, 700), (690, 900), (960, 1100), (1100, 1300), (1290, 1440)])
# call: cover_gaps([(600, 500)])
# call: cover_gaps([(480, "late")])
def cover_gaps(shifts, day=range(0, 1440, 60)):
    """Full hours at which nobody is there."""
    return [t // 60 for t in day if not any(a <= t < b for a, b in shifts)]


# call: time_left("2:30", 45)
# call: time_left("0:20", 20)
# call: time_left("0:00", 0)
# call: time_left("11:59", 600)
# call: time_left("1:00", 75)
# call: time_left("1h", 5)
def time_left(film, watched):
    hours, minutes = [int(x) for x in film.split(":")]
    while watched > 0 and (hours or minutes):
        step = min(watched, minutes or 60)
        if minutes == 0:
            hours -= 1
            minutes = 60
        minutes -= step
        watched -= step
    if watched:
        return f"over since {watched} min"
    return f"{hours}:{minutes:02d}"


# call: zone_times(14, {"Rio": -3, "Goa": 5.5})
# call: zone_times(0, {"Fiji": 12})
# call: zone_times(9, {})
# call: zone_times(20.25, {"Lima": -5, "Bern": 1, "Kabul": 4.5, "Tokyo": 9, "Perth": 8, "Samoa": 13})
# call: zone_times(3, {"Hawaii": -10})
# call: zone_times(12, {"Mars": None})
def zone_times(utc, zones):
    clocks = {}
    for city, shift in zones.items():
        local = utc + shift
        mark = "" if 0 <= local < 24 else "+" if local >= 24 else "-"
        local %= 24
        clocks[city] = f"{int(local):02d}:{round(local % 1 * 60):02d}{mark}"
    return clocks


# call: lesson_plan({"Mon": ["art", "math"], "Tue": ["math"]}, "math")
# call: lesson_plan({"Fri": ["art"]}, "chess")
# call: lesson_plan({}, "art")
# call: lesson_plan({"Mon": ["a", "b", "a"], "Tue": [], "Wed": ["c", "a"], "Thu": ["b"], "Fri": ["a", "a", "a"]}, "a")
# call: lesson_plan({"Mon": "math"}, "m")
# call: lesson_plan({"Mon": None}, "m")
def lesson_plan(week, subject):
    where = [
        (day, period)
        for day, lessons in week.items()
        for period, lesson in enumerate(lessons, 1)
        if lesson == subject
    ]
    days = {day for day, _ in where}
    return where, len(days)


# call: alarm_snooze("6:30", 2)
# call: alarm_snooze("6:55", 1, 9)
# call: alarm_snooze("0:00", 0)
# call: alarm_snooze("5:45", 8, 7)
# call: alarm_snooze("23:50", 3)
# call: alarm_snooze("half past six", 1)
def alarm_snooze(clock, presses, length=5):
    h, m = [int(n) for n in clock.split(":")]
    rings = []
    for _ in range(presses + 1):
        rings.append(f"{h}:{m:02}")
        m += length
        if m > 59:
            m -= 60
            h = (h + 1) % 24
    return rings


# call: duty_fairness({"Ann": 3, "Bob": 5, "Cy": 4})
# call: duty_fairness({"Ann": 2})
# call: duty_fairness({})
# call: duty_fairness({"A": 9, "B": 1, "C": 4, "D": 4, "E": 12, "F": 0, "G": 5})
# call: duty_fairness({"A": -2, "B": 2})
# call: duty_fairness({"A": "3", "B": "4"})
def duty_fairness(duties):
    duties = dict(duties)
    moves = []
    while duties:
        busy = max(duties, key=lambda n: duties[n])
        idle = min(duties, key=lambda n: duties[n])
        if duties[busy] - duties[idle] < 2:
            break
        duties[busy] -= 1
        duties[idle] += 1
        moves.append(busy + ">" + idle)
    return moves, duties


# call: open_at("9-12,14-18", 11)
# call: open_at("8-20", 20)
# call: open_at("closed", 10)
# call: open_at("6-9,10-11,13-15,17-22", 16.5)
# call: open_at("22-4", 2)
# call: open_at("9-", 10)
def open_at(hours, time):
    if hours == "closed":
        return False
    for part in hours.split(","):
        opens, _, closes = part.partition("-")
        a, b = float(opens), float(closes)
        if a > b:
            b += 24
        if a <= time < b or a <= time + 24 < b:
            return part
    return None


# call: lapTimes([65, 63, 70])
# call: lapTimes([59])
# call: lapTimes([])
# call: lapTimes([61.5, 60.25, 59.875, 62, 61, 58.5, 75.125])
# call: lapTimes([0, 0])
# call: lapTimes([60, "61"])
def lapTimes(seconds):
    best = 10 ** 6
    lines = []
    for number, lap in enumerate(seconds, start=1):
        star = " "
        if lap < best:
            best, star = lap, "*"
        minutes, rest = divmod(lap, 60)
        lines.append(f"{number}{star}{int(minutes)}'{rest:05.2f}")
    return lines


# call: evening_parking("10:10", "11:55")
# call: evening_parking("8:00", "8:20")
# call: evening_parking("0:00", "0:00")
# call: evening_parking("06:30", "23:15")
# call: evening_parking("23:00", "1:00")
# call: evening_parking("10:10", "")
def evening_parking(came, left):
    start, end = ([*map(int, t.split(":"))] for t in (came, left))
    minutes = (end[0] - start[0]) * 60 + end[1] - start[1]
    if minutes < 0:
        minutes += 1440
    if minutes <= 30:
        return 0
    hours = -(-minutes // 60)
    return min(150 * hours, 1200)


# call: Room("blue").book((9, 11), (10, 12), (11, 12))
# call: Room("red").book((8, 18))
# call: Room("tiny").book()
# call: Room("hall").book((9, 10), (10, 11), (8, 12), (14, 16), (15, 15), (16, 20), (13, 15))
# call: Room("odd").book((12, 9), (10, 11))
# call: Room("bad").book((9, 10), 11)
class Booking:
    def __init__(self, start, end):
        self.start, self.end = start, end

    def clashes(self, other):
        return self.start < other.end and other.start < self.end

    def __str__(self):
        return f"{self.start}-{self.end}"


class Room:
    def __init__(self, name):
        self.name, self.bookings = name, []

    def book(self, *wishes):
        refused = 0
        for wish in wishes:
            new = Booking(*wish)
            if any(new.clashes(old) for old in self.bookings):
                refused += 1
            else:
                self.bookings.append(new)
        return self.name + ": " + " ".join(map(str, self.bookings)), refused


# call: night_bus([1410, 1430, 10, 30], 1425)
# call: night_bus([30, 60], 45)
# call: night_bus([], 5)
# call: night_bus([1300, 1340, 1380, 1420, 20, 60, 120, 180, 240], 250)
# call: night_bus([700], 700)
# call: night_bus([1410, "0:10"], 5)
def night_bus(departures, now):
    waits = sorted((t - now) % 1440 for t in departures)
    if not waits:
        return "walk"
    first, *rest = waits
    return f"{first} min" + (f", then {rest[0]}" if rest else "")


# call: two_week_rhythm("bin", 3, 20)
# call: two_week_rhythm("paper", 0, 15)
# call: two_week_rhythm("glass", 1, 1)
# call: two_week_rhythm("compost", 5, 90)
# call: two_week_rhythm("", -14, 1)
# call: two_week_rhythm("bin", "mon", 9)
def every_other(start):
    while True:
        yield start
        start += 14


def two_week_rhythm(what, first, until):
    days = []
    for day in every_other(first):
        if day >= until:
            break
        days.append(day)
    return f"{what or 'nothing'}: {days}"


# call: best_meeting({"Ann": {9, 10, 11}, "Bob": {10, 11}})
# call: best_meeting({"Ann": {9}})
# call: best_meeting({})
# call: best_meeting({"A": {8, 9, 14}, "B": {9, 15}, "C": {9, 14, 16}, "D": {14}, "E": {15, 9}})
# call: best_meeting({"A": {8}, "B": {9}})
# call: best_meeting({"A": 9, "B": {9}})
def best_meeting(free):
    hours = sorted(set().union(*free.values()))
    if not hours:
        return None, []
    best = max(hours, key=lambda h: sum(h in f for f in free.values()))
    missing = [name for name in free if best not in free[name]]
    return best, missing
