"""Jumps are compared with the same way in single steps, from the same states, and as whole programs."""

from __future__ import annotations

import math

import pytest

pytest.importorskip("numpy", reason="needs the extra 'eval'")

from deskcheck.models.tiny import Request
from deskcheck.programs.generated import HELD_OUT, traced
from deskcheck.records import Completion
from deskcheck.states.jumps import landing
from deskcheck.states.steps import head, run_of
from deskcheck.training.scores.skips import SkipRow, skip_rows, table

RUNS = list(traced("easy", seed=HELD_OUT["easy"], n=8))


class Jumping:
    """Right for jumps of some lengths, and elsewhere sure of nothing and wrong."""

    def __init__(self, right_up_to: int) -> None:
        self.most = right_up_to
        self.runs = {head("line-n", program): run_of(trace) for program, trace in RUNS}
        self.places = {
            (top, str(before)): number
            for top, run in self.runs.items()
            for number, (before, _, _) in reversed(list(enumerate(run)))
        }

    def generate(self, requests: list[Request]) -> list[Completion]:
        return [self.answer(one) for one in requests]

    def answer(self, request: Request) -> Completion:
        state, skip = request.body.rstrip("\n").split("\n")
        length = int(skip.removeprefix("skip "))
        at = self.places.get((request.head, state), -1)
        if at < 0 or length > self.most:
            return Completion("@2 | wrong=1", "stop", 1, 3, logprob=math.log(0.4))
        text = str(landing(self.runs[request.head], at, length))
        return Completion(text, "stop", 1, len(text), logprob=-0.01)


def test_a_model_that_can_jump_is_right_with_fewer_questions():
    at_once, by_ones, ones, fours, likely = skip_rows(Jumping(10), RUNS)
    assert all(row.right == row.n for row in (at_once, by_ones, ones, fours, likely))
    assert at_once.n == by_ones.n == sum(len(run_of(trace)) // 4 for _, trace in RUNS) > 8
    assert (at_once.questions, by_ones.questions) == (1.0, 4.0)
    assert likely.questions < fours.questions < ones.questions


def test_a_model_that_only_steps_is_told_apart_and_likely_falls_back():
    at_once, by_ones, ones, fours, likely = skip_rows(Jumping(1), RUNS)
    assert (at_once.right, fours.right) == (0, 0)
    assert (by_ones.right, ones.right, likely.right) == (by_ones.n, ones.n, likely.n)
    assert likely.questions == pytest.approx(4 * ones.questions), "every length is tried before the step"


def test_the_table_has_a_line_for_each():
    text = table(skip_rows(Jumping(10), RUNS))
    assert text.count("\n") == 6
    assert "| jump | 4 steps at once | 100.0 % |" in text


def test_an_interval_that_there_is_none_of_is_unknown():
    row = SkipRow("jump", "4 steps at once", 3, 1, math.nan, math.nan, 1.0, 9.0)
    assert "| 33.3 % | unknown | 3 |" in table([row])
