"""Compute the horizons of one run: pooled over families whose tasks need the code, and for each family.

    of_run(run, runs) -> [Measured("all", half=Horizon, most=Horizon, ..), Measured("collatz", ..), ..]

A family is left out of the pooled horizon if a control without the code is above chance on it. The control is
the run of strategy `no-code` by the same model on the same benchmark, if there is one. Chance is the share of
the family's most frequent answer; a control is above chance if its whole interval is. Families that a
benchmark declares as known by heart (`KNOWN_BY_HEART`) are never pooled.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from msgspec import Struct

from deskcheck.benchmarks import known_by_heart
from deskcheck.cell_files import Sampled
from deskcheck.report import breakdown
from deskcheck.report.numbers import share
from deskcheck.report.read import Run, bare
from deskcheck.statistics.horizon import Horizon, Observation, horizon
from deskcheck.strategies import says

MOST_FAMILIES = 20  # with more families in a run, no family has a row
FEWEST_TASKS = 5  # a family with fewer tasks has no row


class Measured(Struct, frozen=True):
    """One row of the table of horizons."""

    name: str
    half: Horizon
    most: Horizon
    """Horizon at 80 % right answers; `half` is at 50 %."""
    note: str
    """Remark on the row, besides the notes of its horizons."""


def of_run(run: Run, runs: Sequence[Run]) -> list[Measured]:
    """Return the pooled horizon, then the horizons of the pooled families, then of the families left out.

    Families have rows only if there are 2 to MOST_FAMILIES of them. No row is returned if the run's verdict
    is withheld, because too many answers are missing.
    """
    if run.row.is_withheld:
        return []
    tasks = [task for task in breakdown.of_run(run) if task.verdicts]
    families = sorted({task.family for task in tasks})
    control = control_of(run, runs)
    known = known_by_heart(run.row.benchmark)
    blind = above_chance(control) if control else {}
    left_out = [family for family in families if family in known or family in blind]
    rest = [task for task in tasks if task.family not in left_out]
    measures = []
    if rest:
        name = f"all but {', '.join(left_out)}" if left_out else "all"
        said = "" if control else "no control without the code (--strategy no-code)"
        measures.append(_measured(name, rest, said))
    if 1 < len(families) <= MOST_FAMILIES:
        for family in [*(one for one in families if one not in left_out), *left_out]:
            members = [task for task in tasks if task.family == family]
            note = f"apart: {blind.get(family) or 'known by heart'}" if family in left_out else ""
            if len(members) >= FEWEST_TASKS:
                measures.append(_measured(family or "no family", members, note))
    return measures


def control_of(run: Run, runs: Sequence[Run]) -> Run | None:
    """Return the control run of the same model and benchmark, unless its verdicts are withheld."""
    same = [
        one
        for one in runs
        if (one.row.model, one.row.benchmark) == (run.row.model, run.row.benchmark)
        and not one.row.is_withheld
    ]
    return next((one for one in same if says(bare(one.row.strategy), "CONTROL")), None)


def above_chance(control: Run) -> dict[str, str]:
    """Map each family in which the control is above chance to a sentence with its result."""
    groups: dict[str, list[Sampled]] = {}
    for answer in control.samples:
        groups.setdefault(answer.tags.get("family", ""), []).append(answer)
    sentences = {}
    for family, members in groups.items():
        answers = Counter(answer.expected for answer in members)
        chance = max(answers.values()) / len(members)
        got = share(members)
        low = got.low if not math.isnan(got.low) else _wilson_low(got.right, got.n)
        if low > chance:
            sentences[family] = (
                f"{100 * got.accuracy:.0f} % right without the code, {100 * chance:.0f} % by always "
                "giving the most frequent answer"
            )
    return sentences


def _wilson_low(right: int, n: int) -> float:
    """Return the lower end of a rough 95 % interval, where programs are too few for a clustered interval."""
    from scipy.stats import binomtest

    return float(binomtest(right, n).proportion_ci(method="wilson").low)


def _measured(name: str, tasks: list[breakdown.Answered], note: str) -> Measured:
    seen = [Observation(max(1, t.steps), t.right, len(t.verdicts), t.family, t.cluster) for t in tasks]
    return Measured(name, horizon(seen), horizon(seen, level=0.8), note)
