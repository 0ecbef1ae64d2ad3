"""Rank models on benchmarks, with the best and the worst rank that the data allow.

    leaderboard(runs) -> [Table, ..]      one table for each kind of question

A model is surely above another if their paired difference on the common tasks is significant after Holm's
correction over all pairs of the benchmark. A model's best rank is one more than the number of models surely
above it. Its worst rank is the number of models minus those surely below it. With several strategies, every
pair of model and strategy is a row; `logs:strategy=cot` ranks the models by one strategy.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from deskcheck.errors import UserError
from deskcheck.report.compare import Comparison, compare, together
from deskcheck.report.read import Run, told_apart
from deskcheck.statistics.summary import unread_in_words
from deskcheck.tables.results import INTERVALS, slug, subject, subject_title
from deskcheck.tables.table import NOT_RUN, Cell, Table, row_cell

RANKS = (
    "Ranks in brackets: the best and the worst that the data allow (paired by task, sign flips of whole "
    "programs, Holm over all pairs of a benchmark at 5 %). Rows stand in the order of the first benchmark."
)


def leaderboard(runs: Sequence[Run]) -> list[Table]:
    """Make the tables from fair rows; a note counts those that saw the truth. UserError if none is fair."""
    fair = [run for run in runs if not run.row.aside]
    if not fair:
        raise UserError("every run saw the truth or is no plain row, so there is nothing to rank")
    title = told_apart(fair)
    strategies = {title[run.folder] for run in fair}
    one = len(strategies) == 1
    who = {run.folder: run.row.model if one else f"{run.row.model} · {title[run.folder]}" for run in fair}
    tables = []
    for task in dict.fromkeys(run.row.task for run in fair):
        members = [run for run in fair if run.row.task == task]
        cells: dict[tuple[str, str], Cell] = {}
        benchmarks = list(dict.fromkeys(run.row.benchmark for run in members))
        notes = [INTERVALS, RANKS, *([f"Strategy: {next(iter(strategies))}."] if one else [])]
        for benchmark in benchmarks:
            there = [run for run in members if subject(run) == (benchmark, task)]
            ranked, places = ranks(there)
            notes += places
            for run in there:
                cells[who[run.folder], benchmark] = _with_rank(row_cell(run.row), ranked.get(run.folder))
        names = sorted(
            dict.fromkeys(who[run.folder] for run in members),
            key=lambda name: [-(cells.get((name, b), Cell("")).value or -1.0) for b in benchmarks],
        )
        rows = [[Cell(name), *(cells.get((name, b), Cell(NOT_RUN)) for b in benchmarks)] for name in names]
        aside = sum(run.row.task == task for run in runs) - len(members)
        if aside:
            notes.append(f"{aside} rows that saw the truth, or are no plain rows, are not ranked.")
        tables.append(
            Table(
                slug("leaderboard", task),
                subject_title("leaderboard", task),
                ["model", *benchmarks],
                rows,
                notes,
            )
        )
    return tables


def ranks(runs: Sequence[Run]) -> tuple[dict[str, tuple[int, int]], list[str]]:
    """Map folders to (best, worst) rank on one benchmark; also return sentences on runs without a rank."""
    known = [run for run in runs if not run.row.is_withheld and not run.row.is_unread]
    said = [
        f"{run.row.model} on {run.row.benchmark}: {unread_in_words(run.row) or 'verdict withheld'}, "
        "so no rank."
        for run in runs
        if run not in known
    ]
    pairs: list[tuple[Run, Run]] = []
    comparisons: list[Comparison] = []
    for a, b in combinations(known, 2):
        if {answer.task for answer in a.every} & {answer.task for answer in b.every}:
            pairs.append((a, b))
            comparisons.append(compare([a], [b])[0])
    above = {run.folder: 0 for run in known}
    below = {run.folder: 0 for run in known}
    for (a, b), corrected in zip(pairs, together(comparisons), strict=True):
        if corrected.is_shown:
            better, worse = (a, b) if corrected.difference > 0 else (b, a)
            above[worse.folder] += 1
            below[better.folder] += 1
    return {name: (1 + above[name], len(known) - below[name]) for name in above}, said


def _with_rank(cell: Cell, rank: tuple[int, int] | None) -> Cell:
    if rank is None:
        return cell
    low, high = rank
    return Cell(
        f"{cell.text} #{low}" + (f"–{high}" if high > low else ""),
        cell.value, cell.low, cell.high, cell.n, cell.missing,
    )  # fmt: skip
