"""Describe tensors of torch by data type, shape, device and first items.

    torch.Tensor -> "float32 (3,): 0.0, 1.0, 2.0"             torch.dtype -> "torch.float32"
    torch.nn.parameter.Parameter -> "float32 (2, 4): .., …; content 5a1f09c2, requires grad"

Items are read from dense tensors in ordinary memory. While the program has a mode that takes torch's
operations over (`TorchFunctionMode`, `TorchDispatchMode`), nothing is read, because that would run the mode.
"""

from __future__ import annotations

import sys
import zlib
from types import BuiltinFunctionType, ModuleType
from typing import Any

from deskcheck.summaries import COMPARED_BYTES, MOST_ITEMS, Look, Summary, Unread

_MODES = ("_len_torch_function_stack", "_len_torch_dispatch_stack")
_MOST_COMPARED = 1000  # items that are compared if numpy cannot read the tensor
_held_by: Any = vars(ModuleType)["__dict__"]


def tensor(value: Any, look: Look) -> str:
    """Describe a tensor by data type, shape, first items and content."""
    if not _is_plain_torch():
        raise Unread("a mode is on")
    shape = tuple(tuple.__iter__(look.field(value, "shape")))
    head = f"{_word(look.field(value, 'dtype'))} {shape}"
    grad = ", requires grad" if look.field(value, "requires_grad") else ""
    device = look.field(look.field(value, "device"), "type")
    if device != "cpu" or _word(look.field(value, "layout")) != "strided":
        return f"{head} on {device}{grad}; content not compared"
    plain = look.call(value, "detach")
    size = look.call(plain, "numel")
    if size * look.call(plain, "element_size") > COMPARED_BYTES and not look.call(plain, "is_contiguous"):
        return f"{head}{grad}; content not compared"
    flat = look.call(plain, "reshape", -1)
    items = look.call(_first(flat, MOST_ITEMS), "tolist")
    if not items or size <= len(items):
        return f"{head}{': ' if items else ''}{look.items(items, size)}{grad}"
    return f"{head}: {look.items(items, size)}; {_content(flat, size, look)}{grad}"


def _is_plain_torch() -> bool:
    core = sys.modules.get("torch._C")
    if type(core) is not ModuleType:
        return False
    counts = [_held_by.__get__(core).get(name) for name in _MODES]
    return all(type(count) is BuiltinFunctionType and not count() for count in counts)


def _word(kind: Any) -> str:
    """Return the name of a data type or layout, which C code writes: "float32", "strided"."""
    write: Any = type(kind).__repr__  # `torch.dtype` and `torch.layout` are written in C
    return str(write(kind)).rpartition(".")[2]


def _first(flat: Any, n: int) -> Any:
    base = next(
        kind for kind in type.__dict__["__mro__"].__get__(type(flat)) if kind.__name__ == "TensorBase"
    )
    return base.__getitem__(flat, slice(0, n))


def _content(flat: Any, size: int, look: Look) -> str:
    """Return the fingerprint of a flat tensor's content, and how much of a larger one it leaves out."""
    most = COMPARED_BYTES // look.call(flat, "element_size")
    left = ", of the first 256 KiB" if size > most else ""
    try:
        data = look.call(look.call(_first(flat, most), "numpy"), "tobytes")
    except (TypeError, RuntimeError):  # a data type that numpy lacks, or no numpy
        left = f", of the first {_MOST_COMPARED} items" if size > _MOST_COMPARED else ""
        data = repr(look.call(_first(flat, _MOST_COMPARED), "tolist")).encode()
    return f"content {zlib.crc32(data):08x}{left}"


def kind(value: Any, look: Look) -> str:
    """Write a data type or a device as C code does: "torch.float32"."""
    return str(type.__dict__["__dict__"].__get__(type(value))["__repr__"](value))


SUMMARIES = {
    **{name: Summary(tensor) for name in ("torch.Tensor", "torch.nn.parameter.Parameter")},
    **{f"torch.{name}": Summary(kind, can_change=False) for name in ("dtype", "device", "layout")},
}
