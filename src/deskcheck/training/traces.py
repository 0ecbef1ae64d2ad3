"""Provide runs to train on: those of a dataset, and for each layout a trace of the granularity that it needs.

    at = in_process(program, trace)
    at(granularity_of(layout))  -> the trace by lines, expressions or instructions, or None
    runs = runs_of("data/mine", Random(0));  next(runs) -> (program, trace)       endless

Generated programs are ours and run again in this process; the programs of a dataset run in the sandbox. If
the new run has another number of steps or another kind of outcome than the old one (because of clocks,
addresses, limits), the trace is None, and the caller counts this.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from random import Random
from types import ModuleType

from deskcheck.errors import UserError
from deskcheck.format.buffers import trace_of
from deskcheck.format.shards import ManifestEntry, check_shard, read_manifest, read_packed
from deskcheck.records import Granularity, Program, Trace
from deskcheck.tracing.access import has_native

At = Callable[[Granularity], Trace | None]
"""Function from a granularity to the trace; None = no such trace could be made."""
DATA = "data"
"""Group of a stage's families: "data:FOLDER" = runs of that dataset."""
BATCH = 256
"""Number of programs that are sent to the sandbox together."""


def granularity_of(layout: ModuleType) -> Granularity:
    """Return the granularity that a layout needs. UserError if this installation cannot trace at it."""
    found: Granularity = getattr(layout, "GRANULARITY", Granularity.LINE)
    if found is not Granularity.LINE and not has_native():
        raise UserError(
            f"layout '{layout.LAYOUT}' needs traces of {found.name.lower()} granularity, which only the "
            "tracer in C makes; build it: python setup.py build_ext --inplace"
        )
    return found


def in_process(program: Program, trace: Trace) -> At:
    """Return a function that traces a program of ours again in this process, without the sandbox.

    A program in JavaScript runs in V8's process, and has no trace by instructions.
    """
    from deskcheck.corpus.twins import families
    from deskcheck.tracing.run import trace_program

    @cache
    def at(wanted: Granularity) -> Trace | None:
        if wanted in (Granularity.LINE, trace.granularity):
            return trace
        if program.language == "python":
            return _same(trace, trace_program(program, trace.limits, granularity=wanted))
        if wanted is Granularity.INSTRUCTION:
            return None
        return _same(trace, families.again(program, trace.limits, wanted))

    return at


def in_sandbox(
    pairs: Iterable[tuple[Program, Trace]], wanted: frozenset[Granularity], *, workers: int = 0
) -> Iterator[tuple[Program, Trace, At]]:
    """Yield foreign programs with traces; missing granularities are traced in the sandbox, batch by batch."""
    batch: list[tuple[Program, Trace]] = []
    for pair in pairs:
        batch.append(pair)
        if len(batch) == BATCH:
            yield from _traced(batch, wanted, workers)
            batch = []
    yield from _traced(batch, wanted, workers)


def _traced(
    batch: list[tuple[Program, Trace]], wanted: frozenset[Granularity], workers: int
) -> Iterator[tuple[Program, Trace, At]]:
    by_place: dict[tuple[int, Granularity], Trace | None] = {}
    for granularity in sorted(wanted - {Granularity.LINE}):
        by_limits: dict[str, list[int]] = {}
        for number, (_, trace) in enumerate(batch):
            if trace.granularity is not granularity:
                by_limits.setdefault(repr(trace.limits), []).append(number)
        for numbers in by_limits.values():
            again = _again([batch[n][0] for n in numbers], batch[numbers[0]][1], granularity, workers)
            by_place |= {
                (n, granularity): _same(batch[n][1], new) for n, new in zip(numbers, again, strict=True)
            }
    for number, (program, trace) in enumerate(batch):
        yield program, trace, _lookup(number, trace, by_place)


def _again(programs: list[Program], like: Trace, granularity: Granularity, workers: int) -> list[Trace]:
    from deskcheck.tracers import trace_programs

    traced = trace_programs(programs, like.limits, workers=workers, granularity=granularity)
    return [trace for _, trace in traced]


def _lookup(number: int, trace: Trace, by_place: dict[tuple[int, Granularity], Trace | None]) -> At:
    def at(wanted: Granularity) -> Trace | None:
        return by_place.get((number, wanted), trace)

    return at


def _same(before: Trace, now: Trace) -> Trace | None:
    """Return the new trace if its outcome's type and its steps are those of the old one, else None."""
    return now if (type(now.outcome), now.n_steps) == (type(before.outcome), before.n_steps) else None


# ------------------------------------------------------------------ of a dataset


def family_of_folder(folder: str) -> str:
    """Return the family that draws from a dataset.

    UserError if the folder does not exist or has no runs, DataError if it is no dataset or a damaged one.
    """
    _entries(folder)
    return f"{DATA}:{folder}"


def runs_of(folder: str, rng: Random) -> Iterator[tuple[Program, Trace]]:
    """Yield programs of a dataset with their traces, without end. CorruptShard if a shard is damaged.

    Shards are drawn by their number of rows, and the rows of a shard come in random order.
    """
    entries = _entries(folder)
    weights = [entry.n_kept for entry in entries]
    while True:
        (entry,) = rng.choices(entries, weights)
        rows = list(read_packed(check_shard(Path(folder), entry)))
        rng.shuffle(rows)
        for program, packed in rows:
            assert program is not None, "the rows of a build hold their programs"
            yield program, trace_of(packed)


def as_recorded(trace: Trace) -> At:
    """Return a function that gives the trace for its own granularity only; foreign code does not run."""

    def at(wanted: Granularity) -> Trace | None:
        return trace if wanted is trace.granularity else None

    return at


def _entries(folder: str) -> list[ManifestEntry]:
    if not Path(folder).is_dir():
        raise UserError(
            f"--data '{folder}': no folder of `deskcheck build`; with --model, other data can be named"
        )
    found = [entry for entry in read_manifest(Path(folder)) if entry.n_kept]
    if not found:
        raise UserError(f"--data '{folder}' holds no run to train on; see `deskcheck data {folder}`")
    return found
