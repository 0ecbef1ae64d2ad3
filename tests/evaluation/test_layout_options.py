"""Options of every trained layout: a call as one step, literals spelled out."""

from __future__ import annotations

import asyncio

import pytest

from deskcheck.errors import UserError
from deskcheck.evaluation.plan import check_strategies, load_strategy
from deskcheck.evaluation.step_scores import divergence, judged
from deskcheck.plugins import load
from deskcheck.records import Answer, Completion, Limits, Prompt, Task
from deskcheck.strategies import Settings
from deskcheck.tracing.program import make_program
from deskcheck.tracing.reference import trace_program
from deskcheck.training.data import split_prompt
from deskcheck.turns.settings import stepping, written


@pytest.mark.parametrize(
    "turned", [{"step_in": "no"}, {"literals": "spelled"}, {"step_in": "no", "literals": "spelled"}]
)
def test_a_layout_under_its_options_is_asked_and_scored_along_that_run(turned: dict[str, str]) -> None:
    """A model that answers each question as it was trained on it is right in every step."""
    settings = Settings(**turned)
    source = "def g(x):\n    x += 10\n    return x\ndef f(x, s='a'):\n    y = g(x)\n    return s * y\n"
    program = make_program(source, "f", "2", origin="t")
    trace = trace_program(program, Limits())
    task = Task("t", "b", "output", program, repr("a" * 12), trace, "t")
    known = {}
    for example in load("layout", "line-1").render(stepping(task, settings).truth, program):
        head, body = split_prompt(example.prompt)
        *asked, target = written(
            head, body, example.target, step_in=settings.step_in, literals=settings.literals
        )
        known[tuple(asked)] = target

    async def ask(prompt: Prompt) -> Completion:
        return Completion(known[tuple(message.text for message in prompt.messages)], "stop")

    rollout = asyncio.run(load_strategy("line-1").run(task, ask, settings))
    assert rollout.answer == Answer(task.expected)
    assert len(rollout.completions) == len(known) == (3 if "step_in" in turned else 7)
    stepped = stepping(task, settings)
    scored = judged(stepped, rollout, strategy="line-1", settings=settings)
    assert scored is not None and (scored.n, scored.wrong) == (len(known) - 1, 0)
    assert divergence(stepped, rollout, strategy="line-1").part == ""  # type: ignore[union-attr]


def test_options_of_layouts_are_refused_where_they_mean_nothing() -> None:
    for name, kind, values, why in (
        ("vanilla", "output", {"step_in": "no"}, "belongs to none"),
        ("line-1", "coverage", {"step_in": "no"}, "only the output is asked"),
        ("line-1", "output", {"literals": "spelled", "shots": "2"}, "worked examples show neither"),
        ("line-1", "output", {"literals": "loud"}, "expected plain or spelled"),
    ):
        with pytest.raises(UserError, match=why):
            check_strategies([name], [kind], values)
    check_strategies(["compact", "vanilla"], ["output"], {"literals": "spelled"})
