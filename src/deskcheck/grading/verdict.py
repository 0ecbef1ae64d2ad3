"""Score an answer: right, wrong, or no answer and why.

    grade("[1, 2]", expected="[1, 2]").verdict        -> "right"
    grade("I can't.", expected="[1, 2]").reason       -> "refused"

Two typed values are compared, nothing is executed. What was expected is a literal or "raises KeyError";
where that does not parse, the fault is ours and raises. A task says how (`Task.grading`):

value     the answer is the expected value
lines     the same line numbers, in any order and any container, repeated or not
marks     every mark of the program is filled in as the run would (`marks.py`)
executed  the answer has been run (`Executed`), and what it gave is the expected value
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from deskcheck.errors import BadSource, DataError
from deskcheck.grading.answers import extract_answer, raised_type
from deskcheck.grading.compare import equal, tolerance_of
from deskcheck.grading.extraction import Level
from deskcheck.grading.literals import parse_literal
from deskcheck.grading.marks import same_marks
from deskcheck.records import Answer, Completion, Executed, NoAnswer, Score, Task


class Raises:
    """The value of the answer "raises KeyError"; equal to nothing but itself by type name."""

    __slots__ = ("type",)

    def __init__(self, type: str) -> None:
        self.type = type


def grade(answer: str, /, *, expected: str, policy: str = "strict", level: Level = "usual") -> Score:
    """Score one completion's text against the expected answer; it is searched like a model's reply."""
    found = extract_answer(Completion(text=answer, finish_reason="stop"), level)
    return _score("", found, 0, policy=policy, expected=expected, rule=_same)


def score(
    task: Task, answer: Answer | Executed | NoAnswer, *, sample: int = 0, policy: str = "strict"
) -> Score:
    """The verdict on one sample of one task. DataError for an answer that had to be executed and was not."""
    if task.grading == "executed" and isinstance(answer, Answer):
        raise DataError(f"task {task.id}: an answer to '{task.kind}' has to be executed before it is graded")
    return _score(task.id, answer, sample, policy=policy, expected=task.expected, rule=RULES[task.grading])


Rule = Callable[[object, object, str], bool]
"""(answer, truth, policy) -> whether the answer is right."""


def _score(
    task_id: str,
    answer: Answer | Executed | NoAnswer,
    sample: int,
    *,
    policy: str,
    expected: str,
    rule: Rule,
) -> Score:
    tolerance_of(policy)
    truth = _expected_value(expected)
    if isinstance(answer, NoAnswer):
        return Score(task_id, sample, "no answer", answer.reason, policy, answer.detail, expected)
    try:
        right = rule(
            answer_value(answer.outcome if isinstance(answer, Executed) else answer.text), truth, policy
        )
    except BadSource:
        if isinstance(answer, Executed):  # it ran and came to nothing that has a literal: no such answer
            return Score(task_id, sample, "wrong", "", policy, answer.text, expected)
        return Score(task_id, sample, "no answer", "unparsable", policy, answer.text, expected)
    return Score(task_id, sample, "right" if right else "wrong", "", policy, answer.text, expected)


def _same(value: object, truth: object, policy: str) -> bool:
    if isinstance(value, Raises) or isinstance(truth, Raises):
        return isinstance(value, Raises) and isinstance(truth, Raises) and value.type == truth.type
    return equal(value, truth, policy)


def _same_lines(value: object, truth: object, policy: str) -> bool:
    if not isinstance(value, list | tuple | set | frozenset) or not isinstance(truth, list):
        return False
    return all(type(line) is int for line in value) and set(value) == set(truth)


RULES: dict[str, Rule] = {"value": _same, "lines": _same_lines, "marks": same_marks, "executed": _same}


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
