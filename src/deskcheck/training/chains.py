"""Draw training steps from any part of a long run: three programs of the benchmark `long`, two also looped.

    scattered("collatz", Random(1), "sub", most=24) -> [Example ...]     examples of a layout, with one head

A looped program sums the results of many short runs (`corpus/long_programs.py`).
A run can start in the middle: with other constants in the first lines, or with a loop that begins later. A
start can also be a state that no run from the call reaches. From there, the changed program takes the same
steps as the unchanged one, so its steps are shown with the unchanged code; steps of the changed lines are
left out. In this way the frequency of rare steps can be chosen: numbers with many digits, carries, ends of
loops.

A task of `long` is a program and an input. `side` gives the use of an input, by a hash of it: half of the
inputs are for training, a quarter for development, a quarter for evaluation. Inputs of the benchmark are
always for evaluation. The argument of a training example and of its run is always an input for training.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Iterator
from functools import cache
from random import Random

from msgspec import Struct

from deskcheck import plugins
from deskcheck.benchmarks import long
from deskcheck.corpus.interpreted import result_of
from deskcheck.corpus.long_programs import DEFAULT_STEPS, PROGRAMS, dial
from deskcheck.layouts.line_1 import LAYOUT as LINE_1
from deskcheck.records import Example, Limits, Program, Trace
from deskcheck.states.steps import head
from deskcheck.states.steps import run_of as run_of_trace
from deskcheck.tracing.program import make_program
from deskcheck.tracing.run import trace_program
from deskcheck.training.traces import granularity_of

TRAINING, DEVELOPMENT, EVALUATION = "training", "development", "evaluation"
BEGINNING = 6
"""First steps of a run from its call; they count as kinds apart from later steps on the same lines.

Each occurs once in a chain, and one mistake loses the chain.
"""
REPORTED_STEPS = (*DEFAULT_STEPS, 15_000)
"""Lengths of runs, in steps, whose inputs are kept for evaluation."""
MODULUS = 1_000_003
"""Divisor of the remainders in looped Fibonacci."""


class Start(Struct, frozen=True):
    """A run that may begin in the middle: its input, and the lines that are replaced for it."""

    n: int
    changes: tuple[tuple[str, str], ...]
    """Replaced texts of the source: (old, new)."""
    most: int = 120
    """Largest number of steps that are traced."""
    alike: str = ""
    """Pattern of states in which the replaced lines have the effect of the original ones."""


class Alone(Struct, frozen=True):
    """Lines of a chain whose steps are also drawn without other steps between them.

    A model learns whether two numbers are equal, or how often a divisor goes into a sum, if it sees many such
    steps in succession. It hardly learns them from scattered examples.
    """

    lines: tuple[int, ...]
    start: Callable[[Random], Start]
    share: float = 0.25
    """Share of the draws of the chain."""


class Chain(Struct, frozen=True):
    """A program of `long` whose steps are training data."""

    source: str
    start: Callable[[Random], Start]
    """Function that draws a run from any start."""
    inputs: range
    """Arguments of whole runs."""
    size: Callable[[str], str]
    """State as text -> the difficulty of its step among those of one line: digits, a place in a list."""
    alone: tuple[Alone, ...] = ()
    """Groups to practice alone: ends of loops, where two numbers are equal; a remainder of large numbers."""
    heavy: tuple[int, ...] = ()
    """Lines that compute a value: their steps are drawn three times as often."""


def _number(random: Random, digits: int) -> int:
    """Draw a number whose length is uniform between 1 and `digits`."""
    length = random.randint(1, digits)
    return random.randint(10 ** (length - 1) if length > 1 else 0, 10**length - 1)


def _below(random: Random, *limits: int) -> int:
    """Draw one of the limits, then a number below it; a limit given twice is drawn twice as often."""
    return random.randrange(random.choice(limits))


def _rounds(random: Random) -> int:
    """Draw the number of rounds after the first one.

    A run ends where two numbers are equal, which is rare unless drawn on purpose. Many of the other pairs
    share their last digit (13 and 33), because models that compared only that digit stopped too early.
    """
    tens = 10 * random.randint(1, 12)
    return random.choice((0, 0, 0, 1, 1, 2, 9, tens, tens, _below(random, 30, 300, 1000)))


def _digits(name: str) -> Callable[[str], str]:
    """Return a function that counts the digits of this variable in a state."""

    def size(state: str) -> str:
        found = re.search(rf"\b{name}=(\d+)", state)
        return str(len(found[1])) if found else ""

    return size


def _counted(state: str) -> str:
    """Return the difficulty of a step of the counter.

    The difficulty consists of the place in the list, the bit there, the places left (at most 3) and the
    rounds left (at most 2).
    """
    at, count, end = (re.search(rf"\b{name}=(\d+)", state) for name in ("i", "count", "n"))
    bits = re.search(r"bits=\[(.*?)\]", state)
    left = min(int(end[1]) - int(count[1]), 2) if end and count else ""
    if not at or not bits:
        return f":{left}"
    rest = bits[1].split(", ")[int(at[1]) :] if bits[1] else []
    return f"{at[1]}:{rest[0] if rest else ''}:{min(len(rest), 3)}:{left}"


def _nines(state: str) -> str:
    """Return the difficulty of a step of looped Collatz: digits of n, and trailing nines of the total."""
    total = re.search(r"\btotal=(\d+)", state)
    digits = _digits("n")(state)
    return f"{digits}:{len(total[1]) - len(total[1].rstrip('9'))}" if total else digits


def _sums(state: str) -> str:
    """Return the difficulty of a step of looped Fibonacci.

    The difficulty consists of the digits of a and b, and of whether the round is the first of its start. On
    the line of the remainder, it consists of the digits of a and the quotient of the sum and the divisor.
    """
    total, a = (re.search(rf"\b{name}=(\d+)", state) for name in ("total", "a"))
    if state.startswith("@10") and total and a:
        return f"{len(a[1])}:{(int(total[1]) + int(a[1])) // MODULUS}"
    is_first = not re.search(r"\bi=[1-9]", state)
    return f"{_digits('a')(state)}:{_digits('b')(state)}:{is_first}"


def _collatz(random: Random) -> Start:
    near = random.random() < 0.25  # near its end: `return steps` with every number of digits
    n = random.choice((1, 2, 3, 4, 5, 6, 8, 10, 12, 13, 16)) if near else 1 + _number(random, 7)
    return Start(n, (("steps = 0", f"steps = {_below(random, 30, 120, 400)}"),), random.choice((20, 60)))


def _collatz_many(random: Random) -> Start:
    source = PROGRAMS["collatz"].many
    first = 1 + _below(random, 10, 100, 300)
    total = result_of(source, first - 1) if random.random() < 0.5 else _number(random, 5)
    if random.random() < 0.3:  # a carry is near
        total = max(0, random.randint(1, 99) * 10 ** random.randint(1, 4) - random.randint(1, 12))
    changes = [
        ("    total = 0", f"    total = {total}"),
        ("range(1, count + 1)", f"range({first}, count + 1)"),
    ]
    if random.random() < 0.5:
        changes.append(("        n = start", "        n = 1"))  # no inner round runs: many ends in succession
    return Start(first + _rounds(random), tuple(changes), random.choice((60, 240)))


def _counter(random: Random) -> Start:
    length = max(random.randint(0, 11), random.randint(0, 11))  # long lists have more places to tell apart
    ones = random.randint(0, length)  # a carry of every length
    text = "".join(random.choice("01") for _ in range(length - ones)) + "1" * ones
    bits = [int(bit) for bit in reversed(text.lstrip("0"))]
    # Half of the counts differ from the number in the list; otherwise a model could memorize which lists mean
    # the end.
    count = int(text or "0", 2) if random.random() < 0.5 else _number(random, 4)
    n = max(1, count + _rounds(random))
    return Start(n, (("bits = []", f"bits = {bits}"), ("count = 0", f"count = {count}")), 100)


def _fibonacci(random: Random) -> Start:
    first = _below(random, 10, 76, 76)
    a, b = (result_of(PROGRAMS["fibonacci"].source, first + more) for more in (0, 1))
    if random.random() < 0.2:
        a, b = _number(random, 15), _number(random, 15)
    changes = (("a = 0", f"a = {a}"), ("b = 1", f"b = {b}"), ("range(n)", f"range({first}, n)"))
    return Start(first + 1 + _rounds(random), changes, 16)


def _fibonacci_many(random: Random) -> Start:
    source = PROGRAMS["fibonacci"].many
    first = _below(random, 10, 100, 300)
    true = random.random() < 0.7
    total = result_of(source, first) if true else random.randrange(MODULUS)
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
    """Draw the end of a start in looped Fibonacci: a sum of any size, its remainder, the end of the run."""
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
    """Return the inputs of each chain that are always for evaluation.

    These are the benchmark's, and those whose runs have REPORTED_STEPS.
    """
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
    """Return the use of the input `n` of a chain: TRAINING, DEVELOPMENT or EVALUATION."""
    if n in dialled()[name]:
        return EVALUATION
    return (TRAINING, TRAINING, DEVELOPMENT, EVALUATION)[zlib.crc32(f"{name}:{n}".encode()) % 4]


def run_of(name: str, n: int) -> tuple[Program, Trace]:
    """Return program and trace of the whole run of a chain on input `n`."""
    program = make_program(CHAINS[name].source, "f", str(n), origin=f"long:{name}", license="Apache-2.0")
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
    """Draw up to `most` steps from runs of one program: all kinds equally often, heavy lines three times.

    `which`: use of the inputs (TRAINING, ..). With `alone`, only steps of its lines are drawn. `layout` must
    go from state to state (line-1, sub).
    """
    chain = CHAINS[name]
    by_kind: dict[tuple[str, str], list[Example]] = {}
    n_found = n_tried = 0
    while n_found < (most if alone else 4 * most) and n_tried < 40:
        n_tried += 1
        from_the_call = not alone and random.random() < 0.4
        start = _from_the_call(name, random) if from_the_call else (alone or chain).start(random)
        if side(name, start.n) != which:
            continue
        for kind, example in _steps(name, start, layout):
            if start.changes and kind[0][0] == ">" and random.random() < 0.9:
                continue  # the call looks the same in every run
            if alone and not (kind[0][0] == "@" and int(kind[0][1:]) in alone.lines):
                continue
            by_kind.setdefault(kind, []).append(example)
            n_found += 1
    return _evenly(by_kind, {str(line) for line in chain.heavy}, most, random)


def _from_the_call(name: str, random: Random) -> Start:
    """Draw an unchanged run from its call, mostly with its first eight steps only."""
    inputs = CHAINS[name].inputs
    n = random.choice(inputs[: random.choice((60, 200, len(inputs)))])
    return Start(n, (), random.choice((8, 8, 8, 8, 40, 400)))


def _evenly(
    by_kind: dict[tuple[str, str], list[Example]], heavy: set[str], most: int, random: Random
) -> list[Example]:
    """Draw one example of each kind in turn, and three of a heavy kind."""
    for examples in by_kind.values():
        random.shuffle(examples)
    chosen: list[Example] = []
    kinds = [examples for kind, examples in by_kind.items() for _ in range(3 if kind[0][1:] in heavy else 1)]
    random.shuffle(kinds)
    while kinds and len(chosen) < most:
        chosen += [examples.pop() for examples in kinds if examples][: most - len(chosen)]
        kinds = [examples for examples in kinds if examples]
    random.shuffle(chosen)
    return chosen


def _steps(name: str, start: Start, layout: str) -> Iterator[tuple[tuple[str, str], Example]]:
    """Yield the kind of each usable step of a run, with its example for the unchanged program."""
    chain, source = CHAINS[name], CHAINS[name].source
    lines = source.split("\n")
    changed = {number for number, line in enumerate(lines, 1) for old, _ in start.changes if old in line}
    for old, new in start.changes:
        source = source.replace(old, new, 1)
    shown = make_program(chain.source, "f", str(start.n), origin=f"long:{name}", license="Apache-2.0")
    run = make_program(source, "f", str(start.n), origin=f"long:{name}", license="Apache-2.0")
    module = plugins.load("layout", layout)
    trace = trace_program(run, Limits(max_steps=start.most), granularity=granularity_of(module))
    written = [one.target for one in module.render(trace, run)]
    # A layout that writes out operations would show other operations on a changed line, so its steps are not
    # used.
    alike = start.alike if layout == LINE_1 else ""
    top = head(layout, shown)
    for number, (before, step, _) in enumerate(run_of_trace(trace)):
        frame = before.frames[-1]
        iterators = sum(entry.startswith("~") for entry in frame.entries)
        text = lines[frame.line - 1] if frame.mark == "@" else ""
        # once begun, a loop continues in the same way, whether or not its line was replaced
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
    """Return the number of loops around a `for` line: 0 at the outer level, 1 directly in a `for`."""
    return (len(line) - len(line.lstrip())) // 4 - 1


def _left(state: str) -> str:
    """Return the rounds that the innermost loop has left: "0", "1", or "2" for more."""
    low, high = re.findall(r"range\((\d+), (\d+)\)", state)[-1]
    return str(min(int(high) - int(low), 2))


WEIGHTS = {"collatz": 1.5, "collatz-many": 2.0, "counter": 3.5, "fibonacci": 3.5, "fibonacci-many": 4.5}
"""Relative frequency with which each chain is drawn."""


def drawn(
    random: Random, layout: str = LINE_1, *, most: int, which: str = TRAINING
) -> tuple[str, list[Example]]:
    """Draw a chain by its weight, then steps of it: of all lines, or of one `Alone` group by its share."""
    name = random.choices(list(WEIGHTS), list(WEIGHTS.values()))[0]
    ways = CHAINS[name].alone
    shares = [1 - sum(way.share for way in ways), *(way.share for way in ways)]
    return name, scattered(
        name, random, layout, most=most, which=which, alone=random.choices([None, *ways], shares)[0]
    )
