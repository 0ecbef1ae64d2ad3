"""A false result goes back to the check at which the run took another way."""

from __future__ import annotations

import pytest
from tests.statements.test_growth import first

from deskcheck.records import Granularity, Limits
from deskcheck.statements.claims import RESULT
from deskcheck.statements.reasoning import judged
from deskcheck.tracing import access, run
from deskcheck.tracing.program import make_program

pytestmark = [
    pytest.mark.slow,  # the reader of statements is experimental; test_claims.py runs each time
    pytest.mark.skipif(not access.has_native(), reason="claims about expressions need the C extension"),
]
MARKED = """\
def f(text):
    if len(text) > 3:
        return text[::-1] + '#'
    return text
"""
DOUBLED = """\
def f(words, end):
    out = []
    for word in words:
        if word.endswith(end):
            out.append(word * 2)
    return out
"""
STRIPPED = """\
def f(text, ends):
    if ends and ends[-1] in text:
        return f(text.rstrip(ends[-1]), ends[:-1])
    return text
"""
FIRST = """\
def f(text):
    for c in text:
        if c not in 'ab':
            return False
    return True
"""
ABSENT = """\
def f(text, old, new):
    while old in text:
        text = text.replace(old, new, 1)
    return text
"""


@pytest.mark.parametrize(
    ("source", "arguments", "text", "place"),
    [
        # The value of the other return, or a text that stands there alone.
        (MARKED, "'abc'", "The function returns 'abc#'.", (2, "len(text) > 3", "False")),
        (MARKED, "'abcd'", "The function returns 'abcd'.", (2, "len(text) > 3", "True")),
        # The check that ended a loop.
        (FIRST, "'abca'", "The function returns True.", (3, "c not in 'ab'", "True")),
        # An item that the run left out, made from its word.
        (
            DOUBLED,
            "['xz', 'za'], 'z'",
            "So out becomes ['xzxz', 'zaza'].",
            (4, "word.endswith(end)", "False"),
        ),
        # A loop without a round.
        (ABSENT, "'abc', '.', '!'", 'The function returns "ab!!!c".', (2, "old in text", "False")),
        # Another call than the one that is stated.
        (STRIPPED, "'abttc', 'ct'", "It then calls f('abtc', 'c').", (3, "text", "'abttc'")),
    ],
)
def test_a_false_statement_goes_back_to_the_check_that_decided(
    source: str, arguments: str, text: str, place: tuple[int, str, str]
) -> None:
    assert first(source, arguments, text) == place


@pytest.mark.parametrize(
    "said",
    ["f({[1]: 2})", "f(" * 3000, "f('\\d'", "f(1,", "f()", "f(n=3)", "f(" + "[" * 4000, "f({1: [2]}, {3})"],
)
def test_calls_that_are_none_leave_the_rest_of_a_text_readable(said: str) -> None:
    """Other statements of the reply are still read."""
    assert first(MARKED, "'abc'", f"It calls {said}. The function returns 'abc#'.")[0] == 2


@pytest.mark.one_python  # later ones do not compile such a program
def test_a_program_that_is_nested_too_deeply_has_its_false_result_at_the_return() -> None:
    arms = "".join(f"    elif n == {k}:\n        return {k}\n" for k in range(1, 1500))
    source = f"def f(n):\n    if n == 0:\n        return 0\n{arms}    return -1\n"
    assert first(source, "1600", "The function returns 7.")[1:] == (RESULT, "-1")


def test_a_true_result_and_a_true_call_are_no_false_statements() -> None:
    program = make_program(STRIPPED, "f", "'abttc', 'ct'", origin="test")
    trace = run.trace_program(program, Limits(), granularity=Granularity.EXPRESSION)
    found = judged("It calls f('abttc', 'c') and returns 'abtt'.", program, trace)
    assert found and all(one.is_true for one in found)
