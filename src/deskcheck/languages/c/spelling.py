"""Write the values of a C trace as literals of C: true, -3, 0.5, 'a', "it's", {1, 2}, {.x = 1}, NULL.

scalar_text(trace, handle) -> "'a'"               None for a value that is no scalar of the language
literal(trace, state, handle) -> "{.x = {1, 2}}"  NotPlain for a value without a literal
shape(trace, heap_object) -> Shape("list", ..)    how states write an object

An array of char is a string up to its first zero. A pointer to the beginning of an array or a structure is
written as the value that it points to. An object that two names share has a number in states.
"""

from __future__ import annotations

import math
import re

from deskcheck.languages import Shape
from deskcheck.records import ObjectKind, Trace, ValueKind
from deskcheck.tracing.literal import NotPlain, Room, int_text
from deskcheck.tracing.replay import HeapObject, State, text_of

_WORDS = {
    ValueKind.NONE: "NULL",
    ValueKind.UNASSIGNED: "<unassigned>",
    ValueKind.UNINITIALIZED: "<uninitialized>",
}
_ESCAPES = {
    "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\f": "\\f", "\v": "\\v",
    "\a": "\\a", "\0": "\\0",
}  # fmt: skip
_POINTER = "pointer"


def scalar_text(trace: Trace, handle: int) -> str | None:
    """Return the text of a scalar; None for objects and for values that were cut."""
    values = trace.values
    kind = ValueKind(values.kind[handle])
    if kind in _WORDS:
        return (
            "void" if kind is ValueKind.NONE and trace.names[values.type[handle]] == "void" else _WORDS[kind]
        )
    if kind is ValueKind.BOOL:
        return "true" if values.number[handle] else "false"
    if kind is ValueKind.INT:
        data = values.data[handle]
        return int_text(int(data, 16) if data else values.number[handle])
    if kind is ValueKind.CHAR:
        return char_text(values.number[handle])
    if kind is ValueKind.FLOAT:
        return number_text(values.real[handle])
    if kind in (ValueKind.STR, ValueKind.CONCAT):
        return string_text(text_of(trace, handle))
    if kind is ValueKind.BYTES:
        return bytes_text(values.data[handle])
    return None


def number_text(value: float) -> str:
    """Return the shortest text that reads back as this number, always with a point or an exponent."""
    if math.isnan(value):
        return "NAN"
    if math.isinf(value):
        return "INFINITY" if value > 0 else "-INFINITY"
    return repr(value)


def char_text(code: int) -> str:
    """Return the literal of a char by its code: 'a', '\\n', '\\x9f'."""
    character = chr(code & 255)
    if character in _ESCAPES:
        return f"'{_ESCAPES[character]}'"
    if character == "'":
        return "'\\''"
    return f"'{character}'" if " " <= character <= "~" else f"'\\x{code & 255:02x}'"


def string_text(value: str) -> str:
    """Return a string literal in double quotes."""
    parts = []
    for character in value:
        if character == '"':
            parts.append('\\"')
        elif character in _ESCAPES and character != "\0":
            parts.append(_ESCAPES[character])
        elif character < " " or character == "\x7f":
            parts.append(f"\\{ord(character):03o}")
        elif "\x80" <= character < "\xa0" or character in "\u2028\u2029" or "\ud800" <= character <= "\udfff":
            parts.append(f"\\u{ord(character):04x}")
        else:
            parts.append(character)
    return f'"{"".join(parts)}"'


def bytes_text(data: bytes) -> str:
    """Return the literal of a string that is not UTF-8; a byte outside ASCII is an octal escape."""
    parts = [chr(byte) if 32 <= byte < 127 and byte not in b'"\\' else f"\\{byte:03o}" for byte in data]
    return f'"{"".join(parts)}"'


def scalar(trace: Trace, handle: int) -> str | None:
    """Return the text of a scalar in a state; None for memory without a value.

    A string is its bytes, b'ab': the notation of states has double quotes only where Python's repr has them.
    """
    kind = trace.values.kind[handle]
    if kind in (ValueKind.UNASSIGNED, ValueKind.UNINITIALIZED):
        return None
    if kind == ValueKind.BYTES:
        return repr(trace.values.data[handle])
    if kind in (ValueKind.STR, ValueKind.CONCAT):
        return repr(text_of(trace, handle).encode("utf-8", "surrogatepass"))
    return scalar_text(trace, handle)


def key(name: str) -> str:
    """Write the name of a structure's field, in quotes if C does not allow it as a name."""
    return name if re.fullmatch(r"[A-Za-z_]\w*", name) else string_text(name)


def literal(trace: Trace, state: State, handle: int) -> str:
    """Return the literal of one value at a state; NotPlain if it has none."""
    return _Writer(trace, state).text(handle, ())


class _Writer:
    """Writer of the values of one state."""

    def __init__(self, trace: Trace, state: State) -> None:
        self._trace = trace
        self._state = state
        self._room = Room()

    def text(self, handle: int, above: tuple[int, ...]) -> str:
        """Write one value; `above` are the objects around it."""
        trace = self._trace
        kind = ValueKind(trace.values.kind[handle])
        if kind is ValueKind.REF:
            return self._object(trace.values.number[handle], above)
        written = scalar_text(trace, handle)
        if written is None or kind in (ValueKind.UNASSIGNED, ValueKind.UNINITIALIZED):
            raise NotPlain(f"a value that is {kind.name.lower()} ({trace.names[trace.values.type[handle]]})")
        return self._room.take(written)

    def _object(self, number: int, above: tuple[int, ...]) -> str:
        self._room.enter(above)
        heap_object = self._state.numbered(number)
        name = heap_object.type
        if number in above:
            raise NotPlain(f"a structure {name} that points to itself")
        below = (*above, number)
        if heap_object.kind is ObjectKind.LIST:
            return "{" + ", ".join(self.text(item, below) for item in heap_object.items) + "}"
        if heap_object.items:  # the string in an array of char
            return self.text(heap_object.items[0], below)
        if name in (_POINTER, "void"):
            raise NotPlain(
                "a pointer into the middle of an object" if name == _POINTER else "memory without a type"
            )
        fields = [
            f".{text_of(self._trace, field)} = {self.text(value, below)}"
            for field, value in heap_object.entries.items()
        ]
        return "{" + ", ".join(fields) + "}"


def shape(trace: Trace, heap_object: HeapObject) -> Shape | None:
    """Return how a state writes an object; None for a pointer into the middle of an object."""
    if heap_object.kind is ObjectKind.LIST:
        return Shape("list", "", tuple(heap_object.items))
    if heap_object.kind is not ObjectKind.RECORD or heap_object.type == _POINTER:
        return None
    if heap_object.items:
        text = scalar(trace, heap_object.items[0])
        return Shape("literal", text) if text else Shape("opaque", "uninitialized")
    items: list[int | Shape] = []
    for field, value in heap_object.entries.items():
        items += [Shape("literal", key(text_of(trace, field))), value]
    return Shape("dict", "", tuple(items))
