"""Trace programs in the sandbox: one trace for each, whatever the program does.

    for program, trace in trace_programs(programs, Limits()): ...         in input order
    for program, packed in trace_packed(programs, Limits()): ...          the same as raw columns, for a shard

Time and memory limits, crashes and refusals come back as traces without events and with that outcome; a
result that is no packed trace, or fails a check, is `Rejected` with the reason. Nothing raises because of a
program.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from deskcheck import sandbox
from deskcheck.buffers import Packed, packed_of, trace_of
from deskcheck.errors import DataError
from deskcheck.records import Job, JobDone, JobResult, Limits, Outcome, Program, Refused, Rejected, Trace
from deskcheck.tracing.job import FUNCTION, encode_request
from deskcheck.tracing.packed import unpack
from deskcheck.tracing.reference import empty_trace
from deskcheck.tracing.validate import check_packed


def trace_programs(
    programs: Iterable[Program], limits: Limits, *, workers: int = 0, require: str = "limits"
) -> Iterator[tuple[Program, Trace]]:
    """(program, trace) in input order; `workers` 0 = one per core, `require` = sandbox level needed."""
    for program, packed in trace_packed(programs, limits, workers=workers, require=require):
        yield program, trace_of(packed)


def trace_packed(
    programs: Iterable[Program],
    limits: Limits,
    *,
    workers: int = 0,
    require: str = "limits",
    report: Callable[[Any], None] | None = None,
) -> Iterator[tuple[Program, Packed]]:
    """The same, checked but not unpacked. `report` is given what the sandbox did, once, at the end."""
    waiting: deque[Program] = deque()

    def jobs() -> Iterator[Job]:
        for index, program in enumerate(programs):
            waiting.append(program)
            yield Job(str(index), FUNCTION, encode_request(program, limits), limits)

    options: dict[str, Any] = {} if report is None else {"report": report}
    for result in sandbox.run(jobs(), workers=workers, require=require, **options):
        program = waiting.popleft()
        yield program, read_packed(result, program, limits)


def read_result(result: JobResult, program: Program, limits: Limits) -> Trace:
    """The trace in a job's result; what is wrong with it is its outcome."""
    return trace_of(read_packed(result, program, limits))


def read_packed(result: JobResult, program: Program, limits: Limits) -> Packed:
    """The checked trace in a job's result; what is wrong with it is its outcome."""
    if not isinstance(result.result, JobDone):
        return _without_events(program, limits, result.result.outcome)
    if result.refusals:
        return _without_events(program, limits, Refused(", ".join(result.refusals)))
    try:
        packed = unpack(result.result.payload)
        check_packed(packed, program, limits)
    except DataError as error:
        return _without_events(program, limits, Rejected(f"{type(error).__name__}: {error}"[:200]))
    return packed


def _without_events(program: Program, limits: Limits, outcome: Outcome) -> Packed:
    return packed_of(empty_trace(program.id, limits, outcome))
