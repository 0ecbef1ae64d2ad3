"""Select library functions as programs by running them: what `real_code.py` pins.

    find([package, ..], run=.., steady=.., date="2026-11-28", python="3.11.7") -> Pins

Slow, because every call runs in the sandbox. The package itself makes the pinned programs again from their
texts alone (`corpus/library_pins.py`).
"""

from __future__ import annotations

import ast
import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator

from msgspec import Struct

from deskcheck.corpus.library import TRAIN, Package, side_of
from deskcheck.corpus.library_module import Unfit
from deskcheck.corpus.library_pins import (
    LIMITS,
    PinnedCall,
    PinnedModule,
    PinnedPackage,
    Pins,
    candidates,
    judge,
    reached,
    read_module,
)
from deskcheck.decontamination.canonical import normal_form
from deskcheck.decontamination.near import near_copy
from deskcheck.records import Limits, Program, Raised, Trace

PER_FUNCTION = 3
BENCHMARK = "real"
Run = Callable[[Iterable[Program], Limits], Iterator[tuple[Program, Trace]]]
Steady = Callable[[list[Program]], list[bool]]
"""Function that tests each program: whether other runs, with other hash seeds, give the same bytes."""


class Tried(Struct):
    """A function with the programs of its calls, and the numbers of those that are kept."""

    package: Package
    path: str
    function: str
    programs: list[Program]
    numbers: list[int]


def find(packages: Iterable[Package], *, run: Run, steady: Steady, date: str, python: str) -> Pins:
    """Select the functions of these packages that make programs; those of the held-out side come first.

    A function is dropped if it equals an earlier one except for names and constants, or is too similar to a
    program of a benchmark. So no function is on both sides.
    """
    dropped: Counter[str] = Counter()
    tried: list[Tried] = []
    n_functions = 0
    for package in sorted(packages, key=lambda one: (side_of(one.name) == TRAIN, one.name)):
        for path in package.paths:
            module = read_module(package, path)
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
                tried.append(Tried(package, path, node.name, programs, []))
    try_all(tried, run, dropped)
    settle(tried, steady, dropped)
    return pins_of(distinct(tried, dropped), n_functions, dropped, date, python)


def try_all(tried: list[Tried], run: Run, dropped: Counter[str]) -> None:
    """Run all calls and fill `numbers` of each function."""
    results = run((program for candidate in tried for program in candidate.programs), LIMITS)
    for candidate in tried:
        traces = [next(results)[1] for _ in candidate.programs]
        candidate.numbers, reason = choose(traces)
        if not candidate.numbers:
            dropped[reason] += 1


def settle(tried: list[Tried], steady: Steady, dropped: Counter[str]) -> None:
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


def distinct(tried: list[Tried], dropped: Counter[str]) -> Iterator[Tried]:
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


def pins_of(tried: Iterable[Tried], n_functions: int, dropped: Counter[str], date: str, python: str) -> Pins:
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
            name, package.version, package.license, side_of(name),
            [PinnedModule(path, sha256_of(package.text(path)), calls) for path, calls in modules.items()],
        )
        for name, (package, modules) in packages.items()
    ]  # fmt: skip
    return Pins(date, python, n_functions, n_kept, dict(dropped.most_common()), entries)


def sha256_of(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8")).hexdigest()
