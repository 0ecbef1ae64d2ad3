"""vanilla and cot: the prompt really holds program and call, and the answer is read from what comes back."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from types import ModuleType

import pytest
from tests.evaluation.fakes import trace_of

from deskcheck.errors import UserError
from deskcheck.records import Answer, Completion, NoAnswer, Program, Prompt, Task
from deskcheck.strategies import Settings, check_fit, cot, direct, vanilla

SOURCE = "def f(text, k):\n    return {'{': text * k}\n"
PROGRAM = Program("0" * 16, "python", SOURCE, "f", "'{source}', k=2", "test", "MIT")
TASK = Task("t", "test", "output", PROGRAM, "{'{': '{source}{source}'}", trace_of(1), "t")

both = pytest.mark.parametrize("strategy", [vanilla, cot])


@both
def test_the_prompt_is_the_golden_one(strategy: ModuleType, golden: Callable[[str, str], None]):
    prompt = strategy.opening(TASK, Settings())
    golden(f"{strategy.__name__.rpartition('.')[2]}.txt", "\n".join(m.text for m in prompt.messages) + "\n")


@both
def test_program_and_call_stand_in_the_prompt_as_they_are(strategy: ModuleType):
    (message,) = strategy.opening(TASK, Settings()).messages
    assert SOURCE.rstrip("\n") in message.text
    assert "f('{source}', k=2)" in message.text


@both
def test_the_true_answer_does_not_stand_in_the_prompt(strategy: ModuleType):
    assert TASK.expected not in strategy.opening(TASK, Settings()).messages[0].text


@both
@pytest.mark.parametrize(
    ("completion", "answer"),
    [
        (Completion("so [ANSWER]1[/ANSWER] no, [ANSWER][2][/ANSWER]", "stop"), Answer("[2]")),
        (Completion("[ANSWER]raises KeyError[/ANSWER]", "stop"), Answer("raises KeyError")),
        (Completion("first, x is", "length"), NoAnswer("truncated", "first, x is")),
    ],
)
def test_the_answer_is_read_from_the_one_completion(
    strategy: ModuleType, completion: Completion, answer: Answer | NoAnswer
):
    asked: list[Prompt] = []

    async def ask(prompt: Prompt) -> Completion:
        asked.append(prompt)
        return completion

    rollout = asyncio.run(strategy.run(TASK, ask, Settings()))
    assert rollout.answer == answer
    assert rollout.completions == [completion]
    assert asked == [strategy.opening(TASK, Settings())]


def test_a_pair_that_does_not_fit_is_refused_with_the_reason():
    with pytest.raises(UserError, match="strategy 'direct' cannot ask for 'coverage' tasks; it fits: output"):
        check_fit("direct", direct, kind="coverage")
    check_fit("vanilla", vanilla, kind="coverage")
