"""Grade the answers of several runs at once: `deskcheck grade --generations A --generations B ..`

    grade_runs(request) -> [GradedRun, ..]

Runs come from importers; each keeps its model's name. The truth of a benchmark is executed once for all runs
of the same kind of question. Rows are written to the Parquet file run by run, so 300,000 answers need the
memory of one run. A table of verdicts without answers is stored as verdicts of the source.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from deskcheck.errors import UserError
from deskcheck.evaluation.grade import Graded, grade_saved, named_by_number
from deskcheck.evaluation.grade_truths import without_machine_truths
from deskcheck.evaluation.plan import filtered
from deskcheck.evaluation.sample_records import score_columns, task_columns
from deskcheck.evaluation.truth import TaskSet, build_tasks, revision_of
from deskcheck.format.files import sha256_of
from deskcheck.grading.extraction import Level
from deskcheck.importers import SavedRun, read_places
from deskcheck.languages import is_literal
from deskcheck.records import Task
from deskcheck.result_rows import Result, hash_of, write_results

SOURCE = "source"
"""Extraction of a verdict taken from the source."""


class Facts:
    """Columns that every row of a task repeats; run sizes are measured once per task, for all runs."""

    def __init__(self, task_set: TaskSet, version: str) -> None:
        self.task_set = task_set
        self.version = version
        self._of: dict[str, dict[str, Any]] = {}

    def of(self, task: Task) -> dict[str, Any]:
        """Return the columns that every answer to one task shares."""
        if task.id not in self._of:
            self._of[task.id] = {
                "benchmark": task.benchmark,
                "benchmark_version": self.version,
                "question": task.kind,
                **task_columns(task),
            }
        return self._of[task.id]


def rows_of(graded: Graded, facts: Facts, saved: SavedRun, name: str) -> list[Result]:
    """Make one row of results for each score."""
    by_id = {task.id: task for task in facts.task_set.tasks}
    rows = []
    for score in graded.scores:
        texts = saved.texts.get(score.task_id, [])
        reply = texts[score.sample] if score.sample < len(texts) else None
        rows.append(
            Result(
                **facts.of(by_id[score.task_id]),
                **_run_columns(saved, name),
                **score_columns(score),
                extraction=graded.extraction,
                levels=graded.levels.get((score.task_id, score.sample), {}),
                stored=_stored(saved, score.task_id, score.sample),
                finish_reason=saved.finish_reason(score.task_id, score.sample)
                if reply is not None
                else "error",
                log=f"{saved.path}#{score.task_id}[{score.sample}]" if reply is not None else "",
                reply_sha256=hash_of(reply) if reply is not None else "",
            )
        )
    return rows


def rows_of_verdicts(facts: Facts, saved: SavedRun, name: str) -> list[Result]:
    """Return the rows of a table of verdicts, marked as the source's; tasks without a truth are left out."""
    rows = []
    for task in facts.task_set.tasks:
        for sample, verdict in enumerate(saved.stored.get(task.id, [])):
            if verdict is None:
                continue
            rows.append(
                Result(
                    **facts.of(task),
                    **_run_columns(saved, name),
                    sample=sample,
                    verdict="right" if verdict else "wrong",
                    reason="",
                    answer="",
                    expected=task.expected,
                    policy="published",
                    extraction=SOURCE,
                    stored=_stored(saved, task.id, sample),
                    log=f"{saved.path}#{task.id}[{sample}]",
                    marks=["verdicts of the source"],
                )
            )
    return rows


def unique_names(runs: Sequence[SavedRun]) -> list[str]:
    """Name every run by its model, with strategy and kind if several share it, then with a number."""
    names = [run.model for run in runs]
    for extra in ("strategy", "kind"):
        counts = Counter(names)
        names = [
            f"{name} {getattr(run, extra)}".strip() if counts[name] > 1 else name
            for name, run in zip(names, runs, strict=True)
        ]
    seen: Counter[str] = Counter()
    unique = []
    for name in names:
        seen[name] += 1
        unique.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
    return unique


def _run_columns(saved: SavedRun, name: str) -> dict[str, Any]:
    return {"run": name, "model": saved.model, "strategy": saved.strategy, "settings": saved.settings}


def _stored(saved: SavedRun, task: str, sample: int) -> str:
    verdicts = saved.stored.get(task, [])
    known = verdicts[sample] if sample < len(verdicts) else None
    return "" if known is None else "right" if known else "not right"


_LOOKED = 400  # texts of a run that are looked at
BARE = frozenset({"cruxeval", "livecodebench"})
"""Layouts whose texts are answers that the source extracted; graded by its rule unless told otherwise."""


class Request(Struct, frozen=True):
    """Options of `deskcheck grade`: the files to grade, and how."""

    benchmark: str
    places: list[str]
    """"PATH" or "NAME=PATH", files and folders."""
    importer: str = ""
    marks: tuple[str, str] = ("", "")
    """Marks between which the source asked for the answer; "" = those of the importer."""
    fields: dict[str, str] = field(default_factory=dict)
    """Field of the rows of a JSON lines file -> its name in the file: {"id": "task_id"}."""
    data: str = ""
    kind: str = "output"
    """Kind of question of runs whose files do not name it."""
    policy: str = ""
    """"" = `published` if the files' layout is in BARE and most texts are literals, else `strict`."""
    level: Level = "usual"
    """Extraction level of the verdict; every reply is read at all of them."""
    ids: list[str] = field(default_factory=list)
    limit: int = 0
    filters: list[str] = field(default_factory=list)
    options: dict[str, str] = field(default_factory=dict)
    out: str = ""
    """Parquet file of all rows; "" = none."""


class GradedRun(Struct, frozen=True):
    """One run with its tasks and grades; `graded` is None for a table of verdicts."""

    name: str
    saved: SavedRun
    task_set: TaskSet
    graded: Graded | None
    rows: list[Result]
    """Rows of results; empty if they were written to a file."""


def grade_runs(request: Request, make_tasks: Callable[..., TaskSet] = build_tasks) -> list[GradedRun]:
    """Grade every run against the tasks of `make_tasks`. UserError if there is nothing to grade."""
    runs = read_places(request.places, request.importer, request.fields)
    if request.marks[0]:
        _check_marks(request, runs)
        runs = [replace(run, marks=request.marks) for run in runs]
    if not runs:
        raise UserError(f"nothing to grade in {', '.join(request.places)}")
    finished: list[GradedRun] = []

    def rows() -> Iterator[Result]:
        for one, made in _graded(request, runs, make_tasks):
            finished.append(one)
            yield from made

    if request.out:
        write_results(request.out, rows())
        return finished
    kept: dict[str, list[Result]] = {}
    for row in rows():
        kept.setdefault(row.run, []).append(row)
    return [_with_rows(one, kept.get(one.name, [])) for one in finished]


def _check_marks(request: Request, runs: list[SavedRun]) -> None:
    """Raise UserError if no reply has the opening mark."""
    texts = (text for run in runs for replies in run.texts.values() for text in replies)
    if not any(request.marks[0] in text for text in texts):
        raise UserError(
            f"--marks '{','.join(request.marks)}': no reply in {', '.join(request.places)} holds "
            f"'{request.marks[0]}'; copy the mark from a reply, or leave --marks out"
        )


def policy_of(request: Request, saved: SavedRun) -> str:
    """Return the policy of the request; without one, `published` or `strict` as `Request.policy` says."""
    return request.policy or ("published" if saved.layout in BARE and _is_bare(saved) else "strict")


def _is_bare(saved: SavedRun) -> bool:
    """Return whether at least half of the texts of a run are a literal and nothing else.

    True also for a run without texts, and for answers to `input`, which are calls.
    """
    texts = [text for found in saved.texts.values() for text in found][:: max(1, len(saved.texts) // _LOOKED)]
    if saved.kind == "input" or not texts:
        return True
    return 2 * sum(is_literal(text.strip()) for text in texts[:_LOOKED]) >= min(len(texts), _LOOKED)


def version_of(benchmark: str, data: str) -> str:
    """Return the hash of the data file, or else the pinned revision of the benchmark."""
    return f"sha256:{sha256_of(Path(data))[:16]}" if data and Path(data).is_file() else revision_of(benchmark)


def _graded(
    request: Request, runs: list[SavedRun], make_tasks: Callable[..., TaskSet]
) -> Iterator[tuple[GradedRun, list[Result]]]:
    facts: dict[str, Facts] = {}
    for name, saved in zip(unique_names(runs), runs, strict=True):
        kind = saved.kind or request.kind
        if kind not in facts:
            facts[kind] = Facts(
                _tasks(request, kind, make_tasks), version_of(request.benchmark, request.data)
            )
        known = facts[kind]
        saved = named_by_number(saved, known.task_set.ids)
        graded = (
            None
            if saved.only_verdicts
            else grade_saved(known.task_set, saved, policy=policy_of(request, saved), level=request.level)
        )
        rows = rows_of_verdicts(known, saved, name) if graded is None else rows_of(graded, known, saved, name)
        yield GradedRun(name, saved, known.task_set, graded, []), rows


def _tasks(request: Request, kind: str, make_tasks: Callable[..., TaskSet]) -> TaskSet:
    options: dict[str, Any] = {"data": request.data, "options": request.options, "ids": request.ids}
    limit = 0 if request.filters else request.limit
    found = make_tasks(request.benchmark, kind=kind, limit=limit, **options)
    return without_machine_truths(filtered(found, request.filters, limit=request.limit))


def _with_rows(run: GradedRun, rows: list[Result]) -> GradedRun:
    return GradedRun(run.name, run.saved, run.task_set, run.graded, rows)
