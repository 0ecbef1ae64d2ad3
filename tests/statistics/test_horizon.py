"""Horizon: a known one is found, and outside the data there is a bound and no number."""

from __future__ import annotations

import math

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
    found = horizon([Observation(s, int(s > 60), 1, "a", str(s)) for s in STEPS])
    assert found.bound == "<"  # under half of all are right
    assert (found.low, found.high) == (0.0, math.inf)  # and where it passes a half is not known
    assert horizon([Observation(s, int(s > 10), 1, "a", str(s)) for s in STEPS]).bound == ">"


def test_a_bound_says_how_sure_it_is() -> None:
    long = [2**power for power in range(1, 11)] * 4
    sure = horizon([Observation(s, 1, 1, "a", str(i)) for i, s in enumerate(long)])
    assert (sure.bound, sure.high) == (">", math.inf)
    assert 512 < sure.low <= 1024
    # Right up to 512 steps, half of them at 1,024: above the level, but not surely beyond all that was asked.
    near = horizon(
        [Observation(s, int(s < 1024 or i < 20), 1, "a", str(i)) for i, s in enumerate(long)], level=0.4
    )
    assert near.bound == ">" and 256 < near.low < 1000


def test_a_few_families_are_said_to_speak_for_themselves() -> None:
    def found(n: int) -> Horizon:
        return horizon([o for i in range(n) for o in seen(34, STEPS * 3, f"family {i}")])

    assert [found(n).note for n in (1, 3, 5)] == ["", "of these 3 families alone", ""]
    assert found(3).n_families == 3


def test_families_that_differ_widen_the_interval() -> None:
    def width(ends: list[int]) -> float:
        found = horizon([o for end in ends for o in seen(end, STEPS * 4, f"up to {end}")])
        return math.log2(min(found.high, 610) / max(found.low, 2))

    assert width([5, 13, 34, 89, 233]) > 2 * width([33, 34, 35, 36, 37])


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
