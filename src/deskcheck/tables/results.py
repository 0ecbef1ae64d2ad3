"""Make a table for each benchmark and kind of question, with a row per model and a column per strategy.

results(runs)      -> [Table, ..]
runs_of(places)    -> the runs of several log folders and results files, each folder once
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from deskcheck.errors import UserError
from deskcheck.report.compare import select
from deskcheck.report.read import Run, told_apart
from deskcheck.report.study import models_apart
from deskcheck.tables.table import NOT_RUN, Cell, Table, row_cell

INTERVALS = "Accuracy over received answers, in percent; intervals are 95 %, clustered by program."
"""Note below each table."""


def runs_of(places: Iterable[str]) -> list[Run]:
    """Return all runs of PLACE, NAME=PATH or PLACE:model=x,strategy=y, in order, each once.

    UserError if there are none.
    """
    by_folder: dict[str, Run] = {}
    for place in places:
        for run in select(place):
            by_folder.setdefault(run.folder, run)
    if not by_folder:
        raise UserError("no results were named; give a log folder, or a Parquet file that `grade` wrote")
    return models_apart(list(by_folder.values()))


def subject(run: Run) -> tuple[str, str]:
    """Return benchmark and kind of question, which all runs of one table share."""
    return run.row.benchmark, run.row.task


def slug(*parts: str) -> str:
    """Join parts into the name of a table, with letters, digits and dashes."""
    return "-".join("".join(sign if sign.isalnum() else "-" for sign in part) for part in parts).strip("-")


def subject_title(benchmark: str, task: str) -> str:
    """Name a benchmark with its kind of question: "core", "core, next-line"."""
    return benchmark if task == "output" else f"{benchmark}, {task}"


def results(runs: Sequence[Run]) -> list[Table]:
    """Make one table for each benchmark and kind of question, in the order of the runs."""
    title = told_apart(runs)
    tables = []
    for benchmark, task in dict.fromkeys(map(subject, runs)):
        members = [run for run in runs if subject(run) == (benchmark, task)]
        names = {run.folder: title[run.folder] + run.row.aside for run in members}
        strategies = list(dict.fromkeys(names.values()))
        cells = {(run.row.model, names[run.folder]): row_cell(run.row) for run in members}
        models = dict.fromkeys(run.row.model for run in members)
        rows = [
            [Cell(model), *(cells.get((model, name), Cell(NOT_RUN)) for name in strategies)]
            for model in models
        ]
        tables.append(
            Table(
                slug("results", benchmark, task),
                f"{subject_title(benchmark, task)}: accuracy over received answers (%)",
                ["model", *strategies],
                rows,
                [INTERVALS],
            )
        )
    return tables
