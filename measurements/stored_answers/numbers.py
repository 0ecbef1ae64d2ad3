"""Shares, differences and horizons as they stand in the tables.

percent(share) -> "61.4 [57.1, 65.6]"         horizon_words(tasks, 0.5) -> "40 [32, 57]" or "not falling"
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from deskcheck.errors import UserError
from deskcheck.report.breakdown import Answered
from deskcheck.report.numbers import Share
from deskcheck.statistics.horizon import Observation, horizon
from deskcheck.statistics.paired import paired_difference, sign_flip
from deskcheck.statistics.regression import logistic
from deskcheck.statistics.summary import Interval

FEWEST_EXECUTED = 100
"""Programs under which no horizon is printed, bins only."""
FEWEST_LONG = 10
"""Programs that must be as long as a horizon or longer; beyond that it is only a bound."""


def percent(share: Share) -> str:
    """With its interval; * marks fewer than 30 answers."""
    mark = " *" if share.exploratory else ""
    if not share.has_interval:
        return f"{100 * share.accuracy:.1f} (n {share.n}){mark}"
    return f"{100 * share.accuracy:.1f} [{100 * share.low:.1f}, {100 * share.high:.1f}]{mark}"


def points(interval: Interval) -> str:
    """A difference in points with its interval."""
    if math.isnan(interval.low):
        return f"{100 * interval.mean:+.1f}"
    return f"{100 * interval.mean:+.1f} [{100 * interval.low:+.1f}, {100 * interval.high:+.1f}]"


def p_value(value: float) -> str:
    """Three digits, or that it is smaller."""
    return f"{value:.3f}" if value >= 0.001 else "< 0.001"


def difference(a: Sequence[Answered], b: Sequence[Answered]) -> tuple[Interval, float]:
    """a minus b over the tasks that both have, and the exact p of no difference."""
    other = {task.task: task for task in b if task.verdicts}
    pairs = [(one, other[one.task]) for one in a if one.task in other and one.verdicts]
    x = [one.right / len(one.verdicts) for one, _ in pairs]
    y = [two.right / len(two.verdicts) for _, two in pairs]
    sums: dict[str, int] = {}
    for one, two in pairs:
        sums[one.cluster] = sums.get(one.cluster, 0) + one.right - two.right
    return paired_difference(x, y, [one.cluster for one, _ in pairs]), sign_flip(list(sums.values()))


def falls(tasks: Sequence[Answered]) -> bool:
    """Whether more executed steps go with fewer right answers: the whole 95 % interval says so."""
    try:
        (effect,) = logistic(
            [[math.log2(max(1, task.steps))] for task in tasks],
            [task.right / len(task.verdicts) for task in tasks],
            [task.cluster for task in tasks],
            names=["log2 executed steps"],
        )
    except (UserError, ValueError):
        return False
    return effect.high < 1


def horizon_words(tasks: Sequence[Answered], level: float) -> str:
    """Steps with interval and the isotonic fit, or why there are none."""
    if len(tasks) < FEWEST_EXECUTED:
        return f"n {len(tasks)}: bins only"
    seen = [Observation(max(1, t.steps), t.right, len(t.verdicts), "all", t.cluster) for t in tasks]
    found = horizon(seen, level=level)
    ends = (found.shortest, _reach(tasks))
    isotonic = _end(found.isotonic, *ends)
    if not falls(tasks):
        return f"not falling (isotonic {isotonic})"
    steps = {"<": 0.0, ">": math.inf, "": found.steps}[found.bound]
    low_steps = math.inf if found.low >= found.longest else found.low
    high_steps = 0.0 if found.high <= found.shortest else found.high
    at, low, high = (_end(one, *ends) for one in (steps, low_steps, high_steps))
    if low == high and low[0] in "<>":  # the whole interval lies there
        return low
    if not found.is_logistic:
        return f"isotonic {isotonic} [{low}, {high}] ‡, logistic {at}"
    return f"{at} [{low}, {high}], isotonic {isotonic}"


def _reach(tasks: Sequence[Answered]) -> int:
    """Return the steps that FEWEST_LONG programs have or exceed, each counted at its longest task."""
    longest: dict[str, int] = {}
    for task in tasks:
        longest[task.cluster] = max(longest.get(task.cluster, 1), task.steps)
    return sorted(longest.values(), reverse=True)[min(FEWEST_LONG, len(longest)) - 1]


def _end(steps: float, shortest: int, longest: int) -> str:
    if steps == 0:
        return f"< {shortest}"
    return f"> {longest}" if steps > longest else f"{steps:.0f}"


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Lines of a table, with a blank one after it."""
    yield "| " + " | ".join(head) + " |"
    yield "|" + "---|" * len(head)
    for row in rows:
        yield "| " + " | ".join(row) + " |"
    yield ""
