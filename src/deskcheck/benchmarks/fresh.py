"""fresh: programs generated from a seed at a chosen difficulty; a new seed gives programs no model has seen.

    deskcheck eval --model openai/gpt-4o --benchmark fresh -T seed=20261120 -T n=200 -T steps=20-60

Source: `programs/generated.py`. License: Apache-2.0. The same options make the same programs on every machine
with the same version of Python; another version can count other steps and so select other programs. The
programs are in no file, so with a seed of your own, such as today's date, no model has seen them. A model
trained on other seeds knows the style but not the programs. month=2026-11 is the seed 202611: everybody who
names a month asks the same programs, so results of a month can be compared. The training of a model cannot
have used a month after its release.
Options: level=easy|medium|hard sets the defaults of the others; steps=LOW-HIGH line events; state = maximum
number of characters or entries of a value; largest = largest absolute int; nesting = maximum depth of nested
blocks; calls = greatest call depth of the run, met exactly; types=int,str,list,dict and
operations=+,-,*,//,% = allowed types and operators; raising = share of programs with a statement that may
raise. Each program is its own cluster.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

import msgspec

from deskcheck.corpus.expressions import Family
from deskcheck.errors import UserError
from deskcheck.languages.python.parsing import parse_module
from deskcheck.programs.generated import FAMILIES, candidate
from deskcheck.records import TaskDraft, Trace
from deskcheck.tracing.program import make_program

HUB = None
TYPES = ("int", "str", "list", "dict")
OPERATIONS = {"+": ast.Add, "-": ast.Sub, "*": ast.Mult, "//": ast.FloorDiv, "%": ast.Mod}
_MONTHS = frozenset(f"{number:02}" for number in range(1, 13))
PATIENCE = 4000
"""Number of programs that are generated to find one that fits the options; after that, UserError."""


def drafts(
    data: str,
    *,
    seed: int = 1,
    month: str = "",
    n: int = 100,
    level: str = "medium",
    steps: str = "",
    state: int = 0,
    largest: int = 0,
    nesting: int = 0,
    calls: int = 0,
    types: str = "",
    operations: str = "",
    raising: float = -1.0,
) -> Iterator[TaskDraft]:
    """Yield `n` programs of a seed; a smaller `n` gives the first of the same programs.

    The module's docstring explains the options. With "" or 0 for an option, or `raising` below 0, the family
    of `level` decides.
    """
    if data:
        raise UserError(f"benchmark 'fresh' is generated and reads no data; leave out --data {data}")
    if level not in FAMILIES or level == "first":
        raise UserError(f"-T level={level}: known are easy, medium, hard")
    if month:
        seed = _seed_of(month, seed)
    family = FAMILIES[level]
    changes: dict[str, object] = {"name": f"fresh-{level}"}
    if steps:
        changes["steps"] = _range(steps)
    for field, value in (("max_length", state), ("max_int", largest), ("depth", nesting)):
        if value:
            changes[field] = value
    if raising >= 0:
        changes["raising"] = raising
    family = msgspec.structs.replace(family, **changes)
    allowed = _names(types, TYPES, "types"), _names(operations, tuple(OPERATIONS), "operations")
    yield from _drawn_drafts(family, seed, n, calls, *allowed)


def _drawn_drafts(
    family: Family, seed: int, n: int, calls: int, types: set[str], operations: set[str]
) -> Iterator[TaskDraft]:
    n_yielded = tried = last = 0
    while n_yielded < n:
        drawn = candidate(family, seed, tried)
        tried += 1
        if tried - last > PATIENCE:
            raise UserError(
                f"benchmark 'fresh' kept {n_yielded} of {tried} programs: the dials are too tight together; "
                "widen steps, allow more types or operations, or leave out calls"
            )
        if drawn is None or not _fits(drawn[0].source, drawn[1], calls, types, operations):
            continue
        program, trace = drawn
        last = tried
        program = make_program(
            program.source,
            program.entry,
            program.arguments,
            origin=f"fresh:{seed}:{n_yielded}",
            license="Apache-2.0",
        )
        tags = {"family": family.name, "seed": str(seed), "steps": str(trace.n_steps)}
        yield TaskDraft(
            id=f"{seed}-{n_yielded}", program=program, recorded="", cluster=f"{seed}-{n_yielded}", tags=tags
        )
        n_yielded += 1


def _fits(source: str, trace: Trace, calls: int, types: set[str], operations: set[str]) -> bool:
    nodes = list(ast.walk(parse_module(source)))
    if calls and _depth(trace) != calls:
        return False
    # Types of bound or stored values. Names of variables are also strings, but not among these values.
    seen = {trace.names[trace.values.type[handle]] for handle in trace.changes.value if handle >= 0}
    if seen & (set(TYPES) - types):
        return False
    used = {type(node.op) for node in nodes if isinstance(node, ast.BinOp | ast.AugAssign)}
    return not used & {OPERATIONS[name] for name in OPERATIONS if name not in operations}


def _depth(trace: Trace) -> int:
    """Return the maximum number of functions that were live at once, without comprehensions."""
    depths: list[int] = []
    for code, parent in zip(trace.frames.code, trace.frames.parent, strict=True):
        own = 0 if trace.codes[code].kind == "comprehension" else 1
        depths.append(own + (depths[parent] if parent >= 0 else 0))
    return max(depths, default=0)


def _seed_of(month: str, seed: int) -> int:
    """Return the seed of a month: 202611 for "2026-11"."""
    year, dash, number = month.partition("-")
    if not (dash and year.isdigit() and len(year) == 4 and number in _MONTHS):
        raise UserError(f"-T month={month}: write it as YEAR-MONTH, 2026-11 say")
    if seed != 1:
        raise UserError(f"-T month={month} is a seed of its own; leave out seed={seed}")
    return int(year + number)


def _range(text: str) -> tuple[int, int]:
    low, dash, high = text.partition("-")
    if not (dash and low.isdigit() and high.isdigit() and 1 <= int(low) <= int(high) <= 10_000):
        raise UserError(f"-T steps={text}: write it as LOW-HIGH, 20-60 say, at most 10000")
    return int(low), int(high)


def _names(text: str, known: tuple[str, ...], option: str) -> set[str]:
    names = {one.strip() for one in text.split(",") if one.strip()} or set(known)
    if names - set(known):
        raise UserError(f"-T {option}={text}: known are {', '.join(known)}")
    return names
