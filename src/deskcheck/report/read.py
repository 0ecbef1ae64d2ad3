"""Read finished runs: a log folder, the JSON of one run that names its folders, or results as Parquet.

    read_runs("logs") -> [Run(row, samples, ..)], read_runs("out.json") -> the same for that run only
    read_runs("graded.parquet"), read_runs("mine=graded.parquet")      what `grade` or `merge` wrote

Each run lies in a folder with `cell.json` (its row and what it depended on) and `results.jsonl` (one line per
sample). A folder without `cell.json` was interrupted and is left out; the caller says so.
"""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from deskcheck.errors import DataError, UserError
from deskcheck.records import Score
from deskcheck.result_rows import Result, is_results, read_results, sampled_of, split_name
from deskcheck.results import CELL, RESULTS, Row, Sampled, read_cell, read_samples
from deskcheck.statistics.summary import summarise


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
    name, place = split_name(place)
    runs = _runs_at(place)
    if not name:
        return runs
    if len(runs) > 1:
        raise UserError(f"'{place}' holds {len(runs)} runs; NAME=PATH names a single one")
    return [replace(runs[0], row=replace(runs[0].row, model=name))]


def _runs_at(place: str) -> list[Run]:
    path = Path(place)
    if is_results(path):
        return _of_results(path)
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


def _of_results(path: Path) -> list[Run]:
    """The runs of a Parquet file, in the order of their first rows. DataError where a run is not whole."""
    rows: dict[str, list[Result]] = {}
    for row in read_results(path):
        rows.setdefault(row.run, []).append(row)
    if not rows:
        raise UserError(f"{path}: results without a row")
    return [_run_of(path, name, found) for name, found in rows.items()]


def _run_of(path: Path, name: str, rows: list[Result]) -> Run:
    first = rows[0]
    scores = [
        Score(row.task, row.sample, row.verdict, row.reason, row.policy, row.answer, row.expected)  # type: ignore[arg-type]  # text
        for row in rows
    ]
    n_samples = max(row.sample for row in rows) + 1
    found = summarise(scores, {row.task: row.cluster for row in rows}, n_samples=n_samples, ks=())
    bounds = (found.interval.low, found.interval.high)
    row = Row(
        model=first.model,
        benchmark=first.benchmark,
        task=first.question,
        strategy=first.strategy,
        oracle=first.oracle,
        n_tasks=found.n_tasks,
        n_samples=n_samples,
        right=found.right,
        wrong=found.wrong,
        no_answer=found.no_answer,
        accuracy=found.accuracy,
        interval=[None if math.isnan(bound) else round(bound, 6) for bound in bounds],
        marks=first.marks,
    )
    facts = {"command": "grade", "config": first.settings, "data": first.benchmark_version}
    cell = {"generation": {**first.settings, "extraction": first.extraction}}
    return Run(row, found.interval.note, facts, [sampled_of(one) for one in rows], f"{path}#{name}", cell)


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
