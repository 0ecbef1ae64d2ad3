"""Build a dataset: trace programs in the sandbox and write shards. An interrupted build can be resumed.

    build(SourceOptions(source="generated", family="easy", seed=1, n=1000), Path("out")) -> Summary

An input is one program that the source yields, or the source's note that it skipped one. `Intake` numbers the
inputs and selects those to run: no duplicates, none of a finished shard. The sandbox traces them in order.
`Shards` writes a shard for every `shard_size` inputs: shard k covers the inputs
[k * shard_size, (k + 1) * shard_size). Inputs of finished shards are skipped, but their ids are compared with
the digest in the manifest.
Every input is accounted for: in each range, read = kept + dropped by reason. "duplicate" is a program that
came before. Programs "near a benchmark" are listed in `removed.jsonl`. "module-not-loaded" and
"call-not-made" are runs that ended before the first event of their call; `dropped.jsonl` has the exception's
text. "generator-not-run" is a call that only made a generator. A program whose outcome another machine might
not repeat (time limit, memory limit, crash) goes to the quarantine file.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import platform
import time
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import nullcontext
from functools import partial
from itertools import chain, groupby, islice
from pathlib import Path
from types import ModuleType
from typing import Protocol

import pyarrow as pa
from msgspec import Struct
from msgspec.structs import replace

from deskcheck import __version__
from deskcheck.dataset.ahead import Ahead
from deskcheck.dataset.filters import Filters
from deskcheck.dataset.folder import (
    DatasetConfig,
    DatasetFolder,
    Dropped,
    Quarantined,
    RunEnded,
    RunStarted,
    keep_unfinished,
    open_folder,
    take_up_unfinished,
)
from deskcheck.dataset.intake import Intake, Waiting
from deskcheck.dataset.journal import Journal
from deskcheck.decontamination.near import edition
from deskcheck.decontamination.removed import Removed, removed_of
from deskcheck.errors import UserError
from deskcheck.format.buffers import Packed, escape, packed_of
from deskcheck.format.files import commit
from deskcheck.format.shards import ManifestEntry
from deskcheck.plugins import SourceOptions, check_options, load
from deskcheck.records import (
    FORMAT_VERSION,
    CompileFailure,
    Crashed,
    Limits,
    MemoryLimit,
    Outcome,
    Program,
    Raised,
    Refused,
    Rejected,
    RunInfo,
    Skipped,
    TimeLimit,
)
from deskcheck.records.job import COMPANY, NONDETERMINISTIC, NOT_ALONE, UNEXPLAINED
from deskcheck.sandbox import containment
from deskcheck.sandbox.wire import Report, total
from deskcheck.tracers import Asking, Tracing, Trials
from deskcheck.tracing import execution
from deskcheck.tracing.execution import empty_trace

SHARD_SIZE = 1_000
"""Inputs in the range of one shard, if the caller names no other number."""
FEWEST_AHEAD = 10_000
"""Fewest executions for which processes that make the programs ahead are worth their start."""


class TracePacked(Protocol):
    """Type of `tracing.collect.trace_packed` and of its replacements (cluster, tests)."""

    def __call__(
        self,
        programs: Iterable[Program],
        limits: Limits,
        *,
        workers: int = 0,
        require: str = "limits",
        confirm: bool = False,
        report: Callable[[Report], None] | None = None,
    ) -> Iterator[tuple[Program, Packed]]: ...


def build(
    options: SourceOptions,
    out: Path,
    *,
    limits: Limits | None = None,
    shard_size: int = SHARD_SIZE,
    workers: int = 0,
    require: str = "limits",
    confirm: bool = False,
    decontaminate: bool = True,
    filters: Sequence[str] | None = None,
    trace: TracePacked | None = None,
    ask: Asking | None = None,
    progress: Callable[[Progress], None] = lambda _: None,
    command: str = "",
    source: ModuleType | None = None,
) -> Summary:
    """Build a dataset in the folder `out`, or resume an interrupted build there.

    With None for `limits` or `filters`, those of the source apply. `workers` is a number of processes, 0 =
    one per core; `require` the weakest containment level to accept. With `confirm`, every program runs twice.
    With `decontaminate`, programs too similar to one in a benchmark are dropped. `trace` replaces the usual
    tracer. `ask` is a model that writes inputs. `progress` is called after each traced program. `source` is
    the plug-in, if the caller has loaded it already.

    UserError for wrong options; UserError or CorruptShard if the build cannot be resumed; SandboxUnavailable
    if this machine is below the containment level.
    """
    if shard_size < 1:
        raise UserError(f"--shard-size is {shard_size}; it must be at least 1")
    if trace is None:
        from deskcheck.tracers import trace_packed

        trace = trace_packed
    started = time.time()  # before the first trial run: a source may try many calls for its first program
    containment.check(require)
    source = source or load("program source", options.source)
    limits = limits or limits_of(source)
    admit(source, options.source)
    wanted = getattr(source, "FILTERS", ()) if filters is None else filters
    chosen = Filters(wanted) if wanted else None
    reports: list[Report] = []
    tries = hasattr(source, "LIMITS")  # such a source selects its programs by trial runs
    again = confirm and not tries  # the chosen runs of a source with trials are confirmed by `_confirmed`
    confirm = confirm or tries
    tracing = partial(trace, workers=workers, require=require, confirm=again, report=reports.append)
    journal = Journal(out) if tries else None
    trials = Trials(tracing, limits, ask, journal)
    check_options(options, getattr(source, "TAKES", ()))
    n_ahead = workers or os.cpu_count() or 1
    with (
        Ahead(options.source, options, workers=n_ahead)
        if makes_ahead(source, options, n_ahead)
        else nullcontext() as ahead
    ):
        made = ahead or (source.programs(options, trials) if tries else source.programs(options))
        programs = _first_checked(iter(made), options)
        config = config_of(
            options,
            source,
            limits=limits,
            shard_size=shard_size,
            confirm=confirm,
            decontaminate=decontaminate,
            filters=chosen.recorded if chosen else [],
        )
        with open_folder(out, config) as folder, journal.writing() if journal else nullcontext():
            intake = Intake(
                islice(programs, options.limit or None),
                folder,
                shard_size=shard_size,
                decontaminate=decontaminate,
                filters=chosen,
                matches=ahead.matches if ahead else None,
            )
            if chosen:
                chosen.resume(out, folder.done.values())
            shards = Shards(intake, folder, shard_size=shard_size, filters=chosen)
            folder.log(
                RunStarted(info=_info(config, command, started), host=platform.node(), workers=workers)
            )
            how = "finished"
            run = take_up_unfinished(out, partial(_confirmed, trials, tracing) if tries else tracing)
            traced = run(intake.pending(), limits)
            try:
                for program, found in traced:
                    shards.take(program, found)
                    progress(shards.progress(trials.share))
                shards.finish()
            except BaseException as error:  # logged and raised again, Ctrl-C too
                how = type(error).__name__
                if isinstance(error, KeyboardInterrupt):
                    keep_unfinished(out, shards.open_rows())
                raise
            finally:
                if isinstance(traced, Generator):
                    traced.close()  # now, not when the exception is freed: it owns processes
                now = time.time()
                folder.log(
                    RunEnded(
                        ended_unix_s=now,
                        how=how,
                        n_programs=shards.n_run,
                        wall_s=now - started,
                        sandbox=total(reports),
                        n_tried=trials.n_tried,
                    )
                )
            return summarise(list(folder.done.values()))


def makes_ahead(source: object, options: SourceOptions, workers: int) -> bool:
    """Whether separate processes should make the programs of this source ahead."""
    n_made = options.n * (options.calls_each or 1)
    n = min(n_made, options.limit) if options.limit else n_made
    return hasattr(source, "part") and workers > 1 and n >= FEWEST_AHEAD


def admit(source: ModuleType, name: str) -> str:
    """Return the reason why this source's programs may run here. SandboxUnavailable if they may not."""
    return containment.admit(getattr(source, "TRUST", "untrusted"), name)


def limits_of(source: ModuleType) -> Limits:
    """Return the default limits of a run: those of the source, or the common ones."""
    limits: Limits = getattr(source, "LIMITS", None) or Limits()
    return limits


def _confirmed(
    trials: Trials, trace: Tracing, programs: Iterable[Program], limits: Limits
) -> Iterator[tuple[Program, Packed]]:
    """Run each program a second time, in other processes, and reject those whose runs differ.

    The code is not known, so a run may depend on addresses or on the time. A run that another machine
    might not repeat, or that shows a defect of the sandbox, keeps its own outcome.
    """
    firsts: deque[Packed] = deque()

    def again() -> Iterator[Program]:
        for program, packed in _tried(trials, trace, programs, limits):
            firsts.append(packed)
            yield program

    for program, second in trace(again(), limits):
        first = firsts.popleft()
        if isinstance(first.outcome, UNREPEATABLE):
            yield program, first
        elif isinstance(second.outcome, UNREPEATABLE):
            yield program, second
        elif first.same(second):
            determinism = replace(first.head.determinism, confirmed=True)
            yield program, Packed(replace(first.head, determinism=determinism), first.columns, first.offsets)
        else:
            yield program, packed_of(empty_trace(program.id, limits, Rejected(NONDETERMINISTIC)))


def _tried(
    trials: Trials, trace: Tracing, programs: Iterable[Program], limits: Limits
) -> Iterator[tuple[Program, Packed]]:
    """Yield each program with the trial run that selected it; trace those of an earlier attempt."""
    for was_run, group in groupby(programs, key=trials.has):
        if was_run:
            yield from ((program, trials.take(program)) for program in group)
        else:
            yield from trace(group, limits)


def config_of(
    options: SourceOptions,
    source: ModuleType,
    *,
    limits: Limits,
    shard_size: int,
    confirm: bool = False,
    decontaminate: bool = True,
    filters: list[str] | None = None,
) -> DatasetConfig:
    """Return everything that the bytes of the dataset depend on, including this machine's runtime."""
    recorded = getattr(source, "recorded", None)
    return DatasetConfig(
        format_version=FORMAT_VERSION,
        deskcheck=__version__,
        pyarrow=pa.__version__,
        runtime=f"{platform.python_implementation()} {'.'.join(platform.python_version_tuple()[:2])}",
        native=importlib.util.find_spec("deskcheck.tracing._native") is not None,
        sandbox=containment.find().level,
        source=recorded(options) if recorded else options,
        limits=limits,
        shard_size=shard_size,
        confirm=confirm,
        filters=filters or [],
        decontamination=edition() if decontaminate else "",
    )


def _first_checked(programs: Iterator[Program], options: SourceOptions) -> Iterator[Program]:
    """Make the first program, so that wrong options raise UserError before anything is written."""
    first = next(programs, None)
    if first is None:
        where = f" in '{options.path}'; name other code" if options.path else "; say how many with --n"
        raise UserError(f"the source '{options.source}' gives no program{where}")
    return chain([first], programs)


def _info(config: DatasetConfig, command: str, started: float) -> RunInfo:
    return RunInfo(
        command=command,
        config={"source": config.source.source, "shard_size": str(config.shard_size)},
        commit=commit(),
        versions={
            "deskcheck": config.deskcheck,
            "pyarrow": config.pyarrow,
            "python": platform.python_version(),
        },
        seed=config.source.seed,
        sandbox=config.sandbox,
        started_unix_s=started,
    )


# Outcomes that inputs and configuration do not determine. Runs with these outcomes are in no shard.
UNREPEATABLE = (TimeLimit, MemoryLimit, Crashed, Refused, Rejected)


# Reason of a run that differed between a shared process and a process of its own. This is a defect of the
# sandbox, and `deskcheck build` then exits with status 1.
DEFECT = "company"


# Drop reasons of runs that ended before the first event of their call. They say nothing about the call.
NOT_LOADED = "module-not-loaded"
NOT_MADE = "call-not-made"
# The call returned a generator that never ran, so there is nothing to learn from it.
NOT_ITERATED = "generator-not-run"
_MOST_TEXT = 500  # characters of an exception's type and message


def _failure_text(outcome: Raised | CompileFailure) -> str:
    """Return type, message and line of an exception that came before the call."""
    kind = f"{outcome.type}: " if isinstance(outcome, Raised) else ""
    place = f" (line {outcome.line})" if outcome.line > 0 else ""
    return f"{kind}{outcome.message}"[:_MOST_TEXT] + place


def reason_of(outcome: Outcome) -> str:
    """Return why an input is in no shard: the outcome's tag, or the name of the failed comparison."""
    if isinstance(outcome, Rejected) and outcome.check.startswith(
        (NONDETERMINISTIC, NOT_ALONE, COMPANY, UNEXPLAINED)
    ):
        return outcome.check.partition(":")[0]
    return str(outcome.__struct_config__.tag)


class Progress(Struct, frozen=True):
    """Progress of a build; the counts include earlier attempts, except `n_run`."""

    n_read: int
    n_kept: int
    n_shards: int
    n_run: int
    """Programs that this attempt at the build has executed."""
    n_open: int
    """Inputs of the shard that is being filled."""
    share: float = 0.0
    """Share of the source that has been read; 0 = not known."""


class Summary(Struct, frozen=True, kw_only=True):
    """Counts of a dataset, summed over its manifest."""

    n_read: int
    n_kept: int
    dropped: dict[str, int]
    n_shards: int
    n_steps: int
    n_events: int
    n_bytes: int
    """Bytes of all shards on disk."""


class Shards:
    """Writer of shards, which collects traced and dropped inputs in order."""

    def __init__(
        self, intake: Intake, folder: DatasetFolder, *, shard_size: int, filters: Filters | None = None
    ) -> None:
        self._intake = intake
        self._filters = filters
        self._folder = folder
        self._shard_size = shard_size
        self._open = OpenShard(-1)
        self.n_run = 0
        self._base = summarise(list(folder.done.values()))

    def take(self, program: Program, packed: Packed) -> None:
        """Add the next traced program to its shard."""
        self.n_run += 1
        while True:
            waiting = self._intake.order.popleft()
            if not waiting.dropped:
                expected = waiting.program.id
                assert program.id == expected, f"traced out of order: {program.id} for {expected}"
                self._add(waiting, packed)
                return
            self._add(waiting, None)

    def finish(self) -> None:
        """Add the dropped inputs after the last traced program, and write the last shard."""
        while self._intake.order:
            self._add(self._intake.order.popleft(), None)
        self._close()

    def open_rows(self) -> list[tuple[Program, Packed]]:
        """Return the rows of the shard that is not full yet."""
        return self._open.rows

    def progress(self, share: float = 0.0) -> Progress:
        """Return the counts of the finished shards and of the open one."""
        base, n_open = self._base, len(self._open.ids)
        n_kept = base.n_kept + len(self._open.rows)
        return Progress(base.n_read + n_open, n_kept, base.n_shards, self.n_run, n_open, share)

    def _add(self, waiting: Waiting, packed: Packed | None) -> None:
        first = waiting.number - waiting.number % self._shard_size
        if first != self._open.first:
            self._close()
            self._open = OpenShard(first)
        self._open.add(waiting, packed, self._filters)
        if len(self._open.ids) == self._shard_size:
            self._close()

    def _close(self) -> None:
        if self._open.ids:
            self._folder.add_shard(
                self._open.entry(),
                self._open.rows,
                quarantined=self._open.quarantined,
                removed=self._open.removed,
                left_out=self._open.left_out,
            )
            self._base = summarise(list(self._folder.done.values()))
        self._open = OpenShard(-1)


class OpenShard:
    """Rows, drops and counts of a shard that is not full yet."""

    def __init__(self, first: int) -> None:
        self.first = first
        self.name = f"traces-{first:09d}.parquet"
        self.ids: list[str] = []
        self.rows: list[tuple[Program, Packed]] = []
        self.quarantined: list[Quarantined] = []
        self.removed: list[Removed] = []
        self.left_out: list[Dropped] = []
        self._dropped: Counter[str] = Counter()

    def add(self, waiting: Waiting, packed: Packed | None, filters: Filters | None) -> None:
        """Add one input as a row, a quarantined program or a dropped one."""
        number, program, dropped, like, match = waiting
        self.ids.append(program.id)
        if packed is None or isinstance(program, Skipped):
            if match is not None and isinstance(program, Program):
                self._dropped[dropped] += 1
                self.removed.append(removed_of(program, match, shard=self.name))
            else:
                self._drop(waiting, dropped, like)
        elif isinstance(outcome := packed.outcome, UNREPEATABLE):
            self._dropped[reason_of(outcome)] += 1
            self.quarantined.append(
                Quarantined(
                    shard=self.name,
                    input=number,
                    program=program,
                    outcome=outcome,
                    compared=packed.compared,
                )
            )
        elif not packed.n_events and isinstance(outcome, Raised | CompileFailure):
            reason = NOT_LOADED if execution.NOT_LOADED in packed.head.fidelity.notes else NOT_MADE
            self._drop(waiting, reason, text=_failure_text(outcome))
        elif execution.NO_STEP in packed.head.fidelity.notes:
            self._drop(waiting, NOT_ITERATED, text=execution.NO_STEP)
        elif filters and (drop := filters.by_run(program, packed, self.first)).reason:
            self._drop(waiting, *drop)
        else:
            self.rows.append((program, packed))

    def _drop(self, waiting: Waiting, reason: str, like: str = "", *, text: str = "") -> None:
        program = waiting.program
        origin = program.origin if isinstance(program, Program) else program.id
        self._dropped[reason] += 1
        self.left_out.append(
            Dropped(
                shard=self.name,
                input=waiting.number,
                origin=escape(origin),
                call=escape(program.call[:_MOST_TEXT]) if isinstance(program, Program) else "",
                reason=reason,
                like=escape(like),
                text=escape(text),
            )
        )

    def entry(self) -> ManifestEntry:
        """Return the shard's line in the manifest, without size and checksum."""
        return ManifestEntry(
            shard=self.name,
            content="traces",
            first=self.first,
            n_read=len(self.ids),
            n_kept=len(self.rows),
            dropped=dict(sorted(self._dropped.items())),
            n_steps=sum(packed.n_steps for _, packed in self.rows),
            n_events=sum(packed.n_events for _, packed in self.rows),
            n_bytes=-1,
            sha256="",
            inputs_sha256=hashlib.sha256("".join(f"{i}\n" for i in self.ids).encode()).hexdigest(),
        )


def summarise(entries: list[ManifestEntry]) -> Summary:
    """Sum the counts of the entries of a manifest."""
    dropped: Counter[str] = Counter()
    for entry in entries:
        dropped.update(entry.dropped)
    return Summary(
        n_read=sum(e.n_read for e in entries),
        n_kept=sum(e.n_kept for e in entries),
        dropped=dict(sorted(dropped.items())),
        n_shards=len(entries),
        n_steps=sum(e.n_steps for e in entries),
        n_events=sum(e.n_events for e in entries),
        n_bytes=sum(e.n_bytes for e in entries),
    )
