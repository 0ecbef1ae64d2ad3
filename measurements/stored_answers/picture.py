"""The chart of docs/results.md: output beside state, ten settings of 2025/26.

chart([Row("cwm", output, state, n), ..]) -> svg
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from deskcheck.statistics.summary import Interval

OUTPUT, STATE = "#0072b2", "#d55e00"
_WIDTH, _LEFT, _RIGHT, _TOP, _ROW = 760, 250, 30, 62, 30


class Row(Struct, frozen=True):
    """One setting."""

    name: str
    output: Interval
    state: Interval


def chart(rows: Sequence[Row], n: int) -> str:
    """A row a setting: a disc for the output, a square for a state value, each with its interval."""
    height = _TOP + _ROW * len(rows) + 52
    bottom = height - 46
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" font-family="sans-serif" '
        'font-size="13" role="img" aria-label="Share right: output and one state value, by model">',
        f'<rect width="{_WIDTH}" height="{height}" fill="white"/>',
        f'<text x="{_LEFT}" y="22" font-weight="bold">Right answers on the same {n} programs</text>',
        f'<circle cx="{_LEFT + 6}" cy="42" r="5" fill="{OUTPUT}"/>'
        f'<text x="{_LEFT + 18}" y="46">the returned value</text>',
        f'<rect x="{_LEFT + 160}" y="37" width="10" height="10" fill="{STATE}"/>'
        f'<text x="{_LEFT + 178}" y="46">a loop variable at one moment</text>',
    ]
    for tenth in range(0, 11, 2):
        x = _x(tenth / 10)
        parts.append(f'<path d="M{x:.1f} {_TOP - 6}V{bottom}" stroke="#ddd"/>')
        parts.append(f'<text x="{x:.1f}" y="{bottom + 18}" text-anchor="middle">{10 * tenth} %</text>')
    for number, row in enumerate(rows):
        y = _TOP + _ROW * (number + 0.5)
        parts.append(f'<text x="{_LEFT - 14}" y="{y + 4:.1f}" text-anchor="end">{row.name}</text>')
        parts += [*_mark(row.output, y - 5, OUTPUT), *_mark(row.state, y + 6, STATE)]
    parts.append(
        f'<text x="{_LEFT}" y="{height - 8}" fill="#666" font-size="12">bars: 95 % intervals; '
        "RE2-Bench, one answer a program</text>"
    )
    return "\n".join([*parts, "</svg>", ""])


def _x(share: float) -> float:
    return _LEFT + (_WIDTH - _LEFT - _RIGHT) * share


def _mark(found: Interval, y: float, colour: str) -> list[str]:
    x = _x(found.mean)
    bar = f'<path d="M{_x(found.low):.1f} {y:.1f}H{_x(found.high):.1f}" stroke="{colour}" stroke-width="2"/>'
    if colour == OUTPUT:
        return [bar, f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" fill="{colour}"/>']
    return [bar, f'<rect x="{x - 5:.1f}" y="{y - 5:.1f}" width="10" height="10" fill="{colour}"/>']
