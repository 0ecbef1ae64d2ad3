"""A mean and its 95 % interval when observations come in clusters (samples and tasks of one program).

    clustered_interval([1, 0, 1, 1], ["a", "a", "b", "c"]) -> Interval(mean=0.75, low=.., high=.., ..)

- Clusters of several observations: cluster-robust standard error of the mean, t with (clusters - 1)
  degrees of freedom (Miller, Adding error bars to evals, arXiv 2411.00640, section 2.2).
- One 0/1 observation per cluster: Wilson.
- Clusters that all agree have no visible spread, so a standard error of 0 would claim certainty: Wilson
  on the number of clusters instead (for shares; differences that are all equal get no interval).
- Fewer than 30 clusters: the note says "too few clusters" and the interval is a percentile bootstrap over
  clusters (Wilson where that applies); under 5 clusters there is none, `low` and `high` are NaN.
"""

from __future__ import annotations

import math
import random
from collections.abc import Hashable, Sequence

from msgspec import Struct

from deskcheck.errors import UserError

ENOUGH_CLUSTERS = 30
FEWEST_CLUSTERS = 5  # under this even a bootstrap only shuffles the same few numbers
CONFIDENCE = 0.95
N_RESAMPLES = 2000


class Interval(Struct, frozen=True):
    """A mean with its 95 % interval."""

    mean: float
    low: float
    """NaN where there is no interval."""
    high: float
    method: str
    """"clustered t", "wilson", "cluster bootstrap" or "none"."""
    n_clusters: int
    note: str
    """"" or "too few clusters"."""


def clustered_interval(
    values: Sequence[float],
    clusters: Sequence[Hashable],
    *,
    seed: int = 0,
    bounds: tuple[float, float] = (0.0, 1.0),
) -> Interval:
    """Mean of `values` with an interval clustered by `clusters` (same length), clipped to `bounds`.

    UserError where there is nothing to average. `seed` feeds the bootstrap alone.
    """
    if len(values) != len(clusters):
        raise UserError(f"{len(values)} values but {len(clusters)} clusters")
    if not values:
        raise UserError("the mean of no observations is not a number")
    mean = math.fsum(values) / len(values)
    groups: dict[Hashable, list[float]] = {}
    for value, cluster in zip(values, clusters, strict=True):
        groups.setdefault(cluster, []).append(value)
    note = "" if len(groups) >= ENOUGH_CLUSTERS else "too few clusters"
    low, high, method = _bounds(mean, list(groups.values()), len(values), seed, bounds)
    if method in ("clustered t", "cluster bootstrap"):
        low, high = max(bounds[0], low), min(bounds[1], high)
    return Interval(mean, low, high, method, len(groups), note)


def _bounds(
    mean: float, groups: list[list[float]], n: int, seed: int, bounds: tuple[float, float]
) -> tuple[float, float, str]:
    shares = bounds == (0.0, 1.0)  # Wilson knows nothing of differences, which lie in -1..1
    squares = math.fsum(math.fsum(value - mean for value in group) ** 2 for group in groups)
    if squares < 1e-18:  # no spread to see
        if not shares:
            return math.nan, math.nan, "none"
        return *_wilson(round(mean * len(groups)), len(groups)), "wilson"
    if shares and len(groups) == n and all(value in (0.0, 1.0) for group in groups for value in group):
        return *_wilson(round(mean * n), n), "wilson"
    if len(groups) < FEWEST_CLUSTERS:
        return math.nan, math.nan, "none"
    if len(groups) < ENOUGH_CLUSTERS:
        return *_bootstrap(groups, seed), "cluster bootstrap"
    from scipy.stats import t

    error = math.sqrt(squares * len(groups) / (len(groups) - 1)) / n
    half = float(t.ppf((1 + CONFIDENCE) / 2, len(groups) - 1)) * error
    return mean - half, mean + half, "clustered t"


def _wilson(n_right: int, n: int) -> tuple[float, float]:
    from scipy.stats import binomtest

    found = binomtest(n_right, n).proportion_ci(CONFIDENCE, method="wilson")
    return float(found.low), float(found.high)


def _bootstrap(groups: list[list[float]], seed: int) -> tuple[float, float]:
    """Percentile bootstrap of a ratio (sum / count) over clusters of unequal size."""
    draw = random.Random(seed)
    sums = [(math.fsum(group), len(group)) for group in groups]
    means = []
    for _ in range(N_RESAMPLES):
        chosen = draw.choices(sums, k=len(sums))
        means.append(math.fsum(total for total, _ in chosen) / sum(count for _, count in chosen))
    means.sort()
    tail = (1 - CONFIDENCE) / 2
    return means[int(tail * N_RESAMPLES)], means[math.ceil((1 - tail) * N_RESAMPLES) - 1]
