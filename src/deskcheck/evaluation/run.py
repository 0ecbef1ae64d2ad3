"""Run evaluations: ask every model x benchmark x strategy of a plan, score it, and write it to its folder.

    run_plan(plan, build_tasks=build_tasks, screen=screen)            -> Results, with a row for each cell
    run_plans([plan, ..], build_tasks=.., screen=.., max_cost=5.0)    -> Results of several plans, one budget
    run_jobs([job, ..], screen) -> [CellFile, ..] in the order of the jobs

Plans with the same tasks share them: each program is executed once, and the cells are asked side by side.
After Ctrl-C, a kill or the failure of a server, the same command resumes the run.

Cells of different models are asked at the same time, those of one model one after the other. Our own models
share the machine, so their cells are asked one by one. Answers in a cell's `answers.jsonl` are not asked
again. The other files of a cell are written when all of its samples are finished. If one of several servers
is gone, its samples are "not_asked" and the other cells continue. If all are gone, the run stops.
"""

from __future__ import annotations

import gc
import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import msgspec
from inspect_ai import Task as InspectTask
from inspect_ai import eval as inspect_eval
from inspect_ai.log import EvalLog, list_eval_logs, read_eval_log
from inspect_ai.model import Model
from msgspec import Struct, field

from deskcheck.cell_files import (
    CELL,
    RESULTS,
    CellFile,
    Row,
    damaged_part,
    read_cell,
    shard_of_cell,
    write_parts,
    write_whole,
)
from deskcheck.errors import DataError, DeskcheckError, UserError
from deskcheck.evaluation import client
from deskcheck.evaluation.client import Channel, ModelGone, RetryReporter, address_of, probe
from deskcheck.evaluation.inspect_task import Asked, Memory, make_task
from deskcheck.evaluation.logs import UNDER_WAY
from deskcheck.evaluation.plan import (
    Plan,
    by_tasks,
    check,
    chosen_settings,
    load_strategy,
    need_model,
    thinking_warning,
)
from deskcheck.evaluation.prepare import (
    Cell,
    Screen,
    budget_of,
    code_hash,
    hash_of_tasks,
    marks_of,
    open_model,
    run_info,
    tasks_of,
    without_secrets,
)
from deskcheck.evaluation.prices import Budget, Ledger, price_of
from deskcheck.evaluation.provider import MAX_CONNECTIONS, DeskcheckAPI
from deskcheck.evaluation.sample_records import (
    Totals,
    as_sampled,
    judge_all,
    names_of,
    row_of,
    served_by,
    wrong_if_astray,
)
from deskcheck.evaluation.stores import AnswerStore, locked, question_hash
from deskcheck.evaluation.truth import TaskSet, revision_of
from deskcheck.grading.verdict import score
from deskcheck.records import NoAnswer, Rollout, Score, Task
from deskcheck.strategies import check_program, is_oracle

# Inspect's viewer and its retries become slow on larger logs (inspect_ai issues 2873 and 2418).
# Inspect also holds every sample of a log in memory, 17 KB each, until the last one has finished.
SAMPLES_PER_LOG = 2_500


class Job(Struct, frozen=True):
    """One cell of a plan whose tasks are ready to be asked."""

    cell: Cell
    asked: Asked
    tasks: list[Task]
    model: Model
    channel: Channel
    log_dir: Path
    run: dict[str, Any]
    """Facts about the run (`prepare.run_info`)."""
    max_connections: int
    """0 = the provider's default; our own models have a fixed number."""
    marks: list[str] = field(default_factory=list)
    """Reasons why its row cannot be compared with plain ones (`cell_files.Row.marks`)."""

    @property
    def folder(self) -> Path:
        """Folder in which the cell's files lie."""
        return self.log_dir / self.cell.folder_name

    @property
    def is_own(self) -> bool:
        """Whether the model runs here, in one of our engines."""
        return isinstance(self.model.api, DeskcheckAPI)

    @property
    def title(self) -> str:
        """Model, benchmark, kind of question and strategy, as text to print."""
        kind = "" if self.cell.task == "output" else f" · {self.cell.task}"
        return f"{self.cell.model} · {self.cell.benchmark}{kind} · {self.cell.strategy_label}"


class OpenCell:
    """A cell while it is asked: its answers so far, and the failure that stopped it."""

    def __init__(self, job: Job, screen: Screen) -> None:
        self.job, self.screen = job, screen
        self.store = AnswerStore.open(job.folder)
        price = job.channel.price
        self.ledger = job.channel.ledger = Ledger.open(job.folder)
        self.store.is_paid = not job.is_own and not (price is not None and price.is_free)
        self.done: dict[tuple[str, int], tuple[Rollout, Score]] = {}
        self.earlier = finished(job, self.store)
        self.total = len(job.tasks) * job.asked.n_samples
        self.selection = selection_of(job)
        whole = len(self.earlier) == self.total
        self.logs = logs_of_last_run(job.folder, self.selection) if whole else []
        self.memory = Memory(self.store, self.on_sample)
        self.failure: DeskcheckError | None = None
        screen.begin(job.title, self.total, len(self.earlier))

    def on_sample(self, task: Task, sample: int, rollout: Rollout, verdict: Score) -> None:
        """Store one finished sample and show it."""
        self.done[task.id, sample] = (rollout, verdict)
        self.screen.sample(verdict)

    def grade_earlier(self) -> None:
        """Grade the answers of an earlier run; no model is asked."""
        answered = [(task, sample, rollout.answer) for task, sample, rollout in self.earlier]
        verdicts = judge_all(answered, policy=self.job.asked.policy)
        asked = self.job.asked
        for (task, sample, rollout), first in zip(self.earlier, verdicts, strict=True):
            verdict = wrong_if_astray(task, rollout, first, asked.strategy_name, asked.settings)
            self.on_sample(task, sample, rollout, verdict)

    def give_up(self) -> None:
        """Keep the answers given before the server was gone; mark all other samples as not asked."""
        self.done.clear()
        self.store = AnswerStore.open(self.job.folder)
        self.earlier = finished(self.job, self.store)
        self.grade_earlier()
        for task in self.job.tasks:
            for sample in range(self.job.asked.n_samples):
                if (task.id, sample) not in self.done:
                    rollout = Rollout(NoAnswer("not_asked", f"server: {self.failure}"), [])
                    verdict = score(task, rollout.answer, sample=sample, policy=self.job.asked.policy)
                    self.on_sample(task, sample, rollout, verdict)

    def parts(self) -> Iterator[InspectTask]:
        """Yield the cell as Inspect tasks of at most SAMPLES_PER_LOG samples."""
        job = self.job
        step = max(1, SAMPLES_PER_LOG // job.asked.n_samples)
        for start in range(0, len(job.tasks), step):
            part = job.tasks[start : start + step]
            facts = {name: job.run[name] for name in ("commit", "sandbox", "versions")}
            facts |= {"tasks_sha256": hash_of_tasks(part), "data": revision_of(job.cell.benchmark)}
            facts["cell"] = job.cell.folder_name
            task = make_task(
                job.cell.benchmark, part, job.asked, channel=job.channel, memory=self.memory, metadata=facts
            )
            task.model = job.model
            yield task


def run_jobs(jobs: list[Job], screen: Screen, *, first: int = 0) -> list[CellFile]:
    """Ask the missing samples of all jobs, then write their results; return one CellFile per job.

    `first` is the place of the first job in the run. ModelGone or DeskcheckError if every cell failed;
    UserError if another run uses a cell's folder.
    """
    with ExitStack() as locks:
        for job in jobs:
            _check_shard(job)
            locks.enter_context(locked(job.folder))
        cells = [OpenCell(job, screen) for job in jobs]
        try:
            _ask(cells, screen)
        finally:
            for cell in cells:
                cell.store.close()
                cell.ledger.close()
                screen.end()
        return _written(cells, screen, first)


def _check_shard(job: Job) -> None:
    """Raise UserError if the cell's folder has the results of another part of `--shard`."""
    if not (job.folder / CELL).is_file():
        return
    with suppress(DataError):  # damaged: it will be overwritten
        before = shard_of_cell(read_cell(job.folder))
        now = str(job.run["config"].get("shard", ""))
        if before != now:
            raise UserError(
                f"--log-dir {job.log_dir} has the results of --shard {before or '1/1'} of this run, which "
                f"{f'--shard {now}' if now else 'the whole run'} would replace; name another log folder"
            )


def _written(cells: list[OpenCell], screen: Screen, first: int) -> list[CellFile]:
    """Write the results of all cells; the cells of a server that is gone keep its earlier answers."""
    lost = [cell for cell in cells if cell.failure is not None]
    if lost and len(lost) == len(cells) and lost[0].failure is not None:
        raise lost[0].failure
    for cell in lost:
        cell.give_up()
        screen.say(f"{cell.job.title}: {cell.failure}")
    return [write_results(cell, number) for number, cell in enumerate(cells, first)]


def _ask(cells: list[OpenCell], screen: Screen) -> None:
    """Ask the missing samples of every cell: our own models one by one, all others side by side."""
    for cell in cells:
        if cell.logs:
            cell.grade_earlier()
        elif cell.job.is_own:
            for part in cell.parts():
                _run_inspect([part], [cell], max_samples=MAX_CONNECTIONS)
    served = [cell for cell in cells if not cell.logs and not cell.job.is_own]
    gone: dict[str, ModelGone | None] = {}
    for cell in served:
        address = address_of(cell.job.model)
        if address not in gone:
            gone[address] = _gone(cell.job.model, screen)
        cell.failure = gone[address]
    waiting = [cell for cell in served if cell.failure is None]
    if waiting:
        _run_inspect(
            [part for cell in waiting for part in cell.parts()],
            waiting,
            max_tasks=len({str(cell.job.model) for cell in waiting}),
            max_connections=max(cell.job.max_connections for cell in waiting) or None,
        )


def _gone(model: Model, screen: Screen) -> ModelGone | None:
    try:
        probe(model, say=screen.say)
    except ModelGone as gone:
        return gone
    return None


def _run_inspect(tasks: list[InspectTask], cells: list[OpenCell], **limits: int | None) -> None:
    """Run Inspect, and move each complete log into the folder of its cell."""
    by_name = {cell.job.cell.folder_name: cell for cell in cells}
    log_dir = cells[0].job.log_dir
    for left in log_dir.glob(f"{UNDER_WAY}*"):  # of a killed run; its answers are in the cells
        if not _is_alive(int(left.name.rpartition("-")[2])):
            shutil.rmtree(left, ignore_errors=True)
    under_way = log_dir / f"{UNDER_WAY}{os.getpid()}"
    under_way.mkdir(parents=True, exist_ok=True)
    # Requests leave cyclic garbage. Each full collection would go through all tasks and modules, which stay.
    gc.freeze()
    try:
        logs = inspect_eval(
            tasks,
            model=None,
            log_dir=str(under_way),
            log_format="eval",
            display="none",
            log_level="error",
            score_display=False,
            log_realtime=False,
            log_model_api=False,
            ctl_server=False,
            fail_on_error=True,
            log_header_only=True,
            max_retries=client.RETRIES,
            **limits,
        )
        for log in logs:
            _take(log, by_name[str((log.eval.metadata or {})["cell"])])
    finally:
        gc.unfreeze()
        shutil.rmtree(under_way, ignore_errors=True)
    if not logs or any(log.status == "cancelled" for log in logs):  # Inspect took the Ctrl-C
        raise KeyboardInterrupt


def _is_alive(process: int) -> bool:
    """Return whether a process of this machine has that number."""
    return Path(f"/proc/{process}").exists() if Path("/proc/self").exists() else False


def _take(log: EvalLog, cell: OpenCell) -> None:
    """Move a complete log into the cell's folder, or store the reason why the cell had to stop."""
    cell.failure = cell.failure or cell.memory.failure
    if log.status == "success":
        cell.job.folder.mkdir(parents=True, exist_ok=True)
        name = Path(log.location).name
        shutil.move(log.location, cell.job.folder / name)
        cell.logs.append(name)
    elif log.status != "cancelled" and cell.failure is None:
        message = log.error.message if log.error else log.status
        cell.failure = DeskcheckError(f"{cell.job.title} stopped: {message}")


def finished(job: Job, store: AnswerStore) -> list[tuple[Task, int, Rollout]]:
    """Return the samples of this run that an earlier run already answered."""
    rollouts = []
    for task in job.tasks:
        asked = question_hash(task, job.asked.strategy.opening(task, job.asked.settings))
        for sample in range(job.asked.n_samples):
            if (rollout := store.find(task.id, sample, asked)) is not None:
                rollouts.append((task, sample, rollout))
    return rollouts


def selection_of(job: Job) -> str:
    """Name the choice of tasks, samples and policy; a run with the same choice needs no new log."""
    return f"{hash_of_tasks(job.tasks)[:16]}x{job.asked.n_samples}:{job.asked.policy}"


def logs_of_last_run(folder: Path, selection: str) -> list[str]:
    """Return the logs of the last complete run if it had this selection and none is missing or damaged."""
    if not (folder / CELL).exists():
        return []
    try:
        last = read_cell(folder)
    except DataError:  # damaged: it will be overwritten
        return []
    logs = [str(log) for log in last.run.get("logs", [])]
    same = last.run.get("selection") == selection and all(
        not damaged_part(folder / Path(log).name) for log in logs
    )
    return logs if same else []


def write_results(cell: OpenCell, number: int) -> CellFile:
    """Write `results.jsonl` and then `cell.json` with the counts; `number` is the cell's place in the run."""
    job, folder, done = cell.job, cell.job.folder, cell.done
    facts = {"number": number, "selection": cell.selection, "logs": cell.logs, "kept": len(cell.earlier)}
    order = [(task, sample) for task in job.tasks for sample in range(job.asked.n_samples)]
    scores = [verdict for _, verdict in done.values()]
    names = (job.cell.model, job.cell.benchmark, job.cell.strategy_label)
    oracle = is_oracle(job.asked.strategy, job.asked.settings)
    row, note = row_of(
        names,
        job.tasks,
        scores,
        n_samples=job.asked.n_samples,
        oracle=oracle,
        marks=job.marks,
        served=served_by(names_of(rollout) for rollout, _ in done.values()),
    )
    totals = Totals()
    asking, price = (job.asked.strategy_name, job.asked.strategy, job.asked.settings), job.channel.price
    samples = (as_sampled(task, *done[task.id, sample], asking, price) for task, sample in order)
    write_parts(folder / RESULTS, (msgspec.json.encode(totals.add(one)) + b"\n" for one in samples))
    lost = {"lost_requests": cell.ledger.n_lost, "lost_usd": round(cell.ledger.lost, 6)}
    counts = totals.counts | (lost if cell.ledger.n_lost else {})
    file = CellFile(row, note, msgspec.to_builtins(job.cell), {**job.run, **facts}, counts)
    write_whole(folder / CELL, msgspec.json.format(msgspec.json.encode(file), indent=2) + b"\n")
    remove_unfinished_logs(folder)
    return file


def remove_unfinished_logs(folder: Path) -> None:
    """Delete the logs of interrupted runs: their answers are in the answers file and in the complete log.

    A log that is cut or damaged is renamed instead, in case somebody can repair it.
    """
    for info in list_eval_logs(str(folder), recursive=False):
        log = folder / Path(info.name).name
        if damaged_part(log):
            log.rename(log.with_name(log.name + ".damaged"))
        elif read_eval_log(info, header_only=True).status != "success":
            log.unlink()


class Results(Struct, frozen=True):
    """All rows of a run, the folders of their samples, and the facts that the run depended on."""

    rows: list[Row]
    """One per cell, in the order in which the cells were asked for."""
    notes: list[str]
    """One per row: a remark on its interval, or ""."""
    totals: list[dict[str, float]]
    """One per row: calls, tokens_in, tokens_out, tokens_hidden, seconds, cost_usd; -1 = not known."""
    folders: list[str]
    """One per row: folder of the cell."""
    run: dict[str, Any]


class Prepared(Struct, frozen=True):
    """A plan whose models are open."""

    plan: Plan
    models: list[Model]
    run: dict[str, Any]


def run_plan(plan: Plan, *, build_tasks: Callable[..., TaskSet], screen: Screen) -> Results:
    """Ask all cells of a plan.

    `build_tasks` makes the tasks and their truth (`truth.build_tasks`).
    """
    return run_plans([plan], build_tasks=build_tasks, screen=screen, max_cost=plan.max_cost)


def run_plans(
    plans: Sequence[Plan], *, build_tasks: Callable[..., TaskSet], screen: Screen, max_cost: float = 0.0
) -> Results:
    """Ask all cells of several plans, paid from one budget of `max_cost` dollars (0 = no limit)."""
    prepared = _prepared(plans)
    prices = {name: price for one in prepared for name, price in one.plan.prices.items()}
    budget = budget_of([model for one in prepared for model in one.models], prices, max_cost)
    if budget is not None:
        budget.spent = _spent_before(prepared)
    files: list[tuple[CellFile, Path]] = []
    for benchmark, kind, group_of in by_tasks([place.plan for place in prepared]):
        group = [place for place in prepared if any(place.plan is plan for plan in group_of)]
        tasks = tasks_of(benchmark, kind, group_of[0], build_tasks, screen)
        name = benchmark if kind == "output" else f"{benchmark}:{kind}"
        for place in group:
            place.run["config"][f"tasks_sha256:{name}"] = hash_of_tasks(tasks)
        every = [job for place in group for job in jobs_of(benchmark, tasks, place, budget, screen)]
        jobs = list({job.folder: job for job in every}.values())  # two plans may name the same cell
        rows = run_jobs(jobs, screen, first=len(files))
        files += [(file, job.folder) for file, job in zip(rows, jobs, strict=True)]
    folders = [str(folder) for _, folder in files]
    return Results(
        [file.row for file, _ in files],
        [file.note for file, _ in files],
        [file.totals for file, _ in files],
        folders,
        {**prepared[0].run, "cells": folders},
    )


def _spent_before(prepared: list[Prepared]) -> float:
    """Return the dollars that earlier runs spent on the cells of these plans."""
    folders = {
        Path(one.plan.log_dir) / cell.folder_name
        for benchmark, kind, group in by_tasks([one.plan for one in prepared])
        for one in prepared
        if any(one.plan is plan for plan in group)
        for model in one.models
        for cell in (cell_of(benchmark, kind, model, name, one.plan) for name in one.plan.strategies)
    }
    return sum(Ledger.open(folder).total for folder in folders)


def cell_of(benchmark: str, kind: str, model: Model, name: str, plan: Plan) -> Cell:
    """Return the cell of one model and strategy on one benchmark and kind of question."""
    strategy, settings = load_strategy(name), chosen_settings(name, plan)
    return Cell(
        model=str(model),
        model_args=without_secrets(plan.model_args),
        fingerprint=model.api.engine.fingerprint if isinstance(model.api, DeskcheckAPI) else "",
        benchmark=benchmark,
        options=plan.options,
        task=kind,
        strategy=name,
        strategy_code=code_hash(strategy, settings),
        settings=settings,
        generation=without_secrets(plan.generation.config),
    )


def _prepared(plans: Sequence[Plan]) -> list[Prepared]:
    """Check every name in the plans and open every model once."""
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
    """Yield a job for every model x strategy on these tasks; all programs are checked before the first."""
    plan = prepared.plan
    strategies = [(name, load_strategy(name), chosen_settings(name, plan)) for name in plan.strategies]
    for name, strategy, settings in strategies:
        for task in tasks:
            check_program(name, strategy, task, settings=settings)
    for model in prepared.models:
        price = price_of(str(model), plan.prices)
        for name, strategy, settings in strategies:
            cell = cell_of(benchmark, tasks[0].kind, model, name, plan)
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
                say=RetryReporter(str(model), screen.say),
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
