"""Rebuild the state at any event of a trace: the inverse of the deltas.

    Trace -> events(trace) -> Event ...
    Trace -> states(trace) -> (Event, State) ...      the state at that event; one State object, which changes
    Trace, index -> state_at(trace, index) -> State
    Trace -> final_state(trace) -> State              after the last event, to read the outcome's value
    Trace -> final_heap(trace) -> State               the same without frames and globals, but faster
    @of_a_run                                         computes a function of a trace once for each trace

The law that proves the format: the state that replay rebuilds equals the one that was read from the live
frames (`tests/tracing`). At a LINE event the state is the one *before* the line runs. Changes that contradict
each other raise DataError or KeyError.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator
from functools import wraps
from itertools import islice, repeat
from typing import Any, TypeVar

from deskcheck.errors import DataError
from deskcheck.records import (
    Change,
    Event,
    EventKind,
    ObjectKind,
    Op,
    Place,
    Trace,
    ValueKind,
)

# Members by number: calling an enumeration to look up a member takes several times longer.
_PLACES, _OPS, _KINDS = tuple(Place), tuple(Op), tuple(EventKind)
_CONTAINERS = frozenset({
    ObjectKind.LIST, ObjectKind.TUPLE, ObjectKind.DICT, ObjectKind.SET, ObjectKind.FROZENSET,
    ObjectKind.ARRAY,
})  # fmt: skip


_STRINGS = (ValueKind.STR, ValueKind.CONCAT)
SETTLED = "the result is what a promise settled to"
"""Note of a JavaScript trace whose outermost call returned a promise; its result is the settled value."""


class HeapObject:
    """One object: `items` for sequences, `entries` for everything else.

    `entries` and `attributes` map handles to handles; for a record, the key is the handle of an attribute's
    name. `attributes` is filled only for a container that also has attributes: a subclass of list, dict, ..
    """

    __slots__ = ("attributes", "entries", "items", "kind", "number", "text", "type")

    def __init__(self, number: int, kind: ObjectKind, type_name: str, text: str) -> None:
        self.number = number
        self.kind = kind
        self.type = type_name
        self.text = text
        self.items: list[int] = []  # LIST, TUPLE, ARRAY: value handles in order
        self.attributes: dict[int, int] = {}
        self.entries: dict[int, int] = {}  # DICT: key -> value; SET: member -> member; others: name -> value


class FrameState:
    """One live activation: its line and its bindings, in the order in which they were first bound."""

    __slots__ = ("bindings", "code", "iterators", "line", "number", "parent", "places", "stack")

    def __init__(self, number: int, code: int, parent: int, line: int) -> None:
        self.number = number
        self.code = code
        self.parent = parent
        self.line = line
        self.bindings: dict[str, int] = {}  # name -> value handle
        self.places: dict[str, Place] = {}  # name -> LOCAL, CELL or FREE
        self.iterators: list[int] = []  # handles, outermost loop first
        self.stack: list[int] = []  # handles of other temporaries, from the bottom


class State:
    """State at one event: live frames (outermost first), globals, heap; handles index `trace.values`."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self.frames: list[FrameState] = []
        self.suspended: dict[int, FrameState] = {}  # generators and coroutines between yield and resume
        self.globals: dict[str, int] = {}
        # number of a file -> the names of its module, with handles
        self.modules: dict[int, dict[str, int]] = {0: self.globals}
        self.running = -1  # number of the event's frame
        self.heap: dict[int, HeapObject] = {}

    @property
    def top(self) -> FrameState:
        """Running frame; with threads, the frame of the event."""
        return _find(self, self.running)

    def object(self, handle: int) -> HeapObject | None:
        """Return the heap object that a value refers to, or None for a scalar."""
        values = self.trace.values
        if values.kind[handle] != ValueKind.REF:
            return None
        return self.numbered(values.number[handle])

    def numbered(self, number: int) -> HeapObject:
        """Return the heap object of that number; an empty one is made if no change has made it."""
        found = self.heap.get(number)
        if found is None:
            trace = self.trace
            found = self.heap[number] = HeapObject(
                number,
                ObjectKind(trace.objects.kind[number]),
                trace.names[trace.objects.type[number]],
                trace.names[trace.objects.text[number]],
            )
        return found


def summary_of(trace: Trace, heap_object: HeapObject) -> str:
    """Return the summary that stands for an object; "" if its contents or its type are shown instead.

    A summary that never changes is bare: "Colour.RED". One that can change stands in angle brackets.
    """
    if heap_object.kind is ObjectKind.OPAQUE and heap_object.entries:
        texts = [value for value in heap_object.entries.values() if trace.values.kind[value] in _STRINGS]
        words = text_of(trace, texts[0]) if texts else ""
        return f"<{heap_object.type} {words}>" if words else ""
    is_summarized = heap_object.kind is ObjectKind.RECORD or (
        heap_object.kind is ObjectKind.OPAQUE and heap_object.text != heap_object.type
    )
    return heap_object.text if is_summarized else ""


def text_of(trace: Trace, handle: int) -> str:
    """Return the string that a STR or CONCAT value stands for."""
    return _bytes_of(trace, handle).decode("utf-8", "surrogatepass")


def _bytes_of(trace: Trace, handle: int) -> bytes:
    parts: list[bytes] = []
    values = trace.values
    while values.kind[handle] == ValueKind.CONCAT:
        parts.append(values.data[handle])
        handle = values.number[handle]
    if values.kind[handle] != ValueKind.STR:
        raise DataError(f"value {handle} is not a string but {ValueKind(values.kind[handle]).name}")
    parts.append(values.data[handle])
    return b"".join(reversed(parts))


def events(trace: Trace) -> Iterator[Event]:
    """Yield the events with their changes, one Struct at a time."""
    columns, changes = trace.events, trace.changes
    rows = zip(
        changes.place, changes.owner, changes.key, changes.index, changes.op, changes.value, strict=True
    )
    cells = zip(  # each column is accessed only once, because it may have to be read
        columns.kind,
        columns.changes_end,
        columns.step,
        columns.frame,
        columns.line,
        columns.value,
        strict=True,
    )
    threads = columns.thread or repeat(0)
    done = 0
    for index, ((kind, end, step, frame, line, value), thread) in enumerate(
        zip(cells, threads, strict=False)
    ):
        here = [
            Change(_PLACES[place], owner, key, position, _OPS[op], new)
            for place, owner, key, position, op, new in islice(rows, end - done)
        ]
        done = end
        yield Event(
            index=index,
            kind=_KINDS[kind],
            step=step,
            frame=frame,
            line=line,
            value=value,
            changes=here,
            thread=thread,
        )


def states(trace: Trace) -> Iterator[tuple[Event, State]]:
    """Yield every event with its state. The State is one object that changes: copy what you keep."""
    state = State(trace)
    leaving = -1
    for event in events(trace):
        if leaving >= 0:
            _leave(state, leaving)
            leaving = -1
        _enter(state, event)
        for change in event.changes:
            _apply(state, change)
        yield event, state
        # The frame is live at its last event, and removed before the next one.
        if event.kind in (EventKind.RETURN, EventKind.UNWIND):
            leaving = event.frame
        elif event.kind == EventKind.YIELD:
            state.suspended[event.frame] = _find(state, event.frame)
            leaving = event.frame


def state_at(trace: Trace, index: int) -> State:
    """Return the state at event `index`. DataError if there is no such event."""
    for event, state in states(trace):
        if event.index == index:
            return state
    raise DataError(f"the trace has {len(trace.events.kind)} events; there is no event {index}")


def final_state(trace: Trace) -> State:
    """Return the state at the end of the call. Changes after the last event belong to the outcome."""
    state = State(trace)
    for _, reached in states(trace):
        state = reached
    columns = trace.changes
    done = trace.events.changes_end[-1] if trace.events.changes_end else 0
    for index in range(done, len(columns.op)):
        row = (columns.place, columns.owner, columns.key, columns.index, columns.op, columns.value)
        place, owner, key, position, op, value = (column[index] for column in row)
        _apply(state, Change(Place(place), owner, key, position, Op(op), value))
    return state


def final_heap(trace: Trace) -> State:
    """Return a state with the objects at the end of the call, without frames and globals."""
    state = State(trace)
    columns = trace.changes
    rows = zip(
        columns.place, columns.owner, columns.key, columns.index, columns.op, columns.value, strict=True
    )
    for place, owner, key, position, op, value in rows:
        if place >= Place.ELEMENT:
            _apply(state, Change(_PLACES[place], owner, key, position, _OPS[op], value))
    return state


def _find(state: State, number: int) -> FrameState:
    for frame in reversed(state.frames):
        if frame.number == number:
            return frame
    raise DataError(f"frame {number} is not live")


def _leave(state: State, number: int) -> None:
    state.frames.remove(_find(state, number))


def _enter(state: State, event: Event) -> None:
    trace = state.trace
    if event.kind == EventKind.CALL:
        state.frames.append(
            FrameState(
                event.frame, trace.frames.code[event.frame], trace.frames.parent[event.frame], event.line
            )
        )
    elif event.kind == EventKind.RESUME:
        state.frames.append(state.suspended.pop(event.frame))
    _find(state, event.frame).line = event.line
    state.running = event.frame


def _apply(state: State, change: Change) -> None:
    """Make one change in the state."""
    place = change.place
    if place <= Place.FREE:
        _bind(state, change)
    elif place == Place.GLOBAL:
        name = text_of(state.trace, change.key)
        names = state.modules.setdefault(change.owner, {})
        if change.op == Op.DELETE:
            del names[name]
        else:
            names[name] = change.value
    elif place in (Place.ITERATOR, Place.STACK):
        frame = _any_frame(state, change.owner)
        _edit(frame.iterators if place == Place.ITERATOR else frame.stack, change)
    elif place == Place.ELEMENT:
        _edit(state.numbered(change.owner).items, change)
    elif place == Place.CONTENT:
        state.numbered(change.owner).items = [change.value]
    else:
        found = state.numbered(change.owner)
        shared = place == Place.ATTRIBUTE and found.kind in _CONTAINERS
        entries = found.attributes if shared else found.entries
        if change.op == Op.DELETE:
            del entries[change.key]
        else:
            entries[change.key] = change.value


def _bind(state: State, change: Change) -> None:
    frame = _any_frame(state, change.owner)
    name = text_of(state.trace, change.key)
    if change.op == Op.DELETE:
        del frame.bindings[name]
        del frame.places[name]
    else:
        frame.bindings[name] = change.value
        frame.places[name] = change.place


def _any_frame(state: State, number: int) -> FrameState:
    if number in state.suspended:
        return state.suspended[number]
    return _find(state, number)


def _edit(items: list[int], change: Change) -> None:
    if not 0 <= change.index < len(items) + (change.op == Op.INSERT):
        raise DataError(f"a change at index {change.index} of {len(items)} items")
    if change.op == Op.INSERT:
        items.insert(change.index, change.value)
    elif change.op == Op.DELETE:
        del items[change.index]
    else:
        items[change.index] = change.value


T = TypeVar("T")
_FACTS: dict[int, tuple[weakref.ref[Trace], dict[Any, Any]]] = {}
"""Identity of a trace -> the trace, and its facts by the function that made them."""


def of_a_run(make: Callable[[Trace], T]) -> Callable[[Trace], T]:
    """Make a function of a trace compute its result once for each trace, until the trace is freed.

    Results should be small: each stays in memory as long as its trace, even if the columns are released.
    """

    @wraps(make)
    def fact(trace: Trace) -> T:
        facts = _facts(trace)
        if make not in facts:
            facts[make] = make(trace)
        result: T = facts[make]
        return result

    return fact


def _facts(trace: Trace) -> dict[Any, Any]:
    number = id(trace)
    if number not in _FACTS or _FACTS[number][0]() is not trace:
        _FACTS[number] = weakref.ref(trace, lambda freed: _forget(number, freed)), {}
    return _FACTS[number][1]


def _forget(number: int, freed: weakref.ref[Trace]) -> None:
    """Forget the facts of a freed trace, unless another trace has its identity by now."""
    if number in _FACTS and _FACTS[number][0] is freed:
        del _FACTS[number]
