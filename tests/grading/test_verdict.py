"""score and grade: right, wrong, or no answer and why; what we expect must itself be an answer."""

from __future__ import annotations

import pytest
from hypothesis import given
from tests.grading.plain_values import values

import deskcheck
from deskcheck.errors import DataError, UnknownName
from deskcheck.grading.verdict import grade


@given(values)
def test_the_expected_answer_itself_is_right(value: object) -> None:
    for policy in ("strict", "lenient", "lenient:1e-9"):
        assert grade(repr(value), expected=repr(value), policy=policy).verdict == "right"


@pytest.mark.parametrize(
    ("answer", "expected", "policy", "verdict"),
    [
        ("[1, 2]", "[1,2]", "strict", "right"),
        ("[1, 2]", "[1, 3]", "strict", "wrong"),
        ("True", "1", "strict", "wrong"),
        ("True", "1", "lenient", "right"),
        ("True", "1", "published", "right"),
        ("raises KeyError", "raises KeyError", "strict", "right"),
        ("raises JSONDecodeError", "raises json.decoder.JSONDecodeError", "strict", "right"),
        ("raises KeyError", "raises IndexError", "lenient", "wrong"),
        ("raises KeyError", "None", "lenient", "wrong"),
        ("None", "raises KeyError", "strict", "wrong"),
        ("'raises KeyError'", "raises KeyError", "strict", "wrong"),
        ("nan", "nan", "strict", "right"),
        ("no idea", "1", "strict", "no answer"),
        ("'[ANSWER] x'", "'[ANSWER] x'", "strict", "right"),
    ],
)
def test_the_verdict(answer: str, expected: str, policy: str, verdict: str) -> None:
    assert grade(answer, expected=expected, policy=policy).verdict == verdict


def test_no_answer_keeps_its_reason_and_a_verdict_has_none() -> None:
    assert grade("who knows", expected="1").reason == "unparsable"
    assert grade("I cannot answer", expected="1").reason == "refused"
    assert grade("2", expected="1").reason == ""


def test_grade_is_part_of_the_public_api() -> None:
    assert deskcheck.grade("[1, 2]", expected="[1, 2]").verdict == "right"


def test_an_expected_answer_that_is_none_is_our_fault_and_raises() -> None:
    with pytest.raises(DataError, match="expected answer"):
        grade("1", expected="f(3)")


def test_an_unknown_policy_is_refused_even_without_an_answer() -> None:
    with pytest.raises(UnknownName):
        grade("who knows", expected="1", policy="exact")


@pytest.mark.parametrize(
    ("truth", "verdict"), [("56", "right"), ("56.0", "right"), ("5", "wrong"), ("'56.'", "wrong")]
)
def test_the_full_stop_behind_a_number_is_read_in_the_kind_of_the_truth(truth: str, verdict: str) -> None:
    assert grade("56.", expected=truth).verdict == verdict
    assert (
        grade("[ANSWER]56.[/ANSWER]", expected="56").verdict == "wrong"
    )  # a literal where one was asked for
