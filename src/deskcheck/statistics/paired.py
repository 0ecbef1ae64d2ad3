"""Compare two models (or strategies) on the same tasks, and correct several p-values for each other.

    sign_flip([2, -1, 0])                     -> exact two-sided p of "equally good"
    paired_difference(a, b, clusters)         -> Interval of mean(a) - mean(b), clustered by program
    smallest_detectable_difference(200)       -> 0.091: the detectable difference of 200 paired tasks
    detectable_difference(interval)           -> the detectable difference, from a comparison's interval
    holm([0.01, 0.04, 0.03])                  -> [0.03, 0.06, 0.06]

With one task per program, p is that of McNemar's (1947) exact test. Power is computed after Connor 1987
(Biometrics 43, 207-211), by a normal approximation. Its correction for continuity subtracts 1 / difference
from the number of tasks. Two models disagree on about a fifth of their common tasks, hence DISCORDANT.

Differences of right and wrong get Tango's score interval (Statistics in Medicine 17, 1998, 891-908), which
corresponds to McNemar's test as Wilson's interval does to the test of a share. With several answers per
program, the interval uses their effective number, as for shares (`summary.share_bounds`). For two models that
hardly differ, the plain mean +- t x error covers as little as 45 % (`measurements/intervals.py`).

Holm's correction (1979, A simple sequentially rejective multiple test procedure) raises each p-value for the
number of tests. If those under 0.05 count as findings, the chance of *any* false one is 5 %.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING

from deskcheck.errors import UserError
from deskcheck.statistics.summary import (
    ENOUGH_CLUSTERS,
    FEWEST_CLUSTERS,
    NORMAL_QUANTILE,
    Interval,
    clustered_interval,
    design_effect,
    score_quantile,
)

if TYPE_CHECKING:
    import numpy as np


def holm(p_values: Sequence[float]) -> list[float]:
    """Return adjusted p-values in the given order. UserError if one is no probability."""
    if any(not 0.0 <= p <= 1.0 for p in p_values):
        raise UserError(f"not probabilities: {[p for p in p_values if not 0.0 <= p <= 1.0]}")
    # Not by statsmodels: its function collects all garbage at each call, a second in a large process.
    adjusted, highest = [0.0] * len(p_values), 0.0
    for smaller, place in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        highest = max(highest, min(1.0, p_values[place] * (len(p_values) - smaller)))
        adjusted[place] = highest
    return adjusted


ALPHA = 0.05  # two-sided level of significance
POWER = 0.80  # chance to find a detectable difference
DISCORDANT = 0.2  # share of tasks on which two models differ, unless the caller knows it
BISECTIONS = 40  # rounds in which each end of Tango's interval is searched


def sign_flip(sums: Sequence[int]) -> float:
    """Return the exact two-sided p-value of "neither is better", from each program's sum of differences.

    If neither is better, each program's sum is equally likely with the other sign. With one task per program
    this is McNemar's test. The result is 1.0 if no program differs.
    """
    sizes = [abs(int(value)) for value in sums if value]
    if not sizes:
        return 1.0
    import numpy as np

    chances = np.ones(1)  # of the sums that can be reached, -total..total in steps of 2
    for size in sizes:
        wider = np.zeros(len(chances) + size)
        wider[: len(chances)] += chances / 2
        wider[size:] += chances / 2
        chances = wider
    reached = np.arange(len(chances)) * 2 - sum(sizes)
    return min(1.0, float(chances[np.abs(reached) >= abs(sum(sums))].sum()))


def paired_difference(a: Sequence[float], b: Sequence[float], clusters: Sequence[Hashable]) -> Interval:
    """Return the mean of a - b over the same tasks in the same order, with its interval by program.

    `clusters`: the program of each task. UserError if `a` and `b` have different lengths or are empty.
    """
    _check_pairs(a, b)
    differences = [float(x) - float(y) for x, y in zip(a, b, strict=True)]
    if len(differences) != len(clusters) or any(value not in (-1.0, 0.0, 1.0) for value in differences):
        return clustered_interval(differences, clusters, bounds=(-1.0, 1.0))
    import numpy as np

    programs = {cluster: number for number, cluster in enumerate(dict.fromkeys(clusters))}
    sums, differing, sizes = np.zeros((3, len(programs)))
    for value, cluster in zip(differences, clusters, strict=True):
        place = programs[cluster]
        sums[place] += value
        differing[place] += abs(value)
        sizes[place] += 1
    mean = math.fsum(differences) / len(differences)
    note = "" if len(programs) >= ENOUGH_CLUSTERS else "too few clusters"
    if len(programs) < FEWEST_CLUSTERS:
        return Interval(mean, math.nan, math.nan, "none", len(programs), note)
    low, high = difference_bounds(sums[None], differing[None], sizes)
    return Interval(mean, float(low[0]), float(high[0]), "clustered Tango", len(programs), note)


def difference_bounds(
    sums: np.ndarray, differing: np.ndarray, sizes: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return the interval of a mean difference of 0/1 answers, for each set of answers.

    `sums`: sum of the differences of each program (rows x programs). `differing`: number of its answers that
    differ (rows x programs). `sizes`: number of its answers (programs). One row is one set of answers, as in
    `summary.share_bounds`.
    """
    import numpy as np

    n = sizes.sum()
    total, differ = sums.sum(axis=1), differing.sum(axis=1)
    effect, quantile = np.ones(len(sums)), NORMAL_QUANTILE
    if (sizes != 1).any():
        independent = (differ / n - (total / n) ** 2) / n
        holders = (differing > 0).sum(axis=1)
        effect = design_effect(sums, sizes, independent=independent, holders=holders)
        quantile = score_quantile(len(sizes))
    return _tango((differ + total) / 2 / effect, (differ - total) / 2 / effect, n / effect, quantile)


def _tango(
    ups: np.ndarray, downs: np.ndarray, n: np.ndarray, quantile: float
) -> tuple[np.ndarray, np.ndarray]:
    """Return the lowest and the highest difference that the score test does not reject.

    Of n pairs, `ups` have the difference 1 and `downs` the difference -1.
    """
    import numpy as np

    seen = (ups - downs) / n
    ends = []
    for outside in (-1.0, 1.0):
        inner, outer = seen, np.full_like(seen, outside)
        for _ in range(BISECTIONS):
            tried = (inner + outer) / 2
            b = (2 * n - ups + downs) * tried - ups - downs
            c = -downs * tried * (1 - tried)
            falls = (np.sqrt(np.maximum(b * b - 8 * n * c, 0.0)) - b) / (4 * n)  # likeliest share of downs
            variance = n * (2 * falls + tried * (1 - tried))
            inside = (ups - downs - n * tried) ** 2 <= quantile**2 * variance
            inner, outer = np.where(inside, tried, inner), np.where(inside, outer, tried)
        ends.append(inner)
    return ends[0], ends[1]


def detectable_difference(interval: Interval, *, n_tests: int = 1) -> float:
    """Return the difference that a comparison of this precision finds with 80 % power; NaN without interval.

    `n_tests` p-values are tested together, so each has to pass a stricter limit (Holm's first step). The
    result is inf if the programs are so few that no arrangement of signs could pass this limit.
    """
    from scipy.special import ndtri

    if math.isnan(interval.low):
        return math.nan
    if 2.0 ** (1 - interval.n_clusters) * n_tests >= ALPHA:
        return math.inf
    bar, power = float(ndtri(1 - ALPHA / 2 / n_tests)), float(ndtri(POWER))
    return (interval.high - interval.low) / 2 * (bar + power) / float(ndtri(1 - ALPHA / 2))


def smallest_detectable_difference(n_tasks: int, *, discordant: float = DISCORDANT) -> float:
    """Return the difference in accuracy that McNemar's test finds with 80 % power at the 5 % level.

    `discordant` is the share of tasks on which the two differ; it is at least the difference itself.
    The result is inf if not even a difference of 100 points would be found. UserError for impossible numbers.
    """
    if n_tasks < 1 or not 0.0 < discordant <= 1.0:
        raise UserError(f"needs n_tasks >= 1 and 0 < discordant <= 1, got {n_tasks} and {discordant}")
    if 2.0 ** (1 - n_tasks) >= ALPHA:  # even if all differ in one direction, p is too large
        return math.inf
    from scipy.optimize import brentq
    from scipy.special import ndtri

    z_alpha, z_power = float(ndtri(1 - ALPHA / 2)), float(ndtri(POWER))

    def surplus(difference: float) -> float:
        spread = max(discordant, difference)
        noise = z_alpha * math.sqrt(spread) + z_power * math.sqrt(spread - difference**2)
        # The exact test counts whole tasks; without that correction it has 74 to 79 % power here.
        return difference * math.sqrt(max(0.0, n_tasks - 1 / difference)) - noise

    return float(brentq(surplus, 1e-9, 1.0))


def _check_pairs(a: Sequence[float], b: Sequence[float]) -> None:
    if len(a) != len(b):
        raise UserError(f"paired comparison of {len(a)} and {len(b)} tasks; both must have answered the same")
    if not a:
        raise UserError("paired comparison of no tasks")
