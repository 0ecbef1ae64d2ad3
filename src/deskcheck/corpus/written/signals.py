# call: soften([4, 8, 6, 2])
# call: soften([1.5, 2.5, 9.0], weight=2)
# call: soften([])
# call: soften([0, 10, 0, 10, 0, 10, 5, 5, 5, 20])
# call: soften([7])
# call: soften([1, "2", 3])
def soften(samples, weight=1):
    out = list(samples)
    for i in range(1, len(samples) - 1):
        around = samples[i - 1] + weight * samples[i] + samples[i + 1]
        out[i] = round(around / (weight + 2), 2)
    return out


# call: soften_in_place([4, 8, 6, 2])
# call: soften_in_place([10, 0, 10])
# call: soften_in_place([])
# call: soften_in_place([0, 0, 0, 16, 0, 0, 0, 8, 0])
# call: soften_in_place([-3, -4])
# call: soften_in_place((1, 2, 3))
def soften_in_place(wave):
    before = wave
    for i in range(1, len(wave)):
        wave[i] = (wave[i - 1] + wave[i]) // 2   # uses the already changed neighbour
    return wave is before, before


# call: spikes([1, 9, 2, 3], 5)
# call: spikes([5, 5, 5], 1)
# call: spikes([], 3)
# call: spikes([0, 4, 0, -4, 0, 8, 8, 8, 0, 2, 12, 1], 4)
# call: spikes([3, 9], 1)
# call: spikes([1, None, 1], 0)
def spikes(samples, jump):
    found = []
    for i, (a, b, c) in enumerate(zip(samples, samples[1:], samples[2:]), 1):
        if abs(b - a) >= jump and abs(b - c) >= jump:
            found.append((i, "up" if b > a else "down"))
    return found


# call: gate_open([3, 7, 8, 2, 6], 6, 3)
# call: gate_open([5, 5], 5, 5)
# call: gate_open([], 1, 0)
# call: gate_open([0, 6, 4, 4, 2, 4, 6, 4, 2, 2, 9], 6, 2)
# call: gate_open([9, 1, 9, 1], 2, 8)
# call: gate_open([1, 2], "2", 1)
def gate_open(levels, high, low):
    """A switch with two thresholds: on at high, off at low, else unchanged."""
    is_on = False
    text = ""
    for level in levels:
        if level >= high:
            is_on = True
        elif level <= low:
            is_on = False
        text += "#" if is_on else "."
    return text


# call: plateaus([2, 2, 2, 5, 5])
# call: plateaus([1, 2, 3], shortest=1)
# call: plateaus([])
# call: plateaus([0, 0, 7, 7, 7, 7, 1, 0, 0, 0, 4], 3)
# call: plateaus([True, 1, 1.0])
# call: plateaus([[1], [1], 2])
def plateaus(samples, shortest=2):
    from itertools import groupby
    at = 0
    flat = []
    for level, group in groupby(samples):
        size = sum(1 for _ in group)
        if size >= shortest:
            flat.append((at, size, level))
        at += size
    return flat


# call: crossings([1, -1, 2])
# call: crossings([5, 3, 1], level=2)
# call: crossings([])
# call: crossings([0.5, -0.5, 0, 0.5, 0, -0.25, -1, 2, -2, 0])
# call: crossings([0, 0, 0])
# call: crossings(["a"])
def crossings(signal, level=0):
    side = 0
    times = []
    for t, value in enumerate(signal):
        now = (value > level) - (value < level)
        if now and side and now != side:
            times.append(t)
        side = now or side
    return times


# call: quantise([0.12, 0.49, 0.51])
# call: quantise([1.5, 2.5, 3.5], 1)
# call: quantise([])
# call: quantise([-0.37, 0.12, 0.88, 1.01, 2.26, -1.49, 0.75, 3.3], 0.25)
# call: quantise([0.5, -0.5], 1)
# call: quantise([1], 0)
def quantise(samples, step=0.5):
    return [round(round(s / step) * step, 4) for s in samples]


# call: leaky([10, 0, 0, 0])
# call: leaky([1, 1, 1], keep=0.9)
# call: leaky([])
# call: leaky([4, 0, 8, 0, 0, 16, 0, 0, 0, 2], 0.25)
# call: leaky([100], 0)
# call: leaky([3, "4"])
def leaky(inputs, keep=0.5):
    tank = 0.0
    for x in inputs:
        tank = tank * keep + x
        yield round(tank, 3)


# call: debounce("0110111", 2)
# call: debounce("101010", 2)
# call: debounce("", 1)
# call: debounce("000111010001111011110000", 3)
# call: debounce("11", 5)
# call: debounce([0, 0, 1], 1)
def debounce(bits, need):
    stable = bits[:1]
    streak = 0
    result = []
    for b in bits:
        if b == stable:
            streak = 0
        else:
            streak += 1
            if streak >= need:
                stable, streak = b, 0
        result.append(stable)
    return "".join(result)


# call: RunStat().feed([2, 4, 9])
# call: RunStat(10).feed([1.5])
# call: RunStat().feed([])
# call: RunStat(3).feed([5, 5, 5, 1, 8, 3, 3, 9, -2, 6])
# call: RunStat().feed([-1, -1])
# call: RunStat().feed([1, "x"])
class RunStat:
    def __init__(self, limit=100):
        self.n = 0
        self.total = 0
        self.low = None
        self.limit = limit

    @property
    def mean(self):
        return round(self.total / self.n, 2) if self.n else None

    def feed(self, samples):
        for s in samples:
            if self.n == self.limit:
                break
            self.n += 1
            self.total += s
            if self.low is None or s < self.low:
                self.low = s
        else:
            return {"all": True, "mean": self.mean, "low": self.low}
        return {"all": False, "mean": self.mean, "low": self.low}


# call: upsample([1, 3])
# call: upsample([0, 4, 2], 4)
# call: upsample([])
# call: upsample([10, 0, -10, 5, 5], 3)
# call: upsample([7], 9)
# call: upsample([1, 2], 2.0)
def upsample(points, times=2):
    dense = []
    for left, right in zip(points, points[1:]):
        for k in range(times):
            dense.append(round(left + (right - left) * k / times, 2))
    dense += points[-1:]
    return dense


# call: envelope([1, -5, 3, 2], 2)
# call: envelope([-1, -2], 1)
# call: envelope([], 3)
# call: envelope([0, 2, -6, 1, 0, 3, -1, 9, -9, 2], 3)
# call: envelope([4, 4, 4], 10)
# call: envelope([1, 2], 0)
def envelope(wave, width):
    from collections import deque
    recent = deque(maxlen=width)
    hull = []
    for w in wave:
        recent.append(abs(w))
        hull.append(max(recent))
    return hull


# call: peakTable([1, 4, 2, 6, 3])
# call: peakTable([5, 1, 5])
# call: peakTable([])
# call: peakTable([2, 3, 3, 1, 0, 7, 6, 8, 8, 8, 2])
# call: peakTable([1, 2, 3])
# call: peakTable({0: 1, 1: 3, 2: 1})
def peakTable(curve):
    peaks = {}
    last = len(curve) - 1
    for i in range(len(curve)):
        left = curve[i - 1] if i > 0 else float("-inf")
        right = curve[i + 1] if i < last else float("-inf")
        if left < curve[i] >= right:
            height = curve[i] - max(min(left, right), 0)
            peaks.setdefault(height, []).append(i)
    return sorted(peaks.items(), reverse=True)


# call: drift([10, 11, 12, 13])
# call: drift([4.0, 2.0])
# call: drift([3])
# call: drift([100, 101.5, 99, 103, 104, 102.5, 106])
# call: drift([1, 1, 1, 1, 50, 1])
# call: drift("12")
def drift(readings):
    if len(readings) < 2:
        return 0.0
    half = len(readings) // 2
    early = sum(readings[:half]) / half
    late = sum(readings[-half:]) / half
    return round((late - early) / (len(readings) - half), 3)


# call: lag_match([1, 2, 3, 4], [0, 1, 2, 3])
# call: lag_match([1, 0], [1, 0])
# call: lag_match([], [])
# call: lag_match([0, 0, 1, 2, 1, 0], [1, 2, 1, 0, 0, 0], furthest=3)
# call: lag_match([1, 2], [3, 4, 5])
# call: lag_match([1, 2], None)
def lag_match(a, b, furthest=2):
    scores = {}
    for lag in range(-furthest, furthest + 1):
        same = 0
        for i, v in enumerate(a):
            j = i + lag
            if 0 <= j < len(b) and b[j] == v:
                same += 1
        scores[lag] = same
    best = max(scores, key=lambda k: (scores[k], -abs(k)))
    return best, scores[best]


# call: clip_report([5, 12, -15])
# call: clip_report([1, 2], 1)
# call: clip_report([])
# call: clip_report([9, 10, 11, -9, -10, -11, 0, 30, -45, 10.5])
# call: clip_report([3, -3], -1)
# call: clip_report([1, "9"])
def clip_report(samples, ceiling=10):
    lost = 0
    kept = []
    for s in samples:
        c = max(-ceiling, min(s, ceiling))
        if c != s:
            lost += abs(s - c)
        kept.append(c)
    return f"{len(kept)} kept, lost {lost:g}", kept


# call: bit_planes([5, 3], 3)
# call: bit_planes([255], 4)
# call: bit_planes([], 2)
# call: bit_planes([0, 7, 12, 9, 15, 4, 1, 8], 4)
# call: bit_planes([-1, -2], 2)
# call: bit_planes([1.0], 1)
def bit_planes(samples, bits):
    planes = []
    for b in reversed(range(bits)):
        planes.append("".join(str(s >> b & 1) for s in samples))
    return planes


# call: delta_pack([100, 102, 101])
# call: delta_pack([7])
# call: delta_pack([])
# call: delta_pack([50, 51, 53, 56, 60, 200, 199, 199, 0, 5], 9)
# call: delta_pack([0, 100], 1)
# call: delta_pack([1, 2.5])
def delta_pack(samples, most=7):
    packed, current = [], 0
    for s in samples:
        step = s - current
        if -most <= step <= most:
            packed.append(f"{step:+}")
        else:
            packed.append(f"={s}")
        current = s
    return " ".join(packed)


# call: delta_unpack("=100 +2 -1")
# call: delta_unpack("+5")
# call: delta_unpack("")
# call: delta_unpack("=40 +1 +1 -3 =90 -5 -5 +0 =7 +2")
# call: delta_unpack("=-4 -4")
# call: delta_unpack("5 +x")
def delta_unpack(text):
    value = 0
    samples = []
    for token in text.split():
        match token[0], token[1:]:
            case "=", rest:
                value = int(rest)
            case ("+" | "-") as sign, rest:
                value += int(sign + rest)
            case _:
                continue
        samples.append(value)
    return samples


# call: odd_ones([10, 11, 50, 12])
# call: odd_ones([1, 1, 1])
# call: odd_ones([])
# call: odd_ones([20, 21, 19, 90, 22, 18, -40, 20, 21], factor=2)
# call: odd_ones([5])
# call: odd_ones(["5", "6"])
def odd_ones(samples, factor=3):
    import statistics
    if not samples:
        return []
    middle = statistics.median(samples)
    spread = statistics.median(abs(s - middle) for s in samples)
    return [(i, s) for i, s in enumerate(samples) if abs(s - middle) > factor * max(spread, 1)]


# call: rising_runs([1, 2, 3, 1, 5])
# call: rising_runs([3, 2, 1])
# call: rising_runs([])
# call: rising_runs([4, 6, 9, 9, 10, 2, 3, 5, 8, 1, 0, 7])
# call: rising_runs([0.1, 0.2])
# call: rising_runs([1, "a"])
def rising_runs(s):
    runs = [[]]
    for x in s:
        if runs[-1] and x <= runs[-1][-1]:
            runs.append([])
        runs[-1].append(x)
    return [(len(r), r[-1] - r[0]) for r in runs if len(r) > 1]


# call: squelch([0.2, 3, 0.1, 4], 1)
# call: squelch([5, 5], 9)
# call: squelch([], 1)
# call: squelch([9, 1, 9, 0, 0, 9, 1, 1, 1, 9, 9], 5, hold=2)
# call: squelch([1, 0, 0, 0], 1, hold=0)
# call: squelch([1], [2])
def squelch(audio, floor, hold=1):
    left = 0
    for a in audio:
        if abs(a) >= floor:
            left = hold
            yield a
        elif left > 0:
            left -= 1
            yield a
        else:
            yield 0


# call: beat_gaps([0.0, 0.5, 1.0, 2.0])
# call: beat_gaps([1, 4])
# call: beat_gaps([2.0])
# call: beat_gaps([0.1, 0.6, 1.1, 1.7, 2.2, 3.2, 3.7, 4.2])
# call: beat_gaps([1, 1, 1])
# call: beat_gaps(3)
def beat_gaps(times):
    gaps = [round(b - a, 3) for a, b in zip(times, times[1:])]
    if not gaps:
        return None
    usual = max(gaps, key=gaps.count)
    return usual, [g for g in gaps if g != usual]


# call: morph([0, 10], [10, 0], 2)
# call: morph([1], [2], 4)
# call: morph([], [], 1)
# call: morph([0, 6, 12], [12, 6, 0], 3)
# call: morph([1, 2, 3], [9], 1)
# call: morph([1], [2], 0)
def morph(start, goal, steps):
    frames = []
    for k in range(steps + 1):
        t = k / steps
        frames.append([round(a + (b - a) * t, 1) for a, b in zip(start, goal)])
    return frames


# call: energy_blocks([1, 2, 3, 4], 2)
# call: energy_blocks([-3, 3], 1)
# call: energy_blocks([], 5)
# call: energy_blocks([0, 1, -2, 4, 4, 0, 0, 5, -5, 1, 2], 4)
# call: energy_blocks([2, 2, 2], 2)
# call: energy_blocks([1], -1)
def energy_blocks(x, n):
    it = iter(x)
    out = []
    while block := [v for _, v in zip(range(n), it)]:
        out.append(sum(v * v for v in block))
    return out


# call: loudest_stretch([1, 5, 6, 0], 2)
# call: loudest_stretch([3], 1)
# call: loudest_stretch([], 2)
# call: loudest_stretch([0, -7, 2, 2, 9, -1, 8, 1, 0, 3], 3)
# call: loudest_stretch([1, 1, 1, 1], 2)
# call: loudest_stretch([1, 2], 2.5)
def loudest_stretch(levels, width):
    champion = None
    for at in range(len(levels) - width + 1):
        part = levels[at:at + width]
        noise = sum(map(abs, part))
        if champion is None or noise > champion[0]:
            champion = noise, at, part
    return champion


# call: Lowpass(0.5).run([4, 4, 4])
# call: Lowpass(1).run([3, 9])
# call: Lowpass(0.1).run([])
# call: Lowpass(0.25).run([8, 0, 8, 0, 16, -16, 4, 4])
# call: Lowpass(0).run([5, 6])
# call: Lowpass(2).run([1])
class Lowpass:
    def __init__(self, alpha):
        if not 0 <= alpha <= 1:
            raise ValueError(f"alpha {alpha} out of range")
        self.alpha = alpha
        self.state = None

    def __call__(self, x):
        if self.state is None:
            self.state = x
        self.state += self.alpha * (x - self.state)
        return self.state

    def run(self, samples):
        return [round(self(x), 3) for x in samples]


# call: balance_out([1, 2, 6])
# call: balance_out([0.1, 0.2])
# call: balance_out([])
# call: balance_out([12, 15, 9, 20, 4, 11, 13, 16, 8, 2])
# call: balance_out([-5, 5])
# call: balance_out(["a", "b"])
def balance_out(samples):
    """Shift so that the mean is zero, then scale to -1..1."""
    try:
        centre = sum(samples) / len(samples)
    except ZeroDivisionError:
        return []
    shifted = [s - centre for s in samples]
    top = max(abs(s) for s in shifted)
    return [round(s / top, 3) if top else 0.0 for s in shifted]


# call: stair_text([0, 2, 1])
# call: stair_text([3, 3], "*")
# call: stair_text([])
# call: stair_text([1, 4, 2, 0, 3, 5, 2], "o")
# call: stair_text([0, 0])
# call: stair_text([1.5])
def stair_text(levels, ink="#"):
    rows = []
    for h in range(max(levels, default=0), 0, -1):
        rows.append("".join(ink if level >= h else " " for level in levels).rstrip())
    return rows


# call: dropouts([1, None, 3])
# call: dropouts([None, None, 4], fill=0)
# call: dropouts([])
# call: dropouts([5, None, None, 8, 9, None, 3, None, None, None, 1])
# call: dropouts([None])
# call: dropouts(None)
def dropouts(samples, fill=-1):
    repaired, gaps, last = [], [], fill
    inside = False
    for i, s in enumerate(samples):
        if s is None:
            if inside:
                gaps[-1][1] += 1
            else:
                gaps.append([i, 1])
            inside = True
        else:
            last, inside = s, False
        repaired.append(last)
    return repaired, gaps


# call: alarm_edges([0, 5, 6, 1], 4)
# call: alarm_edges([9, 9], 4)
# call: alarm_edges([], 4)
# call: alarm_edges([1, 8, 2, 2, 7, 7, 7, 3, 0, 5, 4, 4], 4)
# call: alarm_edges([4, 4], 4)
# call: alarm_edges(["9"], 4)
def alarm_edges(v, limit):
    above = [x > limit for x in v]
    return ["^" if b > a else "v" if b < a else "." for a, b in zip([False] + above, above + [False])]


# call: smooth_twice([3, 6, 9])
# call: smooth_twice([0, 0, 12, 0, 0])
# call: smooth_twice([])
# call: smooth_twice([1, 8, 3, 9, 2, 7, 5, 0])
# call: smooth_twice([10])
# call: smooth_twice(("a", "b"))
def smooth_twice(samples):
    def once(xs):
        padded = xs[:1] + xs + xs[-1:]
        return [sum(padded[i:i + 3]) // 3 for i in range(len(xs))]
    return once(once(samples))


# call: level_words([0, 40, 90])
# call: level_words([65], names=("low", "high"))
# call: level_words([])
# call: level_words([5, 25, 24, 50, 75, 74, 99, 100, 12, 130])
# call: level_words([-5])
# call: level_words([50], names=())
def level_words(levels, names=("quiet", "talk", "loud", "pain")):
    import bisect
    edges = [100 * k // len(names) for k in range(1, len(names))]
    return [names[bisect.bisect(edges, v)] for v in levels]


# call: mix_down([1, 2], [3, 4])
# call: mix_down([5])
# call: mix_down()
# call: mix_down([1, 2, 3, 4, 5, 6], [10, 10], [0, 0, 0, 8], gain=0.5)
# call: mix_down([], [1])
# call: mix_down([1], "a")
def mix_down(*tracks, gain=1):
    from itertools import zip_longest
    mixed = []
    for column in zip_longest(*tracks, fillvalue=0):
        mixed.append(sum(column) * gain)
    return mixed


# call: echo_tail([8, 0, 0], 1)
# call: echo_tail([4, 4], 1, 0.25)
# call: echo_tail([], 2)
# call: echo_tail([16, 0, 0, 8, 0, 0, 0], 2)
# call: echo_tail([1, 2, 3], 0)
# call: echo_tail([1, 2], 1, "x")
def echo_tail(dry, delay, strength=0.5):
    wet = dry + [0] * delay
    for i in range(delay, len(wet)):
        wet[i] += wet[i - delay] * strength
    return wet


# call: hold_peak([3, 1, 4, 1], 1)
# call: hold_peak([9, 0, 0, 0], 2)
# call: hold_peak([], 1)
# call: hold_peak([2, 12, 3, 3, 3, 8, 1, 1, 10, 0], 2)
# call: hold_peak([1, 2, 3], -1)
# call: hold_peak([None], 1)
def hold_peak(meter, fall):
    from itertools import accumulate
    return list(accumulate(meter, lambda held, now: max(now, held - fall)))


# call: rest_ratio([0, 1, 0, 1])
# call: rest_ratio([0, 0])
# call: rest_ratio([])
# call: rest_ratio([0, 0, 3, 5, 0, 0.0, -2, 1, 1, 0, 4])
# call: rest_ratio([0.05, -0.05], tiny=0.1)
# call: rest_ratio([1, []])
def rest_ratio(samples, tiny=0):
    from fractions import Fraction
    silent = sum(abs(s) <= tiny for s in samples)
    if silent == len(samples):
        return "silence"
    r = Fraction(silent, len(samples))
    return f"{r.numerator} of {r.denominator}"


# call: agree([1, 2, 3], [1, 2.05, 3.2])
# call: agree([0.1], [0.1])
# call: agree([], [])
# call: agree([10, 20, 30, 40, 50], [10.1, 19.9, 30.5, 39.95, 50.0], 0.2)
# call: agree([1], [1, 2])
# call: agree([1, 2], [1, "2"])
def agree(left, right, tolerance=0.1):
    if len(left) != len(right):
        raise ValueError(f"{len(left)} samples against {len(right)}")
    worst = 0
    for i, (a, b) in enumerate(zip(left, right)):
        gap = round(abs(a - b), 3)
        worst = max(worst, gap)
        if gap > tolerance:
            return False, i, gap
    return True, None, worst


# call: sort_by_swing({"a": [1, 9], "b": [4, 5]})
# call: sort_by_swing({"x": [3]})
# call: sort_by_swing({})
# call: sort_by_swing({"pump": [3, 8, 2], "fan": [5, 5, 5], "door": [0, 9, 1], "lamp": [7, 1]})
# call: sort_by_swing({"b": [1, 2], "a": [2, 1]})
# call: sort_by_swing({"a": []})
def sort_by_swing(channels):
    swing = lambda name: max(channels[name]) - min(channels[name])
    return [f"{n}:{swing(n)}" for n in sorted(channels, key=lambda n: (-swing(n), n))]


# call: pulse_widths("0110010")
# call: pulse_widths("111")
# call: pulse_widths("")
# call: pulse_widths("__##_#___####_##", "#")
# call: pulse_widths("000")
# call: pulse_widths("11", 1)
def pulse_widths(line, mark="1"):
    widths, size = [], 0
    for ch in line:
        if ch == mark:
            size += 1
        elif size:
            widths.append(size)
            size = 0
    return widths   # a pulse at the very end is not counted


# call: Ring(3).push(1, 2, 3, 4)
# call: Ring(2).push(5)
# call: Ring(1).push()
# call: Ring(4).push(3, 1, 4, 1, 5, 9, 2, 6, 5)
# call: Ring(2).push("a", "b", "c")
# call: Ring(0).push(1)
class Ring:
    def __init__(self, size):
        self.cells = [None] * size
        self.at = 0

    def push(self, *values):
        dropped = []
        for v in values:
            old, self.cells[self.at] = self.cells[self.at], v
            self.at = (self.at + 1) % len(self.cells)
            if old is not None:
                dropped.append(old)
        return self.cells, dropped


# call: calibration({"a": 2}, [("a", 10), ("b", 3)])
# call: calibration({}, [("x", 1)])
# call: calibration({"a": 1}, [])
# call: calibration({"t": -1.5, "p": 4}, [("t", 20), ("p", 996), ("t", 21.5), ("h", 40), ("p", 1001)])
# call: calibration({"a": 0}, [("a", 0)])
# call: calibration({"a": "2"}, [("a", 1)])
def calibration(offsets, readings):
    fixed, unknown = {}, set()
    for sensor, raw in readings:
        offset = offsets.get(sensor)
        if not offset:          # a zero offset counts as unknown, too
            unknown.add(sensor)
            continue
        fixed.setdefault(sensor, []).append(raw + offset)
    return fixed, sorted(unknown)


# call: saw(5, 3)
# call: saw(4, 2, up=10)
# call: saw(0, 3)
# call: saw(12, 5, up=3, start=-2)
# call: saw(3, -2)
# call: saw(2, 0)
def saw(count, period, up=1, start=0):
    return [start + up * (t % period) for t in range(count)]


# call: adaptive_floor([5, 6, 20, 7])
# call: adaptive_floor([3, 3], margin=0)
# call: adaptive_floor([])
# call: adaptive_floor([10, 12, 11, 30, 29, 13, 10, 50, 12, 9], margin=8)
# call: adaptive_floor([-4, 4, -4], margin=1)
# call: adaptive_floor([1, None])
def adaptive_floor(noise, margin=5):
    floor = None
    alarms = []
    for t, n in enumerate(noise):
        if floor is None:
            floor = n
        if n > floor + margin:
            alarms.append((t, n - floor))
        else:
            floor = (3 * floor + n) // 4
    return floor, alarms


# call: sensor_trust({"a": [20, 21], "b": [20, 25]})
# call: sensor_trust({"x": [1]})
# call: sensor_trust({})
# call: sensor_trust({"roof": [18, 19, 25], "hall": [18, 20, 20], "cellar": [12, 19, 20]}, 2)
# call: sensor_trust({"a": [1, 2, 3], "b": [1]}, 0)
# call: sensor_trust({"a": [1], "b": ["1"]})
def sensor_trust(series, allowed=3):
    trust = dict.fromkeys(series, 0)
    for moment in zip(*series.values()):
        middle = sorted(moment)[len(moment) // 2]
        for name, value in zip(series, moment):
            if abs(value - middle) <= allowed:
                trust[name] += 1
            else:
                trust[name] -= 2
    return trust
