"""Python values that stand for JavaScript values, as `literals.read` makes them, and their equality.

undefined is `UNDEFINED`, a hole of an array `HOLE`, null is None. A number is an int if it is whole, at most
2**53 in size and not -0, else a float. Arrays are lists, plain objects dicts with texts as keys. BigInt, Map,
Set, Date and RegExp have a class each.

The rules of `same`:

strict     `assert.deepStrictEqual` of node: Object.is for primitives, so NaN is NaN and 0 is not -0. A hole
           is not undefined. The order of properties, of a Map and of a Set does not count.
published  `assert.deepEqual`, the rule of CRUXEval-X: == for primitives, so 1 is '1' and null is undefined.
lenient    numbers, bigints and truth values by value, within the tolerance; null, undefined and a hole alike.
"""

from __future__ import annotations

import math
from typing import Any

from msgspec import Struct


class Singleton:
    """A value that exists once and is compared by identity."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return self.name


UNDEFINED = Singleton("undefined")
HOLE = Singleton("<hole>")


class BigInt(Struct, frozen=True):
    """A whole number of any size: 10n."""

    value: int


class Map(Struct, frozen=True):
    """A Map by its pairs, in order."""

    pairs: list[tuple[Any, Any]]


class Set(Struct, frozen=True):
    """A Set by its members, in order."""

    members: list[Any]


class Date(Struct, frozen=True):
    """A Date by its milliseconds since 1970; NaN for an invalid Date."""

    time: float


class RegExp(Struct, frozen=True):
    """A regular expression by its source and flags."""

    source: str
    flags: str


SAFE = 2**53
"""Largest size of a whole number that is an int here; larger ones are floats."""


def number(value: float) -> int | float:
    """Return a number of JavaScript as int if it is whole, at most SAFE in size and not -0; else as float."""
    if isinstance(value, int):
        if -SAFE <= value <= SAFE:
            return value
        try:
            return float(value)
        except OverflowError:
            return math.inf if value > 0 else -math.inf
    is_whole = math.isfinite(value) and value == int(value) and abs(value) <= SAFE
    return int(value) if is_whole and not (value == 0 and math.copysign(1.0, value) < 0) else value


def type_name(value: object) -> str:
    """Return what `typeof` gives for a value that `read` makes."""
    if value is UNDEFINED or value is HOLE:
        return "undefined"
    for kind, name in ((bool, "boolean"), ((int, float), "number"), (str, "string"), (BigInt, "bigint")):
        if isinstance(value, kind):
            return name
    return "object"


def same(a: object, b: object, *, policy: str, tolerance: float) -> bool:
    """Tell whether two values are one answer under a policy."""
    if isinstance(a, list) and isinstance(b, list):
        pairs = list(zip(a, b, strict=False))
        holes = policy != "lenient" and any((x is HOLE) != (y is HOLE) for x, y in pairs)
        alike = all(same(x, y, policy=policy, tolerance=tolerance) for x, y in pairs)
        return len(a) == len(b) and not holes and alike
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(
            same(a[key], b[key], policy=policy, tolerance=tolerance) for key in a
        )
    if isinstance(a, Map) and isinstance(b, Map):
        return _matched(a.pairs, b.pairs, policy, tolerance)
    if isinstance(a, Set) and isinstance(b, Set):
        return _matched([(x, None) for x in a.members], [(x, None) for x in b.members], policy, tolerance)
    if isinstance(a, Date) and isinstance(b, Date):
        return _is(a.time, b.time)
    if isinstance(a, RegExp) and isinstance(b, RegExp):
        return a == b
    if _is_object(a) or _is_object(b):
        return False
    if policy == "strict":
        return _is(a, b)
    return _loosely(a, b) if policy == "published" else _leniently(a, b, tolerance)


def _is_object(value: object) -> bool:
    return isinstance(value, list | dict | Map | Set | Date | RegExp)


def _is(a: object, b: object) -> bool:
    """Tell whether `Object.is` holds for two primitives."""
    if isinstance(a, bool) or isinstance(b, bool):
        return a is b
    if isinstance(a, int | float) and isinstance(b, int | float):
        if math.isnan(a) or math.isnan(b):
            return math.isnan(a) and math.isnan(b)
        return a == b and math.copysign(1.0, a) == math.copysign(1.0, b)
    return type(a) is type(b) and a == b


def _loosely(a: object, b: object) -> bool:
    """Tell whether == holds for two primitives, or both are NaN."""
    nothing = (None, UNDEFINED, HOLE)
    if any(a is each for each in nothing) or any(b is each for each in nothing):
        return any(a is each for each in nothing) and any(b is each for each in nothing)
    if isinstance(a, str) and isinstance(b, str):
        return a == b
    x, y = _as_number(a), _as_number(b)
    both_nan = isinstance(a, float) and isinstance(b, float) and math.isnan(a) and math.isnan(b)
    return both_nan or x == y


def _leniently(a: object, b: object, tolerance: float) -> bool:
    nothing = (None, UNDEFINED, HOLE)
    if any(a is each for each in nothing) or any(b is each for each in nothing):
        return any(a is each for each in nothing) and any(b is each for each in nothing)
    if isinstance(a, str) or isinstance(b, str):
        return isinstance(a, str) and isinstance(b, str) and a == b
    x, y = _as_number(a), _as_number(b)
    if isinstance(x, float) and isinstance(y, float) and math.isnan(x) and math.isnan(y):
        return True
    return x == y or (tolerance > 0 and math.isclose(x, y, rel_tol=tolerance, abs_tol=tolerance))


def _as_number(value: object) -> int | float:
    """Return what `Number(value)` gives for a boolean, number, bigint or string."""
    if isinstance(value, BigInt):
        return value.value
    if isinstance(value, bool | int | float):
        return value
    text = str(value).strip()
    try:
        return float(text) if text else 0.0
    except ValueError:
        return math.nan


def _matched(a: list[tuple[Any, Any]], b: list[tuple[Any, Any]], policy: str, tolerance: float) -> bool:
    """Tell whether entries match one to one, in any order. In a Map and a Set, 0 and -0 are one key."""
    if len(a) != len(b):
        return False
    left = list(b)
    for key, value in a:
        for at, (other, held) in enumerate(left):
            keys = _same_key(key, other, policy, tolerance)
            if keys and same(value, held, policy=policy, tolerance=tolerance):
                del left[at]
                break
        else:
            return False
    return True


def _same_key(a: object, b: object, policy: str, tolerance: float) -> bool:
    if isinstance(a, int | float) and isinstance(b, int | float) and a == b == 0:
        return True
    return same(a, b, policy=policy, tolerance=tolerance)
