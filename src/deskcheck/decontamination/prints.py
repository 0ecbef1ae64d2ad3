"""Types that decontamination compares: the units of a program, and hashes of the programs of benchmarks."""

from __future__ import annotations

from typing import NamedTuple

from msgspec import Struct

MODULE = "<module>"
"""Name of the unit of the statements outside of functions."""
MOST_REACHED = 200
"""Maximum number of functions that are followed from one function to those that it calls."""
MOST_HELPERS = 12
"""Maximum number of helpers in a unit. Code that calls half a library is not a copy of that library."""


class Unit(NamedTuple):
    """One function, method or module body."""

    name: str
    """Qualified name: "Solution.solve"; "<module>" for statements outside of functions."""
    line: int
    form: str
    """Form of the function without helpers, 16 hex digits."""
    whole: str
    """Form of the function with the helpers that it calls, in order of their first call."""
    size: int
    """Number of nodes in the canonical tree of the function without helpers."""
    features: frozenset[int]
    """Features of the function and its helpers."""
    reached: tuple[tuple[int, int], ...]
    """First and last lines of the function and of everything that it calls, directly or indirectly."""


WEIGHT_UNIT = 16
"""Units of stored weights in one bit."""


class Prints(Struct, frozen=True):
    """Fingerprints of the programs of one benchmark; the lists have one entry for each program."""

    near: bool
    """Whether near copies count; they do not if one grammar made all programs, which are then similar."""
    ids: list[str]
    forms: list[bytes]
    """Hashes of the programs' units as canonical trees, 8 bytes a unit, joined."""
    features: list[bytes]
    """Numbers of the features with weight, as unsigned 16-bit numbers, little-endian."""
    n_features: list[int]
    """Number of all features, including those without weight."""


class Edition(Struct, frozen=True):
    """Content of the file of fingerprints that ships."""

    date: str
    features: bytes
    """Hashes of 32 bits, little-endian."""
    weights: bytes
    """Rarity of each feature in the standard library, in sixteenths of a bit."""
    benchmarks: dict[str, Prints]


class Print(NamedTuple):
    """One program of a benchmark that is kept out of training data."""

    benchmark: str
    id: str
    weight: float
    """Sum of the weights of its features, in bits; 0 if near copies do not count."""
    n_features: int


class Fingerprints(NamedTuple):
    """Tables of one edition for look-ups."""

    digest: str
    """First 16 hex digits of the file's sha256."""
    programs: list[Print]
    forms: dict[str, int]
    """Form -> number of its program."""
    by_feature: dict[int, tuple[float, list[int]]]
    """Feature -> (weight in bits, numbers of the programs that have it)."""
    benchmarks: dict[str, int]
    """Name of a benchmark -> number of its programs in this edition."""
