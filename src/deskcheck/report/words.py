"""What came out, in sentences: differences on the same tasks with their intervals, then every row.

    headline(runs) -> ["On core (180 tasks) line-1 is right on 41.7 % ..", ..]

Rows whose paired interval contains zero are never called better or worse.
"""

from __future__ import annotations

import math
from itertools import combinations

from deskcheck.report.numbers import Difference, difference
from deskcheck.report.read import Run

MOST_PAIRS = 6


def label(run: Run, runs: list[Run]) -> str:
    """The shortest name that tells a run from the others of a report."""
    models = {one.row.model for one in runs}
    strategies = {one.row.strategy for one in runs}
    oracle = " (oracle)" if run.row.oracle else ""
    if len(models) == 1 and len(strategies) > 1:
        return run.row.strategy + oracle
    if len(strategies) == 1 and len(models) > 1:
        return run.row.model + oracle
    return f"{run.row.model} · {run.row.strategy}{oracle}"


def percent(value: float) -> str:
    """ "41.7 %"."""
    return f"{100 * value:.1f} %"


def interval(bounds: list[float | None]) -> str:
    """ "30.1 to 54.3", or that there is none."""
    low, high = bounds
    if low is None or high is None:
        return "no interval"
    return f"{100 * low:.1f} to {100 * high:.1f}"


def headline(runs: list[Run]) -> list[str]:
    """Sentences, most important first."""
    said = []
    for benchmark in dict.fromkeys(run.row.benchmark for run in runs):
        own = [run for run in runs if run.row.benchmark == benchmark]
        pairs = list(combinations(own, 2))
        said += [text for a, b in pairs[:MOST_PAIRS] if (text := _pair(a, b, runs))]
        if len(pairs) > MOST_PAIRS:
            said.append(f"{len(pairs) - MOST_PAIRS} more pairs on {benchmark} are not written out here.")
        said += [_row(run, runs) for run in own]
    return said


def _row(run: Run, runs: list[Run]) -> str:
    row = run.row
    none = sum(row.no_answer.values())
    often = f", asked {row.n_samples} times each" if row.n_samples > 1 else ""
    reasons = ", ".join(f"{count} {reason}" for reason, count in row.no_answer.items() if count)
    missing = f" {none} of {row.n_answers} answers are missing ({reasons})." if none else ""
    known = row.interval[0] is not None
    rough = f" ({run.note})" if run.note and known else ""
    bounds = f"95 % interval {interval(row.interval)}" if known else "no interval: too few programs"
    return (
        f"On {row.benchmark} ({row.n_tasks} tasks{often}), {label(run, runs)} is right on "
        f"{percent(row.accuracy)}; {bounds}{rough}.{missing}"
    )


def _pair(a: Run, b: Run, runs: list[Run]) -> str:
    found = difference(a, b)
    if found is None:
        return ""
    if not found.only_a + found.only_b:
        both = f"{label(a, runs)} and {label(b, runs)}"
        return (
            f"{both} are right on the same {a.row.right} of {a.row.n_answers} answers on {a.row.benchmark}."
        )
    if found.points < 0:
        a, b, found = b, a, _turned(found)
    names = f"{label(a, runs)} and {label(b, runs)}"
    counts = f"only the first right {found.only_a}, only the second {found.only_b}"
    chance = "" if math.isnan(found.p) else f", McNemar {_p(found.p)}"
    if math.isnan(found.low):
        few = "too few programs for an interval of their difference"
        return f"{names} on {a.row.benchmark}: {few} ({counts}{chance})."
    bounds = f"95 % interval {found.low:.1f} to {found.high:.1f}{chance}; {counts}"
    if found.low <= 0 <= found.high:
        detectable = f"{found.detectable:.0f} points" if math.isfinite(found.detectable) else "no difference"
        return (
            f"{names} cannot be told apart on {a.row.benchmark}: {found.points:.1f} points, {bounds}. "
            f"{found.n_tasks} tasks show {detectable} with 80 % power."
        )
    return (
        f"{label(a, runs)} is {found.points:.1f} points above {label(b, runs)} on the same tasks of "
        f"{a.row.benchmark}; {bounds}."
    )


def _turned(found: Difference) -> Difference:
    return Difference(
        -found.points,
        -found.high,
        -found.low,
        found.p,
        found.only_b,
        found.only_a,
        found.n_tasks,
        found.detectable,
    )


def _p(value: float) -> str:
    return f"p = {value:.2g}" if value >= 0.0001 else "p under 0.0001"
