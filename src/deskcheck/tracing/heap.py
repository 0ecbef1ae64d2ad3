"""Follow every object that the program can reach: number it once, record each later change of it.

    heap.begin()                       a new event
    handle = heap.handle(value)        scalar: its row; anything else: a reference, and it will be looked into
    heap.walk()                        looks into everything reached, writes the changes
    heap.sweep()                       forgets what was not reached

Identity. An address is not identity: memory is used again. Plain containers (scalars all the way down) are
held
until the event at which they are no longer reached, which nobody can notice; instances are watched by weak
references, so their end comes when it would have come; what allows neither is known by its address for as
long as it is reached at every event. Scalars inside containers are held, so an unchanged address is an
unchanged value.

Cost. One event costs a pointer comparison per container in reach, and its size where it changed.
"""

from __future__ import annotations

import weakref
from array import array
from collections import deque
from collections.abc import Callable

from deskcheck.records import Limits, ObjectKind, Op, Place
from deskcheck.tracing import deltas, iterators
from deskcheck.tracing.access import Access
from deskcheck.tracing.columns import Columns
from deskcheck.tracing.entries import Entry
from deskcheck.tracing.shapes import Shape, Shapes
from deskcheck.tracing.values import CONCAT_FROM, ValueTable


class Heap:
    """All objects in reach, by address."""

    def __init__(
        self, columns: Columns, values: ValueTable, shapes: Shapes, *, access: Access, limits: Limits
    ) -> None:
        self.columns = columns
        self.values = values
        self.scalars = values.scalars
        self.access = access
        self.stamp = 0
        self.on_generator: Callable[[Entry, object], None] = lambda _entry, _value: None
        """Looks into suspended frames; set by the tracer."""
        self.depth = 0
        self.in_loop = False
        self._shapes = shapes
        self._limits = limits
        self._entries: dict[int, Entry] = {}
        self._of_handle: dict[int, Entry] = {}
        self._queue: list[tuple[Entry, object]] = []
        self._changed: list[tuple[Entry, object]] = []
        self._n_reached = 0

    # -------------------------------------------------------------- reaching

    def begin(self) -> None:
        """A new event: nothing has been reached yet."""
        self.stamp += 1
        self.depth = 0
        self._n_reached = 0

    def handle(self, value: object) -> int:
        """Handle of a value; objects are reached by it."""
        scalar = self.scalars.get(id(type(value)))
        if scalar is not None:
            return scalar(value)
        return self.reach(value).handle if self._may_reach(value) else self._too_much(value)

    def reach(self, value: object) -> Entry:
        """Entry of an object; it will be looked into at this event."""
        entry = self._entries.get(id(value))
        if entry is None or not entry.is_of(value):
            entry = self._new(value)
        if entry.stamp != self.stamp:
            self.touch(entry, value)
        return entry

    def touch(self, entry: Entry, value: object) -> None:
        """Look into a known object at this event."""
        entry.stamp = self.stamp
        entry.depth = self.depth
        self._n_reached += 1
        self._queue.append((entry, value))

    def keep(self, entry: Entry) -> None:
        """Count an object as reached that cannot be looked into at this event."""
        entry.stamp = self.stamp
        self._n_reached += 1

    def _may_reach(self, value: object) -> bool:
        if self.depth <= self._limits.depth and self._n_reached < self._limits.nodes:
            return True
        entry = self._entries.get(id(value))
        return entry is not None and entry.is_of(value) and self._n_reached < self._limits.nodes

    def _too_much(self, value: object) -> int:
        what, size = (
            ("depth", self._limits.depth)
            if self.depth > self._limits.depth
            else ("nodes", self._limits.nodes)
        )
        return self.values.truncated(what, size, self._shapes.of(value).name)

    def _new(self, value: object) -> Entry:
        shape = self._shapes.of(value)
        number = self.columns.object(shape.kind, shape.name, shape.text(value))
        entry = Entry(value, number, self.values.reference(number, shape.name), shape)
        if shape.weak:
            entry.weak = weakref.ref(value)
        if self.in_loop and shape.kind is ObjectKind.ITERATOR:
            entry.memo[iterators.IN_LOOP] = True
        self._entries[id(value)] = entry
        self._of_handle[entry.handle] = entry
        return entry

    # -------------------------------------------------------------- looking into

    def walk(self) -> None:
        """Look into everything that was reached, and into what that reaches."""
        queue = self._queue
        position = 0
        while position < len(queue):
            entry, value = queue[position]
            position += 1
            self._look(entry, value)
        queue.clear()
        for entry, value in reversed(self._changed):
            self._hold(entry, value)
        self._changed.clear()

    def _look(self, entry: Entry, value: object) -> None:
        shape = entry.shape
        self.depth = entry.depth + 1
        if shape.kind is ObjectKind.GENERATOR:
            self.on_generator(entry, value)
            return
        if shape.base is not None:
            self._content(entry, value, shape)
        if shape.scalar is not None and entry.raw is None:
            self._scalar_content(entry, value, shape.scalar)
        if shape.pairs is not None:
            self.in_loop = iterators.IN_LOOP in entry.memo
            self.attributes(entry, value, shape.pairs(value, entry.memo))
            self.in_loop = False

    def _content(self, entry: Entry, value: object, shape: Shape) -> None:
        base = shape.base
        kind = shape.kind
        items: list[object] | None = None
        if base is deque:
            items = _members(deque, value)
            raw: object = list(map(id, items))
        elif base is bytearray:
            raw = bytearray.__getitem__(value, slice(None))  # type: ignore[call-overload]
        elif base is array:
            raw = array.tobytes(value)  # type: ignore[arg-type]
        else:
            raw = self.access.addresses(value)
        if raw == entry.raw and not entry.cut and self._kids_are_known(entry):
            return
        self._changed.append((entry, value))
        if kind is ObjectKind.DICT:
            deltas.update_dict(self, entry, list(dict.items(value)))  # type: ignore[arg-type]
        elif kind in (ObjectKind.SET, ObjectKind.FROZENSET):
            deltas.update_set(self, entry, _members(base, value))
        else:
            if items is None:
                items = _members(base, value)
            if kind is not ObjectKind.ARRAY:
                raw = self.access.addresses(items)  # of what was read: a thread may have written since
            deltas.update_list(self, entry, raw, items)
        entry.raw = raw

    def _kids_are_known(self, entry: Entry) -> bool:
        """Reach the known children; False where a child cannot be found without reading the container."""
        stamp = self.stamp
        for kid in entry.kids:
            if kid.stamp != stamp:
                value = kid.get()
                if value is None:
                    return False
                self.touch(kid, value)
        return True

    def _scalar_content(self, entry: Entry, value: object, scalar: type) -> None:
        plain = scalar.__getnewargs__(value)[0]  # type: ignore[attr-defined]
        handle = self.handle(plain)
        entry.raw = entry.items = [handle]
        self.columns.change(Place.CONTENT, entry.number, -1, 0, Op.SET, handle)

    def attributes(self, entry: Entry, value: object, pairs: list[tuple[str, object]]) -> None:
        """Write what changed among an object's named attributes."""
        known = entry.attributes
        number = entry.number
        found = set()
        texts = {}
        plain = True
        for name, item in pairs:
            key = self.values.string(name)
            found.add(key)
            old = known.get(key)
            if id(type(item)) in self.scalars:
                handle = self._scalar(entry, name, old, item)
                if type(item) is str and len(item) >= CONCAT_FROM:
                    texts[name] = item
            else:
                handle = self.handle(item)
                plain = plain and self.is_held(handle)
            if handle != old:
                known[key] = handle
                self.columns.change(Place.ATTRIBUTE, number, key, -1, Op.SET, handle)
        if len(found) != len(known):
            for key in [key for key in known if key not in found]:
                del known[key]
                self.columns.change(Place.ATTRIBUTE, number, key, -1, Op.DELETE, -1)
        entry.memo["texts"] = texts
        if entry.shape.exact and entry.shape.base is None:
            entry.held = value if plain else None

    def _scalar(self, entry: Entry, name: str, old: int | None, value: object) -> int:
        """Handle of an attribute that is a scalar; long strings as extensions of the one before."""
        if old is not None and type(value) is str and len(value) > CONCAT_FROM:
            texts = entry.memo.get("texts")
            before = texts.get(name) if type(texts) is dict else None
            if before is not None and before is not value:
                return self.values.concat(old, before, value)
        return self.scalars[id(type(value))](value)

    def is_held(self, handle: int) -> bool:
        """Whether a reference is to an object that is held, so that its end is nobody's business."""
        entry = self._of_handle.get(handle)
        return entry is not None and entry.held is not None

    def entry_of(self, handle: int) -> Entry | None:
        """Entry that a reference handle stands for."""
        return self._of_handle.get(handle)

    # -------------------------------------------------------------- forgetting

    def _hold(self, entry: Entry, value: object) -> None:
        """Hold a container that only scalars and held containers are in: its end is nobody's business."""
        shape = entry.shape
        if shape.exact:
            entry.held = value if all(kid.held is not None for kid in entry.kids) else None

    def sweep(self) -> None:
        """Forget what the program can no longer reach; what is only out of sight keeps its number."""
        if len(self._entries) == self._n_reached:
            return
        stamp = self.stamp
        gone = []
        for address, entry in self._entries.items():
            if entry.stamp == stamp:
                continue
            if entry.held is not None or entry.weak is None or entry.weak() is None:
                gone.append(address)
        for address in gone:
            entry = self._entries.pop(address)
            self._of_handle.pop(entry.handle, None)
            entry.held = None


def _members(base: type | None, value: object) -> list[object]:
    """What a built-in container holds, whatever its subclass says; read again when a thread wrote meanwhile."""
    while True:
        try:
            return list(base.__iter__(value))  # type: ignore[union-attr]
        except RuntimeError:  # "changed size during iteration": between making the iterator and reading it
            continue
