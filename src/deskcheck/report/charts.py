"""Draw the charts of a report as SVG: horizon curves of several runs, and accuracy against tokens per answer.

    mark(0, x, y, hollow) -> '<circle ../>',  legend_mark(0) -> '<svg ..>'
    horizon_chart([Curve("tiny · line-1", tasks, horizon), ..]) -> "<svg ..>"; "" if all tasks have one length
    horizon_body(curves) -> the chart's elements and height, for a file with its own style and legend
    cost_chart(costs(runs), "tokens") -> "<svg ..>"; "" if no run reports tokens

Runs differ in shape and dash as well as in color; colors are classes of style.css, so that both themes work.
A point of a curve is the raw share of right answers in one bin of executed steps, with its 95 % interval;
each bin is twice as wide as the bin before. A point of fewer than 30 answers is hollow, and n is printed
below the axis. The line is the logistic fit, dashed beyond the lengths of the run's tasks; the bar on the
50 % line is the interval of horizon-50. The chart of tokens has a mark with an interval for each run, and a
color for each model.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape
from typing import Literal

from msgspec import Struct

from deskcheck.report.breakdown import Answered, share_of
from deskcheck.report.numbers import Share, step_bin
from deskcheck.report.study import Cost
from deskcheck.statistics.horizon import Horizon, chance

MOST = 6  # number of marks, and of the dashes and colors of style.css
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#444444")
"""Colors of the curves, in their order, in a chart that is drawn on white."""


def mark(number: int, x: float, y: float, hollow: bool) -> str:
    """Draw the mark of run `number` at a place in pixels: circle, square, triangle, diamond, cross or bar."""
    kind = "hollow" if hollow else "full"
    shapes = [
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4.5"',
        f'<rect x="{x - 4:.1f}" y="{y - 4:.1f}" width="8" height="8"',
        f'<path d="M{x:.1f} {y - 5.5:.1f}l5.5 9.5h-11z"',
        f'<path d="M{x:.1f} {y - 6:.1f}l6 6l-6 6l-6 -6z"',
        f'<path d="M{x - 5:.1f} {y - 5:.1f}l10 10m0 -10l-10 10"',
        f'<path d="M{x - 6:.1f} {y - 2:.1f}h12v4h-12z"',
    ]
    return f'{shapes[number % MOST]} class="mark s{number} {kind}"/>'


def legend_mark(number: int) -> str:
    """Draw a run's line and mark for the legend; "" for runs that the chart leaves out."""
    if number >= MOST:
        return ""
    return (
        '<svg class="key" viewBox="0 0 36 14" aria-hidden="true">'
        f'<path class="line s{number}" d="M0 7H36"/>{mark(number, 18, 7, False)}</svg>'
    )


WIDTH, LEFT, RIGHT, TOP, PLOT = 720, 52, 16, 14, 230
"""Pixels: width of the chart, its margins at three sides, and height of the plot."""
ROW = 15
"""Height of a row of counts below the axis."""


class Curve(Struct, frozen=True):
    """One run of the chart."""

    label: str
    tasks: list[Answered]
    fit: Horizon | None
    """None if no fit was possible, or if the verdict is withheld."""


class Point(Struct, frozen=True):
    """One bin of one run."""

    steps: float
    """Geometric mean of the executed steps of the bin's tasks."""
    label: str
    """Name of the bin: "9–16"."""
    share: Share
    """Share of right answers."""


def points_of(tasks: list[Answered]) -> list[Point]:
    """Return raw shares by doubling bins of executed steps, shortest first; empty bins are left out."""
    bins: dict[tuple[int, str], list[Answered]] = {}
    for task in tasks:
        bins.setdefault(step_bin(task.steps), []).append(task)
    points = []
    for (_, label), inside in sorted(bins.items()):
        share = share_of(inside)
        if share.n:
            middle = sum(math.log2(max(1, task.steps)) for task in inside) / len(inside)
            points.append(Point(2**middle, label, share))
    return points


def horizon_chart(curves: list[Curve]) -> str:
    """Draw the chart of a page with the first six curves; "" if all their tasks have one length."""
    parts, height = horizon_body(curves[:MOST])
    title = "Share of right answers by executed steps; the same numbers stand in the table"
    return (
        f'<svg viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{title}">{"".join(parts)}</svg>'
        if parts
        else ""
    )


def horizon_body(curves: list[Curve]) -> tuple[list[str], int]:
    """Draw axes, curves and counts; return the elements and their height in pixels, or ([], 0)."""
    steps = [max(1, task.steps) for curve in curves for task in curve.tasks]
    if len(set(steps)) < 2:
        return [], 0
    axis = _Axis(min(steps), max(steps))
    series = [points_of(curve.tasks) for curve in curves]
    parts = [axis.grid()]
    for number, (curve, points) in enumerate(zip(curves, series, strict=True)):
        parts.append(_fitted(number, curve, axis))
        shift = 4.0 * (number - (len(curves) - 1) / 2)
        parts.append(
            "".join(_drawn(number, curve.label, point, axis.x(point.steps) + shift) for point in points)
        )
    rows = _counts(series, axis)
    height = TOP + PLOT + 44 + ROW * len(rows)
    parts += rows
    parts.append(
        f'<text class="tick" x="{(LEFT + WIDTH - RIGHT) / 2:.0f}" y="{height - 4}" text-anchor="middle">'
        "executed steps of the true run (doubling); n = answers in each bin</text>"
    )
    return parts, height


class _Axis:
    """Logarithmic axis of executed steps, from `low` to `high`."""

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


def _fitted(number: int, curve: Curve, axis: _Axis) -> str:
    fit = curve.fit
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
        said = escape(f"{curve.label}: horizon-50 at {fit.steps:,.0f} steps")
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
    return f"<g><title>{said}</title>{ends}{mark(number, x, _y(share.accuracy), share.exploratory)}</g>"


def _counts(series: list[list[Point]], axis: _Axis) -> list[str]:
    """Write n of every bin below the axis, in a row per run, or in one row if they are all the same."""
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


_AXES = {
    "tokens": "tokens an answer, in and out, hidden ones included (log scale)",
    "dollars": "dollars an answer (log scale)",
}


def cost_chart(costs: Sequence[Cost], what: Literal["tokens", "dollars"]) -> str:
    """Draw accuracy against tokens or dollars per answer (log scale); "" if no run reports them.

    The mark of a run that used the truth (an oracle) is hollow.
    """
    points = [
        (cost, getattr(cost, what), cost.accuracy)
        for cost in costs
        if getattr(cost, what) > 0 and cost.accuracy is not None
    ]
    if not points:
        return ""
    width, height, left, right, top, bottom = 760, 420, 56, 24, 20, 64
    low = math.floor(math.log10(min(spent for _, spent, _ in points)))
    high = max(low + 1, math.ceil(math.log10(max(spent for _, spent, _ in points))))
    models = list(dict.fromkeys(cost.model for cost, _, _ in points))

    def x(spent: float) -> float:
        return left + (width - left - right) * (math.log10(spent) - low) / (high - low)

    def y(share: float) -> float:
        return top + (height - top - bottom) * (1 - share)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" '
        f'font-size="12" role="img" aria-label="Accuracy against {what} an answer">',
        f'<rect width="{width}" height="{height}" fill="white"/>',
    ]
    for fifth in range(0, 101, 20):
        at = y(fifth / 100)
        parts.append(f'<path d="M{left} {at:.1f}H{width - right}" stroke="#ddd"/>')
        parts.append(f'<text x="{left - 6}" y="{at + 4:.1f}" text-anchor="end">{fifth} %</text>')
    for power in range(low, high + 1):
        at = x(10.0**power)
        parts.append(f'<path d="M{at:.1f} {top}V{height - bottom}" stroke="#eee"/>')
        parts.append(
            f'<text x="{at:.1f}" y="{height - bottom + 18}" text-anchor="middle">{_round(power)}</text>'
        )
    parts.append(
        f'<text x="{(left + width - right) / 2}" y="{height - 26}" text-anchor="middle">{_AXES[what]}</text>'
    )
    for number, model in enumerate(models):
        at = left + number * (width - left - right) / len(models)
        colour = COLOURS[number % len(COLOURS)]
        parts.append(f'<circle cx="{at + 5:.1f}" cy="{height - 10}" r="5" fill="{colour}"/>')
        parts.append(f'<text x="{at + 15:.1f}" y="{height - 6}">{escape(model)}</text>')
    for cost, spent, accuracy in points:
        colour = COLOURS[models.index(cost.model) % len(COLOURS)]
        at, level = x(spent), y(accuracy)
        fill = "white" if cost.oracle else colour
        if cost.low is not None and cost.high is not None:
            parts.append(f'<path d="M{at:.1f} {y(cost.low):.1f}V{y(cost.high):.1f}" stroke="{colour}"/>')
        parts.append(
            f'<circle cx="{at:.1f}" cy="{level:.1f}" r="5" fill="{fill}" stroke="{colour}" stroke-width="2"/>'
        )
        label = f"{cost.strategy} (oracle)" if cost.oracle else cost.strategy
        parts.append(f'<text x="{at + 8:.1f}" y="{level - 6:.1f}">{escape(label)}</text>')
    return "\n".join([*parts, "</svg>", ""])


def _round(power: int) -> str:
    return f"{10**power:,}" if power >= 0 else f"{10.0**power:.{-power}f}"
