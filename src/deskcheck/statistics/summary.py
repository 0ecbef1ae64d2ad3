"""Count the scores of one cell of a study: right, wrong, no answer, accuracy, interval, bounds, pass@k.

    summarise(scores, clusters, n_samples=10) -> Summary
    pass_at_k(10, 3, 1)                              -> 0.3
    share_of_counted([1, 0], ["a", "b"], n_all=60)   -> Interval without ends: 58 of 60 are missing
    bounds_of(9, 11, 60)                             -> (0.15, 0.97): if all missing ones were wrong, or right
    closing(rows)                                    -> the last line that a command prints, or ""
    levels_in_words([{"exact": "no answer", "usual": "right", "generous": "right"}, ..])
        -> ["right by extraction level: exact 47.5 %, usual 66.0 %, generous 66.2 % of 400 replies", ..]

Before any number is computed, every task must have exactly `n_samples` scores. An answer that the model
failed to give is a score ("no answer") and stays in the denominator. An answer that was never asked for, or
whose request failed, is no evidence about the model: it is in no rate, but counted and reported. The rule
(docs/numbers.md): up to 5 % of a cell may be missing. Beyond that, no interval, p-value, effect or horizon is
given. Instead there are two bounds of the rate of all tasks: all missing answers wrong, and all right.

pass@k, the chance that at least one of k samples is right, is estimated without bias from n >= k samples.
Source: Chen et al., Evaluating large language models trained on code, arXiv 2107.03374, section 2.1.

    clustered_interval([1, 0, 1, 1], ["a", "a", "b", "c"]) -> Interval(0.75, nan, nan, ..): too few clusters

This function gives the 95 % interval of a mean. Observations come in clusters (samples and tasks of one
program):

- One 0/1 observation per cluster: Wilson.
- Several 0/1 observations per cluster: Wilson on the effective number of observations (n / design effect,
  from the cluster-robust variance of Miller, Adding error bars to evals, arXiv 2411.00640, section 2.2),
  with a t quantile. If few clusters have the rarer outcome, the design effect cannot be estimated; it is
  drawn towards the largest possible one, that of clusters which agree wholly (Kish). In this case the plain
  mean +- t x error covers as little as 46 % (`measurements/intervals.py`).
- Other observations (share of right steps of a run, differences): mean +- t x cluster-robust error.
- Fewer than 30 clusters: the note is "too few clusters". With fewer than 5 there is no interval (`low` and
  `high` are NaN), except the plain Wilson interval of one 0/1 observation per cluster. Nor is there one for
  other observations if they do not vary.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import cache
from math import comb
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from deskcheck.cell_files import Row, is_withheld
from deskcheck.errors import DataError, UserError, install_line
from deskcheck.records import MISSING, Score


def pass_at_k(n: int, n_right: int, k: int) -> float:
    """Return 1 - C(n - right, k) / C(n, k). UserError unless 0 <= right <= n and 1 <= k <= n."""
    if not 0 <= n_right <= n:
        raise UserError(f"{n_right} right samples of {n} cannot be")
    if not 1 <= k <= n:
        raise UserError(f"pass@{k} needs at least {max(k, 1)} samples of every task; there are {n}")
    return 1.0 - comb(n - n_right, k) / comb(n, k)


def mean_pass_at_k(right_counts: Sequence[int], n: int, k: int) -> float:
    """Return the mean pass@k of tasks with n samples, of which so many are right. UserError without tasks."""
    if not right_counts:
        raise UserError(f"pass@{k} of no tasks is not a number")
    return sum(pass_at_k(n, n_right, k) for n_right in right_counts) / len(right_counts)


WITHHELD = "withheld"
"""Note of an interval that is not given, because too many answers are missing."""


def share_of_counted(values: Sequence[float], clusters: Sequence[str], *, n_all: int) -> Interval:
    """Return the share right, with its interval unless too many of `n_all` answers are missing."""
    if not values:
        return Interval(math.nan, math.nan, math.nan, "none", 0, WITHHELD)
    counted = clustered_interval(values, clusters)
    if not is_withheld(n_all - len(values), n_all):
        return counted
    return Interval(counted.mean, math.nan, math.nan, "none", counted.n_clusters, WITHHELD)


def bounds_of(n_right: int, n_counted: int, n_all: int) -> tuple[float, float]:
    """Return the share right of all answers if each missing one were wrong, and if each were right.

    `n_counted` of `n_all` answers came, and `n_right` of these are right. Without
    any answer the bounds are 0 and 1.
    """
    if not n_all:
        return 0.0, 1.0
    return n_right / n_all, (n_right + n_all - n_counted) / n_all


def reasons_in_words(no_answer: Mapping[str, int]) -> str:
    """Return "31 truncated, 2 not asked"; "" if every answer could be read."""
    return ", ".join(f"{count} {reason.replace('_', ' ')}" for reason, count in no_answer.items() if count)


def unread_in_words(row: Row) -> str:
    """Return "212 of 480 not read, all within 31.0 to 75.2 %"; "" for up to 10 % of unread replies."""
    if not row.is_unread or row.is_withheld:
        return ""
    ends = (row.right / row.n_answers, (row.right + row.n_unread + row.n_missing) / row.n_answers)
    return f"{row.n_unread:,} of {row.n_counted:,} not read, all within {bounds_in_words(ends)}"


def bounds_in_words(bounds: Sequence[float]) -> str:
    """Return "15.0 to 96.7 %": the limits of the accuracy on all tasks, whatever the missing answers are."""
    low, high = bounds
    return f"{100 * low:.1f} to {100 * high:.1f} %"


def exit_of(rows: Sequence[Row]) -> dict[str, int | str]:
    """Return the exit code of a command with these rows, and its name, for the JSON of results."""
    is_whole = not any(row.n_missing for row in rows)
    return {"code": 0, "name": "done"} if is_whole else {"code": 1, "name": "incomplete"}


def closing(rows: Sequence[Row], *, again: str = "the same command asks for them") -> str:
    """Return how many answers of these rows are missing, and how to get them; "" if none is."""
    n_missing = sum(row.n_missing for row in rows)
    if not n_missing:
        return ""
    counts = {reason: sum(row.no_answer.get(reason, 0) for row in rows) for reason in sorted(MISSING)}
    withheld = sum(row.is_withheld for row in rows)
    verdicts = (
        f"; verdicts on {withheld} of {len(rows)} rows are withheld, because more than 5 % of their answers "
        "are missing"
        if withheld
        else ""
    )
    n_all = sum(row.n_answers for row in rows)
    return (
        f"{n_missing:,} of {n_all:,} answers are missing ({reasons_in_words(counts)}) and in no rate"
        f"{verdicts}; {again}"
    )


REASONS = ("truncated", "unparsable", "refused", "budget", "endless", "error", "not_asked")
"""Reasons for no answer; those in `records.MISSING` are missing answers."""


class Summary(Struct, frozen=True):
    """Counts and statistics of one cell: one model's answers to one set of tasks."""

    n_tasks: int
    n_samples: int
    """Samples of each task."""
    right: int
    wrong: int
    no_answer: dict[str, int]
    """Each reason of REASONS -> number of answers without a value for this reason."""
    accuracy: float
    """Right answers / answers that are not missing; NaN if there is none."""
    interval: Interval
    """95 % interval, clustered by program; withheld if more than 5 % of the answers are missing."""
    pass_at: dict[int, float]
    """k -> pass@k over tasks without a missing sample, for the requested k; empty if withheld."""
    bounds: tuple[float, float]
    """The accuracy if every missing answer were wrong, and if every one were right."""


def summarise(
    scores: Sequence[Score], clusters: Mapping[str, str], *, n_samples: int, ks: Sequence[int] = (1, 5)
) -> Summary:
    """Summarise scores; `clusters` maps the id of every task to its program and so defines the tasks.

    `ks` has the values of k for pass@k. Errors as in `check_complete`.
    """
    check_complete(scores, list(clusters), n_samples)
    counted = [score for score in scores if not score.is_missing]
    missing = Counter(score.task_id for score in scores if score.is_missing)
    right = Counter(score.task_id for score in scores if score.verdict == "right")
    reasons = Counter(score.reason for score in scores if score.verdict == "no answer")
    n_right = sum(right.values())
    interval = share_of_counted(
        [float(score.verdict == "right") for score in counted],
        [clusters[score.task_id] for score in counted],
        n_all=len(scores),
    )
    whole = [right[task] for task in clusters if not missing[task]]
    withheld = is_withheld(len(scores) - len(counted), len(scores))
    return Summary(
        n_tasks=len(clusters),
        n_samples=n_samples,
        right=n_right,
        wrong=len(scores) - n_right - sum(reasons.values()),
        no_answer={reason: reasons[reason] for reason in REASONS},
        accuracy=n_right / len(counted) if counted else math.nan,
        interval=interval,
        pass_at={
            k: mean_pass_at_k(whole, n_samples, k) for k in ks if k <= n_samples and whole and not withheld
        },
        bounds=bounds_of(n_right, len(counted), len(scores)),
    )


def check_complete(scores: Sequence[Score], task_ids: Sequence[str], n_samples: int) -> None:
    """Raise DataError unless there is exactly one score for every task and sample number.

    UserError if there is no task, or less than one sample.
    """
    if not task_ids or n_samples < 1:
        raise UserError(f"{len(task_ids)} tasks x {n_samples} samples: there is nothing to count")
    asked = {(task, sample) for task in task_ids for sample in range(n_samples)}
    got = Counter((score.task_id, score.sample) for score in scores)
    if got.keys() == asked and len(scores) == len(asked):
        return
    missing, extra = sorted(asked - got.keys()), sorted(got.keys() - asked)
    twice = sorted(key for key, count in got.items() if count > 1)
    raise DataError(
        f"{len(scores)} scores for {len(task_ids)} tasks x {n_samples} samples; "
        f"missing {missing[:3]} ({len(missing)}), not asked for {extra[:3]} ({len(extra)}), "
        f"twice {twice[:3]} ({len(twice)})"
    )


def levels_in_words(replies: Iterable[Mapping[str, str]]) -> list[str]:
    """Return one or two lines on the extraction levels, or none if no reply was read at several levels.

    Each mapping is one reply's verdict by level, the strictest level first; it is empty if only one was used.
    """
    right: Counter[str] = Counter()
    n_replies = n_form = 0
    for verdicts in replies:
        if not verdicts:
            continue
        n_replies += 1
        for level, verdict in verdicts.items():
            right[level] += verdict == "right"
        known = [*verdicts.values()]
        n_form += known[0] != "right" and known[-1] == "right"
    if not n_replies:
        return []
    shares = ", ".join(f"{name} {100 * n / n_replies:.1f} %" for name, n in right.items())
    lines = [f"right by extraction level: {shares} of {n_replies:,} replies"]
    if n_form:
        lines.append(f"{n_form:,} right answers do not keep the form that was asked for (not right at exact)")
    return lines


if TYPE_CHECKING:
    import numpy as np

ENOUGH_CLUSTERS = 30
FEWEST_CLUSTERS = 5  # with fewer, the spread from cluster to cluster cannot be seen
CONFIDENCE = 0.95
NORMAL_QUANTILE = 1.959963984540054  # two-sided, 95 %
NEEDS_DATA = f"an interval of several answers a program needs: {install_line('data')}"
# The next two numbers are fitted to simulated data (measurements/intervals.py), as are the 1.5 x (clusters -
# 1) degrees of freedom of `score_quantile`.
LEAST_EFFECT = 0.6  # a smaller estimated design effect is chance
HALF_SEEN = 1.4  # clusters with the rarer outcome at which estimated and largest effect have the same weight


class Interval(Struct, frozen=True):
    """A mean with its 95 % interval."""

    mean: float
    low: float
    """Lower end; NaN if there is no interval."""
    high: float
    method: str
    """"wilson", "clustered wilson", "clustered t", "clustered Tango" (of a difference) or "none"."""
    n_clusters: int
    note: str
    """"", "too few clusters", WITHHELD, or `NEEDS_DATA` if numpy and scipy are not installed."""


def percent_ends(low: float, high: float, *, digits: int = 1) -> str:
    """Return "9.3 to 21.1": the ends in percent; "unknown" if there is no interval."""
    if math.isnan(low) or math.isnan(high):
        return "unknown"
    return f"{100 * low:.{digits}f} to {100 * high:.{digits}f}"


def clustered_interval(
    values: Sequence[float],
    clusters: Sequence[Hashable],
    *,
    bounds: tuple[float, float] = (0.0, 1.0),
) -> Interval:
    """Return the mean of `values`, with an interval clustered by `clusters` (same length), within `bounds`.

    UserError if there is no value.
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
        low, high, method = _bounds(mean, list(groups.values()), len(values), bounds)
    except ModuleNotFoundError:  # numpy or scipy, which the extra `data` installs
        low, high, method, note = math.nan, math.nan, "none", NEEDS_DATA
    if method != "none":  # by rounding, Wilson's bounds can lie slightly outside of 0 and 1
        low, high = max(bounds[0], low), min(bounds[1], high)
    return Interval(mean, low, high, method, len(groups), note)


def _bounds(
    mean: float, groups: list[list[float]], n: int, bounds: tuple[float, float]
) -> tuple[float, float, str]:
    """Return low, high and method of the interval of a mean; `groups` has the values of each cluster."""
    # Wilson's interval is for shares, not for differences in -1..1.
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
    error = math.sqrt(squares * len(groups) / (len(groups) - 1)) / n
    half = t_quantile(len(groups) - 1) * error
    return mean - half, mean + half, "clustered t"


def share_bounds(sums: np.ndarray, sizes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the interval of a share, from right answers (rows x clusters) and sizes of clusters (clusters).

    One row is one set of answers; the measurement of coverage passes many simulated sets.
    """
    import numpy as np

    n, n_clusters = sizes.sum(), len(sizes)
    mean = sums.sum(axis=1) / n
    holders = np.minimum((sums > 0).sum(axis=1), (sums < sizes).sum(axis=1))
    effect = design_effect(sums, sizes, independent=mean * (1 - mean) / n, holders=holders)
    low, high = _wilson(mean, n / effect, score_quantile(n_clusters), root=np.sqrt)
    return np.clip(low, 0.0, 1.0), np.clip(high, 0.0, 1.0)


def design_effect(
    sums: np.ndarray, sizes: np.ndarray, *, independent: np.ndarray, holders: np.ndarray
) -> np.ndarray:
    """Return the ratio of a mean's variance to that of independent answers, one for each row of `sums`.

    It is at most the ratio for clusters whose answers agree wholly. `sums` has the right answers, or sums of
    differences (rows x clusters), `sizes` the answers of each cluster. `independent` is the variance that
    independent answers would have; `holders` counts the clusters with the rarer outcome: the fewer they are,
    the nearer the effect is to the largest one.
    """
    import numpy as np

    n, n_clusters = sizes.sum(), len(sizes)
    residuals = sums - sums.sum(axis=1, keepdims=True) / n * sizes
    variance = (residuals**2).sum(axis=1) * n_clusters / (n_clusters - 1) / n**2
    largest = (sizes**2).sum() / n
    seen = np.divide(variance, independent, out=np.full(len(sums), largest), where=independent > 0)
    weight = holders**2 / (holders**2 + HALF_SEEN**2)
    return np.asarray(
        weight * np.clip(seen, LEAST_EFFECT, max(largest, LEAST_EFFECT)) + (1 - weight) * largest
    )


def score_quantile(n_clusters: int) -> float:
    """Return the quantile of a score interval on the effective number of answers."""
    return t_quantile(round(1.5 * (n_clusters - 1)))


def _wilson(mean: Any, n: Any, z: float, *, root: Callable[[Any], Any] = math.sqrt) -> tuple[Any, Any]:
    """Return the bounds of shares, as floats or as arrays."""
    shrink = 1 + z * z / n
    centre = (mean + z * z / (2 * n)) / shrink
    half = z * root(mean * (1 - mean) / n + z * z / (4 * n * n)) / shrink
    return centre - half, centre + half


@cache
def t_quantile(freedom: int) -> float:
    """Return the two-sided 95 % quantile of Student's t."""
    from scipy.special import stdtrit  # scipy.stats takes seconds to load

    return float(stdtrit(freedom, (1 + CONFIDENCE) / 2))
