"""Follow every object that the program can reach: give it a number once, and record its later changes.

    heap.begin()                       begin a new event
    handle = heap.handle(value)        a scalar's row, or a reference to an object, which `walk` then reads
    heap.walk()                        read known objects in the order of their numbers, then the new ones

Identity. An object keeps its number while it lives. It is not kept alive: `_native.Watch` reports its death,
so a new object at the same address gets a new number. A tuple whose content has changed counts as another
tuple, because zip and some other functions use one tuple again. Without the C extension, objects are kept
alive until the trace is over.

Cost. At each event, the addresses in every live container are compared; containers that changed are read.
"""

from __future__ import annotations

from array import array
from collections import OrderedDict, deque
from collections.abc import Callable
from typing import Any

from deskcheck.records import Limits, ObjectKind, Op, Place, ValueKind
from deskcheck.tracing import readers
from deskcheck.tracing.access import Access, Watching, mro
from deskcheck.tracing.reference import deltas
from deskcheck.tracing.reference.columns import Columns
from deskcheck.tracing.reference.entries import Entry
from deskcheck.tracing.reference.values import CONCAT_FROM, ValueTable
from deskcheck.tracing.shapes import Shape, Shapes

_HASHED_BY_C = frozenset(map(id, (int, float, complex, bool, str, bytes, type(None))))


class Heap:
    """All known objects that are alive, by number."""

    def __init__(
        self, columns: Columns, values: ValueTable, shapes: Shapes, *, access: Access, limits: Limits
    ) -> None:
        self.columns = columns
        self.values = values
        self.scalars = values.scalars
        self.access = access
        self.on_generator: Callable[[Entry, object], None] = lambda _entry, _value: None
        """Function that reads a generator's suspended frame; set by the tracer."""
        self.depth = 0
        """Number of references between a name and the values that are handled now."""
        self.in_loop = False
        """Whether these values are the iterators of running loops, or in one."""
        self._shapes = shapes
        self._limits = limits
        self._watch: Watching = access.watch()
        self._entries: dict[int, Entry] = {}
        self._fresh: list[Entry] = []
        self._n_deaths = 0

    # -------------------------------------------------------------- numbers

    def begin(self) -> None:
        """Begin a new event: forget the objects that have died."""
        self.depth = 0
        while died := self._watch.died():  # objects held by an entry may die with it
            self._n_deaths += len(died)
            for number in died:
                self._entries.pop(number, None)

    def close(self) -> None:
        """Release all objects, because the trace is over."""
        self._watch.close()

    def handle(self, value: object) -> int:
        """Return the handle of a value; the contents of objects are recorded from now on."""
        scalar = self.scalars.get(id(type(value)))
        if scalar is not None:
            return scalar(value)
        known = self._entries.get(self._watch.number(value))
        if known is not None:
            if not self._is_other_tuple(known, value):
                if self.depth == 0:  # a name refers to it directly
                    known.depth = 0
                return known.handle
            self._watch.forget(value)
        if self.depth > self._limits.depth:
            return self._too_much("depth", self._limits.depth, value)
        if self._n_live() >= self._limits.nodes:
            return self._too_much("nodes", self._limits.nodes, value)
        return self._new(value).handle

    def _n_live(self) -> int:
        if len(self._entries) >= self._limits.nodes:
            depth = self.depth
            self.begin()
            self.depth = depth
        return len(self._entries)

    def _is_other_tuple(self, entry: Entry, value: object) -> bool:
        if type(value) is not tuple or not entry.seen or entry.cut:
            return False
        if self.access.addresses(value) != entry.raw:
            return True
        if entry.scalars_only or entry.n_deaths == self._n_deaths:
            return False
        objects = [(i, h) for i, h in zip(value, entry.items, strict=True) if id(type(i)) not in self.scalars]
        known = [(self._entries.get(self._watch.number(item)), handle) for item, handle in objects]
        return any(other is None or other.handle != handle for other, handle in known)

    def is_reference(self, handle: int) -> bool:
        """Whether a handle stands for an object."""
        return self.columns.value_kind[handle] == ValueKind.REF

    def _too_much(self, what: str, limit: int, value: object) -> int:
        return self.values.truncated(what, limit, self._shapes.of(value).name)

    def _new(self, value: object) -> Entry:
        shape = self._shapes.of(value)
        number = self.columns.add_object(shape.kind, shape.name, shape.text(value))
        watched = self._watch.add(value)
        assert watched == number
        entry = Entry(number, self.values.reference(number, shape.name), shape, self.depth)
        if self.in_loop and shape.kind is ObjectKind.ITERATOR:
            entry.memo[readers.IN_LOOP] = True
        self._entries[number] = entry
        self._fresh.append(entry)
        return entry

    # -------------------------------------------------------------- contents

    def walk(self) -> None:
        """Read every object that can have changed, and all objects found in them."""
        for entry in [e for e in self._entries.values() if e.seen and not (e.shape.frozen and not e.cut)]:
            self._look(entry)
        for entry in self._fresh:  # the list grows meanwhile
            self._look(entry)
        self._fresh.clear()

    def _look(self, entry: Entry) -> None:
        shape = entry.shape
        value = self._watch.get(entry.number)
        if value is None:
            return
        self.depth = entry.depth + 1
        if shape.kind is ObjectKind.GENERATOR:
            self.on_generator(entry, value)
            entry.seen = True
            return
        if shape.base is not None:
            self._content(entry, value, shape)
        if shape.scalar is not None and not entry.seen:
            self._scalar_content(entry, value, shape.scalar)
        if shape.pairs is not None:
            self.in_loop = readers.IN_LOOP in entry.memo
            self.attributes(entry, shape.pairs(value, entry.memo))
            self.in_loop = False
        entry.seen = True

    def _content(self, entry: Entry, value: object, shape: Shape) -> None:
        """Write the changes of a container, unless its contents are the same as when it was read last."""
        base = shape.base
        items: list[object] | None = None
        if base is deque:
            items = _members(deque, value)
            raw: object = list(map(id, items))
        elif base is bytearray:
            raw = bytearray.__getitem__(value, slice(None))  # type: ignore[call-overload]  # base says so
        elif base is array:
            raw = array.tobytes(value)  # type: ignore[arg-type]  # base says so
        else:
            raw = self.access.addresses(value)
            if shape.kind is ObjectKind.DICT:
                raw = raw, list(map(id, _order_of(value)))
        # Another object may have taken the address of one that has died.
        sure = entry.scalars_only or entry.n_deaths == self._n_deaths
        if raw == entry.raw and sure and not entry.cut:
            return
        entry.n_deaths = self._n_deaths
        if shape.kind is ObjectKind.DICT:
            deltas.update_dict(self, entry, _items(value))
        elif shape.kind in (ObjectKind.SET, ObjectKind.FROZENSET):
            deltas.update_set(self, entry, _members(base, value))
        else:
            if items is None:
                items = _members(base, value)
            if shape.kind is not ObjectKind.ARRAY:
                raw = self.access.addresses(items)  # of the items read: a thread may have written since
            deltas.update_list(self, entry, items)
        entry.raw = raw

    def _scalar_content(self, entry: Entry, value: object, scalar: type) -> None:
        plain = scalar.__getnewargs__(value)[0]  # type: ignore[attr-defined]  # all five have it
        self.columns.add_change(Place.CONTENT, entry.number, -1, 0, Op.SET, self.handle(plain))

    def attributes(self, entry: Entry, pairs: list[tuple[str, object]]) -> None:
        """Write the changes of an object's named attributes."""
        before, number = entry.attributes, entry.number
        now: dict[int, int] = {}
        texts = {}
        cut = False
        places, last = {key: i for i, key in enumerate(before)}, -1
        for name, item in pairs:
            key = self.values.string(name)
            old, place = before.get(key), places.get(key, len(before))
            if id(type(item)) in self.scalars:
                handle = self._scalar(entry, name, old, item)
                if type(item) is str and len(item) >= CONCAT_FROM:
                    texts[name] = item
            else:
                handle = self.handle(item)
                cut = cut or not self.is_reference(handle)
            now[key] = handle
            if place < last:  # deleted and set anew: it comes later now
                self.columns.add_change(Place.ATTRIBUTE, number, key, -1, Op.DELETE, -1)
            if handle != old or place < last:
                self.columns.add_change(Place.ATTRIBUTE, number, key, -1, Op.SET, handle)
            last = max(last, place) if place < len(before) else last
        for key in before:
            if key not in now:
                self.columns.add_change(Place.ATTRIBUTE, number, key, -1, Op.DELETE, -1)
        entry.attributes = now
        entry.memo["texts"] = texts
        if entry.shape.base is None:
            entry.cut = cut

    def _scalar(self, entry: Entry, name: str, old: int | None, value: object) -> int:
        """Return the handle of a scalar attribute; a long string is stored as an extension of the old one."""
        if entry.shape.is_summary and type(value) is str:
            return self.values.summary(value)
        if old is not None and type(value) is str and len(value) > CONCAT_FROM:
            texts = entry.memo.get("texts")
            before = texts.get(name) if type(texts) is dict else None
            if before is not None and before is not value:
                return self.values.concat(old, before, value)
        return self.scalars[id(type(value))](value)


def _items(value: Any) -> list[tuple[object, object]]:
    """Return the items of a dictionary in its order."""
    items: list[tuple[object, object]] = list(dict.items(value))
    places = {id(key): place for place, key in enumerate(_order_of(value))}
    return sorted(items, key=lambda item: places.get(id(item[0]), 0))


def _order_of(value: Any) -> list[object]:
    """Return the keys of an OrderedDict, whose order can differ from that of the dict that it extends.

    [] for other types. Going through an OrderedDict hashes its keys, so the result is [] too where a hash can
    run code of the program. The native tracer reads the order without a hash.
    """
    if type(value) is dict or not any(ancestor is OrderedDict for ancestor in mro(type(value))):
        return []
    keys: list[Any] = list(dict.keys(value))
    parts = [part for key in keys for part in (key if type(key) is tuple else (key,))]
    if any(id(type(part)) not in _HASHED_BY_C for part in parts):
        return []
    return list(OrderedDict.__iter__(value))


def _members(base: type | None, value: object) -> list[object]:
    """Return the members of a built-in container, ignoring its subclass; retry if a thread wrote to it."""
    while True:
        try:
            return list(base.__iter__(value))  # type: ignore[union-attr]  # it is a container type
        except RuntimeError:  # "changed size during iteration": between making the iterator and reading it
            continue
