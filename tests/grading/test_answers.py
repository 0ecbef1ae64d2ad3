"""extract_answer: where a reply holds its answer, and what it is called when there is none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.grading.plain_values import values

from deskcheck.grading.verdict import extract_answer, raised_type
from deskcheck.records import Answer, Completion, NoAnswer


def read(text: str, finish_reason: str = "stop") -> str:
    """The answer's text, or "(reason)"."""
    found = extract_answer(Completion(text, finish_reason))
    return found.text if isinstance(found, Answer) else f"({found.reason})"


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        # tags
        ("[ANSWER][1, 2][/ANSWER]", "[1, 2]"),
        ("[ANSWER]\n  'a b'\n[/ANSWER] done", "'a b'"),
        ("so [ANSWER]1[/ANSWER] wait, [ANSWER]2[/ANSWER]", "2"),
        ("so [ANSWER]1[/ANSWER] wait, [ANSWER]2", "2"),
        ("[answer]3[/answer]", "3"),
        ("[ANSWER]assert f(1) == [2][/ANSWER]", "[2]"),
        ("[ANSWER]f('a == b') == 'c == d'[/ANSWER]", "'c == d'"),
        ("[ANSWER]```python\nassert f(1) == {3}\n```[/ANSWER]", "{3}"),
        ("[ANSWER]`'x'`[/ANSWER]", "'x'"),
        ("[ANSWER]raises KeyError[/ANSWER]", "raises KeyError"),
        ("[ANSWER]assert f(1) raises a KeyError[/ANSWER]", "raises KeyError"),
        ("[ANSWER]f(3)[/ANSWER]", "(unparsable)"),
        ("[ANSWER][/ANSWER]", "(unparsable)"),
        ("7 [ANSWER]who knows[/ANSWER]", "(unparsable)"),
        ("[ANSWER]I cannot tell.[/ANSWER]", "(refused)"),
        # no tag
        ("[1, 2]", "[1, 2]"),
        (" 'a'\n", "'a'"),
        ("assert f(1) == 5", "5"),
        ("```\n[1]\n```", "[1]"),
        ("First:\n```python\nx = 1\n```\nThen:\n```\n(2, 3)\n```\nThat is all.", "(unparsable)"),
        ("First:\n```python\nx = 1\n```\nThen:\n```\n(2, 3)\n```\n", "(2, 3)"),
        ("n is 3, so we loop.\n\n**Output: 3.**", "3"),
        ("The loop ends.\nThe final answer is ['a']", "['a']"),
        ("Step 1\nStep 2\n42", "42"),
        ("raises ValueError", "raises ValueError"),
        ("The function raises `ZeroDivisionError`: division by zero", "raises ZeroDivisionError"),
        ("raises the total by one", "(unparsable)"),
        ("it is a list of two", "(unparsable)"),
        ("f(3)", "(unparsable)"),
        ("1 + 2", "(unparsable)"),
        ("", "(unparsable)"),
        ("\n \n", "(unparsable)"),
        ("I'm sorry, but I can't help with that.", "(refused)"),
        # thinking
        ("<think>maybe [ANSWER]1[/ANSWER]</think>\n[ANSWER]2[/ANSWER]", "2"),
        ("<think>[ANSWER]1[/ANSWER]</think>3", "3"),
        ("it is 1</think>\n4", "4"),
        ("<think>[ANSWER]1[/ANSWER] and on and on", "(unparsable)"),
    ],
)
def test_the_answer_of_a_finished_reply(text: str, answer: str) -> None:
    assert read(text) == answer


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("[1, 2]", "(truncated)"),
        ("", "(truncated)"),
        ("so [ANSWER][1, 2", "(truncated)"),
        ("so [ANSWER]1[/ANSWER], to explain: the", "1"),
        ("so [ANSWER]1[/ANSWER] no, it is [ANSWER]1", "(truncated)"),
        ("<think>long [ANSWER]1[/ANSWER]", "(truncated)"),
    ],
)
def test_a_cut_reply_is_truncated_unless_its_last_tag_is_complete(text: str, answer: str) -> None:
    assert read(text, "length") == answer


def test_errors_and_filters_have_their_own_reasons() -> None:
    assert read("connection reset", "error") == "(error)"
    assert read("", "content_filter") == "(refused)"
    assert read("[ANSWER]1[/ANSWER]", "content_filter") == "1"


@given(values, st.text(alphabet="abc .:\n", max_size=30))
def test_a_tagged_literal_comes_back_as_it_was_written(value: object, before: str) -> None:
    text = repr(value)
    assert read(f"{before}[ANSWER]{text}[/ANSWER]") == text
    assert read(f"{before}[ANSWER] {text}\n", "unknown") == text
    # Parentheses around a complex number belong to the assert's expression, not to the number.
    bare = text[1:-1] if isinstance(value, complex) and text[0] == "(" else text
    assert read(f"{before}[ANSWER]assert f(x) == {text}[/ANSWER]") in (text, bare)
    assert read(text) == text


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("raises KeyError", "KeyError"),
        ("raises KeyError.", "KeyError"),
        ("raises json.decoder.JSONDecodeError", "JSONDecodeError"),
        ("raises f.<locals>.mine", "mine"),
        ("It raises an IndexError because", None),
        ("'raises KeyError'", None),
        ("raises", None),
        ("KeyError", None),
        ("raises " + "a" * 200_000, None),
    ],
)
def test_the_type_of_a_raised_exception(text: str, name: str | None) -> None:
    assert raised_type(text) == name


def test_hostile_replies_end_in_a_reason_with_a_short_detail() -> None:
    for text in (
        "[" * 100_000,
        "f(" + "==" * 40_000,
        "[ANSWER]" * 10_000,
        "```\n" * 20_000,
        "\n" * 10**5,
    ):
        found = extract_answer(Completion(text, "stop"))
        assert isinstance(found, NoAnswer)
        assert found.reason == "unparsable"
        assert len(found.detail) <= 200
