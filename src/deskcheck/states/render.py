"""Build the tree of each state of a trace: find shared objects, give labels, reuse unchanged values.

    builder = TreeBuilder(trace)
    builder.note_changes(event)                             for every event, before the state at it is built
    builder.build_state(state, frames, mark=.., value=.., places=..) -> StateTree
    results.add_event(event);  results.live(frame, line) -> {"^13-17": handle}

A handle is the number of a row in the trace's table of values. One TreeBuilder follows one trace. A value
without labels is built again only after one of its objects changed, so consecutive states share most of their
trees. This does not hold in a state with a shared object or for a trace with a generator: there every value
that holds others is built for each state. After a change of a reference, all reachable objects are visited to
find the shared ones.

Results holds the results of expressions that an enclosing expression has not used yet. A result is dropped
when its frame reaches another line, unless an enclosing expression at a later event uses it (a call over
several lines).
"""

from __future__ import annotations

import struct
from typing import Any

from deskcheck.languages import Shape, offers, part
from deskcheck.records import Change, Event, EventKind, ObjectKind, Op, Place, Trace, ValueKind
from deskcheck.states.tree import Frame, StateTree, Value, span_text
from deskcheck.tracing.replay import FrameState, HeapObject, State, text_of

Span = tuple[tuple[int, int], tuple[int, int]]
_ENDS = (EventKind.RETURN, EventKind.UNWIND)


class Results:
    """Results of expressions that are still needed, along the events of one trace."""

    def __init__(self, trace: Trace) -> None:
        self._trace = trace
        self._used = _used_later(trace)
        self._live: dict[int, dict[Span, tuple[int, int]]] = {}

    def add_event(self, event: Event) -> None:
        """Update the live results by the next event of the trace."""
        live = self._live.setdefault(event.frame, {})
        if event.kind == EventKind.EXPRESSION:
            span = _span(self._trace, event.index)
            for inner in [known for known in live if _contains(span, known)]:
                del live[inner]
            live[span] = (event.index, event.value)
        elif event.kind == EventKind.LINE:
            for span, (index, _) in list(live.items()):
                if index not in self._used:
                    del live[span]
        elif event.kind in _ENDS:
            self._live.pop(event.frame, None)

    def live(self, frame: int, line: int) -> dict[str, int]:
        """Return {entry name: handle} of the live results of a frame at `line`, in order of evaluation."""
        live = self._live.get(frame, {})
        return {f"^{span_text(*span, line)}": handle for span, (_, handle) in live.items()}


def _span(trace: Trace, index: int) -> Span:
    events = trace.events
    return (events.line[index], events.column[index]), (events.end_line[index], events.end_column[index])


def _contains(outer: Span, inner: Span) -> bool:
    return outer[0] <= inner[0] and inner[1] <= outer[1]


def _used_later(trace: Trace) -> set[int]:
    """Return the indices of expression events whose results a later, enclosing expression uses."""
    needed: set[int] = set()
    live: dict[int, dict[Span, int]] = {}
    for index, kind in enumerate(trace.events.kind):
        frame = trace.events.frame[index]
        if kind == EventKind.EXPRESSION:
            span = _span(trace, index)
            spans = live.setdefault(frame, {})
            for inner in [known for known in spans if _contains(span, known)]:
                if inner != span:
                    needed.add(spans[inner])
                del spans[inner]
            spans[span] = index
        elif kind in _ENDS:
            live.pop(frame, None)
    return needed


# Kinds of objects that get a label if two places refer to one of them; _VALUE_TYPES are records without
# identity.
_WITH_IDENTITY = {
    ObjectKind.LIST,
    ObjectKind.DICT,
    ObjectKind.SET,
    ObjectKind.ARRAY,
    ObjectKind.RECORD,
    ObjectKind.ITERATOR,
    ObjectKind.GENERATOR,
}
_CONTAINERS = {ObjectKind.LIST, ObjectKind.DICT, ObjectKind.SET, ObjectKind.ARRAY, ObjectKind.RECORD}
_VALUE_TYPES = {"range", "slice"}
_SEQUENCE_ITERATORS = (
    "list_iterator",
    "tuple_iterator",
    "str_iterator",
    "str_ascii_iterator",
    "bytes_iterator",
)
_SHORT_ITERATORS = {
    "dict_keyiterator": "iter",
    "dict_itemiterator": "items",
    "dict_valueiterator": "values",
    **dict.fromkeys((*_SEQUENCE_ITERATORS, "set_iterator", "for-of", "for-in", "for-await"), "iter"),
}
_HIDDEN = {ObjectKind.CLASS, ObjectKind.MODULE, ObjectKind.FUNCTION}
# Mark of an event -> mark before the value that the last frame of the state shows; none for other events.
# Marks: ">" call, "@" line, "<-" return, "^" yield, "!" raise, "!!" unwind (`tree.py`).
_PENDING = {"<-": "<-", "^": "<-", "!": "!", "!!": "!"}
_NONE = Value("literal", "None")


def _part_of_another_language(language: str, name: str) -> Any:
    """Return a part that writes values, or None: then they are written as Python's."""
    return part(language, name) if language != "python" and offers(language, name) else None


Places = dict[int, tuple[int, int]]
"""Frame number -> (line, offset)."""


class TreeBuilder:
    """Builder of the states of one trace, in their order."""

    def __init__(self, trace: Trace, results: Results | None = None) -> None:
        self.trace = trace
        self._results = results
        self._scalar = _part_of_another_language(trace.language, "scalar")
        self._shape = _part_of_another_language(trace.language, "shape")
        values = trace.values
        # Handle -> number of the object it refers to, -1 for a scalar.
        self._number = [
            number if kind == ValueKind.REF else -1
            for kind, number in zip(values.kind, values.number, strict=True)
        ]
        self._scalars: dict[int, Value] = {}
        self._inside: dict[int, list[int]] = {}  # object -> objects it refers to
        self._leaves: dict[int, Value] = {}  # trees of objects that refer to none, without a label
        self._whole: dict[int, Value] = {}  # trees of other objects, built in a state without shared objects
        self._holders: dict[int, set[int]] = {}  # object -> objects that have ever referred to it
        # The variables of a generator change with its frame and not with its object, so no change of an
        # object tells when its tree is out of date.
        self._keeps_whole = ObjectKind.GENERATOR not in trace.objects.kind
        self._live = State(trace)
        self._places: Places = {}
        self._labels: dict[int, int] = {}
        self._shared: set[int] = set()
        self._searched: list[int] = []  # the objects at the roots when `_find_shared` last ran
        self._stale = True  # some object may have changed its references since then

    def note_changes(self, event: Event) -> None:
        """Forget the trees of the objects that an event changed."""
        for change in event.changes:
            if change.place >= Place.ELEMENT:
                owner = change.owner
                if not self._refers_as_before(change):
                    self._inside.pop(owner, None)
                    self._stale = True
                self._leaves.pop(owner, None)
                self._forget(owner)

    def _refers_as_before(self, change: Change) -> bool:
        """Whether a change leaves the references of its object as they were.

        It does in an object that holds only scalars, and in an iterator that only changes its position.
        """
        numbers = self._number
        if (change.value >= 0 and numbers[change.value] >= 0) or (
            change.key >= 0 and numbers[change.key] >= 0
        ):
            return False
        kind = self.trace.objects.kind[change.owner]
        if kind == ObjectKind.ITERATOR:
            return change.op == Op.SET and self._scalar_text(change.key) == "'position'"
        return kind in _CONTAINERS and self._inside.get(change.owner) == []

    def _scalar_text(self, handle: int) -> str:
        return self.build(handle).text if handle >= 0 else ""

    def _forget(self, number: int) -> None:
        """Forget the tree of an object, and those of all objects that hold it."""
        self._whole.pop(number, None)
        waiting = [*self._holders.get(number, ())]
        while waiting:
            holder = waiting.pop()
            # If this holder has no stored tree, no holder of it has: building theirs would have built it.
            if self._whole.pop(holder, None) is not None:
                waiting += self._holders.get(holder, ())

    # -------------------------------------------------------------- one state

    def build_state(
        self, live: State, frames: list[FrameState], *, mark: str, value: int, places: Places
    ) -> StateTree:
        """Build the state with these frames, of which the last is the present one.

        `mark` is that of the event, and `value` the handle that the event passes on, -1 for none. `places`
        has the line and the offset of each frame. `live` becomes the state that the other methods read.
        """
        self._live, self._places = live, places
        module = {name: handle for name, handle in live.globals.items() if not self._is_hidden(handle)}
        roots = [*module.values()]
        for frame in frames:
            roots += [*frame.bindings.values(), *frame.iterators, *self._temporaries(frame).values()]
        pending = _PENDING.get(mark, "") if frames else ""
        if pending:
            roots.append(value)
        self._find_shared(roots)
        module_values = {name: self.build(handle) for name, handle in module.items()}
        last = len(frames) - 1
        trees = [
            self._frame(frame, mark, pending, value) if number == last else self._frame(frame)
            for number, frame in enumerate(frames)
        ]
        return StateTree(tuple(trees), module_values)

    def build_event_value(self, after: StateTree, value: int) -> Value:
        """Build the value of a return, raise, unwind or yield, with the labels of the state `after` it.

        If that state does not show the value, it is built alone.
        """
        if after.frames and after.frames[-1].value is not None:
            return after.frames[-1].value
        if value < 0:
            return _NONE
        self._find_shared([value])
        return self.build(value)

    def build_alone(self, live: State, places: Places, value: int) -> Value:
        """Build one value alone, with labels counted from 1, in the present state of the run."""
        self._live, self._places = live, places
        self._find_shared([value])
        return self.build(value)

    def _frame(self, frame: FrameState, mark: str = "", pending: str = "", value: int = -1) -> Frame:
        known, build = self._scalars.get, self.build
        entries = {name: known(handle) or build(handle) for name, handle in frame.bindings.items()}
        for number, handle in enumerate(frame.iterators, 1):
            entries[f"~{number}"] = self.build(handle)
        for name, handle in self._temporaries(frame).items():
            entries[name] = self.build(handle)
        line, offset = self._places[frame.number]
        return Frame(
            ">" if mark == ">" else "@",
            line,
            entries,
            pending,
            self.build(value) if pending else None,
            offset,
        )

    def _temporaries(self, frame: FrameState) -> dict[str, int]:
        """Return {name: handle} of the value stack, or of results of expressions that are still needed."""
        if self._results is not None:
            return self._results.live(frame.number, self._places[frame.number][0])
        return {f"^{number}": handle for number, handle in enumerate(frame.stack, 1)} if frame.stack else {}

    def _is_hidden(self, handle: int) -> bool:
        number = self._number[handle]
        return number >= 0 and self.trace.objects.kind[number] in _HIDDEN

    def _find_shared(self, roots: list[int]) -> None:
        """Find the objects that need a label: mutable and referred to twice, or inside themselves.

        A search in depth. An entry ~number says that everything inside object `number` has been visited.
        """
        self._labels = {}
        numbers = self._number
        waiting = [numbers[handle] for handle in reversed(roots) if numbers[handle] >= 0]
        if not self._stale and waiting == self._searched and self._keeps_whole:
            return
        self._searched, self._stale = waiting[:], False
        self._shared = set()
        seen: set[int] = set()
        open_: set[int] = set()  # objects around the present one; reaching one again closes a cycle
        while waiting:
            number = waiting.pop()
            if number < 0:
                open_.discard(~number)
            elif number in seen:
                if number in open_ or self._has_identity(number):
                    self._shared.add(number)
            else:
                seen.add(number)
                inside = self._inside.get(number)
                if inside is None:
                    inside = self._look_inside(number)
                if inside:
                    open_.add(number)
                    waiting.append(~number)
                    waiting += inside

    def _look_inside(self, number: int) -> list[int]:
        """Return the objects that an object refers to, and note the object as their holder."""
        heap_object = self._object(number)
        handles: list[int]
        if heap_object.kind == ObjectKind.GENERATOR:
            frame = self._suspended(heap_object)
            if frame is None:
                return []
            handles = [*frame.bindings.values(), *frame.iterators, *self._temporaries(frame).values()]
            return [self._number[handle] for handle in handles if self._number[handle] >= 0]
        keys = list(heap_object.entries) if heap_object.kind == ObjectKind.DICT else []
        handles = [*heap_object.items, *keys, *heap_object.entries.values()]
        inside = [self._number[handle] for handle in handles if self._number[handle] >= 0]
        for inner in inside:
            self._holders.setdefault(inner, set()).add(number)
        self._inside[number] = inside
        return inside

    def _object(self, number: int) -> HeapObject:
        return self._live.numbered(number)

    def _suspended(self, heap_object: HeapObject) -> FrameState | None:
        """Return the frame of a suspended generator, whose only entry is the number of the frame."""
        number = next((self.trace.values.number[handle] for handle in heap_object.entries.values()), -1)
        return self._live.suspended.get(number)

    def _has_identity(self, number: int) -> bool:
        kind = self.trace.objects.kind[number]
        if kind == ObjectKind.FUNCTION:
            return bool(self._object(number).entries)
        return kind in _WITH_IDENTITY and self._object(number).type not in _VALUE_TYPES

    # -------------------------------------------------------------- one value

    def build(self, handle: int) -> Value:
        """Return the tree of one value; the labels are those of the last `_find_shared`."""
        number = self._number[handle]
        if number < 0:
            scalar = self._scalars.get(handle)
            if scalar is None:
                written = self._scalar(self.trace, handle) if self._scalar is not None else None
                scalar = Value("literal", written) if written else Value(*_scalar(self.trace, handle))
                self._scalars[handle] = scalar
            return scalar
        label = 0
        if number in self._shared:
            if number in self._labels:
                return Value("label", "", self._labels[number])
            label = self._labels[number] = len(self._labels) + 1
        if self._inside.get(number) == []:
            return self._leaf(number, label)
        if self._shared or not self._keeps_whole:
            return self._tree(self._object(number), label)
        whole = self._whole.get(number)
        if whole is None:
            whole = self._whole[number] = self._tree(self._object(number), 0)
        return whole

    def _leaf(self, number: int, label: int) -> Value:
        leaf = self._leaves.get(number)
        if leaf is None:
            leaf = self._leaves[number] = self._tree(self._object(number), 0)
        return Value(leaf.kind, leaf.text, label, leaf.items, leaf.names, leaf.position) if label else leaf

    def _tree(self, heap_object: HeapObject, label: int) -> Value:
        """Build the tree of an object by its kind, with this label."""
        if self._shape is not None and (shape := self._shape(self.trace, heap_object)) is not None:
            return self._shaped(shape, label)
        kind, name = heap_object.kind, heap_object.type.rsplit("<locals>.", 1)[-1]
        if kind in (ObjectKind.LIST, ObjectKind.ARRAY):
            return Value("list", "" if name == "list" else name, label, self._all(heap_object.items))
        if kind == ObjectKind.TUPLE:
            if name == "tuple":
                return Value("tuple", "", label, self._all(heap_object.items))
            return Value("call", name, label, self._all(heap_object.items))
        if kind == ObjectKind.DICT:
            pairs = [handle for pair in heap_object.entries.items() for handle in pair]
            return Value("dict", "" if name == "dict" else name, label, self._all(pairs))
        if kind in (ObjectKind.SET, ObjectKind.FROZENSET):
            return self._set(heap_object, name, label)
        if kind == ObjectKind.RECORD:
            return self._record(heap_object, name, label)
        if kind == ObjectKind.ITERATOR:
            return self._iterator(heap_object, name, label)
        if kind == ObjectKind.GENERATOR:
            return self._generator(heap_object, label)
        if kind == ObjectKind.FUNCTION and heap_object.entries:
            names, items = self._attributes(heap_object)
            return Value("call", f"<{heap_object.text or name}>", label, items, names)
        return Value("opaque", (heap_object.text or name).replace("\n", " "), label)

    def _shaped(self, shape: Shape, label: int) -> Value:
        items = tuple(
            [self._shaped(item, 0) if isinstance(item, Shape) else self.build(item) for item in shape.items]
        )
        return Value(shape.kind, shape.text, label, items, shape.names)

    def _all(self, handles: list[int]) -> tuple[Value, ...]:
        known, build = self._scalars.get, self.build
        return tuple([known(handle) or build(handle) for handle in handles])

    def _set(self, heap_object: HeapObject, name: str, label: int) -> Value:
        unsorted = self._all(list(heap_object.entries))
        # Shorter texts first, so that 2 comes before 10.
        by_text = sorted((len(text := str(member)), text, at) for at, member in enumerate(unsorted))
        members = tuple(unsorted[at] for _, _, at in by_text)
        if name in ("set", "frozenset"):
            return Value("set", "" if name == "set" else name, label, members)
        return Value("call", name, label, (Value("set", "", 0, members),))

    def _attributes(self, heap_object: HeapObject) -> tuple[tuple[str, ...], tuple[Value, ...]]:
        names = tuple([text_of(self.trace, key).removeprefix(".") for key in heap_object.entries])
        return names, self._all(list(heap_object.entries.values()))

    def _record(self, heap_object: HeapObject, name: str, label: int) -> Value:
        names, items = self._attributes(heap_object)
        if name in _VALUE_TYPES:
            has_stride = name != "range" or items[2].text != "1"  # range(a, b, 1) is written range(a, b)
            return Value("call", name, 0, items if has_stride else items[:2])
        if names[:1] == ("args",) and items[0].kind == "tuple":  # an exception: its arguments, then the rest
            return Value("call", name, label, (*items[0].items, *items[1:]), names[1:])
        return Value("call", name, label, items, names)

    def _iterator(self, heap_object: HeapObject, name: str, label: int) -> Value:
        named = dict(zip(*self._attributes(heap_object), strict=True))
        position = named.pop("position", None)
        at = int(position.text) if position is not None and position.text.isdigit() else -1
        sources = tuple(named.values())
        if name in ("range_iterator", "longrange_iterator") and sources and sources[0].kind == "call":
            return Value("call", "iter", label, (_rest_of_range(sources[0], max(at, 0)),))
        return Value("call", _SHORT_ITERATORS.get(name, name), label, sources, (), at)

    def _generator(self, heap_object: HeapObject, label: int) -> Value:
        suspended = self._suspended(heap_object)
        if suspended is None:
            return Value("opaque", heap_object.text or heap_object.type, label)
        inside = self._frame(suspended)
        names = tuple(inside.entries)
        items = (Value("literal", str(inside.line)), *inside.entries.values())
        return Value("call", f"<{heap_object.text or heap_object.type}>", label, items, names)


def _rest_of_range(source: Value, position: int) -> Value:
    start, stop = int(source.items[0].text), source.items[1]
    stride = int(source.items[2].text) if len(source.items) > 2 else 1
    rest = Value("literal", str(start + position * stride))
    return Value("call", "range", 0, (rest, stop, *source.items[2:]))


def _scalar(trace: Trace, handle: int) -> tuple[str, str]:
    """Return kind and text of a value that is not an object."""
    values = trace.values
    kind, number, data = values.kind[handle], values.number[handle], values.data[handle]
    if kind == ValueKind.INT:
        return "literal", _integer_text(int(data, 16)) if data else str(number)
    if kind in (ValueKind.STR, ValueKind.CONCAT):
        return "literal", repr(text_of(trace, handle))
    if kind == ValueKind.TRUNCATED:
        return "opaque", f"cut {data.decode()} {number}"
    if kind == ValueKind.OPAQUE:
        return "opaque", data.decode("utf-8", "replace").replace("\n", " ")
    if kind == ValueKind.COMPLEX:
        return "literal", repr(complex(values.real[handle], struct.unpack("<d", data)[0]))
    if kind == ValueKind.NONE:
        return "literal", "None"
    if kind == ValueKind.BOOL:
        return "literal", "True" if number else "False"
    if kind == ValueKind.FLOAT:
        return "literal", repr(values.real[handle])
    if kind == ValueKind.BYTES:
        return "literal", repr(data)
    if kind == ValueKind.SINGLETON:
        return "literal", data.decode()
    return "opaque", ValueKind(kind).name.lower()


_DECIMAL_BITS = 14_000
"""Below the 4,300 digits (14,284 bits) from which Python's `str` refuses a number."""


def _integer_text(number: int) -> str:
    """Write a number in decimal, or in hexadecimal if it has too many digits for Python's `str`."""
    return str(number) if number.bit_length() < _DECIMAL_BITS else hex(number)
