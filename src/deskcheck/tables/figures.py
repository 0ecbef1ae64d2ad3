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
from deskcheck.report import breakdown, charts
from deskcheck.report.charts import COLOURS, cost_chart
from deskcheck.report.horizons import of_run
from deskcheck.report.numbers import FEWEST
from deskcheck.report.read import Run, told_apart
from deskcheck.report.study import costs
from deskcheck.statistics.horizon import Horizon
from deskcheck.tables.render import visible
from deskcheck.tables.results import slug, subject, subject_title

MOST_CURVES = 14
"""Most horizon curves in one figure, which also says how many more runs there are."""
_DASHES = ("none", "6 3", "2 3", "9 3 2 3", "12 4", "4 2 1 2")
_WIDTH, _LEFT, _RIGHT, _TOP = 760, 56, 24, 34


def write_figures(runs: Sequence[Run], folder: Path) -> tuple[list[Path], list[str]]:
    """Write all figures that these runs allow; return their paths, and a sentence for each missing one."""
    folder.mkdir(parents=True, exist_ok=True)
    paths: list[Path] = []
    absent: list[str] = []
    for benchmark, task in dict.fromkeys(map(subject, runs)):
        members = [run for run in runs if subject(run) == (benchmark, task)]
        about = subject_title(benchmark, task)
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
    """Draw the horizon chart of a report on white, with its legend; "" without two lengths."""
    measured = [(run, found[0].half) for run in runs[:MOST_CURVES] if (found := of_run(run, list(runs)))]
    measured = [(run, half) for run, half in measured if half.longest > half.shortest]
    title = told_apart(list(runs))
    names = [f"{run.row.model} · {title[run.folder]}{run.row.aside}" for run, _ in measured]
    curves = [
        charts.Curve(name, breakdown.of_run(run), half)
        for name, (run, half) in zip(names, measured, strict=True)
    ]
    body, chart_height = charts.horizon_body(curves)
    if not body:
        return ""
    height = _TOP + chart_height + 36 + 18 * len(curves)
    parts = _canvas(height, f"{about}: right by executed steps")
    parts += [f"<style>{_style(len(curves))}</style>", f'<g transform="translate(0 {_TOP - charts.TOP})">']
    parts += [*body, "</g>"]
    for number, (name, (_, half)) in enumerate(zip(names, measured, strict=True)):
        at = _TOP + chart_height + 16 + 18 * number
        parts.append(f'<path class="line s{number}" d="M{_LEFT} {at - 4}h36"/>')
        parts.append(charts.mark(number, _LEFT + 18, at - 4, False))
        parts.append(_text(_LEFT + 44, at, f"{name}: 50 % at {_length(half)}", "start"))
    parts.append(_text(_WIDTH - _RIGHT, height - 8, f"hollow: fewer than {FEWEST} answers", "end"))
    left_out = len(runs) - MOST_CURVES
    if left_out > 0:
        parts.append(_text(_LEFT, height - 8, f"{left_out} more runs are not drawn", "start"))
    return _closed(parts)


def _style(n_curves: int) -> str:
    """Return the classes of `report/charts.py` for a file on white, in colors and dashes that differ."""
    rules = [".grid{stroke:#ddd;fill:none}.tick{fill:#555}"]
    for number in range(n_curves):
        colour = COLOURS[number % len(COLOURS)]
        rules.append(f".s{number}{{stroke:{colour};fill:{colour}}}")
        rules.append(f".line.s{number}{{stroke-dasharray:{_DASHES[number % len(_DASHES)]}}}")
    rules.append(
        ".line,.beyond,.half,.whisker{fill:none}.line,.mark{stroke-width:1.75}.half{stroke-width:2.5}"
    )
    rules.append(".beyond{stroke-dasharray:2 5}.mark.hollow{fill:white}.tick.toned{stroke:none}")
    return "".join(rules)


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
        # A letter is about 6.2 units wide.
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
            dark = share.accuracy > 0.55  # then the number is white
            # From white at 0 % to rgb(0, 114, 178) at 100 %.
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
