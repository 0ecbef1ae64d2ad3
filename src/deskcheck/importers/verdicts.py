"""Read tables of verdicts without answers, one task per line.

    {"id": "sample_0", "right": true, "model": "m"}                        a verdict
    {"task": "sample_0", "model": "m", "pass1": 40.0, "pass1_cot": 70.0}   LiveCodeBench's page: percent right
                                                                           of 10 samples

Reports show these verdicts beside graded verdicts, with a mark that names them as the source's. A percentage
that is no multiple of 10 is dropped.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from deskcheck.importers import Dropped, SavedRun, no_answers_error
from deskcheck.importers._files import lines_of, stem

_SAMPLES = 10  # answers behind each percentage of LiveCodeBench's page
_COLUMNS = {"pass1": "direct", "pass1_cot": "cot"}


def recognizes(path: Path, first: object) -> bool:
    """Whether a row has a verdict but no text of an answer."""
    if not isinstance(first, dict) or any(
        name in first for name in ("response", "completion", "answer", "generation")
    ):
        return False
    return ("id" in first and "right" in first) or ("task" in first and "pass1" in first)


def read(path: Path) -> list[SavedRun]:
    """Read the verdicts as one run for each model and strategy."""
    runs: dict[tuple[str, str], dict[str, list[bool | None]]] = {}
    dropped = []
    for number, row in lines_of(path):
        row_verdicts = _verdicts(row)
        if not row_verdicts:
            dropped.append(Dropped(f"line {number}", "no id with a verdict"))
        for strategy, verdicts in row_verdicts.items():
            if not verdicts:
                dropped.append(
                    Dropped(f"line {number}", f"{strategy}: no whole number of {_SAMPLES} answers")
                )
                continue
            model = str(row.get("model") or stem(path).removesuffix(".verdicts"))
            runs.setdefault((model, strategy), {})[str(row.get("id", row.get("task")))] = verdicts
    if not runs:
        raise no_answers_error(path, "verdict", dropped)
    return [
        SavedRun(
            "verdicts",
            {},
            stored=stored,
            model=model,
            strategy=strategy,
            dropped=dropped if number == 0 else [],
            path=str(path),
        )
        for number, ((model, strategy), stored) in enumerate(runs.items())
    ]


def _verdicts(row: Any) -> dict[str, list[bool | None]]:
    """Return {strategy: verdicts of one task}; a percentage that is no multiple of 10 has an empty list."""
    if not isinstance(row, dict):
        return {}
    if "right" in row:
        return {"saved": [bool(row["right"])]} if row["right"] in (0, 1) and "id" in row else {}
    return {
        strategy: _tenths(row[column])
        for column, strategy in _COLUMNS.items()
        if isinstance(row.get(column), int | float) and row[column] >= 0  # -1 = not asked with this strategy
    }


def _tenths(percent: float) -> list[bool | None]:
    n_right = percent * _SAMPLES / 100
    if n_right != int(n_right):
        return []
    return [sample < n_right for sample in range(_SAMPLES)]
