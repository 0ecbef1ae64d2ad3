"""Horizon curves of several runs as one SVG: what was measured first, what was fitted over it.

    horizon_chart([Curve("tiny · line-1", tasks, horizon), ..]) -> "<svg ..>", or "" with a single length

Points are raw shares of doubling bins of executed steps with their 95 % intervals; a point of fewer than 30
answers is hollow, and n stands below the axis. The line is the logistic fit, dashed beyond the
run's own tasks; the bar on the 50 % line is the interval of horizon-50. Runs are told apart by mark and dash
as well as by color.
"""

from __future__ import annotations

import math
from html import escape

from msgspec import Struct

from deskcheck.report import chart
from deskcheck.report.breakdown import Answered, share_of
from deskcheck.report.numbers import Share, step_bin
from deskcheck.statistics.horizon import Horizon, chance

WIDTH, LEFT, RIGHT, TOP, PLOT = 720, 52, 16, 14, 230
ROW = 15
"""Height of a row of counts below the axis."""


class Curve(Struct, frozen=True):
    """One run of the chart."""

    label: str
    tasks: list[Answered]
    fit: Horizon | None
    """None where none could be fitted, or where its verdict is withheld."""


class Point(Struct, frozen=True):
    """One bin of one run."""

    steps: float
    """Geometric mean of its tasks' executed steps."""
    label: str
    share: Share


def points_of(tasks: list[Answered]) -> list[Point]:
    """Raw shares by doubling bins of executed steps, shortest first; bins without an answer are left out."""
    bins: dict[tuple[int, str], list[Answered]] = {}
    for task in tasks:
        bins.setdefault(step_bin(task.steps), []).append(task)
    found = []
    for (_, label), inside in sorted(bins.items()):
        share = share_of(inside)
        if share.n:
            middle = sum(math.log2(max(1, task.steps)) for task in inside) / len(inside)
            found.append(Point(2**middle, label, share))
    return found


def horizon_chart(curves: list[Curve]) -> str:
    """The chart; "" where all tasks have one length, so that there is no curve."""
    curves = curves[: chart.MOST]
    steps = [max(1, task.steps) for one in curves for task in one.tasks]
    if len(set(steps)) < 2:
        return ""
    axis = _Axis(min(steps), max(steps))
    series = [points_of(one.tasks) for one in curves]
    parts = [axis.grid()]
    for number, (one, points) in enumerate(zip(curves, series, strict=True)):
        parts.append(_fitted(number, one, axis))
        shift = 4.0 * (number - (len(curves) - 1) / 2)
        parts.append(
            "".join(_drawn(number, one.label, point, axis.x(point.steps) + shift) for point in points)
        )
    rows = _counts(series, axis)
    height = TOP + PLOT + 44 + ROW * len(rows)
    parts += rows
    parts.append(
        f'<text class="tick" x="{(LEFT + WIDTH - RIGHT) / 2:.0f}" y="{height - 4}" text-anchor="middle">'
        "executed steps of the true run (doubling); n = answers in each bin</text>"
    )
    title = "Share of right answers by executed steps; the same numbers stand in the table"
    return f'<svg viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{title}">' + "".join(parts) + "</svg>"


class _Axis:
    def __init__(self, low: int, high: int) -> None:
        self.low, self.high = math.log2(low) - 0.25, math.log2(high) + 0.25

    def x(self, steps: float) -> float:
        return LEFT + 8 + (WIDTH - LEFT - RIGHT - 16) * (math.log2(steps) - self.low) / (self.high - self.low)

    def grid(self) -> str:
        lines = []
        for value in (0.0, 0.25, 0.5, 0.75, 1.0):
            lines.append(f'<path class="grid" d="M{LEFT} {_y(value):.1f}H{WIDTH - RIGHT}"/>')
            lines.append(
                f'<text class="tick" x="{LEFT - 8}" y="{_y(value) + 4:.1f}" text-anchor="end">'
                f"{100 * value:.0f} %</text>"
            )
        powers = range(math.ceil(self.low), math.floor(self.high) + 1)
        every = max(1, math.ceil(len(powers) / 12))
        for power in powers[::every]:
            lines.append(f'<path class="grid" d="M{self.x(2**power):.1f} {TOP + PLOT}v5"/>')
            lines.append(
                f'<text class="tick" x="{self.x(2**power):.1f}" y="{TOP + PLOT + 18}" '
                f'text-anchor="middle">{2**power:,}</text>'
            )
        return "".join(lines)


def _y(value: float) -> float:
    return TOP + PLOT * (1 - value)


def _fitted(number: int, one: Curve, axis: _Axis) -> str:
    fit = one.fit
    if fit is None or fit.shortest == fit.longest:
        return ""
    low, high = math.log2(fit.shortest), math.log2(fit.longest)

    def track(start: float, end: float) -> str:
        count = max(2, int(24 * (end - start) / max(1e-9, axis.high - axis.low)) + 2)
        places = [start + (end - start) * k / (count - 1) for k in range(count)]
        return "L".join(f"{axis.x(2**at):.1f} {_y(chance(fit, 2**at)):.1f}" for at in places)

    drawn = [f'<path class="line s{number}" d="M{track(low, high)}"/>']
    for start, end in ((axis.low, low), (high, axis.high)):
        if end - start > 0.3:
            drawn.append(f'<path class="beyond s{number}" d="M{track(start, end)}"/>')
    if fit.level == 0.5 and not fit.bound:
        ends = axis.x(max(fit.low, fit.shortest)), axis.x(min(fit.high, fit.longest))
        y = _y(0.5) + 3 * number
        said = escape(f"{one.label}: horizon-50 at {fit.steps:,.0f} steps")
        drawn.append(
            f'<g><title>{said}</title><path class="half s{number}" d="M{ends[0]:.1f} {y:.1f}H{ends[1]:.1f}'
            f'M{axis.x(fit.steps):.1f} {y - 6:.1f}v12"/></g>'
        )
    return "".join(drawn)


def _drawn(number: int, label: str, point: Point, x: float) -> str:
    share = point.share
    ends = ""
    if share.has_interval:
        ends = f'<path class="whisker s{number}" d="M{x:.1f} {_y(share.low):.1f}V{_y(share.high):.1f}"/>'
    between = f", {100 * share.low:.1f} to {100 * share.high:.1f}" if share.has_interval else ""
    said = escape(f"{label}, {point.label} steps: {100 * share.accuracy:.1f} %{between}, n = {share.n}")
    return f"<g><title>{said}</title>{ends}{chart.mark(number, x, _y(share.accuracy), share.exploratory)}</g>"


def _counts(series: list[list[Point]], axis: _Axis) -> list[str]:
    """n of every bin below the axis, one row a run; one row in all where they are the same."""
    counts = [{point.label: (point.steps, point.share.n) for point in points} for points in series]
    rows = counts[:1] if all(one == counts[0] for one in counts) else counts
    drawn = []
    for number, row in enumerate(rows):
        y = TOP + PLOT + 20 + ROW * (number + 1)
        tone = f" s{number} toned" if len(rows) > 1 else ""
        drawn.append(
            f'<text class="tick{tone}" x="{LEFT - 8}" y="{y}" text-anchor="end">n</text>'
            + "".join(
                f'<text class="tick{tone}" x="{axis.x(steps):.1f}" y="{y}" text-anchor="middle">{n}</text>'
                for steps, n in row.values()
            )
        )
    return drawn
