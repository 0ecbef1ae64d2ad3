"""Classify a wrong answer by its difference from the truth, for two plain values.

    difference_class("[1, 3, 2]", "[1, 2, 3]") -> "other order"
    CLASSES                                     every class, from the nearest to the farthest

A class describes the two values only, not the cause. Where several fit, the first check in
`difference_class` decides: [] for [1] is "nothing for something", not "one too many or too few".
"""

from __future__ import annotations

from collections.abc import Sequence, Sized
from typing import TypeGuard

from deskcheck.errors import BadSource
from deskcheck.grading.verdict import Raises, answer_value
from deskcheck.languages import equal

CLASSES = (
    "same value, other type",  # 1 for True, (1,) for [1]
    "letter case or spaces",
    "off by one",  # differs by 1
    "other number",
    "true for false",
    "other order",  # the same elements or characters
    "one element wrong",  # same length
    "several elements wrong",  # same length
    "one too many or too few",  # one element added or left out
    "other length",
    "nothing for something",  # None or an empty value on one side
    "exception or value",  # only one raises, or they raise different exceptions
    "other type",
)


def difference_class(answer: str, expected: str, *, language: str = "python") -> str:
    """Return the class of a wrong answer, one of CLASSES.

    `answer`, `expected`: literals of the language or "raises X". BadSource if one of them is neither, or is
    nested too deeply.
    """
    try:
        got, true = (answer_value(each, language=language) for each in (answer, expected))
    except RecursionError:
        raise BadSource("too deeply nested to be compared") from None
    if isinstance(got, Raises) or isinstance(true, Raises):
        return "exception or value"
    if equal(got, true, "lenient", language=language):
        return "same value, other type"
    if isinstance(got, bool) and isinstance(true, bool):
        return "true for false"
    if _is_number(got) and _is_number(true):
        return "off by one" if _is_one_apart(got, true) else "other number"
    if _is_nothing(got) != _is_nothing(true):
        return "nothing for something"
    if isinstance(got, str) and isinstance(true, str):
        if "".join(got.split()).casefold() == "".join(true.split()).casefold():
            return "letter case or spaces"
        return _sequences(got, true, language)
    if isinstance(got, dict) and isinstance(true, dict):
        if got.keys() == true.keys():
            return _sequences([(key, got[key]) for key in true], list(true.items()), language)
        return _sequences(list(got.items()), list(true.items()), language)
    if isinstance(got, list | tuple) and isinstance(true, list | tuple):
        return _sequences(got, true, language)
    if isinstance(got, set | frozenset) and isinstance(true, set | frozenset):
        return _sizes(len(got), len(true), len(got ^ true))
    return "other type"


def _sequences(got: Sequence[object], true: Sequence[object], language: str) -> str:
    if sorted(map(repr, got)) == sorted(map(repr, true)):
        return "other order"
    if len(got) == len(true):
        pairs = zip(got, true, strict=True)
        wrong = sum(not equal(left, right, language=language) for left, right in pairs)
        return "one element wrong" if wrong == 1 else "several elements wrong"
    return _lengths(got, true, language)


def _lengths(got: Sequence[object], true: Sequence[object], language: str) -> str:
    short, long = (got, true) if len(got) < len(true) else (true, got)
    if len(long) - len(short) == 1:
        same = 0
        while same < len(short) and equal(short[same], long[same], language=language):
            same += 1
        if all(
            equal(left, right, language=language)
            for left, right in zip(short[same:], long[same + 1 :], strict=True)
        ):
            return "one too many or too few"
    return "other length"


def _sizes(got: int, true: int, different: int) -> str:
    if got == true:
        return "one element wrong" if different == 2 else "several elements wrong"
    return "one too many or too few" if different == 1 else "other length"


def _is_number(value: object) -> TypeGuard[int | float | complex]:
    return isinstance(value, int | float | complex) and not isinstance(value, bool)


def _is_one_apart(got: complex, true: complex) -> bool:
    try:
        return abs(got - true) == 1
    except OverflowError:  # a whole number beyond every float, beside a float
        return False


def _is_nothing(value: object) -> bool:
    return value is None or (isinstance(value, Sized) and len(value) == 0)
