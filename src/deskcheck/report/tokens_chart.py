"""Accuracy against tokens an answer as a small SVG: one mark a run, an interval a mark, a color a model.

tokens_chart(costs(runs)) -> "<svg ..>"; "" where no run reports tokens
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape
from typing import Literal

from deskcheck.report.study import Cost

_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#444444")


_AXES = {
    "tokens": "tokens an answer, in and out, hidden ones included (log scale)",
    "dollars": "dollars an answer (log scale)",
}


def cost_chart(found: Sequence[Cost], what: Literal["tokens", "dollars"]) -> str:
    """Accuracy against tokens or dollars an answer (log scale); "" where no run reports any."""
    points = [
        (cost, getattr(cost, what), cost.accuracy)
        for cost in found
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
        colour = _COLOURS[number % len(_COLOURS)]
        parts.append(f'<circle cx="{at + 5:.1f}" cy="{height - 10}" r="5" fill="{colour}"/>')
        parts.append(f'<text x="{at + 15:.1f}" y="{height - 6}">{escape(model)}</text>')
    for cost, spent, accuracy in points:
        colour = _COLOURS[models.index(cost.model) % len(_COLOURS)]
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
