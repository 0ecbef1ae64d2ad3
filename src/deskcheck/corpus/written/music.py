# call: transpose(["C", "E", "G"], 2)
# call: transpose(["A"], -3)
# call: transpose([], 5)
# call: transpose(["C", "D", "E", "F", "G", "A", "B", "C"], 14)
# call: transpose(["B"], 1)
# call: transpose(["H"], 1)
SCALE = ["C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B"]


def transpose(notes, steps):
    return [SCALE[(SCALE.index(note) + steps) % 12] for note in notes]


# call: bar_lengths([1, 1, 2, 4], 4)
# call: bar_lengths([0.5, 0.5, 1, 1], 3)
# call: bar_lengths([], 4)
# call: bar_lengths([1, 0.5, 0.5, 2, 1.5, 0.5, 1, 1, 3, 1, 2], 4)
# call: bar_lengths([3, 2], 4)
# call: bar_lengths(["1"], 4)
def bar_lengths(notes, beats):
    bars = [[]]
    filled = 0
    for length in notes:
        if filled + length > beats:
            raise ValueError(f"bar {len(bars)} overflows by {filled + length - beats}")
        bars[-1].append(length)
        filled += length
        if filled == beats:
            bars.append([])
            filled = 0
    if not bars[-1]:
        bars.pop()
    return bars


# call: accents(8, 3)
# call: accents(4)
# call: accents(0)
# call: accents(12, 5, strong="X", weak="-")
# call: accents(3, 7)
# call: accents(4, 0)
def accents(beats, group=4, strong=">", weak="."):
    row = [weak] * beats
    row[::group] = strong * len(row[::group])
    return "".join(row)


# call: interval_name("C", "G")
# call: interval_name("E", "C")
# call: interval_name("C", "C")
# call: interval_name("F", "E")
# call: interval_name("B", "F")
# call: interval_name("X", "C")
INTERVALS = "unison,minor 2nd,2nd,minor 3rd,3rd,4th,tritone,5th,minor 6th,6th,minor 7th,7th".split(",")


def interval_name(low, high):
    places = dict(zip("CDEFGAB", (0, 2, 4, 5, 7, 9, 11)))
    distance = (places[high] - places[low]) % 12
    return INTERVALS[distance]


# call: melody_shape([60, 62, 64, 60])
# call: melody_shape([60, 60])
# call: melody_shape([])
# call: melody_shape([64, 62, 60, 62, 64, 64, 64, 62, 62, 72, 48])
# call: melody_shape([60])
# call: melody_shape([60, "62"])
def melody_shape(pitches):
    shape = ""
    for before, now in zip(pitches, pitches[1:]):
        if now - before > 2:
            shape += "U"
        elif now > before:
            shape += "u"
        elif before - now > 2:
            shape += "D"
        elif now < before:
            shape += "d"
        else:
            shape += "r"
    return shape


# call: setlist_time([("Intro", "1:30"), ("Song", "3:45")])
# call: setlist_time([("One", "0:59")], pause=0)
# call: setlist_time([])
# call: setlist_time([("A", "4:05"), ("B", "3:33"), ("C", "12:00"), ("D", "2:47"), ("E", "5:10")], pause=30)
# call: setlist_time([("Long", "75:00")])
# call: setlist_time([("Bad", "3.45")])
def setlist_time(songs, pause=15):
    seconds = 0
    for _, length in songs:
        m, s = length.split(":")
        seconds += int(m) * 60 + int(s)
    seconds += pause * (len(songs) - 1)
    minutes, seconds = divmod(seconds, 60)
    return f"{minutes}:{seconds:02d}"


# call: canon(["do", "re", "mi"], 1)
# call: canon(["do", "re", "mi", "fa"], 2)
# call: canon([], 1)
# call: canon(["do", "re", "mi", "do", "mi", "fa", "sol"], 2, voices=3)
# call: canon(["do"], 0)
# call: canon(["do"], None)
from itertools import zip_longest


def canon(tune, delay, voices=2):
    parts = []
    for v in range(voices):
        parts.append(["-"] * (v * delay) + tune)
    return [" ".join(chord) for chord in zip_longest(*parts, fillvalue="-")]


# call: note_frequency("A", 4)
# call: note_frequency("C", 4)
# call: note_frequency("A", 0)
# call: note_frequency("F#", 7)
# call: note_frequency("B", -1, tuning=432)
# call: note_frequency("Q", 1)
def note_frequency(name, octave, tuning=440):
    steps = {"C": -9, "D": -7, "E": -5, "F": -4, "G": -2, "A": 0, "B": 2}
    step = steps[name[0]] + name.count("#") - name.count("b")
    step += (octave - 4) * 12
    return round(tuning * 2 ** (step / 12), 2)


# call: Metronome(120).beat_times(4)
# call: Metronome(60, swing=0.2).beat_times(5)
# call: Metronome(100).beat_times(0)
# call: Metronome(90, swing=0.1).faster(30).beat_times(8)
# call: Metronome(240).faster(-500).beat_times(2)
# call: Metronome(0).beat_times(1)
class Metronome:
    def __init__(self, bpm, swing=0.0):
        self.bpm = bpm
        self.swing = swing

    @property
    def step(self):
        return 60 / self.bpm

    def faster(self, amount):
        self.bpm = max(20, self.bpm + amount)
        return self

    def beat_times(self, count):
        times = []
        for n in range(count):
            late = self.swing * self.step if n % 2 else 0
            times.append(round(n * self.step + late, 3))
        return times


# call: parse_rhythm("q q h")
# call: parse_rhythm("e e q. e")
# call: parse_rhythm("")
# call: parse_rhythm("w h. q q. e e e s s s s h")
# call: parse_rhythm("q..")
# call: parse_rhythm("q x")
from fractions import Fraction


def parse_rhythm(text):
    values = {"w": 4, "h": 2, "q": 1, "e": Fraction(1, 2), "s": Fraction(1, 4)}
    total = Fraction(0)
    for sign in text.split():
        length = extra = Fraction(values[sign[0]])
        for dot in sign[1:]:
            extra /= 2
            length += extra
        total += length
    return f"{total} beats, {total % 4} over"


# call: loop_until(["a", "b", "c"], 5)
# call: loop_until(["x"], 3)
# call: loop_until([], 2)
# call: loop_until(["kick", "hat", "snare", "hat"], 11, fill="crash")
# call: loop_until(["a", "b"], 0)
# call: loop_until(["a", "b"], -1)
from itertools import cycle, islice


def loop_until(pattern, beats, fill=None):
    played = list(islice(cycle(pattern), beats))
    if fill is not None and played:
        played[-1] = fill
    return played


# call: lyric_grid("la le lu", [1, 2, 1])
# call: lyric_grid("one two", [1, 1])
# call: lyric_grid("", [])
# call: lyric_grid("row row row your boat gent ly down", [2, 1, 1, 3, 2, 1, 1, 4])
# call: lyric_grid("too many words here", [1, 2])
# call: lyric_grid("a b", ["1", 2])
def lyric_grid(words, beats):
    grid = []
    for word, length in zip(words.split(), beats):
        grid.append(word + "_" * (length - 1))
    return "|".join(grid)


# call: repeat_signs("|: a b :| c")
# call: repeat_signs("a b c")
# call: repeat_signs("")
# call: repeat_signs("intro |: verse chorus :| bridge |: outro fade :| end")
# call: repeat_signs("a :| b")
# call: repeat_signs(["|:", "a"])
def repeat_signs(score):
    played, section = [], []
    for token in score.split():
        if token == "|:":
            played += section
            section = []
        elif token == ":|":
            played += section * 2
            section.clear()
        else:
            section.append(token)
    return played + section


# call: tuning_cents(440, 442)
# call: tuning_cents(261.63, 261.63)
# call: tuning_cents(1, 1)
# call: tuning_cents(440, 987.77)
# call: tuning_cents(440, 430)
# call: tuning_cents(440, 0)
import math


def tuning_cents(wanted, heard):
    cents = 1200 * math.log2(heard / wanted)
    octaves = int(cents // 1200)
    rest = cents - octaves * 1200
    word = "sharp" if cents > 1 else "flat" if cents < -1 else "in tune"
    return f"{word} {cents:+.1f}", octaves, round(rest)


# call: practice_plan({"scales": 10, "etude": 20}, 25)
# call: practice_plan({"song": 30}, 30)
# call: practice_plan({}, 10)
# call: practice_plan({"scales": 15, "chords": 10, "etude": 25, "sight": 5, "song": 40, "rest": 5}, 60)
# call: practice_plan({"a": 50, "b": 5}, 20)
# call: practice_plan({"a": "5"}, 20)
def practice_plan(wishes, minutes):
    plan, postponed = [], []
    for name, wish in wishes.items():
        if minutes <= 0:
            postponed.append(name)
            continue
        given = min(wish, minutes)
        minutes -= given
        plan.append(f"{name} {given}'" + ("*" if given < wish else ""))
    return plan, postponed, minutes


# call: syncopated("x..x..x.")
# call: syncopated("x.x.x.x.")
# call: syncopated("")
# call: syncopated("x.xx.x.xx..x.xx.", beat=4)
# call: syncopated("........")
# call: syncopated([1, 0, "x"])
def syncopated(rhythm, beat=2):
    on = sum(1 for i, hit in enumerate(rhythm) if hit == "x" and i % beat == 0)
    off = rhythm.count("x") - on
    if not on + off:
        return "silent"
    return f"{on} on, {off} off ({100 * off // (on + off)}%)"


# call: dynamics("pp p mf f")
# call: dynamics("f p")
# call: dynamics("")
# call: dynamics("ppp p mp mf ff fff mp p pp f")
# call: dynamics("mf mf")
# call: dynamics("mf loud")
def dynamics(marks):
    ladder = ["ppp", "pp", "p", "mp", "mf", "f", "ff", "fff"]
    levels = [ladder.index(m) for m in marks.split()]
    steps = [b - a for a, b in zip(levels, levels[1:])]
    louder = max(steps, default=0)
    softer = min(steps, default=0)
    return dict(louder=louder, softer=softer, end=ladder[levels[-1]] if levels else None)


# call: fret_notes("E", 4)
# call: fret_notes("A", 2, skip=2)
# call: fret_notes("D", 0)
# call: fret_notes("G", 12, skip=3)
# call: fret_notes("B", 3, skip=-1)
# call: fret_notes("e", 3)
def fret_notes(string, frets, skip=1):
    tones = "C C# D D# E F F# G G# A A# B".split()
    start = tones.index(string)
    ring = tones[start:] + tones[:start]
    return (ring + ring)[: frets + 1 : skip]


# call: Song("Rain", 3).rate(5).rate(4).text()
# call: Song("Sun").rate(1).text()
# call: Song("").text()
# call: Song("Wind", 12).rate(5).rate(2).rate(3).rate(5).rate(4).rate(1).text()
# call: Song("Snow").rate(0).text()
# call: Song("Fog").rate(6).text()
from dataclasses import dataclass, field


@dataclass
class Song:
    title: str
    plays: int = 0
    stars: list = field(default_factory=list)

    def rate(self, stars):
        if not 0 <= stars <= 5:
            raise ValueError(f"{stars} stars")
        self.stars.append(stars)
        self.plays += 1
        return self

    def text(self):
        mean = sum(self.stars) / len(self.stars) if self.stars else 0
        return f"{self.title or 'untitled'} {'*' * round(mean):-<5} {self.plays}"


# call: bpm_from_taps([0, 0.5, 1.0, 1.5])
# call: bpm_from_taps([1, 2])
# call: bpm_from_taps([])
# call: bpm_from_taps([0, 0.48, 0.99, 1.52, 2.0, 2.47, 3.01, 3.5])
# call: bpm_from_taps([2, 2])
# call: bpm_from_taps([0, "1"])
from statistics import mean, median


def bpm_from_taps(taps):
    gaps = [b - a for a, b in zip(taps, taps[1:])]
    if not gaps:
        return None
    return round(60 / mean(gaps)), round(60 / median(gaps), 1)


# call: drum_tracks({"k": "x...", "s": "..x."})
# call: drum_tracks({"h": "x.x."})
# call: drum_tracks({})
# call: drum_tracks({"kick": "x..x..x.", "snare": "..x...x.", "hat": "xxxxxxxx", "bell": "......."})
# call: drum_tracks({"k": "x", "s": ".x.x"})
# call: drum_tracks({"k": 5})
def drum_tracks(tracks):
    steps = []
    for hits in zip(*tracks.values()):
        names = [name for name, hit in zip(tracks, hits) if hit == "x"]
        steps.append("+".join(names) or "-")
    return steps


# call: resolve("dominant")
# call: resolve("tonic", 2)
# call: resolve("tonic", 0)
# call: resolve("leading", 6)
# call: resolve("tritone")
# call: resolve("tonic", "2")
PULL = {"tonic": "subdominant", "subdominant": "dominant", "dominant": "tonic", "leading": "tonic"}


def resolve(chord, times=3):
    chain = [chord]
    while times > 0:
        times -= 1
        if chord not in PULL:
            chain.append("stays")
            break
        chord = PULL[chord]
        chain.append(chord)
    else:
        chain.append("end")
    return " > ".join(chain)


# call: stack_chord("C", "43")
# call: stack_chord("A", "34")
# call: stack_chord("G", "")
# call: stack_chord("F#", "4343", lowest=2)
# call: stack_chord("B", "33", lowest=-1)
# call: stack_chord("H", "43")
TONES = "C C# D D# E F F# G G# A A# B".split()


def stack_chord(root, thirds, lowest=0):
    tone = TONES.index(root)
    chord = [root]
    for step in thirds:
        tone += int(step)
        octave, place = divmod(tone, 12)
        chord.append(TONES[place] + "'" * octave)
    bass = chord[lowest]
    return f"{'-'.join(chord)}/{bass}" if lowest else "-".join(chord)


# call: radio_hour(["a", "b"], ["c"])
# call: radio_hour(["a"], ["a", "b"])
# call: radio_hour([], [])
# call: radio_hour(["a", "b", "c", "d"], ["x", "b", "y"], slots=9)
# call: radio_hour([None, "a"], ["b"])
# call: radio_hour(["a"], 5)
def radio_hour(hits, jingles, slots=6):
    """A jingle follows each second song; both lists start again when they end."""
    program = []
    song = jingle = 0
    while len(program) < slots and hits:
        if jingles and len(program) % 3 == 2:
            program.append(jingles[jingle % len(jingles)].upper())
            jingle += 1
        else:
            program.append(hits[song % len(hits)])
            song += 1
    return program, song // max(1, len(hits))


# call: step_pattern("WWHWWWH", "C")
# call: step_pattern("WHWWHWW", "A")
# call: step_pattern("", "D")
# call: step_pattern("WHWHWHWHWWHW", "F")
# call: step_pattern("AA", "B")
# call: step_pattern("WX", "C")
from itertools import accumulate


def step_pattern(steps, start, tones=("C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B")):
    sizes = {"H": 1, "W": 2, "A": 3}
    places = accumulate((sizes[s] for s in steps), initial=tones.index(start))
    return " ".join(tones[p % 12] for p in places)


# call: key_signature(2)
# call: key_signature(-3)
# call: key_signature(0)
# call: key_signature(7)
# call: key_signature(-8)
# call: key_signature(1.5)
def key_signature(count):
    order = "FCGDAEB"
    if count >= 0:
        marks = [note + "#" for note in order[:count]]
    else:
        marks = [note + "b" for note in order[::-1][:-count]]
    changed = {mark[0] for mark in marks}
    return marks, "".join(n for n in "ABCDEFG" if n not in changed)


# call: quantize([0.1, 0.52, 0.98], 0.25)
# call: quantize([1.3], 0.5)
# call: quantize([], 1)
# call: quantize([0.02, 0.27, 0.49, 0.77, 1.01, 1.13, 1.6, 1.88, 2.125, 2.375], 0.25)
# call: quantize([0.5, 1.5], 1)
# call: quantize([1.0], 0)
def quantize(times, grid):
    fixed = []
    drift = 0.0
    for t in times:
        slot = round(t / grid)
        drift += t - slot * grid
        if fixed and fixed[-1] == slot * grid:
            continue
        fixed.append(slot * grid)
    return fixed, round(drift, 3)


# call: choir_seats(["sop", "alt", "sop", "bas"])
# call: choir_seats(["ten"])
# call: choir_seats([])
# call: choir_seats(["bas", "sop", "ten", "alt", "alt", "sop", "bas", "ten", "sop", "bas"], per_row=4)
# call: choir_seats(["alt", "alt", "alt", "alt"], per_row=1)
# call: choir_seats(["sop", "kid"])
def choir_seats(voices, per_row=3):
    rank = {v: i for i, v in enumerate(("sop", "alt", "ten", "bas"))}
    seats = {}
    for n, voice in enumerate(sorted(voices, key=rank.__getitem__)):
        row, place = divmod(n, per_row)
        seats[row + 1, "abcdef"[place]] = voice
    return seats


# call: Sequencer(4).on(1).on(3).pattern(8)
# call: Sequencer(3).on(0).pattern(5)
# call: Sequencer(1).pattern(2)
# call: Sequencer(5).on(0).on(2).off(0).on(4).on(7).shift(1).pattern(10)
# call: Sequencer(4).on(1).off(2).pattern(4)
# call: Sequencer(0).on(1).pattern(1)
class Sequencer:
    def __init__(self, size):
        self.size = size
        self.active = set()

    def on(self, step):
        self.active.add(step % self.size)
        return self

    def off(self, step):
        self.active.discard(step)
        return self

    def shift(self, by):
        self.active = {(step + by) % self.size for step in self.active}
        return self

    def pattern(self, length):
        return "".join("#" if n % self.size in self.active else "." for n in range(length))


# call: riff_count("abcabcab", "abc")
# call: riff_count("aaaa", "aa")
# call: riff_count("", "a")
# call: riff_count("c d e c d e c d g c d", "c d")
# call: riff_count("abc", "")
# call: riff_count("abc", 5)
def riff_count(tune, riff):
    apart = tune.count(riff)
    overlapping = 0
    at = tune.find(riff)
    while at != -1 and overlapping < 20:
        overlapping += 1
        at = tune.find(riff, at + 1)
    return apart, overlapping


# call: swing_pairs([1, 1, 1, 1])
# call: swing_pairs([2, 2], ratio=3)
# call: swing_pairs([])
# call: swing_pairs([1, 1, 2, 2, 0.5, 0.5, 1, 1, 3])
# call: swing_pairs([1, 2])
# call: swing_pairs([1, 1], ratio=-1)
def swing_pairs(lengths, ratio=2):
    swung = lengths.copy()
    for i in range(0, len(lengths) - 1, 2):
        both = lengths[i] + lengths[i + 1]
        swung[i] = round(both * ratio / (ratio + 1), 3)
        swung[i + 1] = round(both - swung[i], 3)
    return swung


# call: best_octave([40, 45, 50], 60, 72)
# call: best_octave([61], 60, 72)
# call: best_octave([], 0, 10)
# call: best_octave([36, 40, 43, 48, 52, 55, 60], 55, 80)
# call: best_octave([10, 90], 60, 72)
# call: best_octave([1], 5, "9")
def best_octave(notes, low, high):
    best, most = 0, -1
    for octave in range(-3, 4):
        fits = sum(low <= n + 12 * octave <= high for n in notes)
        if fits > most:
            best, most = octave, fits
    return best, [n + 12 * best for n in notes]


# call: band_split(500, "Ann", "Bob")
# call: band_split(100, "Ann", "Bob", "Cy")
# call: band_split(0, "Ann")
# call: band_split(1234, "Ann", "Bob", "Cy", "Dee", manager=15, van=80)
# call: band_split(50, "Ann", van=80)
# call: band_split(100)
def band_split(fee, *members, manager=10, van=0):
    left = fee - fee * manager // 100 - van
    if left < 0:
        return f"{-left} short"
    share, rest = divmod(left, len(members))
    pay = dict.fromkeys(members, share)
    for lucky in members[:rest]:
        pay[lucky] += 1
    return pay


# call: tab_line({0: "3", 4: "5"}, 8)
# call: tab_line({2: "12"}, 6)
# call: tab_line({}, 3)
# call: tab_line({0: "0", 2: "2", 3: "h", 4: "4", 9: "10", 11: "7", 14: "x"}, 16)
# call: tab_line({7: "1"}, 4)
# call: tab_line({"0": "1"}, 4)
def tab_line(frets, width):
    line = ["-"] * width
    for at, fret in frets.items():
        line[at:at + len(fret)] = fret
    return "|" + "".join(line) + "|"


# call: rounds_of_song(["verse", "chorus"], 2)
# call: rounds_of_song(["a"], 1, ending="coda")
# call: rounds_of_song([], 3)
# call: rounds_of_song(["v1", "c", "v2", "c", "solo"], 2, ending="out", skip={"solo"})
# call: rounds_of_song(["x", "y"], 0)
# call: rounds_of_song("ab", 2, skip="b")
def rounds_of_song(parts, times, ending=None, skip=()):
    order = []
    for r in range(times):
        last = r == times - 1
        order += [p for p in parts if not (last and p in skip)]
    if ending:
        order.append(ending)
    return order, {p: order.count(p) for p in order}


# call: pedal_log([("down", 1), ("up", 3), ("down", 4), ("up", 9)])
# call: pedal_log([("down", 0), ("up", 2)])
# call: pedal_log([])
# call: pedal_log([("up", 0), ("down", 1), ("down", 2), ("up", 5), ("half", 6), ("down", 7), ("up", 7.5)])
# call: pedal_log([("down", 3)])
# call: pedal_log([("down", 1), ("up", "2")])
def pedal_log(events):
    held, since = 0, None
    for action, time in events:
        if action == "down" and since is None:
            since = time
        elif action == "up" and since is not None:
            held += time - since
            since = None
    return held if since is None else f"{held} and still down since {since}"


# call: harmonics(110, 4)
# call: harmonics(440, 1)
# call: harmonics(50, 0)
# call: harmonics(65.4, 8, limit=450)
# call: harmonics(0, 3)
# call: harmonics("A", 2)
def overtone(base, number):
    while True:
        yield number, base * number
        number += 1


def harmonics(base, count, limit=2000):
    series = {}
    for number, pitch in overtone(base, 1):
        if number > count or pitch > limit:
            break
        series[number] = round(pitch, 1)
    return series


# call: compare_takes({"a": 3, "b": 5}, {"a": 4, "b": 4})
# call: compare_takes({"intro": 1}, {"intro": 1})
# call: compare_takes({}, {})
# call: compare_takes({"intro": 4, "verse": 3, "chorus": 5, "solo": 2}, {"intro": 4, "verse": 5, "solo": 5, "outro": 1})
# call: compare_takes({"a": 5}, {"b": 5})
# call: compare_takes({"a": 3}, {"a": None})
def compare_takes(first, second):
    verdict = []
    for part in first | second:
        one, two = first.get(part, 0), second.get(part, 0)
        sign = "=" if one == two else "12"[two > one]
        verdict.append(part + sign)
    winner = "2" if sum(second.values()) > sum(first.values()) else "1"
    return verdict, winner


# call: count_in(3)
# call: count_in(4, "and")
# call: count_in(0)
# call: count_in(6, "e", "and", "a")
# call: count_in(1)
# call: count_in("2")
def count_in(beats, *between):
    names = ["one", "two", "three", "four", "five", "six"]
    return " ".join(word for beat in range(beats) for word in (names[beat], *between))


# call: clip_volume([10, 120, -5, 60])
# call: clip_volume([50], gain=3)
# call: clip_volume([])
# call: clip_volume([0, 15, 30, 45, 60, 75, 90, 105], gain=1.5, top=100)
# call: clip_volume([1, 2], gain=-1)
# call: clip_volume([1, "loud"])
def clip_volume(levels, gain=1, top=100):
    clipped = 0

    def louder(level):
        nonlocal clipped
        level = level * gain
        if level > top or level < 0:
            clipped += 1
        return min(max(level, 0), top)

    return [louder(level) for level in levels], clipped


# call: tempo_marks([60, 90, 130])
# call: tempo_marks([200])
# call: tempo_marks([])
# call: tempo_marks([40, 59, 60, 75, 76, 107, 108, 120, 168, 208, 300])
# call: tempo_marks([0, -4])
# call: tempo_marks([100, "fast"])
from bisect import bisect

LIMITS = [60, 76, 108, 120, 168]
WORDS = ["Largo", "Adagio", "Andante", "Moderato", "Allegro", "Presto"]


def tempo_marks(tempi):
    marks = []
    for bpm in tempi:
        word = WORDS[bisect(LIMITS, bpm)]
        if not marks or marks[-1] != word:
            marks.append(word)
    return marks


# call: tie_notes([("C", 1), ("C", 1), ("D", 2)])
# call: tie_notes([("C", 1), ("R", 1)])
# call: tie_notes([])
# call: tie_notes([("C", 1), ("C", 2), ("E", 1), ("R", 1), ("R", 2), ("E", 1), ("E", 0.5), ("E", 0.5), ("C", 4)])
# call: tie_notes([("R", 1), ("R", 1)])
# call: tie_notes([("C", 1), ("C", None)])
from itertools import groupby
from operator import itemgetter


def tie_notes(notes):
    tied = []
    for pitch, run in groupby(notes, key=itemgetter(0)):
        lengths = [length for _, length in run]
        if pitch == "R":
            tied += [("R", length) for length in lengths]
        else:
            tied.append((pitch, sum(lengths)))
    return tied


# call: Pitch(60).up(7).name()
# call: Pitch(61).up(-2).name()
# call: Pitch(0).name()
# call: Pitch(72).up(5).up(14).up(-31).name(flats=True)
# call: Pitch(60).up(70).name()
# call: Pitch("C").up(1).name()
class Pitch:
    low, high = 0, 127

    def __init__(self, number):
        self.number = number

    def up(self, steps):
        wanted = self.number + steps
        while wanted > self.high:
            wanted -= 12
        while wanted < self.low:
            wanted += 12
        return type(self)(wanted)

    def name(self, flats=False):
        octave, tone = divmod(self.number, 12)
        names = "C Db D Eb E F Gb G Ab A Bb B" if flats else "C C# D D# E F F# G G# A A# B"
        return names.split()[tone] + str(octave - 1)


# call: shared_staff(["C", "E"], "G")
# call: shared_staff([], "A")
# call: shared_staff([], "")
# call: shared_staff(["C", "D", "E", "F", "G", "A"], "B", 3)
# call: shared_staff(["C"], "C", 0)
# call: shared_staff(None, "C")
def shared_staff(staff, note, copies=2):
    system = [staff] * copies + [staff[:]]
    system[0].append(note)
    system[-1].insert(0, "clef")
    if copies:
        del system[0][0]
    return system, sum(line is staff for line in system)


# call: dance_steps("slow quick quick", 4)
# call: dance_steps("quick quick", 2)
# call: dance_steps("", 3)
# call: dance_steps("slow slow quick quick hold slow quick quick turn quick", 4)
# call: dance_steps("hold", 1)
# call: dance_steps("jump", 4)
def dance_steps(words, beats):
    lengths = dict(slow=2, quick=1, hold=beats)
    foot, clock, moves = "L", 0, []
    for word in words.split():
        if word == "turn":
            foot = "R" if foot == "L" else "L"
            continue
        moves.append(f"{clock % beats + 1}{foot if word != 'hold' else '-'}")
        clock += lengths[word]
        foot = "LR"[foot == "L"]
    return moves, divmod(clock, beats)


# call: echo_notes(["C", "G"], 2)
# call: echo_notes(["A"], 3, fade=2)
# call: echo_notes([], 2)
# call: echo_notes(["C", "E", "G", "B", "D"], 2, fade=3)
# call: echo_notes(["C"], 0)
# call: echo_notes(["C", "D"], 1, fade=0)
def echo_notes(notes, times, fade=3):
    loud = 9
    heard = []
    for step in range(times + 1):
        if loud <= 0:
            break
        heard.extend(f"{note}{loud}" for note in notes)
        loud //= fade
    return heard


# call: cue_sheet([("doors", 19.5), ("band", 21)])
# call: cue_sheet([("x", 0.25)])
# call: cue_sheet([])
# call: cue_sheet([("doors", 18.75), ("opener", 19.5), ("break", 20.1), ("band", 20.5), ("encore", 22.999), ("close", 24.5)])
# call: cue_sheet([("late", 23.99), ("next", 25), ("early", 3)])
# call: cue_sheet([("bad", "20")])
def cue_sheet(cues):
    lines = []
    before = None
    for name, hour in cues:
        h, m = int(hour), round(hour % 1 * 60)
        if m == 60:
            h, m = h + 1, 0
        day = "+1" if h >= 24 else ""
        warn = "!" if before is not None and hour < before else ""
        before = hour
        lines.append("%02d:%02d%s %s%s" % (h % 24, m, day, name, warn))
    return lines


# call: drop_beats("one two three four", 2)
# call: drop_beats("do re mi fa sol la", 3)
# call: drop_beats("", 1)
# call: drop_beats("tick tock tick tock boom tick tock tick tock boom", 5)
# call: drop_beats("a b c", 1)
# call: drop_beats("a b c", 0)
def drop_beats(words, every):
    beats = words.split()
    dropped = beats[every - 1::every]
    del beats[every - 1::every]
    return " ".join(beats), dropped


# call: voice_leading([60, 64, 67], [60, 65, 69])
# call: voice_leading([48], [60])
# call: voice_leading([], [])
# call: voice_leading([48, 55, 64, 71, 74], [50, 53, 65, 72, 69])
# call: voice_leading([60, 64], [67, 55])
# call: voice_leading([60, 64], [60, None])
def voice_leading(before, after):
    moves = [b - a for a, b in zip(before, after)]
    warnings = []
    for i, move in enumerate(moves):
        if abs(move) > 7:
            warnings.append(f"voice {i + 1} leaps {move:+}")
        if i and after[i] < after[i - 1]:
            warnings.append(f"voices {i} and {i + 1} cross")
    return warnings or f"smooth, {sum(map(abs, moves))} steps"


# call: arpeggio(["C", "E", "G"], 7)
# call: arpeggio(["A", "C"], 4)
# call: arpeggio([], 3)
# call: arpeggio(["C", "E", "G", "B", "D"], 14, "down")
# call: arpeggio(["F"], 3)
# call: arpeggio(["C", "E"], 3, "sideways")
from itertools import islice


def up_and_down(chord):
    while chord:
        yield from chord
        yield from chord[-2:0:-1]


def arpeggio(chord, beats, way="up"):
    if way not in ("up", "down"):
        raise ValueError(f"cannot play {way}")
    row = chord if way == "up" else chord[::-1]
    return " ".join(islice(up_and_down(row), beats))


# call: Tempo("andante", 80).rank([("largo", 50), ("allegro", 130)])
# call: Tempo("a", 60).rank([("b", 60)])
# call: Tempo("", 0).rank([])
# call: Tempo("vivace", 160).rank([("presto", 180), ("adagio", 70), ("allegro", 130), ("largo", 45), ("presto", 200)])
# call: Tempo("slow", -1).rank([("slower", -2)])
# call: Tempo("slow", 40).rank([("fast", "120")])
class Tempo:
    def __init__(self, word, bpm):
        self.word, self.bpm = word, bpm

    def __lt__(self, other):
        return self.bpm < other.bpm

    def __sub__(self, other):
        return self.bpm - other.bpm

    def __repr__(self):
        return f"{self.word}={self.bpm}"

    def rank(self, others):
        tempi = sorted([self, *(Tempo(*o) for o in others)], reverse=True)
        return repr(tempi), tempi[0] - tempi[-1], tempi.index(self) + 1


# call: duets(["ann", "bob", "cy"], ["flute", "harp"])
# call: duets(["ann", "bob"], ["oboe"], banned=[("ann", "oboe")])
# call: duets([], ["drum"])
# call: duets(["a", "b", "c"], ["x", "y", "z"], banned=[("a", "x"), ("b", "z"), ("c", "y"), ("c", "x")])
# call: duets(["ann"], [])
# call: duets(["ann"], None)
from itertools import product


def duets(players, instruments, banned=()):
    able = {p: "" for p in players}
    for player, instrument in product(players, instruments):
        if (player, instrument) not in banned:
            able[player] += instrument[0]
    pairs = [f"{a}+{b}" for a, b in product(able, repeat=2) if a < b and set(able[a]) != set(able[b])]
    return able, pairs


# call: print_score({"flute": "c d e", "harp": "g g"})
# call: print_score({"drum": "x"})
# call: print_score({})
# call: print_score({"flute": "c d e f g a", "viola": "e", "tuba": "c - g - c -", "harp": ""}, width=3)
# call: print_score({"a": "toolong b"}, width=2)
# call: print_score({"a": ["c"]})
def print_score(parts: dict, width: int = 2) -> list:
    lines = []
    for name, notes in parts.items():
        cells = [note.ljust(width) for note in notes.split()]
        line = f"{name[:5]:>5} |{''.join(cells)}|"
        print(line)
        lines.append(len(line))
    return lines


# call: practice_timer([("scales", 5), ("song", 12)])
# call: practice_timer([("song", 30)])
# call: practice_timer([])
# call: practice_timer([("scales", 10), ("etude", 25), ("", 3), ("song", 0), ("jam", -5), ("coda", 8)])
# call: practice_timer([("nap", 100)])
# call: practice_timer([("song",)])
class TooTired(Exception):
    def __init__(self, minutes):
        super().__init__(f"after {minutes} minutes")
        self.minutes = minutes


def practice_timer(plan, patience=60):
    done, total = [], 0
    try:
        for name, minutes in plan:
            if minutes <= 0:
                continue
            if total + minutes > patience:
                raise TooTired(total)
            total += minutes
            done.append(name or "free")
    except TooTired as tired:
        done.append(str(tired))
    else:
        done.append("applause")
    finally:
        total += 1
    return done, total
