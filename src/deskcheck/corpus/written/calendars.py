# call: days_left_in_month(2024, 2, 10)
# call: days_left_in_month(2023, 12, 31)
# call: days_left_in_month(1, 1, 1)
# call: days_left_in_month(1900, 2, 28)
# call: days_left_in_month(2023, 4, 31)
# call: days_left_in_month(2023, 13, 1)
def days_left_in_month(year, month, day):
    lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    last = lengths[month - 1]
    if month == 2 and (year % 400 == 0 or year % 4 == 0 and year % 100):
        last += 1
    return last - day


# call: day_number(3, 1)
# call: day_number(12, 25)
# call: day_number(1, 1)
# call: day_number(10, 31, leap=True)
# call: day_number(2, 29)
# call: day_number("3", 1)
def day_number(month, day, leap=False):
    """Counts with a knuckle: months on a knuckle have 31 days."""
    number, knuckle = day, True
    for m in range(1, month):
        if knuckle:
            number += 31
        elif m == 2:
            number += 28 + leap
        else:
            number += 30
        knuckle = not knuckle or m == 7
    return f"{number}/{365 + leap}"


# call: workdays_between(2, 12)
# call: workdays_between(5, 7)
# call: workdays_between(0, 0)
# call: workdays_between(3, 31, {6, 13, 24, 25})
# call: workdays_between(10, 4)
# call: workdays_between(1, 5, None)
def workdays_between(first, last, holidays=frozenset()):
    """Day 1 is a Monday; counts days that are neither weekends nor holidays."""
    count = 0
    for day in range(first, last + 1):
        if (day - 1) % 7 >= 5 or day in holidays:
            continue
        count += 1
    return count


# call: add_days(2024, 2, 27, 3)
# call: add_days(2023, 12, 31, 1)
# call: add_days(2023, 1, 1, 0)
# call: add_days(1999, 12, 1, 100)
# call: add_days(2024, 3, 1, -1)
# call: add_days(2023, 2, 30, 1)
from datetime import date, timedelta


def add_days(year, month, day, count):
    later = date(year, month, day) + timedelta(days=count)
    return later.isoformat(), later.strftime("%a")


# call: marsYear(668)
# call: marsYear(2000)
# call: marsYear(0)
# call: marsYear(12345)
# call: marsYear(669)
# call: marsYear(-1)
def marsYear(sols):
    year = 1
    while True:
        length = 669 if year % 2 or year % 10 == 0 else 668
        if sols < length:
            break
        sols -= length
        year += 1
    month, day = divmod(sols, 56)
    return year, month + 1, day + 1


# call: weekday_name(2024, 2, 29)
# call: weekday_name(2000, 1, 1)
# call: weekday_name(1, 1, 1)
# call: weekday_name(9999, 12, 31)
# call: weekday_name(2023, 10, 15)
# call: weekday_name(2023, 2, 29)
import datetime


def weekday_name(y, m, d):
    names = "Mon Tue Wed Thu Fri Sat Sun".split()
    when = datetime.date(y, m, d)
    name = names[when.weekday()]
    return name.upper() if when.weekday() > 4 else name


# call: month_grid(2, 30)
# call: month_grid(0, 28)
# call: month_grid(6, 1)
# call: month_grid(5, 31)
# call: month_grid(3, 0)
# call: month_grid(7, 5)
def month_grid(first_weekday, days):
    cells = [0] * first_weekday + list(range(1, days + 1))
    while len(cells) % 7:
        cells.append(0)
    rows = []
    for i in range(0, len(cells), 7):
        rows.append(" ".join(f"{day:>2}" if day else " ." for day in cells[i:i + 7]))
    return rows[0], len(rows), rows[-1]


# call: age_on((1990, 5, 17), (2024, 5, 16))
# call: age_on((1990, 5, 17), (2024, 5, 17))
# call: age_on((2020, 1, 1), (2020, 1, 1))
# call: age_on((1896, 2, 29), (1904, 2, 28))
# call: age_on((2020, 6, 1), (2019, 6, 1))
# call: age_on((2020, 6), (2021, 7, 1))
def age_on(born, today):
    years = today[0] - born[0]
    if today[1:] < born[1:]:
        years -= 1
    return "not born" if years < 0 else years


# call: oddLeapYears(2000, 2010)
# call: oddLeapYears(1, 5)
# call: oddLeapYears(7, 7)
# call: oddLeapYears(2090, 2120)
# call: oddLeapYears(-6, 6)
# call: oddLeapYears(5, 1)
def oddLeapYears(first, last):
    """Leap rule of the hill people: each fifth year, but not each twenty-fifth, yet each hundredth."""
    found = []
    for year in range(first, last):
        if year % 5 != 0: continue
        if year % 25 == 0 and year % 100 != 0: continue
        found.append(year)
    return found


# call: parse_day("17 May 2024")
# call: parse_day("1 jan 99")
# call: parse_day("")
# call: parse_day("30  September  1066")
# call: parse_day("31 Feb 2020")
# call: parse_day("5 Foo 2020")
def parse_day(text):
    MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
    parts = text.split()
    if len(parts) != 3:
        return None
    day, month, year = parts
    month = MONTHS.index(month[:3].lower()) + 1
    year = int(year)
    if year < 100:
        year += 1900 if year > 50 else 2000
    return f"{year:04d}-{month:02d}-{int(day):02d}"


# call: quarter_of("2024-05-17")
# call: quarter_of("2023-12-31")
# call: quarter_of("0-1-0")
# call: quarter_of("2024-07")
# call: quarter_of("2024-13-01")
# call: quarter_of("2024")
def quarter_of(iso):
    year, month = (int(part) for part in iso.split("-")[:2])
    quarter, place = divmod(month - 1, 3)
    return f"{year}Q{quarter + 1}", ("first", "middle", "last")[place]


# call: Calendar9(20).walk(15)
# call: Calendar9(1).walk(0)
# call: Calendar9(0).walk(0)
# call: Calendar9(85).walk(30)
# call: Calendar9(5).walk(-6)
# call: Calendar9(5).walk("6")
class Calendar9:
    """A year of nine months with ten days each; the ninth has eleven."""

    LENGTHS = [10] * 8 + [11]

    def __init__(self, day):
        self.day = day
        self.year = 1

    def where(self):
        rest = self.day
        for month, length in enumerate(self.LENGTHS, 1):
            if rest < length:
                return month, rest + 1
            rest -= length

    def walk(self, days):
        years, self.day = divmod(self.day + days, sum(self.LENGTHS))
        self.year += years
        return (self.year, *self.where())


# call: room_nights([(1, 5), (4, 9), (20, 22)])
# call: room_nights([(3, 4), (5, 6)])
# call: room_nights([])
# call: room_nights([(28, 31), (1, 2), (8, 12), (2, 3), (9, 10), (13, 14), (25, 29)])
# call: room_nights([(5, 5), (5, 5)])
# call: room_nights([(1, 2), (None, 3)])
def room_nights(stays):
    """Nights from arrival to departure; the later guest of a clash moves to the attic."""
    sold, attic = set(), []
    for arrives, leaves in stays:
        nights = set(range(arrives, leaves))
        if nights & sold:
            attic.append((arrives, leaves - arrives))
        else:
            sold |= nights
    return len(sold), max(sold, default="empty"), attic


# call: next_weekday(2, 4)
# call: next_weekday(4, 2)
# call: next_weekday(0, 0)
# call: next_weekday(6, 5)
# call: next_weekday(3, 3)
# call: next_weekday(1, 9)
def next_weekday(today, wanted):
    ahead = (wanted - today) % 7 or 7
    return ahead, (today + ahead) % 7 == wanted


# call: days_in_range(2023, 11, 4)
# call: days_in_range(2024, 2, 1)
# call: days_in_range(2024, 1, 0)
# call: days_in_range(2023, 1, 24)
# call: days_in_range(2024, 12, 2)
# call: days_in_range(2024, 13, 1)
from calendar import monthrange


def days_in_range(year, month, count):
    total = 0
    for _ in range(count):
        total += monthrange(year, month)[1]
        month += 1
        if month > 12:
            year, month = year + 1, 1
    return total, (year, month)


# call: fridays13(2023)
# call: fridays13(2026)
# call: fridays13(1)
# call: fridays13(2015)
# call: fridays13(9999)
# call: fridays13(0)
from datetime import date


def fridays13(year):
    return [month for month in range(1, 13) if date(year, month, 13).weekday() == 4]


# call: moon_phase(0)
# call: moon_phase(15)
# call: moon_phase(29)
# call: moon_phase(1000)
# call: moon_phase(-3)
# call: moon_phase("4")
def moon_phase(days_since_new):
    age = days_since_new % 29.5
    if age < 1 or age > 28.5:
        return "new"
    side = "waxing" if age < 14.75 else "waning"
    lit = 1 - abs(age - 14.75) / 14.75
    return f"{side} {lit:.0%}"


# call: birthday_list({"Ann": (5, 17), "Bob": (1, 3)}, (3, 1))
# call: birthday_list({"Ann": (5, 17)}, (5, 18))
# call: birthday_list({}, (1, 1))
# call: birthday_list({"a": (12, 31), "b": (1, 1), "c": (6, 6), "d": (6, 5), "e": (7, 7), "f": (2, 29)}, (6, 6))
# call: birthday_list({"x": (5, 5), "y": (5, 5)}, (5, 5))
# call: birthday_list({"x": 5}, (5, 5))
def birthday_list(people, today):
    def ahead(name):
        day = people[name]
        return (day < today, day)

    return [f"{name} {people[name][1]}.{people[name][0]}." for name in sorted(people, key=ahead)]


# call: vacation([1, 2, 3, 8], 4)
# call: vacation([1], 1)
# call: vacation([], 5)
# call: vacation([3, 4, 5, 6, 7, 10, 11, 12, 20, 21], 8)
# call: vacation([6, 7], 0)
# call: vacation([1, 2], None)
def vacation(days, allowance):
    used, refused = [], []
    for day in days:
        weekend = day % 7 in (6, 0)
        if weekend:
            used.append(-day)
        elif allowance > 0:
            allowance -= 1
            used.append(day)
        else:
            refused.append(day)
    return used, refused, allowance


# call: iso_week(2024, 1, 1)
# call: iso_week(2021, 1, 3)
# call: iso_week(1, 1, 1)
# call: iso_week(2020, 12, 31)
# call: iso_week(2016, 1, 2)
# call: iso_week(2021, 6, 31)
import datetime as dt


def iso_week(*ymd):
    when = dt.date(*ymd)
    year, week, day = when.isocalendar()
    crossing = year - when.year
    return f"{year}-W{week:02}-{day}" + ("<" if crossing < 0 else ">" if crossing else "")


# call: century_words(1999)
# call: century_words(2000)
# call: century_words(1)
# call: century_words(2001)
# call: century_words(-44)
# call: century_words("1999")
def century_words(year):
    era = "AD"
    if year <= 0:
        era, year = "BC", 1 - year
    c = (year + 99) // 100
    ending = "th"
    if c % 100 not in (11, 12, 13):
        ending = {1: "st", 2: "nd", 3: "rd"}.get(c % 10, "th")
    return f"{c}{ending} century {era}"


# call: shift_pattern("DDNN--", 10)
# call: shift_pattern("D-", 3, offset=1)
# call: shift_pattern("D", 0)
# call: shift_pattern("DDDNNN---", 30, offset=4)
# call: shift_pattern("DN-", 5, offset=-1)
# call: shift_pattern("", 3)
def shift_pattern(pattern, days, offset=0):
    line = "".join(pattern[(offset + d) % len(pattern)] for d in range(days))
    counts = {kind: line.count(kind) for kind in "DN-"}
    return line, counts


# call: longest_gap([3, 7, 20])
# call: longest_gap([1, 2])
# call: longest_gap([])
# call: longest_gap([30, 1, 14, 15, 2, 28, 9, 21])
# call: longest_gap([5])
# call: longest_gap([5, "6"])
def longest_gap(visits):
    ordered = sorted(visits)
    best = (0, None, None)
    for i in range(1, len(ordered)):
        gap = ordered[i] - ordered[i - 1] - 1
        if gap > best[0]:
            best = (gap, ordered[i - 1], ordered[i])
    return best


# call: pay_days(2024)
# call: pay_days(2023, 31)
# call: pay_days(1, 1)
# call: pay_days(2022, 25)
# call: pay_days(2021, 28)
# call: pay_days(2023, 0)
from datetime import date, timedelta


def pay_days(year, wanted=30):
    """Day of pay in each of the first four months: no weekend, never after the last of the month."""
    days = []
    for month in (1, 2, 3, 4):
        last = (date(year, month + 1, 1) - timedelta(1)).day
        pay = date(year, month, min(wanted, last))
        while pay.weekday() >= 5:
            pay -= timedelta(1)
        days.append((pay.month, pay.day))
    return days


# call: count_down("3 days", 1)
# call: count_down("2 weeks 1 day", 10)
# call: count_down("0 days", 0)
# call: count_down("1 week and 3 days and 2 weeks", 40)
# call: count_down("5 days", 5)
# call: count_down("1 month", 5)
def count_down(span, passed):
    total = 0
    words = [w for w in span.split() if w != "and"]
    for number, unit in zip(words[::2], words[1::2]):
        match unit:
            case "day" | "days":
                total += int(number)
            case "week" | "weeks":
                total += 7 * int(number)
            case _:
                raise ValueError(unit)
    left = total - passed
    return f"T{-left:+d}" if left else "now"


# call: DayCounter(2024, 2, 28).tick(2)
# call: DayCounter(2023, 12, 30).tick(3)
# call: DayCounter(2023, 1, 1).tick(0)
# call: DayCounter(1999, 12, 25).tick(10)
# call: DayCounter(2100, 2, 28).tick(1)
# call: DayCounter(2023, 0, 31).tick(1)
class DayCounter:
    def __init__(self, year, month, day):
        self.year, self.month, self.day = year, month, day

    @property
    def leap(self):
        return self.year % 4 == 0 and (self.year % 100 != 0 or self.year % 400 == 0)

    @property
    def length(self):
        if self.month == 2:
            return 29 if self.leap else 28
        return 30 + (self.month + self.month // 8) % 2

    def tick(self, times):
        for _ in range(times):
            self.day += 1
            if self.day > self.length:
                self.day = 1
                self.month += 1
                if self.month == 13:
                    self.month, self.year = 1, self.year + 1
        return f"{self.day}/{self.month}/{self.year}"


# call: easter_offset(31, 3)
# call: easter_offset(20, 4)
# call: easter_offset(1, 1)
# call: easter_offset(23, 4, True)
# call: easter_offset(9, 4)
# call: easter_offset("1", 4)
def easter_offset(day, month, leap=False):
    """Feasts around an Easter day, as numbers of the day in the year."""
    base = day + (0, 31, 59 + leap, 90 + leap)[month - 1]
    feasts = dict(ashes=-46, palms=-7, ascension=+39, pentecost=+49)
    return {feast: base + shift for feast, shift in feasts.items() if base + shift > 0}


# call: season(3, 20)
# call: season(12, 24)
# call: season(1, 1)
# call: season(9, 23, south=True)
# call: season(6, 20)
# call: season(14, 1)
def season(month, day, south=False):
    names = ["winter", "spring", "summer", "autumn"]
    turn = month * 100 + day
    place = sum(turn >= start for start in (320, 621, 923, 1221)) % 4
    if south:
        place = (place + 2) % 4
    if month > 12:
        raise ValueError(month)
    return names[place]


# call: trash_days(["paper", "glass"], 10)
# call: trash_days(["bio"], 3)
# call: trash_days([], 0)
# call: trash_days(["paper", "glass", "bio", "rest"], 29)
# call: trash_days(["paper"], 7)
# call: trash_days([], 9)
def trash_days(kinds, days):
    plan, turn = [], 0
    for day in range(1, days + 1):
        if day % 7 == 3:
            plan.append(f"{day}:{kinds[turn]}")
            turn = (turn + 1) % len(kinds)
    return ", ".join(plan)


# call: date_diff("2024-03-01", "2024-02-01")
# call: date_diff("2023-01-01", "2022-12-31")
# call: date_diff("2000-01-01", "2000-01-01")
# call: date_diff("2024-12-25", "1969-07-20")
# call: date_diff("2020-02-01", "2020-02-29")
# call: date_diff("2020-02-01", "2020-2-1")
from datetime import date


def date_diff(later, earlier):
    gap = date.fromisoformat(later) - date.fromisoformat(earlier)
    weeks, days = divmod(gap.days, 7)
    return {"days": gap.days, "weeks": weeks, "over": days}


# call: twelve_hours("13:05")
# call: twelve_hours("00:30")
# call: twelve_hours("0:0")
# call: twelve_hours("23:59:58")
# call: twelve_hours("12:00")
# call: twelve_hours("25:10")
def twelve_hours(clock):
    hour, *rest = map(int, clock.split(":"))
    if not 0 <= hour < 24:
        raise ValueError("hour " + str(hour))
    half = "pm" if hour >= 12 else "am"
    hour = hour % 12 or 12
    return ":".join([str(hour)] + ["%02d" % part for part in rest]) + half


# call: term_weeks(36, 43, {40})
# call: term_weeks(50, 54, set())
# call: term_weeks(1, 1, {1})
# call: term_weeks(35, 57, {41, 42, 52, 53})
# call: term_weeks(10, 9, set())
# call: term_weeks(1, 3, [2])
def term_weeks(first, last, breaks):
    label = "A"
    weeks = []
    for number in range(first, last + 1):
        shown = number if number <= 52 else number - 52
        if number in breaks:
            weeks.append(f"({shown})")
            continue
        weeks.append(f"{shown}{label}")
        label = "B" if label == "A" else "A"
    return weeks, sorted(breaks - set(range(first, last + 1)))


# call: zodiac_animal(2024)
# call: zodiac_animal(1900)
# call: zodiac_animal(0)
# call: zodiac_animal(1984, 60)
# call: zodiac_animal(-1)
# call: zodiac_animal(2000.5)
def zodiac_animal(year, later=0):
    animals = "rat ox tiger rabbit dragon snake horse goat monkey rooster dog pig".split()
    place = year + later - 4
    animal = animals[place % 12]
    if later:
        years = (f"{y}" for y in range(year, year + later) if (y - 4) % 12 == place % 12)
        return animal, "same as in " + "/".join(years)
    return animal, ["wood", "fire", "earth", "metal", "water"][place % 10 // 2]


# call: subscription("2024-01-31", 1)
# call: subscription("2023-11-15", 3)
# call: subscription("2023-01-01", 0)
# call: subscription("2022-10-31", 40)
# call: subscription("2024-03-31", -1)
# call: subscription("2024-01", 2)
def subscription(start, months):
    y, m, d = [int(p) for p in start.split("-")]
    y, m = divmod(y * 12 + m - 1 + months, 12)
    m += 1
    longest = 28 if m == 2 else 30 if m in (4, 6, 9, 11) else 31
    if m == 2 and y % 4 == 0:
        longest += 1
    return "%d-%02d-%02d" % (y, m, min(d, longest))


# call: heatmap([0, 2, 5, 1, 0, 0, 3], 4)
# call: heatmap([1], 0)
# call: heatmap([], 3)
# call: heatmap([9, 0, 0, 1, 4, 2, 2, 7, 0, 3, 1, 1], 6)
# call: heatmap([1, 1], 7)
# call: heatmap([-1], 0)
def heatmap(commits, start):
    rows = [""] * 7
    for pad in range(start):
        rows[pad] += " "
    for i, n in enumerate(commits):
        rows[(start + i) % 7] += ".:+#"[min(n, 3)]
    return "\n".join(rows)


# call: Reminder(5).snooze(1, 2)
# call: Reminder(30, 30).snooze(1)
# call: Reminder(1).snooze()
# call: Reminder(10, 31).snooze(5, 5, 5, 5, 5, 5, 5)
# call: Reminder(10, 31).snooze(-10)
# call: Reminder(10, None).snooze(40)
class Reminder:
    def __init__(self, day, month_length=31):
        self.day, self.length = day, month_length
        self.months = 0

    def __str__(self):
        return f"day {self.day}" + "+" * self.months

    def snooze(self, *days):
        shown = [str(self)]
        for n in days:
            self.day += n
            if self.day > self.length:
                self.day -= self.length
                self.months += 1
            elif self.day < 1:
                raise ValueError("that was yesterday")
            shown.append(str(self))
        return shown


# call: busiest_weekday([1, 8, 15, 2])
# call: busiest_weekday([3])
# call: busiest_weekday([])
# call: busiest_weekday([1, 2, 3, 4, 5, 6, 7, 14, 21, 28, 12, 19])
# call: busiest_weekday([2, 1])
# call: busiest_weekday([1, "2"])
from collections import Counter


def busiest_weekday(days):
    counts = Counter("MTWTFSS"[(day - 1) % 7] for day in days)
    return counts.most_common(1), counts["T"], len(counts)


# call: julian_shift(1582)
# call: julian_shift(1900)
# call: julian_shift(0)
# call: julian_shift(2100)
# call: julian_shift(325)
# call: julian_shift("1900")
def julian_shift(year):
    behind = year // 100 - year // 400 - 2
    if behind < 0:
        text = f"{-behind} days ahead"
    elif behind:
        text = f"{behind} days behind"
    else:
        text = "in step"
    return text, behind


# call: overlapping_terms({"ann": (2001, 2005), "bob": (2004, 2010)})
# call: overlapping_terms({"a": (1, 2), "b": (2, 3)})
# call: overlapping_terms({})
# call: overlapping_terms({"a": (1990, 2000), "b": (1995, 1999), "c": (1999, 2003), "d": (1980, 1991), "e": (2003, 2004)})
# call: overlapping_terms({"a": (5, 5), "b": (5, 6)})
# call: overlapping_terms({"a": (1, 2), "b": 3})
from itertools import combinations


def overlapping_terms(terms):
    shared = {}
    for (one, (a, b)), (two, (c, d)) in combinations(terms.items(), 2):
        years = range(max(a, c), min(b, d))
        if years:
            shared[one, two] = len(years)
    return shared


# call: format_date(2024, 5, 7, "D.M.Y")
# call: format_date(2024, 5, 7, "YYYY/MM/DD")
# call: format_date(1, 1, 1, "")
# call: format_date(1999, 12, 31, "DD-MM-YY and Y")
# call: format_date(987, 6, 5, "YYYY MMM")
# call: format_date(2024, 5, "7", "DD")
def format_date(year, month, day, pattern):
    out, i = "", 0
    fields = {"Y": year, "M": month, "D": day}
    while i < len(pattern):
        ch = pattern[i]
        if ch not in fields:
            out += ch
            i += 1
            continue
        width = 1
        while pattern[i + width:i + width + 1] == ch:
            width += 1
        value = fields[ch] % 100 if (ch, width) == ("Y", 2) else fields[ch]
        out += f"{value:0{width}d}"
        i += width
    return out


# call: streak([1, 2, 3, 5, 6])
# call: streak([4])
# call: streak([])
# call: streak([1, 3, 4, 5, 6, 9, 10, 11, 12, 13, 20, 21])
# call: streak([3, 2, 1])
# call: streak([1, None])
def streak(days_run):
    longest = current = 0
    before = None
    for day in days_run:
        current = current + 1 if before is not None and day - before == 1 else 1
        longest = max(longest, current)
        before = day
    return longest, current


# call: sunday_letter(2024)
# call: sunday_letter(2023)
# call: sunday_letter(1)
# call: sunday_letter(1999)
# call: sunday_letter(2000)
# call: sunday_letter(-5)
from datetime import date


def sunday_letter(year):
    first = date(year, 1, 1).weekday()
    letter = "ABCDEFG"[6 - first]
    try:
        date(year, 2, 29)
    except ValueError:
        return letter
    return letter + chr((ord(letter) - ord("A") - 1) % 7 + ord("A"))


# call: advent([26, 30, 3])
# call: advent([24])
# call: advent([])
# call: advent([1, 24, 25, 2, 6, 31, 13, 24])
# call: advent([0])
# call: advent(["1"])
def advent(days):
    doors = list("-" * 24)
    mistakes = 0
    for day in days:
        try:
            doors[day - 1] = "x" if doors[day - 1] == "-" else "X"
        except IndexError:
            mistakes += 1
    return "".join(doors), mistakes


# call: tideTable(6, 3)
# call: tideTable(0, 1)
# call: tideTable(5, 0)
# call: tideTable(23, 6)
# call: tideTable(12.5, 2)
# call: tideTable("6", 1)
def tideTable(first_hour, count):
    minute = first_hour * 60
    table = []
    for i in range(count):
        d, rest = divmod(minute, 1440)
        h, m = divmod(rest, 60)
        table.append(("low" if i % 2 else "high", int(d), "%d:%02d" % (h, m)))
        minute += 372.5
    return table


# call: leap_seconds("23:59:60")
# call: leap_seconds("12:30:05")
# call: leap_seconds("00:00:00")
# call: leap_seconds("23:59:59", 75)
# call: leap_seconds("11:59:60")
# call: leap_seconds("23-59-60")
class BadClock(ValueError):
    pass


def leap_seconds(clock, extra=0):
    h, m, s = (int(x) for x in clock.split(":"))
    if s == 60 and (h, m) != (23, 59):
        raise BadClock(clock)
    total = h * 3600 + m * 60 + s + extra
    return total, total - 86400 if total >= 86400 else None


# call: months_touched("2023-11-20", "2024-02-01")
# call: months_touched("2024-05-01", "2024-05-31")
# call: months_touched("2024-01-01", "2024-01-01")
# call: months_touched("2021-09-30", "2022-08-01")
# call: months_touched("2024-02-01", "2024-01-01")
# call: months_touched("2024", "2024-01-01")
def months_touched(start, end):
    year, month = int(start[:4]), int(start[5:7])
    last = int(end[:4]), int(end[5:7])
    names = []
    while (year, month) <= last:
        names.append("JFMAMJJASOND"[month - 1])
        if month == 12:
            names.append("|")
        month = month % 12 + 1
        year += month == 1
    return "".join(names)


# call: anniversary(2010, 2024)
# call: anniversary(1999, 2024)
# call: anniversary(2024, 2024)
# call: anniversary(1924, 2024)
# call: anniversary(2025, 2024)
# call: anniversary(None, 2024)
def anniversary(married, now):
    special = {1: "paper", 5: "wood", 10: "tin", 25: "silver", 50: "gold"}
    years = now - married
    if years in special:
        return special[years]
    name = "none"
    for reached in special:
        if reached > years:
            return f"{years} years, {name} was last, {reached - years} to go"
        name = special[reached]
    return name.upper() + "+" * (years // 50)


# call: school_year("2024-08-15")
# call: school_year("2024-07-31")
# call: school_year("1-1-1")
# call: school_year("1999-12-31", 9)
# call: school_year("2024-09-01", 9)
# call: school_year("")
def school_year(day, begins=8):
    try:
        year, month, _ = day.split("-")
        start = int(year) - (int(month) < begins)
    except ValueError as error:
        return type(error).__name__
    else:
        return f"{start}/{(start + 1) % 100:02d}"


# call: rent_periods((1, 15), (3, 10))
# call: rent_periods((5, 1), (5, 30))
# call: rent_periods((1, 1), (1, 1))
# call: rent_periods((2, 20), (9, 5), 100)
# call: rent_periods((6, 30), (7, 1))
# call: rent_periods((3, 1), (2, 1))
def rent_periods(start, end, rent=90):
    """Bank months of thirty days; part months are paid by the day."""
    months = []
    (m, d), (last_m, last_d) = start, end
    while m <= last_m:
        to = last_d if m == last_m else 30
        days = to - d + 1
        months.append((m, days, rent * days // 30))
        m, d = m + 1, 1
    return months, sum(pay for *_, pay in months)


# call: day_bits([1, 3, 5])
# call: day_bits([7])
# call: day_bits([])
# call: day_bits([1, 2, 3, 4, 5, 6, 7, 7, 1])
# call: day_bits([6, 7])
# call: day_bits([-1])
def day_bits(weekdays):
    mask = 0
    for d in weekdays:
        mask |= 1 << (d - 1)
    weekend = 0b1100000
    if mask & weekend == weekend:
        mask ^= weekend
        return f"{mask:07b}", "both"
    return f"{mask:07b}", bool(mask & weekend)


# call: harvest_moons(4, 29)
# call: harvest_moons(28, 30)
# call: harvest_moons(278, 1)
# call: harvest_moons(100, 27)
# call: harvest_moons(360, 29)
# call: harvest_moons(3, 0)
def harvest_moons(first, cycle):
    def moons():
        day = first
        while day < 365:
            yield day
            day += cycle

    if cycle <= 0:
        raise ValueError("moon stands still")
    last, count = None, 0
    for day in moons():
        count += 1
        if 230 <= day < 290:
            last = day
            if count > 9:
                break
    return last, count


# call: clash_free([(1, "a"), (2, "b"), (1, "c")])
# call: clash_free([(5, "x")])
# call: clash_free([])
# call: clash_free([(1, "a"), (1, "b"), (1, "c"), (2, "d"), (3, "e"), (2, "f"), (9, "g")])
# call: clash_free([(31, "a"), (31, "b")])
# call: clash_free([("1", "a"), ("1", "b")])
def clash_free(dates):
    diary = {}
    for day, what in dates:
        while day in diary:
            day += 1
        diary[day] = what
    return dict(sorted(diary.items())), max(diary, default=0) > 31
