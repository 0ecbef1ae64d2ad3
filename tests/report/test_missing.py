"""Answers that were never asked for, or failed: in no number of a report, and said wherever one stands."""

from __future__ import annotations

import json
import math
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.report.test_compare import answered
from tests.report.test_page import sample, write_run

from deskcheck.cell_files import Sampled
from deskcheck.report import breakdown, horizons, numbers, spent, words
from deskcheck.report.compare import as_lines, compare, together, verdict, write_json
from deskcheck.report.page import render
from deskcheck.report.read import Run, read_runs
from deskcheck.report.study import as_lines as study_lines
from deskcheck.report.study import effects
from deskcheck.statistics.summary import bounds_of, closing


def lost(run: Run, places: list[int], reason: str = "not_asked") -> Run:
    """The same run in which these answers never came."""
    gone = [
        msgspec.structs.replace(one, verdict="no answer", reason=reason, n_calls=0, tokens_in=0, tokens_out=0)
        for number, one in enumerate(run.samples)
        if number in places
    ]
    kept = [one for number, one in enumerate(run.samples) if number not in places]
    right = sum(one.verdict == "right" for one in kept)
    row = msgspec.structs.replace(
        run.row,
        right=right,
        wrong=len(kept) - right,
        no_answer={reason: len(gone)},
        accuracy=right / len(kept) if kept else None,
        bounds=list(bounds_of(right, len(kept), run.row.n_answers)),
    )
    return msgspec.structs.replace(run, samples=kept, missing=gone, row=row)


A = answered([index % 2 == 0 for index in range(60)], model="x", strategy="cot")
B = answered([index % 2 == 0 for index in range(60)], model="x", strategy="vanilla")


@pytest.mark.parametrize("reason", ["not_asked", "error"])
def test_a_strategy_that_money_left_unasked_is_not_worse_than_its_equal(reason: str) -> None:
    """The study that printed -55.0 points, p = 3e-05 for two equal strategies."""
    unpaid = lost(A, list(range(11, 60)), reason)
    (found,) = compare([unpaid], [B])
    assert found.is_withheld and not found.is_shown
    assert all(map(math.isnan, (found.low, found.high, found.p, found.p_holm)))
    assert found.bounds[0] < 0 < found.bounds[1]
    assert verdict(found) == "no verdict: 49 of 60 common answers are missing"
    text = "\n".join(as_lines([found]))
    assert f"(A 49 {reason.replace('_', ' ')}), left out" in text
    assert "p =" not in text and "better" not in text
    study = "\n".join(study_lines([B, unpaid], baselines=["vanilla"]))
    assert "no verdict; missing: 49 of 60 common answers" in study
    assert f"withheld, within 10.0 to 91.7 %), n = 11, no answer 49 {reason.replace('_', ' ')}" in study
    assert "p =" not in study and "points [" not in study


def test_where_nothing_was_asked_there_is_no_rate_and_no_effect() -> None:
    nothing = lost(A, list(range(60)))
    (found,) = compare([nothing], [B])
    assert math.isnan(found.difference) and math.isnan(found.a.accuracy)
    text = "\n".join(study_lines([B, nothing], baselines=["vanilla"]))
    assert "none answered (withheld, within 0.0 to 100.0 %), n = 0" in text
    assert "+0.0 points" not in text and "p =" not in text
    (effect,) = effects([B, nothing], baselines=["vanilla"])
    assert effect.pooled is None


@given(st.sets(st.integers(0, 59), max_size=60))
def test_a_difference_is_that_of_the_answers_that_both_gave(places: set[int]) -> None:
    wrong = answered([index % 3 == 0 for index in range(60)], model="x", strategy="cot")
    (found,) = compare([lost(wrong, list(places))], [B])
    assert (found.n_missing, found.n_pairs) == (len(places), 60 - len(places))
    assert found.is_withheld == (len(places) > 3)
    kept = [index for index in range(60) if index not in places]
    if not found.is_withheld:
        (alone,) = compare(
            [answered([index % 3 == 0 for index in kept], model="x", strategy="cot")],
            [answered([index % 2 == 0 for index in kept], model="x", strategy="vanilla")],
        )
        same = ("difference", "p", "low", "high", "a_alone", "b_alone")
        assert [getattr(found, name) for name in same] == [getattr(alone, name) for name in same]
    (whole,) = compare([wrong], [B])
    assert found.bounds[0] <= whole.difference <= found.bounds[1]


def test_a_comparison_without_a_verdict_is_in_no_family_of_tests() -> None:
    few = answered([index % 10 > 1 for index in range(60)], model="x", strategy="few-shot")
    tested, withheld = compare([few], [B]), compare([lost(A, list(range(40)))], [B])
    both = together([*tested, *withheld])
    assert both[0].p_holm == tested[0].p_holm and both[0].n_tests == 1


def test_the_json_says_what_is_missing_and_gives_no_p(tmp_path: Path) -> None:
    write_json(compare([lost(A, list(range(49)))], [B]), tmp_path / "c.json")
    (one,) = json.loads((tmp_path / "c.json").read_text())["comparisons"]
    assert (one["p"], one["low"], one["is_withheld"], one["is_shown"]) == (None, None, True, False)
    assert (one["n_missing"], one["a"]["missing"]) == (49, {"not_asked": 49})


def test_shares_of_groups_leave_missing_answers_out_and_count_them() -> None:
    run = lost(A, [0, 1, 2])
    (one,) = [share for _, share in numbers.by_steps(run)]
    assert (one.n, one.right, one.missing) == (57, 28, 3)
    (same,) = [share for _, share in breakdown.shares(breakdown.of_run(run), "executed steps")]
    assert same == one
    assert one.has_interval
    (many,) = [share for _, share in numbers.by_steps(lost(A, [0, 1, 2, 3]))]
    assert not many.has_interval and many.bounds == (28 / 60, 32 / 60)


def test_a_horizon_uses_what_was_answered_and_is_withheld_where_too_much_is_missing() -> None:
    some, none = lost(A, [0, 1]), lost(A, list(range(10)))
    (found,) = horizons.of_run(some, [some])
    assert found.half.n_programs == 58
    assert horizons.of_run(none, [none]) == []


def test_what_was_spent_counts_every_call_that_was_made() -> None:
    assert spent.of_run(lost(A, [0, 1])).calls == 58


def old(tmp_path: Path, missing: int, answer: str, reason: str) -> Run:
    """A run as it was written before missing answers left the rates."""
    samples = [sample(number, "right" if number % 2 else "wrong") for number in range(40 - missing)]
    samples += [
        sample(number, "no answer", reason=reason, answer=answer) for number in range(40 - missing, 40)
    ]
    folder = write_run(tmp_path, "vanilla", samples)
    cell = json.loads((folder / "cell.json").read_text())
    del cell["row"]["bounds"]
    cell["row"]["no_answer"] = dict.fromkeys(("truncated", "unparsable", "refused", "error"), 0)
    cell["row"]["no_answer"]["budget"] = missing
    (folder / "cell.json").write_text(json.dumps(cell))
    (run,) = read_runs(str(tmp_path))
    return run


def test_an_older_folder_is_counted_by_the_rule_of_today(tmp_path: Path) -> None:
    money = old(tmp_path / "money", 20, "money: $0.02 of --max-cost $0.02 are spent", "budget")
    assert money.row.no_answer["not_asked"] == 20 and money.row.no_answer["budget"] == 0
    assert (money.row.accuracy, money.row.interval, money.row.bounds) == (0.5, [None, None], [0.25, 0.75])
    steps = old(tmp_path / "steps", 20, "not over after 60 steps", "budget")
    assert steps.row.no_answer["budget"] == 20
    assert (steps.row.accuracy, steps.row.n_missing, len(steps.samples)) == (0.25, 0, 40)
    assert steps.row.interval != [None, None]


def test_a_page_says_what_is_missing_and_keeps_verdicts_back(tmp_path: Path) -> None:
    run = old(tmp_path, 20, "money: spent", "budget")
    page = render([run])
    assert "20 of 40 answers are missing (20 not asked)" in page
    assert "its horizons, effects and steps are withheld" in page
    assert "withheld, within 25.0 to 75.0 %" in page
    ((sentence, _),) = words.findings([run])
    assert "no verdict is given" in sentence and "10 of the 20 answers that came are right" in sentence


def test_the_last_line_says_how_many_are_missing_and_that_the_same_command_goes_on() -> None:
    assert closing([A.row]) == ""
    line = closing([A.row, lost(A, [0]).row, lost(A, [1], "error").row])
    assert line.startswith("2 of 180 answers are missing (1 error, 1 not asked) and in no rate; ")
    assert line.endswith("the same command asks for them")
    assert "verdicts on 1 of 2 rows are withheld" in closing([A.row, lost(A, list(range(4))).row])


@pytest.mark.parametrize("reason", ["truncated", "unparsable", "refused", "budget"])
def test_an_answer_that_the_model_did_not_give_is_not_missing(reason: str) -> None:
    one = msgspec.structs.replace(A.samples[0], verdict="no answer", reason=reason)
    assert not one.is_missing
    assert isinstance(one, Sampled) and numbers.share([one, *A.samples[1:]]).n == 60
