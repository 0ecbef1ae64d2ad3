"""The reader of claims: what a text says of a run's state, and which of it is false."""

from __future__ import annotations

from typing import Any

import pytest

from deskcheck.records import Granularity, Limits
from deskcheck.statements.claims import ANYTHING, RESULT, claims_in
from deskcheck.statements.facts import facts_in
from deskcheck.statements.reasoning import judged
from deskcheck.tracing import access, run
from deskcheck.tracing.program import make_program
from deskcheck.viewer.belief import ModelRun, divergence_of
from deskcheck.viewer.stating import belief_in_text

pytestmark = pytest.mark.skipif(
    not access.has_native(), reason="claims about expressions need the C extension"
)
SOURCE = """\
def f(word, n):
    total = 0
    parts = list(word)
    for i in range(n):
        total += i * n
    parts.append(word.upper())
    return total, parts[-1]
"""
PROGRAM = make_program(SOURCE, "f", "'ab', 3", origin="test")


def false_in(text: str) -> list[tuple[str, str, str]]:
    """About what, what is said, and what is true, of every false statement."""
    trace = run.trace_program(PROGRAM, Limits(), granularity=Granularity.EXPRESSION)
    return [
        (one.about, one.claim.stated, one.true) for one in judged(text, PROGRAM, trace) if not one.is_true
    ]


@pytest.mark.parametrize(
    ("text", "about", "value"),
    [
        ("`total` becomes 3", "total", 3),
        ("- `total = 3`", "total", 3),
        ("total is now 3.", "total", 3),
        ("So `parts` is updated to `['a', 'b']`.", "parts", ["a", "b"]),
        ("`n` becomes `7 * 4 = 28`.", "n", 28),
        ("The function returns `(9, 'AB')`.", RESULT, (9, "AB")),
        ("Therefore, the output of f on the input 'ab' is (9, 'AB').", RESULT, (9, "AB")),
        ("This results in the list ['a', 'b'].", ANYTHING, ["a", "b"]),
        ("The `upper()` method returns 'AB'", "upper()", "AB"),
        ("the length of `word` is 2", "len(word)", 2),
        ("parts is an empty list", "parts", []),
        ('d = {"a": null}', "d", {"a": None}),
    ],
)
def test_a_statement_is_read(text: str, about: str, value: Any) -> None:
    claims = claims_in(text, {"total", "parts", "n", "word", "d"})
    assert [(claim.about, claim.value) for claim in claims] == [(about, value)]
    assert text[claims[0].start : claims[0].end] in text


@pytest.mark.parametrize(
    "text",
    [
        "If `total` is 3, the loop ends.",
        "it returns True if `total` is 9",
        "the first character of `word` is 'x'",
        "`total` is not 3",
        "When `total` becomes 3, it stops.",
        "`total` is 3 + n",
        "for example, `total` is 3",
        "The function returns the total.",
    ],
)
def test_what_states_nothing_is_left_alone(text: str) -> None:
    assert claims_in(text, {"total", "word", "n"}) == []


def test_true_statements_and_looking_back_are_not_false() -> None:
    text = """`total` is initialized to 0. `parts` is `['a', 'b']`.
Iteration 1: `i = 0`, `total` becomes 0. Iteration 2: `i = 1`, `total` becomes 3.
Iteration 3: `i = 2`, `total` is now 9. At the start `total` was 0. `i` takes the values [0, 1, 2].
`word.upper()` gives 'AB', so `parts` becomes ['a', 'b', 'AB'].
The function returns (9, 'AB')."""
    assert false_in(text) == []


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("`total` becomes 4.", ("total", "4", "0")),
        ("`total` is initialized to 9.", ("total", "9", "0")),
        ("`parts[0]` is 'b'", ("parts[0]", "'b'", "'a'")),
        ("The `upper()` method returns 'Ab'", ("word.upper()", "'Ab'", "'AB'")),
        ("resulting in `['a', 'c']`", ("parts", "['a', 'c']", "['a', 'b']")),
        ("the length of `word` is 3", ("len(word)", "3", "2")),
        ("The function returns (9, 'Ab').", (RESULT, "(9, 'Ab')", "(9, 'AB')")),
    ],
)
def test_a_false_statement_is_found_with_the_true_value(text: str, wanted: tuple[str, str, str]) -> None:
    found = false_in(text)
    assert [(about, said) for about, said, _ in found] == [wanted[:2]]
    assert found[0][2] == wanted[2] or wanted[0] in ("total", "parts")


@pytest.mark.parametrize(
    ("text", "about"),
    [
        ("There are 4 occurrences of 'w', which is less than 3.", "4 < 3"),
        ("`n` (5) is not greater than or equal to `total` (3)", "5 < 3"),
        ("1 is not equal to 2, 4, and 1.", "1 not in [2, 4, 1]"),
        ("`5 > 3` is False", "5 > 3"),
        ("Since -1 >= 0, the loop runs.", "-1 >= 0"),
        ('"grunt" doesn\'t contain "run"', "'run' not in 'grunt'"),
        ("'x' is found in 'hosu'", "'x' in 'hosu'"),
        ("the index of 'o' in 'hosu' is 2", "'hosu'.find('o')"),
        ("the last element of [1, 2] is 1", "[1, 2][-1]"),
        ("'ab'.islower() returns False", "'ab'.islower()"),
    ],
)
def test_what_literals_of_the_text_decide_is_found_false(text: str, about: str) -> None:
    assert [found.replace('"', "'") for found, _, _ in false_in(text)] == [about]


@pytest.mark.parametrize(
    "text",
    [
        "There are 2 occurrences of 'w', which is less than 3.",
        "the string 'grunt' contains 'run'",
        "the index of 'o' in 'hosu' is 1",
        "Is 5 greater than 7? If 5 is greater than 7, it stops.",
        "we check whether 5 is greater than 7",
        "the places where 'x' occurs in 'hosu'",
        "8 != 1 and 1 != 1 = True",
        "3 + 4 is less than 5",
        "'word' contains 'n'",
    ],
)
def test_true_facts_questions_and_names_in_quotes_are_not_false(text: str) -> None:
    assert false_in(text) == []


def test_what_a_line_concludes_after_a_question_is_read() -> None:
    text = "To find the output of f, we count. Therefore, the output of f on the input 'ab' is (9, 'Ab')."
    assert false_in(text) == [(RESULT, "(9, 'Ab')", "(9, 'AB')")]
    assert false_in("The upper() method returns 'Ab', so the else branch of the if runs.")[0][1] == "'Ab'"


def test_a_text_leaves_the_truth_at_a_step_of_the_page() -> None:
    traces = [
        run.trace_program(PROGRAM, Limits(), granularity=level)
        for level in (Granularity.LINE, Granularity.EXPRESSION)
    ]
    text = "\U0001f600 `total` is 0. `i = 1`: `total` becomes 5."
    belief = belief_in_text(ModelRun("m", [], text=text), traces, PROGRAM)
    start, end, at, is_true = belief["claims"][-1]
    units = text.encode("utf-16-le")
    assert units[2 * start : 2 * end].decode("utf-16-le") == "`total` becomes 5"
    assert not is_true and belief["first"] == at
    assert belief["steps"][at][0] == "differs" and belief["steps"][at][3][0][1:3] == ["total", "5"]
    assert divergence_of(belief, traces[0]).startswith("step ")
    assert belief_in_text(ModelRun("m", [], text=text), traces[:1], PROGRAM)["claims"] == []


def test_hostile_text_is_read_in_time_that_grows_with_it() -> None:
    for text in (
        "`" * 20_000,
        "total is " * 4_000,
        "[" * 20_000,
        "total = " + "(" * 20_000,
        "output " * 3_000,
        "1 is " * 4_000,
        "'a' in " * 3_000,
    ):
        assert claims_in(text[:20_000], {"total"}) == []
        assert list(facts_in(text[:20_000])) == []


@pytest.mark.parametrize(
    ("text", "about", "true"),
    [
        ("After the loop, `total` is 7.", "total", "9"),
        ("The condition (total == 4) is True.", "total == 4", "False"),
        ("word.upper() returns 'Ab'.", "word.upper()", "'AB'"),
        ("`i` takes the values: `i` = [0, 1, 3]", "i", "2"),
        ("'ab' is not lowercase", "'ab'.islower()", "True"),
        ("- `parts.append(word.upper())`: so `parts` becomes ['a', 'AB']", "parts", "['a', 'b', 'AB']"),
        ("1. Make a list of the letters: ['a', 'c']", "list(word)", "['a', 'b']"),
    ],
)
def test_a_false_statement_has_its_place_and_its_true_value(text: str, about: str, true: str) -> None:
    found = false_in(text)
    assert [(name, value) for name, _, value in found] == [(about, true)] or (
        found[0][0] in ("parts", about) and found[0][2] == true
    )


@pytest.mark.parametrize(
    "text",
    [
        "the size of the input `[1, 2]` is 7",
        "`parts` is initialized with 301 zeros",
        "The part after the word is an empty string",
        "it iterates from i=0 to i=29",
        "'AB' + 'b'.upper() = 'ABB'",
        "it runs as long as the condition (n < total) is True",
        "the length of the output string is 7",
        "`word` = `total`",
    ],
)
def test_what_only_looks_like_a_false_statement_is_left_alone(text: str) -> None:
    assert false_in(text) == []


def test_a_wrong_answer_without_a_false_statement_is_false_at_the_return() -> None:
    traces = [
        run.trace_program(PROGRAM, Limits(), granularity=level)
        for level in (Granularity.LINE, Granularity.EXPRESSION)
    ]
    text = "It adds up. <<<Output>>> (8, 'AB')"
    belief = belief_in_text(ModelRun("m", [], "(8, 'AB')", "(9, 'AB')", "wrong", text), traces, PROGRAM)
    assert belief["ran"] == 7 and belief["steps"][belief["first"]][3][0][1:3] == ["the result", "(8, 'AB')"]
    assert divergence_of(belief, traces[0]).endswith("the result is (9, 'AB'), not (8, 'AB') (false)")
    quoted = belief_in_text(ModelRun("m", [], text="Now. `total` becomes 4. Then on."), traces, PROGRAM)
    assert quoted["quote"] == "`total` becomes 4."
