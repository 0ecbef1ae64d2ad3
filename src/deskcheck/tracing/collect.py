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
from itertools import count

from msgspec.structs import replace

from deskcheck import sandbox
from deskcheck.errors import DataError
from deskcheck.format.buffers import Packed, packed_of, trace_of
from deskcheck.records import (
    Granularity,
    Job,
    JobDone,
    JobResult,
    Limits,
    Outcome,
    Program,
    Refused,
    Rejected,
    Trace,
)
from deskcheck.sandbox.report import Report
from deskcheck.tracing.execution import empty_trace
from deskcheck.tracing.first_call import check_first_call
from deskcheck.tracing.job import FUNCTION, encode_request, files_of
from deskcheck.tracing.packed import unpack, unpack_parts
from deskcheck.tracing.screen import is_suspicious
from deskcheck.tracing.validate import check_packed


def trace_programs(
    programs: Iterable[Program],
    limits: Limits,
    *,
    workers: int = 0,
    require: str = "limits",
    granularity: Granularity = Granularity.LINE,
) -> Iterator[tuple[Program, Trace]]:
    """(program, trace) in input order; `workers` 0 = one per core, `require` = containment level needed."""
    for program, packed in trace_packed(
        programs, limits, workers=workers, require=require, granularity=granularity
    ):
        yield program, trace_of(packed)


def trace_packed(
    programs: Iterable[Program],
    limits: Limits,
    *,
    workers: int = 0,
    require: str = "limits",
    report: Callable[[Report], None] | None = None,
    confirm: bool = False,
    granularity: Granularity = Granularity.LINE,
) -> Iterator[tuple[Program, Packed]]:
    """The same, checked but not unpacked. `report` is given what the sandbox did, once, at the end.

    `confirm`: every program runs once more, alone in a process: company that changes a run would change a run
    in other such company too. `determinism.confirmed` says that both gave the same bytes, and a note that
    they did not.
    """
    waiting: deque[Program] = deque()

    def jobs() -> Iterator[Job]:
        number = count()
        for program in programs:
            waiting.append(program)
            yield _job(next(number), program, limits, granularity)
            if confirm:
                yield _job(next(number), program, limits, granularity, alone=True)

    results = sandbox.run(jobs(), workers=workers, require=require, report=report)
    for result in results:
        program = waiting.popleft()
        packed = read_packed(result, program, limits)
        yield program, compared(packed, result, next(results)) if confirm else packed


_DIFFERED = "a second run elsewhere gave other bytes"


def _job(
    number: int, program: Program, limits: Limits, granularity: Granularity, *, alone: bool = False
) -> Job:
    alone = alone or is_suspicious(program.source + program.prelude + program.arguments)
    request = encode_request(program, limits, granularity=granularity)
    return Job(str(number), FUNCTION, request, limits, alone=alone, files=files_of(program))


def compared(packed: Packed, first: JobResult, second: JobResult) -> Packed:
    """The trace with the word of a second run on it."""
    if not isinstance(first.result, JobDone):  # stopped from outside: there is nothing to confirm
        return packed
    same = second.result == first.result
    head = packed.head
    if same:
        head = replace(head, determinism=replace(head.determinism, confirmed=True))
    else:
        head = replace(head, fidelity=replace(head.fidelity, notes=sorted([*head.fidelity.notes, _DIFFERED])))
    return Packed(head, packed.columns, packed.offsets)


def read_result(result: JobResult, program: Program, limits: Limits) -> Trace:
    """The trace in a job's result; what is wrong with it is its outcome."""
    return trace_of(read_packed(result, program, limits))


def read_packed(result: JobResult, program: Program, limits: Limits) -> Packed:
    """The checked trace in a job's result; what is wrong with it is its outcome."""
    if not isinstance(result.result, JobDone):
        packed = _without_events(program, limits, result.result.outcome)
        packed.compared = [_sent(one) for one in result.compared]
        return packed
    if result.refusals:
        return _without_events(program, limits, Refused(", ".join(result.refusals)))
    try:
        done = result.result
        packed = unpack_parts(done.payload, done.parts) if done.parts else unpack(done.payload)
        check_packed(packed, program, limits, result.prepared)
        check_first_call(packed, program, limits, result.prepared)
    except DataError as error:
        return _without_events(program, limits, Rejected(f"{type(error).__name__}: {error}"[:200]))
    return packed


def _sent(result: JobResult) -> bytes:
    """What a run sent, or how it ended."""
    done = result.result
    return done.payload if isinstance(done, JobDone) else repr(done.outcome).encode("utf-8", "replace")


def _without_events(program: Program, limits: Limits, outcome: Outcome) -> Packed:
    return packed_of(empty_trace(program.id, limits, outcome))
