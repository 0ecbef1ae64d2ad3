"""Trace programs in pure Python: the fallback without the C extension, and the reference for tests.

    trace_program(program, limits) -> Trace

Only processes that trace with this package import it.

tracer.py, bindings.py       the trace callback; the names of a frame
heap.py, entries.py          numbers of objects, and their contents at the last event
deltas.py, values.py         differences of containers, scalars
columns.py                   columns of the trace under construction
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import CodeType

from deskcheck.records import Determinism, Fidelity, Limits, Program, Trace
from deskcheck.tracing import source_facts
from deskcheck.tracing.access import Access, has_native
from deskcheck.tracing.execution import (
    SEES,
    SEES_WITHOUT,
    Compiled,
    NothingRan,
    empty_trace,
    outcome_of,
    ready_program,
    runtime_name,
)
from deskcheck.tracing.reference.tracer import Tracer


def trace_program(
    program: Program,
    limits: Limits,
    *,
    native: bool | None = None,
    tracer_class: type[Tracer] | None = None,
    compiled: Compiled | None = None,
) -> Trace:
    """Trace the program's call; `native=False` uses no helper of the C extension.

    `tracer_class`: a Tracer of the tests. `compiled`: result of `execution.compile_program`, if there is one.
    """
    access = Access(native=has_native() if native is None else native)
    try:
        with ready_program(program, compiled) as ready:
            tracer = (tracer_class or Tracer)(
                ready.names, ready.namespace, ready.program_file, limits=limits, access=access
            )
            return run_traced(tracer, ready.call, program.id, limits=limits, codes=ready.codes, access=access)
    except NothingRan as nothing:
        return empty_trace(program.id, limits, nothing.outcome, native=access.native, notes=[nothing.note])


def run_traced(
    tracer: Tracer,
    call: Callable[[], object],
    program_id: str,
    *,
    limits: Limits,
    codes: Sequence[CodeType],
    access: Access,
) -> Trace:
    """Run the call under the tracer and return its trace; `codes` are scanned for clocks, threads, .."""
    notes, reads = source_facts.says(codes)
    outcome = outcome_of(tracer, tracer, call, notes)
    tracer.close()
    if tracer.values.any_truncated:
        notes.append("values truncated")
    if not access.sees_stack:
        notes.append("no C extension: iterators and temporaries not recorded; locals read through f_locals")
    return tracer.columns.make_trace(
        program_id,
        runtime_name(),
        limits=limits,
        outcome=outcome,
        fidelity=Fidelity("reference", SEES if access.sees_stack else SEES_WITHOUT, sorted(notes)),
        determinism=Determinism(reads),
    )
