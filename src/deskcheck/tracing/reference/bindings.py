"""Write the changes of a frame's names, iterators and temporaries into the trace's columns.

    record = FrameRecord(number, facts, keys, missing)
    update_names(heap, record, slots)             LOCAL, CELL, FREE changes; GLOBAL for a module's record
    update_namespace(heap, record, slots, names)  the same for a class body
    update_stack(heap, record, labels, stack)     ITERATOR and STACK changes

A record holds scalars; other objects are known only by their handle, so no reference keeps them alive.
"""

from __future__ import annotations

from types import FrameType

from deskcheck.records import Op, Place
from deskcheck.tracing import codes
from deskcheck.tracing.codes import CodeFacts
from deskcheck.tracing.reference import deltas
from deskcheck.tracing.reference.heap import Heap

_OBJECT = object()  # stands for any value that is not a scalar


class FrameRecord:
    """One activation of a function while it is traced."""

    __slots__ = (
        "delegates", "dirty", "facts", "frame", "handles", "iterators", "keys", "last", "line", "names",
        "number", "places", "raising", "temporaries", "thread",
    )  # fmt: skip

    def __init__(self, number: int, facts: CodeFacts, keys: list[int], missing: object) -> None:
        self.number = number
        self.facts = facts
        self.frame: FrameType | None = None  # only while it is running or waits for a callee
        self.thread = 0
        self.line = facts.code.co_firstlineno  # of its last event
        self.keys = keys  # handles of the names
        self.names = list(facts.names)
        self.places = list(facts.places)
        self.last: list[object] = [missing] * len(keys)  # value of each name when it was read last
        self.handles: list[int] = [-1] * len(keys)  # of these values
        self.iterators: list[int] = []
        self.temporaries: list[int] = []
        self.dirty = True  # it has run since it was read
        self.raising = False  # an exception has been raised and no line has run since
        self.delegates = False  # a throw reached another generator through it, without an event


def update_names(heap: Heap, record: FrameRecord, slots: list[object]) -> None:
    """Write the names whose values changed. `slots`: a value per name, `heap.access.missing` if unbound."""
    missing = heap.access.missing
    last, handles = record.last, record.handles
    change = heap.columns.add_change
    for index, value in enumerate(slots):
        if last[index] is value:
            continue
        if value is missing:
            last[index] = missing
            handles[index] = -1
            change(record.places[index], record.number, record.keys[index], -1, Op.DELETE, -1)
            continue
        handle = _bind(heap, record, index, value)
        if handle != handles[index]:
            handles[index] = handle
            change(record.places[index], record.number, record.keys[index], -1, Op.SET, handle)


def _bind(heap: Heap, record: FrameRecord, index: int, value: object) -> int:
    before = record.last[index]
    scalar = heap.scalars.get(id(type(value)))
    if scalar is None:
        record.last[index] = _OBJECT
        return heap.handle(value)
    record.last[index] = value
    if type(value) is str and type(before) is str:
        return heap.values.concat(record.handles[index], before, value)
    return scalar(value)


def update_namespace(
    heap: Heap, record: FrameRecord, slots: list[object], namespace: dict[str, object]
) -> None:
    """Write the names of a class body: its dictionary, and the slots of its inlined comprehensions."""
    known, missing = set(record.names[len(slots) :]), heap.access.missing
    own = [missing if _is_private(name) else value for name, value in zip(record.names, slots, strict=False)]
    for name in list(dict.keys(namespace)):
        if type(name) is str and name not in known and not _is_private(name):
            record.names.append(name)
            record.keys.append(heap.values.string(name))
            record.places.append(Place.LOCAL)
            record.last.append(missing)
            record.handles.append(-1)
    kept = [dict.get(namespace, name, missing) for name in record.names[len(slots) :]]
    update_names(heap, record, own + kept)


def _is_private(name: str) -> bool:
    """Whether a name is one of the compiler's: `__module__`, `__classdict__` and so on."""
    return name.startswith("__") and name.endswith("__")


def update_stack(heap: Heap, record: FrameRecord, labels: str, stack: list[object]) -> None:
    """Write the iterators of live loops and the temporaries.

    `labels`: a letter of `codes.py` for each slot of the stack, which tells what the slot holds.
    """
    missing = heap.access.missing
    iterators: list[int] = []
    temporaries: list[int] = []
    below: object = None
    for index, value in enumerate(stack):
        label = labels[index] if index < len(labels) else codes.VALUE
        if value is missing:
            pass
        elif label == codes.ITERATOR:
            heap.in_loop = True
            iterators.append(heap.handle(value))
            heap.in_loop = False
        elif label == codes.VALUE or (label == codes.SELF and below is not missing):  # a callable is none
            temporaries.append(heap.handle(value))
        below = value
    deltas.write_changes(heap, Place.ITERATOR, record.number, record.iterators, iterators)
    deltas.write_changes(heap, Place.STACK, record.number, record.temporaries, temporaries)
    record.iterators, record.temporaries = iterators, temporaries
