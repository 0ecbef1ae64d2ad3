"""Where a model stands among stored answers of real models: references.toml, shares of whole benchmarks.

    standings(rows) -> ["livecodebench-exec: m, cot: 61.0 % would be number 3 of 44 ..", ..]

Only a row that asked every task has a place, and only beside at least FEWEST reference results. The
references were asked in other words and with other sampling, so a place is an orientation and no test.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from deskcheck.cell_files import Row

REFERENCES: dict[str, Any] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
"""Benchmark -> kind of question -> n (its tasks), source, models {name: percent}."""
FEWEST = 5


def standings(rows: Sequence[Row]) -> list[str]:
    """A line for each row that can be placed, and where the references come from."""
    lines, sources = [], []
    for row in rows:
        known = REFERENCES.get(row.benchmark, {}).get(row.task)
        if not known or len(known["models"]) < FEWEST or row.n_tasks != known["n"] or row.oracle:
            continue
        if row.accuracy is None or row.interval[0] is None or row.interval[1] is None:
            continue
        lines.append(_standing(row, known["models"]))
        sources.append(f"reference results: {known['source']}; other prompts, so a place is no test")
    return lines + list(dict.fromkeys(sources))


def _standing(row: Row, models: dict[str, float]) -> str:
    better, low, high = (
        sum(share > 100 * end for share in models.values())
        for end in (row.accuracy or 0.0, row.interval[0] or 0.0, row.interval[1] or 0.0)
    )
    above = [name for name, share in models.items() if share > 100 * (row.accuracy or 0.0)]
    after = f", after {above[-1]} ({models[above[-1]]} %)" if above else ""
    return (
        f"{row.benchmark}: {row.model}, {row.strategy}: {100 * (row.accuracy or 0.0):.1f} % would be number "
        f"{better + 1} of {len(models) + 1}{after}; its interval spans places {high + 1} to {low + 1}"
    )
