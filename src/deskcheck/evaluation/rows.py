"""Verdicts -> one row of the results, in the form that everything downstream reads (docs/evaluation.md).

    row_of(cell, tasks, scores, n_samples=1) -> Row

Every task must have all its samples; `statistics.summarise` refuses anything else. An answer that was never
asked for, or whose request failed, is in no rate: `bounds` say what the rate of all tasks could be. An
interval that cannot be had is `[null, null]`, and the notes say why ("too few clusters", "withheld").
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import msgspec

from deskcheck.records import Score, Task
from deskcheck.results import Row
from deskcheck.statistics.summary import Summary, summarise


def row_of(
    names: tuple[str, str, str],
    tasks: list[Task],
    scores: list[Score],
    *,
    n_samples: int,
    oracle: bool,
    marks: list[str] | None = None,
) -> tuple[Row, str]:
    """The row of (model, benchmark, strategy), and a note on its interval ("" or "too few clusters")."""
    clusters = {task.id: task.cluster for task in tasks}
    return row_from(
        names, tasks[0].kind, scores, clusters, n_samples=n_samples, oracle=oracle, marks=marks or []
    )


def row_from(
    names: tuple[str, str, str],
    kind: str,
    scores: list[Score],
    clusters: Mapping[str, str],
    *,
    n_samples: int,
    oracle: bool,
    marks: list[str],
) -> tuple[Row, str]:
    """The same where all that is known of a task is its program (`clusters`)."""
    model, benchmark, strategy = names
    summary = summarise(scores, clusters, n_samples=n_samples, ks=())
    row = Row(
        model=model,
        benchmark=benchmark,
        task=kind,
        strategy=strategy,
        oracle=oracle,
        n_tasks=summary.n_tasks,
        n_samples=summary.n_samples,
        right=summary.right,
        wrong=summary.wrong,
        no_answer=summary.no_answer,
        accuracy=None if math.isnan(summary.accuracy) else summary.accuracy,
        interval=_interval(summary),
        marks=marks,
        bounds=[round(bound, 6) for bound in summary.bounds],
    )
    return row, summary.interval.note


def _interval(summary: Summary) -> list[float | None]:
    both = (summary.interval.low, summary.interval.high)
    return [None if math.isnan(bound) else round(bound, 6) for bound in both]


def as_json(run: dict[str, Any], rows: list[Row]) -> bytes:
    """Encode the rows as the file of results."""
    text = msgspec.json.format(msgspec.json.encode({"run": run, "rows": rows}), indent=2)
    return text + b"\n"
