"""Accuracy against executed steps as a small SVG: one line a run, an interval a point, n below.

    steps_chart([("line-1", by_steps(run)), ..]) -> "<svg ..>"

Runs are told apart by mark and dash as well as by colour; a point of fewer than 30 answers is hollow.
Colours are classes of style.css, so that both themes work. Nothing of a program or a model goes in but
labels, escaped.
"""

from __future__ import annotations

from html import escape

from deskcheck.report.numbers import Share, bin_order

WIDTH, HEIGHT = 720, 300
LEFT, RIGHT, TOP, BOTTOM = 52, 16, 14, 64
MOST = 6  # marks, dashes and colours


def steps_chart(series: list[tuple[str, list[tuple[str, Share]]]]) -> str:
    """The chart; "" where there is nothing to draw a line through."""
    series = [(name, [(label, one) for label, one in points if one.n]) for name, points in series[:MOST]]
    labels = _labels(series)
    if len(labels) < 2:
        return ""
    parts = [_axes(labels)]
    for number, (name, points) in enumerate(series):
        places = dict(zip(labels, _xs(len(labels)), strict=True))
        shift = 5 * (number - (len(series) - 1) / 2)
        parts.append(_line(number, name, [(places[label] + shift, share, label) for label, share in points]))
    parts.append(_counts(labels, series[0][1]))
    title = "Share of right answers by executed steps; the same numbers stand in the table"
    return f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{title}">' + "".join(parts) + "</svg>"


def mark(number: int, x: float, y: float, hollow: bool) -> str:
    """The mark of a run: circle, square, triangle, diamond, cross, bar."""
    kind = "hollow" if hollow else "full"
    shapes = [
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4.5"',
        f'<rect x="{x - 4:.1f}" y="{y - 4:.1f}" width="8" height="8"',
        f'<path d="M{x:.1f} {y - 5.5:.1f}l5.5 9.5h-11z"',
        f'<path d="M{x:.1f} {y - 6:.1f}l6 6l-6 6l-6 -6z"',
        f'<path d="M{x - 5:.1f} {y - 5:.1f}l10 10m0 -10l-10 10"',
        f'<path d="M{x - 6:.1f} {y - 2:.1f}h12v4h-12z"',
    ]
    return f'{shapes[number]} class="mark s{number} {kind}"/>'


def _labels(series: list[tuple[str, list[tuple[str, Share]]]]) -> list[str]:
    seen = {label for _, points in series for label, _ in points}
    return sorted(seen, key=bin_order)


def _xs(count: int) -> list[float]:
    step = (WIDTH - LEFT - RIGHT) / count
    return [LEFT + step * (number + 0.5) for number in range(count)]


def _y(value: float) -> float:
    return TOP + (HEIGHT - TOP - BOTTOM) * (1 - value)


def _axes(labels: list[str]) -> str:
    lines = []
    for value in (0.0, 0.25, 0.5, 0.75, 1.0):
        y = _y(value)
        lines.append(f'<path class="grid" d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}"/>')
        lines.append(
            f'<text class="tick" x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{100 * value:.0f} %</text>'
        )
    for label, x in zip(labels, _xs(len(labels)), strict=True):
        y = HEIGHT - BOTTOM + 18
        lines.append(f'<text class="tick" x="{x:.1f}" y="{y}" text-anchor="middle">{escape(label)}</text>')
    middle = (LEFT + WIDTH - RIGHT) / 2
    lines.append(
        f'<text class="tick" x="{middle:.0f}" y="{HEIGHT - 8}" text-anchor="middle">executed steps '
        "(line events) of the true run; n = answers in each bin</text>"
    )
    return "".join(lines)


def _counts(labels: list[str], points: list[tuple[str, Share]]) -> str:
    counts = {label: share.n for label, share in points}
    y = HEIGHT - BOTTOM + 34
    return "".join(
        f'<text class="tick" x="{x:.1f}" y="{y}" text-anchor="middle">n={counts.get(label, 0)}</text>'
        for label, x in zip(labels, _xs(len(labels)), strict=True)
    )


def _line(number: int, name: str, points: list[tuple[float, Share, str]]) -> str:
    track = "L".join(f"{x:.1f} {_y(share.accuracy):.1f}" for x, share, _ in points)
    drawn = [f'<path class="line s{number}" d="M{track}"/>']
    for x, share, label in points:
        if share.has_interval:
            drawn.append(
                f'<path class="whisker s{number}" d="M{x:.1f} {_y(share.low):.1f}V{_y(share.high):.1f}"/>'
            )
        said = escape(f"{name}, {label} steps: {100 * share.accuracy:.1f} % of {share.n}")
        drawn.append(f"<g><title>{said}</title>{mark(number, x, _y(share.accuracy), share.exploratory)}</g>")
    return "".join(drawn)


def legend_mark(number: int) -> str:
    """A run's line and mark for the legend; "" beyond the drawn ones."""
    if number >= MOST:
        return ""
    return (
        '<svg class="key" viewBox="0 0 36 14" aria-hidden="true">'
        f'<path class="line s{number}" d="M0 7H36"/>{mark(number, 18, 7, False)}</svg>'
    )
