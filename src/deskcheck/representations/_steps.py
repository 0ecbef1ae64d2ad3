"""A trace as states and steps: the one place where the events of a trace become text trees.

    steps(trace) -> (StateTree before, Step, StateTree after) for every step of the run

The first state is the call: the frame of the entry with its arguments. At line granularity, steps are the
call, line, return, raise, unwind, yield and resume events; an exception that arrives in a caller is part of
the unwind that sent it. The last step leaves the first frame, and the state after it has no frames. A trace
of instructions also gives a step per instruction, with the value stack, in place of the line steps; one of
expressions a step for every expression that gets its value, which stays in the state until the expression
around it has one. Any trace gives line steps, a finer one perhaps with more temporaries.

Kept: everything that decides how the run goes on, except that two closures over one variable show its value
in both places without saying that it is one cell (the code says so).
"""

from __future__ import annotations

from collections.abc import Iterator

from deskcheck.records import EventKind, Granularity, ObjectKind, Trace, ValueKind
from deskcheck.representations._spans import Spans
from deskcheck.representations._tree import Frame, StateTree, Step, Value, difference, ordered
from deskcheck.tracing.replay import FrameState, HeapObject, State, states, text_of

_SHARED = {
    ObjectKind.LIST,
    ObjectKind.DICT,
    ObjectKind.SET,
    ObjectKind.ARRAY,
    ObjectKind.RECORD,
    ObjectKind.ITERATOR,
    ObjectKind.GENERATOR,
}
_NO_IDENTITY = {"range", "slice"}
_SEQUENCE_ITERATORS = (
    "list_iterator",
    "tuple_iterator",
    "str_iterator",
    "str_ascii_iterator",
    "bytes_iterator",
)
_HIDDEN = {ObjectKind.CLASS, ObjectKind.MODULE, ObjectKind.FUNCTION}
_STEP_EVENTS = {
    EventKind.CALL,
    EventKind.LINE,
    EventKind.RETURN,
    EventKind.RAISE,
    EventKind.UNWIND,
    EventKind.YIELD,
    EventKind.RESUME,
}
_WANTED = {
    Granularity.LINE: _STEP_EVENTS,
    Granularity.EXPRESSION: _STEP_EVENTS | {EventKind.EXPRESSION},
    Granularity.INSTRUCTION: _STEP_EVENTS - {EventKind.LINE} | {EventKind.INSTRUCTION},
}
_MARKS = {
    EventKind.EXPRESSION: "=",
    EventKind.INSTRUCTION: "@",
    EventKind.CALL: ">",
    EventKind.RESUME: ">",
    EventKind.LINE: "@",
    EventKind.RETURN: "<-",
    EventKind.YIELD: "^",
    EventKind.RAISE: "!",
    EventKind.UNWIND: "!!",
}


def steps(
    trace: Trace, *, granularity: Granularity = Granularity.LINE
) -> Iterator[tuple[StateTree, Step, StateTree]]:
    """Every step with the state before and after it. ValueError where the trace is not so fine."""
    if granularity not in (Granularity.LINE, trace.granularity):
        raise ValueError(
            f"the trace of program {trace.program_id} has {trace.granularity.name.lower()} events, "
            f"none of granularity {granularity.name.lower()}"
        )
    wanted = _WANTED[granularity]
    before: StateTree | None = None
    unwinding = False
    raised = -1  # an UNWIND leaves by the exception that was raised last
    # By frame: (line, offset). An exception inside a statement of many lines does not move it.
    places: dict[int, tuple[int, int]] = {}
    spans = Spans(trace) if granularity is Granularity.EXPRESSION else None
    for event, state in states(trace):
        if event.kind not in wanted:
            continue
        if event.kind in (EventKind.CALL, EventKind.LINE, EventKind.RESUME):
            places[event.frame] = (event.line, -1)
        elif event.kind == EventKind.INSTRUCTION:
            places[event.frame] = (event.line, trace.events.offset[event.index])
        if spans is not None:
            spans.saw(event)
        if event.kind == EventKind.RAISE:
            raised = event.value
            if unwinding:
                unwinding = False
                continue
        unwinding = event.kind == EventKind.UNWIND
        value = raised if event.kind == EventKind.UNWIND else event.value
        drawing = _Drawing(state, value, places, spans)
        leaves = event.kind in (EventKind.RETURN, EventKind.UNWIND, EventKind.YIELD)
        live = state.frames[:-1] if leaves else state.frames
        mark = _MARKS[event.kind]
        after = drawing.state(live, mark)
        if before is not None:
            yield (
                before,
                difference(before, after, _bare_step(mark, places[event.frame], drawing, after)),
                after,
            )
        before = after


def _bare_step(mark: str, place: tuple[int, int], drawing: _Drawing, after: StateTree) -> Step:
    """The step without its changes."""
    if mark == "@":
        return Step(mark, place[0], offset=place[1])
    if mark == ">":
        return Step(mark, place[0])
    if mark == "=":
        top = after.frames[-1]
        name = next(reversed(top.entries))  # the latest result comes last
        return Step(mark, 0, top.entries[name], span=name[1:])
    return Step(mark, 0, drawing.last_value(after))


class _Drawing:
    """One state being drawn: who is shared, and which labels have been given."""

    def __init__(
        self, state: State, value: int, places: dict[int, tuple[int, int]], spans: Spans | None = None
    ) -> None:
        self.trace = state.trace
        self.live = state
        self.value = value
        self.places = places
        self.spans = spans
        self.labels: dict[int, int] = {}
        self.shared: set[int] = set()

    def state(self, live: list[FrameState], mark: str) -> StateTree:
        module = {n: h for n, h in self.live.globals.items() if not self._is_hidden(h)}
        roots = [*module.values()]
        for frame in live:
            roots += [*frame.bindings.values(), *frame.iterators, *self._temporaries(frame).values()]
        pending = {"<-": "<-", "^": "<-", "!": "!", "!!": "!"}.get(mark, "")
        if pending and live:
            roots.append(self.value)
        self._count(roots)
        trees = []
        drawn_module = {name: self.draw(handle) for name, handle in module.items()}
        for frame in live:
            last = frame is live[-1]
            trees.append(self._frame(frame, mark if last else "", pending if last else ""))
        return StateTree(tuple(trees), drawn_module)

    def last_value(self, after: StateTree) -> Value:
        """The value of a return, raise, unwind or yield: as the state after it shows it, else on its own."""
        if after.frames and after.frames[-1].value is not None:
            return after.frames[-1].value
        if self.value < 0:
            return Value("literal", "None")
        alone = _Drawing(self.live, self.value, self.places)
        alone._count([self.value])
        return alone.draw(self.value)

    def _frame(self, frame: FrameState, mark: str, pending: str) -> Frame:
        entries = {name: self.draw(h) for name, h in frame.bindings.items()}
        entries |= {f"~{i + 1}": self.draw(h) for i, h in enumerate(frame.iterators)}
        entries |= {name: self.draw(handle) for name, handle in self._temporaries(frame).items()}
        value = self.draw(self.value) if pending else None
        line, offset = self.places[frame.number]
        return Frame(">" if mark == ">" else "@", line, ordered(entries), pending, value, offset)

    def _temporaries(self, frame: FrameState) -> dict[str, int]:
        """Name -> handle: the value stack, or the results of expressions that are still to be used."""
        if self.spans is not None:
            return self.spans.of(frame.number, self.places[frame.number][0])
        return {f"^{number}": handle for number, handle in enumerate(frame.stack, 1)}

    def _is_hidden(self, handle: int) -> bool:
        found = self.live.object(handle)
        return found is not None and found.kind in _HIDDEN

    def _number(self, handle: int) -> int:
        values = self.trace.values
        return values.number[handle] if values.kind[handle] == ValueKind.REF else -1

    def _count(self, roots: list[int]) -> None:
        """Find what is referred to twice, and what is part of itself: both need a label."""
        seen: set[int] = set()
        open_: set[int] = set()  # between them and the root: meeting one of these again closes a circle
        waiting = [(handle, False) for handle in reversed(roots)]
        while waiting:
            handle, done = waiting.pop()
            found = self.live.object(handle)
            if found is None:
                continue
            if done:
                open_.discard(found.number)
            elif found.number in seen:
                if found.number in open_ or _has_identity(found):
                    self.shared.add(found.number)
            else:
                seen.add(found.number)
                open_.add(found.number)
                waiting.append((handle, True))
                waiting += [(inner, False) for inner in self._inside(found)]

    def _inside(self, found: HeapObject) -> list[int]:
        if found.kind == ObjectKind.GENERATOR:
            suspended = self._suspended(found)
            if suspended is None:
                return []
            return [
                *suspended.bindings.values(),
                *suspended.iterators,
                *self._temporaries(suspended).values(),
            ]
        keys = list(found.entries) if found.kind == ObjectKind.DICT else []
        return [*found.items, *keys, *found.entries.values()]

    def _suspended(self, found: HeapObject) -> FrameState | None:
        number = next((self.trace.values.number[h] for h in found.entries.values()), -1)
        return self.live.suspended.get(number)

    def draw(self, handle: int) -> Value:
        """The tree of one value."""
        found = self.live.object(handle)
        if found is None:
            return Value(*_scalar(self.trace, handle))
        label = 0
        if found.number in self.shared:
            if found.number in self.labels:
                return Value("label", "", self.labels[found.number])
            label = self.labels[found.number] = len(self.labels) + 1
        return self._object(found, label)

    def _object(self, found: HeapObject, label: int) -> Value:
        kind, name = found.kind, found.type.rsplit("<locals>.", 1)[-1]
        if kind in (ObjectKind.LIST, ObjectKind.ARRAY):
            return Value("list", "" if name == "list" else name, label, self._all(found.items))
        if kind == ObjectKind.TUPLE:
            if name == "tuple":
                return Value("tuple", "", label, self._all(found.items))
            return Value("call", name, label, self._all(found.items))
        if kind == ObjectKind.DICT:
            pairs = [h for pair in found.entries.items() for h in pair]
            return Value("dict", "" if name == "dict" else name, label, self._all(pairs))
        if kind in (ObjectKind.SET, ObjectKind.FROZENSET):
            return self._set(found, name, label)
        if kind == ObjectKind.RECORD:
            return self._record(found, name, label)
        if kind == ObjectKind.ITERATOR:
            return self._iterator(found, name, label)
        if kind == ObjectKind.GENERATOR:
            return self._generator(found, label)
        if kind == ObjectKind.FUNCTION and found.entries:
            names, items = self._attributes(found)
            return Value("call", f"<{found.text or name}>", label, items, names)
        return Value("opaque", (found.text or name).replace("\n", " "), label)

    def _all(self, handles: list[int]) -> tuple[Value, ...]:
        return tuple(self.draw(h) for h in handles)

    def _set(self, found: HeapObject, name: str, label: int) -> Value:
        members = tuple(sorted(self._all(list(found.entries)), key=lambda v: (len(str(v)), str(v))))
        if name in ("set", "frozenset"):
            return Value("set", "" if name == "set" else name, label, members)
        return Value("call", name, label, (Value("set", "", 0, members),))

    def _attributes(self, found: HeapObject) -> tuple[tuple[str, ...], tuple[Value, ...]]:
        names = tuple(text_of(self.trace, k) for k in found.entries)
        return names, self._all(list(found.entries.values()))

    def _record(self, found: HeapObject, name: str, label: int) -> Value:
        names, items = self._attributes(found)
        if name in _NO_IDENTITY:
            return Value("call", name, 0, items[:2] if name == "range" and items[2].text == "1" else items)
        if names[:1] == ("args",) and items[0].kind == "tuple":  # an exception: its arguments, then the rest
            return Value("call", name, label, (*items[0].items, *items[1:]), names[1:])
        return Value("call", name, label, items, names)

    def _iterator(self, found: HeapObject, name: str, label: int) -> Value:
        named = dict(zip(*self._attributes(found), strict=True))
        position = named.pop("position", None)
        at = int(position.text) if position is not None and position.text.isdigit() else -1
        sources = tuple(named.values())
        if name in ("range_iterator", "longrange_iterator") and sources and sources[0].kind == "call":
            return Value("call", "iter", label, (_rest_of_range(sources[0], max(at, 0)),))
        short = {"dict_keyiterator": "iter", "dict_itemiterator": "items", "dict_valueiterator": "values"}
        short |= dict.fromkeys((*_SEQUENCE_ITERATORS, "set_iterator"), "iter")
        return Value("call", short.get(name, name), label, sources, (), at)

    def _generator(self, found: HeapObject, label: int) -> Value:
        suspended = self._suspended(found)
        if suspended is None:
            return Value("opaque", found.text or found.type, label)
        inside = self._frame(suspended, "", "")
        names = tuple(inside.entries)
        items = (Value("literal", str(inside.line)), *inside.entries.values())
        return Value("call", f"<{found.text or found.type}>", label, items, names)


def _has_identity(found: HeapObject) -> bool:
    if found.kind == ObjectKind.FUNCTION:
        return bool(found.entries)
    return found.kind in _SHARED and found.type not in _NO_IDENTITY


def _rest_of_range(source: Value, position: int) -> Value:
    start, stop = int(source.items[0].text), source.items[1]
    stride = int(source.items[2].text) if len(source.items) > 2 else 1
    rest = Value("literal", str(start + position * stride))
    return Value("call", "range", 0, (rest, stop, *source.items[2:]))


def _scalar(trace: Trace, handle: int) -> tuple[str, str]:
    """kind and text of a value that is not an object."""
    values = trace.values
    kind, number, data = ValueKind(values.kind[handle]), values.number[handle], values.data[handle]
    if kind in (ValueKind.STR, ValueKind.CONCAT):
        return "literal", repr(text_of(trace, handle))
    if kind == ValueKind.INT:
        return "literal", _integer_text(int(data, 16)) if data else str(number)
    if kind == ValueKind.TRUNCATED:
        return "opaque", f"cut {data.decode()} {number}"
    if kind == ValueKind.OPAQUE:
        return "opaque", data.decode("utf-8", "replace").replace("\n", " ")
    if kind == ValueKind.COMPLEX:
        import struct

        return "literal", repr(complex(values.real[handle], struct.unpack("<d", data)[0]))
    plain = {
        ValueKind.NONE: "None",
        ValueKind.BOOL: "True" if number else "False",
        ValueKind.FLOAT: repr(values.real[handle]),
        ValueKind.BYTES: repr(data),
        ValueKind.SINGLETON: data.decode(),
    }
    return ("literal", plain[kind]) if kind in plain else ("opaque", kind.name.lower())


def _integer_text(number: int) -> str:
    """Decimal, or hexadecimal where Python itself refuses to write so many digits."""
    return str(number) if number.bit_length() < 14_000 else hex(number)


def first_state(trace: Trace) -> StateTree:
    """The state of the call: what a step loop starts from. ValueError where the run recorded none."""
    for event, state in states(trace):
        if event.kind == EventKind.CALL:
            return _Drawing(state, -1, {event.frame: (event.line, -1)}).state(state.frames, ">")
    raise ValueError(f"the run of program {trace.program_id} has no call: {trace.outcome}")
