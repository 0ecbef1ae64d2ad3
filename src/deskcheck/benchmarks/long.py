"""long: nine textbook programs, run for up to 100,000 steps; up to which length is a model's run right?

    deskcheck eval --model tiny --benchmark long --strategy line-1 -T steps=100,1000,10000

Three programs replace those of arXiv 2503.05703, which are not published: Collatz, counting in binary on a
list of bits, and iterative Fibonacci. The others are gcd, sieve, sorting, string building, matrix and
recursion. We wrote all of them, and they are pinned (`corpus/long_programs.py`). License: Apache-2.0; nothing
is downloaded. Steps are line events.
Without options, the drafts are the runs of the paper (n = 1..20, and longer ones: collatz-3038 takes 619
steps, counter-1600 14,395) and the other programs at 10 to 10,000 steps. With -T steps=N,.. every program
runs about N steps; -T programs=a,b selects programs. A single run of Collatz, or of Fibonacci beyond 230
steps, would need numbers of many digits. So with -T steps these programs sum many short runs. Values have at
most 12 digits. Every draft has the tag "program": "seen", because models may be trained on these programs
with other inputs. Fibonacci can also be answered from memory. There are only nine clusters, so intervals are
marked "too few clusters".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from deskcheck.corpus.long_programs import DEFAULT_STEPS, PROGRAMS, dial
from deskcheck.errors import UnknownName, UserError
from deskcheck.records import TaskDraft
from deskcheck.tracing.program import make_program

HUB = None
LIMITS = {"max_steps": 250_000, "time_s": 120.0, "trace_bytes": 1 << 29}
MOST_STEPS = 100_000
"""Largest number of steps for -T steps."""
KNOWN_BY_HEART = frozenset({"collatz", "counter", "fibonacci"})
"""Programs in every textbook, with a closed form or well-known values."""

SMALL = range(1, 21)
# Collatz up to about 1,000 steps, Fibonacci up to values of 12 digits, the counter up to about 14,400 steps.
INPUTS: dict[str, list[int]] = {
    "collatz": [*SMALL, 27, 97, 171, 327, 649, 871, 1161, 2223, 3038, 6171],
    "counter": [*SMALL, 32, 50, 64, 100, 200, 400, 800, 1600],
    "fibonacci": [*SMALL, 25, 30, 35, 40, 45, 50, 55, 58],
}


def drafts(data: str, *, steps: str = "", programs: str = "") -> Iterator[TaskDraft]:
    """Yield all drafts, ordered by program, then by input."""
    if data:
        raise UserError(f"benchmark 'long' ships with deskcheck and reads no file; drop --data {data}")
    chosen = [name.strip() for name in programs.split(",") if name.strip()] or list(PROGRAMS)
    for family in chosen:
        if family not in PROGRAMS:
            raise UnknownName("program of benchmark 'long'", family, list(PROGRAMS))
        if steps:
            yield from _dialled(family, _targets(steps))
        elif family in INPUTS:
            yield from (_draft(family, n, f"{family}-{n}", PROGRAMS[family].source) for n in INPUTS[family])
        else:
            yield from _dialled(family, DEFAULT_STEPS)


def _targets(text: str) -> list[int]:
    targets = []
    for part in text.split(","):
        if not part.strip().isdigit() or not 10 <= int(part) <= MOST_STEPS:
            raise UserError(f"-T steps={text}: '{part}' is no number of steps from 10 to {MOST_STEPS:,}")
        targets.append(int(part))
    return targets


def _dialled(family: str, targets: Sequence[int]) -> Iterator[TaskDraft]:
    """Yield the drafts whose numbers of steps are nearest to the targets, each draft once."""
    found = {dial(family, target): target for target in sorted(targets)}
    for (source, n), target in found.items():
        yield _draft(family, n, f"{family}-at-{target}", source, {"target": str(target)})


def _draft(family: str, n: int, identity: str, source: str, more: dict[str, str] | None = None) -> TaskDraft:
    program = make_program(source, "f", str(n), origin=f"long:{identity}", license="Apache-2.0")
    tags = {"family": family, "program": "seen", "n": str(n), **(more or {})}
    return TaskDraft(id=identity, program=program, recorded="", cluster=family, tags=tags)
