"""Families of programs: functions that are the same or nearly the same, known by the first of them.

    families = Families(0.8)
    families.of(program) -> Family("functions:a.py:f:0", is_first=True)

Two functions are of one family where their forms are equal (`units`: names, constants and ways to write the
same thing do not count) or where they share at least `similar` of their features (Jaccard). Candidates come
from MinHash bands and are then compared exactly. A family depends on the programs that came before and on
nothing else, so the same programs in the same order have the same families on any machine.
"""

from __future__ import annotations

import random
from array import array
from typing import NamedTuple

from deskcheck.decontamination.near import Unit, name_of, units_of
from deskcheck.records import Program

BANDS, ROWS = 16, 5
"""A pair that shares 0.8 of its features meets in one of the bands with 0.998."""
FEWEST = 8
"""Features below which only equal forms make a family: what is small is part of everything."""
SIMILAR = 0.8
_PRIME = (1 << 61) - 1
_random = random.Random(2503_05703)
_HASHES = [(_random.randrange(1, _PRIME), _random.randrange(_PRIME)) for _ in range(BANDS * ROWS)]


class Family(NamedTuple):
    """The family of a program."""

    name: str
    """Origin of the program that was its first member."""
    is_first: bool
    """Whether this program calls the function that founded the family."""


class Families:
    """All families seen so far; programs are asked in the order of their dataset."""

    def __init__(self, similar: float = SIMILAR) -> None:
        self._similar = similar
        self._founders: list[tuple[str, array[int]]] = []
        """Origin and sorted features of each founder."""
        self._by_form: dict[str, int] = {}
        self._by_band: dict[tuple[int, ...], list[int]] = {}
        self._known: dict[int, tuple[int, bool]] = {}
        """Hash of source and entry -> number of the family, whether it founded it."""

    def of(self, program: Program) -> Family:
        """The family of a program; it founds one where none is near. SyntaxError: not Python."""
        key = hash((program.source, program.entry))
        if key not in self._known:
            self._known[key] = self._placed(program)
        number, is_first = self._known[key]
        return Family(self._founders[number][0], is_first)

    def _placed(self, program: Program) -> tuple[int, bool]:
        form, features = _read(program)
        if form in self._by_form:
            return self._by_form[form], False
        bands = list(_bands(features)) if len(features) >= FEWEST else []
        number = self._nearest(features, bands)
        is_new = number < 0
        if is_new:
            number = len(self._founders)
            self._founders.append((program.origin, array("I", sorted(features))))
            for band in bands:
                self._by_band.setdefault(band, []).append(number)
        self._by_form[form] = number
        return number, is_new

    def _nearest(self, features: frozenset[int], bands: list[tuple[int, ...]]) -> int:
        """Number of the most similar founder, the earliest of equals; -1 where none is similar enough."""
        best, found = self._similar, -1
        for number in sorted({one for band in bands for one in self._by_band.get(band, ())}):
            other = self._founders[number][1]
            shared = sum(one in features for one in other)
            similarity = shared / (len(features) + len(other) - shared)
            if similarity > best or (similarity == best and found < 0):
                best, found = similarity, number
        return found


def _read(program: Program) -> tuple[str, frozenset[int]]:
    """Form and features of the called function with its helpers, else of the whole text."""
    try:
        units = units_of(program.source)
    except (ValueError, RecursionError) as error:
        raise SyntaxError(f"no Python that can be read: {error}") from None
    name = name_of(program.entry)
    chosen: list[Unit] = [unit for unit in units if unit.name == name][-1:] or list(units)
    return ":".join(unit.whole for unit in chosen), frozenset().union(*(unit.features for unit in chosen))


def _bands(features: frozenset[int]) -> list[tuple[int, ...]]:
    least = [min((a * one + b) % _PRIME for one in features) for a, b in _HASHES]
    return [(band, *least[band * ROWS : (band + 1) * ROWS]) for band in range(BANDS)]
