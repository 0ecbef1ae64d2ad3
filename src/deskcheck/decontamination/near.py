"""Decide whether a program is too near to a benchmark to be trained on, by fingerprints that ship.

    near_copy("import os\\ndef g(ys): ..") -> Match("cruxeval", "sample_12", 1.0, ..)
    near_copy(source, entry="f")     near copies are then looked for in what `f` reaches alone
    fingerprints().digest                       names the edition that ships
    kept_out() -> the table of benchmarks and programs for a card

`build`, `train` and rewards ask this function and no other. A unit (`units`) is the same as a benchmark's
program where its form is: then the similarity is 1 and `same` true. It is near where it holds at least half
of the program's features by weight; a feature weighs as many bits as it is rare in the standard library, and
what more than one function in a hundred has weighs nothing. Programs under 15 bits have no near copies, and
those under 100 bits only at 0.6 and in units that are not much longer: what is small is part of everything.
Our generators put statements together at random and meet small programs by chance: near copies of programs
under 100 bits do not count there (`program_copy`).
Fingerprints are hashes, no benchmark's text. They ship, so that what training leaves out does not depend on
which public data lies on this machine. Made by `python measurements/fingerprints.py --write`.
"""

from __future__ import annotations

import hashlib
import sys
from array import array
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache
from importlib.resources import files
from typing import NamedTuple

import msgspec
from msgspec import Struct

from deskcheck.decontamination.units import Unit, name_of, units_of
from deskcheck.records import Program

FILE = "fingerprints.msgpack"
WEIGHT_UNIT = 16
"""Weights are stored as sixteenths of a bit."""


class Prints(Struct, frozen=True):
    """The programs of one benchmark."""

    near: bool
    """Whether near copies count; programs that one grammar wrote are all near to each other."""
    ids: list[str]
    forms: list[bytes]
    """Of each program: forms of 8 bytes each."""
    features: list[bytes]
    """Of each program: numbers of its features with weight, as unsigned 16-bit numbers, little-endian."""
    n_features: list[int]
    """Of each program: all features, those without weight too."""


class Edition(Struct, frozen=True):
    """Content of the file of fingerprints that ships."""

    date: str
    features: bytes
    """Hashes of 32 bits, little-endian."""
    weights: bytes
    """How rare each feature is in the standard library, in sixteenths of a bit."""
    benchmarks: dict[str, Prints]


class Print(NamedTuple):
    """One program that is kept out."""

    benchmark: str
    id: str
    weight: float
    """Of all its features together, in bits; 0 where near copies do not count."""
    n_features: int


class Fingerprints(NamedTuple):
    """An edition, ready to be asked."""

    digest: str
    """First 16 hex digits of the file's sha256."""
    programs: list[Print]
    forms: dict[str, int]
    """Form -> number of its program."""
    by_feature: dict[int, tuple[float, list[int]]]
    """Feature -> its weight in bits, and the numbers of the programs that have it."""
    benchmarks: dict[str, int]
    """Name of a benchmark -> number of its programs that are known here."""


@cache
def fingerprints() -> Fingerprints:
    """Read the edition of fingerprints that ships."""
    data = files("deskcheck.decontamination").joinpath(FILE).read_bytes()
    return opened(msgspec.msgpack.decode(data, type=Edition), hashlib.sha256(data).hexdigest()[:16])


def opened(edition: Edition, digest: str) -> Fingerprints:
    """Turn an edition into tables for look-ups."""
    hashes = numbers("I", edition.features)
    weights = [weight / WEIGHT_UNIT for weight in edition.weights]
    programs: list[Print] = []
    forms: dict[str, int] = {}
    holders: list[list[int]] = [[] for _ in hashes]
    for name, prints in edition.benchmarks.items():
        for number, identity in enumerate(prints.ids):
            features = numbers("H", prints.features[number])
            own = prints.forms[number].hex()
            for start in range(0, len(own), 16):
                forms.setdefault(own[start : start + 16], len(programs))
            for feature in features:
                holders[feature].append(len(programs))
            weight = sum(weights[n] for n in features)
            programs.append(Print(name, identity, weight, prints.n_features[number]))
    by_feature = {
        value: (weight, who) for value, weight, who in zip(hashes, weights, holders, strict=True) if who
    }
    sizes = {name: len(prints.ids) for name, prints in edition.benchmarks.items()}
    return Fingerprints(digest, programs, forms, by_feature, sizes)


def packed(code: str, values: Iterable[int]) -> bytes:
    """Whole numbers as little-endian bytes; `code` is that of the module `array`."""
    found = array(code, values)
    if sys.byteorder == "big":
        found.byteswap()
    return found.tobytes()


def numbers(code: str, data: bytes) -> array[int]:
    """Decode little-endian bytes into an array of numbers."""
    found = array(code, data)
    if sys.byteorder == "big":
        found.byteswap()
    return found


def kept_out() -> str:
    """A table for a card: every benchmark with its programs."""
    known = fingerprints()
    lines = ["| kept out of training | programs |", "|---|---|"]
    lines += [f"| {name} | {n:,} |" for name, n in known.benchmarks.items()]
    lines.append(f"| fingerprints {known.digest} | {sum(known.benchmarks.values()):,} |")
    return "\n".join(lines) + "\n"


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
