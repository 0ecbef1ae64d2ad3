"""The interval of a horizon holds a known one as often as it says, near and beyond the ends as well."""

from __future__ import annotations

import math

import pytest
from tests.scripts import load_script

from deskcheck.statistics import horizon as horizon_module
from deskcheck.statistics.horizon import Observation, horizon

numpy = pytest.importorskip("numpy", exc_type=ImportError)
SAME_CURVE, PROGRAMS_DIFFER, FAMILIES_DIFFER = (1.0, 1.0), (0.4, 1.0), (1.0, 0.8)


SIMULATED = load_script("measurements/intervals.py")


def test_the_80_per_cent_horizon_of_93_programs_lies_in_its_interval() -> None:
    # 800 of at most 1,000 steps: a percentile bootstrap of the fitted curve holds it in 78 % of such runs.
    random = numpy.random.default_rng(7)
    held = 0
    for _ in range(80):
        lengths = numpy.floor(2 ** random.uniform(1, 10, 93))
        chances = 1 / (1 + numpy.exp(-2 * numpy.log2(800 / lengths) - math.log(4)))
        right = random.random(93) < chances
        rows = [
            Observation(int(s), int(r), 1, "a", str(i))
            for i, (s, r) in enumerate(zip(lengths, right, strict=True))
        ]
        found = horizon(rows, level=0.8)
        held += found.low <= 800 <= found.high
    assert held >= 72  # 95 % of 80 less two standard errors


@pytest.mark.parametrize("level", [0.5, 0.8])
@pytest.mark.parametrize(
    ("n", "size", "samples", "families", "ease"),
    [
        (93, 1, True, 1, SAME_CURVE),
        (93, 3, True, 1, PROGRAMS_DIFFER),
        (200, "1..10", False, 1, PROGRAMS_DIFFER),
        (200, 1, True, 10, FAMILIES_DIFFER),
    ],
)
def test_known_horizons_lie_in_their_intervals(
    n: int, size: int | str, samples: bool, families: int, ease: tuple[float, float], level: float
) -> None:
    case = (n, size, samples, families, *ease)
    found = SIMULATED.horizon_coverage(case, level, runs=250, seed=4, slopes=(1.0,))
    assert 94 <= found["mean"] <= 98.5
    assert found["lowest"] >= 90  # three standard errors of 250 runs are 4
    assert found["lowest beyond"] >= 93
    assert found["says nothing"] < 25


def test_answers_of_one_program_taken_for_independent_would_be_too_sure() -> None:
    case = (200, "1..10", True, 1, 0.4, 1.0)
    models = SIMULATED.Models(case, 250, numpy.random.default_rng(4))
    share = models.answer(45, 1.0, 0.5)
    assert models.held(share, 45, 0.5).mean() > 0.92
    alone = numpy.arange(len(models.asked.n))
    each = numpy.repeat(alone, models.asked.n.astype(int))  # every answer a program of its own
    apart = SIMULATED.horizon_interval.design(
        models.asked.x[:, each],
        numpy.ones(len(each)),
        ["a"] * len(each),
        [f"{i:04}" for i in range(len(each))],
    )
    rights = numpy.round(share * models.asked.n)[:, each]
    place = numpy.arange(len(each)) - numpy.repeat(
        numpy.r_[0, numpy.cumsum(models.asked.n)[:-1]], models.asked.n.astype(int)
    )
    at = numpy.full(250, math.log2(45))
    found = SIMULATED.horizon_interval.evidence(apart, (place < rights).astype(float), at, level=0.5)
    assert (abs(found) <= 1).mean() < 0.8


@pytest.mark.parametrize("truth", [0.7, 2.5, 45, 800, 4000])
def test_the_interval_is_what_the_test_at_each_length_leaves(truth: float) -> None:
    models = SIMULATED.Models((93, 3, True, 5, 0.7, 0.8), 40, numpy.random.default_rng(3))
    share = models.answer(truth, 1.0, 0.8)
    within = []
    for run in range(40):
        low, high = models.bounds(share, run, 0.8)
        within.append(low <= math.log2(truth) <= high)
    assert list(models.held(share, truth, 0.8)) == within


def test_of_one_length_alone_it_is_wilsons_interval() -> None:
    def found(right: int, level: float) -> tuple[float, float]:
        one = horizon([Observation(8, int(i < right), 1, "a", str(i)) for i in range(200)], level=level)
        return one.low, one.high

    # 120 of 200 with t of 198: 0.5306 to 0.6656; a level outside is shown to lie on one side.
    assert found(120, 0.52) == (8.0, math.inf)
    assert found(120, 0.54) == found(120, 0.66) == (0.0, math.inf)
    assert found(120, 0.68) == (0.0, 8.0)


@pytest.mark.parametrize(("bend", "is_said"), [(0.99, False), (1.01, True), (-1.01, True), (2.9, True)])
def test_a_curve_is_called_not_logistic_from_one_on(
    monkeypatch: pytest.MonkeyPatch, bend: float, is_said: bool
) -> None:
    """In units of what chance alone reaches in 95 of 100 studies, as `bend` gives it."""
    rows = [Observation(2 ** (i % 10), int(i % 10 < 5), 1, "a", str(i)) for i in range(200)]
    monkeypatch.setattr(horizon_module.horizon_interval, "bend", lambda asked, share: numpy.array([bend]))
    assert ("not logistic" in horizon(rows).note) is is_said


def test_a_curve_that_is_not_logistic_is_noticed_and_said() -> None:
    found = SIMULATED.same_chance_a_step(800, 45, 0.5, runs=100, seed=1)
    assert found["noticed"] > 75
    assert -0.4 < found["off"] < -0.1  # a sixth too short
    models = SIMULATED.Models((800, 10, True, 1, 0.4, 1.0), 200, numpy.random.default_rng(1))
    assert (abs(SIMULATED.horizon_interval.bend(models.asked, models.answer(45, 1.0, 0.5))) > 1).mean() < 0.1
    lengths = [2 ** (1 + 9 * i / 799) for i in range(800)]
    # Right nine times of ten up to 256 steps, never beyond.
    rows = [Observation(int(s), int(s < 256 and i % 10 > 0), 1, "a", str(i)) for i, s in enumerate(lengths)]
    assert "not logistic" in horizon(rows).note
