"""A plain recorder of a program's variables: `sys.settrace`, and the public functions of each library.

record(function) -> [(line, {name: Seen})] at each executed line of the function's file
differences(seen, value) -> what of a value of the API differs from what was seen
"""

from __future__ import annotations

import dataclasses
import datetime
import decimal
import enum
import fractions
import io
import pathlib
import re
import socket
import sys
import threading
import uuid
import zlib
import zoneinfo
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

from deskcheck import StandIn

Seen = Any
"""A text; a list, tuple or dict of these; (type, fields) in `Fields`; None where nothing is compared."""
_PLAIN = (int, float, complex, bool, str, bytes, type(None))
_REPR = (
    *(decimal.Decimal, datetime.date, datetime.datetime, datetime.timedelta),
    *(pathlib.PurePath, fractions.Fraction, uuid.UUID),
)


class Fields(dict[str, Seen]):
    """Fields of an instance by name."""


def record(function: Callable[[], object]) -> list[tuple[int, dict[str, Seen]]]:
    """Run the function, and describe the variables of its file's frames at each line."""
    file, steps = function.__code__.co_filename, []

    def hook(frame: FrameType, event: str, _argument: object) -> Any:
        if frame.f_code.co_filename != file:
            return None
        if event == "line":
            sys.settrace(None)
            steps.append((frame.f_lineno, {name: seen(value) for name, value in frame.f_locals.items()}))
            sys.settrace(hook)
        return hook

    sys.settrace(hook)
    try:
        function()
    finally:
        sys.settrace(None)
    return steps


def seen(value: Any) -> Seen:
    """Describe a value by what its library says of it."""
    kind = type(value)
    if isinstance(value, enum.Flag):
        return f"{kind.__qualname__}.{value.name}"
    if isinstance(value, enum.Enum):
        return f"{kind.__qualname__}.{value.name}"
    if kind in _PLAIN or kind is datetime.timezone or isinstance(value, _REPR):
        return pandas_text(value) if kind.__module__.startswith("pandas") else repr(value)
    if kind in (list, tuple):
        return kind(map(seen, value))
    if kind is dict:
        return {seen(key): seen(item) for key, item in value.items()}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return Fields({f.name: seen(getattr(value, f.name)) for f in dataclasses.fields(value)})
    if hasattr(kind, "__attrs_attrs__"):
        return Fields({a.name: seen(getattr(value, a.name)) for a in kind.__attrs_attrs__})
    for module, describe in LIBRARIES.items():
        if kind.__module__.partition(".")[0] == module and module in sys.modules:
            return describe(value)
    return standard_text(value)


def standard_text(value: Any) -> str | None:
    if isinstance(value, re.Pattern):
        words = " | ".join(f"re.{f.name}" for f in (re.I, re.M, re.S, re.X, re.A) if value.flags & f)
        return f"re.compile({value.pattern!r}{f', {words}' if words else ''})"
    if isinstance(value, re.Match):
        return f"<match of {value.span()} {value.group()!r}>"
    if isinstance(value, zoneinfo.ZoneInfo):
        return repr(value)
    if isinstance(value, memoryview):
        try:
            return f"<memoryview {value.format!r} {value.shape}: {value.tobytes()!r}>"
        except ValueError:
            return "<memoryview released>"
    if isinstance(value, io.StringIO | io.BytesIO):
        kind = type(value).__name__
        return f"<_io.{kind} {'closed' if value.closed else f'{value.getvalue()!r} at {value.tell()}'}>"
    if isinstance(value, io.IOBase):
        state = "closed" if value.closed else "open"
        name, mode = value.name, value.mode  # type: ignore[attr-defined]  # a file has both
        return f"<_io.{type(value).__name__} {name!r} mode {mode!r} {state}>"
    if isinstance(value, socket.socket):
        words = f"{value.family.name} {value.type.name}"
        return f"<socket.socket {words} {'closed' if value.fileno() < 0 else 'open'}>"
    if type(value) is type(threading.Lock()):
        return f"<_thread.lock {'locked' if value.locked() else 'unlocked'}>"
    if type(value) is type(threading.RLock()):
        state, count = re.match(r"<(\w+).*(count=\d+)", repr(value)).groups()  # type: ignore[union-attr]
        return f"<_thread.RLock {state} {count}>"
    return None


# ------------------------------------------------------------------ libraries


def _kind(dtype: Any) -> str:
    words = {
        "V": f"record of {dtype.itemsize} bytes",
        "U": f"str of {dtype.itemsize // 4}",
        "S": f"bytes of {dtype.itemsize}",
        "O": "object",
    }
    return words.get(dtype.kind, dtype.name)


def _items(array: Any) -> list[str]:
    if array.dtype.kind == "m":
        return [str(item) for item in array.ravel()[:8]]
    if array.dtype.kind == "M":
        return [str(item) for item in array.ravel()[:8].astype(str)]
    return [_item(item) for item in array.ravel()[:8].tolist()]


def _item(item: Any) -> str:
    if type(item) is tuple:
        return f"({', '.join(map(_item, item))})"
    return seen(item) if type(item).__module__ != "builtins" else repr(item)


def _content(array: Any) -> str:
    if array.dtype.kind == "O":
        items = [_item(item) for item in array.ravel()[:1000].tolist()]
        return f"content {zlib.crc32(repr(items).encode()):08x}"
    left = ", of the first 256 KiB" if array.nbytes > 1 << 18 else ""
    return f"content {zlib.crc32(array.tobytes()[: 1 << 18]):08x}{left}"


def numpy_text(value: Any) -> str | None:
    import numpy as np

    if value is np.ma.masked:
        return "numpy.ma.masked"
    if isinstance(value, np.ndarray):
        items = _items(np.asarray(value))
        name = f"{type(value).__module__}.{type(value).__qualname__}"
        head = f"<{name} {_kind(value.dtype)} {value.shape}"
        mark = _content(np.asarray(value))
        if isinstance(value, np.ma.MaskedArray) and value.mask is not np.ma.nomask:
            items = ["--" if gone else item for item, gone in zip(items, value.mask, strict=False)]
            mark = f"content {zlib.crc32(f'{mark} {_content(value.mask)}'.encode()):08x}"
        rest = f", …; {mark}" if value.size > 8 else ""
        return f"{head}{': ' if items else ''}{', '.join(items)}{rest}>"
    if isinstance(value, np.void):
        return f"<numpy.void {_item(value.item())}>"
    if isinstance(value, np.datetime64 | np.timedelta64):
        return repr(value).replace("np.", "numpy.").replace("'D'", "'D'")
    if isinstance(value, np.generic):
        return f"numpy.{type(value).__name__}({value.item()!r})"
    return None


def _cells(column: Any, n: int) -> list[str]:
    import pandas as pd

    texts = []
    for item in column[:n]:
        is_gone = item is pd.NA or (item is not pd.NaT and not isinstance(item, str) and item != item)
        text = (
            "<NA>"
            if item is pd.NA
            else "nan"
            if is_gone
            else str(item)
            if not isinstance(item, str)
            else repr(item)
        )
        if isinstance(item, pd.Timestamp):
            text = item.strftime("%Y-%m-%dT%H:%M:%S.%f")
        elif isinstance(item, pd.Timedelta):
            text = f"{item // pd.Timedelta('1us')} microseconds"
        elif type(item).__module__ == "numpy" and column.dtype == object:
            text = seen(item)
        texts.append(text)
    return texts


def _column_type(column: Any) -> str:
    return (
        _kind(column.dtype)
        if hasattr(column.dtype, "itemsize") and column.dtype.kind != "O"
        else str(column.dtype)
    )


def pandas_text(value: Any) -> str | None:
    """All but the fingerprint, which `differences` compares by whether it changes."""
    import pandas as pd

    if isinstance(value, pd.Timestamp):
        return f"Timestamp('{value}')"
    if isinstance(value, pd.DataFrame):
        parts = []
        for name in list(value.columns)[:6]:
            column = value[name]
            more = ", …" if len(column) > 3 else ""
            parts.append(f"{name} {_column_type(column)} [{', '.join(_cells(column, 3))}{more}]")
        left = [f"… {len(value.columns) - 6} more"] if len(value.columns) > 6 else []
        size = f"{len(value)} rows x {len(value.columns)} columns"
        text = f"{size}{': ' if parts else ''}{'; '.join(parts + left)}"
        return f"<pandas.DataFrame {text}; content {zlib.crc32(value.to_csv().encode()):08x}>"
    if isinstance(value, pd.Series):
        name = "" if value.name is None else f"{value.name!r} "
        index = (
            "" if isinstance(value.index, pd.RangeIndex) else f"; index {', '.join(_cells(value.index, 3))}"
        )
        text = f"{name}{_column_type(value)} ({len(value)},): {', '.join(_cells(value, 8))}{index}"
        return f"<pandas.Series {text}; content {zlib.crc32(value.to_csv().encode()):08x}>"
    if isinstance(value, pd.Index):
        words = "range" if isinstance(value, pd.RangeIndex) else _column_type(value)
        words = f"{value.nlevels} levels" if isinstance(value, pd.MultiIndex) else words
        text = f"{words} ({len(value)},): {', '.join(_cells(value, 8))}"
        return f"<pandas.{type(value).__name__} {text}; content {zlib.crc32(repr(value).encode()):08x}>"
    return None


def torch_text(value: Any) -> str | None:
    import torch

    if isinstance(value, torch.dtype | torch.device):
        return repr(value)
    if not isinstance(value, torch.Tensor):
        return None
    plain = value.detach()
    name = "torch.nn.parameter.Parameter" if isinstance(value, torch.nn.Parameter) else "torch.Tensor"
    items = ", ".join(map(repr, plain.reshape(-1)[:8].tolist()))
    rest = f", …; content {zlib.crc32(plain.numpy().tobytes()):08x}" if plain.numel() > 8 else ""
    grad = ", requires grad" if value.requires_grad else ""
    return f"<{name} {str(value.dtype)[6:]} {tuple(value.shape)}: {items}{rest}{grad}>"


LIBRARIES: dict[str, Callable[[Any], str | None]] = {
    "numpy": numpy_text,
    "pandas": pandas_text,
    "torch": torch_text,
}
FOREIGN = re.compile(r"; content [0-9a-f]{8}>$")


def differences(expected: Seen, value: Any, fingerprints: dict[str, str], where: str) -> Iterator[str]:
    """Yield what differs. Fingerprints of pandas are others here: equal ones must mean equal ones."""
    if expected is None:
        return
    if isinstance(expected, Fields):
        for name, part in expected.items():
            yield from differences(part, value.attributes[name], fingerprints, f"{where}.{name}")
    elif isinstance(expected, list | tuple):
        if type(value) is not type(expected) or len(value) != len(expected):
            yield f"{where}: {value!r}, not {expected!r}"
            return
        for i, (part, item) in enumerate(zip(expected, value, strict=True)):
            yield from differences(part, item, fingerprints, f"{where}[{i}]")
    elif isinstance(expected, dict):
        for (key, part), (other, item) in zip(expected.items(), value.items(), strict=True):
            yield from differences(key, other, fingerprints, f"{where} key")
            yield from differences(part, item, fingerprints, f"{where}[{key}]")
    else:
        text = repr(value)
        if expected.startswith("<pandas."):
            mine, theirs = FOREIGN.sub("", expected), FOREIGN.sub("", text)
            if fingerprints.setdefault(expected, text) != text:
                yield f"{where}: {text}, but {fingerprints[expected]} for the same content"
            expected, text = mine, theirs
        if text != expected or (expected[0] == "<" and not isinstance(value, StandIn)):
            yield f"{where}: {text}, not {expected}"
