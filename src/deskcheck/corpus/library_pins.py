"""Make programs from library functions that were selected once; a sha256 shows that they are still the same.

    pinned("held-out") -> Program | Missing ...

`measurements/pinning.py` ran the functions and selected them. library_pins.json has package, version, module,
function, number of the call and id of each program, but none of the code. The programs are made again from
installed packages. If the id of a program differs, because the version or the text does, it is `Missing` with
the reason.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib.resources import files

import msgspec
from msgspec import Struct, field

from deskcheck.corpus.library import Package, find_package
from deskcheck.corpus.library_cut import cut
from deskcheck.corpus.library_inputs import calls
from deskcheck.corpus.library_module import Module, Unfit
from deskcheck.errors import BadSource, DataError
from deskcheck.grading.verdict import answer_value
from deskcheck.records import EventKind, Limits, Program, Raised, Returned, Trace
from deskcheck.tracing.literal import outcome_text
from deskcheck.tracing.program import make_program

# One step more than MOST_STEPS: a run that reaches this limit is too long.
LIMITS = Limits(max_steps=1_001, time_s=3.0, memory_bytes=1 << 29, trace_bytes=1 << 22, value_bytes=1 << 12)
FEWEST_STEPS, MOST_STEPS, MOST_ANSWER = 3, 1_000, 300
"""Fewest and most executed lines of a run, and most characters of its result."""
# Exceptions that show that a call has arguments of a wrong type.
WRONG_INPUT = {
    "TypeError",
    "AttributeError",
    "NameError",
    "RecursionError",
    "UnboundLocalError",
    "SystemExit",
}


class PinnedCall(Struct, frozen=True, array_like=True):
    """One pinned program: a function and a call of it."""

    function: str
    number: int
    """Number of the call among the calls that are tried for the function."""
    id: str
    """Program.id, which depends on text and arguments."""


class PinnedModule(Struct, frozen=True):
    """One module of a package, with its pinned programs."""

    path: str
    sha256: str
    """Digest of its text, for information only; the ids of the programs decide."""
    programs: list[PinnedCall]


class PinnedPackage(Struct, frozen=True):
    """All pinned programs of one package."""

    name: str
    version: str
    license: str
    side: str
    """"train" or "held-out"."""
    modules: list[PinnedModule]


class Pins(Struct, frozen=True):
    """All pinned library programs, as in library_pins.json."""

    date: str
    """Day on which the programs were selected."""
    python: str
    """Version of Python with which they were selected."""
    functions: int
    """Number of functions at the top level of the modules."""
    n_kept: int = field(name="kept")
    """Number of functions with at least one program."""
    dropped: dict[str, int]
    """Number of other functions by reason; also of modules that do not parse."""
    packages: list[PinnedPackage]
    """Packages with at least one program."""


class Missing(Struct, frozen=True):
    """A pinned program that cannot be made here, with the reason."""

    origin: str
    reason: str


@cache
def known_pins() -> Pins:
    """Read the pinned programs that ship."""
    return msgspec.json.decode(
        files("deskcheck.corpus").joinpath("library_pins.json").read_bytes(), type=Pins
    )


def pinned(side: str, *, only: str = "") -> Iterator[Program | Missing]:
    """Yield the programs of one side, in the order of the file; with `only`, those of one package."""
    for entry in known_pins().packages:
        if entry.side == side and only in ("", entry.name):
            yield from _made_again(entry)


def _made_again(entry: PinnedPackage) -> Iterator[Program | Missing]:
    package = find_package(entry.name)
    for held in entry.modules:
        module = read_module(package, held.path) if package is not None else None
        programs: dict[str, list[Program]] = {}
        for pin in held.programs:
            origin = f"real:{entry.name}:{held.path}:{pin.function}:{pin.number}"
            if package is None:
                yield Missing(origin, f"{entry.name} is not installed")
                continue
            if pin.function not in programs:
                programs[pin.function] = _programs_of(package, held.path, module, pin.function)
            matches = [p for p in programs[pin.function] if p.id == pin.id]
            yield (
                matches[0]
                if matches
                else Missing(origin, f"another text than that of {entry.name} {entry.version}")
            )


def read_module(package: Package, path: str) -> Module | None:
    """Parse a module of a package; None if it cannot be read or parsed."""
    try:
        return Module(package.text(path))
    except (OSError, SyntaxError, ValueError):
        return None


def _programs_of(package: Package, path: str, module: Module | None, function: str) -> list[Program]:
    """Return the programs of all calls that are tried for a function; none if it cannot be cut out."""
    try:
        return candidates(package, path, module, function) if module is not None else []
    except Unfit:
        return []


def candidates(package: Package, path: str, module: Module, function: str) -> list[Program]:
    """Return the programs of all calls to try for a function, by number. Unfit if it cannot be cut out."""
    found = cut(module, function)
    name = f"{package.name}:{path}:{function}"
    return [
        make_program(
            found.source, function, arguments, origin=f"real:{name}:{number}", license=package.license
        )
        for number, arguments in enumerate(calls(found.node, seed=name))
    ]


def reached(trace: Trace) -> frozenset[int]:
    """Return the set of lines that a run executed."""
    return frozenset(
        line
        for kind, line in zip(trace.events.kind, trace.events.line, strict=True)
        if kind == EventKind.LINE
    )


def judge(trace: Trace, *, any_length: bool = False) -> tuple[str, str]:
    """Return (why a run makes no program, ""), or ("", answer) if it makes one.

    Unless it may have any length, a run has FEWEST_STEPS to MOST_STEPS.
    """
    outcome = trace.outcome
    if isinstance(outcome, Raised) and (outcome.type in WRONG_INPUT or outcome.line < 0):
        return "no inputs of the types that it wants were found", ""
    if not isinstance(outcome, Returned | Raised):
        return f"ended by {outcome.__struct_config__.tag}", ""
    if trace.determinism.reads:
        return "reads time, chance or the environment", ""
    try:
        text = outcome_text(trace)
        answer_value(text)
    except (DataError, BadSource):
        return "no call gives plain data", ""
    if not any_length and not FEWEST_STEPS <= trace.n_steps <= MOST_STEPS:
        return f"fewer than {FEWEST_STEPS} or more than {MOST_STEPS} steps", ""
    if len(text) > MOST_ANSWER or trace.fidelity.notes:
        return "too large a value", ""
    return "", text
