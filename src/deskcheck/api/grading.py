"""Grade one answer from Python: a model's reply as text, or a value.

    deskcheck.grade("[1, 2]", expected=[1, 2]).verdict        -> "right"
    deskcheck.grade([1, True], expected="[1, 1]").verdict     -> "wrong"      True is not 1

A string given as the answer is searched like a model's reply. A string given as the truth is a literal or
"raises KeyError". Any other object is the value itself.
"""

from __future__ import annotations

from deskcheck.grading import verdict
from deskcheck.records import Score
from deskcheck.states.values import literal_of


def grade(answer: object, expected: object, *, policy: str = "strict") -> Score:
    """Score one answer against the expected one; nothing is executed.

    Arguments:

    - `answer`: a model's reply as text, in which the answer is looked for; or the value itself.
    - `expected`: the true value as a literal, "raises KeyError", or the value itself.
    - `policy`: how values are compared: strict (value and type), lenient (1, 1.0 and True are equal, and so
      are a list and a tuple), lenient:1e-9 (numbers may also differ by 1e-9, relatively or absolutely), or
      published (Python's `==`).

    Errors: UserError for a value that is not plain data, and for an unknown policy; DataError for an
    expected text that is neither a literal nor "raises X".

    >>> deskcheck.grade("So it returns [1, 2].\\n[ANSWER][1, 2][/ANSWER]", expected=[1, 2]).verdict
    'right'
    >>> deskcheck.grade([1, True], expected=[1, 1]).verdict
    'wrong'
    """
    text = answer if isinstance(answer, str) else f"[ANSWER]{literal_of(answer, 'the answer')}[/ANSWER]"
    truth = expected if isinstance(expected, str) else literal_of(expected, "the expected value")
    return verdict.grade(text, expected=truth, policy=policy)
