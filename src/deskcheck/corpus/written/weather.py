# call: to_fahrenheit_table([0, 10, 25])
# call: to_fahrenheit_table([-40, 36.6])
# call: to_fahrenheit_table([])
# call: to_fahrenheit_table([-5, 0, 5, 10, 15, 20, 25, 30, 35])
# call: to_fahrenheit_table([0, 0])
# call: to_fahrenheit_table([12, "13"])
def to_fahrenheit_table(celsius):
    table = {}
    for c in celsius:
        table[c] = round(c * 9 / 5 + 32, 1)
    return table


# call: frost_nights([3.5, -0.5, 1.0, -2.25])
# call: frost_nights([0.0, 0.1])
# call: frost_nights([])
# call: frost_nights([-1, -2, 4, 5, -3, -8, -8, 2, 0, -1, 6, -4])
# call: frost_nights([0, -0.0])
# call: frost_nights([1, None])
def frost_nights(lows):
    return [night for night, low in enumerate(lows, start=1) if low < 0]


# call: describeWind(12)
# call: describeWind(62.5)
# call: describeWind(0)
# call: describeWind(117.9)
# call: describeWind(-3)
# call: describeWind("calm")
def describeWind(kmh):
    scale = [(1, "calm"), (20, "light"), (39, "fresh"), (62, "strong"), (118, "storm")]
    if kmh < 0:
        raise ValueError("wind cannot blow %.1f km/h" % kmh)
    for limit, word in scale:
        if kmh < limit:
            return word
    else:
        return "hurricane"


# call: wind_direction(95)
# call: wind_direction(350)
# call: wind_direction(0)
# call: wind_direction(1234.5)
# call: wind_direction(-90)
# call: wind_direction("N")
def wind_direction(degrees):
    names = "N NE E SE S SW W NW".split()
    return names[int((degrees % 360 + 22.5) // 45) % 8]


# call: fill_gaps([12.0, None, 14.0, 15.5])
# call: fill_gaps([3, None, None, 6])
# call: fill_gaps([])
# call: fill_gaps([1, None, 2, None, 4, None, 8, None, None, 16, 32, None])
# call: fill_gaps([None, 5])
# call: fill_gaps(["a", None, "b"])
def fill_gaps(readings):
    filled = readings[:]
    for i, value in enumerate(filled):
        if value is not None:
            continue
        before = filled[i - 1] if i > 0 else None
        after = readings[i + 1] if i + 1 < len(readings) else None
        if before is not None and after is not None:
            filled[i] = (before + after) / 2
        else:
            filled[i] = before
    return filled


# call: RainGauge().run(["tip", "tip", "read", "tip"])
# call: RainGauge(0.5).run(["tip", "read", "read"])
# call: RainGauge().run([])
# call: RainGauge(0.25).run(["tip", "tip", "tip", "read", "tip", "empty", "tip", "tip", "read"])
# call: RainGauge(2).run(["empty", "read"])
# call: RainGauge().run(["tip", "shake"])
class RainGauge:
    """A bucket that tips every few tenths of a millimetre."""

    def __init__(self, per_tip=0.2):
        self.per_tip = per_tip
        self.tips = 0
        self.log = []

    def run(self, events):
        for event in events:
            if event == "tip":
                self.tips += 1
            elif event == "read":
                self.log.append(round(self.tips * self.per_tip, 2))
            elif event == "empty":
                self.log.append(-self.tips)
                self.tips = 0
            else:
                raise ValueError("unknown event: " + repr(event))
        return self.log, self.tips


# call: hottest_station({"Oslo": [12, 15], "Rome": [28, 31, 25]})
# call: hottest_station({"A": [1], "B": [1]})
# call: hottest_station({})
# call: hottest_station({"Bern": [9, 19], "Nice": [22, 24], "Kyiv": [18], "Riga": [11, 12, 13], "Bari": [24, 23.5]})
# call: hottest_station({"Oslo": [], "Rome": [4]})
# call: hottest_station({"Oslo": 12})
def hottest_station(stations):
    best, winner = None, "nobody"
    for name, temps in stations.items():
        if not temps:
            continue
        mean = round(sum(temps) / len(temps), 1)
        if best is None or mean >= best:
            best, winner = mean, name
    return f"{winner}: {best}"


# call: heat_alarm([31, 34, 36, 35, 29], 33)
# call: heat_alarm([30, 30], 30)
# call: heat_alarm([], 30)
# call: heat_alarm([36, 37, 20, 36, 38, 39, 25, 36, 36, 36, 36, 10], 35)
# call: heat_alarm([40], 35)
# call: heat_alarm([31, 32], None)
def heat_alarm(highs, limit):
    days = 0
    alarms = []
    for day, high in enumerate(highs):
        days = days + 1 if high > limit else 0
        if days == 3:
            alarms.append(day)
    return alarms


# call: parse_reading("T=21.5C")
# call: parse_reading("T=-3F")
# call: parse_reading("T=0C")
# call: parse_reading("   T=101.25F  ")
# call: parse_reading("T=270K")
# call: parse_reading("H=55%")
def parse_reading(text):
    text = text.strip()
    if not text.startswith("T="):
        raise ValueError(f"not a temperature: {text!r}")
    number, unit = float(text[2:-1]), text[-1]
    if unit == "F":
        number = (number - 32) / 1.8
    elif unit == "K":
        number -= 273.15
    return round(number, 2)


# call: daily_range([(4, 11), (6, 19), (1, 3)])
# call: daily_range([(10, 10)])
# call: daily_range([])
# call: daily_range([(-4, 4), (0, 9), (2, 20), (7, 8), (-11, -10), (3, 22), (5, 6)])
# call: daily_range([(9, 2)])
# call: daily_range([(1, 2, 3)])
def daily_range(days):
    widest = (0, None)
    for number, (low, high) in enumerate(days):
        spread = high - low
        if spread > widest[0]:
            widest = spread, number
    return widest


# call: smooth_temps([10, 12, 17, 11, 9])
# call: smooth_temps([1, 2, 4], 2)
# call: smooth_temps([])
# call: smooth_temps([3, 8, 1, 0, 6, 6, 7, 2, 9, 4], 4)
# call: smooth_temps([5, 6], 3)
# call: smooth_temps([1, 2, 3], 0)
def smooth_temps(temps, width=3):
    averages = []
    for start in range(len(temps) - width + 1):
        window = temps[start : start + width]
        averages.append(round(sum(window) / width, 1))
    return averages


# call: pressure_trend([1012, 1010, 1007])
# call: pressure_trend([1000, 1004, 1004])
# call: pressure_trend([1013])
# call: pressure_trend([1001, 1003, 999, 1002, 998, 1005, 1011, 1010, 1016])
# call: pressure_trend([990, 1030])
# call: pressure_trend([])
def pressure_trend(hpa: list) -> str:
    change = hpa[-1] - hpa[0]
    match change:
        case 0:
            return "steady"
        case d if d > 20:
            return "check the barometer"
        case d if d > 0:
            return f"rising by {d}"
        case d:
            return f"falling by {-d}"


# call: windChill(-10, 30)
# call: windChill(5.5, 12)
# call: windChill(0, 5)
# call: windChill(-38.25, 67.5)
# call: windChill(15, 40)
# call: windChill(-5, -2)
def windChill(temp, wind):
    if temp > 10 or 0 <= wind < 4.8:
        return temp
    power = wind**0.16
    chill = 13.12 + 0.6215 * temp - 11.37 * power + 0.3965 * temp * power
    return round(chill, 1)


# call: sunny_share("SSCRS")
# call: sunny_share("CCRR")
# call: sunny_share("S")
# call: sunny_share("SSSCCRSSRRRSSSCCSSSSRC")
# call: sunny_share("sscS")
# call: sunny_share("")
def sunny_share(days):
    sunny = days.count("S")
    return f"{sunny / len(days):.0%} of {len(days)} days"


# call: sky_codes("SCRRS")
# call: sky_codes("CS")
# call: sky_codes("")
# call: sky_codes("SSSSCCCRRRCCS")
# call: sky_codes("SXF")
# call: sky_codes(["S", "R", "snow"])
def sky_codes(letters):
    words = {"S": "sun", "C": "cloud", "R": "rain", "F": "fog"}
    previous = None
    out = []
    for letter in letters:
        word = words.get(letter, "?")
        if word == previous:
            out[-1] += "+"
        else:
            out.append(word)
        previous = word
    return " ".join(out)


# call: snow_depth([("snow", 10), ("melt", 4), ("snow", 3)])
# call: snow_depth([("melt", 2), ("snow", 5)])
# call: snow_depth([])
# call: snow_depth([("snow", 20), ("settle", 10), ("snow", 5), ("settle", 20), ("melt", 7), ("melt", 9)])
# call: snow_depth([("snow", 3), ("melt", 30)])
# call: snow_depth([("hail", 1)])
def snow_depth(events):
    depth = 0

    def melt(cm):
        nonlocal depth
        depth = max(0, depth - cm)

    def snow(cm):
        nonlocal depth
        depth += cm

    def settle(percent):
        nonlocal depth
        depth -= depth * percent / 100

    actions = {"melt": melt, "snow": snow, "settle": settle}
    for name, amount in events:
        actions[name](amount)
    return depth


# call: above_normal([12, 15, 9], [11, 15, 10])
# call: above_normal([20], [18.5])
# call: above_normal([], [])
# call: above_normal([3, 5, 9, 14, 19, 22, 25, 24, 19, 13, 8, 4], [2, 4, 10, 14, 18, 23, 24, 24, 20, 12, 7, 3])
# call: above_normal([1, 2, 3], [0])
# call: above_normal([1], [None])
def above_normal(measured, normal):
    differences = [round(m - n, 1) for m, n in zip(measured, normal)]
    above = sum(d > 0 for d in differences)
    return above, max(differences, default=0)


# call: first_frost({"10-02": 4, "10-19": -1, "10-11": 0})
# call: first_frost({"11-01": -2, "10-30": -1})
# call: first_frost({})
# call: first_frost({"09-20": 9, "10-05": 3, "10-25": -4, "10-15": -1, "11-11": -6, "10-14": 1})
# call: first_frost({"07-01": 20})
# call: first_frost({"10-02": 4, 1019: -1})
def first_frost(lows):
    for date in sorted(lows):
        if lows[date] < 0:
            month, day = map(int, date.split("-"))
            return f"{day}.{month}."
    return "no frost"


# call: humidity_bar(45)
# call: humidity_bar(80, 20)
# call: humidity_bar(0)
# call: humidity_bar(99.6, 25)
# call: humidity_bar(130)
# call: humidity_bar("45")
def humidity_bar(percent, width=10):
    percent = min(max(percent, 0), 100)
    full = int(percent / 100 * width)
    return "[" + "#" * full + "." * (width - full) + f"] {percent:>3.0f}%"


# call: dew_point(20, 50)
# call: dew_point(30.5, 80)
# call: dew_point(0, 100)
# call: dew_point(-12.75, 63.5)
# call: dew_point(25, 150)
# call: dew_point(20, 0)
import math


def dew_point(temp, humidity):
    """Magnus formula, good between -45 and 60 degrees."""
    a, b = 17.62, 243.12
    humidity = min(humidity, 100)
    gamma = math.log(humidity / 100) + a * temp / (b + temp)
    return round(b * gamma / (a - gamma), 1)


# call: rainy_streak([0, 2.5, 1, 0, 4])
# call: rainy_streak([1, 1, 1])
# call: rainy_streak([])
# call: rainy_streak([0.1, 0, 3, 2, 2, 0, 0, 5, 6, 7, 8, 0.05])
# call: rainy_streak([0, 0, 0])
# call: rainy_streak([1, "trace"])
from itertools import groupby


def rainy_streak(millimetres):
    best = 0
    for wet, group in groupby(millimetres, key=lambda mm: mm > 0.2):
        if wet:
            best = max(best, len(list(group)))
    return best


# call: merge_sensors([10, None, 12], [11, 13, None])
# call: merge_sensors([1.5], [2.5])
# call: merge_sensors([], [])
# call: merge_sensors([1, 2, None, None, 5, 6, None], [2, 2, 3, None, None, 9, 7])
# call: merge_sensors([1, 2, 3], [4])
# call: merge_sensors([1], ["2"])
def merge_sensors(north, south):
    merged = []
    for a, b in zip(north, south):
        if a is None or b is None:
            merged.append(b if a is None else a)
        elif abs(a - b) > 2:
            merged.append("differ")
        else:
            merged.append((a + b) / 2)
    return merged


# call: record_days([20, 22, 21, 25])
# call: record_days([5, 4, 3])
# call: record_days([7])
# call: record_days([14, 18, 18, 19, 11, 23, 22, 23.5, 9, 30, 30, 31])
# call: record_days([-4, -6, -1])
# call: record_days([])
def record_days(highs):
    record = highs[0]
    days = []
    for i in range(1, len(highs)):
        if highs[i] > record:
            days.append((i, round(highs[i] - record, 1)))
            record = highs[i]
    return days


# call: clothing(25, False)
# call: clothing(8, True)
# call: clothing(0, False)
# call: clothing(-17, True, wind=70)
# call: clothing(31, True)
# call: clothing(None, True)
def clothing(temp, rain, wind=0):
    felt = temp - wind // 10
    wear = ["coat"] if felt < 5 else ["jacket"] if felt < 15 else ["shirt"]
    if rain:
        wear.append("boots" if wind > 50 else "umbrella")
    if felt < 0:
        wear[:0] = ["hat", "gloves"]
    if felt > 28 and rain:
        wear.clear()
    return wear


# call: Station("Oslo").report([3.25, 4.5, 1.0])
# call: Station("Rome", 20).report([21, 22.75])
# call: Station("X").report([])
# call: Station("Longyearbyen", -30).report([-8, -12.5, -20, -31, -6.25, -29.9, -30])
# call: Station("Bern", 5).report([5])
# call: Station("Oslo").report(["warm"])
from dataclasses import dataclass, field


@dataclass
class Station:
    name: str
    limit: float = 0
    low: list = field(default_factory=list)

    def add(self, value):
        if value < self.limit:
            self.low.append(value)
        return value

    def report(self, values):
        total = sum(self.add(v) for v in values)
        mean = total / len(values) if values else float("nan")
        return f"{self.name:<6}|{mean:7.2f}|{len(self.low)} below {self.limit}"


# call: uv_warning([1, 3, 6, 8, 5])
# call: uv_warning([2, 2])
# call: uv_warning([])
# call: uv_warning([0, 0, 1, 3, 5, 7, 9, 11, 8, 6, 2, 0])
# call: uv_warning([12])
# call: uv_warning([-1, 3])
def uv_warning(hourly):
    edges = [3, 6, 8, 11]
    names = ["low", "moderate", "high", "very high", "extreme"]
    counts = dict.fromkeys(names, 0)
    for uv in hourly:
        assert uv >= 0, uv
        counts[names[bisect.bisect(edges, uv)]] += 1
    return {name: n for name, n in counts.items() if n}


import bisect


# call: month_summary([("Jan", 2), ("Jan", 4), ("Feb", 5)])
# call: month_summary([("Jul", 30.5)])
# call: month_summary([])
# call: month_summary([("Mar", 8), ("Apr", 13), ("Mar", 11), ("Apr", 9), ("May", 20), ("Mar", 3)])
# call: month_summary([("Jan", 0), ("Jan", 0)])
# call: month_summary([("Jan", 1), "Feb"])
def month_summary(readings):
    ranges = {}
    for month, value in readings:
        low, high = ranges.get(month, (value, value))
        ranges[month] = min(low, value), max(high, value)
    return ["%s %.1f to %.1f" % (month, *both) for month, both in ranges.items()]


# call: drop_outliers([20, 21, 19, 45, 20])
# call: drop_outliers([1, 2, 3])
# call: drop_outliers([5])
# call: drop_outliers([12.5, 12.75, 13, -40, 12, 13.5, 99, 12.25, 11.75], 3)
# call: drop_outliers([0, 100])
# call: drop_outliers([])
def drop_outliers(values, allowed=10):
    middle = sorted(values)[len(values) // 2]
    near = lambda v: middle - allowed <= v <= middle + allowed
    kept, dropped = [], []
    for v in values:
        (kept if near(v) else dropped).append(v)
    return {"kept": kept, "dropped": dropped, "middle": middle}


# call: clean_wrong([20, -999, 21, 22])
# call: clean_wrong([1, 2])
# call: clean_wrong([])
# call: clean_wrong([-999, -999, 3, -999, 5, -999, -999, -999, 7])
# call: clean_wrong([-999, -999])
# call: clean_wrong((1, -999))
def clean_wrong(values):
    # removes while it walks: two bad ones in a row confuse it
    for v in values:
        if v == -999:
            values.remove(v)
    return values


# call: lightning_km([3, 9, 6])
# call: lightning_km([15])
# call: lightning_km([])
# call: lightning_km([30, 24, 18, 12, 6, 1, 5, 14, 22])
# call: lightning_km([0])
# call: lightning_km(7)
def lightning_km(seconds):
    distances = [round(s * 0.343, 2) for s in seconds]
    if any(d < 1 for d in distances):
        return "inside!", min(distances)
    coming = all(b < a for a, b in zip(distances, distances[1:]))
    return ("coming" if coming else "passing"), distances


# call: beaufortNumber(3.0)
# call: beaufortNumber(14.2)
# call: beaufortNumber(0)
# call: beaufortNumber(28.5)
# call: beaufortNumber(50)
# call: beaufortNumber(-1)
def beaufortNumber(ms):
    number = round((ms / 0.836) ** (2 / 3))
    if number > 12:
        number = 12
    return number


# call: Alarm(30).feed([28, 31, 29, 26])
# call: Alarm(10, 1).feed([11, 10, 9, 8])
# call: Alarm(5).feed([])
# call: Alarm(25, 2).feed([20, 24, 25, 26, 24, 23, 25, 22, 27, 30, 21, 26])
# call: Alarm(0, -5).feed([1, 2])
# call: Alarm("hot").feed([30])
class Alarm:
    def __init__(self, on, gap=3):
        self.on = on
        self.gap = gap
        self.ringing = False

    @property
    def off(self):
        return self.on - self.gap

    def feed(self, temps):
        changes = []
        for t in temps:
            if not self.ringing and t >= self.on:
                self.ringing = True
                changes.append(("on", t))
            elif self.ringing and t < self.off:
                self.ringing = False
                changes.append(("off", t))
        return changes


# call: forecast_line("mon", 14, 21, 0.3)
# call: forecast_line("Tuesday", 9.6, 12.4, 1)
# call: forecast_line("", 0, 0, 0)
# call: forecast_line("wednesday night", -12.5, -3.25, 0.875)
# call: forecast_line("fri", 20, 10, 0.05)
# call: forecast_line("sat", "x", 10, 0.5)
def forecast_line(day, low, high, chance):
    if low > high:
        low, high = high, low
    rain = "dry" if chance < 0.1 else f"rain {chance:.0%}"
    return f"{day[:3].title():<4}{low:>6.1f} to {high:<6.1f}{rain}"


# call: read_forecast("Mon 12/18 rain; Tue 9/14 sun")
# call: read_forecast("Sat -2/1 snow")
# call: read_forecast("")
# call: read_forecast("Mon 5/9 fog; Tue 6/11 sun; Wed 8/15 sun; Thu 3/7 rain; Fri 1/4 sleet;")
# call: read_forecast("Mon 5/9 fog; Mon 6/11 sun")
# call: read_forecast("Mon 5-9 fog")
def read_forecast(text):
    week = {}
    for part in text.split(";"):
        if not part.strip():
            continue
        day, temps, sky = part.split()
        low, high = temps.split("/")
        week[day] = (int(low), int(high), sky)
    return week


# call: growing_days([12, 15, 8, 20])
# call: growing_days([9, 10], 5)
# call: growing_days([])
# call: growing_days([4.5, 11.5, 13, 16.25, 9, 21, 24, 10, 3, 18], 10)
# call: growing_days([50, 2])
# call: growing_days([10, "11"])
def growing_days(means, base=10):
    total = 0
    weeks = []
    for number, t in enumerate(means, 1):
        total += min(max(t - base, 0), 20)
        if number % 3 == 0:
            weeks.append(f"day {number}: {total}")
    return weeks, total


# call: tide_words([1.2, 3.4, 2.0, 0.5])
# call: tide_words([1, 1])
# call: tide_words([2])
# call: tide_words([0.5, 1.5, 2.5, 3.0, 2.0, 1.0, 0.25, 0.75, 1.75, 2.75])
# call: tide_words([])
# call: tide_words([1, None, 2])
def tide_words(heights):
    words = []
    i = 0
    while i < len(heights) - 1:
        if heights[i + 1] > heights[i]:
            words.append("flood")
        elif heights[i + 1] < heights[i]:
            words.append("ebb")
        else:
            words.append("slack")
        i += 1
    turns = sum(1 for a, b in zip(words, words[1:]) if a != b)
    return words, turns


# call: log_reading(18.5)
# call: log_reading(19, [18, 18.5])
# call: log_reading(0)
# call: log_reading(7, [1, 2, 3, 4, 5, 6, 7, 8])
# call: log_reading(3, [3])
# call: log_reading("hot", [20])
def log_reading(value, history=[]):
    history.append(value)
    while len(history) > 5:
        history.pop(0)
    warmest = max(history)
    return warmest == value, f"{warmest}/{len(history)}", history


# call: log_twice([18, 19])
# call: log_twice([0])
# call: log_twice([])
# call: log_twice([3, 1, 4, 1, 5, 9])
# call: log_twice([None])
# call: log_twice(7)
def remember(value, seen=[]):
    seen.append(value)
    return seen


def log_twice(values):
    first = None
    for v in values:
        latest = remember(v)
        if first is None:
            first = latest
    return len(first), first is latest


# call: cloud_layers("FEW020 BKN045 OVC100")
# call: cloud_layers("SCT030")
# call: cloud_layers("")
# call: cloud_layers("FEW008 SCT015 BKN025CB OVC080 FEW200 VCSH")
# call: cloud_layers("CAVOK")
# call: cloud_layers(["OVC010"])
import re


def cloud_layers(report):
    cover = {"FEW": 2, "SCT": 4, "BKN": 7, "OVC": 8}
    layers = []
    for kind, feet in re.findall(r"(FEW|SCT|BKN|OVC)(\d{3})", report):
        layers.append((int(feet) * 100, cover[kind]))
    ceiling = min((f for f, eighths in layers if eighths > 4), default=None)
    return layers, ceiling


# call: quality_index({"pm10": 40, "no2": 30})
# call: quality_index({"o3": 130})
# call: quality_index({})
# call: quality_index({"pm10": 51, "pm25": 24, "no2": 99, "o3": 12, "so2": 350, "co": 3})
# call: quality_index({"pm10": 5000})
# call: quality_index({"pm10": None})
def quality_index(levels):
    limits = {"pm10": 50, "pm25": 25, "no2": 100, "o3": 120, "so2": 350}
    worst, cause = 0, "-"
    unknown = set()
    for gas, level in levels.items():
        try:
            share = level / limits[gas]
        except KeyError:
            unknown.add(gas)
        else:
            if share > worst:
                worst, cause = share, gas
    return min(round(worst * 100), 500), cause, unknown


# call: season_of(4)
# call: season_of(12)
# call: season_of(1, south=True)
# call: season_of(8, True)
# call: season_of(0)
# call: season_of(13)
def season_of(month, south=False):
    """Meteorological season; month 0 slips through."""
    seasons = ("winter", "spring", "summer", "autumn")
    if month > 12:
        raise ValueError(month)
    return seasons[(month % 12 // 3 + 2 * south) % 4]


# call: compare_days({"low": 3, "high": 9}, {"low": 5, "high": 9})
# call: compare_days({"rain": 2}, {"rain": 0})
# call: compare_days({}, {})
# call: compare_days({"low": 1, "high": 7, "wind": 20, "rain": 0}, {"low": 1, "high": 12, "wind": 5, "sun": 8})
# call: compare_days({"fog": 1}, {"sun": 1})
# call: compare_days({"low": 3}, {"low": "3"})
def compare_days(before, today):
    both = before.keys() & today.keys()
    change = {k: today[k] - before[k] for k in sorted(both) if today[k] != before[k]}
    gone = sorted(before.keys() - today.keys())
    return change, gone, sorted(set(today) - set(before))


# call: two_stations([12, 14, 9], [13, 14, 4])
# call: two_stations([1], [2])
# call: two_stations([], [])
# call: two_stations([8, 9, 12, 15, 11, 7, 3], [7, 9, 14, 14, 12, 7, 2])
# call: two_stations([1, 2], [1])
# call: two_stations([1], ["warm"])
def two_stations(hill, valley):
    score = {"hill": 0, "valley": 0, "same": 0}
    for day in range(len(hill)):
        if hill[day] > valley[day]:
            score["hill"] += 1
        elif hill[day] < valley[day]:
            score["valley"] += 1
        else:
            score["same"] += 1
    return max(score, key=score.get), score


# call: sun_minutes("0730", "1915")
# call: sun_minutes("05:04", "21:50")
# call: sun_minutes("0000", "0000")
# call: sun_minutes("0412", "2247")
# call: sun_minutes("1900", "0600")
# call: sun_minutes("dawn", "dusk")
def sun_minutes(rise, down):
    def minutes(clock):
        digits = clock.replace(":", "")
        return 60 * int(digits[:-2]) + int(digits[-2:])

    length = minutes(down) - minutes(rise)
    if length < 0:
        length += 24 * 60
    return "%dh%02d" % divmod(length, 60)


# call: round_half([2.5, 3.5, 2.6])
# call: round_half([0.125, 1.005])
# call: round_half([])
# call: round_half([-0.5, -1.5, 0.5, 1.5, 4.5, 5.5, 9.49, 99.95], 0)
# call: round_half([15, 25, 1234], -1)
# call: round_half(["2.5"])
def round_half(values, places=1):
    python = [round(v, places) for v in values]
    by_hand = [int(v * 10**places + 0.5) / 10**places for v in values]
    return python, [i for i, (a, b) in enumerate(zip(python, by_hand)) if a != b]


# call: extreme_days([("mon", 3, 9), ("tue", -1, 4)])
# call: extreme_days([("a", 0, 0)])
# call: extreme_days([("z", -30, 41)])
# call: extreme_days([("mon", 2, 8), ("tue", 2, 19), ("wed", 6, 11), ("thu", -4, 19), ("fri", 0, 2)])
# call: extreme_days([("mon", 5, 1), ("mon", 1, 5)])
# call: extreme_days([])
from operator import itemgetter


def extreme_days(week):
    coldest = min(week, key=itemgetter(1))
    warmest = max(week, key=itemgetter(2, 0))
    span = warmest[2] - coldest[1]
    if coldest is warmest:
        return f"{coldest[0]} alone spans {span}"
    return f"{coldest[0]}..{warmest[0]} {span:+d}"


# call: wind_rose(["N", "N", "SW", "E"])
# call: wind_rose(["w"])
# call: wind_rose([])
# call: wind_rose(["S", "SW", "S", "W", "SW", "S", "NW", "S", "E", "S"])
# call: wind_rose(["up", "N"])
# call: wind_rose(["N", 45])
from collections import Counter


def wind_rose(directions):
    rose = Counter(d.upper() for d in directions)
    total = rose.total()
    return [f"{d}{'*' * n}{100 * n // total}" for d, n in rose.most_common(3)]


# call: sensor_bits(0b1011)
# call: sensor_bits(4)
# call: sensor_bits(0)
# call: sensor_bits(0b11111111)
# call: sensor_bits(256)
# call: sensor_bits(-1)
def sensor_bits(status):
    if status < 0:
        raise OverflowError("status must not be negative")
    text = ""
    for letter in "BIDHC":
        text = (letter if status & 1 else "-") + text
        status >>= 1
    return text + ("!" * status.bit_count())


# call: calibrate([20.0, 21.5])
# call: calibrate([10, 0], offset=-1.5)
# call: calibrate([])
# call: calibrate([1, 2, 3, 5, 8, 13, 21, 34], gain=1.1, offset=0.25)
# call: calibrate([100], gain=2)
# call: calibrate([1], slope=2)
from functools import partial


def calibrate(raw, **settings):
    def corrected(value, *, gain=1.0, offset=0.0):
        return min(round(value * gain + offset, 3), 150)

    fix = partial(corrected, **settings)
    return list(map(fix, raw))


# call: wet_and_dry({"Mon": 3.0, "Tue": 0, "Wed": 0.4})
# call: wet_and_dry({"Sun": 0})
# call: wet_and_dry({})
# call: wet_and_dry({"a": 1, "b": 0, "c": 0, "d": 12.5, "e": 0.1, "f": 30, "g": 0})
# call: wet_and_dry({"a": -1})
# call: wet_and_dry([1, 0, 2])
def wet_and_dry(rain):
    wet, dry = {}, []
    for day, mm in rain.items():
        if mm:
            wet[day] = mm
        else:
            dry.append(day)
    heavy = [day for day, mm in wet.items() if mm >= 10]
    return {"wet": len(wet), "dry": dry, "heavy": heavy, "sum": round(sum(wet.values()), 1)}
