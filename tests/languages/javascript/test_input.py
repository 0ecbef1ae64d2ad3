"""Predicted inputs in JavaScript: literals alone are run, and the outcome of the call is compared."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tests.languages.javascript.conftest import record

from deskcheck.grading.verdict import score
from deskcheck.questions import Unasked, tasks_of
from deskcheck.records import Answer, Task, TaskDraft
from deskcheck.solutions.answers import execute
from deskcheck.tracing.program import make_program

SOURCE = """\
function f(xs, {by = 1} = {}) {
  if (xs.length === 0) throw new RangeError("none");
  return xs.map((x) => x === undefined ? null : x * by);
}
"""


def asked(arguments: str, run: Callable[..., Any]) -> Task:
    program = make_program(SOURCE, "f", arguments, origin="test", language="javascript")
    draft = TaskDraft("a", program, "", cluster="a")
    tasks = tasks_of("input", draft, record(run(SOURCE, f"f({arguments})")), benchmark="t")
    assert not isinstance(tasks, Unasked)
    return tasks[0]


def verdicts(task: Task, replies: list[str]) -> list[str]:
    answers = [Answer(reply) for reply in replies]
    executed = execute([(task, answer) for answer in answers])
    return [score(task, answer).verdict for answer in executed]


def test_every_call_with_the_outcome_is_right_and_no_other(run: Callable[..., Any]):
    task = asked("[1, 2], {by: 2}", run)
    assert task.expected == "[2, 4]"
    assert verdicts(task, ["[1, 2], {by: 2}", "[2, 4]", "[2,4,], {'by': 1}"]) == ["right"] * 3
    assert verdicts(task, ["[4, 2]", "['2', '4'], {by: 1n}", "[2, 4], null", "[]"]) == ["wrong"] * 4


def test_a_call_that_shall_raise_is_right_if_it_raises_the_same(run: Callable[..., Any]):
    task = asked("[]", run)
    assert task.expected == "raises RangeError"
    assert verdicts(task, ["[], {by: 3}", "''", "null", "[1]"]) == ["right", "right", "wrong", "wrong"]


def test_values_that_the_language_keeps_apart_are_other_outcomes(run: Callable[..., Any]):
    task = asked("[undefined, 0], {by: -1}", run)
    assert task.expected == "[null, -0]"
    assert verdicts(task, ["[undefined, -0]", "[undefined, 0]", "[, 0], {by: -1}", "[NaN, -0]"]) == [
        "right", "wrong", "wrong", "wrong",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "text",
    ["[1]) || ([2, 4]", "[2, 4]); f = () => 1; (0", "(() => [2, 4])()", "[2, 4].concat([])", "`${1}`"],
)
def test_what_is_no_list_of_literals_is_not_run(text: str, run: Callable[..., Any]):
    task = asked("[1, 2], {by: 2}", run)
    assert verdicts(task, [text]) == ["wrong"]
