"""Compare the first call of a trace with the call that was asked for: its function, and its arguments.

    check_first_call(packed, program, limits, table)    WrongCall where the trace is about another call

The function is known where the source defines the entry once, by an undecorated `def`; the arguments where
they are literals. What a program makes of its entry in another way (a decorator, a class, an assignment) is
its own business: of such an entry nothing is compared.
"""

from __future__ import annotations

import struct
from functools import lru_cache
from typing import Any

from deskcheck.errors import DataError
from deskcheck.format.buffers import BYTES_OF, COLUMN_NUMBER, COLUMNS, TEXTS, Packed
from deskcheck.records import EventKind, Limits, ObjectKind, Place, Program, Returned, ValueKind
from deskcheck.tracing.given import read_arguments
from deskcheck.tracing.lines import Definition, read_table

_CODE, _EVENT, _CHANGES_END, _KINDS = (
    COLUMN_NUMBER[name] for name in ("frames.code", "events.kind", "events.changes_end", "values.kind")
)
_PLACE, _OWNER, _KEY, _VALUE = (
    COLUMN_NUMBER[f"changes.{name}"] for name in ("place", "owner", "key", "value")
)
_unpack_from = struct.unpack_from
_TEXT_KINDS = (ValueKind.STR, ValueKind.CONCAT)


class WrongCall(DataError):
    """A trace that begins with another call than the one asked for."""


class _Cut(Exception):
    """A value that the trace does not hold whole."""


def check_first_call(packed: Packed, program: Program, limits: Limits, table: bytes) -> None:
    """WrongCall where the trace is not about the program's call."""
    if program.language != "python" or program.prelude or not program.entry.isidentifier():
        return
    if not table:
        return  # it does not compile: without events; with events it has been refused
    known = read_table(table).definition
    if known is None or known.is_late:
        return
    if not packed.n_events:
        if isinstance(packed.head.outcome, Returned):
            raise WrongCall("it returned, and its call left no event")
        return
    name, file, first_line, _ = packed.head.codes[_unpack_from("<i", packed.columns[_CODE])[0]]
    if (
        packed.columns[_EVENT][0] != EventKind.CALL
        or file
        or (name, first_line) != (known.name, known.first_line)
    ):
        raise WrongCall(f"it begins with {name[:64]!r}, not with {program.entry!r}")
    given = _bound(known, program.arguments)
    if given is None:
        return
    bound = _Arguments(packed)
    may_be_cut = len(program.arguments) > min(limits.value_bytes, limits.depth, limits.nodes)
    for variable, value in given.items():
        try:
            same = variable in bound.handles and _is_same(bound.value(bound.handles[variable]), value)
        except _Cut:
            same = may_be_cut
        if not same:
            raise WrongCall(
                f"its first call has another {variable!r} than {program.entry}({program.arguments[:64]})"
            )


# ------------------------------------------------------------------ what was asked for


def _bound(known: Definition, arguments: str) -> dict[str, object] | None:
    """Parameter -> value, as the call binds them; None where they are no literals, or do not fit."""
    read = _read(arguments)
    if read is None:
        return None
    positional, keywords, _ = read
    bound: dict[str, object] = dict(zip(known.positional, positional, strict=False))
    if known.rest:
        bound[known.rest] = positional[len(known.positional) :]
    names = {*known.positional, *known.keyword_only}
    bound |= {name: value for name, value in keywords.items() if name in names}
    if known.keywords:
        bound[known.keywords] = {name: value for name, value in keywords.items() if name not in names}
    return bound


_read = lru_cache(maxsize=256)(read_arguments)


# ------------------------------------------------------------------ what the trace says


class _Arguments:
    """The names that the first event binds, and values among its changes."""

    def __init__(self, packed: Packed) -> None:
        self._packed = packed
        columns = packed.columns
        self._kinds = columns[_KINDS]
        (n,) = _unpack_from("<i", columns[_CHANGES_END])
        form = f"<{n}i"
        self._changes = list(
            zip(
                columns[_PLACE][:n],
                _unpack_from(form, columns[_OWNER]),
                _unpack_from(form, columns[_KEY]),
                _unpack_from(form, columns[_VALUE]),
                strict=True,
            )
        )
        self.handles = {
            self._text(key): value
            for place, owner, key, value in self._changes
            if place <= Place.CELL and owner == 0
        }

    def _cell(self, name: str, handle: int) -> Any:
        number = COLUMN_NUMBER[name]
        letter = COLUMNS[number][2]
        return _unpack_from(f"<{letter}", self._packed.columns[number], handle * BYTES_OF[letter])[0]

    def _data(self, handle: int) -> bytes:
        start, end = _unpack_from("<ii", self._packed.offsets, 4 * handle)
        return bytes(self._packed.columns[TEXTS][start:end])

    def _text(self, handle: int) -> str:
        parts = []
        while self._kinds[handle] == ValueKind.CONCAT:
            parts.append(self._data(handle))
            handle = self._cell("values.number", handle)
        parts.append(self._data(handle))
        return b"".join(reversed(parts)).decode("utf-8", "surrogatepass")

    def value(self, handle: int, depth: int = 0) -> object:
        """What a literal of this value gives."""
        kind = ValueKind(self._kinds[handle])
        if kind in _TEXT_KINDS:
            return self._text(handle)
        if kind is ValueKind.INT:
            data = self._data(handle)
            return int(data, 16) if data else self._cell("values.number", handle)
        if kind is ValueKind.REF and depth < 200:
            return self._object(self._cell("values.number", handle), depth + 1)
        if kind is ValueKind.FLOAT:
            return self._cell("values.real", handle)
        if kind is ValueKind.COMPLEX:
            return complex(self._cell("values.real", handle), struct.unpack("<d", self._data(handle))[0])
        if kind is ValueKind.BOOL:
            return bool(self._cell("values.number", handle))
        if kind is ValueKind.SINGLETON and self._data(handle) == b"Ellipsis":
            return ...
        if kind is ValueKind.TRUNCATED or kind is ValueKind.REF:
            raise _Cut
        return {ValueKind.NONE: None, ValueKind.BYTES: self._data(handle)}.get(kind, NotImplemented)

    def _object(self, number: int, depth: int) -> object:
        kind = ObjectKind(self._cell("objects.kind", number))
        own = [
            (key, value)
            for place, owner, key, value in self._changes
            if owner == number and place >= Place.ELEMENT
        ]
        if kind in (ObjectKind.LIST, ObjectKind.TUPLE):
            items = [self.value(value, depth) for _, value in own]
            return items if kind is ObjectKind.LIST else tuple(items)
        if kind is ObjectKind.DICT:
            return {self.value(key, depth): self.value(value, depth) for key, value in own}
        if kind is ObjectKind.SET:
            return {self.value(key, depth) for key, _ in own}
        return NotImplemented


def _is_same(one: object, other: object) -> bool:
    """Equal and of the same types, through and through."""
    if type(one) is not type(other):
        return False
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(map(_is_same, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        pairs = zip(one.items(), other.items(), strict=False)
        return len(one) == len(other) and all(_is_same(a, b) for a, b in pairs)
    if isinstance(one, set) and isinstance(other, set):
        return one == other and sorted(map(repr, one)) == sorted(map(repr, other))
    return one == other and (not isinstance(one, float | complex) or repr(one) == repr(other))
