"""Group programs into families of equal or nearly equal functions, named by their first member.

    families = Families(0.8)
    families.of(program) -> Family("functions:a.py:f:0", is_first=True)

A function belongs to a family if its form equals that of a member (names, constants and equivalent ways of
writing do not count) or if it shares at least `similar` of its features with the first member (Jaccard).
MinHash bands select the families to compare. The family of a program depends only on the programs before it,
so the same programs in the same order have the same families on any machine.
"""

from __future__ import annotations

import random
from array import array
from typing import NamedTuple

from deskcheck.decontamination.near import name_of, units_of
from deskcheck.decontamination.prints import Unit
from deskcheck.records import Program

BANDS, ROWS = 16, 5
"""MinHash bands and hashes in each. A pair with similarity 0.8 has an equal band with probability 0.998."""
FEWEST = 8
"""Least number of features for a comparison. Smaller functions are in one family only if forms are equal."""
SIMILAR = 0.8
"""Least share of common features of two functions in one family, if the caller names no other."""
_PRIME = (1 << 61) - 1
_random = random.Random(2503_05703)  # an arbitrary fixed seed: the same hashes on every machine
# Factors a and b of the MinHash functions (a * feature + b) % _PRIME.
_HASHES = [(_random.randrange(1, _PRIME), _random.randrange(_PRIME)) for _ in range(BANDS * ROWS)]


class Family(NamedTuple):
    """The family that a program belongs to."""

    name: str
    """Origin of the program that was its first member."""
    is_first: bool
    """Whether this program calls the function with which the family began."""


class Families:
    """All families so far; programs must come in the order of their dataset."""

    def __init__(self, similar: float = SIMILAR) -> None:
        self._similar = similar
        self._founders: list[tuple[str, array[int]]] = []
        """Origin and sorted features of each founder."""
        self._by_form: dict[str, int] = {}
        self._by_band: dict[tuple[int, ...], list[int]] = {}
        self._known: dict[int, tuple[int, bool]] = {}
        """Hash of source and function -> (number of the family, whether the program is its first member)."""

    def of(self, program: Program) -> Family:
        """Return the family of a program; begin a new one if none is similar. SyntaxError: not Python."""
        key = hash((program.source, name_of(program.entry)))
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
        """Return the number of the most similar family, the earliest of equals; -1 if none is similar."""
        best, nearest = self._similar, -1
        for number in sorted({one for band in bands for one in self._by_band.get(band, ())}):
            other = self._founders[number][1]
            shared = sum(one in features for one in other)
            similarity = shared / (len(features) + len(other) - shared)
            if similarity > best or (similarity == best and nearest < 0):
                best, nearest = similarity, number
        return nearest


def _read(program: Program) -> tuple[str, frozenset[int]]:
    """Return form and features of the called function with its helpers; of the whole text if not found."""
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
