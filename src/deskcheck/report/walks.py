"""Prepare the runs that can be walked through in a report: a task's true run beside each model's states.

    walks_of(runs, labels, order) -> {"task": Walk("<packed view>", ["step 12: ..", ""]), ..}

The true runs are repeated in the sandbox, until `most` tasks or `budget` bytes of packed views are reached.
Tasks with states of a model come first, then the others, both in the caller's `order` of task ids.
`deskcheck view LOGS --task ID` shows any other task.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from deskcheck.cell_files import Sampled
from deskcheck.pace import counted
from deskcheck.records import Limits
from deskcheck.report.answers import by_task
from deskcheck.report.read import Run
from deskcheck.viewer.belief import ModelRun, belief_of, divergence_of
from deskcheck.viewer.document import data_of
from deskcheck.viewer.opening import run_of_answer, views_of_answers

MOST = 100
"""Default for the largest number of tasks that can be walked through."""
MOST_STEPS = 5_000
"""Step limit of a repeated run; what comes after it is not shown."""
BUDGET_BYTES = 2_500_000
"""Default for the largest size of all packed views together."""


class Walk(Struct, frozen=True):
    """One task that can be walked through."""

    data: str
    """Packed data for the page of the viewer."""
    parted: list[str]
    """First divergence of each run in words; "" = none, or no states."""


def walks_of(
    runs: list[Run],
    labels: list[str],
    order: Iterable[str],
    *,
    most: int = MOST,
    budget: int = BUDGET_BYTES,
) -> dict[str, Walk]:
    """Map tasks to their walks, for as many tasks of `order` as fit into the budget.

    `runs` are those of one benchmark, with their names in `labels`; `most` is the largest number of tasks. A
    walk has at most three samples of each run.
    """
    tables = [by_task(run) for run in runs]
    asked: dict[str, list[tuple[ModelRun, Sampled]]] = {}
    for task in order:
        answers = [
            (run_of_answer(label, run.row.strategy, one), one)
            for run, table, label in zip(runs, tables, labels, strict=True)
            for one in table.get(task, [])[:3]
            if not one.is_missing
        ]
        if answers and answers[0][1].call:
            asked[task] = answers
    chosen = sorted(asked, key=lambda task: not any(one.chain for _, one in asked[task]))[:most]
    limits = Limits(max_steps=MOST_STEPS)
    walks: dict[str, Walk] = {}
    views = views_of_answers({task: asked[task] for task in chosen}, limits)
    for task, view in counted(views, "runs drawn", total=len(chosen)):
        if view.traces[0].n_steps:
            beliefs = [belief_of(run, view.traces) for run in view.runs]
            data = data_of(view, beliefs)
            budget -= len(data)
            if budget < 0:
                break
            divergences = [divergence_of(belief, view.traces[0]) for belief in beliefs]
            first = dict(zip(reversed([run.name for run in view.runs]), reversed(divergences), strict=True))
            walks[task] = Walk(data, [first.get(label, "") for label in labels])
    return walks
