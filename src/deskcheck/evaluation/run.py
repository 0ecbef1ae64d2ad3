"""The loop: every model x benchmark x strategy of one or several plans is asked, scored and written down.

    run_plan(plan, build_tasks=build_tasks, screen=screen)            -> rows in the order they were asked for
    run_plans([plan, ..], build_tasks=.., screen=.., max_cost=5.0)    -> the same, on one budget

Plans that ask the same tasks share them: a program is executed once, and their cells are asked side by side.
The same command goes on where it stopped: after Ctrl-C, a kill, or a server that died.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from inspect_ai.model import Model
from msgspec import Struct

from deskcheck.cell_files import CellFile, Row
from deskcheck.evaluation.cells import Job, run_jobs
from deskcheck.evaluation.client import Channel, Words
from deskcheck.evaluation.inspect_task import Asked
from deskcheck.evaluation.plan import (
    Plan,
    by_tasks,
    check,
    chosen_settings,
    load_strategy,
    need_model,
    thinking_warning,
)
from deskcheck.evaluation.prepare import Screen, budget_of, marks_of, open_model, tasks_of
from deskcheck.evaluation.prices import Budget, price_of
from deskcheck.evaluation.provider import DeskcheckAPI
from deskcheck.evaluation.run_info import Cell, code_hash, hash_of_tasks, run_info, without_secrets
from deskcheck.evaluation.truth import TaskSet
from deskcheck.records import Task
from deskcheck.strategies import check_program


class Results(Struct, frozen=True):
    """All rows of a run, where their samples lie, and what the run depended on."""

    rows: list[Row]
    notes: list[str]
    """One per row: "" or what must be said about its interval."""
    totals: list[dict[str, float]]
    """One per row: calls, tokens_in, tokens_out, tokens_hidden, seconds, cost_usd; -1 = not known."""
    folders: list[str]
    run: dict[str, Any]


class Prepared(Struct, frozen=True):
    """A plan whose models are open."""

    plan: Plan
    models: list[Model]
    run: dict[str, Any]


def run_plan(plan: Plan, *, build_tasks: Callable[..., TaskSet], screen: Screen) -> Results:
    """Ask everything. `build_tasks(benchmark, data=, ids=, limit=)` makes the tasks and their truth."""
    return run_plans([plan], build_tasks=build_tasks, screen=screen, max_cost=plan.max_cost)


def run_plans(
    plans: Sequence[Plan], *, build_tasks: Callable[..., TaskSet], screen: Screen, max_cost: float = 0.0
) -> Results:
    """Ask everything that several plans want, paid from one budget of `max_cost` dollars (0 = no limit)."""
    prepared = _prepared(plans)
    prices = {name: price for one in prepared for name, price in one.plan.prices.items()}
    budget = budget_of([model for one in prepared for model in one.models], prices, max_cost)
    files: list[tuple[CellFile, Path]] = []
    for benchmark, kind, group_of in by_tasks([one.plan for one in prepared]):
        group = [one for one in prepared if any(one.plan is plan for plan in group_of)]
        tasks = tasks_of(benchmark, kind, group_of[0], build_tasks, screen)
        name = benchmark if kind == "output" else f"{benchmark}:{kind}"
        for one in group:
            one.run["config"][f"tasks_sha256:{name}"] = hash_of_tasks(tasks)
        every = [job for one in group for job in jobs_of(benchmark, tasks, one, budget, screen)]
        jobs = list({job.folder: job for job in every}.values())  # two plans may name the same cell
        made = run_jobs(jobs, screen, first=len(files))
        files += [(file, job.folder) for file, job in zip(made, jobs, strict=True)]
    folders = [str(folder) for _, folder in files]
    return Results(
        [file.row for file, _ in files],
        [file.note for file, _ in files],
        [file.totals for file, _ in files],
        folders,
        {**prepared[0].run, "cells": folders},
    )


def _prepared(plans: Sequence[Plan]) -> list[Prepared]:
    """The plans with every name checked and every model open, each model once."""
    opened: dict[str, Model] = {}
    prepared = []
    for plan in plans:
        need_model(plan)
        plan = check(plan)
        models = []
        for name in plan.models:
            key = repr((name, sorted(plan.model_args.items(), key=lambda pair: pair[0])))
            if key not in opened:
                opened[key] = open_model(name, plan)
            models.append(opened[key])
        prepared.append(Prepared(plan, models, run_info(plan)))
    return prepared


def jobs_of(
    benchmark: str,
    tasks: list[Task],
    prepared: Prepared,
    budget: Budget | None,
    screen: Screen,
) -> Iterator[Job]:
    """Every model x strategy on one kind of task; all programs are checked before the first is asked."""
    plan = prepared.plan
    strategies = [(name, load_strategy(name), chosen_settings(name, plan)) for name in plan.strategies]
    for name, strategy, _ in strategies:
        for task in tasks:
            check_program(name, strategy, task)
    for model in prepared.models:
        price = price_of(str(model), plan.prices)
        for name, strategy, settings in strategies:
            cell = Cell(
                model=str(model),
                model_args=without_secrets(plan.model_args),
                fingerprint=model.api.engine.fingerprint if isinstance(model.api, DeskcheckAPI) else "",
                benchmark=benchmark,
                options=plan.options,
                task=tasks[0].kind,
                strategy=name,
                strategy_code=code_hash(strategy),
                settings=settings,
                generation=without_secrets(plan.generation.config),
            )
            asked = Asked(name, strategy, settings, plan.policy, plan.n_samples)
            room = plan.generation.max_tokens or strategy.opening(tasks[0], settings).max_tokens
            if warning := thinking_warning(str(model), plan.generation, room):
                screen.say(warning)
            marks = marks_of(model, name, strategy, settings, tasks, screen)
            channel = Channel(
                plan.generation,
                timeout_s=plan.timeout_s,
                budget=budget,
                price=price,
                say=Words(str(model), screen.say),
            )
            yield Job(
                cell,
                asked,
                tasks,
                model,
                channel,
                Path(plan.log_dir),
                prepared.run,
                plan.max_connections,
                marks,
            )
