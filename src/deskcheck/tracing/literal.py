"""Write values of a trace as literals: the true answer of a run, the arguments of a call.

    outcome_text(trace) -> "[1, 'a']" | "{1, 2}" | "nan" | "raises KeyError"
    is_plain(trace) -> whether `outcome_text` has an answer
    literal_text(trace, state, handle) -> the literal of any value at any state
    arguments_text(trace, code) -> "[1, 2], n=3"                                   all arguments are literals
    arguments_text(trace, code) -> "<#0 Node(value=1, next=None)>, <function f>"   descriptions
    is_literal("[1, 2], n=3") -> True              the call can be repeated from this text

Plain data: None, bool, int, float, complex, str, bytes, Ellipsis, and list, tuple, dict, set, frozenset of
plain data, all of exactly these types, without cycles and at most MAX_DEPTH deep. Sets are written in
canonical order. A text has at most MAX_CHARS characters. Floats are written by repr. So nan and inf are
"nan" and "inf", which `ast.literal_eval` does not read but the grader does.

Arguments are literals if they are plain data, else descriptions. Both are made from the trace's first event,
so no code of the program runs. Described objects are numbered by their first place in the text, never by
their number in the trace: equal arguments give equal text. A text of arguments over MAX_TEXT characters is
cut and ends with a digest of the whole text.
"""

from __future__ import annotations

import ast
import hashlib
import inspect
import struct
from collections.abc import Callable
from functools import cache
from types import CodeType

from deskcheck import plugins
from deskcheck.errors import DataError, UnknownName
from deskcheck.records import ObjectKind, Raised, Returned, Trace, ValueKind
from deskcheck.tracing.readers import canonical
from deskcheck.tracing.replay import HeapObject, State, final_heap, states, summary_of, text_of

_EXACT = {
    ObjectKind.LIST: "list",
    ObjectKind.TUPLE: "tuple",
    ObjectKind.DICT: "dict",
    ObjectKind.SET: "set",
    ObjectKind.FROZENSET: "frozenset",
}


# A few objects can have a very long text: `a = [a, a]`, repeated forty times.
MAX_CHARS = 1_000_000
MAX_DEPTH = 200  # Python's parser reads no deeper brackets


class NotPlain(Exception):
    """Failure to write a value as a literal; the message is the reason."""


class Room:
    """Number of characters that may still be written."""

    def __init__(self) -> None:
        self._n = MAX_CHARS

    def take(self, text: str, more: int = 2) -> str:
        """Return the text and count its characters, with `more` for separators. NotPlain if none is left."""
        self._n -= len(text) + more
        if self._n < 0:
            raise NotPlain(f"a value with a text of more than {MAX_CHARS:,} characters")
        return text

    def enter(self, above: tuple[int, ...]) -> None:
        """Count an object inside those above it, which costs more time than its brackets."""
        self.take("", 32)
        if len(above) >= MAX_DEPTH:
            raise NotPlain(f"a value more than {MAX_DEPTH} objects deep")


def outcome_text(trace: Trace) -> str:
    """Return the run's answer as text. DataError if the outcome is neither plain data nor an exception."""
    outcome = trace.outcome
    if isinstance(outcome, Raised):
        return f"raises {outcome.type}"
    if not isinstance(outcome, Returned):
        raise DataError(
            f"program {trace.program_id} has no answer: its run ended by {type(outcome).__name__}"
        )
    is_scalar = trace.values.kind[outcome.value] != ValueKind.REF
    try:
        return literal_text(trace, State(trace) if is_scalar else final_heap(trace), outcome.value)
    except NotPlain as reason:
        raise DataError(f"program {trace.program_id} returned {reason}, which has no literal text") from None


def is_plain(trace: Trace) -> bool:
    """Whether `outcome_text` has an answer."""
    try:
        outcome_text(trace)
    except DataError:
        return False
    return True


def literal_text(trace: Trace, state: State, handle: int) -> str:
    """Return the literal of one value at a state in its program's language; `NotPlain` if it has none."""
    if trace.language != "python" and (write := _writer_of(trace.language)) is not None:
        return write(trace, state, handle)
    return python_text(trace, state, handle)


def python_text(trace: Trace, state: State, handle: int) -> str:
    """Return the Python literal of one value at a state; `NotPlain` if it has none."""
    return _text(trace, state, handle, (), Room())


@cache
def _writer_of(language: str) -> Callable[[Trace, State, int], str] | None:
    """Return the part of a language that writes values; None if it has none or is not installed."""
    try:
        written: Callable[[Trace, State, int], str] | None = getattr(
            plugins.load("language", language), "literal", None
        )
    except UnknownName:
        return None
    return written


def _text(trace: Trace, state: State, handle: int, above: tuple[int, ...], room: Room) -> str:
    kind = ValueKind(trace.values.kind[handle])
    if kind is ValueKind.REF:
        return _container(trace, state, trace.values.number[handle], above, room)
    value = scalar(trace, handle)
    return room.take(int_text(value) if type(value) is int else repr(value))


def scalar(trace: Trace, handle: int) -> object:
    """Return the Python value of a row of `trace.values` that is no reference.

    NotImplemented for a singleton other than the ellipsis. NotPlain for an opaque or truncated value.
    """
    values = trace.values
    kind, number, data = ValueKind(values.kind[handle]), values.number[handle], values.data[handle]
    if kind in (ValueKind.STR, ValueKind.CONCAT):
        return text_of(trace, handle)
    if kind is ValueKind.INT:
        return int(data, 16) if data else number
    if kind is ValueKind.COMPLEX:
        return complex(values.real[handle], struct.unpack("<d", data)[0])
    simple: dict[ValueKind, object] = {
        ValueKind.NONE: None,
        ValueKind.BOOL: bool(number),
        ValueKind.FLOAT: values.real[handle],
        ValueKind.BYTES: data,
    }
    if kind is ValueKind.SINGLETON:
        return ... if data == b"Ellipsis" else NotImplemented
    if kind not in simple:
        raise NotPlain(f"a value that is {kind.name.lower()} ({trace.names[values.type[handle]]})")
    return simple[kind]


_LARGEST_CHUNK = 10**4000  # a constant of the module: Python would compute the power at each call


def int_text(value: int) -> str:
    """Return the decimal text of an int of any size (str() refuses more than 4300 digits)."""
    if -_LARGEST_CHUNK < value < _LARGEST_CHUNK:
        return str(value)
    sign, rest, parts = ("-" if value < 0 else ""), abs(value), []
    while rest:
        rest, part = divmod(rest, _LARGEST_CHUNK)
        parts.append(str(part).zfill(4000))
    return sign + "".join(reversed(parts)).lstrip("0")


def _container(trace: Trace, state: State, number: int, above: tuple[int, ...], room: Room) -> str:
    """Return the literal of a container. NotPlain if it is of another type, contains itself or is too deep.

    `above`: numbers of the containers around it.
    """
    room.enter(above)
    found = state.heap.get(number)
    kind = ObjectKind(trace.objects.kind[number])
    type_name = trace.names[trace.objects.type[number]]
    if _EXACT.get(kind) != type_name:
        raise NotPlain(f"an object of type {type_name}")
    if number in above:
        raise NotPlain(f"a {type_name} that contains itself")
    below = (*above, number)
    items = found.items if found else []
    entries = found.entries if found else {}
    if kind is ObjectKind.DICT:
        pairs = (
            f"{_text(trace, state, k, below, room)}: {_text(trace, state, v, below, room)}"
            for k, v in entries.items()
        )
        return f"{{{', '.join(pairs)}}}"
    if kind in (ObjectKind.SET, ObjectKind.FROZENSET):
        members = ", ".join(
            _text(trace, state, h, below, room) for h in _set_order(trace, state, list(entries), room, below)
        )
        braces = f"{{{members}}}" if members else ""
        return f"frozenset({braces})" if kind is ObjectKind.FROZENSET else braces or "set()"
    inner = ", ".join(_text(trace, state, h, below, room) for h in items)
    if kind is ObjectKind.LIST:
        return f"[{inner}]"
    return f"({inner},)" if len(items) == 1 else f"({inner})"


def set_order(trace: Trace, state: State, members: list[int]) -> list[int]:
    """Return handles of set members in canonical order: numbers, strings, the rest by literal or type."""
    return _set_order(trace, state, members, Room(), ())


def _set_order(
    trace: Trace, state: State, members: list[int], room: Room, above: tuple[int, ...]
) -> list[int]:
    def key(handle: int) -> tuple[int, float, str]:
        if trace.values.kind[handle] == ValueKind.REF:
            number = trace.values.number[handle]
            try:
                return 3, 0.0, _container(trace, state, number, above, room)
            except NotPlain:
                return 4, 0.0, f"{trace.names[trace.objects.type[number]]} {number:09d}"
        try:
            return canonical(scalar(trace, handle))
        except NotPlain:
            return 4, 0.0, trace.values.data[handle].decode("utf-8", "replace")

    return sorted(members, key=key)


MAX_TEXT = 4_000  # characters of arguments
_BRACKETS = {
    ObjectKind.LIST: ("list", "[", "]"),
    ObjectKind.TUPLE: ("tuple", "(", ")"),
    ObjectKind.DICT: ("dict", "{", "}"),
    ObjectKind.SET: ("set", "{", "}"),
    ObjectKind.FROZENSET: ("frozenset", "frozenset({", "})"),
}
_LONG_INT = 10_000  # bits
_NAMED = (ObjectKind.FUNCTION, ObjectKind.CLASS, ObjectKind.MODULE, ObjectKind.OPAQUE, ObjectKind.GENERATOR)


def is_literal(arguments: str) -> bool:
    """Whether the text gives the same arguments wherever it is evaluated."""
    try:
        call = ast.parse(f"f({arguments}\n)", mode="eval").body
        assert isinstance(call, ast.Call)
        for part in (*call.args, *(keyword.value for keyword in call.keywords)):
            ast.literal_eval(part)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def arguments_text(trace: Trace, code: CodeType) -> str:
    """Return the text between the parentheses of the call that the trace begins with.

    `code`: the code of the called function, which names its parameters.
    """
    _, state = next(states(trace))
    writer = _Writer(trace, state)
    bound = state.top.bindings
    names = list(code.co_varnames)
    n_plain, n_named = code.co_argcount, code.co_argcount + code.co_kwonlyargcount
    parts = [writer.text(bound[name]) for name in names[:n_plain] if name in bound]
    rest = names[n_named:]
    if code.co_flags & inspect.CO_VARARGS:
        found = state.object(bound[rest.pop(0)])
        parts += [writer.text(handle) for handle in (found.items if found else [])]
    parts += [f"{name}={writer.text(bound[name])}" for name in names[n_plain:n_named] if name in bound]
    if code.co_flags & inspect.CO_VARKEYWORDS:
        found = state.object(bound[rest.pop(0)])
        for key, value in (found.entries if found else {}).items():
            parts.append(f"{text_of(trace, key)}={writer.text(value)}")
    text = ", ".join(parts)
    if len(text) > MAX_TEXT:
        digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
        return f"{text[:MAX_TEXT]} .. sha256:{digest}"
    return text


class _Writer:
    def __init__(self, trace: Trace, state: State) -> None:
        self._trace = trace
        self._state = state
        self._numbers: dict[int, int] = {}

    def text(self, handle: int) -> str:
        """Return the text of one value."""
        values = self._trace.values
        kind = ValueKind(values.kind[handle])
        if kind is ValueKind.REF:
            found = self._state.object(handle)
            assert found is not None
            return self._object(found)
        if kind in (ValueKind.OPAQUE, ValueKind.TRUNCATED):
            return (
                f"<{self._trace.names[values.type[handle]]} {values.data[handle].decode('utf-8', 'replace')}>"
            )
        value = scalar(self._trace, handle)
        if type(value) is int and value.bit_length() > _LONG_INT:  # decimal digits take quadratic time
            return hex(value)
        return repr(value)

    def _object(self, heap_object: HeapObject) -> str:
        known = self._numbers.get(heap_object.number)
        if known is not None:
            return f"<#{known}>"
        number = self._numbers[heap_object.number] = len(self._numbers)
        exact = _BRACKETS.get(heap_object.kind, ("", "", ""))
        if heap_object.type == exact[0] and not heap_object.attributes:
            return self._container(heap_object, exact[1], exact[2])
        if summary := summary_of(self._trace, heap_object):
            return summary if summary[0] == "<" else f"<{summary}>"
        if heap_object.kind in _NAMED:
            return f"<{heap_object.kind.name.lower()} {heap_object.text or heap_object.type}>"
        inner = ", ".join(
            [
                *(self.text(handle) for handle in heap_object.items),
                *(f"{self._key(key)}={self.text(value)}" for key, value in heap_object.entries.items()),
                *(f"{self._key(key)}={self.text(value)}" for key, value in heap_object.attributes.items()),
            ]
        )
        return f"<#{number} {heap_object.type}({inner})>"

    def _key(self, handle: int) -> str:
        if self._trace.values.kind[handle] in (ValueKind.STR, ValueKind.CONCAT):
            return text_of(self._trace, handle)
        return self.text(handle)

    def _container(self, heap_object: HeapObject, opening: str, closing: str) -> str:
        if heap_object.kind is ObjectKind.DICT:
            items = [f"{self.text(key)}: {self.text(value)}" for key, value in heap_object.entries.items()]
        elif heap_object.kind in (ObjectKind.SET, ObjectKind.FROZENSET):
            items = [self.text(h) for h in set_order(self._trace, self._state, list(heap_object.entries))]
            if not items:
                return f"{heap_object.type}()"
        else:
            items = [self.text(handle) for handle in heap_object.items]
        if heap_object.kind is ObjectKind.TUPLE and len(items) == 1:
            return f"({items[0]},)"
        return f"{opening}{', '.join(items)}{closing}"
