"""Count the scores of one run: right, wrong, no answer by reason, accuracy, interval, pass@k.

    summarise(scores, clusters, n_samples=10) -> Summary

The denominator is tasks x samples, always: before any number is made, every task must have exactly
`n_samples` scores. A missing answer is a score ("no answer"), not a smaller denominator.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from msgspec import Struct

from deskcheck.errors import DataError, UserError
from deskcheck.records import Score
from deskcheck.statistics.interval import Interval, clustered_interval
from deskcheck.statistics.pass_at import mean_pass_at_k

REASONS = ("truncated", "unparsable", "refused", "error", "budget")


class Summary(Struct, frozen=True):
    """The numbers of one run over one set of tasks."""

    n_tasks: int
    n_samples: int
    """Samples of each task."""
    right: int
    wrong: int
    no_answer: dict[str, int]
    """By NoAnswer.reason; all five keys are there."""
    accuracy: float
    """right / (n_tasks x n_samples)."""
    interval: Interval
    """95 %, clustered by program."""
    pass_at: dict[int, float]
    """k -> pass@k, for the k that were asked for and n_samples allows."""


def summarise(
    scores: Sequence[Score], clusters: Mapping[str, str], *, n_samples: int, ks: Sequence[int] = (1, 5)
) -> Summary:
    """`clusters` maps the id of every task to its program; it says which tasks there must be."""
    check_complete(scores, list(clusters), n_samples)
    right = Counter(score.task_id for score in scores if score.verdict == "right")
    reasons = Counter(score.reason for score in scores if score.verdict == "no answer")
    n_right = sum(right.values())
    return Summary(
        n_tasks=len(clusters),
        n_samples=n_samples,
        right=n_right,
        wrong=len(scores) - n_right - sum(reasons.values()),
        no_answer={reason: reasons[reason] for reason in REASONS},
        accuracy=n_right / len(scores),
        interval=clustered_interval(
            [float(score.verdict == "right") for score in scores],
            [clusters[score.task_id] for score in scores],
        ),
        pass_at={
            k: mean_pass_at_k([right[task] for task in clusters], n_samples, k) for k in ks if k <= n_samples
        },
    )


def check_complete(scores: Sequence[Score], task_ids: Sequence[str], n_samples: int) -> None:
    """DataError unless there is exactly one score for every task and sample number."""
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
