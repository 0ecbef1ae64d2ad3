"""Describe files, streams in memory, views of memory, sockets and locks by name or content, and by state.

    _io.TextIOWrapper -> "'notes.txt' mode 'r' open"     _io.StringIO -> "'abc' at 3"
    socket.socket -> "AF_INET SOCK_STREAM open"          _thread.lock -> "unlocked"
    memoryview -> "'B' (3,): b'abc'"

A file is read down to its descriptor through exact types of the standard library. Nothing is flushed, no
position is asked for, and the number of a descriptor is not shown, because it differs from run to run.
"""

from __future__ import annotations

import zlib
from typing import Any

from deskcheck.summaries import COMPARED_BYTES, Look, Summary, Unread

_BUFFERS = ("_io.BufferedReader", "_io.BufferedWriter", "_io.BufferedRandom")


def _descriptor(value: Any, look: Look) -> Any:
    """Return the `io.FileIO` below a file of the standard library; None if something else stands there."""
    if look.is_a(value, "_io.TextIOWrapper"):
        value = look.field(value, "buffer")
    if any(look.is_a(value, name) for name in _BUFFERS):
        value = look.field(value, "raw")
    return value if look.is_a(value, "_io.FileIO") else None


def is_closed(value: Any, look: Look) -> object:
    """Return whether a file is closed, the only part of its description that changes; None if unknown."""
    below = _descriptor(value, look)
    return None if below is None else look.field(below, "closed")


def file(value: Any, look: Look) -> str:
    """Describe a file by its name, mode and state."""
    below = _descriptor(value, look)
    if below is None:
        return "over an object of another class"
    mode = (
        look.attribute(value, "mode") if look.is_a(value, "_io.TextIOWrapper") else look.field(below, "mode")
    )
    name = look.attribute(below, "name")
    called = look.text(name, 120) if type(name) in (str, bytes) else "a descriptor"
    return f"{called} mode {look.text(mode)} {'closed' if look.field(below, 'closed') else 'open'}"


def memory(value: Any, look: Look) -> str:
    """Describe a stream in memory by its content and position."""
    if look.field(value, "closed"):
        return "closed"
    position = look.call(value, "tell")
    if position > COMPARED_BYTES:
        return f"at {position}; content not compared"
    held = look.call(value, "getvalue")
    if len(held) <= 40:
        return f"{look.text(held)} at {position}"
    data = held.encode("utf-8", "surrogatepass") if type(held) is str else held
    left = ", of the first 256 KiB" if len(data) > COMPARED_BYTES else ""
    mark = f"content {zlib.crc32(data[:COMPARED_BYTES]):08x}{left}"
    return f"{look.text(held)} of {len(held)} at {position}; {mark}"


def socket(value: Any, look: Look) -> str:
    """Describe a socket by its family, kind, state and addresses."""
    family, kind = (int(look.field(value, name)) for name in ("family", "type"))
    words = f"{_FAMILIES.get(family, f'family {family}')} {_KINDS.get(kind & 0xF, f'kind {kind}')}"
    if look.call(value, "fileno") < 0:
        return f"{words} closed"
    ends = [_address(value, name, look) for name in ("getsockname", "getpeername")]
    shown = [f" {word} {end}" for word, end in zip(("at", "to"), ends, strict=True) if end]
    return f"{words} open{''.join(shown)}"


_FAMILIES = {1: "AF_UNIX", 2: "AF_INET", 10: "AF_INET6"}
_KINDS = {1: "SOCK_STREAM", 2: "SOCK_DGRAM", 3: "SOCK_RAW"}


def _address(value: Any, name: str, look: Look) -> str:
    try:
        address = look.call(value, name)
    except OSError:  # not connected, or not bound
        return ""
    is_none = not address or (type(address) is tuple and not address[1])
    return "" if is_none else look.text(address) if type(address) is str else f"{address[0]}:{address[1]}"


def view(value: Any, look: Look) -> str:
    """Describe a view of memory by the format of its items, its shape and its bytes."""
    try:
        n_bytes, shape = look.field(value, "nbytes"), look.field(value, "shape")
    except ValueError:
        return "released"
    head = f"{look.text(look.field(value, 'format'))} {shape}"
    if n_bytes > COMPARED_BYTES:
        return f"{head}; content not compared"
    data = look.call(value, "tobytes")
    shown = f"{head}: {look.text(data)}"
    return shown if n_bytes <= 40 else f"{shown}; content {zlib.crc32(data):08x}"


def lock(value: Any, look: Look) -> str:
    """Describe a lock by its state."""
    return "locked" if look.call(value, "locked") else "unlocked"


def reentrant_lock(value: Any, look: Look) -> str:
    """Describe a reentrant lock by its state, from the text that C code writes."""
    words = type(value).__dict__["__repr__"](value).split()
    count = next((word for word in words if word.startswith("count=")), "")
    if not words or not count:
        raise Unread("count")
    return f"{words[0].lstrip('<')} {count}"


SUMMARIES = {
    **{f"_io.{name}": Summary(file, state=is_closed, is_tame=True) for name in ("TextIOWrapper", "FileIO")},
    **{name: Summary(file, state=is_closed, is_tame=True) for name in _BUFFERS},
    **{f"_io.{name}": Summary(memory) for name in ("StringIO", "BytesIO")},
    "socket.socket": Summary(socket),
    "memoryview": Summary(view),
    "_thread.lock": Summary(lock),
    "_thread.RLock": Summary(reentrant_lock),
}
