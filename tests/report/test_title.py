"""The title of a report: model and finding, from the lowest row to the highest, nothing picked out."""

from __future__ import annotations

import msgspec
from tests.report.test_compare import answered
from tests.report.test_missing import lost

from deskcheck.report.words import findings, title

LOW = answered([index % 4 == 0 for index in range(60)], model="deskcheck/tiny", strategy="direct")
HIGH = answered([index % 2 == 0 for index in range(60)], model="deskcheck/tiny", strategy="line-1")


def test_the_range_over_all_rows_stands_in_it():
    place = LOW.row.benchmark
    assert title([HIGH, LOW]) == f"tiny: {place} 25.0 to 50.0 % right"
    assert title([LOW]) == f"tiny: {place} 25.0 % right"


def test_several_models_are_counted():
    other = answered([True] * 60, model="other", strategy="direct")
    assert title([LOW, other]) == f"2 models: {LOW.row.benchmark} 25.0 to 100.0 % right"


def test_a_row_that_saw_the_truth_and_a_withheld_one_are_left_out():
    oracle = msgspec.structs.replace(HIGH, row=msgspec.structs.replace(HIGH.row, oracle=True))
    unpaid = lost(HIGH, list(range(11, 60)))
    assert title([LOW, oracle, unpaid]) == f"tiny: {LOW.row.benchmark} 25.0 % right"
    assert title([unpaid]) == f"tiny: {LOW.row.benchmark} no verdict"


def test_two_rows_without_a_right_answer_are_not_right_on_the_same_ones():
    none = [answered([False] * 60, model="deskcheck/tiny", strategy=each) for each in ("direct", "line-1")]
    said = [sentence for sentence, _ in findings(none)]
    assert "Neither direct nor line-1 is right on any of 60 answers on b." in said
