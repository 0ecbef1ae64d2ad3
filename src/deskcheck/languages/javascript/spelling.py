"""Write the values of a trace in JavaScript's spelling: undefined, true, -0, 10n, 1e+21, {a: [1, 2]}.

scalar_text(trace, handle) -> "undefined"         None for a value that is no scalar of the language
literal(trace, state, handle) -> "{a: [1, 2]}"    NotPlain for a value without a literal
shape(trace, heap_object) -> Shape("call", "new Map", ..)    how states write an object
"""

from __future__ import annotations

import math
import re

from deskcheck.languages import Shape
from deskcheck.records import ObjectKind, Trace, ValueKind
from deskcheck.tracing.literal import NotPlain, Room, int_text
from deskcheck.tracing.replay import HeapObject, State, text_of

LANGUAGES = frozenset({"javascript", "typescript"})
_WORDS = {
    ValueKind.NONE: "null",
    ValueKind.UNDEFINED: "undefined",
    ValueKind.UNASSIGNED: "<unassigned>",
    ValueKind.HOLE: "<hole>",
}


def scalar_text(trace: Trace, handle: int) -> str | None:
    """Return the text of a scalar; None for objects and for values that were cut."""
    values = trace.values
    kind = ValueKind(values.kind[handle])
    if kind in _WORDS:
        return _WORDS[kind]
    if kind is ValueKind.BOOL:
        return "true" if values.number[handle] else "false"
    if kind is ValueKind.INT:
        data = values.data[handle]
        number = int_text(int(data, 16) if data else values.number[handle])
        return f"{number}n" if trace.names[values.type[handle]] == "bigint" else number
    if kind is ValueKind.FLOAT:
        return number_text(values.real[handle])
    if kind in (ValueKind.STR, ValueKind.CONCAT):
        return string_text(text_of(trace, handle))
    return None


def number_text(value: float) -> str:
    """Return the shortest text that reads back as this number, in JavaScript's form; -0 keeps its sign.

    >>> number_text(1e21), number_text(123456789.5), number_text(1e-7), number_text(-0.0)
    ('1e+21', '123456789.5', '1e-7', '-0')
    """
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    sign = "-" if math.copysign(1.0, value) < 0 else ""
    if value == 0:
        return sign + "0"
    mantissa, _, exponent_text = f"{abs(value)!r}".partition("e")
    whole, _, fraction = mantissa.partition(".")
    fraction = "" if fraction == "0" else fraction
    digits = (whole + fraction).lstrip("0")
    point = len(whole) + int(exponent_text or 0)  # digits before the decimal point of whole + fraction
    point -= len(whole + fraction) - len(digits)
    digits = digits.rstrip("0") or "0"
    n = len(digits)
    if n <= point <= 21:
        return sign + digits + "0" * (point - n)
    if 0 < point <= 21:
        return f"{sign}{digits[:point]}.{digits[point:]}"
    if -6 < point <= 0:
        return f"{sign}0.{'0' * -point}{digits}"
    exponent = point - 1
    rest = f".{digits[1:]}" if n > 1 else ""
    return f"{sign}{digits[0]}{rest}e{'+' if exponent > 0 else '-'}{abs(exponent)}"


def scalar(trace: Trace, handle: int) -> str | None:
    """Return the text of a scalar in a state; None for a hole and an unassigned variable."""
    kind = trace.values.kind[handle]
    return None if kind in (ValueKind.UNASSIGNED, ValueKind.HOLE) else scalar_text(trace, handle)


_ESCAPES = {"\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\f": "\\f", "\v": "\\v"}


def string_text(value: str) -> str:
    """Return a string literal, in the quotes that need fewer escapes; lone surrogates are escaped."""
    quote = '"' if "'" in value and '"' not in value else "'"
    parts = []
    for character in value:
        if character == quote:
            parts.append("\\" + character)
        elif character in _ESCAPES:
            parts.append(_ESCAPES[character])
        elif (
            character < " "
            or "\x7f" <= character < "\xa0"
            or character in "\u2028\u2029"
            or "\ud800" <= character <= "\udfff"
        ):
            parts.append(f"\\u{ord(character):04x}")
        else:
            parts.append(character)
    return quote + "".join(parts) + quote


_PLAIN_KEY = re.compile(r"[A-Za-z_$][\w$]*", re.ASCII)


def is_index(key: str) -> bool:
    """Tell whether a property's name is a whole number below 10**15; such properties are listed first."""
    return key.isascii() and key.isdigit() and (key == "0" or key[0] != "0") and len(key) < 16


def key(name: str) -> str:
    """Write the name of a property, in quotes only if it needs them."""
    is_plain = is_index(name) or (_PLAIN_KEY.fullmatch(name) and name != "__proto__")
    return name if is_plain else string_text(name)


def array_text(items: list[str]) -> str:
    """Write an array; an empty text is a hole, and a hole at the end needs one more comma."""
    return f"[{', '.join(items)}{',' if items and not items[-1] else ''}]"


# ------------------------------------------------------------------ objects


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
        if kind is ValueKind.HOLE:
            return ""
        written = scalar_text(trace, handle) if kind is not ValueKind.UNASSIGNED else None
        if written is None:
            raise NotPlain(f"a value that is {kind.name.lower()} ({trace.names[trace.values.type[handle]]})")
        return self._room.take(written)

    def _object(self, number: int, above: tuple[int, ...]) -> str:
        self._room.enter(above)
        kind = ObjectKind(self._trace.objects.kind[number])
        name = self._trace.names[self._trace.objects.type[number]]
        if number in above:
            raise NotPlain(f"an object of type {name} that contains itself")
        heap_object = self._state.numbered(number)
        below = (*above, number)
        if heap_object.attributes:
            raise NotPlain(f"an object of type {name} with other properties")
        if (kind, name) == (ObjectKind.LIST, "Array"):
            return array_text([self.text(item, below) for item in heap_object.items])
        if (kind, name) == (ObjectKind.DICT, "Object"):
            pairs = [
                (text_of(self._trace, k), self.text(v, below)) for k, v in _named(self._trace, heap_object)
            ]
            return "{" + ", ".join(f"{key(name)}: {text}" for name, text in pairs) + "}"
        if (kind, name) == (ObjectKind.DICT, "Map"):
            rows = [f"[{self.text(k, below)}, {self.text(v, below)}]" for k, v in heap_object.entries.items()]
            return f"new Map([{', '.join(rows)}])" if rows else "new Map()"
        if (kind, name) == (ObjectKind.SET, "Set"):
            members = [self.text(member, below) for member in heap_object.entries]
            return f"new Set([{', '.join(members)}])" if members else "new Set()"
        if (
            kind is ObjectKind.RECORD
            and name in ("Date", "RegExp")
            and heap_object.items
            and not heap_object.entries
        ):
            content = heap_object.items[0]
            return (
                f"new Date({scalar_text(self._trace, content)})"
                if name == "Date"
                else _regexp(self._trace, content)
            )
        raise NotPlain(f"an object of type {name}")


def _regexp(trace: Trace, handle: int) -> str:
    return text_of(trace, handle)


def _named(trace: Trace, heap_object: HeapObject) -> list[tuple[int, int]]:
    """Return the properties of a plain object in the order of the language: whole numbers first."""
    if any(trace.values.kind[key] not in (ValueKind.STR, ValueKind.CONCAT) for key in heap_object.entries):
        raise NotPlain("an object with symbols as keys")
    names = {key: text_of(trace, key) for key in heap_object.entries}
    rows = list(heap_object.entries.items())
    first = sorted((row for row in rows if is_index(names[row[0]])), key=lambda row: int(names[row[0]]))
    return [*first, *(row for row in rows if not is_index(names[row[0]]))]


def shape(trace: Trace, heap_object: HeapObject) -> Shape | None:
    """Return how a state writes an object; None for objects that states of every language write alike."""
    kind, name = heap_object.kind, heap_object.type
    if kind is ObjectKind.LIST:
        return (
            Shape("list", "" if name == "Array" else name, tuple(heap_object.items))
            if not heap_object.attributes
            else None
        )
    if kind is ObjectKind.DICT and name == "Map":
        pairs = tuple(Shape("list", "", pair) for pair in heap_object.entries.items())
        return Shape("call", "new Map", (Shape("list", "", pairs),) if pairs else ())
    if kind is ObjectKind.SET and name == "Set":
        return Shape(
            "call", "new Set", (Shape("list", "", tuple(heap_object.entries)),) if heap_object.entries else ()
        )
    if kind is ObjectKind.DICT or (kind is ObjectKind.RECORD and not _has_plain_names(trace, heap_object)):
        try:
            rows = _named(trace, heap_object)
        except NotPlain:
            return None
        items: list[int | Shape] = []
        for at, value in rows:
            items += [Shape("literal", key(text_of(trace, at))), value]
        table = Shape("dict", "" if name == "Object" else name, tuple(items))
        return table if kind is ObjectKind.DICT else Shape("call", name, (Shape("dict", "", tuple(items)),))
    if kind is ObjectKind.RECORD and name == "Date" and heap_object.items:
        return Shape("call", "new Date", tuple(heap_object.items[:1]))
    if kind is ObjectKind.RECORD and name == "RegExp" and heap_object.items:
        source, _, flags = text_of(trace, heap_object.items[0])[1:].rpartition("/")
        parts = [Shape("literal", string_text(part)) for part in (source, flags) if part or part is source]
        return Shape("call", "new RegExp", tuple(parts))
    return None


def _has_plain_names(trace: Trace, heap_object: HeapObject) -> bool:
    return all(
        trace.values.kind[key] in (ValueKind.STR, ValueKind.CONCAT)
        and _PLAIN_KEY.fullmatch(text_of(trace, key))
        for key in heap_object.entries
    )
