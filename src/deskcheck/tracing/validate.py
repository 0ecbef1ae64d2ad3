"""Check a trace that came from a child process: a program can write to its own child's memory.

    check_packed(packed, program, limits) -> None    or raises Invalid with the reason; in C where built
    check(trace, program, limits) -> None            the same in plain Python: the second opinion, and slow

Checked: that it is about this program and these limits, columns of equal length, every handle, object, frame
and name in range, kinds that exist, values that can be read, keys and positions where they belong, frames
that nest (each thread by itself), lines that the function has (compiled here, not run), steps that count
line events, the last return = the outcome, replay without a failure.
Not checked: that the values are those the program computed: a program that rewrites the tracer's memory
consistently is not found out here. Of other files than the program's own source lines are only numbers.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from types import ModuleType

from deskcheck.errors import DataError
from deskcheck.format.buffers import Packed, trace_of
from deskcheck.records import (
    FORMAT_VERSION,
    CompileFailure,
    Crashed,
    Determinism,
    EventKind,
    Fidelity,
    Limits,
    MemoryLimit,
    ObjectKind,
    Op,
    Outcome,
    OutputLimit,
    Place,
    Program,
    Raised,
    Rejected,
    Returned,
    StepLimit,
    TimeLimit,
    Trace,
    ValueKind,
)
from deskcheck.tracing.lines import tables
from deskcheck.tracing.reference import MADE_ELSEWHERE, PUT_OUT
from deskcheck.tracing.replay import final_state

_native: ModuleType | None
try:
    from deskcheck.tracing import _native
except ImportError:  # no compiler when this was installed
    _native = None
if not hasattr(_native, "check"):
    _native = None

_DIGITS = re.compile(rb"-?0x[0-9a-f]+")
_TEXTS = frozenset(
    {ValueKind.STR, ValueKind.CONCAT, ValueKind.SINGLETON, ValueKind.TRUNCATED, ValueKind.OPAQUE}
)
_ORDERED = frozenset({Place.ITERATOR, Place.STACK, Place.ELEMENT})


class Invalid(DataError):
    """A trace that contradicts itself or its program."""


def check_packed(packed: Packed, program: Program, limits: Limits) -> None:
    """Invalid where it cannot be what a tracer of ours wrote about this program."""
    if _native is None:
        check(trace_of(packed), program, limits)
        return
    head = packed.head
    n_events, outcome = packed.n_events, packed.outcome
    _need(packed.program_id == program.id, f"program id {head.program_id[:32]!r}, expected {program.id}")
    _head(head.format_version, head.language, head.limits, head.determinism, program=program, limits=limits)
    _ending(outcome, limits, n_steps=packed.n_steps, n_events=n_events)
    how, value = _how(outcome)
    known = _lines(program) if n_events else {}
    codes = [
        (file, _of_code(known, name, line) if not file and n_events else None)
        for name, file, line, _ in head.codes
    ]
    wrong = _native.check(
        packed.columns, packed.offsets, head.counts, codes, len(head.names), program.source.count("\n") + 1,
        how, value, _flags(head.fidelity),
    )  # fmt: skip
    _need(wrong is None, wrong)


def check(trace: Trace, program: Program, limits: Limits) -> None:
    """Invalid where the trace cannot be what a tracer of ours wrote about this program."""
    _need(trace.program_id == program.id, f"program id {trace.program_id[:32]!r}, expected {program.id}")
    _head(
        trace.format_version, trace.language, trace.limits, trace.determinism, program=program, limits=limits
    )
    _columns(trace)
    _ending(trace.outcome, limits, n_steps=trace.n_steps, n_events=len(trace.events.kind))
    _ranges(trace)
    _values(trace)
    _changes(trace)
    _events(trace, program)
    _outcome(trace)
    _names(trace)
    try:
        final_state(trace)
    except (DataError, KeyError, IndexError, ValueError, RecursionError) as error:
        raise Invalid(f"replay fails: {type(error).__name__}: {error}") from None


# ------------------------------------------------------------------ the head


def _head(
    version: int, language: str, own: Limits, determinism: Determinism, *, program: Program, limits: Limits
) -> None:
    _need(version == FORMAT_VERSION, f"format version {version}")
    _need(language == program.language, f"language {language[:32]!r}")
    _need(own == limits, "limits are not those of the request")
    _need(not determinism.confirmed, "a run that says itself that another one confirmed it")


def _ending(outcome: Outcome, limits: Limits, *, n_steps: int, n_events: int) -> None:
    """That a tracer can have written this outcome: the others are what its parent sees."""
    tag = str(outcome.__struct_config__.tag)
    _need(not isinstance(outcome, TimeLimit | Crashed | Rejected), f"a run that says itself: {tag}")
    if isinstance(outcome, StepLimit):
        _need(n_steps == outcome.limit == limits.max_steps, "step limit without its steps")
    elif isinstance(outcome, MemoryLimit):
        _need(outcome.limit_bytes == limits.memory_bytes, "memory limit that is not that of the request")
    elif isinstance(outcome, OutputLimit):
        allowed = {"trace": limits.trace_bytes, "output": limits.output_bytes}
        _need(
            outcome.limit_bytes == allowed.get(outcome.what), "output limit that is not that of the request"
        )
    elif isinstance(outcome, CompileFailure):
        _need(not n_events, "events of a source that did not compile")


def _how(outcome: Outcome) -> tuple[int, int]:
    """What check.c calls OTHER, RETURNED and RAISED; and the value."""
    if isinstance(outcome, Returned):
        return 1, outcome.value
    return (2, outcome.value) if isinstance(outcome, Raised) else (0, -1)


def _flags(fidelity: Fidelity) -> int:
    """What check.c calls MADE_ELSEWHERE and PUT_OUT."""
    return (MADE_ELSEWHERE in fidelity.notes) + 2 * (PUT_OUT in fidelity.notes)


def _lines(program: Program) -> dict[tuple[str, int], bytes] | None:
    """Lines of the program's functions; None for a language that is not compiled here."""
    if program.language != "python":
        return None
    try:
        return tables(program.source)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise Invalid(f"events of a source that does not compile: {type(error).__name__}") from None


def _of_code(known: dict[tuple[str, int], bytes] | None, name: str, first_line: int) -> bytes | None:
    if known is None:
        return None
    lines = known.get((name, first_line))
    _need(lines is not None, f"the source has no {name[:64]!r} on line {first_line}")
    return lines


# ------------------------------------------------------------------ the columns, one by one


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
            _need(number in (0, 1), "a bool that is neither")
        elif kind == ValueKind.INT:
            _need(not data or _DIGITS.fullmatch(data) is not None, "an integer's digits are none")
        elif kind == ValueKind.COMPLEX:
            _need(len(data) == 8, "a complex number without its imaginary part")
        elif kind in (ValueKind.REF, ValueKind.POINTER):
            _need(0 <= number < n_objects, "reference out of range")
        elif kind == ValueKind.CONCAT:
            _need(0 <= number < index, "concatenation out of range")
            before = values.kind[number]
            _need(
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
        _need(known, "owner of a change out of range")
        _need((op == Op.DELETE) == (value == -1), "a deletion with a value, or a value missing")
        if place in _ORDERED:
            _need(key == -1 and index >= 0, "a position with a key, or none")
            continue
        _need(op != Op.INSERT, "an insertion where there is no order")
        if place == Place.CONTENT:
            _need(key == -1 and op == Op.SET, "a content with a key, or none")
            continue
        _need(key >= 0 and index == -1, "a key with a position, or none")
        if place <= Place.GLOBAL:
            kind = trace.values.kind[key]
            _need(kind in (ValueKind.STR, ValueKind.CONCAT), "a variable whose name is no string")


def _names(trace: Trace) -> None:
    """That no variable's name is put together from so many pieces that reading it takes long."""
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
        _need(allowed, "names put together from too many pieces")


# ------------------------------------------------------------------ the events in their order


def _events(trace: Trace, program: Program) -> None:
    n_lines = program.source.count("\n") + 1
    elsewhere = {number for number, code in enumerate(trace.codes) if code.file}
    known = _lines(program) if trace.events.kind else {}
    lines = [
        _of_code(known, code.name, code.first_line) if not code.file and trace.events.kind else None
        for code in trace.codes
    ]
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
        own = lines[trace.frames.code[frame]]
        has = own is None or (line < len(own) and bool(own[line]))
        _need(has, f"a line that its function does not have: {line}")
        _need(before <= end <= len(trace.changes.op), "changes do not follow each other")
        before = end
        if thread not in live:
            _need(thread == len(live), "threads are not numbered in the order of their first events")
            live[thread] = []
        stack = live[thread]
        if kind == EventKind.CALL:
            _need(frame == entered, "frames are not numbered in the order of their calls")
            parent = trace.frames.parent[frame]
            # The first frame of another thread or task may have been called by any frame before it.
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
    if PUT_OUT in trace.fidelity.notes:
        return  # the record stops where the program put a tracer of its own in
    if isinstance(trace.outcome, Returned | Raised):  # another thread may still run when the call is over
        _need(not live[0], "frames still live at the end")


def _outcome(trace: Trace) -> None:
    outcome, events = trace.outcome, trace.events
    n_values = len(trace.values.kind)
    if isinstance(outcome, Returned):
        _need(0 <= outcome.value < n_values, "returned value out of range")
        if events.kind and not _flags(trace.fidelity):
            _need(_last_return(trace) == outcome.value, "the last return is not the outcome")
    elif isinstance(outcome, Raised):
        _need(-1 <= outcome.value < n_values, "exception out of range")
        whole = PUT_OUT not in trace.fidelity.notes
        _need(
            not whole or not events.kind or events.kind[-1] != EventKind.LINE,
            "raised in the middle of a line",
        )


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
