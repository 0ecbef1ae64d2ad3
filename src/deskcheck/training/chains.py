"""Single steps of the programs of `long`, from all over their runs and from states that no run has reached.

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
from deskcheck.records import Example, Limits
from deskcheck.representations._prompt import head
from deskcheck.representations._steps import steps
from deskcheck.representations._tree import StateTree, Step
from deskcheck.representations.line_1 import LAYOUT, body
from deskcheck.tracing.program import make_program
from deskcheck.tracing.run import trace_program

TRAINING, DEVELOPMENT, EVALUATION = "training", "development", "evaluation"
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


def _collatz(random: Random) -> Start:
    return Start(_number(random, 8) + 1, (("steps = 0", f"steps = {_number(random, 3)}"),), 60)


def _collatz_many(random: Random) -> Start:
    first = _number(random, 3) + 1
    count = first + random.choice((0, 1, 2, random.randint(0, 9), _number(random, 3)))
    changes = (
        ("    total = 0", f"    total = {_number(random, 5)}"),
        ("range(1, count + 1)", f"range({first}, count + 1)"),
    )
    return Start(count, changes, random.choice((60, 300)))


def _counter(random: Random) -> Start:
    count = _number(random, 4)
    bits = [int(bit) for bit in reversed(f"{count:b}")] if count else []
    n = count + random.choice((0, 1, 2, random.randint(0, 9), _number(random, 4)))
    return Start(n, (("bits = []", f"bits = {bits}"), ("count = 0", f"count = {count}")))


def _fibonacci(random: Random) -> Start:
    a = _number(random, 10)
    b = max(a, 1) + random.randint(0, max(a, 1)) if random.random() < 0.7 else _number(random, 11)
    first = _number(random, 2)
    n = first + random.choice((0, 1, 2, random.randint(0, 9), _number(random, 3)))
    return Start(n, (("a = 0", f"a = {a}"), ("b = 1", f"b = {b}"), ("range(n)", f"range({first}, n)")), 16)


def _fibonacci_many(random: Random) -> Start:
    first = random.choice((random.randrange(30), random.randrange(260)))
    count = first + random.choice((1, 2, 3, random.randint(1, 9), _number(random, 3)))
    total = random.choice((_result(PROGRAMS["fibonacci"].many, first), random.randrange(1_000_003)))
    return Start(
        count, (("    total = 0", f"    total = {total}"), ("range(count)", f"range({first}, count)")), 260
    )


def _gcd(random: Random) -> Start:
    first = _number(random, 3) + 1
    count = first + random.choice((0, 1, 2, random.randint(0, 9), _number(random, 3)))
    changes = (
        ("    total = 0", f"    total = {_number(random, 4)}"),
        ("    x = 17", f"    x = {_gcd_x(first) if random.random() < 0.7 else random.randrange(1009)}"),
        ("range(1, count + 1)", f"range({first}, count + 1)"),
    )
    return Start(count, changes)


def _gcd_x(first: int) -> int:
    x = 17
    for i in range(1, first):
        x = (x * 31 + i) % 1009
    return x


def _matrix(random: Random) -> Start:
    first = _number(random, 2)
    n = first + random.choice((1, 2, random.randint(1, 9), _number(random, 2)))
    cells = [random.randrange(97) for _ in range(4)]
    p = random.choice(
        (
            _result(PROGRAMS["matrix"].source, first),
            f"[[{cells[0]}, {cells[1]}], [{cells[2]}, {cells[3]}]]",
        )
    )
    return Start(n, (("p = [[1, 0], [0, 1]]", f"p = {p}"), ("range(n)", f"range({first}, n)")))


def _recursion(random: Random) -> Start:
    first = _number(random, 3)
    count = first + random.choice((1, 2, random.randint(1, 9), _number(random, 3)))
    changes = (
        ("    total = 0", f"    total = {random.randrange(1009)}"),
        ("range(count)", f"range({first}, count)"),
    )
    return Start(count, changes)


CHAINS = {
    "collatz": Chain(PROGRAMS["collatz"].source, _collatz, range(1, 10**6), (5, 7)),
    "collatz-many": Chain(PROGRAMS["collatz"].many, _collatz_many, range(1, 400), (7, 9)),
    "counter": Chain(PROGRAMS["counter"].source, _counter, range(1, 3000), (6, 8, 12)),
    "fibonacci": Chain(PROGRAMS["fibonacci"].source, _fibonacci, range(1, 59), (5,)),
    "fibonacci-many": Chain(PROGRAMS["fibonacci"].many, _fibonacci_many, range(1, 400), (7, 10)),
    "gcd": Chain(PROGRAMS["gcd"].source, _gcd, range(1, 1000), (5, 9)),
    "matrix": Chain(PROGRAMS["matrix"].source, _matrix, range(1, 100), (10, 11)),
    "recursion": Chain(PROGRAMS["recursion"].source, _recursion, range(1, 1000), (4, 10)),
}


@cache
def dialled() -> dict[str, frozenset[int]]:
    """Chain -> the inputs that the benchmark asks about."""
    found: dict[str, set[int]] = {name: set() for name in CHAINS}
    for family, inputs in long.INPUTS.items():
        found[family].update(inputs)
    by_source = {chain.source: name for name, chain in CHAINS.items()}
    for family in PROGRAMS:
        for target in REPORTED_STEPS:
            if any(PROGRAMS[family].source == c.source for c in CHAINS.values()):
                source, n = dial(family, target)
                found[by_source[source]].add(n)
    return {name: frozenset(inputs) for name, inputs in found.items()}


def side(name: str, n: int) -> str:
    """What the input `n` of a chain may be used for."""
    if n in dialled()[name]:
        return EVALUATION
    return (TRAINING, TRAINING, DEVELOPMENT, EVALUATION)[zlib.crc32(f"{name}:{n}".encode()) % 4]


def unseen(name: str, which: str, near: int, how_many: int) -> list[int]:
    """The inputs of one side that are nearest to `near`, ascending."""
    inputs = CHAINS[name].inputs
    found = [near] if which == EVALUATION and side(name, near) == which else []
    for away in range(1, inputs.stop):
        for n in (near - away, near + away):
            if n in inputs and side(name, n) == which and len(found) < how_many:
                found.append(n)
        if len(found) >= how_many:
            break
    return sorted(found)


def run_of(name: str, n: int, *, most: int = 10_000_000) -> Iterator[tuple[StateTree, Step]]:
    """The steps of a whole run."""
    program = make_program(CHAINS[name].source, "f", str(n), origin=f"long:{name}", licence="Apache-2.0")
    trace = trace_program(program, Limits(max_steps=most, trace_bytes=1 << 29))
    return ((before, step) for before, step, _ in steps(trace))


def scattered(name: str, random: Random, *, most: int, which: str = TRAINING) -> list[Example]:
    """Up to `most` steps of some runs, all of one program, every kind of step alike."""
    found: dict[tuple[str, str], list[Example]] = {}
    n_found = n_tried = 0
    while n_found < 4 * most and n_tried < 40:
        n_tried += 1
        whole = random.random() < 0.15
        start = (
            Start(random.choice(CHAINS[name].inputs), (), random.choice((60, 600)))
            if whole
            else CHAINS[name].start(random)
        )
        if side(name, start.n) != which:
            continue
        for kind, example in _steps(name, start):
            found.setdefault(kind, []).append(example)
            n_found += 1
    return _evenly(found, {str(line) for line in CHAINS[name].heavy}, most, random)


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
        kind = (f"{frame.mark}{frame.line}{frame.pending}", f"{step.mark}{step.line}")
        yield kind, Example(shown.id, LAYOUT, top + body(before), str(step), number, trace.n_steps)


WEIGHTS = {
    "collatz": 3.0,
    "collatz-many": 3.0,
    "counter": 2.0,
    "fibonacci": 2.0,
    "fibonacci-many": 3.0,
}
"""How often each chain is drawn; the others wait for a larger budget (docs/log.md, 2026-11-20)."""


def drawn(random: Random, *, most: int, which: str = TRAINING) -> tuple[str, list[Example]]:
    """Steps of a chain that is drawn by its weight."""
    name = random.choices(list(WEIGHTS), list(WEIGHTS.values()))[0]
    return name, scattered(name, random, most=most, which=which)
