"""Describe numpy's arrays by data type, shape and first items, and its scalars by value.

    numpy.ndarray -> "int64 (2, 3): 0, 1, 2, 3, 4, 5"
    numpy.ndarray -> "float64 (900,): 0.0, 1.0, .., …; content 5a1f09c2"
    numpy.float64 -> "numpy.float64(0.5)"
    numpy.ma.MaskedArray -> "int64 (3,): 1, --, 3"

Matrices, records and memory maps are read through a view as a plain array, which asks none of their methods.

If not every item is shown, a fingerprint of the content follows, so that a change of another item is noticed.
It is made from the first 256 KiB of an array, and the description says if there is more. Of an array of
objects the first 1,000 items are compared. Records that hold objects are described as "content not compared".
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from typing import Any

from deskcheck.summaries import COMPARED_BYTES, MOST_ITEMS, Look, Summary, Unread, mro
from deskcheck.summaries._arrays import NOT_A_TIME, content, data_type, first_items, item_text

_WHOLE_BYTES = 4096
"""In the key, content up to this size stands itself, larger content as its CRC-32."""
_PLAIN = {("b", 1), ("f", 4), ("f", 8), *((kind, size) for kind in "iu" for size in (1, 2, 4, 8))}


def state(value: Any, look: Look) -> object:
    """Return a key that is equal only if the description is equal; None = the description is made again."""
    if look.field(value, "nbytes") > COMPARED_BYTES:
        return None
    dtype = look.field(value, "dtype")
    # The short name of a record's type does not tell its fields.
    if look.field(dtype, "hasobject") or look.field(dtype, "kind") == "V":
        return None
    data = look.call(value, "tobytes")
    key = data if len(data) <= _WHOLE_BYTES else zlib.crc32(data)
    return look.field(dtype, "str"), look.field(value, "shape"), key


def layout(value: Any, look: Look) -> object:
    """Return where a plain array in one piece lies in memory, and the facts for its description.

    The parts are: address, number of items, number of bytes compared, bytes of an item, letter of its kind,
    data type, and the beginning of the description. None for an array that is not in one piece, has other
    items or another byte order.
    """
    dtype, size = look.field(value, "dtype"), look.field(value, "size")
    kind, width = look.field(dtype, "kind"), look.field(dtype, "itemsize")
    if not size or (kind, width) not in _PLAIN or not look.field(dtype, "isnative"):
        return None
    interface = look.field(value, "__array_interface__")
    if interface["strides"] is not None:
        return None
    compared = min(size * width, COMPARED_BYTES)
    head = f"{data_type(dtype, look)} {look.field(value, 'shape')}"
    return interface["data"][0], size, compared, width, kind, dtype, head


def array(value: Any, look: Look) -> str:
    """Describe an array by data type, shape, first items and content."""
    items = [item_text(item, look) for item in first_items(value, look, MOST_ITEMS)]
    return _described(value, look, items, lambda: content(value, look))


def _described(value: Any, look: Look, items: list[str], mark: Callable[[], str]) -> str:
    head = f"{data_type(look.field(value, 'dtype'), look)} {look.field(value, 'shape')}"
    if not items:
        return head
    if look.field(value, "size") <= len(items):
        return f"{head}: {', '.join(items)}"
    return f"{head}: {', '.join(items)}, …; {mark()}"


def inherited(value: Any, look: Look) -> str:
    """Describe a matrix, an array of records or a memory map as the array that it is."""
    return array(_plain(value, look), look)


def _plain(value: Any, look: Look) -> Any:
    """Return a view of the same memory as a plain array: making it calls nothing of the array's class."""
    plain = next(kind for kind in mro(type(value)) if look.type_name(kind) == "numpy.ndarray")
    view = look.call(value, "view", plain)
    if not look.is_a(view, "numpy.ndarray"):
        raise Unread("a plain view")
    return view


def masked(value: Any, look: Look) -> str:
    """Describe a masked array; an item that the mask hides is "--"."""
    plain, mask = _plain(value, look), look.attribute(value, "_mask")
    items = [item_text(item, look) for item in first_items(plain, look, MOST_ITEMS)]
    if not look.is_a(mask, "numpy.ndarray"):
        return _described(plain, look, items, lambda: content(plain, look))
    hidden = first_items(mask, look, MOST_ITEMS)
    items = ["--" if gone is True else text for text, gone in zip(items, hidden, strict=True)]

    def mark() -> str:
        return f"content {zlib.crc32(f'{content(plain, look)} {content(mask, look)}'.encode()):08x}"

    return _described(plain, look, items, mark)


def record(value: Any, look: Look) -> str:
    """Describe one record of an array by its fields: "(0, 2.5)"."""
    if look.field(look.field(value, "dtype"), "hasobject"):
        return "content not compared"
    return item_text(look.call(value, "item"), look)


def scalar(value: Any, look: Look) -> str:
    """Write a scalar with its type: "numpy.int64(3)"."""
    dtype = look.field(value, "dtype")
    kind = look.field(dtype, "kind")
    if kind in "Mm":
        return _time(value, look, unit=look.field(dtype, "str")[4:-1], is_span=kind == "m")
    if look.field(dtype, "hasobject"):
        return look.type_name(type(value))
    return f"{look.type_name(type(value))}({item_text(look.call(value, 'item'), look)})"


def _time(value: Any, look: Look, *, unit: str, is_span: bool) -> str:
    """Write a date or a span so that the text evaluates to it, with its unit: "25s", or "" for none.

    numpy.datetime64('2020-01-01')    numpy.datetime64('2020-01-01T00:00:50','25s')
    numpy.timedelta64(3,'25s')        numpy.timedelta64('NaT')
    """
    number = look.call(look.call(value, "astype", "int64"), "item")
    text = repr(look.call(look.call(value, "astype", "U40"), "item"))
    if is_span:
        text = "'NaT'" if number == NOT_A_TIME else str(number)
        return f"numpy.timedelta64({text},{unit!r})" if unit else f"numpy.timedelta64({text})"
    # A date without a unit gets the one of its last figure: days for weeks, seconds for steps of 25 seconds.
    has_other_unit = unit == "W" or unit[:1].isdigit() or (number == NOT_A_TIME and unit)
    return f"numpy.datetime64({text},{unit!r})" if has_other_unit else f"numpy.datetime64({text})"


_SCALARS = (
    *("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "longlong", "ulonglong"),
    *("float16", "float32", "float64", "longdouble", "complex64", "complex128", "clongdouble"),
    *("bool", "bool_", "str_", "bytes_", "datetime64", "timedelta64"),
)
SUMMARIES = {
    "numpy.ndarray": Summary(array, state=state, layout=layout),
    **{name: Summary(masked) for name in ("numpy.ma.MaskedArray", "numpy.ma.core.MaskedArray")},
    "numpy.ma.core.MaskedConstant": Summary(lambda *_: "numpy.ma.masked", can_change=False),
    **{f"numpy.{name}": Summary(inherited) for name in ("matrix", "memmap", "recarray", "rec.recarray")},
    **{f"numpy.{name}": Summary(record) for name in ("void", "record", "rec.record")},
    **{f"numpy.{name}": Summary(scalar, can_change=False) for name in _SCALARS},
}
