"""True answers score everything, false ones nothing, and a chain is led by its own states."""

from __future__ import annotations

import pytest

pytest.importorskip("numpy", reason="needs the extra 'eval'")

from deskcheck import plugins
from deskcheck.models.tiny import Request
from deskcheck.programs.generated import HELD_OUT, traced
from deskcheck.records import Completion, Granularity
from deskcheck.tracing.access import has_native
from deskcheck.training.scores.held_out import score
from deskcheck.training.traces import in_process

N = 6
LAYOUTS = ("direct", "scratchpad", "compact", "line-1")
FINE = ("sub", "expression-1") if has_native() else ()
STEPWISE = ("line-1-full", *FINE)
RUNS = [
    (program, in_process(program, trace)) for program, trace in traced("easy", seed=HELD_OUT["easy"], n=N)
]
TRUTH = {
    example.prompt: example.target
    for program, at in RUNS
    for layout in (*LAYOUTS, *STEPWISE)
    if (module := plugins.load("layout", layout))
    for example in module.render(at(getattr(module, "GRANULARITY", Granularity.LINE)), program)
}


class Answering:
    """Stands in for the model: the truth, but for what `spoil` does to it."""

    def __init__(self, spoil=lambda text: text, finish_reason: str = "stop") -> None:
        self.spoil = spoil
        self.finish_reason = finish_reason

    def generate(self, requests: list[Request]) -> list[Completion]:
        texts = [self.spoil(TRUTH[r.head + r.body]) for r in requests]
        return [Completion(text, self.finish_reason, 1, 7) for text in texts]


def scored(model) -> dict[tuple[str, str], tuple[int, int, int]]:
    rows = score(model, "easy", list(LAYOUTS), n=N, say=lambda text: None)
    assert all(len(row.verdicts) == len(row.clusters) == row.n for row in rows)
    return {(row.layout, row.question): (row.right, row.n, row.n_unfinished) for row in rows}


def test_the_truth_is_right_everywhere():
    found = scored(Answering())
    assert list(found) == [
        ("direct", "whole run"),
        ("scratchpad", "whole run"),
        ("compact", "whole run"),
        ("line-1", "one step"),
        ("line-1", "chained"),
    ]
    assert all(right == n and unfinished == 0 for right, n, unfinished in found.values())
    assert found[("direct", "whole run")][1] == found[("line-1", "chained")][1] == N
    assert found[("line-1", "one step")][1] > N


@pytest.mark.parametrize("layout", STEPWISE)
def test_layouts_with_a_question_a_step_are_asked_and_chained(layout: str):
    step, chained = score(Answering(), "easy", [layout], n=N, say=lambda text: None)
    assert (step.question, chained.question) == ("one step", "chained")
    assert step.right == step.n > chained.right == chained.n == N


@pytest.mark.skipif("sub" not in FINE, reason="the tracer in C is not built")
def test_the_working_of_sub_is_not_judged():
    def other_working(text: str) -> str:
        return "1 + 1 -> 7 | " + text

    step, chained = score(Answering(other_working), "easy", ["sub"], n=N, say=lambda text: None)
    assert (step.right, chained.right) == (step.n, N)


def test_one_wrong_letter_at_the_end_is_wrong():
    found = scored(
        Answering(lambda text: text if text.startswith(("@", ">")) and "\n" not in text else text + "0")
    )
    assert all(found[(layout, "whole run")][0] == 0 for layout in ("direct", "scratchpad", "compact"))
    assert found[("line-1", "chained")][0] == 0
    assert 0 < found[("line-1", "one step")][0] < found[("line-1", "one step")][1]


def test_an_answer_that_was_cut_is_wrong_and_counted_as_unfinished():
    found = scored(Answering(finish_reason="length"))
    assert all((right, unfinished) == (0, n) for right, n, unfinished in found.values())


def test_a_chain_that_stands_still_ends_as_unfinished():
    class Still(Answering):
        def generate(self, requests):
            if any("[line-1]" in r.head for r in requests):
                return [Completion(f"@{r.body[1:].split(' ')[0].strip()}", "stop", 1, 2) for r in requests]
            return super().generate(requests)

    right, n, unfinished = scored(Still())[("line-1", "chained")]
    assert (right, unfinished) == (0, n)
