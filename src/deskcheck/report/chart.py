"""Marks of runs in charts: told apart by shape and dash as well as by color.

    mark(0, x, y, hollow) -> '<circle ../>',  legend_mark(0) -> '<svg ..>'

Colors are classes of style.css, so that both themes work.
"""

from __future__ import annotations

MOST = 6  # marks, dashes and colours


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


def legend_mark(number: int) -> str:
    """A run's line and mark for the legend; "" beyond the drawn ones."""
    if number >= MOST:
        return ""
    return (
        '<svg class="key" viewBox="0 0 36 14" aria-hidden="true">'
        f'<path class="line s{number}" d="M0 7H36"/>{mark(number, 18, 7, False)}</svg>'
    )
