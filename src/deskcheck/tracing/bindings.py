"""What is known of one activation's names, iterators and temporaries, and the changes to them.

    record = FrameRecord(number, facts, keys, frame)
    update_names(heap, record, slots)             LOCAL, CELL, FREE changes
    update_stack(heap, record, labels, stack)     ITERATOR and STACK changes
    reach_known(heap, record)                     for a caller that has not run since it was read

No reference to a local is kept: scalars are held, objects are known by their Entry.
"""

from __future__ import annotations

from types import FrameType

from deskcheck.records import Op, Place
from deskcheck.tracing import codes, deltas
from deskcheck.tracing.codes import CodeFacts
from deskcheck.tracing.entries import Entry
from deskcheck.tracing.heap import Heap

_UNREAD = object()  # what a slot that could not be looked into was


class FrameRecord:
    """One activation."""

    __slots__ = (
        "dirty", "facts", "frame", "handles", "iterators", "keys", "last", "names", "number", "on_stack",
        "places", "raising", "stamp", "temporaries", "thread",
    )  # fmt: skip

    def __init__(self, number: int, facts: CodeFacts, keys: list[int], missing: object) -> None:
        self.number = number
        self.facts = facts
        self.frame: FrameType | None = None  # only while it is running or waits for a callee
        self.keys = keys
        self.names = list(facts.names)
        self.places = list(facts.places)
        self.last: list[object] = [missing] * len(keys)
        self.handles: list[int] = [-1] * len(keys)
        self.iterators: list[int] = []
        self.temporaries: list[int] = []
        self.on_stack: list[Entry] = []
        self.dirty = True  # has run since it was read
        self.raising = False  # an exception has passed and no line was run since
        self.stamp = 0
        self.thread = 0  # number of the thread or task that runs it


def update_names(heap: Heap, record: FrameRecord, slots: list[object]) -> None:
    """Write the names whose values changed; look into the objects of the others."""
    missing = heap.access.missing
    stamp = heap.stamp
    last, handles = record.last, record.handles
    change = heap.columns.change
    for index, value in enumerate(slots):
        before = last[index]
        if before is value:
            continue
        if type(before) is Entry and before.address == id(value) and before.is_of(value):
            if before.stamp != stamp:
                heap.touch(before, value)
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
        handle = heap.handle(value)
        record.last[index] = heap.entry_of(handle) or _UNREAD
        return handle
    record.last[index] = value
    if type(value) is str and type(before) is str:
        return heap.values.concat(record.handles[index], before, value)
    return scalar(value)


def update_namespace(
    heap: Heap, record: FrameRecord, slots: list[object], namespace: dict[str, object]
) -> None:
    """Names of a class body, kept in a dictionary; variables of its inlined comprehensions in slots."""
    known = set(record.names[len(slots) :])
    for name in list(namespace):
        if type(name) is str and name not in known and not (name.startswith("__") and name.endswith("__")):
            record.names.append(name)
            record.keys.append(heap.values.string(name))
            record.places.append(Place.LOCAL)
            record.last.append(heap.access.missing)
            record.handles.append(-1)
    kept = [namespace.get(name, heap.access.missing) for name in record.names[len(slots) :]]
    update_names(heap, record, slots + kept)


def update_stack(heap: Heap, record: FrameRecord, labels: str, stack: list[object]) -> None:
    """Write the iterators of live loops and the temporaries, told apart by the labels."""
    if not stack and not record.on_stack and not record.temporaries:
        return
    missing = heap.access.missing
    iterators: list[int] = []
    temporaries: list[int] = []
    below: object = None
    for index, value in enumerate(stack):
        label = labels[index] if index < len(labels) else codes.VALUE
        if label == codes.ITERATOR:
            heap.in_loop = True
            iterators.append(heap.handle(value))
            heap.in_loop = False
        elif value is not missing and (
            label == codes.VALUE or (label == codes.SELF and _is_argument(below, missing))
        ):
            temporaries.append(heap.handle(value))
        below = value
    deltas.diff(heap, Place.ITERATOR, record.number, record.iterators, iterators)
    deltas.diff(heap, Place.STACK, record.number, record.temporaries, temporaries)
    record.iterators, record.temporaries = iterators, temporaries
    entries = (heap.entry_of(handle) for handle in iterators + temporaries)
    record.on_stack = [entry for entry in entries if entry is not None]


def _is_argument(below: object, missing: object) -> bool:
    """Whether the upper slot of a method pair is the receiver, and not the callable itself."""
    return below is not missing


def reach_known(heap: Heap, record: FrameRecord) -> bool:
    """Look into what a frame that has not run holds; False where its frame must be read to find it."""
    stamp = heap.stamp
    for entry in record.last:
        if type(entry) is Entry and entry.stamp != stamp:
            value = entry.get()
            if value is None:
                return False
            heap.touch(entry, value)
    return reach_stack(heap, record)


def reach_stack(heap: Heap, record: FrameRecord, *, keep: bool = False) -> bool:
    """Look into what was last seen on the stack; `keep` also what can't be found again (inside a C call)."""
    for entry in record.on_stack:
        if entry.stamp != heap.stamp:
            value = entry.get()
            if value is not None:
                heap.touch(entry, value)
            elif keep:
                heap.keep(entry)
            else:
                return False
    return True
