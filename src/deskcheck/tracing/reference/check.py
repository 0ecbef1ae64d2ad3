"""Check in Python that a tracer can have written a trace: the fallback for the check in C.

check(trace, program, limits, table) -> None    raises Invalid with the reason

`packed.py` says what is checked. Tests compare the two checks with each other.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Sequence

from deskcheck.errors import DataError
from deskcheck.records import (
    EventKind,
    Limits,
    ObjectKind,
    Op,
    Place,
    Program,
    Raised,
    Returned,
    Trace,
    ValueKind,
)
from deskcheck.tracing.execution import PUT_OUT
from deskcheck.tracing.packed import (
    Invalid,
    check_ending,
    check_head,
    flags_of,
    known_lines,
    lines_of_code,
    need,
)
from deskcheck.tracing.replay import final_state
from deskcheck.tracing.source_facts import Table

_DIGITS = re.compile(rb"-?0x[0-9a-f]+")
_TEXTS = frozenset(
    {ValueKind.STR, ValueKind.CONCAT, ValueKind.SINGLETON, ValueKind.TRUNCATED, ValueKind.OPAQUE}
)
_ORDERED = frozenset({Place.ITERATOR, Place.STACK, Place.ELEMENT})


def check(trace: Trace, program: Program, limits: Limits, table: bytes) -> None:
    """Raise Invalid if no tracer of ours can have written this trace of the program.

    `table`: facts about the source's functions (source_facts.py).
    """
    need(trace.program_id == program.id, f"program id {trace.program_id[:32]!r}, expected {program.id}")
    check_head(
        trace.format_version, trace.language, trace.limits, trace.determinism, program=program, limits=limits
    )
    _columns(trace)
    check_ending(trace.outcome, limits, n_steps=trace.n_steps, n_events=len(trace.events.kind))
    _ranges(trace)
    _values(trace)
    _changes(trace)
    _events(trace, program, known_lines(program, table) if trace.events.kind else None)
    _outcome(trace)
    _names(trace)
    try:
        final_state(trace)
    except (DataError, KeyError, IndexError, ValueError, RecursionError) as error:
        raise Invalid(f"replay fails: {type(error).__name__}: {error}") from None


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
        need(len({len(column) for column in columns}) == 1, f"columns of {name} differ in length")
    for optional in (
        events.thread, events.end_line, events.column, events.end_column, events.offset, events.opcode
    ):  # fmt: skip
        need(len(optional) in (0, len(events.kind)), "an optional event column has another length")


def _within(numbers: Sequence[int], low: int, high: int, what: str) -> None:
    if numbers:
        need(low <= min(numbers) and max(numbers) < high, f"{what} out of range")


def _ranges(trace: Trace) -> None:
    n_values, n_names = len(trace.values.kind), len(trace.names)
    n_frames = len(trace.frames.code)
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
    _within(trace.events.opcode, -1, n_names, "opcode")
    for name in ("end_line", "column", "end_column", "offset"):
        _within(getattr(trace.events, name), -1, 1 << 31, name)


def _values(trace: Trace) -> None:
    values = trace.values
    n_objects = len(trace.objects.kind)
    for index, (kind, number, data) in enumerate(zip(values.kind, values.number, values.data, strict=True)):
        if kind == ValueKind.BOOL:
            need(number in (0, 1), "a bool that is neither")
        elif kind == ValueKind.INT:
            need(not data or _DIGITS.fullmatch(data) is not None, "an integer's digits are none")
        elif kind == ValueKind.COMPLEX:
            need(len(data) == 8, "a complex number without its imaginary part")
        elif kind in (ValueKind.REF, ValueKind.POINTER):
            need(0 <= number < n_objects, "reference out of range")
        elif kind == ValueKind.CONCAT:
            need(0 <= number < index, "concatenation out of range")
            before = values.kind[number]
            need(
                before in (ValueKind.STR, ValueKind.CONCAT),
                "a concatenation with something that is no string",
            )
        if kind in _TEXTS and not data.isascii():
            try:
                data.decode("utf-8", "surrogatepass")
            except UnicodeDecodeError:
                raise Invalid("a text that is not UTF-8") from None


def _changes(trace: Trace) -> None:
    n_objects, n_frames = len(trace.objects.kind), len(trace.frames.code)
    modules = {0, *(code.file for code in trace.codes)}
    of_frame = {Place.LOCAL, Place.CELL, Place.FREE, Place.ITERATOR, Place.STACK}
    columns = trace.changes
    for place, owner, key, index, op, value in zip(
        columns.place, columns.owner, columns.key, columns.index, columns.op, columns.value, strict=True
    ):
        high = n_frames if place in of_frame else n_objects
        known = owner in modules if place == Place.GLOBAL else 0 <= owner < high
        need(known, "owner of a change out of range")
        need((op == Op.DELETE) == (value == -1), "a deletion with a value, or a value missing")
        if place in _ORDERED:
            need(key == -1 and index >= 0, "a position with a key, or none")
            continue
        need(op != Op.INSERT, "an insertion where there is no order")
        if place == Place.CONTENT:
            need(key == -1 and op == Op.SET, "a content with a key, or none")
            continue
        need(key >= 0 and index == -1, "a key with a position, or none")
        if place <= Place.GLOBAL:
            kind = trace.values.kind[key]
            need(kind in (ValueKind.STR, ValueKind.CONCAT), "a variable whose name is no string")


def _names(trace: Trace) -> None:
    """Raise Invalid if a variable's name has so many pieces that reading it would take long."""
    values, columns = trace.values, trace.changes
    keys = {k for place, k in zip(columns.place, columns.key, strict=True) if place <= Place.GLOBAL}
    n_pieces = 0
    for key in keys:
        n_bytes = len(values.data[key])
        n_pieces += 1
        while values.kind[key] == ValueKind.CONCAT:
            key = values.number[key]
            n_bytes += len(values.data[key])
            n_pieces += 1
        allowed = n_pieces <= 8 * len(values.kind) + 1000 and n_bytes <= 1 << 20
        need(allowed, "names put together from too many pieces")


# ------------------------------------------------------------------ the events in their order


def _events(trace: Trace, program: Program, known: Table | None) -> None:
    """Check the events in order: numbers of steps, lines, frames, and which line follows which."""
    n_lines = program.source.count("\n") + 1
    elsewhere = {number for number, code in enumerate(trace.codes) if code.file}
    codes = [
        lines_of_code(known, code.name, code.first_line)
        if not code.file and trace.events.kind
        else (None, b"")
        for code in trace.codes
    ]
    lines = [found for found, _ in codes]
    flows = [set(zip(*[iter(array("i", flow))] * 2, strict=True)) for _, flow in codes]
    is_whole = not flags_of(trace.fidelity) & 6  # neither PUT_OUT nor CHANGED
    last_lines = [-1] * len(trace.frames.code)
    live: dict[int, list[int]] = {0: []}  # by thread or task, each of which nests by itself
    waiting: set[int] = set()
    entered = step = before = 0
    columns = trace.events
    threads = columns.thread or [0] * len(columns.kind)
    for kind, at, frame, line, end, thread in zip(
        columns.kind, columns.step, columns.frame, columns.line, columns.changes_end, threads, strict=True
    ):
        step += kind == EventKind.LINE
        need(at == step, f"step {at} where {step} line events were counted")
        need(line >= 0, f"line {line}")
        need(line <= n_lines or trace.frames.code[frame] in elsewhere, f"line {line} of {n_lines}")
        valid_lines = lines[trace.frames.code[frame]]
        has = valid_lines is None or (line < len(valid_lines) and bool(valid_lines[line]))
        need(has, f"a line that its function does not have: {line}")
        need(before <= end <= len(trace.changes.op), "changes do not follow each other")
        before = end
        if thread not in live:
            need(thread == len(live), "threads are not numbered in the order of their first events")
            live[thread] = []
        stack = live[thread]
        if kind == EventKind.CALL:
            need(frame == entered, "frames are not numbered in the order of their calls")
            parent = trace.frames.parent[frame]
            # The first frame of another thread or task may have been called by any frame before it.
            need(
                parent == stack[-1] if stack else -1 <= parent < (frame if thread else 0),
                "a frame with a wrong parent",
            )
            entered += 1
            stack.append(frame)
        elif kind == EventKind.RESUME:
            need(frame in waiting, "a frame goes on that was not suspended")
            waiting.discard(frame)
            stack.append(frame)
        need(bool(stack) and stack[-1] == frame, "an event of a frame that is not running")
        after = {EventKind.LINE: line, EventKind.RETURN: -1, EventKind.YIELD: -2}.get(EventKind(kind))
        flow = flows[trace.frames.code[frame]]
        if is_whole and flow and after is not None:
            name = EventKind(kind).name.lower()
            need((last_lines[frame], after) in flow, f"{name} {line} cannot follow line {last_lines[frame]}")
        last_lines[frame] = line if kind == EventKind.LINE else last_lines[frame]
        if kind in (EventKind.RETURN, EventKind.UNWIND, EventKind.YIELD):
            stack.pop()
            if kind == EventKind.YIELD:
                waiting.add(frame)
    need(entered == len(trace.frames.code), "frames without a call")
    if PUT_OUT in trace.fidelity.notes:
        return  # the record stops where the program installed another tracer
    if isinstance(trace.outcome, Returned | Raised):  # another thread may still run when the call is over
        need(not live[0], "frames still live at the end")


def _outcome(trace: Trace) -> None:
    outcome, events = trace.outcome, trace.events
    n_values = len(trace.values.kind)
    if isinstance(outcome, Returned):
        need(0 <= outcome.value < n_values, "returned value out of range")
        if events.kind and not flags_of(trace.fidelity) & 3:  # neither MADE_ELSEWHERE nor PUT_OUT
            need(_is_returned(trace, outcome.value), "no outermost call returned the outcome")
    elif isinstance(outcome, Raised):
        need(-1 <= outcome.value < n_values, "exception out of range")
        whole = PUT_OUT not in trace.fidelity.notes
        need(
            not whole or not events.kind or events.kind[-1] != EventKind.LINE,
            "raised in the middle of a line",
        )


def _is_returned(trace: Trace, handle: int) -> bool:
    """Whether an outermost call returned the value; timers and finalizers may call functions after that."""
    events = trace.events
    threads = events.thread or [0] * len(events.kind)
    return any(
        kind == EventKind.RETURN and value == handle and not thread and trace.frames.parent[frame] < 0
        for kind, frame, value, thread in zip(events.kind, events.frame, events.value, threads, strict=True)
    )
