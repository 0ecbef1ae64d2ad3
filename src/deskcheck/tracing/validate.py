"""Check a trace that came from a child process: a program can write to its own child's memory.

    check(trace, program, limits) -> None       or raises Invalid with the reason

Checked: the format, that it is about this program and these limits, columns of equal length, every handle,
object,
frame and name in range, kinds that exist, frames that nest and lines of the source, steps that count line
events, the last return = the outcome, replay without a failure. Not checked: that the values are those
the program computed; a program that rewrites the tracer's memory consistently is not found out here.
"""

from __future__ import annotations

from collections.abc import Sequence

from deskcheck.errors import DataError
from deskcheck.records import (
    FORMAT_VERSION,
    EventKind,
    Limits,
    ObjectKind,
    Op,
    Place,
    Program,
    Raised,
    Returned,
    StepLimit,
    Trace,
    ValueKind,
)
from deskcheck.tracing.reference import MADE_ELSEWHERE
from deskcheck.tracing.replay import final_state


class Invalid(DataError):
    """A trace that contradicts itself or its program."""


def check(trace: Trace, program: Program, limits: Limits) -> None:
    """Invalid where the trace cannot be what a tracer of ours wrote about this program."""
    _need(trace.format_version == FORMAT_VERSION, f"format version {trace.format_version}")
    _need(trace.program_id == program.id, f"program id {trace.program_id[:32]!r}, expected {program.id}")
    _need(trace.language == program.language, f"language {trace.language[:32]!r}")
    _need(trace.limits == limits, "limits are not those of the request")
    _columns(trace)
    _ranges(trace)
    _events(trace, program)
    _outcome(trace)
    try:
        final_state(trace)
    except (DataError, KeyError, IndexError, ValueError, RecursionError) as error:
        raise Invalid(f"replay fails: {type(error).__name__}: {error}") from None


def _need(holds: bool, what: str) -> None:
    if not holds:
        raise Invalid(what)


def _columns(trace: Trace) -> None:
    events, changes, values, objects = trace.events, trace.changes, trace.values, trace.objects
    groups: list[tuple[str, Sequence[Sequence[object]]]] = [
        ("events", (events.kind, events.step, events.frame, events.line, events.value, events.changes_end)),
        ("changes", (changes.place, changes.owner, changes.key, changes.index, changes.op, changes.value)),
        ("values", (values.kind, values.number, values.real, values.data, values.type)),
        ("objects", (objects.kind, objects.type, objects.text)),
        ("frames", (trace.frames.code, trace.frames.parent)),
    ]
    for name, columns in groups:
        _need(len({len(column) for column in columns}) == 1, f"columns of {name} differ in length")
    for optional in (
        events.thread, events.end_line, events.column, events.end_column, events.offset, events.opcode
    ):  # fmt: skip
        _need(len(optional) in (0, len(events.kind)), "an optional event column has another length")


def _within(numbers: Sequence[int], low: int, high: int, what: str) -> None:
    if numbers:
        _need(low <= min(numbers) and max(numbers) < high, f"{what} out of range")


def _ranges(trace: Trace) -> None:
    n_values, n_names = len(trace.values.kind), len(trace.names)
    n_objects, n_frames = len(trace.objects.kind), len(trace.frames.code)
    _within(trace.events.kind, 0, len(EventKind), "event kind")
    _within(trace.events.frame, 0, n_frames, "event frame")
    _within(trace.events.value, -1, n_values, "event value")
    _within(trace.changes.place, 0, len(Place), "place")
    _within(trace.changes.op, 0, len(Op), "op")
    _within(trace.changes.value, -1, n_values, "changed value")
    _within(trace.changes.key, -1, n_values, "key")
    _within(trace.values.kind, 0, len(ValueKind), "value kind")
    _within(trace.values.type, 0, n_names, "type name")
    _within(trace.objects.kind, 0, len(ObjectKind), "object kind")
    _within(trace.objects.type, 0, n_names, "object type")
    _within(trace.objects.text, 0, n_names, "object text")
    _within(trace.frames.code, 0, len(trace.codes), "frame code")
    _within([code.file for code in trace.codes], 0, max(n_names, 1), "file of a code")
    _within(trace.events.thread, 0, max(len(trace.events.kind), 1), "thread")
    for index, (kind, number) in enumerate(zip(trace.values.kind, trace.values.number, strict=True)):
        if kind == ValueKind.REF:
            _need(0 <= number < n_objects, "reference out of range")
        elif kind == ValueKind.CONCAT:
            _need(0 <= number < index, "concatenation out of range")
    _owners(trace, n_objects, n_frames)


def _owners(trace: Trace, n_objects: int, n_frames: int) -> None:
    modules = {0, *(code.file for code in trace.codes)}
    of_frame = {Place.LOCAL, Place.CELL, Place.FREE, Place.ITERATOR, Place.STACK}
    for place, owner, op, value in zip(
        trace.changes.place, trace.changes.owner, trace.changes.op, trace.changes.value, strict=True
    ):
        high = n_frames if place in of_frame else n_objects
        known = owner in modules if place == Place.GLOBAL else 0 <= owner < high
        _need(known, "owner of a change out of range")
        _need((op == Op.DELETE) == (value == -1), "a deletion with a value, or a value missing")


def _events(trace: Trace, program: Program) -> None:
    n_lines = program.source.count("\n") + 1
    elsewhere = {number for number, code in enumerate(trace.codes) if code.file}
    live: dict[int, list[int]] = {0: []}  # by thread or task: each nests in itself
    waiting: set[int] = set()
    entered = step = before = 0
    columns = trace.events
    threads = columns.thread or [0] * len(columns.kind)
    for kind, at, frame, line, end, thread in zip(
        columns.kind, columns.step, columns.frame, columns.line, columns.changes_end, threads, strict=True
    ):
        step += kind == EventKind.LINE
        _need(at == step, f"step {at} where {step} line events were counted")
        _need(line >= 0, f"line {line}")
        _need(line <= n_lines or trace.frames.code[frame] in elsewhere, f"line {line} of {n_lines}")
        _need(before <= end <= len(trace.changes.op), "changes do not follow each other")
        before = end
        if thread not in live:
            _need(thread == len(live), "threads are not numbered in the order of their first events")
            live[thread] = []
        stack = live[thread]
        if kind == EventKind.CALL:
            _need(frame == entered, "frames are not numbered in the order of their calls")
            parent = trace.frames.parent[frame]
            # Another thread or task begins: its first frame may have been called by any that was there before.
            _need(
                parent == stack[-1] if stack else -1 <= parent < (frame if thread else 0),
                "a frame with a wrong parent",
            )
            entered += 1
            stack.append(frame)
        elif kind == EventKind.RESUME:
            _need(frame in waiting, "a frame goes on that was not suspended")
            waiting.discard(frame)
            stack.append(frame)
        _need(bool(stack) and stack[-1] == frame, "an event of a frame that is not running")
        if kind in (EventKind.RETURN, EventKind.UNWIND, EventKind.YIELD):
            stack.pop()
            if kind == EventKind.YIELD:
                waiting.add(frame)
    _need(entered == len(trace.frames.code), "frames without a call")
    if isinstance(trace.outcome, Returned | Raised):  # another thread may still run when the call is over
        _need(not live[0], "frames still live at the end")


def _outcome(trace: Trace) -> None:
    outcome, events = trace.outcome, trace.events
    n_values = len(trace.values.kind)
    if isinstance(outcome, Returned):
        _need(0 <= outcome.value < n_values, "returned value out of range")
        if events.kind and MADE_ELSEWHERE not in trace.fidelity.notes:
            _need(_last_return(trace) == outcome.value, "the last return is not the outcome")
    elif isinstance(outcome, Raised):
        _need(-1 <= outcome.value < n_values, "exception out of range")
        _need(not events.kind or events.kind[-1] != EventKind.LINE, "raised in the middle of a line")
    elif isinstance(outcome, StepLimit):
        _need(trace.n_steps == outcome.limit == trace.limits.max_steps, "step limit without its steps")


def _last_return(trace: Trace) -> int:
    """Handle that the outermost frame returned; -1 if it did not. Dying generators may come after it."""
    events = trace.events
    threads = events.thread or [0] * len(events.kind)
    for kind, frame, value, thread in zip(
        reversed(events.kind), reversed(events.frame), reversed(events.value), reversed(threads), strict=True
    ):
        ends = kind in (EventKind.RETURN, EventKind.UNWIND)
        if ends and not thread and trace.frames.parent[frame] < 0:
            return value if kind == EventKind.RETURN else -1
    return -1
