"""Read numpy arrays without numpy: data type, first items, and a fingerprint of the content.

    data_type(dtype, look) -> "int64"        content(array, look) -> "content 5a1f09c2"

Only exact arrays may be given: those of a subclass would run its `__array_finalize__`.
"""

from __future__ import annotations

import zlib
from typing import Any

from deskcheck.summaries import COMPARED_BYTES, Look

_WORDS = {"b": "bool", "i": "int", "u": "uint", "f": "float", "c": "complex"}
_MOST_OBJECTS = 1000  # items of an array of objects that are compared
_UNITS = {
    "Y": "years",
    "M": "months",
    "W": "weeks",
    "D": "days",
    "h": "hours",
    "m": "minutes",
    "s": "seconds",
    "ms": "milliseconds",
    "us": "microseconds",
    "ns": "nanoseconds",
    "ps": "picoseconds",
    "fs": "femtoseconds",
    "as": "attoseconds",
}
NOT_A_TIME = -(2**63)


def data_type(dtype: Any, look: Look) -> str:
    """Return the name of a data type: "int64", "str of 5", "datetime64[ns]"."""
    kind, size = look.field(dtype, "kind"), look.field(dtype, "itemsize")
    if kind == "b":
        return "bool"
    if kind in _WORDS:
        return f"{_WORDS[kind]}{8 * size}"
    if kind in "Mm":
        name = "datetime64" if kind == "M" else "timedelta64"
        return f"{name}{look.field(dtype, 'str')[3:]}"
    names = {
        "O": "object",
        "U": f"str of {size // 4}",
        "S": f"bytes of {size}",
        "V": f"record of {size} bytes",
    }
    return names.get(kind, f"kind {kind}")


def first_items(array: Any, look: Look, n: int) -> list[Any]:
    """Return the first `n` items in the order of C; dates and spans of time as texts (`_Bare`)."""
    flat = look.field(array, "flat")
    some = type(flat).__getitem__(flat, slice(0, n))
    dtype = look.field(array, "dtype")
    if look.field(dtype, "kind") == "M":
        return [_Bare(text) for text in look.call(look.call(some, "astype", "U40"), "tolist")]
    if look.field(dtype, "kind") == "m":  # numpy cuts the text of a long span after 21 letters
        unit = look.field(dtype, "str")[4:-1]
        return [
            _Bare(span(number, unit)) for number in look.call(look.call(some, "astype", "int64"), "tolist")
        ]
    items: list[Any] = look.call(some, "tolist")
    return items


def span(number: int, unit: str) -> str:
    """Return the text of a span of time in a unit of numpy.

    span(3, "D") -> "3 days", span(3, "25s") -> "75 seconds"
    """
    if number == NOT_A_TIME:
        return "NaT"
    digits = len(unit) - len(unit.lstrip("0123456789"))
    number *= int(unit[:digits] or 1)
    return f"{number} {_UNITS[unit[digits:]]}" if unit else str(number)


class _Bare(Exception):
    """Text of an item that is shown without quotes."""


def item_text(item: object, look: Look) -> str:
    """Return the text of one item of an array."""
    if type(item) is _Bare:
        return str(item.args[0])
    return f"({', '.join(look.text(part) for part in item)})" if type(item) is tuple else look.text(item)


def content(array: Any, look: Look) -> str:
    """Return the fingerprint of an array's content, and how much of a larger one it leaves out."""
    dtype, n_bytes = look.field(array, "dtype"), look.field(array, "nbytes")
    if look.field(dtype, "hasobject"):
        if look.field(dtype, "kind") != "O":
            return "content not compared"
        texts = [look.text(item) for item in first_items(array, look, _MOST_OBJECTS)]
        left = ", of the first 1000 items" if look.field(array, "size") > _MOST_OBJECTS else ""
        return f"content {zlib.crc32(repr(texts).encode('utf-8', 'replace')):08x}{left}"
    if n_bytes <= COMPARED_BYTES:
        return f"content {zlib.crc32(look.call(array, 'tobytes')):08x}"
    flat, size = look.field(array, "flat"), max(1, look.field(dtype, "itemsize"))
    start = type(flat).__getitem__(flat, slice(0, COMPARED_BYTES // size))
    return f"content {zlib.crc32(look.call(start, 'tobytes')):08x}, of the first 256 KiB"
