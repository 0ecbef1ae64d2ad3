"""The fingerprints of all programs that deskcheck evaluates on: hashes, no benchmark's text.

    fingerprints().digest                       names the edition that ships
    kept_out() -> the table of benchmarks and programs for a card

They ship, so that what training leaves out does not depend on which public data lies on this machine. Made by
`python benchmarks/fingerprints.py --write`.
"""

from __future__ import annotations

import hashlib
import sys
from array import array
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from typing import NamedTuple

import msgspec
from msgspec import Struct

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
    """Programs by benchmark."""


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
