"""Where a false value leaves the true one: at its first false piece, or in the round that a text names."""

from __future__ import annotations

import pytest

from deskcheck.records import Granularity, Limits
from deskcheck.statements.growth import left_at
from deskcheck.statements.reasoning import first_false, judged, line_before
from deskcheck.tracing import access, run
from deskcheck.tracing.program import make_program

pytestmark = [
    pytest.mark.slow,  # the reader of statements is experimental; test_claims.py runs each time
    pytest.mark.skipif(not access.has_native(), reason="claims about expressions need the C extension"),
]
LETTERS = """\
def f(text):
    out = ''
    for c in text:
        if c != 'b':
            out += c
    return out
"""
NAMED = """\
def f(text, end):
    made = text.endswith(end + '3')
    return made
"""


def first(source: str, arguments: str, text: str, answer: str = "") -> tuple[int, str, str]:
    """Line, variable and true value of the first false statement."""
    program = make_program(source, "f", arguments, origin="test")
    trace = run.trace_program(program, Limits(), granularity=Granularity.EXPRESSION)
    found = first_false(judged(text, program, trace, answer))
    assert found is not None
    return line_before(trace, found), found.about, found.true


@pytest.mark.parametrize(
    ("said", "rows", "left"),
    [
        ([1, 2, 3], [(4, [1]), (7, [1, 5])], (7, [1, 5], "item 2")),
        ("abc", [(0, ""), (3, "a"), (6, "ax")], (6, "ax", "character 2")),
        ("cba", [(0, ""), (3, "a"), (6, "xa")], (6, "xa", "character 2")),
        (
            {"a": 1, "b": 2},
            [(0, {}), (3, {"a": 1}), (6, {"a": 1, "b": 3})],
            (6, {"a": 1, "b": 3}, "entry 'b'"),
        ),
        ([0, 9], [(0, [0, 1]), (3, [0, 2])], (3, [0, 2], "item 2")),
        ([1, 5], [(4, [1]), (7, [1, 5])], None),
        ([1, 2], [(4, [1, 2, 3]), (7, [1])], None),
    ],
)
def test_a_value_that_grows_leaves_what_is_said_at_a_piece(
    said: object, rows: list[tuple[int, object]], left: object
) -> None:
    assert left_at(said, rows) == left


def test_a_wrong_result_is_followed_to_the_variable_it_was_collected_in() -> None:
    assert first(LETTERS, "'xayc'", "The function returns 'xyyc'.") == (5, "out", "'xa'")


def test_a_letter_that_the_run_left_out_is_placed_in_its_round() -> None:
    line, about, true = first(LETTERS, "'abc'", "Nothing is stated.", answer="'abc'")
    assert (line, about, true) == (4, "c != 'b'", "False")


def test_a_result_that_goes_on_is_placed_where_its_loop_is_over() -> None:
    source = (
        "def f(n):\n    b = list(str(n))\n    for i in range(2, len(b)):\n        b[i] += '+'\n    return b\n"
    )
    text = "The function returns ['4', '4', '+']."
    assert first(source, "44", text) == (3, "b", "['4', '4']")
    assert first(source, "44", "The function returns ['5', '4', '+'].") == (2, "b", "['4', '4']")
    pops = "def f(xs):\n    out, k = [], 0\n    while k < len(xs):\n        out.append(xs.pop())\n"
    pops += "        k += 2\n    return out\n"
    assert first(pops, "[7, 1, 2, 3]", "The function returns [3, 2, 1].") == (3, "out", "[3, 2]")


def test_a_method_that_changed_nothing_is_the_place_of_what_it_is_said_to_give() -> None:
    source = "def f(xs):\n    xs.reverse()\n    xs.pop()\n    xs.reverse()\n    return xs\n"
    text = "1. Reverse the list: [8, 2, 8, 7]\n2. Remove the last one: [8, 2, 8]\n"
    text += "3. Reverse it again: [7, 8, 2]\n"
    assert first(source, "[7, 8, 2, 8]", text) == (4, "xs", "[8, 2, 8]")


def test_items_of_a_variable_that_a_sentence_lists_are_compared_with_it() -> None:
    source = "def f(text):\n    parts = list(text)\n    parts.pop()\n    return parts\n"
    assert first(source, "'abc'", "The characters in parts, which are 'a', 'b' and 'd', are kept.")[:2] == (
        2,
        "parts",
    )
    program = make_program(source, "f", "'abc'", origin="test")
    trace = run.trace_program(program, Limits(), granularity=Granularity.EXPRESSION)
    text = "The items of parts are 'a' and 'b'. The letters of `text` are 'a', 'b' and 'c'."
    assert all(one.is_true for one in judged(text, program, trace))


def test_a_statement_of_one_round_is_compared_with_this_round() -> None:
    text = "For the first character, `out` becomes 'a'.\n\nFor the third character, `out` becomes 'a'."
    assert first(LETTERS, "'abc'", text) == (5, "out", "'ac'")


def test_what_an_argument_was_made_into_is_no_false_statement_about_it() -> None:
    program = make_program(NAMED, "f", "'xab', 'ab'", origin="test")
    trace = run.trace_program(program, Limits(), granularity=Granularity.EXPRESSION)
    assert [one.about for one in judged("The end is 'ab3'.", program, trace)] == []


def test_a_condition_that_never_holds_is_false_where_it_is_checked() -> None:
    assert first(LETTERS.replace("c != 'b'", "c == 'b'"), "'ac'", "So the condition is met.") == (
        4, "c == 'b'", "False",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("text", "about"),
    [
        ("The number of occurrences of 'a' in 'aXc' is 2.", "text.count('a')"),
        ("It checks if it ends with it using `text.endswith('a')`, which is `True`.", "text.endswith('a')"),
        ("The length of this string is 9.", "len(text)"),
    ],
)
def test_calls_that_a_sentence_states_in_words(text: str, about: str) -> None:
    source = "def f(text):\n    n = text.count('a') + len(text)\n    return n, text.endswith('a')\n"
    assert first(source, "'aXc'", text)[1] == about
