"""Build a dataset: programs in, traces through the sandbox, shards out; stopped at any moment it goes on.

    build(SourceOptions(source="generated", family="easy", seed=1, n=1000), Path("out")) -> Summary

The loop is: the source's programs, numbered -> those whose shard is not finished and that were not there
before -> traced, in order -> a shard for every `shard_size` inputs. Nothing disappears: of every range
read = kept + dropped by reason, where "duplicate" is the same program again and "near a benchmark" stands in
`removed.jsonl`, and an outcome that another
machine might not repeat (clock, memory, crash) stands in the quarantine file with its program.
"""

from __future__ import annotations

import importlib.util
import platform
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import Protocol

import pyarrow as pa

from deskcheck import __version__
from deskcheck.dataset.filters import Filters
from deskcheck.dataset.folder import (
    DatasetConfig,
    RunEnded,
    RunStarted,
    keep_unfinished,
    open_folder,
    take_up_unfinished,
)
from deskcheck.dataset.shards import Intake, Progress, Shards, Summary, summarise
from deskcheck.decontamination.near import fingerprints
from deskcheck.errors import UserError
from deskcheck.format.buffers import Packed
from deskcheck.format.files import commit
from deskcheck.plugins import SourceOptions, check_options, load
from deskcheck.records import FORMAT_VERSION, Limits, Program, RunInfo
from deskcheck.sandbox import containment
from deskcheck.sandbox.wire import Report, total
from deskcheck.tracers import Tracing, Trials

SHARD_SIZE = 1_000


class TracePacked(Protocol):
    """`tracing.collect.trace_packed`, or what a test puts in its place."""

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
    progress: Callable[[Progress], None] = lambda _: None,
    command: str = "",
) -> Summary:
    """Make the dataset, or the rest of it. UserError and CorruptShard say why it cannot be gone on with.

    `limits` and `filters` None: those of the source.
    """
    if shard_size < 1:
        raise UserError(f"--shard-size is {shard_size}; it must be at least 1")
    if trace is None:
        from deskcheck.tracers import trace_packed

        trace = trace_packed
    started = time.time()  # before the first trial run: a source may try many calls for its first program
    containment.check(require)
    source = load("program source", options.source)
    limits = limits or limits_of(options.source)
    admit(options.source)
    wanted = getattr(source, "FILTERS", ()) if filters is None else filters
    chosen = Filters(wanted) if wanted else None
    reports: list[Report] = []
    tracing = partial(trace, workers=workers, require=require, confirm=confirm, report=reports.append)
    trials = Trials(tracing, limits)
    check_options(options)
    made = source.programs(options, trials) if hasattr(source, "LIMITS") else source.programs(options)
    programs = _first_checked(made, options)
    config = config_of(
        options,
        limits=limits,
        shard_size=shard_size,
        confirm=confirm,
        decontaminate=decontaminate,
        filters=chosen.recorded if chosen else [],
    )
    with open_folder(out, config) as folder:
        intake = Intake(
            islice(programs, options.limit or None),
            folder,
            shard_size=shard_size,
            decontaminate=decontaminate,
            filters=chosen,
        )
        if chosen:
            chosen.resume(out, folder.done.values())
        shards = Shards(intake, folder, shard_size=shard_size, filters=chosen)
        folder.log(RunStarted(info=_info(config, command, started), host=platform.node(), workers=workers))
        how = "finished"
        run = take_up_unfinished(
            out, tracing if not hasattr(source, "LIMITS") else partial(_tried, trials, tracing)
        )
        traced = run(intake.pending(), limits)
        try:
            for program, found in traced:
                shards.take(program, found)
                progress(shards.progress(trials.share))
            shards.finish()
        except BaseException as error:  # noted in the record and raised again, Ctrl-C too
            how = type(error).__name__
            if isinstance(error, KeyboardInterrupt):
                keep_unfinished(out, shards.open_rows())
            raise
        finally:
            if isinstance(traced, Generator):
                traced.close()  # at once, not when the exception is forgotten: it owns processes
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


def admit(source: str) -> str:
    """The line that says why this source's programs may run here. SandboxUnavailable where they may not."""
    return containment.admit(getattr(load("program source", source), "TRUST", "untrusted"), source)


def limits_of(source: str) -> Limits:
    """Limits of a run where none are given: the source's own, or the common ones."""
    limits: Limits = getattr(load("program source", source), "LIMITS", None) or Limits()
    return limits


def _tried(
    trials: Trials, trace: Tracing, programs: Iterable[Program], limits: Limits
) -> Iterator[tuple[Program, Packed]]:
    """Each program with the run that it was chosen by; only what has none is run."""
    for program in programs:
        packed = trials.take(program)
        yield (program, packed) if packed is not None else next(trace([program], limits))


def config_of(
    options: SourceOptions,
    *,
    limits: Limits,
    shard_size: int,
    confirm: bool = False,
    decontaminate: bool = True,
    filters: list[str] | None = None,
) -> DatasetConfig:
    """What the bytes of the dataset depend on, with this machine's runtime and containment level."""
    recorded = getattr(load("program source", options.source), "recorded", None)
    return DatasetConfig(
        format_version=FORMAT_VERSION,
        deskcheck=__version__,
        pyarrow=pa.__version__,
        runtime=f"{platform.python_implementation()} {'.'.join(platform.python_version_tuple()[:2])}",
        native=importlib.util.find_spec("deskcheck.tracing._native") is not None,
        sandbox=containment.level(),
        source=recorded(options) if recorded else options,
        limits=limits,
        shard_size=shard_size,
        confirm=confirm,
        filters=filters or [],
        decontamination=fingerprints().digest if decontaminate else "",
    )


def _first_checked(programs: Iterator[Program], options: SourceOptions) -> Iterator[Program]:
    """The same programs, the first one made: what is asked wrongly is said before anything is written."""
    first = next(programs, None)
    if first is None:
        raise UserError(
            f"the source '{options.source}' gives no program; say how many with --n, or name others"
        )
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
