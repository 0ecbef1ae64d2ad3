"""Read what `deskcheck eval` wrote: a log folder, or the JSON of one run that names its folders.

    read_runs("logs") -> [Run(row, samples, ..)], read_runs("out.json") -> the same for that run only

Each run lies in a folder with `cell.json` (its row and what it depended on) and `results.jsonl` (one line per
sample). A folder without `cell.json` was interrupted and is left out; the caller says so.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from msgspec import Struct

from deskcheck.errors import DataError, UserError
from deskcheck.results import CELL, RESULTS, Row, Sampled, read_cell, read_samples


class Run(Struct, frozen=True):
    """One model on one benchmark with one strategy."""

    row: Row
    note: str
    facts: dict[str, Any]
    """Command, configuration, versions, sandbox level."""
    samples: list[Sampled]
    folder: str
    cell: dict[str, Any] = {}
    """What its answers depended on: model arguments, knobs, budgets."""


def read_runs(place: str) -> list[Run]:
    """All finished runs of a log folder or results file. UserError where there are none."""
    path = Path(place)
    if path.is_dir():
        folders = sorted(file.parent for file in path.glob(f"**/{CELL}"))
        if not folders:
            raise UserError(
                f"no finished evaluation in '{place}'; `deskcheck eval --log-dir {place}` makes one"
            )
        runs = [read_run(folder) for folder in folders]
        return sorted(runs, key=lambda run: (run.facts.get("started_unix_s", 0), run.facts.get("number", 0)))
    if not path.is_file():
        raise UserError(f"no log folder or results file at '{place}'")
    return [read_run(folder) for folder in _folders_of(path)]


def read_run(folder: Path) -> Run:
    """One folder. DataError names the file and line that is not what `deskcheck eval` writes."""
    cell = read_cell(folder)
    samples = read_samples(folder)
    if len(samples) != cell.row.n_answers:
        raise DataError(f"{folder / RESULTS}: {len(samples)} samples, but {CELL} counts {cell.row.n_answers}")
    return Run(cell.row, cell.note, cell.run, samples, str(folder), cell.cell)


def _folders_of(path: Path) -> list[Path]:
    try:
        run = json.loads(path.read_text(encoding="utf-8"))["run"]
        names = [Path(name) for name in run["cells"]]
    except (ValueError, KeyError, TypeError):
        raise DataError(f"{path}: not the JSON that `deskcheck eval --json` writes (no run.cells)") from None
    # Paths are as they were given to eval: good from the folder it ran in, or beside the file.
    found = [name if (name / CELL).is_file() else path.parent / name for name in names]
    for folder in found:
        if not (folder / CELL).is_file():
            raise UserError(
                f"{path} names the folder '{folder}', which is not there; give the log folder instead"
            )
    return found
