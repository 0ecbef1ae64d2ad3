"""An execution by a model beside the truth: where they part, and in what."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest
from tests.evaluation.inspecting import MARKS, collect_here  # noqa: F401

from deskcheck.evaluation.execute import Execution, execute, run_execute, version_note
from deskcheck.inference.engine import Card
from deskcheck.layouts.line_1 import render
from deskcheck.records import Answer, Completion, Limits, NoAnswer, Prompt, Task
from deskcheck.tracing.literal import outcome_text
from deskcheck.tracing.program import make_program
from deskcheck.tracing.reference import trace_program
from deskcheck.turns.chain import RETRIES
from deskcheck.viewer.execution import answer_text, execution_lines

pytestmark = MARKS
SOURCE = "def f(xs):\n    s = 0\n    for x in xs:\n        s += x\n    return s\n"


def _task() -> Task:
    program = make_program(SOURCE, "f", "[3, 4]", origin="test")
    trace = trace_program(program, Limits())
    return Task("t", "test", "output", program, outcome_text(trace), trace, "t")


def _executed(change: Callable[[int, str], str], *, max_steps: int = 50) -> Execution:
    """A model that knows the true step for the true state, and says what `change` makes of it."""
    task = _task()
    steps = iter([e.target for e in render(task.truth, task.program)])
    asked: list[Prompt] = []

    async def ask(prompt: Prompt) -> Completion:
        asked.append(prompt)
        return Completion(change(len(asked), next(steps)), "stop")

    return asyncio.run(execute(task, ask, max_steps=max_steps))


def test_a_model_that_is_right_never_parts() -> None:
    execution = _executed(lambda n, step: step)
    assert execution.answer == Answer("7")
    assert [s.apart for s in execution.steps] == [""] * 9
    assert execution.steps[-1].true == execution.steps[-1].believed == "<- 7"


@pytest.mark.parametrize(
    ("wrong", "part"),
    [("@3 | s=4", "variables"), ("@5 | s=3", "control flow"), ("@3 | s=3; ~1=iter(range(2))", "iterators")],
)
def test_the_first_wrong_step_and_its_part_are_named(wrong: str, part: str) -> None:
    execution = _executed(lambda n, step: wrong if n == 4 else step)
    first = next(s for s in execution.steps if s.apart)
    assert (first.number, first.apart) == (4, part)
    assert first.true == "@3 | xs=#1[3, 4]; s=3; x=3; ~1=iter(#1)@1"


def test_a_step_that_can_never_be_read_ends_the_belief_but_not_the_truth() -> None:
    execution = _executed(lambda n, step: "nonsense" if n >= 3 else step)
    assert isinstance(execution.answer, NoAnswer)
    assert execution.answer.reason == "unparsable"
    assert [bool(s.believed) for s in execution.steps] == [True] * 3 + [False] * 6
    assert (execution.n_questions, execution.n_again) == (2 + 1 + RETRIES, RETRIES)


def test_a_step_that_cannot_be_read_is_asked_for_again_and_counted() -> None:
    task = _task()
    steps = [e.target for e in render(task.truth, task.program)]
    replies = iter([*steps[:2], "nonsense", *steps[2:]])
    temperatures: list[float] = []

    async def ask(prompt: Prompt) -> Completion:
        temperatures.append(prompt.temperature)
        return Completion(next(replies), "stop")

    execution = asyncio.run(execute(task, ask, max_steps=50))
    assert execution.answer == Answer("7") and not any(s.apart for s in execution.steps)
    assert (execution.n_questions, execution.n_again) == (len(steps) + 1, 1)
    assert [t > 0 for t in temperatures] == [n == 3 for n in range(len(steps) + 1)]


def test_the_budget_ends_a_belief() -> None:
    execution = _executed(lambda n, step: step, max_steps=2)
    assert execution.answer == NoAnswer("budget", "not over after 2 steps")


def test_the_text_shows_both_sides_from_where_they_part() -> None:
    execution = _executed(lambda n, step: "@3 | s=4" if n == 4 else step)
    task = _task()
    lines = list(
        execution_lines(
            task.program, execution.steps, answer=answer_text(execution.answer), expected=execution.expected
        )
    )
    where = next(i for i, line in enumerate(lines) if "part: variables" in line)
    assert "= @" in lines[where - 1]
    assert "≠ @3 | xs=#1[3, 4]; s=3" in lines[where + 1]
    assert "model @3 | xs=#1[3, 4]; s=4" in lines[where + 2]
    assert lines[-3:] == ["model and truth part at step 4: 3 of 7 steps right", "model: 7", "truth: 7"]


def test_a_long_run_is_cut_with_a_word() -> None:
    execution = _executed(lambda n, step: step)
    task = _task()
    lines = list(execution_lines(task.program, execution.steps, answer="7", expected="7", most=4))
    assert any("states not shown (--all shows them)" in line for line in lines)
    assert any(line.lstrip().startswith("end =") for line in lines), "the end is shown"


COMPREHENSION = "def f(n):\n    return [i for i in range(n)]\n"


def test_a_model_of_another_python_is_told_apart_at_comprehensions_alone() -> None:
    looped, inlined = (make_program(text, "f", "2", origin="test") for text in (SOURCE, COMPREHENSION))
    cards = [Card(python=(3, 11)), Card(python=(3, 12))]
    notes = [version_note(card, inlined) for card in cards]
    assert sorted(map(bool, notes)) == [False, True]  # one of the two is like this Python
    assert "a comprehension" in "".join(notes)
    assert not any(version_note(card, looped) for card in cards) and not version_note(Card(), inlined)


def test_the_shipped_model_takes_the_steps_of_the_python_on_its_card() -> None:
    program = make_program(COMPREHENSION, "f", "2", origin="test")
    done = run_execute(
        program, trace_program(program, Limits()), model="tiny", max_steps=20, model_args=["threads=1"]
    )
    assert done.answer == Answer("[0, 1]")
    assert any(step.apart for step in done.steps) == bool(done.note)
