"""A mean and its 95 % interval when observations come in clusters (samples and tasks of one program).

    clustered_interval([1, 0, 1, 1], ["a", "a", "b", "c"]) -> Interval(mean=0.75, low=.., high=.., ..)

- One 0/1 observation per cluster: Wilson.
- 0/1 observations, several a cluster: Wilson on the effective number of observations (n / design effect,
  from the cluster-robust variance of Miller, Adding error bars to evals, arXiv 2411.00640, section 2.2),
  with a t quantile. Where only few clusters hold the rarer outcome the design effect cannot be seen; it is
  drawn towards the largest one possible, that of clusters which agree wholly (Kish). There the plain
  mean +- t x error covers as little as 46 % (`measurements/intervals.py`).
- Other observations (steps right of a run, differences): mean +- t x cluster-robust error.
- Fewer than 30 clusters: the note says "too few clusters" and what was covered in simulations; other
  observations than 0/1 get a percentile bootstrap over clusters. Under 5 clusters there is no interval, `low`
  and `high` are NaN.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Hashable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from deskcheck.errors import UserError

if TYPE_CHECKING:
    import numpy as np

ENOUGH_CLUSTERS = 30
FEWEST_CLUSTERS = 5  # under this even a bootstrap only shuffles the same few numbers
CONFIDENCE = 0.95
NORMAL_QUANTILE = 1.959963984540054  # two-sided, 95 %
NEEDS_DATA = "an interval of several answers a program needs: pip install 'deskcheck[data]'"
N_RESAMPLES = 2000
# Chosen on simulated data (measurements/intervals.py), as is half as much freedom again as clusters - 1: a
# design effect under 0.6 is luck; at 1.4 clusters with the rarer outcome what is seen weighs as much as what
# is feared.
LEAST_EFFECT = 0.6
HALF_SEEN = 1.4


class Interval(Struct, frozen=True):
    """A mean with its 95 % interval."""

    mean: float
    low: float
    """NaN where there is no interval."""
    high: float
    method: str
    """"wilson", "clustered wilson", "clustered t", "cluster bootstrap" or "none"."""
    n_clusters: int
    note: str
    """"", "too few clusters", or `NEEDS_DATA` where numpy and scipy are not installed."""


def percent_ends(low: float, high: float, *, digits: int = 1) -> str:
    """ "9.3 to 21.1": the ends in percent; "unknown" where there are too few clusters for an interval."""
    if math.isnan(low) or math.isnan(high):
        return "unknown"
    return f"{100 * low:.{digits}f} to {100 * high:.{digits}f}"


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
    try:
        low, high, method = _bounds(mean, list(groups.values()), len(values), seed, bounds)
    except ModuleNotFoundError:  # numpy or scipy, which the extra `data` brings
        low, high, method, note = math.nan, math.nan, "none", NEEDS_DATA
    if method != "none":  # rounding leaves Wilson's bounds at 0 and 1 a hair outside
        low, high = max(bounds[0], low), min(bounds[1], high)
    return Interval(mean, low, high, method, len(groups), note)


def _bounds(
    mean: float, groups: list[list[float]], n: int, seed: int, bounds: tuple[float, float]
) -> tuple[float, float, str]:
    # Wilson knows nothing of differences, which lie in -1..1.
    shares = bounds == (0.0, 1.0) and all(value in (0.0, 1.0) for group in groups for value in group)
    if shares and len(groups) == n:
        return *_wilson(mean, n, NORMAL_QUANTILE), "wilson"
    if len(groups) < FEWEST_CLUSTERS:
        return math.nan, math.nan, "none"
    if shares:
        import numpy as np

        sums = np.array([[math.fsum(group) for group in groups]])
        low, high = share_bounds(sums, np.array([float(len(group)) for group in groups]))
        return float(low[0]), float(high[0]), "clustered wilson"
    squares = math.fsum(math.fsum(value - mean for value in group) ** 2 for group in groups)
    if squares < 1e-18:  # no spread to see: an error of 0 would claim certainty
        return math.nan, math.nan, "none"
    if len(groups) < ENOUGH_CLUSTERS:
        return *_bootstrap(groups, seed), "cluster bootstrap"
    error = math.sqrt(squares * len(groups) / (len(groups) - 1)) / n
    half = t_quantile(len(groups) - 1) * error
    return mean - half, mean + half, "clustered t"


def share_bounds(sums: np.ndarray, sizes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Interval of a share: right answers of each cluster (runs x clusters) and cluster sizes (clusters).

    One row is one run; many rows are how the coverage of this very code is measured.
    """
    import numpy as np

    n, n_clusters = sizes.sum(), len(sizes)
    mean = sums.sum(axis=1) / n
    residuals = sums - mean[:, None] * sizes
    variance = (residuals**2).sum(axis=1) * n_clusters / (n_clusters - 1) / n**2
    independent = mean * (1 - mean) / n
    largest = (sizes**2).sum() / n  # design effect of clusters that agree wholly
    seen = np.divide(variance, independent, out=np.full_like(mean, largest), where=independent > 0)
    holders = np.minimum((sums > 0).sum(axis=1), (sums < sizes).sum(axis=1))
    weight = holders**2 / (holders**2 + HALF_SEEN**2)
    effect = weight * np.clip(seen, LEAST_EFFECT, max(largest, LEAST_EFFECT)) + (1 - weight) * largest
    low, high = _wilson(mean, n / effect, t_quantile(round(1.5 * (n_clusters - 1))), root=np.sqrt)
    return np.clip(low, 0.0, 1.0), np.clip(high, 0.0, 1.0)


def _wilson(mean: Any, n: Any, z: float, *, root: Callable[[Any], Any] = math.sqrt) -> tuple[Any, Any]:
    """Bounds of shares, as floats or as arrays."""
    shrink = 1 + z * z / n
    centre = (mean + z * z / (2 * n)) / shrink
    half = z * root(mean * (1 - mean) / n + z * z / (4 * n * n)) / shrink
    return centre - half, centre + half


@cache
def t_quantile(freedom: int) -> float:
    """Two-sided 95 % quantile of Student's t."""
    from scipy.stats import t

    return float(t.ppf((1 + CONFIDENCE) / 2, freedom))


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
