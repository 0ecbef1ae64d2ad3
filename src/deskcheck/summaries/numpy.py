"""numpy: arrays by data type, shape and first items, scalars by value.

    numpy.ndarray -> "int64 (2, 3): 0, 1, 2, 3, 4, 5"
    numpy.ndarray -> "float64 (900,): 0.0, 1.0, .., …; content 5a1f09c2"
    numpy.float64 -> "numpy.float64(0.5)"

If not every item is shown, a fingerprint of the content follows, so that a change of any item is noticed. It
is made from the first 256 KiB; a larger array says that the rest was not compared.
"""

from __future__ import annotations

import zlib
from typing import Any

from deskcheck.summaries import COMPARED_BYTES, MOST_ITEMS, Look, Summary
from deskcheck.summaries._arrays import content, data_type, first_items, item_text


def state(value: Any, look: Look) -> object:
    """Return data type, shape and content of an array whose whole content is compared; None for others."""
    if look.field(value, "nbytes") > COMPARED_BYTES:
        return None
    dtype = look.field(value, "dtype")
    if look.field(dtype, "hasobject"):
        return None
    data = look.call(value, "tobytes")
    return id(dtype), look.field(value, "shape"), data if len(data) < _KEPT_BYTES else zlib.crc32(data)


def array(value: Any, look: Look) -> str:
    """Describe an array by data type, shape, first items and content."""
    size = look.field(value, "size")
    head = f"{data_type(look.field(value, 'dtype'), look)} {look.field(value, 'shape')}"
    items = [item_text(item, look) for item in first_items(value, look, MOST_ITEMS)]
    if not items:
        return head
    if size <= len(items):
        return f"{head}: {', '.join(items)}"
    return f"{head}: {', '.join(items)}, …; {content(value, look)}"


def scalar(value: Any, look: Look) -> str:
    """Write a scalar with its type: "numpy.int64(3)"."""
    dtype = look.field(value, "dtype")
    kind = look.field(dtype, "kind")
    if kind in "Mm":
        text = look.call(look.call(value, "astype", "U40"), "item")
        unit = look.field(dtype, "str")[4:-1]
        return (
            f"numpy.datetime64({text!r})"
            if kind == "M"
            else f"numpy.timedelta64({text.partition(' ')[0]},{unit!r})"
        )
    if look.field(dtype, "hasobject"):
        return look.type_name(type(value))
    return f"{look.type_name(type(value))}({item_text(look.call(value, 'item'), look)})"


_KEPT_BYTES = 4096
_SCALARS = (
    *("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "longlong", "ulonglong"),
    *("float16", "float32", "float64", "longdouble", "complex64", "complex128", "clongdouble"),
    *("bool", "bool_", "str_", "bytes_", "datetime64", "timedelta64"),
)
SUMMARIES = {
    "numpy.ndarray": Summary(array, state=state),
    **{f"numpy.{name}": Summary(scalar, can_change=False) for name in _SCALARS},
}
