"""True answers carry every chain to its end; one wrong step breaks it there and nowhere else."""

from __future__ import annotations

import pytest

pytest.importorskip("numpy", reason="needs the extra 'eval'")

from deskcheck.layouts.line_1 import body
from deskcheck.models.tiny import Request
from deskcheck.records import Completion
from deskcheck.states.steps import steps
from deskcheck.training import chains
from deskcheck.training.scores.long_runs import inputs_near, line, long_rows

NAME, TARGET, N = "fibonacci", 60, 6


class Answering:
    """Stands in for the model: the truth, but for the questions in `wrong`."""

    def __init__(self, wrong: set[str]) -> None:
        self.wrong = wrong
        runs = [chains.run_of(NAME, n) for n in inputs_near(NAME, chains.EVALUATION, TARGET, N)]
        self.truth = {
            body(before, program): str(step) for program, run in runs for before, step, _ in steps(run)
        }

        self.batch = self
        self.waiting: list[tuple[int, Request]] = []

    def submit(self, request: Request, number: int) -> None:
        self.waiting.append((number, request))

    def step(self) -> list[tuple[int, Completion]]:
        asked, self.waiting = self.waiting, []
        return [(n, *self.generate([request])) for n, request in asked]

    def generate(self, requests: list[Request]) -> list[Completion]:
        texts = ["@1" if r.body in self.wrong else self.truth[r.body] for r in requests]
        return [Completion(text, "stop", 1, 3) for text in texts]


def row(wrong: set[str], layout: str = "line-1"):
    (found,) = long_rows(
        Answering(wrong), layout, which=chains.EVALUATION, names=(NAME,), targets=(TARGET,), n_inputs=N
    )
    return found


def test_the_truth_reaches_every_end():
    found = row(set())
    assert found.right == N == len(found.inputs)
    assert found.reached == found.lengths
    assert found.sampled_right == found.sampled > 0
    assert f"{N} of {N} chains" in line(found)


def test_what_is_written_before_a_step_does_not_count(monkeypatch: pytest.MonkeyPatch):
    said = Answering.generate

    def with_working(self: Answering, requests: list[Request]) -> list[Completion]:
        found = said(self, requests)
        return [Completion(f"1 + 1 -> 3 | {c.text}", "stop", 1, 9) for c in found]

    monkeypatch.setattr(Answering, "generate", with_working)
    found = row(set(), "sub")
    assert found.right == N
    assert found.sampled_right == found.sampled > 0
    assert row(set(), "line-1").right == 0


def test_a_wrong_step_ends_its_chain_and_no_other():
    n = inputs_near(NAME, chains.EVALUATION, TARGET, N)[2]
    program, run = chains.run_of(NAME, n)
    states = [before for before, _, _ in steps(run)]
    found = row({body(states[20], program)})
    assert found.right == N - 1
    assert found.reached[2] == 20 < found.lengths[2]
    assert sum(r < length for r, length in zip(found.reached, found.lengths, strict=True)) == 1


def test_lengths_are_those_that_the_benchmark_counts_and_near_the_target():
    found = row(set())
    assert all(abs(length - TARGET) < 40 for length in found.lengths)
