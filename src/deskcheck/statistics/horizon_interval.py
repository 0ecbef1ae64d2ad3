"""Compute the 95 % interval of a horizon, the length of run at which answers are right with a given chance.

    interval(Design, share, level=0.5) -> (low, high) in log2 steps; -inf and inf = open

The given chance is called the level. The interval holds the lengths at which a test does not reject it.

For each length, the score test asks whether a falling logistic curve that passes the level at this length
fits the answers near it. It is Rao's test with the slope as a nuisance parameter; for a share it gives
Wilson's interval. Near means at most one doubling away, or farther if fewer than NEAREST programs are near.
Answers farther away tell about the whole curve, and a curve need not be logistic. Where every step fails with
the same chance, or guessing leaves a floor, the interval of a test over all lengths holds the truth in 20 to
60 of 100 cases. The interval is open on a side where not even the shortest, or longest, length asked is
rejected. Unlike a bootstrap, it does not depend on a fitted slope, which is too steep with few answers. It is
also valid at the ends of the lengths and with few programs (`measurements/intervals.py`, docs/numbers.md).

Answers of one program are not independent. The variance of the test therefore also holds the products of
residuals within programs. Of two estimates the larger counts: the one at this length (cluster-robust), and
one correlation for all lengths (Liang and Zeger, Biometrika 73, 1986, 13-22). If few programs contribute at
the length, the estimate is drawn towards the case that all answers of a program agree. Five or more families
count as a sample of families: a second test sums residuals by family, with t of (families - 1) degrees of
freedom, and the wider interval counts. With fewer families there is no second test.

The interval does not need a logistic curve. The horizon itself does, because it is read from such a curve;
`bend` tests whether the curve is logistic.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from msgspec import Struct

from deskcheck.statistics.summary import FEWEST_CLUSTERS, t_quantile

if TYPE_CHECKING:
    import numpy as np

# Chosen on simulated data (measurements/intervals.py): at this number of programs with the rarer answer, the
# estimated variance within programs has the same weight as the largest possible one.
HALF_SEEN = 0.4
RIDGE = 1e-3  # penalty on the slope only, in observations: keeps the fit of separable data finite
STEEPEST = 30.0  # largest slope: such a curve is a step between two neighboring lengths
NEAR = 1.0  # doublings of the length within which every answer counts as near
NEAREST = 24  # programs that count as near in any case
N_LENGTHS = 65  # number of tested lengths; between two of them the test is interpolated linearly
_ROUNDS = 30
_AT_ONCE = 200_000  # largest product of answers and lengths that are computed together
_TINY = 1e-12


class Design(Struct, frozen=True):
    """Tasks of a horizon: a column for each task, by family and program; a row for each set of answers."""

    x: np.ndarray
    """(rows, tasks) log2 steps."""
    n: np.ndarray
    """(tasks,) number of samples."""
    weight: np.ndarray
    """(tasks,) weight of one sample: every family has the same total weight."""
    programs: np.ndarray
    """First column of each program."""
    families: np.ndarray
    """First program of each family."""

    @property
    def has_many_families(self) -> bool:
        """Whether the families count as a sample of families."""
        return len(self.families) >= FEWEST_CLUSTERS


def design(x: np.ndarray, n: np.ndarray, families: list[str], programs: list[str]) -> Design:
    """Return the design; `families` and `programs` give those of each task, and both must be in order."""
    import numpy as np

    pairs = list(zip(families, programs, strict=True))
    first = [i for i, pair in enumerate(pairs) if i == 0 or pair != pairs[i - 1]]
    of_family = [i for i, at in enumerate(first) if i == 0 or families[at] != families[first[i - 1]]]
    sizes = np.add.reduceat(n, [first[i] for i in of_family])
    place = {family: i for i, family in enumerate(dict.fromkeys(families))}
    weight = n.sum() / len(sizes) / sizes[[place[family] for family in families]]
    return Design(np.atleast_2d(x), n, weight, np.array(first), np.array(of_family))


def interval(asked: Design, share: np.ndarray, *, level: float) -> tuple[float, float]:
    """Return the lowest and highest log2 steps that are not rejected, for one set of answers.

    `share` is (tasks,): the share of each task's samples that are right.
    """
    import numpy as np

    at = np.linspace(float(asked.x.min()), float(asked.x.max()), N_LENGTHS)
    rows = max(1, _AT_ONCE // len(asked.n))
    found = np.concatenate(
        [
            evidence(asked, np.atleast_2d(share), at[i : i + rows], level=level)
            for i in range(0, len(at), rows)
        ]
    )
    above, below = np.flatnonzero(found > 1), np.flatnonzero(found < -1)
    low, high = -math.inf, math.inf
    # If accuracy at a length is shown to be above the level, the horizon is longer; if below, it is shorter.
    if len(above):
        i = int(above[-1])
        low = float(at[i]) if i + 1 == len(at) else _between(at, found, i, 1.0)
    if len(below):
        i = int(below[0])
        high = float(at[i]) if i == 0 else _between(at, found, i - 1, -1.0)
    # Where answers rise again with the length, both can be shown; then the interval holds all between them.
    return min(low, high), max(low, high)


def _between(at: np.ndarray, results: np.ndarray, i: int, value: float) -> float:
    """Return the place between the i-th length and the next at which the results of the test pass a value."""
    return float(at[i] + (at[i + 1] - at[i]) * (results[i] - value) / (results[i] - results[i + 1]))


def evidence(asked: Design, share: np.ndarray, at: np.ndarray, *, level: float) -> np.ndarray:
    """Test "the chance at this length is `level`" for each row.

    A result above 1 shows that the chance is higher, a result under -1 that it is lower. `share` is (rows,
    tasks), `at` is (rows,) in log2 steps. To test one set of answers at many lengths, pass one row of shares.
    """
    import numpy as np

    n = asked.n
    near = _near(asked, at)
    weight = asked.weight * near
    wanted = math.log(level / (1 - level))
    z = asked.x - at[:, None]
    a, b = fit(z, share, weight * n)
    free = _chance(a[:, None] + b[:, None] * z)
    slope = _slope(z, share, weight * n, wanted, start=b)
    null = _chance(wanted + slope[:, None] * z)
    spread = np.maximum(null * (1 - null), _TINY)
    # The slope is unknown, so its part of the evidence is removed, except at the limit "does not fall".
    v = weight * n * spread
    tilt = np.where(slope < -1e-6, (v * z).sum(axis=1) / ((v * z * z).sum(axis=1) + RIDGE), 0.0)
    bears = weight * (1 - tilt[:, None] * z)
    score = (weight * n * (share - null)).sum(axis=1)
    independent = (bears**2 * n * spread).sum(axis=1)
    seen = np.maximum(free * (1 - free), _TINY)
    rescale = independent / np.maximum((bears**2 * n * seen).sum(axis=1), _TINY)
    residuals = np.add.reduceat(bears * n * (share - free), asked.programs, axis=1)
    within = _within(asked, share, free, bears, weight, spread, residuals, rescale)
    here = np.maximum.reduceat(near, asked.programs, axis=1)
    bar = _quantiles(here.sum(axis=1) - 2) ** 2 * (independent + within)
    if asked.has_many_families:
        count = np.maximum.reduceat(here, asked.families, axis=1).sum(axis=1)
        sums = np.add.reduceat(residuals, asked.families, axis=1)
        between = (sums**2).sum(axis=1) * count / (count - 2) * rescale
        bar = np.maximum(bar, _quantiles(count - 1) ** 2 * between)
    return np.asarray(score / np.sqrt(bar))


def _near(asked: Design, at: np.ndarray) -> np.ndarray:
    """Return 1.0 for each answer that is near each length, else 0.0, as (rows, tasks).

    At least NEAREST programs are near and, if families are a sample, the fewest that can be one.
    """
    import numpy as np

    away = np.abs(asked.x - at[:, None])
    programs = np.minimum.reduceat(away, asked.programs, axis=1)
    reach = np.maximum(NEAR, _nth(programs, NEAREST))
    if asked.has_many_families:
        reach = np.maximum(
            reach, _nth(np.minimum.reduceat(programs, asked.families, axis=1), FEWEST_CLUSTERS)
        )
    return np.asarray(away <= reach[:, None] + _TINY, dtype=float)


def _nth(values: np.ndarray, n: int) -> np.ndarray:
    """Return the n-th smallest value of each row, or the largest one."""
    import numpy as np

    place = min(n, values.shape[1]) - 1
    return np.asarray(np.partition(values, place, axis=1)[:, place])


def _quantiles(freedom: np.ndarray) -> np.ndarray:
    """Return t quantiles, with at least one degree of freedom."""
    import numpy as np

    return np.array([t_quantile(max(1, int(one))) for one in freedom])


def bend(asked: Design, share: np.ndarray) -> np.ndarray:
    """Test for a square of log2 steps in each row: beyond 1 in either direction the curve is not logistic.

    `share` is (rows, tasks). With a result under 0 the curve is flat at short lengths and steep at long ones,
    as if every step failed with the same chance.
    """
    import numpy as np

    x, weights = asked.x, asked.weight * asked.n
    a, b = fit(x, share, weights)
    p = _chance(a[:, None] + b[:, None] * x)
    v = weights * np.maximum(p * (1 - p), _TINY)
    total = v.sum(axis=1, keepdims=True)
    z = x - (v * x).sum(axis=1, keepdims=True) / total
    square = z * z - (v * z * z).sum(axis=1, keepdims=True) / total
    square = square - z * (v * square * z).sum(axis=1, keepdims=True) / (
        (v * z * z).sum(axis=1, keepdims=True) + RIDGE
    )
    parts = np.add.reduceat(weights * (share - p) * square, asked.programs, axis=1)
    known = (v * asked.weight * square**2).sum(axis=1)  # variance of independent answers
    freedom = max(1, len(asked.programs) - 3)
    spread = np.maximum(known, (parts**2).sum(axis=1) * len(asked.programs) / freedom)
    return np.asarray(parts.sum(axis=1) / (t_quantile(freedom) * np.sqrt(np.maximum(spread, _TINY))))


def _within(
    asked: Design,
    share: np.ndarray,
    free: np.ndarray,
    bears: np.ndarray,
    weight: np.ndarray,
    spread: np.ndarray,
    residuals: np.ndarray,
    rescale: np.ndarray,
) -> np.ndarray:
    """Return what samples and tasks of one program add to the variance of independent answers, (rows,)."""
    import numpy as np

    n, starts = asked.n, asked.programs
    if (n == 1).all() and len(starts) == len(n):
        return np.zeros(len(bears))

    def by_program(values: np.ndarray) -> np.ndarray:
        return np.add.reduceat(np.broadcast_to(values, (len(values), len(n))), starts, axis=1)

    lost = len(starts) / max(1, len(starts) - 2)  # two parameters are fitted to the programs
    alone = n * (share * (1 - free) ** 2 + (1 - share) * free**2)  # squares of single answers
    robust = ((residuals**2).sum(axis=1) * lost - (bears**2 * alone).sum(axis=1)) * rescale
    size = bears * np.sqrt(spread)
    own = (n * size**2).sum(axis=1)
    pairs = (by_program(n * size) ** 2).sum(axis=1) - own
    # One correlation of all answers of a program, from residuals over their standard deviations.
    root = np.sqrt(weight * np.maximum(free * (1 - free), _TINY))
    errors = by_program(np.sqrt(weight) * n * (share - free))
    expected = (n * root**2).sum(axis=1)
    chances = (by_program(n * root) ** 2).sum(axis=1) - expected
    likeness = ((errors**2).sum(axis=1) * lost - expected) / np.maximum(chances, 1e-9)
    alike = np.clip(likeness, 0, 1) * np.maximum(pairs, 0)
    reach = by_program(n * np.abs(size))
    largest = (reach**2).sum(axis=1) - own
    # Programs that contribute at this length and have the rarer answer; they alone show a correlation.
    part = reach**2 / np.maximum((reach**2).max(axis=1, keepdims=True), _TINY)
    rights, asks = by_program(n * share), by_program(n[None, :])
    holders = np.minimum((part * (rights > 0)).sum(axis=1), (part * (rights < asks)).sum(axis=1))
    trust = holders**2 / (holders**2 + HALF_SEEN**2)
    return np.asarray(trust * np.clip(np.maximum(robust, alike), 0, largest) + (1 - trust) * largest)


def fit(x: np.ndarray, share: np.ndarray, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return intercepts and slopes of weighted logistic curves, one per row, by Newton's method.

    `x`, `share` and `weights` are (rows, tasks); a single row stands for all.
    """
    import numpy as np

    centre = x.mean(axis=1, keepdims=True)
    z = x - centre
    weights = np.atleast_2d(weights)
    mean = np.clip((weights * share).sum(axis=1) / weights.sum(axis=1), 1e-6, 1 - 1e-6)
    a, b = np.log(mean / (1 - mean)), np.zeros(len(mean))
    for _ in range(_ROUNDS):
        p = _chance(a[:, None] + b[:, None] * z)
        error = weights * (share - p)
        spread = weights * np.maximum(p * (1 - p), 1e-9)
        g0, g1 = error.sum(axis=1), (error * z).sum(axis=1) - RIDGE * b
        h00, h01 = spread.sum(axis=1), (spread * z).sum(axis=1)
        h11 = (spread * z * z).sum(axis=1) + RIDGE
        determinant = np.maximum(h00 * h11 - h01**2, _TINY)
        # Bounded, so that no round overshoots far.
        step_a = np.clip((h11 * g0 - h01 * g1) / determinant, -3, 3)
        step_b = np.clip((h00 * g1 - h01 * g0) / determinant, -3, 3)
        a = np.clip(a + step_a, -60, 60)
        b = np.clip(b + step_b, -STEEPEST, STEEPEST)
        if max(np.abs(step_a).max(), np.abs(step_b).max()) < 1e-8:
            break
    return a - b * centre[:, 0], b


def _slope(
    z: np.ndarray, share: np.ndarray, weights: np.ndarray, wanted: float, *, start: np.ndarray
) -> np.ndarray:
    """Return the slopes, 0 or falling, of the curves that pass the level at z = 0."""
    import numpy as np

    b = np.clip(start, -STEEPEST, -0.01)
    for _ in range(_ROUNDS):
        p = _chance(wanted + b[:, None] * z)
        down = (weights * (share - p) * z).sum(axis=1) - RIDGE * b
        bend = (weights * np.maximum(p * (1 - p), _TINY) * z * z).sum(axis=1) + RIDGE
        step = np.clip(down / bend, -1, 1)
        moved = np.clip(b + step, -STEEPEST, 0.0)
        if np.abs(moved - b).max() < 1e-7:
            break
        b = moved
    return np.asarray(b)


def _chance(odds: np.ndarray) -> np.ndarray:
    import numpy as np

    return np.asarray(1 / (1 + np.exp(-np.clip(odds, -35, 35))))
