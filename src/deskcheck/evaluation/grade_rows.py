"""Graded runs as rows of the results schema.

rows_of(graded, task_set, saved, name="gpt-4", version="..") -> [Result, ..]
rows_of_verdicts(task_set, saved, name=.., version=..)       of a table of verdicts without answers
unique_names([saved, ..]) -> ["gpt-4 direct", "gpt-4 cot", ..]
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from deskcheck.evaluation.grade import Graded
from deskcheck.evaluation.run_sizes import run_sizes
from deskcheck.evaluation.truth import TaskSet
from deskcheck.importers import SavedRun
from deskcheck.records import Task
from deskcheck.result_rows import Result, hash_of

SOURCE = "source"
"""Extraction of a verdict that is the source's own word."""


class Facts:
    """What every row of a task repeats; run sizes are measured once a task, however many runs there are."""

    def __init__(self, task_set: TaskSet, version: str) -> None:
        self.task_set = task_set
        self.version = version
        self._of: dict[str, dict[str, Any]] = {}

    def of(self, task: Task) -> dict[str, Any]:
        """Columns that every answer to one task shares."""
        if task.id not in self._of:
            sizes = run_sizes(task.truth)
            self._of[task.id] = {
                "benchmark": task.benchmark,
                "benchmark_version": self.version,
                "question": task.kind,
                "task": task.id,
                "cluster": task.cluster,
                "tags": task.tags,
                "source": task.program.source,
                "call": task.program.call,
                "n_steps": task.truth.n_steps,
                "call_depth": sizes.call_depth,
                "state_size": sizes.state_size,
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
                sample=score.sample,
                verdict=score.verdict,
                reason=score.reason,
                answer=score.answer,
                expected=score.expected,
                policy=score.policy,
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
    """Rows of a table of verdicts, marked as the source's own word; tasks without a truth are left out."""
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
    """A name for every run: its model, with strategy and kind where several share it, else with a number."""
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
