"""The true answer of a run as the exact text of a Python literal.

    outcome_text(trace) -> "[1, 'a']" | "{1, 2}" | "nan" | "raises KeyError"
    is_plain(trace) -> whether there is such a text
    literal_text(trace, state, handle) -> the same for any value at any state

Plain data: None, bool, int, float, complex, str, bytes, Ellipsis, and list, tuple, dict, set, frozenset of
plain data, all of exactly these types and without cycles. Sets are written in canonical order; a text has at
most MAX_CHARS characters. Floats are written by repr; nan and inf as "nan" and "inf", which
`ast.literal_eval` does not read but the grader does.
"""

from __future__ import annotations

import struct

from deskcheck.errors import DataError
from deskcheck.records import ObjectKind, Raised, Returned, Trace, ValueKind
from deskcheck.tracing.canonical import canonical
from deskcheck.tracing.replay import State, final_state, text_of

_EXACT = {
    ObjectKind.LIST: "list",
    ObjectKind.TUPLE: "tuple",
    ObjectKind.DICT: "dict",
    ObjectKind.SET: "set",
    ObjectKind.FROZENSET: "frozenset",
}


# A program's few objects can have a text without end: `a = [a, a]`, forty times over.
MAX_CHARS = 1_000_000


class _NotPlain(Exception):
    """The value has no literal; the text says why."""


class _Room:
    """How much may still be written."""

    def __init__(self) -> None:
        self._n = MAX_CHARS

    def take(self, text: str, more: int = 2) -> str:
        """The text. _NotPlain where it is too much."""
        self._n -= len(text) + more
        if self._n < 0:
            raise _NotPlain(f"a value with a text of more than {MAX_CHARS:,} characters")
        return text


def outcome_text(trace: Trace) -> str:
    """The answer. DataError where the outcome is neither returned plain data nor an exception."""
    outcome = trace.outcome
    if isinstance(outcome, Raised):
        return f"raises {outcome.type}"
    if not isinstance(outcome, Returned):
        raise DataError(
            f"program {trace.program_id} has no answer: its run ended by {type(outcome).__name__}"
        )
    try:
        return literal_text(trace, final_state(trace), outcome.value)
    except _NotPlain as reason:
        raise DataError(f"program {trace.program_id} returned {reason}, which has no literal text") from None


def is_plain(trace: Trace) -> bool:
    """Whether `outcome_text` has an answer."""
    try:
        outcome_text(trace)
    except DataError:
        return False
    return True


def literal_text(trace: Trace, state: State, handle: int) -> str:
    """Literal text of one value at a state; an exception of this module where it has none."""
    return _text(trace, state, handle, (), _Room())


def _text(trace: Trace, state: State, handle: int, above: tuple[int, ...], room: _Room) -> str:
    kind = ValueKind(trace.values.kind[handle])
    if kind is ValueKind.REF:
        return _container(trace, state, trace.values.number[handle], above, room)
    value = scalar(trace, handle)
    return room.take(int_text(value) if type(value) is int else repr(value))


def scalar(trace: Trace, handle: int) -> object:
    """The Python value of a scalar row."""
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
        raise _NotPlain(f"a value that is {kind.name.lower()} ({trace.names[values.type[handle]]})")
    return simple[kind]


def int_text(value: int) -> str:
    """Decimal text of an int of any size (str() refuses beyond 4300 digits)."""
    if -(10**4000) < value < 10**4000:
        return str(value)
    sign, rest, parts = ("-" if value < 0 else ""), abs(value), []
    while rest:
        rest, part = divmod(rest, 10**4000)
        parts.append(str(part).zfill(4000))
    return sign + "".join(reversed(parts)).lstrip("0")


def _container(trace: Trace, state: State, number: int, above: tuple[int, ...], room: _Room) -> str:
    room.take("", 32)  # so many cost more time than their brackets
    found = state.heap.get(number)
    kind = ObjectKind(trace.objects.kind[number])
    type_name = trace.names[trace.objects.type[number]]
    if _EXACT.get(kind) != type_name:
        raise _NotPlain(f"an object of type {type_name}")
    if number in above:
        raise _NotPlain(f"a {type_name} that contains itself")
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
            _text(trace, state, h, below, room) for h in _set_order(trace, state, list(entries), room)
        )
        braces = f"{{{members}}}" if members else ""
        return f"frozenset({braces})" if kind is ObjectKind.FROZENSET else braces or "set()"
    inner = ", ".join(_text(trace, state, h, below, room) for h in items)
    if kind is ObjectKind.LIST:
        return f"[{inner}]"
    return f"({inner},)" if len(items) == 1 else f"({inner})"


def set_order(trace: Trace, state: State, members: list[int]) -> list[int]:
    """Handles of set members in canonical order: numbers, text, the rest by literal text or type."""
    return _set_order(trace, state, members, _Room())


def _set_order(trace: Trace, state: State, members: list[int], room: _Room) -> list[int]:
    def key(handle: int) -> tuple[int, float, str]:
        if trace.values.kind[handle] == ValueKind.REF:
            number = trace.values.number[handle]
            try:
                return 3, 0.0, _container(trace, state, number, (), room)
            except _NotPlain:
                return 4, 0.0, f"{trace.names[trace.objects.type[number]]} {number:09d}"
        try:
            return canonical(scalar(trace, handle))
        except _NotPlain:
            return 4, 0.0, trace.values.data[handle].decode("utf-8", "replace")

    return sorted(members, key=key)
