"""Convert between a Trace and raw columns, the form in which tracers, sandbox and Arrow exchange traces.

    packed_of(trace) -> Packed              a head (everything that is not a column) and one buffer per column
    trace_of(packed) -> Trace               the law: trace_of(packed_of(t)) == t, bit for bit
    view_of(packed) -> Trace                the same without copying: its columns are views of the buffers
    make_packed({"events.kind": b"..", ..}, program_id=.., ..) -> Packed        from a tracer's buffers

Numbers are little-endian, of the widths in `WIDTHS`; an empty buffer is a column that was not recorded.
`values.data` is two buffers: `values.data.offsets` (int32, n + 1 of them, from 0) and `values.data.bytes`.
This module does not use Arrow, because a sandbox child imports it. `tracing/packed.py` writes a Packed as one
byte string, and `arrow.py` as a row of a table.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate, pairwise
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from deskcheck.errors import DataError
from deskcheck.records import (
    FORMAT_VERSION,
    ChangeColumns,
    Code,
    Determinism,
    EventColumns,
    Fidelity,
    FrameColumns,
    Granularity,
    Limits,
    ObjectColumns,
    Outcome,
    Trace,
    ValueColumns,
)

# Group -> field of the record -> type of one element in memory: int8, int32, int64, double, bytes.
WIDTHS: dict[str, dict[str, str]] = {
    "frames": {"code": "i", "parent": "i"},
    "events": {
        "kind": "b", "step": "q", "frame": "i", "line": "i", "value": "i", "changes_end": "i",
        "thread": "i", "end_line": "i", "column": "i", "end_column": "i", "offset": "i", "opcode": "i",
    },
    "changes": {"place": "b", "owner": "i", "key": "i", "index": "i", "op": "b", "value": "i"},
    "values": {"kind": "b", "number": "q", "real": "d", "data": "bytes", "type": "i"},
    "objects": {"kind": "b", "type": "i", "text": "i"},
}  # fmt: skip
RECORD_OF: dict[str, type[Any]] = {
    "frames": FrameColumns,
    "events": EventColumns,
    "changes": ChangeColumns,
    "values": ValueColumns,
    "objects": ObjectColumns,
}
GROUPS = list(WIDTHS)
# Every column in order: its name, the number of its group, the letter of its width.
COLUMNS: list[tuple[str, int, str]] = [
    (f"{group}.{name}", index, letter)
    for index, (group, fields) in enumerate(WIDTHS.items())
    for name, letter in fields.items()
]
COLUMN_NUMBER = {name: number for number, (name, _, _) in enumerate(COLUMNS)}
# Letter of a type -> bytes of one element.
BYTES_OF = {"b": 1, "i": 4, "q": 8, "d": 8}
TEXTS = COLUMN_NUMBER["values.data"]  # the only column of byte strings
_STEP = COLUMN_NUMBER["events.step"]
# Names of a tracer's buffers in the order of COLUMNS, their widths (0 = texts) and their groups.
BUFFER_OF = tuple("values.data.bytes" if letter == "bytes" else name for name, _, letter in COLUMNS)
BUFFER_WIDTHS = bytes(BYTES_OF.get(letter, 0) for _, _, letter in COLUMNS)
BUFFER_GROUPS = bytes(group for _, group, _ in COLUMNS)
_BUFFERS = {*BUFFER_OF, "values.data.offsets"}
EMPTY = b""
Buffer = bytes | memoryview
Gathered = tuple[list[Buffer], tuple[int, ...], int]
"""Result of `gathered`: buffers, numbers of entries, bit mask."""

MARK = "\ufdd0"  # a noncharacter, which texts hardly ever hold; `escape` replaces it too


def escape(text: str) -> str:
    """Replace lone surrogates, and the mark itself, by the mark and four hex digits."""
    if text.isascii() or not any(c == MARK or "\ud800" <= c <= "\udfff" for c in text):
        return text
    return "".join(f"{MARK}{ord(c):04x}" if c == MARK or "\ud800" <= c <= "\udfff" else c for c in text)


def unescape(text: str) -> str:
    """Undo `escape`. ValueError if a mark is not followed by hex digits."""
    if MARK not in text:
        return text
    first, *rest = text.split(MARK)
    return first + "".join(chr(int(part[:4], 16)) + part[4:] for part in rest)


class Head(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """All fields of a Trace that are not columns, with escaped texts, and a bit for each recorded column."""

    format_version: int
    program_id: str
    language: str
    runtime: str
    granularity: Granularity
    fidelity: Fidelity
    limits: Limits
    determinism: Determinism
    outcome: Outcome
    codes: list[tuple[str, int, int, str]]
    """Name, file, first line, kind."""
    names: list[str]
    counts: tuple[int, int, int, int, int]
    """Number of entries in each of `GROUPS`."""
    present: int
    """Bit i: column i of `COLUMNS` was recorded. A group without entries has no bits."""


class Packed:
    """A trace as its head and one buffer per column, in the order of `COLUMNS`; nothing is checked."""

    __slots__ = ("columns", "compared", "head", "offsets")

    def __init__(self, head: Head, columns: list[Buffer], offsets: Buffer) -> None:
        self.head = head
        self.columns = columns
        """One buffer per column, little-endian; at `TEXTS` the joined bytes of values.data."""
        self.offsets = offsets
        """Starts of the entries of values.data and the end of the last one, int32; empty = not recorded."""
        self.compared: list[bytes] = []
        """If a run in the sandbox differed after other programs and alone: both results. Not in the trace."""

    @property
    def program_id(self) -> str:
        """Id of the program that was run."""
        return unescape(self.head.program_id)

    @property
    def outcome(self) -> Outcome:
        """Outcome of the run, with its texts unescaped."""
        outcome: Outcome = unescaped(self.head.outcome)
        return outcome

    @property
    def n_events(self) -> int:
        """Number of events in the trace."""
        return self.head.counts[1]

    def same(self, other: Packed) -> bool:
        """Whether another run has the same head and bytes."""
        buffers = zip([*self.columns, self.offsets], [*other.columns, other.offsets], strict=True)
        return self.head == other.head and all(bytes(one) == bytes(another) for one, another in buffers)

    @property
    def is_streamed(self) -> bool:
        """Whether the columns went to a sink while the trace was made, so that they are missing here."""
        return self.head.present != 0 and not any(map(len, self.columns))

    @property
    def n_steps(self) -> int:
        """Number of executed line events."""
        steps = self.columns[_STEP]
        return int.from_bytes(steps[-8:], "little", signed=True) if len(steps) else 0

    @property
    def n_cells(self) -> int:
        """Approximate size in memory, in numbers of 8 bytes."""
        return sum(map(len, self.columns)) // 8 + len(self.offsets) // 8


def escaped(record: Any) -> Any:
    """Escape the texts of a record whose fields are texts, lists of texts and numbers."""
    return _with_texts(record, escape)


def unescaped(record: Any) -> Any:
    """Undo `escaped` on every text of a record."""
    return _with_texts(record, unescape)


def _with_texts(record: Any, change: Any) -> Any:
    changed: dict[str, Any] = {}
    for name in record.__struct_fields__:
        value = getattr(record, name)
        if isinstance(value, str):
            if not value.isascii():
                changed[name] = change(value)
        elif isinstance(value, list) and not all(map(str.isascii, value)):
            changed[name] = list(map(change, value))
    return replace(record, **changed) if changed else record


# ------------------------------------------------------------------ from a trace or a tracer's buffers


def make_packed(
    columns: Mapping[str, Buffer],
    *,
    program_id: str,
    runtime: str,
    granularity: Granularity,
    fidelity: Fidelity,
    limits: Limits,
    determinism: Determinism,
    outcome: Outcome,
    codes: Sequence[Code],
    names: Sequence[str],
    language: str = "python",
    format_version: int = FORMAT_VERSION,
    gather: Callable[[Mapping[str, Buffer]], Gathered] | None = None,
) -> Packed:
    """Make a Packed from buffers by name; a missing or empty buffer was not recorded.

    `gather`: a faster function with the results of `gathered`. DataError if lengths disagree.
    """
    found, counts, present = (gather or gathered)(columns)
    offsets = columns.get("values.data.offsets", EMPTY)
    if len(offsets) <= 4:  # the one offset of a table without entries
        offsets = EMPTY
    head = Head(
        format_version=format_version,
        program_id=escape(program_id),
        language=escape(language),
        runtime=escape(runtime),
        granularity=granularity,
        fidelity=escaped(fidelity),
        limits=limits,
        determinism=escaped(determinism),
        outcome=escaped(outcome),
        codes=[(escape(code.name), code.file, code.first_line, escape(code.kind)) for code in codes],
        names=list(names) if "".join(names).isascii() else list(map(escape, names)),
        counts=counts,  # type: ignore[arg-type]  # as many as GROUPS: five
        present=present,
    )
    return Packed(head, found, offsets)


def gathered(columns: Mapping[str, Buffer]) -> Gathered:
    """Return the buffers in the order of `COLUMNS`, the number of entries of each group, and a bit mask.

    The mask has a bit for each recorded column. DataError for an unknown name, or if lengths disagree.
    """
    if not columns.keys() <= _BUFFERS:
        unknown = sorted(columns.keys() - _BUFFERS)
        raise DataError(f"no column is called {unknown[0]!r}; known: {', '.join(sorted(_BUFFERS))}")
    n_offsets = len(columns.get("values.data.offsets", EMPTY))
    counts = [0] * len(GROUPS)
    present = 0
    found = [columns.get(name, EMPTY) for name in BUFFER_OF]
    for number, ((name, group, _), column) in enumerate(zip(COLUMNS, found, strict=True)):
        width = BUFFER_WIDTHS[number]
        n, rest = divmod(len(column), width) if width else divmod(max(n_offsets - 4, 0), 4)
        if rest or (n and counts[group] and counts[group] != n):
            raise DataError(f"column {name} has {n} entries and {rest} bytes; others have {counts[group]}")
        if n:
            counts[group] = n
            present |= 1 << number
    return found, tuple(counts), present


def packed_of(trace: Trace) -> Packed:
    """Convert a trace's columns to buffers. DataError names a column if a number does not fit it."""
    columns: dict[str, bytes] = {}
    for group, fields in WIDTHS.items():
        record = getattr(trace, group)
        for name, letter in fields.items():
            cells = getattr(record, name)
            if letter != "bytes":
                columns[f"{group}.{name}"] = _bytes_of(f"{group}.{name}", letter, cells)
            elif cells:
                ends = array("i", accumulate(map(len, cells), initial=0))
                columns["values.data.offsets"] = ends.tobytes()
                columns["values.data.bytes"] = b"".join(cells)
    rest: dict[str, Any] = {f: getattr(trace, f) for f in trace.__struct_fields__ if f not in WIDTHS}
    return make_packed(columns, **rest)


def _bytes_of(name: str, letter: str, cells: Sequence[float]) -> bytes:
    try:
        return array(letter, cells).tobytes()
    except OverflowError as error:
        raise DataError(
            f"a number in column {name} does not fit int{8 * BYTES_OF[letter]}: {error}"
        ) from None


# ------------------------------------------------------------------ to a trace


def trace_of(packed: Packed) -> Trace:
    """Convert buffers to a Trace of lists. ValueError if unchecked contents are not a trace."""
    return _trace(packed, _cells)


def view_of(packed: Packed) -> Trace:
    """Make a Trace whose columns are sequences over the buffers instead of lists, for traces of any length.

    `tracing.replay` and the viewer read it. It is not equal to a Trace of lists, and cannot become JSON.
    """
    return _trace(packed, _seen)


def _trace(packed: Packed, column: Callable[[Packed, int], Any]) -> Trace:
    head = packed.head
    columns = iter(range(len(COLUMNS)))
    records = {
        group: record(**{name: column(packed, next(columns)) for name in WIDTHS[group]})
        for group, record in RECORD_OF.items()
    }
    return Trace(
        format_version=head.format_version,
        program_id=unescape(head.program_id),
        language=unescape(head.language),
        runtime=unescape(head.runtime),
        granularity=head.granularity,
        fidelity=unescaped(head.fidelity),
        limits=head.limits,
        determinism=unescaped(head.determinism),
        outcome=unescaped(head.outcome),
        codes=[Code(unescape(name), file, line, unescape(kind)) for name, file, line, kind in head.codes],
        names=list(map(unescape, head.names)),
        **records,
    )


def _cells(packed: Packed, number: int) -> list[Any]:
    letter = COLUMNS[number][2]
    data = packed.columns[number]
    if letter != "bytes":
        return _numbers(letter, data)
    whole = bytes(data)
    return [whole[start:end] for start, end in pairwise(_numbers("i", packed.offsets))]


def _numbers(letter: str, data: Buffer) -> list[Any]:
    numbers = array(letter)
    numbers.frombytes(data)
    return numbers.tolist()


def _seen(packed: Packed, number: int) -> Sequence[Any]:
    letter = COLUMNS[number][2]
    if letter != "bytes":
        cells: Sequence[Any] = memoryview(packed.columns[number]).cast(letter)  # type: ignore[call-overload]  # letters of COLUMNS
        return cells
    return _Texts(memoryview(packed.offsets).cast("i"), packed.columns[number])


class _Texts(Sequence[bytes]):
    """Sequence of the entries of `values.data`, each copied only on access."""

    def __init__(self, offsets: memoryview, data: Buffer) -> None:
        self._offsets = offsets
        self._data = data

    def __len__(self) -> int:
        return max(len(self._offsets) - 1, 0)

    def __getitem__(self, index: Any) -> Any:
        if not 0 <= index < len(self):
            raise IndexError(index)
        return bytes(self._data[self._offsets[index] : self._offsets[index + 1]])
