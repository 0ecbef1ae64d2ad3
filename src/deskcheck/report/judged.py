"""Count the right steps of a run for its report: over steps, over programs, by the part that was wrong, by
kind of line, and after injected errors.

    of_run(run) -> Judged | None                None if the strategy has no chain of states

Hard lines make a new value: indexing and slicing, methods, arithmetic. The others copy, compare, loop, call
and return. A wrong step from the true state is an independent error; one from the model's own state may only
follow from an earlier error. So the two are never added (`Judged.source`).
"""

from __future__ import annotations

import math
from collections import Counter

from msgspec import Struct

from deskcheck.cell_files import StepCount
from deskcheck.report.read import Run
from deskcheck.statistics.summary import FEWEST_CLUSTERS, Interval, clustered_interval, share_bounds
from deskcheck.turns.settings import current

HARD = ("index or slice", "string method", "container method", "arithmetic")


class Judged(Struct, frozen=True):
    """Counts over all steps of one run."""

    source: str
    """State from which each step starts: "the true state", "its own state" or "its own state, the true line".

    For the question `annotation` it is "the call, each value a step": its answer is the program with values
    filled in.
    """
    steps: Interval
    """Share of right steps, with the same weight for every step."""
    programs: Interval
    """Share of right steps, with the same weight for every program."""
    n: int
    """Number of steps."""
    parts: list[tuple[str, int]]
    """(part of a step, such as "variables" or "control flow"; number of steps that are wrong in it), the most
    frequent first."""
    hard: tuple[Interval, int] | None
    """Share of right steps at hard lines, and the number of such steps; None = there are none."""
    easy: tuple[Interval, int] | None
    """Share of right steps at all other lines, and their number; None = there are none."""
    kinds: list[tuple[str, int, int]]
    """(kind of line, wrong steps, all steps), by the number of wrong steps, the largest first."""
    after_plant: list[tuple[str, int]]
    """Reaction of the model to an injected error (followed, corrected, neither), and number of chains."""
    coherent: tuple[int, int]
    """For programs with values filled in: (answers without contradictions, answers that were checked)."""


def of_run(run: Run) -> Judged | None:
    """Count the steps of a run; None if it has none."""
    counts = [(one.cluster, one.steps) for one in run.samples if one.steps is not None]
    if not counts:
        return None
    sums: Counter[str] = Counter()
    sizes: Counter[str] = Counter()
    for cluster, one in counts:
        sums[cluster] += one.n - one.wrong
        sizes[cluster] += one.n
    names = list(sizes)
    total = sum(sizes.values())
    kinds = _kinds([one for _, one in counts])
    injected = Counter(one.after_plant for _, one in counts if one.after_plant)
    parts = Counter[str]()
    for _, one in counts:
        parts.update(one.parts)
    return Judged(
        source=_source(run),
        steps=_over_steps([sums[name] for name in names], [sizes[name] for name in names]),
        programs=clustered_interval([sums[name] / sizes[name] for name in names], names),
        n=total,
        parts=parts.most_common(),
        hard=_at(counts, hard=True),
        easy=_at(counts, hard=False),
        kinds=sorted(((name, wrong, n) for name, (n, wrong) in kinds.items()), key=lambda row: -row[1]),
        after_plant=injected.most_common(),
        coherent=_coherent([one for _, one in counts]),
    )


def _source(run: Run) -> str:
    if run.row.task == "annotation":
        return "the call, each value a step"
    settings = current(run.cell.get("knobs") or {})
    if settings.get("teacher_forcing") == "true":
        return "the true state"
    return "its own state, the true line" if run.row.oracle else "its own state"


def _coherent(counts: list[StepCount]) -> tuple[int, int]:
    looked_at = [one.contradictions for one in counts if one.contradictions >= 0]
    return looked_at.count(0), len(looked_at)


def _kinds(counts: list[StepCount]) -> dict[str, tuple[int, int]]:
    totals: dict[str, tuple[int, int]] = {}
    for count in counts:
        for name, (n, wrong) in count.kinds.items():
            before = totals.get(name, (0, 0))
            totals[name] = (before[0] + n, before[1] + wrong)
    return totals


def _at(counts: list[tuple[str, StepCount]], *, hard: bool) -> tuple[Interval, int] | None:
    """Return share and number of steps at hard lines, or at the others, clustered by program."""
    right: Counter[str] = Counter()
    sizes: Counter[str] = Counter()
    for cluster, count in counts:
        for name, (n, wrong) in count.kinds.items():
            if n and (name in HARD) == hard:
                right[cluster] += n - wrong
                sizes[cluster] += n
    names = list(sizes)
    if not names:
        return None
    return _over_steps([right[name] for name in names], [sizes[name] for name in names]), sum(sizes.values())


def _over_steps(sums: list[int], sizes: list[int]) -> Interval:
    import numpy as np

    mean, note = sum(sums) / sum(sizes), "" if len(sizes) >= 30 else "too few clusters"
    if len(sizes) < FEWEST_CLUSTERS:
        return Interval(mean, math.nan, math.nan, "none", len(sizes), note)
    low, high = share_bounds(np.array([[float(one) for one in sums]]), np.array([float(n) for n in sizes]))
    return Interval(mean, float(low[0]), float(high[0]), "clustered wilson", len(sizes), note)
