"""Regression and pooling agree with statsmodels 0.14 on known data, and refuse what cannot carry them."""

from __future__ import annotations

import math

import pytest

from deskcheck.errors import UserError
from deskcheck.statistics.pooled import pool
from deskcheck.statistics.regression import logistic


def data() -> tuple[list[list[float]], list[float], list[int]]:
    rows = [[((i * 37) % 101) / 10, float(i % 3 == 0)] for i in range(120)]
    chances = [1 / (1 + math.exp(-(0.3 * x - 1.5 + 0.8 * flag))) for x, flag in rows]
    right = [float(((i * 53) % 97) / 97 < chance) for i, chance in enumerate(chances)]
    return rows, right, [i // 2 for i in range(120)]


def test_logistic_regression_is_that_of_statsmodels() -> None:
    # GLM(Binomial).fit(cov_type="cluster", use_correction=False): params and bse, ours times G / (G - 1).
    rows, right, clusters = data()
    number, flag = logistic(rows, right, clusters, names=["x", "flag"])
    assert math.log(number.odds) == pytest.approx(0.81267784, rel=1e-5)
    assert math.log(flag.odds) == pytest.approx(0.46817169, rel=1e-5)
    for effect, error in ((number, 0.19503809), (flag, 0.45730526)):
        half = math.log(effect.high / effect.odds)
        assert half == pytest.approx(2.000995 * error * math.sqrt(60 / 59), rel=1e-4)
    assert number.p < 0.001 < 0.3 < flag.p
    assert (flag.spread, round(number.spread, 2)) == (1.0, 2.92)


def test_a_property_that_never_varies_is_left_out() -> None:
    rows, right, clusters = data()
    found = logistic([[*row, 7.0] for row in rows], right, clusters, names=["x", "flag", "same"])
    assert [effect.name for effect in found] == ["x", "flag"]


def test_what_cannot_carry_a_regression_is_refused() -> None:
    rows, right, clusters = data()
    with pytest.raises(UserError, match="too few"):
        logistic(rows[:20], right[:20], clusters[:20], names=["x", "flag"])
    with pytest.raises(UserError, match="determine each other"):
        logistic([[x, 2 * x] for x, _ in rows], right, clusters, names=["x", "twice"])
    with pytest.raises(UserError, match="without exception"):
        logistic([[y] for y in right], right, clusters, names=["itself"])
    with pytest.raises(UserError, match="do not match"):
        logistic(rows, right[1:], clusters, names=["x", "flag"])


def test_pooling_is_that_of_statsmodels() -> None:
    # combine_effects(.., method_re="dl", use_t=True)
    found = pool([0.05, 0.12, -0.01, 0.2], [0.02, 0.03, 0.02, 0.05])
    assert found.effect == pytest.approx(0.0803422365911286)
    assert found.between**2 == pytest.approx(0.004665497076023393)
    assert found.q == pytest.approx(23.421501706484644)
    assert found.share == pytest.approx(0.8719125683060109)
    assert (found.low, found.high) == pytest.approx((-0.058439, 0.219123), abs=1e-5)  # Hartung and Knapp
    assert found.p < 1e-4


def test_models_that_agree_have_no_heterogeneity() -> None:
    found = pool([0.1, 0.1, 0.1], [0.02, 0.02, 0.02])
    assert (found.between, found.share, found.p) == (0.0, 0.0, pytest.approx(1.0))
    assert found.low < 0.1 < found.high


def test_one_model_is_no_population() -> None:
    found = pool([0.1], [0.02])
    assert found.effect == 0.1
    assert math.isnan(found.low) and math.isnan(found.p)
    with pytest.raises(UserError):
        pool([], [])
    with pytest.raises(UserError, match="above 0"):
        pool([0.1], [0.0])


def test_answers_without_any_spread_have_no_regression():
    """Half of each program's samples are right: the errors are 0, and a p of 0 / 0 ended the report."""
    rows = [[float(number % 2), float(number % 5)] for number in range(60)]
    with pytest.raises(UserError, match="too much alike"):
        logistic(rows, [0.5] * 60, range(60), names=["has a loop", "lines"])
