"""Tracers: one file a language, found by the `language` of a program.

    trace_programs(programs, Limits())    -> (program, trace), ..   in input order
    trace_packed(programs, Limits())      -> (program, packed), ..  the same as columns, for a shard

A file `tracers/LANGUAGE.py` offers `trace_packed(programs, limits, **how)`, an iterator of (program, packed):
one for each program, in input order, whatever the program does; `how` is what `tracing.collect.trace_packed`
takes. A trace that is made as a record becomes columns by `format.buffers.packed_of`. Programs are untrusted:
a tracer runs them contained. A program in a language without a tracer is refused, as its outcome says.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any

from deskcheck import plugins
from deskcheck.format.buffers import Packed, trace_of
from deskcheck.records import Limits, Program, Trace


def languages() -> frozenset[str]:
    """Languages whose programs can be traced here."""
    return frozenset(plugins.names("tracer"))


def trace_programs(
    programs: Iterable[Program], limits: Limits, **how: Any
) -> Iterator[tuple[Program, Trace]]:
    """Trace every program by the tracer of its language. `how`: workers, require, granularity."""
    for program, packed in trace_packed(programs, limits, **how):
        yield program, trace_of(packed)


def trace_packed(programs: Iterable[Program], limits: Limits, **how: Any) -> Iterator[tuple[Program, Packed]]:
    """The same, not unpacked. `how`: also report and confirm, as in `tracing.collect.trace_packed`."""
    known = languages()
    for language, group in groupby(programs, key=lambda program: program.language):
        if language in known:
            yield from plugins.load("tracer", language).trace_packed(group, limits, **how)
        else:
            yield from _refused(language, group, limits)


def _refused(language: str, programs: Iterable[Program], limits: Limits) -> Iterator[tuple[Program, Packed]]:
    from deskcheck.format.buffers import packed_of
    from deskcheck.records import Refused
    from deskcheck.tracing.execution import empty_trace

    for program in programs:
        yield program, packed_of(empty_trace(program.id, limits, Refused(f"no tracer for {language}")))
