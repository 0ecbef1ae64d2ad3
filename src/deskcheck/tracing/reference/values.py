"""Write immutable scalars into the value table, each once.

    table = ValueTable(columns, value_bytes)
    table.scalars[id(type(value))](value) -> handle       only for exact types in `scalars`
    table.concat(old_handle, old, new) -> handle      a long string that extends the one before

Only exact types count as scalars: an instance of a subclass of int has identity and attributes. Types are
looked up by id(), because hash() and == of a class may be code of the program's metaclass.
"""

from __future__ import annotations

import datetime
import decimal
import hashlib
import struct
from collections.abc import Callable
from types import EllipsisType, NoneType, NotImplementedType

from deskcheck.records import ValueKind
from deskcheck.tracing.reference.columns import Columns

_INT64 = range(-(1 << 63), 1 << 63)
_LONG = 256  # longer strings are found again by digest, so that the table's index stays small
CONCAT_FROM = 32  # characters from which a growing string is written as its extension

# Immutable exact types whose repr is C code of the standard library and holds no address.
_BY_REPR: tuple[type, ...] = (
    decimal.Decimal,
    datetime.date,
    datetime.datetime,
    datetime.time,
    datetime.timedelta,
)


class ValueTable:
    """Handles of scalars; equal values of one type share a row."""

    def __init__(self, columns: Columns, value_bytes: int) -> None:
        self._columns = columns
        self._value_bytes = value_bytes
        self.cut = False
        """Whether a value was truncated."""
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
        """What writes a scalar, by the id of its exact type."""

    def _int(self, value: int) -> int:
        handle = self._ints.get(value)
        if handle is None:
            if value in _INT64:
                handle = self._columns.value(ValueKind.INT, "int", number=value)
            elif value.bit_length() > 8 * self._value_bytes:
                handle = self.truncated("int", (value.bit_length() + 7) // 8, "int")
            else:
                handle = self._columns.value(ValueKind.INT, "int", data=hex(value).encode())
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
        text = kind.__repr__(value).encode()
        return self._row(ValueKind.OPAQUE, f"{kind.__module__}.{kind.__qualname__}", text, data=text)

    def string(self, value: str) -> int:
        """Handle of a string in the table."""
        if len(value) > _LONG:
            return self._long_string(value)
        handle = self._strings.get(value)
        if handle is None:
            data = value.encode("utf-8", "surrogatepass")
            if len(data) > self._value_bytes:
                handle = self.truncated("str", len(data), "str")
            else:
                handle = self._columns.value(ValueKind.STR, "str", data=data)
            self._strings[value] = handle
        return handle

    def _long_string(self, value: str) -> int:
        data = value.encode("utf-8", "surrogatepass")
        if len(data) > self._value_bytes:
            return self.truncated("str", len(data), "str")
        key = ("long str", _digest(data))
        handle = self._others.get(key)
        if handle is None:
            handle = self._others[key] = self._columns.value(ValueKind.STR, "str", data=data)
        return handle

    def concat(self, old_handle: int, old: str, new: str) -> int:
        """Handle of `new`, written as an extension of `old` where it is one and is long enough."""
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
            handle = self._columns.value(ValueKind.CONCAT, "str", number=old_handle, data=rest)
            if len(new) <= _LONG:
                self._strings[new] = handle
            else:
                self._others[key] = handle
        return handle

    def truncated(self, what: str, size: int, type_name: str) -> int:
        """Handle of the mark for a value that was not looked into."""
        self.cut = True
        return self._row(
            ValueKind.TRUNCATED, type_name, b"%s %d" % (what.encode(), size), number=size, data=what.encode()
        )

    def reference(self, number: int, type_name: str) -> int:
        """Handle of a new heap object."""
        return self._columns.value(ValueKind.REF, type_name, number=number)

    def _row(
        self, kind: int, type_name: str, key: bytes, *, number: int = 0, real: float = 0.0, data: bytes
    ) -> int:
        place = (f"{kind} {type_name}", key)
        handle = self._others.get(place)
        if handle is None:
            handle = self._columns.value(kind, type_name, number=number, real=real, data=data)
            self._others[place] = handle
        return handle


def _digest(data: bytes) -> bytes:
    return hashlib.blake2b(data, digest_size=16).digest()
