"""clustered_interval: samples of one program are no independent evidence."""

from __future__ import annotations

import math

import pytest
from tests.scripts import load_script

from deskcheck.errors import UserError
from deskcheck.statistics.summary import clustered_interval


def test_many_independent_observations_get_wilson() -> None:
    found = clustered_interval([1.0] * 30 + [0.0] * 70, list(range(100)))
    assert found.method == "wilson"
    assert (found.low, found.high) == pytest.approx((0.2189, 0.3958), abs=1e-4)
    assert found.note == ""


def test_the_clustered_error_is_the_textbook_one() -> None:
    # Two samples of each of 40 programs, equal within a program: as good as 40 observations, not 80.
    values = [2.0 * (program % 2) for program in range(40) for _ in range(2)]
    found = clustered_interval(values, [program for program in range(40) for _ in range(2)], bounds=(0, 2))
    error = math.sqrt(40 / 39 * 40 * 2.0**2) / 80  # every cluster's residuals add up to +-2
    assert found.method == "clustered t"
    assert found.mean == 1.0
    assert found.high - found.mean == pytest.approx(2.0227 * error, rel=1e-4)


def test_programs_that_agree_wholly_count_once() -> None:
    values = [float(program % 3 == 0) for program in range(60) for _ in range(8)]
    found = clustered_interval(values, [program for program in range(60) for _ in range(8)])
    alone = clustered_interval([float(program % 3 == 0) for program in range(60)], list(range(60)))
    assert found.method == "clustered wilson"
    assert (found.low, found.high) == pytest.approx((alone.low, alone.high), abs=0.004)


def test_repeating_every_observation_does_not_narrow_the_interval() -> None:
    two, nine = (
        clustered_interval([1.0, 0.0, 0.0] * 15 * n, list(range(45)) * n)  # n equal samples of 45 programs
        for n in (2, 9)
    )
    assert (two.low, two.high) == pytest.approx((nine.low, nine.high))


def test_fewer_than_30_clusters_are_said_to_be_too_few() -> None:
    values = [1.0, 0.5, 0.0] * 10
    few = clustered_interval(values, [index % 29 for index in range(30)])
    assert (few.method, few.note, few.n_clusters) == ("clustered t", "too few clusters", 29)
    assert few.low < few.mean < few.high


def test_under_5_clusters_there_is_no_interval() -> None:
    found = clustered_interval([1.0, 0.0] * 10, [index // 5 for index in range(20)])
    assert (found.method, found.note) == ("none", "too few clusters")
    assert math.isnan(found.low) and math.isnan(found.high)


def test_all_right_is_not_certainty() -> None:
    found = clustered_interval([1.0] * 100, [index // 2 for index in range(100)])
    alone = clustered_interval([1.0] * 50, list(range(50)))  # 50 programs, not 100 samples
    assert found.high == 1.0
    assert found.low == pytest.approx(alone.low, abs=0.003)
    none = clustered_interval([0.0] * 164, range(164))
    assert str(none.low) == "0.0" and 0.02 < none.high < 0.03


@pytest.mark.parametrize(("n", "size", "lowest"), [(93, 3, 91.5), (200, "1..10", 91.5), (800, 10, 91.5)])
def test_the_interval_covers_the_truth_as_often_as_it_says(n: int, size: int | str, lowest: float) -> None:
    numpy = pytest.importorskip("numpy", exc_type=ImportError)
    line = load_script("measurements/intervals.py").coverage(n, size, 800, numpy.random.default_rng(5))
    assert 93.5 <= line["ours"]["lowest mean"] <= line["ours"]["highest mean"] <= 96.7
    assert (
        line["ours"]["lowest"] >= lowest - 0.9
    )  # three standard errors of 800 runs are 2.3, of the least cell
    assert line["plain"]["lowest"] < 85  # the measure can fail


def test_nothing_to_average_is_an_error() -> None:
    with pytest.raises(UserError, match="no observations"):
        clustered_interval([], [])
    with pytest.raises(UserError, match="2 values but 1"):
        clustered_interval([1.0, 0.0], ["a"])
