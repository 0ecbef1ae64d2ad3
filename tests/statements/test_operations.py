"""Statements about what splits, appends, checks and calculations give, of which no variable is named."""

from __future__ import annotations

import pytest

from deskcheck.records import Granularity, Limits
from deskcheck.statements.reasoning import first_false, judged, line_before
from deskcheck.tracing import access, run
from deskcheck.tracing.program import make_program

pytestmark = [
    pytest.mark.slow,  # the reader of statements is experimental; test_claims.py runs each time
    pytest.mark.skipif(not access.has_native(), reason="claims about expressions need the C extension"),
]
SOURCE = """\
def f(text):
    left, sep, right = text.partition('.')
    found = []
    for c in right:
        found.append(c[0])
    if text.endswith('d'):
        found = found[:1]
    total = len(text) * 2
    return found
"""
PROGRAM = make_program(SOURCE, "f", "'ab.cd'", origin="test")


def first(text: str, answer: str = "") -> tuple[int, str, str] | None:
    """Line, place and true value of the first false statement."""
    trace = run.trace_program(PROGRAM, Limits(), granularity=Granularity.EXPRESSION)
    found = first_false(judged(text, PROGRAM, trace, answer))
    return None if found is None else (line_before(trace, found), found.about, found.true)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("It splits the text into 'ab', '.', and 'cd'.", None),
        ("It splits 'ab.cd' into 'ab' and 'cd'.", None),
        ("It splits the text into 'a' and 'b.cd'.", (2, "text.partition('.')", "('ab', '.', 'cd')")),
        (
            "The first part is 'ab' and the second part is 'ab'.",
            (2, "text.partition('.')", "('ab', '.', 'cd')"),
        ),
        ("If it is split into 'a' and 'b', it ends.", None),
        ("Append 'c' to found. Then 'd' is appended to the list.", None),
        ("Append 'c' to found. Then 'x' is appended to the list.", (5, "c[0]", "'d'")),
        ("'ab.cd' does not end with 'd'.", (6, "text.endswith('d')", "True")),
        ("It checks if 'ab.cd' ends with 'd'. It does not.", (6, "text.endswith('d')", "True")),
        ("It checks if 'ab.cd' ends with 'd'. Since it does, the list is cut.", None),
        ("The length of 'ab.cd' is not greater than 1.", (0, "len('ab.cd') <= 1", "False")),
        ("The loop runs from `c = 'c'` to `c = 'x'`.", None),
        ("The result of this operation is 77.", (8, "total", "10")),
        ("The result of this operation is 10.", None),
        ("After the execution, the list will be ['c', 'x'].", (7, "found", "['c']")),
    ],
)
def test_what_an_operation_gives_is_looked_up(text: str, wanted: tuple[int, str, str] | None) -> None:
    assert first(text) == wanted


SEARCH = """\
def f(text, sign):
    index = -1
    for i in range(len(text)):
        if text[i] == sign:
            index = i
    if index > 2:
        return f(text[1:], sign)
    return text.rfind(sign)
"""


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("the index of 'r' in 'o horseto' which is 3", (5, "index", "4")),
        ("`'r'` in `'o horseto'` is at index 4", None),
        ("The call to `text.rfind(sign)` returns 5.", (8, "text.rfind(sign)", "2")),
        ("`rfind` looks from the right and returns 5.", (8, "text.rfind(sign)", "2")),
        ("It calls itself with ' horseto' and 'r'.", None),
        ("It calls itself with 'horse' and 'r'.", (7, "text", "' horseto'")),
    ],
)
def test_positions_and_arguments_have_a_place(text: str, wanted: tuple[int, str, str] | None) -> None:
    program = make_program(SEARCH, "f", "'o horseto', 'r'", origin="test")
    trace = run.trace_program(program, Limits(), granularity=Granularity.EXPRESSION)
    found = first_false(judged(text, program, trace))
    assert (found and (line_before(trace, found), found.about, found.true)) == wanted


def test_a_wrong_answer_that_is_no_literal_is_false_at_the_return() -> None:
    assert first("so we get <<<Output>>>\n'c'.'d'", "'c'.'d'") == (9, "<-", "['c']")
    assert first("no output at all", "ERR") is None, "a word of the grader stands nowhere in the text"
