"""Trace the true run of a task again by expressions or instructions, for the two oracles that need it.

    finer(task, Granularity.INSTRUCTION) -> Trace      traced again in the sandbox unless it is as fine

The settings `skip=search` and `inject_states` use such a run; both are marked as oracle.
"""

from __future__ import annotations

import msgspec

from deskcheck.errors import UserError
from deskcheck.records import Granularity, Task, Trace
from deskcheck.states.calls import CALLS_AT_ONCE, stepped_over

MOST_BYTES = 1 << 28
"""Largest size of a trace of instructions, in bytes."""


def finer(task: Task, granularity: Granularity) -> Trace:
    """Return the same run in finer steps. UserError if tracing fails or gives another run."""
    if task.truth.granularity is granularity:
        return task.truth
    from deskcheck.tracers import trace_programs  # the sandbox, which a browser lacks

    limits = msgspec.structs.replace(task.truth.limits, trace_bytes=MOST_BYTES)
    ((_, found),) = trace_programs([task.program], limits, workers=1, granularity=granularity)
    if CALLS_AT_ONCE in task.truth.fidelity.notes:
        found = stepped_over(found)
    if type(found.outcome) is not type(task.truth.outcome) or found.n_steps != task.truth.n_steps:
        raise UserError(
            f"task {task.id}: its true run cannot be traced {granularity.name.lower()} by "
            f"{granularity.name.lower()} ({found.outcome}); skip=search and injected states need it, "
            "other settings and line layouts do not"
        )
    return found
