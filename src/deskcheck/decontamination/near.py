"""Decide whether a program is too near to a benchmark to be trained on.

    near_copy("import os\ndef g(ys): ..") -> Match("cruxeval", "sample_12", 1.0, ..)
    near_copy(source, entry="f")     near copies are then looked for in what `f` reaches alone

`build`, `train` and rewards ask this function and no other. A unit (`units`) is the same as a benchmark's
program where its form is: then the similarity is 1 and `same` true. It is near where it holds at least half
of the program's features by weight; a feature weighs as many bits as it is rare in the standard library, and
what more than one function in a hundred has weighs nothing. Programs under 15 bits have no near copies, and
those under 100 bits only at 0.6 and in units that are not much longer: what is small is part of everything.
Our generators put statements together at random and meet small programs by chance: near copies of programs
under 100 bits do not count there (`program_copy`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from deskcheck.decontamination.fingerprints import Fingerprints, Print, fingerprints
from deskcheck.decontamination.units import Unit, name_of, units_of
from deskcheck.records import Program

SIMILAR = 0.5
SMALL, SIMILAR_SMALL = 100.0, 0.6
LEAST = 15.0
"""Bits."""
GENERATED = "generated:"
"""How origins of generated programs begin."""
LONGER, MORE = 4, 10
"""A unit near to a small program has at most LONGER times its features, and MORE."""
LEAST_UNREACHED = 24
"""Nodes of a unit that counts though the entry does not reach it."""


class Match(NamedTuple):
    """The program of a benchmark that a program is too near to."""

    benchmark: str
    id: str
    """Of the benchmark's program: "sample_12"."""
    similarity: float
    """Share of the benchmark's features that the unit has, by weight; 1 where their forms are the same."""
    same: bool
    """Up to names, constants and what else makes no difference."""
    unit: str
    """Function or method of the program that was asked about; "<module>" outside of them."""
    line: int


def near_copy(
    source: str, entry: str = "", *, but: Collection[str] = (), least: float = LEAST
) -> Match | None:
    """The nearest program of a benchmark, if too near; `but` leaves benchmarks out. SyntaxError: not Python.

    With an entry, units that it does not reach count only where they are the same as a benchmark's program
    of some size: nothing of them is executed. `least`: bits of a program whose near copies count.
    """
    known = fingerprints()
    try:
        units = units_of(source)
    except (ValueError, RecursionError) as error:
        raise SyntaxError(f"no Python that can be read: {error}") from None
    reached = _reached(units, entry)
    for unit in units:
        number = known.forms.get(unit.form, known.forms.get(unit.whole, -1))
        if number >= 0 and (unit in reached or unit.size >= LEAST_UNREACHED):
            same = known.programs[number]
            if same.benchmark not in but:
                return Match(same.benchmark, same.id, 1.0, True, unit.name, unit.line)
    found = [match for unit in reached for match in _near(unit, known, but, least)]
    return max(found, key=lambda match: match.similarity, default=None)


def program_copy(program: Program) -> Match | None:
    """The same of a program, with its entry and by where it comes from. SyntaxError: not Python."""
    generated = program.origin.startswith(GENERATED)
    return near_copy(program.source, program.entry, least=SMALL if generated else LEAST)


def _reached(units: Sequence[Unit], entry: str) -> Sequence[Unit]:
    """What a call of the entry can run; everything where the entry is not among the units."""
    chosen = [unit for unit in units if unit.name == name_of(entry)]
    if not chosen:
        return units
    spans = chosen[-1].reached
    return [unit for unit in units if any(first <= unit.line <= last for first, last in spans)]


def _near(unit: Unit, known: Fingerprints, but: Collection[str], least: float) -> Iterator[Match]:
    shared: dict[int, float] = {}
    for feature in unit.features:
        if feature in known.by_feature:
            weight, holders = known.by_feature[feature]
            for number in holders:
                shared[number] = shared.get(number, 0.0) + weight
    for number, weight in shared.items():
        one = known.programs[number]
        similarity = weight / one.weight
        if one.weight < least:
            continue
        if similarity >= SIMILAR and one.benchmark not in but and _counts(unit, one, similarity):
            yield Match(one.benchmark, one.id, similarity, False, unit.name, unit.line)


def _counts(unit: Unit, one: Print, similarity: float) -> bool:
    if one.weight >= SMALL:
        return True
    longer = len(unit.features) > LONGER * one.n_features + MORE
    return similarity >= SIMILAR_SMALL and not longer
