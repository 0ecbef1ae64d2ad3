"""Hold a table independent of its format: each cell has its text and the numbers behind it.

    share_cell(share(samples))        -> Cell("57.3 [53.0, 61.4] (n = 400)", value=57.3, low=53.0, ..)
    difference_cell(comparison)       -> Cell("+4.0 [-1.2, 9.1] (n = 400)", ..)

Shares are in percent, differences in points. A cell with a withheld verdict has bounds and no value.
"""

from __future__ import annotations

import math

from msgspec import Struct, field
from msgspec.structs import replace

from deskcheck.cell_files import Row, is_withheld
from deskcheck.report.compare import Comparison
from deskcheck.report.numbers import Share
from deskcheck.statistics.summary import Interval, bounds_in_words, unread_in_words

NOT_RUN = "not run"


class Cell(Struct, frozen=True):
    """Text of a cell and the numbers that it was made of; None = there is no such number."""

    text: str
    value: float | None = None
    low: float | None = None
    high: float | None = None
    n: int | None = None
    missing: int = 0
    """Number of answers that were never asked for, or whose request failed."""


class Table(Struct, frozen=True):
    """Rows of cells under names of columns; the first cell of a row is its name."""

    name: str
    """Short name without spaces: the label in LaTeX, the column `table` in CSV."""
    title: str
    columns: list[str]
    rows: list[list[Cell]]
    notes: list[str] = field(default_factory=list)
    """Sentences below the table: rows that were left out, reasons, the meaning of intervals."""


def words(*texts: str) -> list[Cell]:
    """Make a cell of each text, without a number."""
    return [Cell(text) for text in texts]


def share_cell(share: Share | None) -> Cell:
    """Make a cell of a share: percent, interval and n."""
    if share is None:
        return Cell(NOT_RUN)
    return _share(share.accuracy, share.low, share.high, share.n, share.missing, share.bounds)


def row_cell(row: Row) -> Cell:
    """Make a cell of the accuracy of a run."""
    low, high = (math.nan if end is None else end for end in row.interval)
    accuracy = math.nan if row.accuracy is None else row.accuracy
    bounds = (row.bounds[0], row.bounds[1]) if row.bounds else (0.0, 1.0)
    cell = _share(accuracy, low, high, row.n_counted, row.n_missing, bounds)
    unread = unread_in_words(row)
    return replace(cell, text=f"{cell.text}, {unread}") if unread else cell


def interval_cell(interval: Interval, n: int) -> Cell:
    """Make a cell of an interval that was computed elsewhere, with its n."""
    return _share(interval.mean, interval.low, interval.high, n, 0, (interval.mean, interval.mean))


def _share(mean: float, low: float, high: float, n: int, missing: int, bounds: tuple[float, float]) -> Cell:
    if is_withheld(missing, n + missing):
        return Cell(f"withheld, within {bounds_in_words(bounds)} (n = {n})", n=n, missing=missing)
    if math.isnan(mean):
        return Cell("none answered", n=n, missing=missing)
    ends = "" if math.isnan(low) else f" [{100 * low:.1f}, {100 * high:.1f}]"
    return Cell(
        f"{100 * mean:.1f}{ends} (n = {n})", _percent(mean), _percent(low), _percent(high), n, missing
    )


def difference_cell(comparison: Comparison | None) -> Cell:
    """Make a cell of a paired difference in points, with a star if it is significant after Holm."""
    if comparison is None:
        return Cell(NOT_RUN)
    n, missing = comparison.n_pairs, comparison.n_missing
    if comparison.is_withheld:
        low, high = (100 * end for end in comparison.bounds)
        return Cell(f"withheld, within {low:+z.1f} to {high:+z.1f} (n = {n})", n=n, missing=missing)
    star = "*" if comparison.is_shown else ""
    ends = (
        ""
        if math.isnan(comparison.low)
        else f" [{100 * comparison.low:+z.1f}, {100 * comparison.high:+z.1f}]"
    )
    text = f"{100 * comparison.difference:+z.1f}{star}{ends} (n = {n})"
    return Cell(
        text, _percent(comparison.difference), _percent(comparison.low), _percent(comparison.high), n, missing
    )


def number_cell(value: float, form: str = "{:.1f}", *, n: int | None = None) -> Cell:
    """Make a cell of any other number; "none" if it is not known (NaN)."""
    return Cell("none", n=n) if math.isnan(value) else Cell(form.format(value), value, n=n)


def _percent(share: float) -> float | None:
    return None if math.isnan(share) else 100 * share
