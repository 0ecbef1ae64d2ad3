"""Steps of three programs of `long` and their looped forms, from all over their runs and beyond them.

    scattered("collatz", Random(1), "sub", most=24) -> [Example ...]     questions of a layout, with one head

A run that is started in the middle (other constants in the first lines, a loop that begins later) takes the
same steps as the program itself, so its steps are shown with the program's own code; steps of the lines that
were changed are left out. So every number of digits, every carry and every end of a loop comes up as often as
is wanted, not as often as in runs from the start.

An item of `long` is a program and an input. `side` says what an input is for, by a hash of it: half of them
are for training, a quarter for development, a quarter for evaluation; inputs that the benchmark dials are
always for evaluation. No argument of a training example, nor of a run that it was taken from, is on another
side.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Iterator
from functools import cache
from random import Random
from typing import Any

from msgspec import Struct

from deskcheck import plugins
from deskcheck.benchmarks import long
from deskcheck.corpus.long_programs import DEFAULT_STEPS, PROGRAMS, dial
from deskcheck.records import Example, Limits, Program, Trace
from deskcheck.representations.line_1 import LAYOUT as LINE_1
from deskcheck.states.steps import head
from deskcheck.states.steps import run_of as run_of_trace
from deskcheck.tracing.program import make_program
from deskcheck.tracing.run import trace_program
from deskcheck.training.traces import granularity_of

TRAINING, DEVELOPMENT, EVALUATION = "training", "development", "evaluation"
BEGINNING = 6
"""Steps of a run that are a kind of their own: a chain meets them once, and is lost if one is wrong."""
REPORTED_STEPS = (*DEFAULT_STEPS, 15_000)
MODULUS = 1_000_003
"""Of looped Fibonacci."""


class Start(Struct, frozen=True):
    """One run that begins somewhere."""

    n: int
    changes: tuple[tuple[str, str], ...]
    """Lines of the source that are replaced."""
    most: int = 120
    """Steps of the run that are looked at."""
    alike: str = ""
    """In a state with this pattern, replaced lines do what the program's own do: their steps are kept."""


class Alone(Struct, frozen=True):
    """Lines whose steps are drawn with nothing between them.

    Whether two numbers are equal, or how often a divisor goes into a sum, is learned when it is met often,
    side by side, and hardly at all when it is met now and then.
    """

    lines: tuple[int, ...]
    start: Callable[[Random], Start]
    share: float = 0.25
    """Of the draws of the chain."""


class Chain(Struct, frozen=True):
    """A program whose steps are learned."""

    source: str
    start: Callable[[Random], Start]
    """A run that begins anywhere."""
    inputs: range
    """Arguments of whole runs."""
    size: Callable[[str], str]
    """State as text -> what makes a step of one line harder than another: digits, a place in a list."""
    alone: tuple[Alone, ...] = ()
    """Ends of loops, where two numbers are equal; a remainder of large numbers."""
    heavy: tuple[int, ...] = ()
    """Lines that compute something: their steps are drawn three times as often."""


def _number(random: Random, digits: int) -> int:
    """Every length up to `digits` alike."""
    length = random.randint(1, digits)
    return random.randint(10 ** (length - 1) if length > 1 else 0, 10**length - 1)


def _result(source: str, n: int) -> object:
    """What the program returns: for most of the looped ones, the total with which round n begins."""
    names: dict[str, Any] = {}
    exec(source, names)
    return names["f"](n)


def _below(random: Random, *limits: int) -> int:
    """A number below one of the limits, each as likely."""
    return random.randrange(random.choice(limits))


def _rounds(random: Random) -> int:
    """Rounds after the first one. A run ends where two numbers are equal: seldom met unless it is drawn.

    Many of the others end alike (13 and 33): models that looked at the last digit alone stopped there.
    """
    tens = 10 * random.randint(1, 12)
    return random.choice((0, 0, 0, 1, 1, 2, 9, tens, tens, _below(random, 30, 300, 1000)))


def _digits(name: str) -> Callable[[str], str]:
    """How many digits that variable has."""

    def size(state: str) -> str:
        found = re.search(rf"\b{name}=(\d+)", state)
        return str(len(found[1])) if found else ""

    return size


def _counted(state: str) -> str:
    """The counter: the place in the list and what is there, and whether the count is near its end."""
    at, count, end = (re.search(rf"\b{name}=(\d+)", state) for name in ("i", "count", "n"))
    bits = re.search(r"bits=\[(.*?)\]", state)
    left = min(int(end[1]) - int(count[1]), 2) if end and count else ""
    if not at or not bits:
        return f":{left}"
    rest = bits[1].split(", ")[int(at[1]) :] if bits[1] else []
    return f"{at[1]}:{rest[0] if rest else ''}:{min(len(rest), 3)}:{left}"


def _nines(state: str) -> str:
    """Looped Collatz: digits of n, and how far a one more carries through the total."""
    total = re.search(r"\btotal=(\d+)", state)
    digits = _digits("n")(state)
    return f"{digits}:{len(total[1]) - len(total[1].rstrip('9'))}" if total else digits


def _sums(state: str) -> str:
    """Looped Fibonacci: digits of a and b, and whether a round is the first of its start.

    At its remainder: how often the divisor goes into the sum.
    """
    total, a = (re.search(rf"\b{name}=(\d+)", state) for name in ("total", "a"))
    if state.startswith("@10") and total and a:
        return f"{len(a[1])}:{(int(total[1]) + int(a[1])) // MODULUS}"
    is_first = not re.search(r"\bi=[1-9]", state)
    return f"{_digits('a')(state)}:{_digits('b')(state)}:{is_first}"


def _collatz(random: Random) -> Start:
    near = random.random() < 0.25  # its end is near: `return steps` with every number of digits
    n = random.choice((1, 2, 3, 4, 5, 6, 8, 10, 12, 13, 16)) if near else 1 + _number(random, 7)
    return Start(n, (("steps = 0", f"steps = {_below(random, 30, 120, 400)}"),), random.choice((20, 60)))


def _collatz_many(random: Random) -> Start:
    source = PROGRAMS["collatz"].many
    first = 1 + _below(random, 10, 100, 300)
    total = _result(source, first - 1) if random.random() < 0.5 else _number(random, 5)
    if random.random() < 0.3:  # a carry is near
        total = max(0, random.randint(1, 99) * 10 ** random.randint(1, 4) - random.randint(1, 12))
    changes = [
        ("    total = 0", f"    total = {total}"),
        ("range(1, count + 1)", f"range({first}, count + 1)"),
    ]
    if random.random() < 0.5:
        changes.append(("        n = start", "        n = 1"))  # no round runs: one end after the other
    return Start(first + _rounds(random), tuple(changes), random.choice((60, 240)))


def _counter(random: Random) -> Start:
    length = max(random.randint(0, 11), random.randint(0, 11))  # long lists have more places to tell apart
    ones = random.randint(0, length)  # a carry of every length
    text = "".join(random.choice("01") for _ in range(length - ones)) + "1" * ones
    bits = [int(bit) for bit in reversed(text.lstrip("0"))]
    # Half of the counts are not what the list says: else the end is told by the list, learned by heart.
    count = int(text or "0", 2) if random.random() < 0.5 else _number(random, 4)
    n = max(1, count + _rounds(random))
    return Start(n, (("bits = []", f"bits = {bits}"), ("count = 0", f"count = {count}")), 100)


def _fibonacci(random: Random) -> Start:
    first = _below(random, 10, 76, 76)
    a, b = (_result(PROGRAMS["fibonacci"].source, first + more) for more in (0, 1))
    if random.random() < 0.2:
        a, b = _number(random, 15), _number(random, 15)
    changes = (("a = 0", f"a = {a}"), ("b = 1", f"b = {b}"), ("range(n)", f"range({first}, n)"))
    return Start(first + 1 + _rounds(random), changes, 16)


def _fibonacci_many(random: Random) -> Start:
    source = PROGRAMS["fibonacci"].many
    first = _below(random, 10, 100, 300)
    true = random.random() < 0.7
    total = _result(source, first) if true else random.randrange(MODULUS)
    changes = [("    total = 0", f"    total = {total}"), ("range(count)", f"range({first}, count)")]
    n, most, alike = first + 1 + _rounds(random), 260, ""
    kind = random.random()
    if kind < 0.2:
        changes.append(("range(start % 30)", "range(0)"))  # no round runs
        most = 80
    elif kind < 0.7:  # the last rounds of one start, its sum, the first rounds of the next
        a, b = first, 1
        begun = max(0, first % 30 - random.randrange(3))
        for _ in range(begun):
            a, b = b, a + b
        if kind < 0.4:  # sums of all sizes
            a, b, begun = _number(random, 8), _number(random, 8), first % 30
        changes += [("a = start", f"a = {a} if start == {first} else start")]
        changes += [("b = 1", f"b = {b} if start == {first} else 1")]
        changes += [("range(start % 30)", f"range({begun} if start == {first} else 0, start % 30)")]
        most, alike = random.choice((20, 40)), rf"\bstart=(?!{first};)"
    return Start(n, tuple(changes), most, alike)


def _remainder(random: Random) -> Start:
    """Looped Fibonacci where a start is summed up: a sum of any size, its remainder, the end."""
    first = _below(random, 10, 100, 300)
    a = random.randrange(MODULUS * random.choice((1, 4, 12, 40, 100)))
    changes = (
        ("    total = 0", f"    total = {random.randrange(MODULUS)}"),
        ("range(count)", f"range({first}, count)"),
        ("a = start", f"a = {a}"),
        ("range(start % 30)", "range(0)"),
    )
    return Start(first + 1, changes, 20, alike="~1=")


CHAINS = {
    "collatz": Chain(
        PROGRAMS["collatz"].source, _collatz, range(1, 10_000), _digits("n"), heavy=(4, 5, 7, 9)
    ),
    "collatz-many": Chain(
        PROGRAMS["collatz"].many,
        _collatz_many,
        range(1, 300),
        _nines,
        (Alone((3,), _collatz_many),),
        (6, 7, 9, 10),
    ),
    "counter": Chain(
        PROGRAMS["counter"].source,
        _counter,
        range(1, 2000),
        _counted,
        (Alone((4,), _counter),),
        (4, 6, 7, 10, 12),
    ),
    "fibonacci": Chain(
        PROGRAMS["fibonacci"].source,
        _fibonacci,
        range(1, 59),
        _digits("a"),
        (Alone((4,), _fibonacci),),
        (5,),
    ),
    "fibonacci-many": Chain(
        PROGRAMS["fibonacci"].many,
        _fibonacci_many,
        range(1, 300),
        _sums,
        (Alone((3, 6), _fibonacci_many), Alone((10,), _remainder, 0.5)),
        (6, 7, 8, 10),
    ),
}


@cache
def dialled() -> dict[str, frozenset[int]]:
    """Chain -> the inputs that the benchmark asks about."""
    found: dict[str, set[int]] = {name: set() for name in CHAINS}
    for family, inputs in long.INPUTS.items():
        found[family].update(inputs)
    by_source = {chain.source: name for name, chain in CHAINS.items()}
    for family in PROGRAMS:
        for target in REPORTED_STEPS if PROGRAMS[family].source in by_source else ():
            source, n = dial(family, target)
            found[by_source[source]].add(n)
    return {name: frozenset(inputs) for name, inputs in found.items()}


def side(name: str, n: int) -> str:
    """What the input `n` of a chain may be used for."""
    if n in dialled()[name]:
        return EVALUATION
    return (TRAINING, TRAINING, DEVELOPMENT, EVALUATION)[zlib.crc32(f"{name}:{n}".encode()) % 4]


def run_of(name: str, n: int) -> tuple[Program, Trace]:
    """Program and trace of a whole run."""
    program = make_program(CHAINS[name].source, "f", str(n), origin=f"long:{name}", licence="Apache-2.0")
    return program, trace_program(program, Limits(max_steps=1_000_000, trace_bytes=1 << 29))


def scattered(
    name: str,
    random: Random,
    layout: str = LINE_1,
    *,
    most: int,
    which: str = TRAINING,
    alone: Alone | None = None,
) -> list[Example]:
    """Up to `most` steps of some runs of one program, every kind of step alike; of `alone` its lines only.

    `layout` goes from state to state (line-1, sub).
    """
    chain = CHAINS[name]
    found: dict[tuple[str, str], list[Example]] = {}
    n_found = n_tried = 0
    while n_found < (most if alone else 4 * most) and n_tried < 40:
        n_tried += 1
        from_the_call = not alone and random.random() < 0.4
        start = _from_the_call(name, random) if from_the_call else (alone or chain).start(random)
        if side(name, start.n) != which:
            continue
        for kind, example in _steps(name, start, layout):
            if start.changes and kind[0][0] == ">" and random.random() < 0.9:
                continue  # the call looks alike in every run
            if alone and not (kind[0][0] == "@" and int(kind[0][1:]) in alone.lines):
                continue
            found.setdefault(kind, []).append(example)
            n_found += 1
    return _evenly(found, {str(line) for line in chain.heavy}, most, random)


def _from_the_call(name: str, random: Random) -> Start:
    """A run as it is, mostly its first steps."""
    inputs = CHAINS[name].inputs
    n = random.choice(inputs[: random.choice((60, 200, len(inputs)))])
    return Start(n, (), random.choice((8, 8, 8, 8, 40, 400)))


def _evenly(
    found: dict[tuple[str, str], list[Example]], heavy: set[str], most: int, random: Random
) -> list[Example]:
    """One of each kind in turn, three of a heavy one, each drawn at random."""
    for examples in found.values():
        random.shuffle(examples)
    chosen: list[Example] = []
    kinds = [examples for kind, examples in found.items() for _ in range(3 if kind[0][1:] in heavy else 1)]
    random.shuffle(kinds)
    while kinds and len(chosen) < most:
        chosen += [examples.pop() for examples in kinds if examples][: most - len(chosen)]
        kinds = [examples for examples in kinds if examples]
    random.shuffle(chosen)
    return chosen


def _steps(name: str, start: Start, layout: str) -> Iterator[tuple[tuple[str, str], Example]]:
    """Steps of one run as questions about the unchanged program, with their kind."""
    chain, source = CHAINS[name], CHAINS[name].source
    lines = source.split("\n")
    changed = {number for number, line in enumerate(lines, 1) for old, _ in start.changes if old in line}
    for old, new in start.changes:
        source = source.replace(old, new, 1)
    shown = make_program(chain.source, "f", str(start.n), origin=f"long:{name}", licence="Apache-2.0")
    run = make_program(source, "f", str(start.n), origin=f"long:{name}", licence="Apache-2.0")
    module = plugins.load("representation", layout)
    trace = trace_program(run, Limits(max_steps=start.most), granularity=granularity_of(module))
    written = [one.target for one in module.render(trace, run)]
    # Where the answer shows how a line was computed, a line that was changed shows it otherwise.
    alike = start.alike if layout == LINE_1 else ""
    top = head(layout, shown)
    for number, (before, step, _) in enumerate(run_of_trace(trace)):
        frame = before.frames[-1]
        iterators = sum(entry.startswith("~") for entry in frame.entries)
        text = lines[frame.line - 1] if frame.mark == "@" else ""
        # a loop that has begun goes on as its own line says, however it began
        goes_on = text.lstrip().startswith("for ") and iterators > _depth(text)
        state = str(before)
        differs = frame.line in changed and frame.mark == "@" and not frame.pending and not goes_on
        if differs and not (alike and re.search(alike, state)):
            continue
        first = "first" if number < BEGINNING and not start.changes else ""
        size = _left(state) if goes_on else chain.size(state)
        kind = (f"{frame.mark}{frame.line}{frame.pending}", f"{step.mark}{step.line}{first} {size}")
        yield (
            kind,
            Example(
                shown.id, layout, top + module.body(before, shown), written[number], number, trace.n_steps
            ),
        )


def _depth(line: str) -> int:
    """Loops around a line; the programs here have `for` only at the outer level and directly in one."""
    return (len(line) - len(line.lstrip())) // 4 - 1


def _left(state: str) -> str:
    """Rounds of the innermost loop that are left: none, one, more."""
    low, high = re.findall(r"range\((\d+), (\d+)\)", state)[-1]
    return str(min(int(high) - int(low), 2))


WEIGHTS = {"collatz": 1.5, "collatz-many": 2.0, "counter": 3.5, "fibonacci": 3.5, "fibonacci-many": 4.5}
"""How often each chain is drawn."""


def drawn(
    random: Random, layout: str = LINE_1, *, most: int, which: str = TRAINING
) -> tuple[str, list[Example]]:
    """Steps of a chain that is drawn by its weight; of some of its lines alone by their shares."""
    name = random.choices(list(WEIGHTS), list(WEIGHTS.values()))[0]
    ways = CHAINS[name].alone
    shares = [1 - sum(way.share for way in ways), *(way.share for way in ways)]
    return name, scattered(
        name, random, layout, most=most, which=which, alone=random.choices([None, *ways], shares)[0]
    )
