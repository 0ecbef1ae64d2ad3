"""Comparisons of two models on the same tasks, and what a number of tasks can show."""

from __future__ import annotations

import itertools
import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom, binomtest

from deskcheck.errors import UserError
from deskcheck.statistics.paired import (
    detectable_difference,
    holm,
    paired_difference,
    sign_flip,
    smallest_detectable_difference,
)


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=60))
def test_flipping_signs_of_single_tasks_is_mcnemar(pairs: list[tuple[bool, bool]]) -> None:
    ups = [x for x, y in pairs if x != y]
    mcnemar = binomtest(sum(ups), len(ups)).pvalue if ups else 1.0
    assert sign_flip([x - y for x, y in pairs]) == pytest.approx(mcnemar)


@given(st.lists(st.integers(-3, 3), min_size=1, max_size=9))
def test_flipping_signs_counts_every_way_to_flip(sums: list[int]) -> None:
    ways = list(itertools.product((-1, 1), repeat=len(sums)))
    beyond = sum(
        abs(sum(s * x for s, x in zip(signs, sums, strict=True))) >= abs(sum(sums)) for signs in ways
    )
    assert sign_flip(sums) == pytest.approx(beyond / len(ways))


def test_two_equal_models_cannot_be_told_apart() -> None:
    assert sign_flip([1, -1]) == 1.0
    found = paired_difference([1.0, 0.0] * 40, [1.0, 0.0] * 40, list(range(80)))
    assert found.mean == 0.0
    assert found.low < -0.01 and found.high > 0.01  # no spread seen is no certainty


def test_a_difference_has_an_interval_clustered_by_program() -> None:
    a = [1.0] * 60 + [0.0] * 40
    b = [1.0] * 50 + [0.0] * 50
    found = paired_difference(a, b, list(range(100)))
    assert found.mean == pytest.approx(0.1)
    assert (found.low, found.high) == pytest.approx((0.0552, 0.1744), abs=1e-4)


def answers_of(ups: int, downs: int, n: int) -> tuple[list[float], list[float]]:
    """Answers of two models to n tasks; `ups` are right in the first alone, `downs` in the second alone."""
    rest = [0.0] * (n - ups - downs)
    return [1.0] * ups + [0.0] * downs + rest, [0.0] * ups + [1.0] * downs + rest


@pytest.mark.parametrize(
    ("ups", "downs", "n", "low", "high"),
    [
        (1, 7, 21, -0.517, -0.026),  # Fagerland, Lydersen, Laake, Statistics in Medicine 33 (2014), table IV
        (0, 0, 50, -0.0713, 0.0713),  # z^2 / (n + z^2), as in Wilson's interval of no success
    ],
)
def test_the_interval_of_single_tasks_is_tangos(
    ups: int, downs: int, n: int, low: float, high: float
) -> None:
    found = paired_difference(*answers_of(ups, downs, n), list(range(n)))
    assert (found.low, found.high) == pytest.approx((low, high), abs=5e-4)


@given(st.integers(0, 40), st.integers(0, 40), st.integers(0, 60))
def test_the_interval_reaches_zero_if_mcnemars_statistic_is_small(ups: int, downs: int, equal: int) -> None:
    n = max(ups + downs + equal, 5)
    found = paired_difference(*answers_of(ups, downs, n), list(range(n)))
    assert -1 <= found.low <= found.mean <= found.high <= 1
    is_small = (ups - downs) ** 2 <= 3.8415 * (ups + downs)
    assert (found.low <= 0 <= found.high) is is_small


def test_tasks_of_one_program_that_differ_independently_cost_no_precision() -> None:
    draw = random.Random(3)
    pairs = [(float(draw.random() < 0.6), float(draw.random() < 0.5)) for _ in range(200)]
    a, b = [x for x, _ in pairs], [y for _, y in pairs]
    alone = paired_difference(a, b, list(range(200)))
    together = paired_difference(a, b, [number // 5 for number in range(200)])
    assert (together.high - together.low) / (alone.high - alone.low) == pytest.approx(1, abs=0.2)


def test_tasks_of_one_program_that_agree_count_as_one() -> None:
    a, b = answers_of(13, 4, 120)
    alone = paired_difference(a, b, list(range(120)))
    together = paired_difference(
        [x for x in a for _ in range(5)], [y for y in b for _ in range(5)], [k // 5 for k in range(600)]
    )
    assert (together.low, together.high) == pytest.approx((alone.low, alone.high), abs=0.01)


def test_a_comparison_says_its_detectable_difference() -> None:
    found = paired_difference([1.0, 0.0] * 100, [1.0] * 100 + [0.0] * 100, list(range(200)))
    half = (found.high - found.low) / 2
    assert detectable_difference(found) == pytest.approx(half * 2.8016 / 1.96, rel=1e-3)


@pytest.mark.parametrize(("n_tasks", "points"), [(93, 13), (200, 9), (800, 4)])
def test_the_smallest_detectable_difference_at_known_sizes(n_tasks: int, points: int) -> None:
    assert round(100 * smallest_detectable_difference(n_tasks)) == points


@pytest.mark.parametrize(("n_tasks", "discordant"), [(50, 0.2), (93, 0.1), (200, 0.2), (800, 0.2)])
def test_the_exact_test_has_80_per_cent_power_at_the_smallest_difference(
    n_tasks: int, discordant: float
) -> None:
    difference = smallest_detectable_difference(n_tasks, discordant=discordant)
    better = (1 + difference / discordant) / 2  # of those that differ
    power = 0.0
    for n in range(1, n_tasks + 1):
        many = binom.pmf(n, n_tasks, discordant)
        if many > 1e-6:
            ups = [up for up in range(n // 2 + 1, n + 1) if 2 * binom.sf(up - 1, n, 0.5) < 0.05]
            power += many * binom.pmf(ups, n, better).sum()
    assert 0.79 <= power <= 0.87


def test_five_tasks_can_show_nothing() -> None:
    assert sign_flip([1] * 5) > 0.05 > sign_flip([1] * 6)
    assert smallest_detectable_difference(5) == math.inf > smallest_detectable_difference(6)
    assert smallest_detectable_difference(10) > 0.5


@given(st.integers(1, 2000))
def test_more_tasks_show_smaller_differences(n_tasks: int) -> None:
    assert smallest_detectable_difference(n_tasks + 1) <= smallest_detectable_difference(n_tasks)


@pytest.mark.parametrize(("a", "b", "words"), [([True], [], "same"), ([], [], "no tasks")])
def test_unpaired_and_empty_comparisons_are_refused(a: list[bool], b: list[bool], words: str) -> None:
    with pytest.raises(UserError, match=words):
        paired_difference(a, b, [0] * len(a))


def test_bad_sizes_are_refused() -> None:
    with pytest.raises(UserError):
        smallest_detectable_difference(0)
    with pytest.raises(UserError):
        smallest_detectable_difference(10, discordant=0.0)


def test_holm_on_the_textbook_example() -> None:
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([]) == []
    with pytest.raises(UserError):
        holm([1.5])


@pytest.mark.parametrize("p_values", [[0.2], [0.01, 0.04, 0.03, 0.04, 0.9], [0.5, 0.001, 1.0, 0.0, 0.3]])
def test_holm_is_that_of_statsmodels(p_values: list[float]) -> None:
    from statsmodels.stats.multitest import multipletests

    assert holm(p_values) == pytest.approx(list(multipletests(p_values, method="holm")[1]))


@given(st.lists(st.floats(0, 1), max_size=8))
def test_holm_never_lowers_a_p_value_and_keeps_their_order(p_values: list[float]) -> None:
    adjusted = holm(p_values)
    assert all(p <= q <= 1 for p, q in zip(p_values, adjusted, strict=True))
    ranked = [q for _, q in sorted(zip(p_values, adjusted, strict=True))]
    assert ranked == sorted(ranked)
