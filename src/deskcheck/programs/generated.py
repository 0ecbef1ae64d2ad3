"""generated: seeded random programs, as many as wanted, the step count dialled by the family.

    programs(SourceOptions(source="generated", family="easy", seed=1, n=1000)) -> Program ...
    traced("easy", seed=1, n=1000)                             -> (Program, Trace) ...

Program k of a seed is the k-th candidate that keeps to its family, so any range can be made anew. The family
`easy` was frozen with its held-out seed before anything was trained: `HELD_OUT` programs are never training
data, nor is any program that differs from one of them in names and constants alone (`decontamination`).
Candidates run in this process: they are ours, they have no imports, and steps are limited.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from random import Random
from types import FrameType
from typing import Any

from deskcheck.corpus.expressions import Family
from deskcheck.corpus.grammar import write_program
from deskcheck.corpus.plain_run import plain_run
from deskcheck.corpus.real_expressions import REAL, RealFamily
from deskcheck.corpus.real_programs import write_real
from deskcheck.errors import UnknownName, UserError
from deskcheck.plugins import SourceOptions
from deskcheck.records import Limits, Place, Program, Raised, Returned, Trace, ValueKind
from deskcheck.tracing.program import make_program
from deskcheck.tracing.run import trace_program

TRUST = "ours"  # containment.admit
TAKES = ("family", "seed", "start", "n")
FAMILIES = {
    family.name: family
    for family in (
        Family("first", (1, 5), 99, 6, (1, 2), (1, 2), 0, 0.05),
        Family("easy", (1, 12), 999, 8, (2, 5), (1, 3), 1, 0.15),
        Family("medium", (13, 40), 99_999, 16, (2, 5), (2, 6), 2, 0.15),
        Family("hard", (41, 200), 999_999_999, 32, (3, 7), (4, 12), 3, 0.15),
    )
}
HELD_OUT = {"easy": 900_001, "medium": 900_002, "hard": 900_003, "real-1": 900_004, "states-1": 900_005}
"""Seeds of the held-out programs: evaluation only."""
N_HELD_OUT = 500
FROZEN_SHA256 = "33e59a93174ed88d8fb19e229221f84626658c1c665205a9218459f854356eb4"
"""Of the ids of the held-out programs of `easy`, a line each, as CPython 3.11 counts their steps."""
_MORE_EXCEPTIONS = {"AssertionError", "AttributeError", "RuntimeError", "StopIteration"}
_SIZED = (str, list, dict, tuple)
_EXCEPTIONS = {"IndexError", "KeyError", "ValueError", "ZeroDivisionError", "TypeError"}


def programs(options: SourceOptions) -> Iterator[Program]:
    """The programs `options.start` to `options.start + options.n` of a family and seed."""
    for program, _ in traced(options.family, seed=options.seed, n=options.n, start=options.start):
        yield program


def family_of(name: str) -> Family | RealFamily:
    """The family of that name."""
    found = FAMILIES.get(name) or REAL.get(name)
    if found is None:
        raise UnknownName("family of generated programs", name, [*FAMILIES, *REAL])
    return found


def traced(family: str, *, seed: int, n: int, start: int = 0) -> Iterator[tuple[Program, Trace]]:
    """Programs with their traces. UserError where the family accepts next to none of its candidates."""
    dials = family_of(family)
    kept = tried = 0
    while kept < start + n:
        found = candidate(dials, seed, tried)
        tried += 1
        if found is not None:
            kept += 1
            if kept > start:
                yield found
        elif tried > 1000 * (kept + 10):
            raise UserError(
                f"family '{family}' kept {kept} of {tried} candidates of seed {seed}; it is too tight"
            )


def text_of(family: Family | RealFamily, seed: int, number: int) -> tuple[Program, Random]:
    """The program of a candidate, whatever it does, and the random stream that goes on after it."""
    random = Random(f"{family.name}:{seed}:{number}")
    write = write_real if isinstance(family, RealFamily) else write_program
    source, call = write(random, family)  # type: ignore[arg-type]  # chosen for the family's type
    entry, arguments = call.split("\0")
    origin = f"generated:{family.name}:{seed}:{number}"
    return make_program(source, entry, arguments, origin=origin, licence="Apache-2.0"), random


def candidate(family: Family | RealFamily, seed: int, number: int) -> tuple[Program, Trace] | None:
    """Candidate `number` of a seed, or None where it does not keep to its family."""
    program, random = text_of(family, seed, number)
    if isinstance(family, RealFamily):
        return _real(program, random, family)
    n_steps = _plain_steps(program, family)
    # Most candidates are a few straight lines: short runs are thinned, so that loops are as common.
    if n_steps < family.steps[0] or random.random() > n_steps / (family.steps[0] + 5):
        return None
    trace = _trace(program, family.steps[1] + 1)
    return (program, trace) if _fits(trace, family) else None


def within(program: Program, family: Family) -> tuple[Program, Trace] | None:
    """A program and its run, where it keeps to the family's bounds and returns."""
    if _plain_steps(program, family) < family.steps[0]:
        return None
    trace = _trace(program, family.steps[1] + 1)
    return (program, trace) if isinstance(trace.outcome, Returned) and _fits(trace, family) else None


def keeps(program: Program, random: Random, family: RealFamily) -> bool:
    """Whether a candidate is kept. It depends on the plain run alone: the same programs on every Python."""
    ran = plain_run(program.source, program.call, family)
    if ran is None or ran.moves < family.steps[0] or random.random() > ran.moves / (family.steps[0] + 10):
        return False
    known = not ran.raised or ran.raised in _EXCEPTIONS or ran.raised in _MORE_EXCEPTIONS
    return known and (not ran.raised or random.random() <= family.raising)


def _real(program: Program, random: Random, family: RealFamily) -> tuple[Program, Trace] | None:
    if not keeps(program, random, family):
        return None
    # A line can be entered many times without a move, by its comprehensions.
    trace = _trace(program, 100 * family.steps[1])
    assert isinstance(trace.outcome, Returned | Raised), f"{program.origin} ends as {trace.outcome}"
    return program, trace


def _trace(program: Program, max_steps: int) -> Trace:
    trace = trace_program(program, Limits(max_steps=max_steps, value_bytes=1 << 12))
    if isinstance(trace.outcome, Raised) and trace.outcome.type == "KeyboardInterrupt":
        raise KeyboardInterrupt  # the user's Ctrl-C met the program: it is no outcome of the program's
    return trace


class _TooLarge(BaseException):
    """Left its family; BaseException so that the program's own handlers do not catch it."""


def _plain_steps(program: Program, family: Family) -> int:
    """Line events of a plain run, -1 where it left its family: cheaper than a trace, a guard of our memory.

    A statement at most squares a number or triples a string, so a look at every line is soon enough.
    """
    steps, most = 0, family.steps[1]
    max_int, max_length = family.max_int, family.max_length

    def local(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal steps
        if event == "line":
            steps += 1
            if steps > most:
                raise _TooLarge
            for value in frame.f_locals.values():
                if isinstance(value, int):
                    if not -max_int <= value <= max_int:
                        raise _TooLarge
                elif isinstance(value, _SIZED) and len(value) > max_length:
                    raise _TooLarge
        return local

    def call(frame: FrameType, event: str, _: Any) -> Any:
        return local if frame.f_code.co_filename == "<candidate>" else None

    namespace: dict[str, object] = {}
    exec(compile(program.source, "<candidate>", "exec", dont_inherit=True), namespace)
    code = compile(program.call, "<call>", "eval", dont_inherit=True)
    before = sys.gettrace()
    sys.settrace(call)
    try:
        result = eval(code, namespace)
    except _TooLarge:
        return -1
    except Exception:  # the program's own end, judged on its trace
        return steps
    finally:
        sys.settrace(before)
    if isinstance(result, int):
        return steps if abs(result) <= max_int else -1
    return -1 if isinstance(result, _SIZED) and len(result) > max_length else steps


def _fits(trace: Trace, family: Family) -> bool:
    outcome = trace.outcome
    if isinstance(outcome, Raised):
        if outcome.type not in _EXCEPTIONS:
            return False
    elif not isinstance(outcome, Returned):
        return False
    if not family.steps[0] <= trace.n_steps <= family.steps[1]:
        return False
    values = trace.values
    for kind, number, data in zip(values.kind, values.number, values.data, strict=True):
        if kind == ValueKind.INT and (data or abs(number) > family.max_int):
            return False
        if kind in (ValueKind.CONCAT, ValueKind.TRUNCATED):
            return False
        if kind == ValueKind.STR and len(data) > family.max_length and not isinstance(outcome, Raised):
            return False
    changes = trace.changes
    return all(
        index < family.max_length
        for place, index in zip(changes.place, changes.index, strict=True)
        if place == Place.ELEMENT
    )
