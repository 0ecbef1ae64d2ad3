"""Count the scores of one run: right, wrong, no answer by reason, accuracy, interval, bounds, pass@k.

    summarise(scores, clusters, n_samples=10) -> Summary

Before any number is made, every task must have exactly `n_samples` scores. An answer that the model failed to
give is a score ("no answer"), not a smaller denominator. An answer that was never asked for, or whose request
failed, says nothing about the model: it is in no rate. Where such answers are more than 5 % of all, the
interval is withheld, and only `bounds` (all of them wrong, all of them right) hold the rate of all tasks.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence

from msgspec import Struct

from deskcheck.cell_files import is_withheld
from deskcheck.errors import DataError, UserError
from deskcheck.records import Score
from deskcheck.statistics.interval import Interval
from deskcheck.statistics.missing import bounds_of, share_of_counted
from deskcheck.statistics.pass_at import mean_pass_at_k

REASONS = ("truncated", "unparsable", "refused", "budget", "error", "not_asked")


class Summary(Struct, frozen=True):
    """The numbers of one run over one set of tasks."""

    n_tasks: int
    n_samples: int
    """Samples of each task."""
    right: int
    wrong: int
    no_answer: dict[str, int]
    """By NoAnswer.reason; all six keys are there."""
    accuracy: float
    """right / answers that were asked for and came; NaN where there is none."""
    interval: Interval
    """95 %, clustered by program; withheld where more than 5 % of the answers are missing."""
    pass_at: dict[int, float]
    """k -> pass@k over tasks without a missing sample, for the k that were asked for; empty if withheld."""
    bounds: tuple[float, float]
    """The accuracy if every missing answer were wrong, and if every one were right."""


def summarise(
    scores: Sequence[Score], clusters: Mapping[str, str], *, n_samples: int, ks: Sequence[int] = (1, 5)
) -> Summary:
    """`clusters` maps the id of every task to its program; it says which tasks there must be."""
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
