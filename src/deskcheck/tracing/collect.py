"""Trace programs in the sandbox: one Trace for each, whatever the program does.

    for program, trace in trace_programs(programs, Limits()): ...        in input order

Time and memory limits, crashes and refusals come back as traces without events and with that outcome; a
result that fails a check is `Rejected` with the check's name. Nothing raises because of a program.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator

import msgspec

from deskcheck import sandbox
from deskcheck.records import Job, JobDone, JobResult, Limits, Program, Rejected, Trace
from deskcheck.tracing.job import FUNCTION, encode_request
from deskcheck.tracing.reference import empty_trace
from deskcheck.tracing.validate import Invalid, check

_decoder = msgspec.msgpack.Decoder(Trace)


def trace_programs(
    programs: Iterable[Program], limits: Limits, *, workers: int = 0, require: str = "limits"
) -> Iterator[tuple[Program, Trace]]:
    """(program, trace) in input order; `workers` 0 = one per core, `require` = sandbox level needed."""
    waiting: deque[Program] = deque()

    def jobs() -> Iterator[Job]:
        for index, program in enumerate(programs):
            waiting.append(program)
            yield Job(str(index), FUNCTION, encode_request(program, limits), limits)

    for result in sandbox.run(jobs(), workers=workers, require=require):
        program = waiting.popleft()
        yield program, read_result(result, program, limits)


def read_result(result: JobResult, program: Program, limits: Limits) -> Trace:
    """The trace in a job's result; what is wrong with it is its outcome."""
    if not isinstance(result.result, JobDone):
        return empty_trace(program.id, limits, result.result.outcome)
    try:
        trace = _decoder.decode(result.result.payload)
        check(trace, program, limits)
    except (msgspec.MsgspecError, Invalid, RecursionError) as error:
        return empty_trace(program.id, limits, Rejected(f"{type(error).__name__}: {error}"[:200]))
    return trace
