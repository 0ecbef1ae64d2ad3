"""Count the scores of one run: right, wrong, no answer by reason, accuracy, interval, bounds, pass@k.

    summarise(scores, clusters, n_samples=10) -> Summary
    pass_at_k(10, 3, 1)                              -> 0.3
    share_of_counted([1, 0], ["a", "b"], n_all=60)   -> Interval without ends: 58 of 60 are missing
    bounds_of(9, 11, 60)                             -> (0.15, 0.97): all missing ones wrong, all right
    closing(rows)                                    -> the line with which a command ends, or ""
    levels_in_words([{"exact": "no answer", "usual": "right", "generous": "right"}, ..])
        -> ["right by extraction level: exact 47.5 %, usual 66.0 %, generous 66.2 % of 400 replies", ..]

Before any number is made, every task must have exactly `n_samples` scores. An answer that the model failed to
give is a score ("no answer"), not a smaller denominator. An answer that was never asked for, or whose request
failed, says nothing about the model: it is in no rate, but counted, bounded and said. The rule
(docs/numbers.md): up to 5 % of a cell may be missing. Beyond that no interval, p-value, effect or horizon is
given, and the bounds stand instead (all of them wrong, all of them right), which hold the rate of all tasks.
Source of pass@k, the chance that at least one of k samples is right, estimated without bias from n >= k
samples: Chen et al., Evaluating large language models trained on code, arXiv 2107.03374, section 2.1.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import comb

from msgspec import Struct

from deskcheck.cell_files import Row, is_withheld
from deskcheck.errors import DataError, UserError
from deskcheck.records import MISSING, Score
from deskcheck.statistics.interval import Interval, clustered_interval


def pass_at_k(n: int, n_right: int, k: int) -> float:
    """1 - C(n - right, k) / C(n, k). UserError unless 0 <= right <= n and 1 <= k <= n."""
    if not 0 <= n_right <= n:
        raise UserError(f"{n_right} right samples of {n} cannot be")
    if not 1 <= k <= n:
        raise UserError(f"pass@{k} needs at least {max(k, 1)} samples of every task; there are {n}")
    return 1.0 - comb(n - n_right, k) / comb(n, k)


def mean_pass_at_k(right_counts: Sequence[int], n: int, k: int) -> float:
    """Mean over tasks, each with n samples. UserError where there is no task."""
    if not right_counts:
        raise UserError(f"pass@{k} of no tasks is not a number")
    return sum(pass_at_k(n, n_right, k) for n_right in right_counts) / len(right_counts)


WITHHELD = "withheld"


def share_of_counted(values: Sequence[float], clusters: Sequence[str], *, n_all: int) -> Interval:
    """Share of the answers that came, with its interval unless too many of `n_all` are missing."""
    if not values:
        return Interval(math.nan, math.nan, math.nan, "none", 0, WITHHELD)
    counted = clustered_interval(values, clusters)
    if not is_withheld(n_all - len(values), n_all):
        return counted
    return Interval(counted.mean, math.nan, math.nan, "none", counted.n_clusters, WITHHELD)


def bounds_of(n_right: int, n_counted: int, n_all: int) -> tuple[float, float]:
    """Share right of all answers if each missing one were wrong, and if each were right."""
    if not n_all:
        return 0.0, 1.0
    return n_right / n_all, (n_right + n_all - n_counted) / n_all


def reasons_in_words(no_answer: Mapping[str, int]) -> str:
    """ "31 truncated, 2 not asked"; "" where every answer could be read."""
    return ", ".join(f"{count} {reason.replace('_', ' ')}" for reason, count in no_answer.items() if count)


def bounds_in_words(bounds: Sequence[float]) -> str:
    """ "15.0 to 96.7 %": the accuracy of all tasks lies between them, whatever the missing answers are."""
    low, high = bounds
    return f"{100 * low:.1f} to {100 * high:.1f} %"


def exit_of(rows: Sequence[Row]) -> dict[str, int | str]:
    """Code and name with which a command ends that has these rows, for its JSON."""
    is_whole = not any(row.n_missing for row in rows)
    return {"code": 0, "name": "done"} if is_whole else {"code": 1, "name": "incomplete"}


def closing(rows: Sequence[Row], *, again: str = "the same command asks for them") -> str:
    """How many answers of these rows are missing, and how to get them; "" where none is."""
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


def levels_in_words(replies: Iterable[Mapping[str, str]]) -> list[str]:
    """Two lines, or none where no reply was read at several levels."""
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
