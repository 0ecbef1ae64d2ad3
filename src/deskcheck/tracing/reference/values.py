"""Write immutable scalars into the value table, each once.

    table = ValueTable(columns, value_bytes)
    table.scalars[id(type(value))](value) -> handle    KeyError for a value that is not a scalar
    table.concat(old_handle, old, new) -> handle       for a string that extends an earlier one

Only exact types count as scalars: an instance of a subclass of int has identity and attributes. Types are
looked up by id(), because a metaclass of the traced program can override hash() and ==.
"""

from __future__ import annotations

import datetime
import decimal
import hashlib
import struct
import sys
from collections.abc import Callable
from types import EllipsisType, NoneType, NotImplementedType
from typing import Any

from deskcheck.records import ValueKind
from deskcheck.tracing.reference.columns import Columns

_INT64 = range(-(1 << 63), 1 << 63)
_LONG = 256  # longer strings are keyed by digest, so that the index of the table stays small
CONCAT_FROM = 32
"""Shortest string, in characters, whose extensions are stored as (handle of the string, added text)."""

# Immutable types whose repr is computed in C and contains no address.
_BY_REPR: tuple[type, ...] = (
    decimal.Decimal,
    datetime.date,
    datetime.datetime,
    datetime.time,
    datetime.timedelta,
)


_MAY_HAVE_ZONE = frozenset(map(id, (datetime.datetime, datetime.time)))


class ValueTable:
    """Give each scalar a handle. Values of one type with equal bytes share a row, so 0.0 and -0.0 do not."""

    def __init__(self, columns: Columns, value_bytes: int) -> None:
        self._columns = columns
        self._value_bytes = value_bytes
        self.any_truncated = False
        """True once a value was replaced by a placeholder, because it exceeded a limit."""
        self._ints: dict[int, int] = {}
        self._strings: dict[str, int] = {}
        self._others: dict[tuple[str, bytes], int] = {}
        writers: dict[type, Callable[..., int]] = {
            int: self._int,
            bool: self._bool,
            NoneType: self._none,
            float: self._float,
            complex: self._complex,
            str: self.string,
            bytes: self._bytes,
            EllipsisType: self._singleton,
            NotImplementedType: self._singleton,
            **dict.fromkeys(_BY_REPR, self._by_repr),
        }
        self.scalars = {id(kind): writer for kind, writer in writers.items()}
        """Writer function of each scalar type, by the id of the type."""

    def _int(self, value: int) -> int:
        handle = self._ints.get(value)
        if handle is None:
            if value in _INT64:
                handle = self._columns.add_value(ValueKind.INT, "int", number=value)
            elif value.bit_length() > 8 * self._value_bytes:
                handle = self.truncated("int", (value.bit_length() + 7) // 8, "int")
            else:
                handle = self._columns.add_value(ValueKind.INT, "int", data=hex(value).encode())
            self._ints[value] = handle
        return handle

    def _bool(self, value: bool) -> int:
        return self._row(ValueKind.BOOL, "bool", b"%d" % value, number=int(value), data=b"")

    def _none(self, _value: None) -> int:
        return self._row(ValueKind.NONE, "NoneType", b"", data=b"")

    def _float(self, value: float) -> int:
        return self._row(ValueKind.FLOAT, "float", struct.pack("<d", value), real=value, data=b"")

    def _complex(self, value: complex) -> int:
        key = struct.pack("<dd", value.real, value.imag)
        return self._row(ValueKind.COMPLEX, "complex", key, real=value.real, data=key[8:])

    def _bytes(self, value: bytes) -> int:
        if len(value) > self._value_bytes:
            return self.truncated("bytes", len(value), "bytes")
        return self._row(ValueKind.BYTES, "bytes", value, data=value)

    def _singleton(self, value: object) -> int:
        name = b"Ellipsis" if value is ... else b"NotImplemented"
        return self._row(ValueKind.SINGLETON, type(value).__qualname__, name, data=name)

    def _by_repr(self, value: object) -> int:
        kind = type(value)
        text = _plain_repr(value).encode()
        return self._row(ValueKind.OPAQUE, f"{kind.__module__}.{kind.__qualname__}", text, data=text)

    def string(self, value: str) -> int:
        """Return the handle of a string, which is added to the table if it is new."""
        if len(value) > _LONG:
            return self._long_string(value)
        handle = self._strings.get(value)
        if handle is None:
            data = value.encode("utf-8", "surrogatepass")
            if len(data) > self._value_bytes:
                handle = self.truncated("str", len(data), "str")
            else:
                handle = self._columns.add_value(ValueKind.STR, "str", data=data)
            self._strings[value] = handle
        return handle

    def _long_string(self, value: str) -> int:
        data = value.encode("utf-8", "surrogatepass")
        if len(data) > self._value_bytes:
            return self.truncated("str", len(data), "str")
        key = ("long str", _digest(data))
        handle = self._others.get(key)
        if handle is None:
            handle = self._others[key] = self._columns.add_value(ValueKind.STR, "str", data=data)
        return handle

    def concat(self, old_handle: int, old: str, new: str) -> int:
        """Return the handle of `new`; if it extends a long `old` (CONCAT_FROM), only the rest is stored."""
        if len(old) < CONCAT_FROM or len(new) <= len(old) or not new.startswith(old):
            return self.string(new)
        if self._columns.value_kind[old_handle] not in (ValueKind.STR, ValueKind.CONCAT):
            return self.string(new)
        data = new.encode("utf-8", "surrogatepass")
        if len(data) > self._value_bytes:
            return self.truncated("str", len(data), "str")
        key = ("long str", _digest(data))
        handle = self._strings.get(new) if len(new) <= _LONG else self._others.get(key)
        if handle is None:
            rest = new[len(old) :].encode("utf-8", "surrogatepass")
            handle = self._columns.add_value(ValueKind.CONCAT, "str", number=old_handle, data=rest)
            if len(new) <= _LONG:
                self._strings[new] = handle
            else:
                self._others[key] = handle
        return handle

    def summary(self, text: str) -> int:
        """Return the handle of a summary; a long part before "; content " is stored once, as a string."""
        start, mark, _ = text.partition("; content ")
        size = len(text.encode("utf-8", "surrogatepass"))
        if not mark or len(start) < CONCAT_FROM or size > self._value_bytes:
            return self.string(text)
        return self.concat(self.string(start), start, text)

    def truncated(self, what: str, size: int, type_name: str) -> int:
        """Return the handle of a placeholder for a value beyond a limit of size, depth or objects.

        `what`, `size`: a type and the value's bytes, or "depth" or "nodes" and the limit.
        """
        self.any_truncated = True
        return self._row(
            ValueKind.TRUNCATED, type_name, b"%s %d" % (what.encode(), size), number=size, data=what.encode()
        )

    def reference(self, number: int, type_name: str) -> int:
        """Add a reference to a heap object and return its handle."""
        return self._columns.add_value(ValueKind.REF, type_name, number=number)

    def _row(
        self, kind: int, type_name: str, key: bytes, *, number: int = 0, real: float = 0.0, data: bytes
    ) -> int:
        identity = (f"{kind} {type_name}", key)
        handle = self._others.get(identity)
        if handle is None:
            handle = self._columns.add_value(kind, type_name, number=number, real=real, data=data)
            self._others[identity] = handle
        return handle


def _plain_repr(value: Any) -> str:
    """Return the repr; only the type of a time zone is named if its class may be the program's."""
    kind: Any = type(value)
    zone = kind.__dict__["tzinfo"].__get__(value) if id(kind) in _MAY_HAVE_ZONE else None
    zone_type = type(zone)
    if zone is None or zone_type is datetime.timezone:
        return kind.__repr__(value)  # type: ignore[no-any-return]  # a str
    library = sys.modules.get("zoneinfo")
    if (
        library is not None
        and zone_type is library.ZoneInfo
        and type(zone_type.__dict__["key"].__get__(zone)) is str
    ):
        return kind.__repr__(value)  # type: ignore[no-any-return]  # a str
    name = type.__dict__["__name__"].__get__(zone_type)
    return f"{kind.__repr__(kind.replace(value, tzinfo=None))} in <{name}>"


def _digest(data: bytes) -> bytes:
    return hashlib.blake2b(data, digest_size=16).digest()
