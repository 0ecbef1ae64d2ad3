"""Grade one answer from Python: a model's reply as text, or a value.

    deskcheck.grade("[1, 2]", expected=[1, 2]).verdict        -> "right"
    deskcheck.grade([1, True], expected="[1, 1]").verdict     -> "wrong"      True is not 1

A string is text: as the answer it is searched like a model's reply, as the truth it is a literal or
"raises KeyError". Anything else is the value itself.
"""

from __future__ import annotations

from deskcheck.errors import UserError
from deskcheck.grading import verdict
from deskcheck.records import Score

_SCALARS = (type(None), bool, int, float, complex, str, bytes, type(...))


def grade(answer: object, /, *, expected: object, policy: str = "strict") -> Score:
    """Score one answer against the expected one; nothing is executed.

    `policy`: strict, lenient, lenient:1e-9 or published. UserError for a value that is not plain data,
    DataError for an expected text that is neither a literal nor "raises X".
    """
    text = answer if isinstance(answer, str) else f"[ANSWER]{_literal(answer, 'the answer')}[/ANSWER]"
    truth = expected if isinstance(expected, str) else _literal(expected, "the expected value")
    return verdict.grade(text, expected=truth, policy=policy)


def _literal(value: object, what: str) -> str:
    """Python literal of a plain value."""
    _check_plain(value, what)
    return repr(value)


def _check_plain(value: object, what: str) -> None:
    kind = type(value)
    if kind in _SCALARS:
        return
    if kind is dict and isinstance(value, dict):
        members = [*value.keys(), *value.values()]
    elif kind in (list, tuple, set, frozenset) and isinstance(value, list | tuple | set | frozenset):
        members = list(value)
    else:
        raise UserError(
            f"{what} holds a {kind.__name__}, which has no literal: compare such values in Python"
        )
    for member in members:
        _check_plain(member, what)
