"""Grade the answers of several runs at once: `deskcheck grade --generations A --generations B ..`

    grade_runs(request, say=print) -> Outcome(runs, rows, tables)

Runs come from importers; each keeps its model's name. The truth of a benchmark is executed once for all runs
that were asked the same kind of question. Rows go to the Parquet file as they are made, so 300,000 answers
need the memory of one run. A table of verdicts without answers is entered as the source's own word.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from msgspec import Struct, field

from deskcheck.benchmarks._rows import sha256_of
from deskcheck.errors import UserError
from deskcheck.evaluation.chosen import filtered
from deskcheck.evaluation.grade import Graded, grade_saved
from deskcheck.evaluation.grade_rows import Facts, rows_of, rows_of_verdicts, unique_names
from deskcheck.evaluation.prepare import revision_of
from deskcheck.evaluation.truth import TaskSet, build_tasks
from deskcheck.grading.extraction import Level
from deskcheck.importers import SavedRun, read_places
from deskcheck.result_rows import Result, write_results

BARE = frozenset({"cruxeval", "livecodebench"})
"""Layouts whose texts are answers that the source took out itself: by its rule unless said otherwise."""


class Request(Struct, frozen=True):
    """What is to be graded, and how."""

    benchmark: str
    places: list[str]
    """"PATH" or "NAME=PATH", files and folders."""
    importer: str = ""
    data: str = ""
    kind: str = "output"
    """For runs that do not say what they were asked."""
    policy: str = ""
    """"" = `published` for texts that the source took out itself, else `strict`."""
    level: Level = "usual"
    """Extraction level of the verdict; every reply is read at all of them."""
    ids: list[str] = field(default_factory=list)
    limit: int = 0
    filters: list[str] = field(default_factory=list)
    options: dict[str, str] = field(default_factory=dict)
    out: str = ""
    """Parquet file of all rows; "" = none."""


class GradedRun(Struct, frozen=True):
    """One run, its tasks and what came of it; None = a table of verdicts."""

    name: str
    saved: SavedRun
    task_set: TaskSet
    graded: Graded | None
    rows: list[Result]
    """Empty where they went to a file."""


def grade_runs(request: Request, done: Callable[[GradedRun], None] = lambda run: None) -> list[GradedRun]:
    """Grade every run; `done` hears of each as it is finished. UserError where there is nothing to grade."""
    runs = read_places(request.places, request.importer)
    if not runs:
        raise UserError(f"nothing to grade in {', '.join(request.places)}")
    finished: list[GradedRun] = []

    def rows() -> Iterator[Result]:
        for one, made in _graded(request, runs):
            finished.append(one)
            done(one)
            yield from made

    if request.out:
        write_results(request.out, rows())
        return finished
    kept: dict[str, list[Result]] = {}
    for row in rows():
        kept.setdefault(row.run, []).append(row)
    return [_with_rows(one, kept.get(one.name, [])) for one in finished]


def policy_of(request: Request, saved: SavedRun) -> str:
    """The policy that was asked for, else the one of the layout."""
    return request.policy or ("published" if saved.layout in BARE else "strict")


def version_of(benchmark: str, data: str) -> str:
    """The hash of the data file, else the pinned revision of the benchmark."""
    return f"sha256:{sha256_of(Path(data))[:16]}" if data and Path(data).is_file() else revision_of(benchmark)


def _graded(request: Request, runs: list[SavedRun]) -> Iterator[tuple[GradedRun, list[Result]]]:
    facts: dict[str, Facts] = {}
    for name, saved in zip(unique_names(runs), runs, strict=True):
        kind = saved.kind or request.kind
        if kind not in facts:
            facts[kind] = Facts(_tasks(request, kind), version_of(request.benchmark, request.data))
        known = facts[kind]
        graded = (
            None
            if saved.only_verdicts
            else grade_saved(known.task_set, saved, policy=policy_of(request, saved), level=request.level)
        )
        rows = rows_of_verdicts(known, saved, name) if graded is None else rows_of(graded, known, saved, name)
        yield GradedRun(name, saved, known.task_set, graded, []), rows


def _tasks(request: Request, kind: str) -> TaskSet:
    options: dict[str, Any] = {"data": request.data, "options": request.options, "ids": request.ids}
    found = build_tasks(request.benchmark, kind=kind, limit=request.limit, **options)
    return filtered(found, request.filters)


def _with_rows(one: GradedRun, rows: list[Result]) -> GradedRun:
    return GradedRun(one.name, one.saved, one.task_set, one.graded, rows)
