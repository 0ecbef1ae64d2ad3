"""Score an answer: right, wrong, or no answer and why.

    grade("[1, 2]", expected="[1, 2]").verdict        -> "right"
    grade("I can't.", expected="[1, 2]").reason       -> "refused"

Two typed values are compared, nothing is executed. What was expected is a literal or "raises KeyError";
where that does not parse, the fault is ours and raises.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

from deskcheck.errors import BadSource, DataError
from deskcheck.grading.answers import extract_answer, raised_type
from deskcheck.grading.compare import equal, tolerance_of
from deskcheck.grading.literals import parse_literal
from deskcheck.records import Answer, Completion, NoAnswer, Score, Task


class Raises:
    """The value of the answer "raises KeyError"; equal to nothing but itself by type name."""

    __slots__ = ("type",)

    def __init__(self, type: str) -> None:
        self.type = type


def grade(answer: str, /, *, expected: str, policy: str = "strict") -> Score:
    """Score one completion's text against the expected answer; it is searched like a model's reply."""
    found = extract_answer(Completion(text=answer, finish_reason="stop"))
    return _score("", found, 0, policy=policy, expected=expected)


def score(task: Task, answer: Answer | NoAnswer, *, sample: int = 0, policy: str = "strict") -> Score:
    """The verdict on one sample of one task."""
    return _score(task.id, answer, sample, policy=policy, expected=task.expected)


def _score(task_id: str, answer: Answer | NoAnswer, sample: int, *, policy: str, expected: str) -> Score:
    tolerance_of(policy)
    truth = _expected_value(expected)
    if isinstance(answer, NoAnswer):
        return Score(task_id, sample, "no answer", answer.reason, policy, answer.detail, expected)
    try:
        verdict = _judge(answer.text, truth, policy)
    except BadSource:
        return Score(task_id, sample, "no answer", "unparsable", policy, answer.text, expected)
    return Score(task_id, sample, verdict, "", policy, answer.text, expected)


def _judge(text: str, truth: object, policy: str) -> Literal["right", "wrong"]:
    value = answer_value(text)
    if isinstance(value, Raises) or isinstance(truth, Raises):
        same = isinstance(value, Raises) and isinstance(truth, Raises) and value.type == truth.type
    else:
        same = equal(value, truth, policy)
    return "right" if same else "wrong"


def answer_value(text: str) -> object:
    """The value of an answer's text: a plain value, or Raises. BadSource where it is neither."""
    name = raised_type(text)
    return Raises(name) if name is not None else parse_literal(text)


@lru_cache(maxsize=1024)  # a task's truth is compared with every sample of it
def _expected_value(expected: str) -> object:
    try:
        return answer_value(expected)
    except BadSource as error:
        raise DataError(f"the expected answer is neither a literal nor 'raises X': {error}") from None
