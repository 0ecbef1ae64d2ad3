"""generated: any number of seeded random programs, whose steps and values are bounded by their family.

    programs(SourceOptions(source="generated", family="easy", seed=1, n=1000, calls_each=6)) -> Program ...
    traced("easy", seed=1, n=1000)                             -> (Program, Trace) ...
    traced("easy:javascript", seed=1, n=1000)                  the same programs and calls in JavaScript

Program k of a seed is the k-th candidate that its family accepts, so any range can be regenerated. With
`calls_each` above 1, each program comes with further calls, whose arguments are drawn like those of the first
call and whose runs keep to the family's bounds.

The family `easy` was frozen with its held-out seed before anything was trained. Programs of the `HELD_OUT`
seeds are never training data, and neither are programs that equal one of them up to names and constants
(`decontamination`). Candidates run in this process, because deskcheck wrote them, they import only modules
of the standard library that do nothing but compute, and their steps are bounded.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from random import Random
from typing import TypeVar

from deskcheck.corpus.expressions import Expressions, Family, Written
from deskcheck.corpus.grammar import write_program
from deskcheck.corpus.idioms.programs import IDIOMS, IdiomFamily, write_idioms
from deskcheck.corpus.idioms.values import Values
from deskcheck.corpus.plain_run import plain_run, plain_steps
from deskcheck.corpus.real_expressions import REAL, RealFamily
from deskcheck.corpus.real_programs import write_real
from deskcheck.corpus.real_statements import Body
from deskcheck.errors import UnknownName, UserError
from deskcheck.plugins import SourceOptions
from deskcheck.records import Limits, Place, Program, Raised, Returned, Trace, ValueKind
from deskcheck.tracing.program import make_program
from deskcheck.tracing.run import trace_program

TRUST = "ours"  # may run outside the sandbox: see `containment.admit`
JAVASCRIPT = "javascript"
"""Language that follows a family's name if its programs are translated: "easy:javascript"."""
TAKES = ("family", "seed", "start", "n", "calls_each")
FAMILIES = {
    family.name: family
    for family in (
        Family(
            name="first",
            steps=(1, 5),
            max_int=99,
            max_length=6,
            statements=(1, 2),
            loop_length=(1, 2),
            depth=0,
            raising=0.05,
        ),
        Family(
            name="easy",
            steps=(1, 12),
            max_int=999,
            max_length=8,
            statements=(2, 5),
            loop_length=(1, 3),
            depth=1,
            raising=0.15,
        ),
        Family(
            name="medium",
            steps=(13, 40),
            max_int=99_999,
            max_length=16,
            statements=(2, 5),
            loop_length=(2, 6),
            depth=2,
            raising=0.15,
        ),
        Family(
            name="hard",
            steps=(41, 200),
            max_int=999_999_999,
            max_length=32,
            statements=(3, 7),
            loop_length=(4, 12),
            depth=3,
            raising=0.15,
        ),
    )
}
HELD_OUT = {
    "easy": 900_001,
    "medium": 900_002,
    "hard": 900_003,
    "real-1": 900_004,
    "states-1": 900_005,
    "idioms": 900_006,
}
"""Seed of the held-out programs of each family, which are for evaluation only."""
N_HELD_OUT = 500
"""Number of held-out programs of each family."""
FROZEN_SHA256 = "33e59a93174ed88d8fb19e229221f84626658c1c665205a9218459f854356eb4"
"""Hash of the ids of the held-out `easy` programs, one id per line, with the step counts of CPython 3.11."""
_MORE_EXCEPTIONS = {"AssertionError", "AttributeError", "RuntimeError", "StopIteration"}
"""Exceptions that may also end a program of a `RealFamily`."""
PART = 250
"""Candidates of one part of a parallel build; one core makes their programs and calls in about a second."""
Item = TypeVar("Item")
_DRAWS = 4
"""Draws of arguments for each further call that is wanted."""
_EXCEPTIONS = {"IndexError", "KeyError", "ValueError", "ZeroDivisionError", "TypeError"}
"""Exceptions that may end a generated program."""


def programs(options: SourceOptions) -> Iterator[Program]:
    """Yield `options.n` programs of a family and seed from number `options.start` on, with further calls."""
    family, _ = _named(options.family)
    for program, _ in _accepted(family, seed=options.seed, n=options.n, start=options.start):
        yield from _with_calls(program, options)


def part(options: SourceOptions, number: int) -> list[list[Program]]:
    """Return the accepted programs of part `number`, each with its further calls, for `joined`."""
    family, _ = _named(options.family)
    numbers = range(number * PART, (number + 1) * PART)
    found = (candidate(family, options.seed, one) for one in numbers)
    return [list(_with_calls(pair[0], options)) for pair in found if pair is not None]


def joined(options: SourceOptions, parts: Iterator[list[Item]]) -> Iterator[Item]:
    """Yield, from all parts in order, the items of those programs that `programs` would yield.

    `parts`: for each part one item for each accepted program, in order.
    """
    _named(options.family)  # an unknown family is reported before any part is made
    n_accepted = 0
    for n_parts, part in enumerate(parts, 1):
        for item in part:
            n_accepted += 1
            if n_accepted > options.start:
                yield item
            if n_accepted == options.start + options.n:
                return
        _check_bounds(options.family, options.seed, n_accepted, n_parts * PART)


def _with_calls(program: Program, options: SourceOptions) -> Iterator[Program]:
    n_more = (options.calls_each or 1) - 1
    calls = chain([program], further_calls(program, n_more) if n_more else ())
    if not _named(options.family)[1]:
        yield from calls
        return
    from deskcheck.corpus.twins.statements import in_javascript  # only where it is used

    yield from map(in_javascript, calls)


def further_calls(program: Program, n: int) -> Iterator[Program]:
    """Yield up to `n` other calls of a generated program; fewer if the draws repeat or leave its bounds."""
    _, name, seed, number = program.origin.split(":")
    family = family_of(name)
    kinds = _written(family, int(seed), int(number))[0].kinds
    random = Random(f"{name}:{seed}:{number}:calls")
    draw = _drawer(random, family)
    seen, left = {program.arguments}, n
    for _ in range(_DRAWS * n if kinds else 0):
        arguments = ", ".join(draw.literal(kind) for kind in kinds)
        if arguments in seen:
            continue
        seen.add(arguments)
        origin = f"{program.origin}:{n - left + 1}"
        mutant = make_program(
            program.source, program.entry, arguments, origin=origin, license=program.license
        )
        if _keeps_to(family, mutant):
            yield mutant
            left -= 1
            if not left:
                return


def _drawer(random: Random, family: Family | RealFamily) -> Expressions | Body | Values:
    if isinstance(family, IdiomFamily):
        return Values(random)
    return Body(random, family) if isinstance(family, RealFamily) else Expressions(random, family)


def _keeps_to(family: Family | RealFamily, program: Program) -> bool:
    if isinstance(family, RealFamily):
        ran = plain_run(program.source, program.call, family)
        return ran is not None and ran.moves >= family.steps[0] and (not ran.raised or _is_known(ran.raised))
    enough = plain_steps(program, family) >= family.steps[0]
    return enough and _fits(_trace(program, family.steps[1] + 1), family)


def family_of(name: str) -> Family | RealFamily:
    """Return the family of a name; UnknownName lists the known ones."""
    family = FAMILIES.get(name) or REAL.get(name) or IDIOMS.get(name)
    if family is None:
        raise UnknownName("family of generated programs", name, [*FAMILIES, *REAL, *IDIOMS])
    return family


def split_name(name: str) -> tuple[str, str]:
    """Return family and language of "easy:javascript"; the language is "" for any other name."""
    family, mark, language = name.rpartition(":")
    return (family, language) if mark and language == JAVASCRIPT else (name, "")


def _named(name: str) -> tuple[Family | RealFamily, str]:
    """Return family and language of "easy:javascript". UserError for a family without twins."""
    family, language = split_name(name)
    found = family_of(family)
    if language and isinstance(found, RealFamily):
        raise UserError(
            f"family '{name}': the programs of '{family}' are written in Python alone; "
            f"{', '.join(FAMILIES)} have twins in {language}"
        )
    return found, language


def check_family(name: str) -> None:
    """Raise UserError if there is no family of this name, or it has no twins in the language behind it."""
    _named(name)


def traced(family: str, *, seed: int, n: int, start: int = 0) -> Iterator[tuple[Program, Trace]]:
    """Yield programs with their traces; raise UserError if about 1 in 1,000 candidates or fewer pass.

    A twin in JavaScript that does not end is left out.
    """
    bounds, language = _named(family)
    for pair in _accepted(bounds, seed=seed, n=n, start=start):
        translated = in_language(*pair) if language else pair
        if translated is not None:
            yield translated


def in_language(program: Program, trace: Trace) -> tuple[Program, Trace] | None:
    """Return the twin of a program in JavaScript with its trace; None if it does not end."""
    from deskcheck.corpus.twins.families import twin  # only where it is used

    return twin(program, trace.limits)


def _accepted(
    bounds: Family | RealFamily, *, seed: int, n: int, start: int
) -> Iterator[tuple[Program, Trace]]:
    n_accepted = n_tried = 0
    while n_accepted < start + n:
        accepted = candidate(bounds, seed, n_tried)
        n_tried += 1
        if accepted is not None:
            n_accepted += 1
            if n_accepted > start:
                yield accepted
        else:
            _check_bounds(bounds.name, seed, n_accepted, n_tried)


def _check_bounds(family: str, seed: int, n_accepted: int, n_tried: int) -> None:
    if n_tried > 1000 * (n_accepted + 10):
        raise UserError(
            f"family '{family}' accepted {n_accepted} of {n_tried} candidates of seed {seed}; its bounds "
            "are too narrow: widen its steps, or choose another family"
        )


def write_candidate(family: Family | RealFamily, seed: int, number: int) -> tuple[Program, Random]:
    """Write candidate `number` of a seed, unfiltered; return it with the `Random` for `is_accepted`."""
    (source, entry, arguments, _), random = _written(family, seed, number)
    origin = f"generated:{family.name}:{seed}:{number}"
    return make_program(source, entry, arguments, origin=origin, license="Apache-2.0"), random


def _written(family: Family | RealFamily, seed: int, number: int) -> tuple[Written, Random]:
    random = Random(f"{family.name}:{seed}:{number}")
    if isinstance(family, IdiomFamily):
        return write_idioms(random, family), random
    if isinstance(family, RealFamily):
        return write_real(random, family), random
    return write_program(random, family), random


def candidate(family: Family | RealFamily, seed: int, number: int) -> tuple[Program, Trace] | None:
    """Return candidate `number` of a seed with its trace, or None if its family does not accept it."""
    program, random = write_candidate(family, seed, number)
    if isinstance(family, RealFamily):
        return _real(program, random, family)
    n_steps = plain_steps(program, family)
    # Most candidates are short and have no loop. Short runs are thinned out, so that loops stay frequent.
    if n_steps < family.steps[0] or random.random() > n_steps / (family.steps[0] + 5):
        return None
    trace = _trace(program, family.steps[1] + 1)
    return (program, trace) if _fits(trace, family) else None


def run_within_bounds(program: Program, family: Family) -> tuple[Program, Trace] | None:
    """Return a program and its trace if it returns within the family's bounds, else None."""
    if plain_steps(program, family) < family.steps[0]:
        return None
    trace = _trace(program, family.steps[1] + 1)
    return (program, trace) if isinstance(trace.outcome, Returned) and _fits(trace, family) else None


def is_accepted(program: Program, random: Random, family: RealFamily) -> bool:
    """Decide whether a family accepts a candidate.

    The length of a run is counted in moves (see `plain_run`), so that every Python version accepts the same
    candidates.
    """
    ran = plain_run(program.source, program.call, family)
    if ran is None or ran.moves < family.steps[0]:
        return False
    if random.random() > ran.moves / (family.steps[0] + 10) and not isinstance(family, IdiomFamily):
        return False
    return not ran.raised or (_is_known(ran.raised) and random.random() <= family.raising)


def _is_known(raised: str) -> bool:
    return raised in _EXCEPTIONS or raised in _MORE_EXCEPTIONS


def _real(program: Program, random: Random, family: RealFamily) -> tuple[Program, Trace] | None:
    if not is_accepted(program, random, family):
        return None
    # Comprehensions enter a line many times in one move, so steps may exceed moves by far.
    trace = _trace(program, 100 * family.steps[1])
    assert isinstance(trace.outcome, Returned | Raised), f"{program.origin} ends as {trace.outcome}"
    return program, trace


def _trace(program: Program, max_steps: int) -> Trace:
    trace = trace_program(program, Limits(max_steps=max_steps, value_bytes=1 << 12))
    if isinstance(trace.outcome, Raised) and trace.outcome.type == "KeyboardInterrupt":
        raise KeyboardInterrupt  # Ctrl-C of the user while the program ran; no outcome of the program
    return trace


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
