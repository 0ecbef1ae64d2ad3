"""Draw figures of finished evaluations as SVG: horizon curves, accuracy against tokens or dollars, heat map.

    write_figures(runs, Path("figures")) -> [Path, ..], [reason for a missing figure, ..]

Every figure is made of vectors and text on white, and shares of few answers are marked. The values of a
colored curve, mark or cell can also be read as text.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape
from pathlib import Path

from deskcheck.cell_files import write_whole
from deskcheck.report import breakdown
from deskcheck.report.charts import cost_chart
from deskcheck.report.horizons import of_run
from deskcheck.report.numbers import FEWEST, by_steps
from deskcheck.report.read import Run, told_apart
from deskcheck.report.study import costs
from deskcheck.statistics.horizon import Horizon, chance
from deskcheck.tables.render import visible
from deskcheck.tables.results import asked, slug, subject

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#444444")
MOST_CURVES = 14
_WIDTH, _LEFT, _RIGHT, _TOP, _PLOT = 760, 56, 24, 34, 300


def write_figures(runs: Sequence[Run], folder: Path) -> tuple[list[Path], list[str]]:
    """Write all figures that these runs allow; return their paths, and a sentence for each missing one."""
    folder.mkdir(parents=True, exist_ok=True)
    paths: list[Path] = []
    absent: list[str] = []
    for benchmark, task in dict.fromkeys(map(subject, runs)):
        members = [run for run in runs if subject(run) == (benchmark, task)]
        about = asked(benchmark, task)
        figures = {
            "horizons": horizon_curves(members, about),
            "tokens": cost_chart(costs(members), "tokens"),
            "dollars": cost_chart(costs(members), "dollars"),
            "families": heat_map(members, about),
        }
        for name, text in figures.items():
            if text:
                paths.append(folder / f"{slug(name, benchmark, task)}.svg")
                write_whole(paths[-1], text.encode("utf-8", "backslashreplace"))
            else:
                absent.append(f"{about}: no figure of {name}, {_WHY[name]}")
    return paths, absent


_WHY = {
    "horizons": "because its answers lie at fewer than two lengths, or verdicts are withheld",
    "tokens": "because no run reports tokens",
    "dollars": "because no run has a known cost above 0",
    "families": "because its tasks are of fewer than two families",
}


def horizon_curves(runs: Sequence[Run], about: str) -> str:
    """Draw fitted curves over executed steps, with raw bins as marks; "" without two lengths."""
    curves = [(run, found[0].half) for run in runs[:MOST_CURVES] if (found := of_run(run, list(runs)))]
    curves = [(run, half) for run, half in curves if half.longest > half.shortest]
    if not curves:
        return ""
    low = math.log2(min(half.shortest for _, half in curves))
    high = math.log2(max(half.longest for _, half in curves))
    title = told_apart(list(runs))

    def x(steps: float) -> float:
        return _LEFT + (_WIDTH - _LEFT - _RIGHT) * (math.log2(max(1.0, steps)) - low) / (high - low)

    def y(share: float) -> float:
        return _TOP + _PLOT * (1 - share)

    height = _TOP + _PLOT + 56 + 18 * len(curves)
    parts = _canvas(height, f"{about}: right by executed steps")
    for fifth in range(0, 101, 25):
        at = y(fifth / 100)
        parts.append(
            f'<path d="M{_LEFT} {at:.1f}H{_WIDTH - _RIGHT}" stroke="{"#999" if fifth == 50 else "#ddd"}"/>'
        )
        parts.append(_text(_LEFT - 6, at + 4, f"{fifth} %", "end"))
    for power in range(math.ceil(low), math.floor(high) + 1):
        parts.append(_text(x(2.0**power), _TOP + _PLOT + 18, f"{2**power:,}", "middle"))
    parts.append(_text(_WIDTH / 2, _TOP + _PLOT + 38, "executed steps (log scale)", "middle"))
    for number, (run, half) in enumerate(curves):
        colour = COLOURS[number % len(COLOURS)]
        dash = "" if number < len(COLOURS) else ' stroke-dasharray="5 3"'
        steps = [half.shortest * (half.longest / half.shortest) ** (k / 60) for k in range(61)]
        line = " ".join(f"{x(one):.1f},{y(chance(half, one)):.1f}" for one in steps)
        parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"{dash}/>')
        for label, share in by_steps(run):
            if not share.n:
                continue
            ends = label.replace("over ", "").split("–")
            middle = min(max(math.sqrt(float(ends[0]) * float(ends[-1])), half.shortest), half.longest)
            fill = "white" if share.n < FEWEST else colour
            parts.append(
                f'<circle cx="{x(middle):.1f}" cy="{y(share.accuracy):.1f}" r="3.5" fill="{fill}" '
                f'stroke="{colour}">'
                f"<title>{escape(label)} steps: {100 * share.accuracy:.1f} %, n = {share.n}</title></circle>"
            )
        name = f"{run.row.model} · {title[run.folder]}{run.row.aside}"
        at = _TOP + _PLOT + 60 + 18 * number
        parts.append(f'<path d="M{_LEFT} {at - 4}h22" stroke="{colour}" stroke-width="2"{dash}/>')
        parts.append(_text(_LEFT + 30, at, f"{name}: 50 % at {_length(half)}", "start"))
    parts.append(_text(_WIDTH - _RIGHT, height - 8, f"hollow: fewer than {FEWEST} answers", "end"))
    left_out = len(runs) - MOST_CURVES
    if left_out > 0:
        parts.append(_text(_LEFT, height - 8, f"{left_out} more runs are not drawn", "start"))
    return _closed(parts)


def _length(estimate: Horizon) -> str:
    sign = {"<": "under ", ">": "over ", "": ""}[estimate.bound]
    low = f"under {estimate.shortest:,}" if estimate.low <= estimate.shortest else f"{estimate.low:,.0f}"
    high = (
        f"over {estimate.longest:,}"
        if math.isinf(estimate.high) or estimate.high >= estimate.longest
        else f"{estimate.high:,.0f}"
    )
    return f"{sign}{estimate.steps:,.0f} steps [{low}, {high}]"


def heat_map(runs: Sequence[Run], about: str) -> str:
    """Draw percent right by family (rows) and run (columns), as number and shade; "" without two families."""
    tasks = {run.folder: breakdown.of_run(run) for run in runs}
    families = sorted({task.family for members in tasks.values() for task in members} - {""})
    if len(families) < 2:
        return ""
    title = told_apart(list(runs))
    left, cell, row = 190, max(70, min(150, 560 // len(runs))), 26
    height = _TOP + 20 + row * len(families) + 30
    width = left + cell * len(runs) + _RIGHT
    parts = _canvas(height, f"{about}: percent right by family", width=width)
    for number, run in enumerate(runs):
        name = f"{run.row.model} · {title[run.folder]}"
        short = name if len(name) * 6.2 < cell else name[: int(cell / 6.2) - 1] + "…"
        at = left + cell * (number + 0.5)
        parts.append(f"<g><title>{escape(visible(name))}</title>{_text(at, _TOP + 12, short, 'middle')}</g>")
    for line, family in enumerate(families):
        at = _TOP + 20 + row * line
        parts.append(_text(left - 8, at + 17, family, "end"))
        for number, run in enumerate(runs):
            members = [task for task in tasks[run.folder] if task.family == family]
            share = breakdown.share_of(members)
            if not share.n:
                continue
            dark = share.accuracy > 0.55
            shade = ",".join(str(round(255 - fall * share.accuracy)) for fall in (255, 141, 77))
            parts.append(
                f'<rect x="{left + cell * number}" y="{at}" width="{cell - 2}" height="{row - 2}" '
                f'fill="rgb({shade})">'
                f"<title>n = {share.n}</title></rect>"
            )
            few = "*" if share.n < FEWEST else ""
            text = f"{100 * share.accuracy:.0f}{few}"
            parts.append(
                _text(left + cell * (number + 0.5), at + 17, text, "middle", "white" if dark else "black")
            )
    parts.append(_text(left, height - 8, f"* fewer than {FEWEST} answers", "start"))
    return _closed(parts)


def _canvas(height: float, title: str, *, width: float = _WIDTH) -> list[str]:
    label = escape(visible(title))
    return [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" '
        f'font-size="12" role="img" aria-label="{label}">',
        f'<rect width="{width}" height="{height}" fill="white"/>',
        f'<text x="{_LEFT}" y="18" font-size="14">{label}</text>',
    ]


def _closed(parts: list[str]) -> str:
    return "\n".join([*parts, "</svg>", ""])


def _text(x: float, y: float, text: str, anchor: str, fill: str = "black") -> str:
    said = escape(visible(text))
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{fill}">{said}</text>'
