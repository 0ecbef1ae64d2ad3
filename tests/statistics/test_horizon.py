"""Horizon: a known one is found, and outside the data there is a bound and no number."""

from __future__ import annotations

import importlib.util
import math
from pathlib import Path
from types import ModuleType

import pytest

from deskcheck.errors import UserError
from deskcheck.statistics.horizon import Horizon, Observation, chance, horizon


def seen(right_up_to: float, steps: list[int], family: str = "a") -> list[Observation]:
    return [Observation(s, int(s <= right_up_to), 1, family, f"{family}{i}") for i, s in enumerate(steps)]


STEPS = [2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233, 377, 610]


def test_a_clean_fall_lies_between_its_two_lengths() -> None:
    found = horizon(seen(34, STEPS))
    assert 34 <= found.steps <= 55
    assert found.bound == ""
    assert found.isotonic == pytest.approx(34)
    assert found.low <= found.steps <= found.high
    assert found.note == "too few programs"


def test_the_80_per_cent_horizon_is_shorter() -> None:
    rows = [Observation(s, round(10 * (1 - i / 12)), 10, "a", str(i)) for i, s in enumerate(STEPS)]
    half, most = horizon(rows), horizon(rows, level=0.8)
    assert most.steps < half.steps
    assert chance(half, half.steps) == pytest.approx(0.5)
    assert chance(most, most.steps) == pytest.approx(0.8)


@pytest.mark.parametrize(("right_up_to", "bound", "steps"), [(1000, ">", 610), (1, "<", 2)])
def test_outside_the_data_there_is_a_bound(right_up_to: float, bound: str, steps: int) -> None:
    found = horizon(seen(right_up_to, STEPS))
    assert (found.bound, round(found.steps)) == (bound, steps)
    assert found.isotonic == (math.inf if bound == ">" else 0.0)


def test_accuracy_that_rises_with_length_has_no_horizon_inside() -> None:
    assert horizon([Observation(s, int(s > 30), 1, "a", str(s)) for s in STEPS]).bound != ""


def test_every_family_weighs_the_same() -> None:
    few, many = seen(13, STEPS, "few"), seen(144, STEPS, "many")
    again = [Observation(o.steps, o.right, 1, o.family, f"{o.program}-{i}") for o in many for i in range(9)]
    assert horizon(few + again).steps == pytest.approx(horizon(few + many).steps, rel=1e-4)


def test_samples_of_one_program_do_not_narrow_the_interval_as_programs_do() -> None:
    def width(found: Horizon) -> float:
        return math.log2(found.high / found.low)

    # Programs are wholly right or wholly wrong, a tenth of them against the trend.
    def rows(samples: int) -> list[Observation]:
        return [
            Observation(s, samples * ((s <= 34) != (i % 10 == 0)), samples, "a", str(i))
            for i, s in enumerate(STEPS * 8)
        ]

    assert width(horizon(rows(10))) == pytest.approx(width(horizon(rows(1))), rel=0.15)


def test_what_cannot_be_fitted_is_an_error() -> None:
    with pytest.raises(UserError, match="no observations"):
        horizon([])
    with pytest.raises(UserError, match="not an observation"):
        horizon([Observation(0, 0, 1, "a", "b")])
    with pytest.raises(UserError, match="level"):
        horizon(seen(3, STEPS), level=1.0)


@pytest.mark.parametrize("case", [1, 4])
def test_a_known_horizon_lies_in_its_interval(case: int) -> None:
    numpy = pytest.importorskip("numpy", exc_type=ImportError)
    module = coverage()
    held = module.horizon_coverage(*module.HORIZONS[case], runs=60, random=numpy.random.default_rng(2))
    assert held >= 87  # 95 % less three standard errors of 60 runs


def coverage() -> ModuleType:
    path = Path(__file__).parents[2] / "benchmarks" / "intervals.py"
    spec = importlib.util.spec_from_file_location("benchmark_intervals", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
