"""Compute the numbers of the report: shares of right answers with intervals.

    share(samples) -> Share(right, n, accuracy, low, high, ..)
    by_steps(run)  -> [("1–5", Share), ..]

A share is over the answers of a group that came; there should be one for each task and sample. A share of
fewer than 30 answers is marked as exploratory and is never called a finding.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from msgspec import Struct

from deskcheck.cell_files import Sampled
from deskcheck.report.read import Run
from deskcheck.statistics.summary import bounds_of, share_of_counted

FEWEST = 30
"""Number of answers below which a share is exploratory."""
# Doubling bins: a constant error rate per step gives an even fall over them.
STEP_BOUNDS = (5, 10, 20, 40, 80, 160, 320, 640, 1280, 2560, 5120, 10240)


class Share(Struct, frozen=True):
    """Right answers among the answers of one group that came."""

    n: int
    """Number of answers that came: the denominator."""
    right: int
    no_answer: int
    """Answers that came and could not be read."""
    accuracy: float
    """NaN if no answer came."""
    low: float
    """NaN if there is no interval, or if it is withheld."""
    high: float
    missing: int = 0
    """Answers that were never asked for, or whose request failed."""

    @property
    def exploratory(self) -> bool:
        """Whether there are too few answers for a finding."""
        return self.n < FEWEST

    @property
    def bounds(self) -> tuple[float, float]:
        """The share of all if every missing answer were wrong, and if every one were right."""
        return bounds_of(self.right, self.n, self.n + self.missing)

    @property
    def has_interval(self) -> bool:
        """Whether there is an interval: there are enough programs, and few answers are missing."""
        return not math.isnan(self.low)


def share(every: Iterable[Sampled]) -> Share:
    """Return the share of right answers among those that came, with an interval clustered by program."""
    known = list(every)
    counted = [sample for sample in known if not sample.is_missing]
    verdicts = [sample.verdict for sample in counted]
    return share_of(verdicts, [sample.cluster for sample in counted], missing=len(known) - len(counted))


def share_of(verdicts: Sequence[str], clusters: Sequence[str], *, missing: int) -> Share:
    """Return the share of right verdicts among those that came, as `share` does.

    `clusters` has the program of each verdict; `missing` is the number of answers without a verdict.
    """
    right = [float(verdict == "right") for verdict in verdicts]
    interval = share_of_counted(right, clusters, n_all=len(right) + missing)
    return Share(
        n=len(right),
        right=int(sum(right)),
        no_answer=sum(verdict == "no answer" for verdict in verdicts),
        accuracy=interval.mean,
        low=interval.low,
        high=interval.high,
        missing=missing,
    )


def step_bin(n_steps: int) -> tuple[int, str]:
    """Return order and label of the bin that a number of executed steps falls into."""
    low = 1
    for number, high in enumerate(STEP_BOUNDS):
        if n_steps <= high:
            return number, f"{low}–{high}"
        low = high + 1
    return len(STEP_BOUNDS), f"over {STEP_BOUNDS[-1]}"


def bin_order(label: str) -> int:
    """Return the lower end of a step bin from its label, to sort labels by: "6–10" -> 6."""
    return int(label.replace("over ", "").split("–")[0])


def by_steps(run: Run) -> list[tuple[str, Share]]:
    """Return the shares by executed steps of the true run, shortest first."""
    groups: dict[tuple[int, str], list[Sampled]] = {}
    for sample in run.every:
        groups.setdefault(step_bin(sample.n_steps), []).append(sample)
    return [(label, share(groups[order, label])) for order, label in sorted(groups)]


def family_tag(runs: list[Run]) -> str:
    """Return the tag that groups a benchmark's tasks; "" if none fits.

    It is the first of family, difficulty and type that has 2 to 40 values.
    """
    for tag in ("family", "difficulty", "type"):
        values = {sample.tags.get(tag, "") for run in runs for sample in run.every}
        if 2 <= len(values - {""}) <= 40:
            return tag
    return ""
