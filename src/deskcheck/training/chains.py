"""Steps of three programs of `long` and their looped forms, from all over their runs and beyond them.

    scattered("collatz", Random(1), most=24) -> [Example ...]     line-1 questions with one head

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

import zlib
from collections.abc import Callable, Iterator
from functools import cache
from random import Random
from typing import Any

from msgspec import Struct

from deskcheck.benchmarks import long
from deskcheck.benchmarks._long_programs import DEFAULT_STEPS, PROGRAMS, dial
from deskcheck.records import Example, Limits, Program, Trace
from deskcheck.representations._prompt import head
from deskcheck.representations._steps import steps
from deskcheck.representations.line_1 import LAYOUT, body
from deskcheck.tracing.program import make_program
from deskcheck.tracing.run import trace_program

TRAINING, DEVELOPMENT, EVALUATION = "training", "development", "evaluation"
BEGINNING = 6
"""Steps of a run that are a kind of their own: a chain meets them once, and is lost if one is wrong."""
REPORTED_STEPS = (*DEFAULT_STEPS, 15_000)


class Start(Struct, frozen=True):
    """One run that begins somewhere."""

    n: int
    changes: tuple[tuple[str, str], ...]
    """Lines of the source that are replaced."""
    most: int = 120
    """Steps of the run that are looked at."""


class Chain(Struct, frozen=True):
    """A program whose steps are learned."""

    source: str
    start: Callable[[Random], Start]
    """A run that begins anywhere."""
    inputs: range
    """Arguments of whole runs."""
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
    """A number below one of three limits, the first of which is the most common."""
    return random.randrange(random.choices(limits, (6, 3, 1))[0])


def _collatz(random: Random) -> Start:
    n = 1 + (_number(random, 4) if random.random() < 0.8 else _number(random, 7))
    return Start(n, (("steps = 0", f"steps = {_below(random, 30, 120, 400)}"),), 60)


def _collatz_many(random: Random) -> Start:
    first = 1 + _below(random, 30, 70, 250)
    source = PROGRAMS["collatz"].many
    total = _result(source, first - 1) if random.random() < 0.8 else _number(random, 4)
    changes = (
        ("    total = 0", f"    total = {total}"),
        ("range(1, count + 1)", f"range({first}, count + 1)"),
    )
    return Start(first + _below(random, 5, 60, 300), changes, random.choice((60, 160)))


def _counter(random: Random) -> Start:
    count = _below(random, 160, 400, 1700)
    bits = [int(bit) for bit in reversed(f"{count:b}")] if count else []
    n = count + _below(random, 5, 60, 1000)
    return Start(n, (("bits = []", f"bits = {bits}"), ("count = 0", f"count = {count}")), 100)


def _fibonacci(random: Random) -> Start:
    first = _below(random, 20, 40, 58)
    a, b = (_result(PROGRAMS["fibonacci"].source, first + more) for more in (0, 1))
    if random.random() < 0.2:
        a, b = _number(random, 6), _number(random, 6)
    n = first + _below(random, 5, 40, 60)
    return Start(n, (("a = 0", f"a = {a}"), ("b = 1", f"b = {b}"), ("range(n)", f"range({first}, n)")), 16)


def _fibonacci_many(random: Random) -> Start:
    first = _below(random, 24, 40, 240)
    true = random.random() < 0.85
    total = _result(PROGRAMS["fibonacci"].many, first) if true else random.randrange(1_000_003)
    changes = (("    total = 0", f"    total = {total}"), ("range(count)", f"range({first}, count)"))
    return Start(first + 1 + _below(random, 5, 40, 300), changes, 260)


CHAINS = {
    "collatz": Chain(PROGRAMS["collatz"].source, _collatz, range(1, 10_000), (4, 5, 7)),
    "collatz-many": Chain(PROGRAMS["collatz"].many, _collatz_many, range(1, 300), (6, 7, 9)),
    "counter": Chain(PROGRAMS["counter"].source, _counter, range(1, 2000), (6, 8, 10, 12)),
    "fibonacci": Chain(PROGRAMS["fibonacci"].source, _fibonacci, range(1, 59), (5,)),
    "fibonacci-many": Chain(PROGRAMS["fibonacci"].many, _fibonacci_many, range(1, 300), (7, 8, 10)),
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
    """A whole run."""
    program = make_program(CHAINS[name].source, "f", str(n), origin=f"long:{name}", licence="Apache-2.0")
    return program, trace_program(program, Limits(max_steps=1_000_000, trace_bytes=1 << 29))


def scattered(name: str, random: Random, *, most: int, which: str = TRAINING) -> list[Example]:
    """Up to `most` steps of some runs, all of one program, every kind of step alike."""
    found: dict[tuple[str, str], list[Example]] = {}
    n_found = n_tried = 0
    while n_found < 4 * most and n_tried < 40:
        n_tried += 1
        start = _from_the_call(name, random) if random.random() < 0.4 else CHAINS[name].start(random)
        if side(name, start.n) != which:
            continue
        for kind, example in _steps(name, start):
            if start.changes and kind[0][0] == ">" and random.random() < 0.9:
                continue  # the call looks alike in every run
            found.setdefault(kind, []).append(example)
            n_found += 1
    return _evenly(found, {str(line) for line in CHAINS[name].heavy}, most, random)


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


def _steps(name: str, start: Start) -> Iterator[tuple[tuple[str, str], Example]]:
    """Steps of one run as questions about the unchanged program, with their kind."""
    source = CHAINS[name].source
    lines = source.split("\n")
    changed = {number for number, line in enumerate(lines, 1) for old, _ in start.changes if old in line}
    for old, new in start.changes:
        source = source.replace(old, new, 1)
    shown = make_program(CHAINS[name].source, "f", str(start.n), origin=f"long:{name}", licence="Apache-2.0")
    run = make_program(source, "f", str(start.n), origin=f"long:{name}", licence="Apache-2.0")
    trace = trace_program(run, Limits(max_steps=start.most))
    top = head(LAYOUT, shown)
    for number, (before, step, _) in enumerate(steps(trace)):
        frame = before.frames[-1]
        begins = frame.line in changed and not any(entry.startswith("~") for entry in frame.entries)
        if begins and frame.mark == "@" and not frame.pending:
            continue
        first = "first" if number < BEGINNING and not start.changes else ""
        kind = (f"{frame.mark}{frame.line}{frame.pending}", f"{step.mark}{step.line}{first}")
        yield kind, Example(shown.id, LAYOUT, top + body(before), str(step), number, trace.n_steps)


WEIGHTS = {"collatz": 1.5, "collatz-many": 3.5, "counter": 3.0, "fibonacci": 1.0, "fibonacci-many": 2.0}
"""How often each chain is drawn."""


def drawn(random: Random, *, most: int, which: str = TRAINING) -> tuple[str, list[Example]]:
    """Steps of a chain that is drawn by its weight."""
    name = random.choices(list(WEIGHTS), list(WEIGHTS.values()))[0]
    return name, scattered(name, random, most=most, which=which)
