"""Incremental consistency: REval's scores, on items that all four kinds asked about."""

from __future__ import annotations

import msgspec
import pytest
from tests.report.test_compare import answered

from deskcheck.report.read import Run
from deskcheck.report.shortcuts import KINDS, consistency


def kinds(*right: list[bool]) -> list[Run]:
    return [answered(each, task=kind) for kind, each in zip(KINDS, right, strict=True)]


def test_the_scores_are_those_of_reval() -> None:
    # Items: all right; output wrong; next line wrong though the output is right; state wrong; nothing right.
    runs = kinds(
        [True, True, True, True, False],
        [True, True, True, False, True],
        [True, True, False, True, True],
        [True, False, True, True, True],
    )
    (found,) = consistency(runs)
    assert found.steps == (1, 1, 1, 1, 1)
    assert found.interval.mean == pytest.approx((1 + 0.5 + 0.25 + 0.125 + 0) / 5)


def test_an_item_is_right_in_a_kind_when_all_its_questions_are() -> None:
    runs = kinds([True] * 6, [True] * 6, [True] * 6, [True] * 6)
    halves = [
        msgspec.structs.replace(one, task=f"t{index // 2}@{index}")
        for index, one in enumerate(answered([True, False] * 3).samples)
    ]
    runs[1] = msgspec.structs.replace(runs[1], samples=halves)
    (found,) = consistency(runs)
    assert (found.n_items, found.n_left_out) == (3, 3)
    assert found.steps == (0, 3, 0, 0, 0)


def test_a_call_with_a_question_that_was_never_asked_counts_in_no_score() -> None:
    runs = kinds([True] * 4, [True] * 4, [True, False, True, True], [True] * 4)
    kept, gone = runs[1].samples[:-1], runs[1].samples[-1]
    also = msgspec.structs.replace(kept[0], task="t3@5")  # the last call's other question was asked
    unasked = msgspec.structs.replace(gone, task="t3@6", verdict="no answer", reason="not_asked")
    runs[1] = msgspec.structs.replace(runs[1], samples=[*kept, msgspec.structs.replace(also, cluster="p3")])
    (all_asked,) = consistency(runs)
    assert (all_asked.n_items, all_asked.steps) == (4, (0, 0, 1, 0, 3))
    runs[1] = msgspec.structs.replace(runs[1], missing=[unasked])
    (one_missing,) = consistency(runs)
    assert (one_missing.n_items, one_missing.n_left_out, one_missing.steps) == (3, 1, (0, 0, 1, 0, 2))


def test_without_all_four_kinds_there_is_no_score() -> None:
    assert consistency(kinds([True], [True], [True], [True])[:3]) == []
