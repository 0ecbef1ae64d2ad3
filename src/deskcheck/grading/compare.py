"""Decide whether two plain values are the same answer, under a named policy.

    equal([1, 2], [1, 2], "strict")        -> True
    equal((1, True), [1.0, 1], "strict")   -> False      types count
    equal((1, True), [1.0, 1], "lenient")  -> True       numbers by value, list = tuple
    equal(0.1 + 0.2, 0.3, "lenient:1e-9")  -> True       named tolerance, relative and absolute
    equal([1], [True], "published")        -> True       Python's ==, the rule of CRUXEval and LiveCodeBench

strict   exact types all the way down: True is not 1, 1 is not 1.0, a list is no tuple, a set no frozenset.
         NaN is NaN. 0.0 is not -0.0: a program that prints them shows different text, and 1/x differs.
         The order of a dictionary does not count.
lenient  numbers (bool, int, float, complex) by value, so 0.0 is -0.0; NaN is NaN; list = tuple;
         set = frozenset; text and bytes stay apart. A tolerance applies to values, not to dictionary keys or
         members of sets.
"""

from __future__ import annotations

import cmath
import math

from deskcheck.errors import UnknownName, UserError

POLICIES = ("strict", "lenient", "published")


def tolerance_of(policy: str) -> float:
    """Check the name of a policy and give its float tolerance: 0.0, or t of "lenient:t"."""
    name, colon, number = policy.partition(":")
    if name not in POLICIES or (colon and name != "lenient"):
        raise UnknownName("policy", policy, [*POLICIES, "lenient:1e-9"])
    if not colon:
        return 0.0
    try:
        tolerance = float(number)
    except ValueError:
        tolerance = -1.0
    if not 0.0 <= tolerance < math.inf:
        raise UserError(f"the tolerance of policy '{policy}' is no number >= 0; write it as lenient:1e-9")
    return tolerance


def equal(a: object, b: object, policy: str = "strict") -> bool:
    """True where the two values are the same answer. Values are those that `parse_literal` makes."""
    tolerance = tolerance_of(policy)
    if policy == "published":
        return bool(a == b)
    if policy == "strict":
        return _exact(a) == _exact(b)
    return _close(a, b, tolerance)


def _exact(value: object) -> object:
    """A hashable form that two values share exactly when `strict` calls them equal."""
    kind = type(value).__name__
    if isinstance(value, list | tuple):
        return kind, tuple(map(_exact, value))
    if isinstance(value, set | frozenset):
        return kind, frozenset(map(_exact, value))
    if isinstance(value, dict):
        return kind, frozenset((_exact(key), _exact(item)) for key, item in value.items())
    if isinstance(value, float):
        return kind, _float_text(value)
    if isinstance(value, complex):
        return kind, _float_text(value.real), _float_text(value.imag)
    return kind, value


def _float_text(value: float) -> str:
    return "nan" if math.isnan(value) else value.hex()


def _loose(value: object) -> object:
    """A hashable form for dictionary keys and set members under `lenient`."""
    if isinstance(value, list | tuple):
        return "sequence", tuple(map(_loose, value))
    if isinstance(value, set | frozenset):
        return "set", frozenset(map(_loose, value))
    if isinstance(value, bool | int | float | complex):
        return "number", "nan" if _is_nan(value) else value
    return type(value).__name__, value


def _is_nan(value: complex) -> bool:
    # An int is never NaN, and a huge one does not fit the float that isnan wants.
    return not isinstance(value, int) and (math.isnan(value.real) or math.isnan(value.imag))


def _close(a: object, b: object, tolerance: float) -> bool:
    if isinstance(a, list | tuple) and isinstance(b, list | tuple):
        return len(a) == len(b) and all(_close(x, y, tolerance) for x, y in zip(a, b, strict=True))
    if isinstance(a, dict) and isinstance(b, dict):
        mine = {_loose(key): item for key, item in a.items()}
        yours = {_loose(key): item for key, item in b.items()}
        return mine.keys() == yours.keys() and all(_close(mine[k], yours[k], tolerance) for k in mine)
    if isinstance(a, bool | int | float | complex) and isinstance(b, bool | int | float | complex):
        return _loose(a) == _loose(b) or _near(a, b, tolerance)
    return _loose_scalar(a) == _loose_scalar(b)


def _loose_scalar(value: object) -> object:
    return ("mapping",) if isinstance(value, dict) else _loose(value)


def _near(a: complex, b: complex, tolerance: float) -> bool:
    if tolerance == 0.0 or _is_nan(a) or _is_nan(b):
        return False
    try:
        return cmath.isclose(a, b, rel_tol=tolerance, abs_tol=tolerance)
    except OverflowError:  # an int beyond the floats: only equality counts, and that was asked before
        return False
