"""What docs/results.md and docs/audit.md count, on the public data they are made of."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from deskcheck.report.breakdown import Answered
from stored_answers import graded, joined, numbers, re2

Data = Callable[[str], Path]


def test_loops_and_branches_that_can_be_right(data: Data) -> None:
    data("re2-bench/loop.jsonl.gz")
    known = re2.truths(data("re2-bench"))
    n = {
        asked: sum(known.answerable(asked, i) for i in getattr(known, asked)) for asked in ("loop", "branch")
    }
    assert n == {"loop": 166, "branch": 174}
    asked_both = [i for i, row in known.loop.items() if row["truth"] and row["in_problems"]]
    moved = [i for i in asked_both if known.state(i) and not known.answerable("loop", i)]
    assert (len(asked_both), sum(bool(known.state(i)) for i in asked_both), len(moved)) == (126, 121, 14)


def test_a_truth_is_moved_to_the_line_of_its_blank_and_no_further() -> None:
    row = {"in_problems": True, "code": "1 for i in x:## [STATE]i=??[/STATE] [STATE]x=??[/STATE]"}
    known = re2.Truths({}, {"a": {**row, "truth": {"9": {"i": [1], "x": [[1]]}}}}, {})
    assert known.state("a") == {"1": {"i": [1], "x": [[1]]}}
    other = re2.Truths({}, {"a": {**row, "truth": {"9": {"j": [1]}}}}, {})
    assert other.state("a") == {}


def test_problems_joined_to_doocs(data: Data) -> None:
    found, question_of = joined.join(
        data("livecodebench-exec/problems.jsonl"), data("leetcode/doocs-leetcode-python-index.jsonl")
    )
    assert (len(found.known), found.ambiguous, found.missing, len(question_of)) == (80, 7, 5, 479)


def test_no_horizon_where_accuracy_does_not_fall() -> None:
    def tasks(n: int, right_to: int) -> list[Answered]:
        return [
            Answered(
                str(i), str(i), i + 1, ["right" if i < right_to or i % 7 == 0 else "wrong"], "0", [], None
            )
            for i in range(n)
        ]

    assert numbers.horizon_words(tasks(99, 40), 0.5) == "n 99: bins only"
    assert numbers.horizon_words(tasks(200, 60), 0.5).startswith("isotonic 60 [")
    assert numbers.horizon_words(tasks(200, 0), 0.5).startswith("not falling (isotonic")


@pytest.mark.slow
def test_all_43_runs_and_every_difference(data: Data) -> None:
    data("livecodebench-exec/problems.jsonl")
    _, runs = graded.livecodebench(data("livecodebench-exec"))
    assert (len(runs), sum(run.n_stored for run in runs)) == (43, 205_970)
    differs = {run.name: dict(run.differs) for run in runs if run.differs}
    assert differs == {
        "claude-instant-1": {"arithmetic": 9},
        "deepseek-base-1.3b+cot": {"calls the program": 25, "calls a library function": 1},
        "deepseek-instruct-1.3b+cot": {"calls the program": 29, "calls a library function": 1},
        "deepseek-instruct-6.7b+cot": {"boolean operator": 2, "calls a library function": 1},
        "gpt-3.5-turbo-0613+cot": {"calls a library function": 1},
        "magicoder-ds-7b+cot": {"boolean operator": 1},
        "mistral-7b+cot": {"arithmetic": 2},
        "phi-1": {"a statement after the answer": 2},
        "starcoderbase-7b": {"calls a library function": 1},
    }
