"""A right chain is found right to the last step, a wrong one where it is wrong; torch = onnxruntime."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("numpy", reason="needs the extra 'eval'")

from deskcheck.layouts.line_1 import render
from deskcheck.models.tiny import Request
from deskcheck.programs.generated import HELD_OUT, traced
from deskcheck.records import Completion, Program, Trace
from deskcheck.states.steps import head
from deskcheck.training.scores.long_chains import run_chains


def runs(n: int) -> list[tuple[Program, Trace]]:
    return list(traced("easy", seed=HELD_OUT["easy"], n=n))


class Knowing:
    """Stands for a model: knows every step, but those that it is told to get wrong."""

    def __init__(self, known: list[tuple[Program, Trace]], wrong: dict[str, str]) -> None:
        self.batch = self
        self.answers = {e.prompt: e.target for p, t in known for e in render(t, p)}
        self.answers |= wrong
        self.asked: list[tuple[Request, Any]] = []

    def submit(self, request: Request, ticket: Any) -> None:
        self.asked.append((request, ticket))

    def step(self) -> list[tuple[Any, Completion]]:
        """The last comes first, so that nothing can depend on the order."""
        request, ticket = self.asked.pop()
        text = self.answers.get(request.head + request.body, "?")
        return [(ticket, Completion(text, "stop", n_tokens_in=1, n_tokens_out=2))]


def test_true_steps_are_right_to_the_end() -> None:
    known = runs(6)
    for score, (program, trace) in zip(run_chains(Knowing(known, {}), known), known, strict=True):  # type: ignore[arg-type]
        n = len(render(trace, program))
        assert (score.n_true, score.n_right, score.n_steps) == (n, n, n)
        assert score.finished and score.right and not score.why


def test_a_wrong_step_is_named_and_the_chain_goes_on_or_not() -> None:
    known = runs(3)
    program, trace = known[1]
    examples = render(trace, program)
    wrong = {examples[2].prompt: "<- 'nothing'"}
    score = run_chains(Knowing(known, wrong), known)[1]  # type: ignore[arg-type]
    assert (score.n_right, score.n_steps, score.n_true) == (2, 3, len(examples))
    assert score.finished and not score.right
    assert score.why.startswith("step 3: ")
    unreadable = run_chains(Knowing(known, {examples[2].prompt: "?"}), known)[1]  # type: ignore[arg-type]
    assert (unreadable.n_right, unreadable.finished, unreadable.right) == (2, False, False)
    astray = {examples[2].prompt: examples[0].target}  # a step, but not this one
    assert run_chains(Knowing(known, astray), known, stop_when_wrong=True)[1].n_steps == 3  # type: ignore[arg-type]


def test_a_chain_without_an_end_is_ended() -> None:
    known = runs(1)
    program, trace = known[0]
    first = str(render(trace, program)[0].prompt).removeprefix(head("line-1", program)).rstrip("\n")
    line = first.split(" ")[0][1:]

    class Standing(Knowing):
        def step(self) -> list[tuple[Any, Completion]]:
            _, ticket = self.asked.pop()
            return [(ticket, Completion(f"@{line}", "stop", n_tokens_in=1, n_tokens_out=1))]

    for most, steps in ((1, 1), (1000, 2)):
        (score,) = run_chains(Standing(known, {}), known, max_steps=most)  # type: ignore[arg-type]
        assert (score.n_steps, score.finished, score.right) == (steps, False, False)
