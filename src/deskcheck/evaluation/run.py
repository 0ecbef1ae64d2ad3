"""The loop: every model x benchmark x strategy is asked, scored, counted and written down.

    run_plan(plan, build_tasks=build_tasks, screen=screen) -> rows in the order they were asked for

What is in `answers.jsonl` of a cell is not asked again, so the same command goes on where it stopped: after
Ctrl-C, a kill, or a server that died. Nothing of a cell but its answers is written before all of its samples
are there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
from inspect_ai import eval as inspect_eval
from inspect_ai.log import list_eval_logs, read_eval_log
from inspect_ai.model import Model
from msgspec import Struct, field

from deskcheck.errors import DeskcheckError
from deskcheck.evaluation.asking import Channel
from deskcheck.evaluation.cell import Cell, code_hash, without_secrets
from deskcheck.evaluation.inspect_task import Asked, Memory, make_task
from deskcheck.evaluation.judge import judge_all
from deskcheck.evaluation.kept import Kept, question_hash
from deskcheck.evaluation.marks import marks_of
from deskcheck.evaluation.plan import Plan, check, chosen_knobs, load_strategy, need_model
from deskcheck.evaluation.prepare import (
    Screen,
    open_model,
    purse_of,
    revision_of,
    tasks_of,
)
from deskcheck.evaluation.prices import price_of
from deskcheck.evaluation.purse import Purse
from deskcheck.evaluation.rows import row_of
from deskcheck.evaluation.run_info import hash_of_tasks, run_info
from deskcheck.evaluation.sampled import Totals, as_sampled
from deskcheck.evaluation.truth import TaskSet
from deskcheck.models._provider import MAX_CONNECTIONS, DeskcheckAPI
from deskcheck.records import Attempt, Score, Task
from deskcheck.results import CELL, RESULTS, CellFile, Row, read_cell, write_parts, write_whole
from deskcheck.strategies import check_program, is_oracle

# Inspect's viewer and its retries become slow on larger logs (inspect_ai issues 2873 and 2418).
# It also makes every sample of a log at once: 17 KB each, all of them until the last has finished.
SAMPLES_PER_LOG = 2_500
# Waits grow exponentially between them, so this is minutes of patience with a rate limit and not hours.
RETRIES = 8


class Results(Struct, frozen=True):
    """All rows of a run, where their samples lie, and what the run depended on."""

    rows: list[Row]
    notes: list[str]
    """One per row: "" or what must be said about its interval."""
    totals: list[dict[str, float]]
    """One per row: calls, tokens_in, tokens_out, tokens_hidden, seconds, cost_usd; -1 = not known."""
    folders: list[str]
    run: dict[str, Any]


class Job(Struct, frozen=True):
    """One cell, ready to be asked."""

    cell: Cell
    asked: Asked
    tasks: list[Task]
    model: Model
    channel: Channel
    log_dir: Path
    run: dict[str, Any]
    max_connections: int
    """0 = what the provider gives; our own models have their own."""
    marks: list[str] = field(default_factory=list)
    """Why its row is no plain one (`results.Row.marks`)."""


def run_plan(plan: Plan, *, build_tasks: Callable[..., TaskSet], screen: Screen) -> Results:
    """Ask everything. `build_tasks(benchmark, data=, ids=, limit=)` makes the tasks and their truth."""
    need_model(plan)
    plan = check(plan)
    models = [open_model(name, plan) for name in plan.models]
    purse = purse_of(models, plan)
    run = run_info(plan)
    rows: list[Row] = []
    notes: list[str] = []
    totals: list[dict[str, float]] = []
    folders: list[str] = []
    for benchmark in plan.benchmarks:
        for kind in plan.tasks:
            tasks = tasks_of(benchmark, kind, plan, build_tasks, screen)
            name = benchmark if kind == "output" else f"{benchmark}:{kind}"
            run["config"][f"tasks_sha256:{name}"] = hash_of_tasks(tasks)
            for job in jobs_of(benchmark, tasks, models, plan, run, purse, screen):
                file = run_cell(job, screen, number=len(rows))
                rows.append(file.row)
                notes.append(file.note)
                totals.append(file.totals)
                folders.append(str(job.log_dir / job.cell.folder_name))
    return Results(rows, notes, totals, folders, {**run, "cells": folders})


def jobs_of(
    benchmark: str,
    tasks: list[Task],
    models: list[Model],
    plan: Plan,
    run: dict[str, Any],
    purse: Purse | None,
    screen: Screen,
) -> Iterator[Job]:
    """Every model x strategy on one kind of task; all programs are checked before the first is asked."""
    strategies = [(name, load_strategy(name), chosen_knobs(name, plan)) for name in plan.strategies]
    for name, strategy, _ in strategies:
        for task in tasks:
            check_program(name, strategy, task)
    for model in models:
        price = price_of(str(model), plan.prices)
        for name, strategy, knobs in strategies:
            cell = Cell(
                model=str(model),
                model_args=without_secrets(plan.model_args),
                fingerprint=model.api.engine.fingerprint if isinstance(model.api, DeskcheckAPI) else "",
                benchmark=benchmark,
                options=plan.options,
                task=tasks[0].kind,
                strategy=name,
                strategy_code=code_hash(strategy),
                knobs=knobs,
                generation=plan.generation,
            )
            asked = Asked(name, strategy, knobs, plan.policy, plan.n_samples)
            marks = marks_of(model, name, strategy, knobs, tasks, screen)
            channel = Channel(plan.generation, timeout_s=plan.timeout_s, purse=purse, price=price)
            yield Job(
                cell, asked, tasks, model, channel, Path(plan.log_dir), run, plan.max_connections, marks
            )


def run_cell(job: Job, screen: Screen, *, number: int) -> CellFile:
    """Ask what is missing, then count and write; `number` is its place in the order asked for."""
    folder = job.log_dir / job.cell.folder_name
    kept = Kept.open(folder)
    total = len(job.tasks) * job.asked.n_samples
    done: dict[tuple[str, int], tuple[Attempt, Score]] = {}
    earlier = finished(job, kept)
    kind = "" if job.cell.task == "output" else f" · {job.cell.task}"
    title = f"{job.cell.model} · {job.cell.benchmark}{kind} · {job.cell.strategy_label}"
    screen.begin(title, total, len(earlier))

    def on_sample(task: Task, sample: int, attempt: Attempt, verdict: Score) -> None:
        done[task.id, sample] = (attempt, verdict)
        screen.sample(verdict)

    selection = selection_of(job)
    logs = logs_of_last_run(folder, selection) if len(earlier) == total else []
    try:
        if logs:
            answered = [(task, sample, attempt.answer) for task, sample, attempt in earlier]
            verdicts = judge_all(answered, policy=job.asked.policy)
            for (task, sample, attempt), verdict in zip(earlier, verdicts, strict=True):
                on_sample(task, sample, attempt, verdict)
        else:
            logs = [str(log) for log in ask_all(job, folder, Memory(kept, on_sample))]
    finally:
        kept.close()
        screen.end()
    facts = {"number": number, "selection": selection, "logs": logs, "kept": len(earlier)}
    return write_results(job, folder, done, facts)


def finished(job: Job, kept: Kept) -> list[tuple[Task, int, Attempt]]:
    """The samples of this run that an earlier one already answered."""
    found = []
    for task in job.tasks:
        asked = question_hash(task, job.asked.strategy.opening(task, job.asked.knobs))
        for sample in range(job.asked.n_samples):
            if (attempt := kept.find(task.id, sample, asked)) is not None:
                found.append((task, sample, attempt))
    return found


def selection_of(job: Job) -> str:
    """Names the choice of tasks, samples and policy; a run with the same one needs no new log."""
    return f"{hash_of_tasks(job.tasks)[:16]}x{job.asked.n_samples}:{job.asked.policy}"


def logs_of_last_run(folder: Path, selection: str) -> list[str]:
    """The logs of the last complete run, if it was this selection and they are still there."""
    if not (folder / CELL).exists():
        return []
    last = read_cell(folder)
    logs = [str(log) for log in last.run.get("logs", [])]
    same = last.run.get("selection") == selection and all((folder / Path(log).name).exists() for log in logs)
    return logs if same else []


def ask_all(job: Job, folder: Path, memory: Memory) -> Iterator[str]:
    """Run Inspect over all tasks, at most SAMPLES_PER_LOG a log; gives the names of the logs."""
    step = max(1, SAMPLES_PER_LOG // job.asked.n_samples)
    for start in range(0, len(job.tasks), step):
        part = job.tasks[start : start + step]
        facts = {name: job.run[name] for name in ("commit", "sandbox", "versions")}
        facts |= {"tasks_sha256": hash_of_tasks(part), "data": revision_of(job.cell.benchmark)}
        task = make_task(
            job.cell.benchmark, part, job.asked, channel=job.channel, memory=memory, metadata=facts
        )
        folder.mkdir(parents=True, exist_ok=True)
        own = isinstance(job.model.api, DeskcheckAPI)
        logs = inspect_eval(
            task,
            model=job.model,
            log_dir=str(folder),
            log_format="eval",
            display="none",
            log_level="error",
            score_display=False,
            log_realtime=False,
            log_model_api=False,
            ctl_server=False,
            fail_on_error=True,
            log_header_only=True,
            max_samples=MAX_CONNECTIONS if own else None,
            max_connections=None if own else job.max_connections or None,
            max_retries=RETRIES,
        )
        if memory.failure is not None:
            raise memory.failure
        if not logs or logs[0].status == "cancelled":  # Inspect took the Ctrl-C
            raise KeyboardInterrupt
        log = logs[0]
        if log.status != "success":
            message = log.error.message if log.error else log.status
            raise DeskcheckError(
                f"{job.cell.benchmark} with {job.cell.strategy} stopped: {message}; log: {log.location}"
            )
        yield Path(log.location).name


def write_results(
    job: Job, folder: Path, done: dict[tuple[str, int], tuple[Attempt, Score]], facts: dict[str, Any]
) -> CellFile:
    """Count, and write `results.jsonl` and then `cell.json`."""
    order = [(task, sample) for task in job.tasks for sample in range(job.asked.n_samples)]
    scores = [verdict for _, verdict in done.values()]
    names = (job.cell.model, job.cell.benchmark, job.cell.strategy_label)
    oracle = is_oracle(job.asked.strategy, job.asked.knobs)
    row, note = row_of(
        names, job.tasks, scores, n_samples=job.asked.n_samples, oracle=oracle, marks=job.marks
    )
    totals = Totals()
    asking, price = (job.asked.strategy_name, job.asked.strategy, job.asked.knobs), job.channel.price
    samples = (as_sampled(task, *done[task.id, sample], asking, price) for task, sample in order)
    write_parts(folder / RESULTS, (msgspec.json.encode(totals.add(one)) + b"\n" for one in samples))
    file = CellFile(row, note, msgspec.to_builtins(job.cell), {**job.run, **facts}, totals.counts)
    write_whole(folder / CELL, msgspec.json.format(msgspec.json.encode(file), indent=2) + b"\n")
    remove_unfinished_logs(folder)
    return file


def remove_unfinished_logs(folder: Path) -> None:
    """Logs of interrupted runs: every answer in them is in the answers file and in the log that is whole."""
    for info in list_eval_logs(str(folder), recursive=False):
        if read_eval_log(info, header_only=True).status != "success":
            (folder / Path(info.name).name).unlink()
