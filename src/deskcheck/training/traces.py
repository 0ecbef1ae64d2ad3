"""Give each layout a trace of the granularity that it needs, by tracing a program again if necessary.

    at = in_process(program, trace)
    at(granularity_of(layout))  -> the trace by lines, expressions or instructions, or None

Generated programs are ours and run again in this process; the programs of a dataset run in the sandbox. If
the new run differs from the old one (clocks, addresses, limits), the trace is None, and the caller counts it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from types import ModuleType

from deskcheck.errors import UserError
from deskcheck.records import Granularity, Program, Trace
from deskcheck.tracing.access import has_native

At = Callable[[Granularity], Trace | None]
"""Function from a granularity to the trace; None = no such trace could be made."""
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
    """Return a function that traces a program of ours again in this process, without the sandbox."""
    from deskcheck.tracing.run import trace_program

    @cache
    def at(wanted: Granularity) -> Trace | None:
        if wanted in (Granularity.LINE, trace.granularity):
            return trace
        return _same(trace, trace_program(program, trace.limits, granularity=wanted))

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
    found: dict[tuple[int, Granularity], Trace | None] = {}
    for granularity in sorted(wanted - {Granularity.LINE}):
        by_limits: dict[str, list[int]] = {}
        for number, (_, trace) in enumerate(batch):
            if trace.granularity is not granularity:
                by_limits.setdefault(repr(trace.limits), []).append(number)
        for numbers in by_limits.values():
            made = _again([batch[n][0] for n in numbers], batch[numbers[0]][1], granularity, workers)
            found |= {(n, granularity): _same(batch[n][1], new) for n, new in zip(numbers, made, strict=True)}
    for number, (program, trace) in enumerate(batch):
        yield program, trace, _lookup(number, trace, found)


def _again(programs: list[Program], like: Trace, granularity: Granularity, workers: int) -> list[Trace]:
    from deskcheck.tracing.collect import trace_programs

    traced = trace_programs(programs, like.limits, workers=workers, granularity=granularity)
    return [trace for _, trace in traced]


def _lookup(number: int, trace: Trace, found: dict[tuple[int, Granularity], Trace | None]) -> At:
    def at(wanted: Granularity) -> Trace | None:
        return found.get((number, wanted), trace)

    return at


def _same(before: Trace, now: Trace) -> Trace | None:
    """Return the new trace if its outcome's type and its steps are those of the old one, else None."""
    return now if (type(now.outcome), now.n_steps) == (type(before.outcome), before.n_steps) else None
