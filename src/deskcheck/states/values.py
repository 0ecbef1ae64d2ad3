"""Rebuild Python values from a state of a trace: real values if they are plain data, else stand-ins.

    ValueReader(state).value(handle) -> [1, 'a']       the value itself, of the exact type
                                     -> Node(val=3)    a StandIn, here for an instance of a program's class

Plain values are None, bool, int, float, complex, str, bytes, Ellipsis, NotImplemented, and list, tuple, dict,
set, frozenset, range, slice, bytearray, deque, OrderedDict and Counter of plain values. Two places that hold
one object in the run hold one object here. Every other value is a StandIn, which equals nothing but itself.
"""

from __future__ import annotations

from collections import Counter, OrderedDict, deque
from collections.abc import Callable
from typing import Any

from deskcheck.errors import UserError
from deskcheck.records import ObjectKind, ValueKind
from deskcheck.tracing.literal import scalar
from deskcheck.tracing.replay import HeapObject, State, summary_of, text_of

_PLAIN_SCALARS = {
    ValueKind.NONE: "NoneType",
    ValueKind.BOOL: "bool",
    ValueKind.INT: "int",
    ValueKind.FLOAT: "float",
    ValueKind.COMPLEX: "complex",
    ValueKind.STR: "str",
    ValueKind.CONCAT: "str",
    ValueKind.BYTES: "bytes",
}
_SHOWN_ITEMS, _SHOWN_LEVELS, _SHOWN_CHARACTERS = 6, 3, 80


class StandIn:
    """A value that is not plain data: an instance, a function, a generator, or a value that was cut.

    Recorded attributes are read as attributes (`node.val`) or from `attributes`. A stand-in equals nothing
    but itself: two runs, or two states, never share one. AttributeError for a name that was not recorded.

    Attributes:

    - `type_name`: name of the type as the program's language writes it: "Node", "collections.deque".
    - `attributes`: recorded attributes by name, in the order in which they were first set.
    - `contents`: elements of a container whose type the program defines, as a list, dict or set; else
      None.

    >>> class Box:
    ...     def __init__(self, size):
    ...         self.size = size
    >>> def make(n):
    ...     return Box(n)
    >>> box = deskcheck.trace(make, 4).result
    >>> box.type_name.endswith("Box"), box.size, box.attributes
    (True, 4, {'size': 4})
    """

    __slots__ = ("_shown", "attributes", "contents", "type_name")

    def __init__(self, type_name: str, shown: str = "") -> None:
        self.type_name = type_name
        self.attributes: dict[str, object] = {}
        self.contents: object = None
        self._shown = shown

    def __getattr__(self, name: str) -> object:
        if not name.startswith("__") and name in self.attributes:
            return self.attributes[name]
        known = ", ".join(self.attributes) or "none"
        raise AttributeError(f"{self!r} has no recorded attribute '{name}'; recorded: {known}")

    def __repr__(self) -> str:
        return _shown_text(self, _SHOWN_LEVELS, set())


def _shown_text(value: object, levels: int, above: set[int]) -> str:
    """Write a stand-in with its attributes, a few levels deep, and "..." for an object inside itself."""
    if not isinstance(value, StandIn):
        text = repr(value) if isinstance(value, str | int | float | bool | bytes | None) else _outline(value)
        return text if len(text) <= _SHOWN_CHARACTERS else f"{text[: _SHOWN_CHARACTERS - 3]}..."
    if value._shown:
        return value._shown
    if id(value) in above or levels == 0:
        return f"{value.type_name}(...)"
    inner = above | {id(value)}
    parts = [] if value.contents is None else [_outline(value.contents)]
    fields = list(value.attributes.items())
    parts += [f"{name}={_shown_text(v, levels - 1, inner)}" for name, v in fields[:_SHOWN_ITEMS]]
    parts += ["..."] if len(fields) > _SHOWN_ITEMS else []
    return f"{value.type_name}({', '.join(parts)})"


def _outline(value: object) -> str:
    """Write a container as its type and size, so that showing a stand-in never walks a large structure."""
    size = len(value) if isinstance(value, list | tuple | dict | set | frozenset | deque | bytearray) else 0
    if size == 0:
        return repr(value) if not isinstance(value, StandIn) else "..."
    return f"<{type(value).__name__} of {size}>"


_PLAIN_NAMES = {"Array": "list", "Object": "dict"}
"""Type of JavaScript -> type of Python with the same contents."""


class ValueReader:
    """Reader of the values of one state; an object that occurs twice is the same Python object both times."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._values: dict[int, object] = {}  # object number -> value
        self._in_making: set[int] = set()
        self._waiting: list[Callable[[], None]] = []  # functions that fill the mutable containers

    def value(self, handle: int) -> object:
        """Return the value behind a handle of the trace's value table."""
        made = self._value(handle)
        # Containers are filled in a loop: recursion over a long linked list would overflow the stack.
        while self._waiting:
            self._waiting.pop()()
        return made

    def has_read(self, number: int) -> bool:
        """Whether the object of that number was read as part of a value."""
        return number in self._values

    def _value(self, handle: int) -> object:
        trace = self._state.trace
        kind = ValueKind(trace.values.kind[handle])
        type_name = trace.names[trace.values.type[handle]]
        if kind is ValueKind.REF:
            return self._object(trace.values.number[handle])
        is_plain = _PLAIN_SCALARS.get(kind) == type_name
        if kind is ValueKind.SINGLETON or is_plain or (trace.language != "python" and kind in _PLAIN_SCALARS):
            return scalar(trace, handle)
        if kind is ValueKind.TRUNCATED:
            what = trace.values.data[handle].decode("utf-8", "replace")
            return StandIn(type_name, f"<{type_name}, {trace.values.number[handle]} {what}, not recorded>")
        if kind in _PLAIN_SCALARS:  # a scalar of another type: numpy.int64, an IntEnum
            return StandIn(type_name, f"{type_name}({scalar(trace, handle)!r})")
        return StandIn(type_name, trace.values.data[handle].decode("utf-8", "replace") or f"<{type_name}>")

    def _object(self, number: int) -> object:
        if number in self._values:
            return self._values[number]
        stored = self._state.numbered(number)
        if number in self._in_making:  # a tuple or set that contains itself: no literal can make one
            return StandIn(stored.type, f"<{stored.type} that contains itself>")
        self._in_making.add(number)
        try:
            value = self._container(stored)
        finally:
            self._in_making.discard(number)
        return self._values.setdefault(number, value)

    def _container(self, stored: HeapObject) -> object:
        name = stored.type
        if self._state.trace.language != "python":  # a type of another language with this name is no list
            name = _PLAIN_NAMES.get(name, "")
        maker = _MAKERS.get((stored.kind, name))
        if maker is not None and not stored.attributes:
            return maker(self, stored)
        return self._stand_in(stored)

    def _stand_in(self, stored: HeapObject) -> StandIn:
        if stored.kind in (ObjectKind.FUNCTION, ObjectKind.CLASS, ObjectKind.MODULE, ObjectKind.OPAQUE):
            shown = summary_of(self._state.trace, stored)
            return StandIn(stored.type, shown or f"<{stored.kind.name.lower()} {stored.text or stored.type}>")
        value = StandIn(stored.type, summary_of(self._state.trace, stored))
        if stored.kind is ObjectKind.GENERATOR:
            value._shown = f"<generator {stored.text}>"
        elif stored.kind is ObjectKind.ITERATOR:
            value._shown = f"<{stored.type}>"

        def fill() -> None:
            value.contents = self._contents(stored)
            named = stored.attributes if stored.kind in _CONTENTS else stored.entries
            for name, handle in named.items():
                value.attributes[text_of(self._state.trace, name)] = self._value(handle)

        self._values[stored.number] = value
        self._waiting.append(fill)
        return value

    def _contents(self, stored: HeapObject) -> object:
        """Return the elements of a container whose type is not a plain one, else None."""
        if stored.kind in (ObjectKind.LIST, ObjectKind.TUPLE, ObjectKind.ARRAY):
            return [self._value(handle) for handle in stored.items]
        if stored.kind is ObjectKind.DICT:
            return {self._value(key): self._value(handle) for key, handle in stored.entries.items()}
        if stored.kind in (ObjectKind.SET, ObjectKind.FROZENSET):
            return {self._value(handle) for handle in stored.entries}
        return None

    def _list(self, stored: HeapObject) -> object:
        made: list[object] = []
        self._values[stored.number] = made
        self._waiting.append(lambda: made.extend(self._value(handle) for handle in list(stored.items)))
        return made

    def _deque(self, stored: HeapObject) -> object:
        made: deque[object] = deque()
        self._values[stored.number] = made
        self._waiting.append(lambda: made.extend(self._value(handle) for handle in list(stored.items)))
        return made

    def _tuple(self, stored: HeapObject) -> object:
        return tuple(self._value(handle) for handle in stored.items)

    def _bytearray(self, stored: HeapObject) -> object:
        return bytearray(item for item in map(self._value, stored.items) if isinstance(item, int))

    def _dict(self, stored: HeapObject) -> object:
        return self._mapping(stored, {})

    def _ordered(self, stored: HeapObject) -> object:
        return self._mapping(stored, OrderedDict())

    def _counter(self, stored: HeapObject) -> object:
        return self._mapping(stored, Counter())

    def _mapping(self, stored: HeapObject, mapping: dict[Any, Any]) -> object:
        self._values[stored.number] = mapping

        def fill() -> None:
            for key, handle in stored.entries.items():
                mapping[self._value(key)] = self._value(handle)

        self._waiting.append(fill)
        return mapping

    def _set(self, stored: HeapObject) -> object:
        return {self._value(handle) for handle in stored.entries}

    def _frozenset(self, stored: HeapObject) -> object:
        return frozenset(self._value(handle) for handle in stored.entries)

    def _range(self, stored: HeapObject) -> object:
        bounds = [bound for bound in self._numbers(stored) if isinstance(bound, int)]
        if len(bounds) == 3:
            return range(*bounds)
        return self._stand_in(stored)

    def _slice(self, stored: HeapObject) -> object:
        bounds = self._numbers(stored)
        return slice(*bounds) if len(bounds) == 3 else self._stand_in(stored)

    def _numbers(self, stored: HeapObject) -> list[object]:
        named = {text_of(self._state.trace, name): value for name, value in stored.entries.items()}
        return [self._value(named[name]) for name in ("start", "stop", "step") if name in named]


_CONTENTS = frozenset({
    ObjectKind.LIST, ObjectKind.TUPLE, ObjectKind.DICT, ObjectKind.SET, ObjectKind.FROZENSET,
    ObjectKind.ARRAY,
})  # fmt: skip
_MAKERS: dict[tuple[ObjectKind, str], Callable[[ValueReader, HeapObject], object]] = {
    (ObjectKind.LIST, "list"): ValueReader._list,
    (ObjectKind.TUPLE, "tuple"): ValueReader._tuple,
    (ObjectKind.DICT, "dict"): ValueReader._dict,
    (ObjectKind.DICT, "collections.OrderedDict"): ValueReader._ordered,
    (ObjectKind.DICT, "collections.Counter"): ValueReader._counter,
    (ObjectKind.SET, "set"): ValueReader._set,
    (ObjectKind.FROZENSET, "frozenset"): ValueReader._frozenset,
    (ObjectKind.ARRAY, "collections.deque"): ValueReader._deque,
    (ObjectKind.ARRAY, "bytearray"): ValueReader._bytearray,
    (ObjectKind.RECORD, "range"): ValueReader._range,
    (ObjectKind.RECORD, "slice"): ValueReader._slice,
}


_LITERAL_SCALARS = (type(None), bool, int, float, complex, str, bytes, type(...))


def literal_of(value: object, what: str) -> str:
    """Write a plain value as a Python text with `repr`. UserError for a value without a literal.

    `what`: name of the value in the error.
    """
    _check_plain(value, what)
    return repr(value)


def _check_plain(value: object, what: str) -> None:
    kind = type(value)
    if kind in _LITERAL_SCALARS:
        return
    if kind is dict and isinstance(value, dict):
        members = [*value.keys(), *value.values()]
    elif kind in (list, tuple, set, frozenset) and isinstance(value, list | tuple | set | frozenset):
        members = list(value)
    else:
        raise UserError(
            f"{what} holds a {kind.__name__}, which has no literal: compare such values in Python"
        )
    for member in members:
        _check_plain(member, what)
