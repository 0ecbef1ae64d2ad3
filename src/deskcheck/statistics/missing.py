"""Answers that were never asked for, or whose request failed: in no rate, but counted, bounded and said.

    share_of_counted([1, 0], ["a", "b"], n_all=60)   -> Interval without ends: 58 of 60 are missing
    bounds_of(9, 11, 60)                             -> (0.15, 0.97): all missing ones wrong, all right
    closing(rows)                                    -> the line with which a command ends, or ""

The rule (docs/numbers.md): up to 5 % of a cell may be missing. Beyond that no interval, p-value, effect or
horizon is given, and the bounds stand instead.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from deskcheck.cell_files import Row, is_withheld
from deskcheck.records import MISSING
from deskcheck.statistics.interval import Interval, clustered_interval

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
