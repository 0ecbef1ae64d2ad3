"""The numbers of the report: shares with intervals.

    share(samples) -> Share(right, n, accuracy, low, high, ..)
    by_steps(run)  -> [("1–5", Share), ..]

A share is over tasks x samples. A cell with fewer than 30 answers is marked exploratory; it never is a
finding.
"""

from __future__ import annotations

import math

from msgspec import Struct

from deskcheck.report.read import Run
from deskcheck.results import Sampled
from deskcheck.statistics.interval import clustered_interval

FEWEST = 30
# Doubling bins: a chain that fails with a fixed chance a step falls evenly over them.
STEP_BOUNDS = (5, 10, 20, 40, 80, 160, 320, 640, 1280, 2560, 5120, 10240)


class Share(Struct, frozen=True):
    """Right answers among all answers of one group."""

    n: int
    right: int
    no_answer: int
    accuracy: float
    low: float
    """NaN where there is no interval."""
    high: float

    @property
    def exploratory(self) -> bool:
        """Too few answers to lean on."""
        return self.n < FEWEST

    @property
    def has_interval(self) -> bool:
        """False where too few programs stand behind it."""
        return not math.isnan(self.low)


def share(samples: list[Sampled]) -> Share:
    """The share of right answers, with an interval clustered by program."""
    right = [float(sample.verdict == "right") for sample in samples]
    interval = clustered_interval(right, [sample.cluster for sample in samples])
    return Share(
        n=len(samples),
        right=int(sum(right)),
        no_answer=sum(sample.verdict == "no answer" for sample in samples),
        accuracy=interval.mean,
        low=interval.low,
        high=interval.high,
    )


def step_bin(n_steps: int) -> tuple[int, str]:
    """Order and label of the bin that a number of executed steps falls into."""
    low = 1
    for number, high in enumerate(STEP_BOUNDS):
        if n_steps <= high:
            return number, f"{low}–{high}"
        low = high + 1
    return len(STEP_BOUNDS), f"over {STEP_BOUNDS[-1]}"


def bin_order(label: str) -> int:
    """Sorts the labels of step bins."""
    return int(label.replace("over ", "").split("–")[0])


def by_steps(run: Run) -> list[tuple[str, Share]]:
    """Shares by executed steps of the true run, shortest first."""
    groups: dict[tuple[int, str], list[Sampled]] = {}
    for sample in run.samples:
        groups.setdefault(step_bin(sample.n_steps), []).append(sample)
    return [(label, share(groups[order, label])) for order, label in sorted(groups)]


def family_tag(runs: list[Run]) -> str:
    """The tag that tells a benchmark's tasks apart: the first with 2 to 40 values; "" = none."""
    for tag in ("family", "difficulty", "type"):
        values = {sample.tags.get(tag, "") for run in runs for sample in run.samples}
        if 2 <= len(values - {""}) <= 40:
            return tag
    return ""
