"""Library functions as programs: selected once by running them, then identified by sha256.

    find([package, ..], run=trace_programs, ..) -> Pins        slow: runs every call in the sandbox
    pinned("held-out") -> Program | Missing ...                fast: cuts texts and runs nothing

library_pins.json has package, version, module, function, number of the call and id of each program, but none
of the code. The programs are made again from installed packages. If the id of a program differs, because the
version or the text does, it is `Missing` with the reason.
"""

from __future__ import annotations

import ast
import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from importlib.resources import files

import msgspec
from msgspec import Struct, field

from deskcheck.corpus.library import TRAIN, Package, find_package, side_of
from deskcheck.corpus.library_cut import cut
from deskcheck.corpus.library_inputs import calls
from deskcheck.corpus.library_module import Module, Unfit
from deskcheck.decontamination.canonical import normal_form
from deskcheck.decontamination.near import near_copy
from deskcheck.errors import BadSource, DataError
from deskcheck.grading.verdict import answer_value
from deskcheck.records import EventKind, Limits, Program, Raised, Returned, Trace
from deskcheck.tracing.literal import outcome_text
from deskcheck.tracing.program import make_program

LIMITS = Limits(max_steps=1_001, time_s=3.0, memory_bytes=1 << 29, trace_bytes=1 << 22, value_bytes=1 << 12)
FEWEST_STEPS, MOST_STEPS, MOST_ANSWER = 3, 1_000, 300
PER_FUNCTION = 3
BENCHMARK = "real"
WRONG_INPUT = {
    "TypeError",
    "AttributeError",
    "NameError",
    "RecursionError",
    "UnboundLocalError",
    "SystemExit",
}
Run = Callable[[Iterable[Program], Limits], Iterator[tuple[Program, Trace]]]
Steady = Callable[[list[Program]], list[bool]]
"""Function that tests each program: whether other runs, with other hash seeds, give the same bytes."""


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
    licence: str
    side: str
    modules: list[PinnedModule]


class Pins(Struct, frozen=True):
    """All pinned library programs, as in library_pins.json."""

    date: str
    python: str
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


class _Tried(Struct):
    """A function with the programs of its calls, and the numbers of those that are kept."""

    package: Package
    path: str
    function: str
    programs: list[Program]
    numbers: list[int]


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
        module = _module(package, held.path) if package is not None else None
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


def _module(package: Package, path: str) -> Module | None:
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
            found.source, function, arguments, origin=f"real:{name}:{number}", licence=package.licence
        )
        for number, arguments in enumerate(calls(found.node, seed=name))
    ]


# ------------------------------------------------------------------ finding them


def find(packages: Iterable[Package], *, run: Run, steady: Steady, date: str, python: str) -> Pins:
    """Select the functions of these packages that make programs; those of the held-out side come first.

    A function is dropped if it equals an earlier one except for names and constants, or is too similar to a
    program of a benchmark. So no function is on both sides.
    """
    dropped: Counter[str] = Counter()
    tried: list[_Tried] = []
    n_functions = 0
    for package in sorted(packages, key=lambda one: (side_of(one.name) == TRAIN, one.name)):
        for path in package.paths:
            module = _module(package, path)
            if module is None:
                dropped["modules that do not parse"] += 1
                continue
            for node in module.functions():
                n_functions += 1
                try:
                    programs = candidates(package, path, module, node.name)
                except Unfit as why:
                    dropped[str(why)] += 1
                    continue
                if not programs:
                    dropped["wants a function, a type or an object as an argument"] += 1
                    continue
                tried.append(_Tried(package, path, node.name, programs, []))
    _try(tried, run, dropped)
    _settle(tried, steady, dropped)
    return _pins(_told_apart(tried, dropped), n_functions, dropped, date, python)


def _try(tried: list[_Tried], run: Run, dropped: Counter[str]) -> None:
    """Run all calls and fill `numbers` of each function."""
    results = run((program for candidate in tried for program in candidate.programs), LIMITS)
    for candidate in tried:
        traces = [next(results)[1] for _ in candidate.programs]
        candidate.numbers, reason = choose(traces)
        if not candidate.numbers:
            dropped[reason] += 1


def _settle(tried: list[_Tried], steady: Steady, dropped: Counter[str]) -> None:
    """Remove from `numbers` the calls whose further runs differ."""
    found = iter(steady([candidate.programs[number] for candidate in tried for number in candidate.numbers]))
    for candidate in tried:
        before = len(candidate.numbers)
        candidate.numbers = [number for number in candidate.numbers if next(found)]
        if before and not candidate.numbers:
            dropped["not the same in every run"] += 1


def choose(traces: list[Trace]) -> tuple[list[int], str]:
    """Return the numbers of the calls of a function to keep, and the reason if there are none."""
    reasons: Counter[str] = Counter()
    numbers: list[int] = []
    lines: set[int] = set()
    lengths: set[int] = set()
    answers: set[str] = set()
    for number, trace in enumerate(traces):
        reason, answer = judge(trace)
        reasons[reason] += 1
        if reason:
            continue
        visited = reached(trace)
        new = bool(visited - lines)
        if isinstance(trace.outcome, Raised) and (not new or answer in answers or not numbers):
            continue
        if len(numbers) < PER_FUNCTION and (new or (answer not in answers and trace.n_steps not in lengths)):
            numbers.append(number)
            lines |= visited
            lengths.add(trace.n_steps)
            answers.add(answer)
    if numbers:
        return numbers, ""
    del reasons[""]
    return [], reasons.most_common(1)[0][0] if reasons else "only raises"


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


def _told_apart(tried: list[_Tried], dropped: Counter[str]) -> Iterator[_Tried]:
    seen: set[str] = set()
    held_out: set[str] = set()  # forms without called functions and constants, which may differ
    for candidate in tried:
        if not candidate.numbers:
            continue
        form, alone = normal_form(candidate.programs[0].source), form_alone(candidate.programs[0])
        if near_copy(candidate.programs[0].source, candidate.programs[0].entry, but=(BENCHMARK,)):
            dropped["a program of a benchmark"] += 1
        elif form in seen or (side_of(candidate.package.name) == TRAIN and alone in held_out):
            dropped["the same as another function"] += 1
        else:
            seen.add(form)
            if side_of(candidate.package.name) != TRAIN:
                held_out.add(alone)
            yield candidate


def form_alone(program: Program) -> str:
    """Return the normal form of the called function, without the other code of its program."""
    body = ast.parse(program.source).body
    (node,) = (one for one in body if isinstance(one, ast.FunctionDef) and one.name == program.entry)
    return normal_form(ast.unparse(node))


def _pins(tried: Iterable[_Tried], n_functions: int, dropped: Counter[str], date: str, python: str) -> Pins:
    packages: dict[str, tuple[Package, dict[str, list[PinnedCall]]]] = {}
    n_kept = 0
    for candidate in tried:
        n_kept += 1
        modules = packages.setdefault(candidate.package.name, (candidate.package, {}))[1]
        modules.setdefault(candidate.path, []).extend(
            PinnedCall(candidate.function, number, candidate.programs[number].id)
            for number in candidate.numbers
        )
    entries = [
        PinnedPackage(
            name, package.version, package.licence, side_of(name),
            [PinnedModule(path, _sha256(package.text(path)), calls) for path, calls in modules.items()],
        )
        for name, (package, modules) in packages.items()
    ]  # fmt: skip
    return Pins(date, python, n_functions, n_kept, dict(dropped.most_common()), entries)


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8")).hexdigest()
