"""Doubts: the worst stands first, and one about everything outweighs one about a part."""

from __future__ import annotations

import msgspec
from tests.report.test_compare import answered

from deskcheck.report.doubts import doubts
from deskcheck.report.read import Run


def with_row(run: Run, **row: object) -> Run:
    return msgspec.structs.replace(run, row=msgspec.structs.replace(run.row, **row))


def few(**row: object) -> Run:
    """Ten right answers about ten programs: an edge, and few programs."""
    return answered([True] * 10, **row)


MISSING = with_row(few(model="gone"), n_tasks=20, no_answer={"error": 10}, bounds=(0.5, 1.0))
ORACLE = with_row(few(model="saw"), oracle=True)


def order(*runs: Run) -> list[str]:
    """First words that tell the doubts apart."""
    signs = {
        "missing": "answers are missing", "oracle": "saw the truth",
        "edge": "every answer is", "few": "only, so the interval is rough", "width": "give or take",
    }  # fmt: skip
    return [next(name for name, sign in signs.items() if sign in text) for text in doubts(list(runs))]


def test_missing_answers_stand_before_everything_that_was_asked():
    assert MISSING.row.is_withheld
    assert order(few(), ORACLE, MISSING) == ["missing", "oracle", "edge", "few"]
    assert order(MISSING) == ["missing"]


def test_a_fair_row_is_doubted_for_its_edge_before_its_few_programs():
    assert order(few()) == ["edge", "few"]
    assert order(answered([True, False] * 5)) == ["few"]


def test_a_doubt_that_several_rows_share_is_said_about_the_worst_and_counted():
    worse = with_row(MISSING, n_tasks=40, no_answer={"error": 30})
    (text,) = doubts([MISSING, worse])
    assert "30 of 40 answers are missing" in text and text.endswith("The same holds for 1 more row.")


def test_without_a_run_there_is_nothing_to_doubt():
    assert doubts([]) == []
