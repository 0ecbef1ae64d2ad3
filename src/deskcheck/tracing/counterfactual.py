"""Trace a run again with other values from a step on: "if x were 7 after step k".

    counterfactual(program, trace, 4, {"x": 7}, limits) -> Trace

The program runs again in the sandbox. The names are bound when the frame that ran step k is about to run its
next line; functions called by step k have returned by then. The run continues, traced, to its end. Up to the
binding, the new trace must equal the given one, event for event: a run that depends on time or randomness is
refused, not guessed. No state has to be rebuilt, so any program that repeats itself is possible, also with
generators, `with` blocks and closures. Names are those of the frame or of the module; values are plain data.
Covered: line granularity. Not covered: the moment after a frame's last line, threads.
"""

from __future__ import annotations

import struct
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec
from msgspec import Struct

from deskcheck.errors import NotResumable, UserError
from deskcheck.format.buffers import escape, packed_of, trace_of
from deskcheck.records import EventKind, Job, JobDone, Limits, Program, Trace
from deskcheck.sandbox import containment
from deskcheck.tracing.collect import read_result
from deskcheck.tracing.program import encode_request, files_of

FUNCTION = "deskcheck.tracing.counterfactual_job:run"
NOTE = "counterfactual"
_PLAIN = (type(None), bool, int, float, complex, str, bytes, type(...))
_CONTAINERS = (list, tuple, set, frozenset)


class Ask(Struct, frozen=True, array_like=True):
    """Payload of the job: a tracing request, and the names to bind."""

    request: bytes
    event: int
    """Number of the line event at which the names are bound."""
    names: dict[str, str]
    """Escaped name -> escaped text of its value."""


def counterfactual(
    program: Program,
    trace: Trace,
    step: int,
    bindings: Mapping[str, object],
    limits: Limits,
    *,
    require: str = "limits",
) -> Trace:
    """Return the trace of the run in which the names have these values after that step.

    UserError for an unknown step or name, or a value that is not plain or nested more than 50 deep;
    NotResumable if the program does not repeat itself or if the frame runs no further line.
    """
    (found,) = counterfactuals([(program, trace, step, bindings)], limits, workers=1, require=require)
    if isinstance(found, NotResumable):
        raise found
    return found


def counterfactuals(
    asked: Iterable[tuple[Program, Trace, int, Mapping[str, object]]],
    limits: Limits,
    *,
    workers: int = 0,
    require: str = "limits",
) -> Iterator[Trace | NotResumable]:
    """Yield the trace of each row, as `counterfactual` returns it, from one run of the sandbox.

    A program that does not repeat itself gives a NotResumable in place of its trace. All other errors of
    `counterfactual` are raised, and end the run.
    """
    waiting: deque[tuple[Program, Trace, int]] = deque()

    def jobs() -> Iterator[Job]:
        for number, (program, trace, step, bindings) in enumerate(asked):
            event = _event_after(trace, step)
            _check_names(trace, event, bindings)
            names = {escape(name): escape(_text(value)) for name, value in bindings.items()}
            waiting.append((program, trace, event))
            payload = msgspec.msgpack.encode(Ask(encode_request(program, limits), event, names))
            yield Job(str(number), FUNCTION, payload, limits, files=files_of(program))

    for result in containment.run(jobs(), workers=workers, require=require):
        program, trace, event = waiting.popleft()
        outcome = read_result(result, program, limits)
        try:
            if isinstance(result.result, JobDone) and outcome.events.kind:
                _check_same(trace_of(packed_of(trace)), outcome, event)  # a stored trace has no lists
        except NotResumable as reason:
            yield reason
        else:
            yield outcome


def _event_after(trace: Trace, step: int) -> int:
    """Return the index of the next line event of the frame that ran the step."""
    events = trace.events
    if not 1 <= step <= trace.n_steps:
        raise UserError(f"the trace has steps 1 to {trace.n_steps}; there is no step {step}")
    at = next(i for i, n in enumerate(events.step) if n == step and events.kind[i] == EventKind.LINE)
    for index in range(at + 1, len(events.kind)):
        if events.frame[index] == events.frame[at]:
            kind = events.kind[index]
            if kind == EventKind.LINE:
                return index
            if kind in (EventKind.RETURN, EventKind.UNWIND):
                break
    raise NotResumable(
        f"step {step} is the last line that its frame runs: nothing could read the names after it"
    )


def _check_names(trace: Trace, event: int, bindings: Mapping[str, object]) -> None:
    """Raise UserError for a name that is no variable of the frame or the module at that event."""
    from deskcheck.tracing.replay import state_at

    state = state_at(trace, event)
    known = {*state.top.bindings, *state.globals}
    for name in bindings:
        if name not in known:
            raise UserError(
                f"no variable '{name}' at that step; there are: {', '.join(sorted(known)) or 'none'}"
            )


def _text(value: Any, depth: int = 0) -> str:
    """Return text that `eval` with `counterfactual_job.NAMES` turns back into the value; only plain data."""
    kind = type(value)  # exactly: mypy does not follow it to `value`, hence Any
    if depth > 50:
        raise UserError("a value that is nested more than 50 deep")
    if kind in _PLAIN:
        return repr(value)
    if kind in _CONTAINERS:
        items = ", ".join(_text(item, depth + 1) for item in value)
        if kind is list:
            return f"[{items}]"
        return f"({items}{',' if items else ''})" if kind is tuple else f"{kind.__name__}([{items}])"
    if kind is dict:
        pairs = (f"{_text(k, depth + 1)}: {_text(v, depth + 1)}" for k, v in value.items())
        return f"{{{', '.join(pairs)}}}"
    raise UserError(f"a variable can be set to plain data, not to a {kind.__name__}")


def _check_same(trace: Trace, changed: Trace, event: int) -> None:
    """Raise NotResumable unless both traces are equal up to the event."""
    columns = [
        (name, getattr(trace.events, name)[:event], getattr(changed.events, name)[:event])
        for name in ("kind", "step", "frame", "line", "value", "changes_end")
    ]
    done = trace.events.changes_end[event - 1] if event else 0
    columns += [
        (name, getattr(trace.changes, name)[:done], getattr(changed.changes, name)[:done])
        for name in trace.changes.__struct_fields__
    ]
    used = [*trace.changes.key[:done], *trace.changes.value[:done], *trace.events.value[:event]]
    n_rows = max(used, default=-1) + 1
    columns.append(("a value", _rows(trace, n_rows), _rows(changed, n_rows)))
    for name, first, second in columns:
        if first != second:
            raise NotResumable(
                f"the program does not repeat itself: {name} differs before that step "
                f"(it reads {', '.join(changed.determinism.reads) or 'nothing that is known to vary'})"
            )


def _rows(trace: Trace, n: int) -> list[object]:
    """Return the first rows of the value table, with floats as their bytes."""
    values = trace.values
    reals = [struct.pack("<d", real) for real in values.real[:n]]
    types = [trace.names[index] for index in values.type[:n]]
    return list(zip(values.kind[:n], values.number[:n], reals, values.data[:n], types, strict=True))
