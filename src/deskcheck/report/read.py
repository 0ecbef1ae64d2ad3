"""Read finished runs from a log folder, a JSON or a Parquet file of results, and give them distinct names.

A run is here one model with one strategy and its settings on one benchmark (a cell of a study).

    read_runs("logs") -> [Run(row, samples, ..)], read_runs("out.json") -> the runs that this file names
    read_runs("graded.parquet"), read_runs("mine=graded.parquet")      a file that `grade` or `merge` wrote
    told_apart(runs) -> {folder: "line-1(max_steps=60)", ..}        facts(run) -> {"max_steps": "60", ..}

Each run has a folder with `cell.json` (its row and settings) and `results.jsonl` (one line per sample). A
folder without `cell.json` was interrupted and is left out.
Two runs of one model with one strategy differ in a setting, a budget, an argument of the model or an option
of the benchmark. `told_apart` puts this difference into their names. If it finds none, it takes the folders'
names.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from deskcheck.cell_files import (
    CELL,
    RESULTS,
    Row,
    Sampled,
    cell_folders,
    check_logs,
    read_cell,
    read_samples,
)
from deskcheck.errors import DataError, UserError
from deskcheck.pace import counted
from deskcheck.records import Score
from deskcheck.result_rows import Result, is_results, read_results, sampled_of, split_name
from deskcheck.statistics.summary import REASONS, bounds_of, share_of_counted, summarise
from deskcheck.turns.settings import current


class Run(Struct, frozen=True):
    """One model on one benchmark with one strategy, and its answers."""

    row: Row
    note: str
    """Note on the interval of `row`, such as "too few clusters"; "" = none."""
    facts: dict[str, Any]
    """Command, configuration, versions, containment level."""
    samples: list[Sampled]
    """Answers that count: every rate, difference and effect is computed from these."""
    folder: str
    cell: dict[str, Any] = {}
    """Everything that its answers depended on: model arguments, settings, budgets."""
    missing: list[Sampled] = []
    """Answers that were never asked for, or whose request failed: no evidence about the model."""

    @property
    def every(self) -> list[Sampled]:
        """All answers that the run requested or should have requested, the missing ones last."""
        return [*self.samples, *self.missing]


def read_runs(place: str) -> list[Run]:
    """Return all finished runs of a log folder or results file.

    "NAME=PATH" reads the single run at PATH and shows NAME as its model. UserError if there are no runs, or
    if a name is given to several; DataError for a file that deskcheck did not write.
    """
    name, place = split_name(place)
    runs = _runs_at(place)
    if not name:
        return runs
    if len(runs) > 1:
        raise UserError(f"'{place}' holds {len(runs)} runs; NAME=PATH names a single one")
    return [replace(runs[0], row=replace(runs[0].row, model=name))]


def _runs_at(place: str) -> list[Run]:
    """Read the runs of a results file, of a log folder, or of the folders that a JSON file names."""
    path = Path(place)
    if is_results(path):
        return _of_results(path)
    if path.is_dir():
        folders = cell_folders(path)
        if not folders:
            raise UserError(
                f"no finished evaluation in '{place}'; `deskcheck eval --log-dir {place}` makes one"
            )
        runs = [read_run(folder) for folder in counted(folders, "runs read")]
        return sorted(runs, key=lambda run: (run.facts.get("started_unix_s", 0), run.facts.get("number", 0)))
    if not path.is_file():
        raise UserError(f"no log folder or results file at '{place}'")
    return [read_run(folder) for folder in _folders_of(path)]


def read_run(folder: Path) -> Run:
    """Read the run in a folder. DataError names a file and line that `deskcheck eval` did not write."""
    cell = read_cell(folder)
    samples = read_samples(folder)
    check_logs(folder, cell)
    if len(samples) != cell.row.n_answers:
        raise DataError(f"{folder / RESULTS}: {len(samples)} samples, but {CELL} counts {cell.row.n_answers}")
    row, note = cell.row, cell.note
    if not row.bounds:  # an older file, whose rates include missing answers
        samples = [_renamed(one) for one in samples]
        row, note = _counted_again(row, samples)
    return _parted(Run(row, note, cell.run, samples, str(folder), cell.cell))


def _parted(run: Run) -> Run:
    """Return the run with its missing answers separated from those that count."""
    missing = [one for one in run.samples if one.is_missing]
    return replace(run, samples=[one for one in run.samples if not one.is_missing], missing=missing)


def _renamed(answer: Sampled) -> Sampled:
    """Correct the reason in an older file, which has "budget" for lack of money as well as of steps."""
    unpaid = answer.reason == "budget" and answer.answer.startswith("money: ")
    return replace(answer, reason="not_asked") if unpaid else answer


def _counted_again(row: Row, samples: list[Sampled]) -> tuple[Row, str]:
    """Return the row of an older file, counted by the current rule, and the note on its interval."""
    counted = [one for one in samples if not one.is_missing]
    reasons = Counter(one.reason for one in samples if one.verdict == "no answer")
    right = [float(one.verdict == "right") for one in counted]
    interval = share_of_counted(right, [one.cluster for one in counted], n_all=len(samples))
    ends = (interval.low, interval.high)
    again = replace(
        row,
        no_answer={reason: reasons[reason] for reason in REASONS},
        accuracy=None if math.isnan(interval.mean) else interval.mean,
        interval=[None if math.isnan(end) else round(end, 6) for end in ends],
        bounds=list(bounds_of(row.right, len(counted), len(samples))),
    )
    return again, interval.note


def _of_results(path: Path) -> list[Run]:
    """Return the runs of a Parquet file, in the order of their first rows."""
    rows: dict[str, list[Result]] = {}
    for row in counted(read_results(path), "answers read"):
        rows.setdefault(row.run, []).append(row)
    if not rows:
        raise UserError(f"{path}: results without a row")
    return [_run_of(path, name, found) for name, found in rows.items()]


def _run_of(path: Path, name: str, rows: list[Result]) -> Run:
    """Compute the run of some rows of a Parquet file: its counts, interval, facts and samples."""
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
        accuracy=None if math.isnan(found.accuracy) else found.accuracy,
        interval=[None if math.isnan(bound) else round(bound, 6) for bound in bounds],
        marks=first.marks,
        bounds=list(found.bounds),
        served=dict(Counter(one.served for one in rows if one.served)),
    )
    facts = {"command": "grade", "config": first.settings, "data": first.benchmark_version}
    read_at = {"extraction": first.extraction} if first.extraction else {}
    cell = {"generation": {**first.settings, **read_at}}
    samples = [sampled_of(one) for one in rows]
    return _parted(Run(row, found.interval.note, facts, samples, f"{path}#{name}", cell))


def _folders_of(path: Path) -> list[Path]:
    """Return the folders that a JSON file of `deskcheck eval --json` names."""
    try:
        run = json.loads(path.read_text(encoding="utf-8"))["run"]
        names = [Path(name) for name in run["cells"]]
    except (ValueError, KeyError, TypeError):
        raise DataError(
            f"{path}: not the JSON that `deskcheck eval --json` writes (no run.cells); name that file, "
            "a log folder, or a .parquet file of results"
        ) from None
    # Paths are stored as given to eval: relative to the folder in which it ran, or to the file's folder.
    found = [name if (name / CELL).is_file() else path.parent / name for name in names]
    for folder in found:
        if not (folder / CELL).is_file():
            raise UserError(
                f"{path} names the folder '{folder}', which is not there; give the log folder instead"
            )
    return found


GROUPS = ("knobs", "generation", "model_args", "options")
"""Parts of `cell.json` with the values that the run's answers depended on."""
PLAIN = ("version", "strategy_code", "fingerprint")
"""Values that are part of a name only if nothing else differs."""

UNSET = "as it comes"
"""Value in a label of a run that lacks a setting which a similar run has."""


def facts(run: Run) -> dict[str, str]:
    """Return the values in which a run can differ from others of its model, benchmark, task and strategy.

    Most of them come from `Run.cell`, and none from `Run.facts`.
    """
    texts: dict[str, str] = {}
    for group in GROUPS:
        values: dict[str, Any] = run.cell.get(group) or {}
        values = current(values) if group == "knobs" else values
        texts |= {name: _text(value) for name, value in values.items()}
    if run.every:
        texts["policy"] = run.every[0].policy
    texts |= {"samples": str(run.row.n_samples), "tasks": str(run.row.n_tasks)}
    return texts


def told_apart(runs: Sequence[Run]) -> dict[str, str]:
    """Map each run's folder to its strategy, with the values that distinguish the run from similar ones."""
    groups: dict[tuple[str, ...], list[Run]] = {}
    for run in runs:
        row = run.row
        groups.setdefault((row.model, row.benchmark, row.task, row.strategy), []).append(run)
    return {run.folder: name for group in groups.values() for run, name in _named(group)}


def bare(strategy: str) -> str:
    """Return the name of a strategy without its settings: "line-1(max_steps=60)" -> "line-1"."""
    return strategy.partition("(")[0]


def _named(group: list[Run]) -> list[tuple[Run, str]]:
    """Name runs of one model and strategy by what differs: settings, else versions, else folders."""
    if len({run.folder for run in group}) == 1:
        return [(run, run.row.strategy) for run in group]
    known = [facts(run) for run in group]
    names = list(dict.fromkeys(name for one in known for name in one))
    differ = [name for name in names if len({one.get(name) for one in known}) > 1]
    said = [_extra(one, differ) for one in known]
    if len(set(said)) < len(group):
        plain = [{name: str(run.cell.get(name, "")) for name in PLAIN} for run in group]
        differ = [name for name in PLAIN if len({one[name] for one in plain}) > 1]
        said = [", ".join(filter(None, (a, _extra(b, differ)))) for a, b in zip(said, plain, strict=True)]
    if len(set(said)) < len(group):
        folders = [Path(run.folder).name for run in group]
        if len(set(folders)) < len(group):
            folders = [run.folder for run in group]
        said = [f"folder={folder}" for folder in folders]
    return [(run, _with(run.row.strategy, text)) for run, text in zip(group, said, strict=True)]


def _extra(facts: dict[str, str], names: list[str]) -> str:
    return ", ".join(f"{name}={facts.get(name, UNSET)}" for name in names)


def has(run: Run, name: str, value: str) -> bool:
    """Tell whether a run has a value, as the labels of `told_apart` give it; UNSET = it has none."""
    if name == "folder":
        return value in (run.folder, Path(run.folder).name)
    return (facts(run) | {plain: str(run.cell.get(plain, "")) for plain in PLAIN}).get(name, UNSET) == value


def is_labeled(run: Run, label: str) -> bool:
    """Tell whether a label of `told_apart` fits a run: its strategy, and values that the run has."""
    strategy, own = _parted_label(run.row.strategy)
    name, parts = _parted_label(label)
    if name != strategy or not set(own) <= set(parts):
        return False
    return all(has(run, *part.split("=", 1)) for part in parts if part not in own and "=" in part)


def _with(strategy: str, text: str) -> str:
    """Add values to the settings in a strategy's name, unless the name has them already."""
    name, before = _parted_label(strategy)
    parts = [*before, *(part for part in text.split(", ") if part and part not in before)]
    return f"{name}({', '.join(parts)})" if parts else name


def _parted_label(label: str) -> tuple[str, list[str]]:
    """Return name and settings of a label: "line-1(max_steps=60)" -> ("line-1", ["max_steps=60"])."""
    name, bracket, settings = label.partition("(")
    return name, settings.removesuffix(")").split(", ") if bracket else []


def _text(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)
