"""Compare the results of one program in two programming languages: are they the same value?

    is_same_outcome("(1, None)", "[1, null]", languages=("python", "javascript"))   -> True
    is_same_outcome("-1", "2", languages=("python", "javascript"))                  -> False

A tuple equals an array, None equals null and undefined, and a key of a dictionary equals its text. -0.0 is
not 0, and an exception equals only an exception of the same name. In C, a structure with the fields `first`
and `second` (and `third`) is a tuple, and a character is a string.
"""

from __future__ import annotations

import math

from deskcheck.grading.verdict import Raises, answer_value
from deskcheck.languages import offers
from deskcheck.languages.c.literals import Char
from deskcheck.languages.javascript.values import HOLE, UNDEFINED, BigInt, Map, Set

_PAIRS = [("first", "second"), ("first", "second", "third")]
"""Names of the fields of a C structure that stands for a tuple."""


def is_same_outcome(a: str, b: str, *, languages: tuple[str, str]) -> bool:
    """Tell whether two results are the same; each is a literal of its language or "raises NAME"."""
    x, y = (
        answer_value(text, language=language if offers(language, "read") else "python")
        for text, language in zip((a, b), languages, strict=True)
    )
    if isinstance(x, Raises) or isinstance(y, Raises):
        return isinstance(x, Raises) and isinstance(y, Raises) and x.type == y.type
    return _alike(_common(x), _common(y))


def _common(value: object) -> object:
    """Return a value in the form that both languages have; a set is a dict with its members under ""."""
    if value is UNDEFINED or value is HOLE:
        return None
    if isinstance(value, BigInt):
        return value.value
    if isinstance(value, Char):
        return chr(value.code & 255)
    if isinstance(value, dict) and tuple(value) in _PAIRS:
        return [_common(item) for item in value.values()]
    if isinstance(value, list | tuple):
        return [_common(item) for item in value]
    if isinstance(value, Set):
        return {"": [_common(item) for item in value.members]}
    if isinstance(value, set | frozenset):
        return {"": sorted(map(_common, value), key=repr)}
    pairs = value.items() if isinstance(value, dict) else value.pairs if isinstance(value, Map) else None
    return {str(_common(name)): _common(held) for name, held in pairs} if pairs is not None else value


def _alike(a: object, b: object) -> bool:
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(_alike, a, b))
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(_alike(a[name], b[name]) for name in a)
    if isinstance(a, bool) or isinstance(b, bool):
        return a is b
    if isinstance(a, int | float) and isinstance(b, int | float):
        both_nan = math.isnan(a) and math.isnan(b)
        return both_nan or (a == b and math.copysign(1.0, a) == math.copysign(1.0, b))
    return type(a) is type(b) and a == b
