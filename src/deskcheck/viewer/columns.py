"""Pack a trace as one block of bytes for the viewer's page: its columns, followed by its texts.

    block_of(trace) -> Block(tables={"columns": [..], ..}, data=b"..")

A column of integers is written raw, as differences, or as distances from the largest number so far (new
handles become 0): whichever deflates best. Its numbers take 1, 2 or 4 bytes, and the bytes lie plane by
plane, lowest first. `page/data.js` reads this form. Scalars are stored as the text that Python shows, so
numbers of any size, -0.0 and lone surrogates reach the page unchanged.
"""

from __future__ import annotations

import zlib
from array import array
from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate, chain
from operator import sub
from typing import Any

from msgspec import Struct

from deskcheck.records import Trace, ValueKind
from deskcheck.tracing.literal import int_text, scalar
from deskcheck.viewer.text import scalar_text

ATOM, TEXT, CONCAT, REF = range(4)
"""Kinds of values in the page: text to show, body of a string, beginning and rest of a string, object."""
_RAW, _DIFFERENCES, _FROM_LARGEST = range(3)  # forms of a column
_LETTERS = {1: "b", 2: "h", 4: "i"}  # bytes of a number -> its type in an array
_EVENTS = ("kind", "frame", "line", "value", "thread", "end_line", "column", "end_column", "offset", "opcode")
_CHANGES = ("place", "owner", "key", "index", "op", "value")


class Block(Struct, frozen=True):
    """One trace as the page reads it."""

    tables: dict[str, Any]
    """Small tables, as JSON: codes, names, and of each column [name, mode, width, entries, first byte]."""
    data: bytes
    """The columns one after the other, then the texts of the values, not compressed."""


def block_of(trace: Trace, *, n_events: int = -1) -> Block:
    """Return the columns of the first `n_events` events (-1 = all), with every table that they refer to."""
    total = len(trace.events.kind)
    cut = total if n_events < 0 else min(n_events, total)
    writer = _Writer()
    events, changes = trace.events, trace.changes
    for name in _EVENTS:
        writer.add(f"e.{name}", getattr(events, name)[:cut])
    ends = list(events.changes_end[:cut])
    writer.add("e.changes", list(map(sub, ends, chain([0], ends))))
    n_changes = len(changes.op) if cut == total else (ends[-1] if ends else 0)
    for name in _CHANGES:
        writer.add(f"c.{name}", getattr(changes, name)[:n_changes])
    writer.add("f.code", trace.frames.code)
    writer.add("f.parent", trace.frames.parent)
    for name in ("kind", "type", "text"):
        writer.add(f"o.{name}", getattr(trace.objects, name))
    kinds, numbers, texts = _values(trace)
    writer.add("v.kind", kinds)
    writer.add("v.number", numbers)
    writer.add("v.type", trace.values.type)
    encoded = [text.encode() for text in texts]
    writer.add("v.length", list(map(len, encoded)))
    tables = {
        "granularity": trace.granularity.name.lower(),
        "codes": [[code.name, code.file, code.first_line, code.kind] for code in trace.codes],
        "names": [shown_text(name) for name in trace.names],
        "columns": writer.table,
        "text": len(writer.data),
        "result": getattr(trace.outcome, "value", -1) if cut == total else -1,
    }
    return Block(tables, bytes(writer.data) + b"".join(encoded))


class _Writer:
    """Buffer of columns one after the other, with the form and position of each in `table`."""

    def __init__(self) -> None:
        self.table: list[list[Any]] = []
        self.data = bytearray()

    def add(self, name: str, cells: Sequence[int]) -> None:
        """Append one column in the shortest of its forms."""
        numbers = list(cells)
        forms = [(_RAW, numbers), (_DIFFERENCES, list(map(sub, numbers, chain([0], numbers))))]
        if len(numbers) > 64 and name[0] in "ecv":
            largest = accumulate(chain([-1], numbers), max)
            forms.append((_FROM_LARGEST, [top + 1 - n for top, n in zip(largest, numbers, strict=False)]))
        mode, width, planes = min(
            ((mode, *_planes(form)) for mode, form in forms), key=lambda form: _size(form[2])
        )
        self.table.append([name, mode, width, len(numbers), len(self.data)])
        self.data += planes


def _size(planes: bytes) -> int:
    return len(planes) if len(planes) < 64 else len(zlib.compress(planes, 1))


def _planes(numbers: Sequence[int]) -> tuple[int, bytes]:
    """Return the width of the numbers in bytes, and their bytes plane by plane."""
    low, high = (min(numbers), max(numbers)) if numbers else (0, 0)
    width = next((w for w in (1, 2) if -(1 << 8 * w - 1) <= low and high < 1 << 8 * w - 1), 4)
    if low < -(1 << 31) or high >= 1 << 31:
        numbers = [(n + (1 << 31)) % (1 << 32) - (1 << 31) for n in numbers]
    data = array(_LETTERS[width], numbers).tobytes()
    return width, b"".join(data[plane::width] for plane in range(width))


def _values(trace: Trace) -> tuple[list[int], list[int], list[str]]:
    """Return kind, number and text of every value."""
    table = trace.values
    kinds: list[int] = []
    numbers: list[int] = []
    texts: list[str] = []
    for handle, code in enumerate(table.kind):
        kind, number, text = ATOM, 0, ""
        if code == ValueKind.INT:
            data = table.data[handle]
            text = int_text(int(data, 16)) if data else str(table.number[handle])
            text += "n" if trace.names[table.type[handle]] == "bigint" else ""
        elif code == ValueKind.REF:
            kind, number = REF, table.number[handle]
        elif code == ValueKind.STR:
            kind, text = TEXT, string_body(table.data[handle])
        elif code == ValueKind.CONCAT:
            kind, number, text = CONCAT, table.number[handle], string_body(table.data[handle])
        else:
            text = _atom(trace, handle)
        kinds.append(kind)
        numbers.append(number)
        texts.append(text)
    return kinds, numbers, texts


def _atom(trace: Trace, handle: int) -> str:
    table = trace.values
    kind = table.kind[handle]
    if kind == ValueKind.TRUNCATED:
        what = table.data[handle].decode("utf-8", "replace")
        return shown_text(f"<{trace.names[table.type[handle]]}, {table.number[handle]} {what}, not recorded>")
    if kind == ValueKind.OPAQUE:
        return shown_text(table.data[handle].decode("utf-8", "replace"))
    if (written := scalar_text(trace, handle)) is not None:
        return written
    return repr(scalar(trace, handle))


def string_body(data: bytes) -> str:
    """Return the text between the quotes of a string's repr, with quotes unescaped: the page chooses them."""
    return repr('"' + data.decode("utf-8", "surrogatepass"))[2:-1].replace("\\'", "'")


def shown_text(text: str) -> str:
    """Return the text with unprintable characters as escapes, so that no name can distort a page."""
    return text if text.isprintable() else "".join(map(_shown, text))


def _shown(character: str) -> str:
    return character if character.isprintable() else repr(character)[1:-1]


def compressed(parts: Iterable[bytes], compress: Callable[[bytes, int], bytes] = zlib.compress) -> bytes:
    """Compress all parts into one zlib stream."""
    return compress(b"".join(parts), 9)
