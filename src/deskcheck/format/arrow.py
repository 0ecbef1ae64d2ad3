"""Convert traces to Arrow columns and back; the schema here is that of a shard, a Parquet file of traces.

    table_of_packed([(program, packed), ..]) -> pyarrow.Table     one row per trace, events: struct of lists
    packed_rows_of(table) -> (Program | None, Packed), ..         packed_rows_of(table_of_packed(x)) == x

Nested columns are structs of lists, so that a column that was not recorded is an empty list. Buffers are
copied unchanged (`buffers.Packed`), without a Python object per event. Text is UTF-8; a lone surrogate, which
is possible in Python text but not in UTF-8, becomes U+FDD0 and four hex digits (`buffers.escape`).
Meaning of the columns: docs/format.md.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from itertools import accumulate, chain, pairwise
from operator import attrgetter, ge, mul, or_
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from msgspec import Struct

from deskcheck.format.buffers import (
    BYTES_OF,
    COLUMNS,
    EMPTY,
    TEXTS,
    WIDTHS,
    Buffer,
    Head,
    Packed,
    escape,
    unescape,
)
from deskcheck.records import (
    CompileFailure,
    Crashed,
    Determinism,
    Fidelity,
    Granularity,
    Limits,
    MemoryLimit,
    Outcome,
    OutputLimit,
    Program,
    Raised,
    Refused,
    Rejected,
    Returned,
    StepLimit,
    TimeLimit,
)

_I8, _I16, _I32, _I64 = pa.int8(), pa.int16(), pa.int32(), pa.int64()
_F64, _TEXT, _BYTES = pa.float64(), pa.string(), pa.binary()
_TYPES = {"b": _I8, "i": _I32, "q": _I64, "d": _F64, "bytes": _BYTES}

# Group -> field of the record -> Arrow type of one element.
LISTS: dict[str, dict[str, pa.DataType]] = {
    "codes": {"name": _TEXT, "file": _I32, "first_line": _I32, "kind": _TEXT},
    **{group: {name: _TYPES[letter] for name, letter in fields.items()} for group, fields in WIDTHS.items()},
}
# Struct column -> its fields.
SCALARS: dict[str, dict[str, pa.DataType]] = {
    "limits": {
        "max_steps": _I64, "time_s": _F64, "memory_bytes": _I64, "output_bytes": _I64,
        "trace_bytes": _I64, "value_bytes": _I64, "depth": _I64, "nodes": _I64,
    },
    "program": {
        "id": _TEXT, "language": _TEXT, "source": _TEXT, "entry": _TEXT, "arguments": _TEXT,
        "origin": _TEXT, "licence": _TEXT, "prelude": _TEXT,
    },
}  # fmt: skip
ATTRIBUTES = dict(zip(Program.__struct_encode_fields__, Program.__struct_fields__, strict=True))
"""Field of the column `program` -> attribute of Program."""
_GRANULARITIES = {granularity: granularity.name.lower() for granularity in Granularity}
# Tag -> record, and the column of each of its fields.
OUTCOMES: dict[str, tuple[type[Outcome], dict[str, str]]] = {
    "returned": (Returned, {"value": "outcome_value"}),
    "raised": (
        Raised,
        {
            "type": "outcome_type",
            "message": "outcome_text",
            "line": "outcome_line",
            "value": "outcome_value",
        },
    ),
    "step limit": (StepLimit, {"limit": "outcome_limit"}),
    "time limit": (TimeLimit, {"limit_s": "outcome_limit_s"}),
    "memory limit": (MemoryLimit, {"limit_bytes": "outcome_limit"}),
    "output limit": (OutputLimit, {"limit_bytes": "outcome_limit", "what": "outcome_text"}),
    "crashed": (Crashed, {"cause": "outcome_text"}),
    "refused": (Refused, {"rule": "outcome_text"}),
    "rejected": (Rejected, {"check": "outcome_text"}),
    "compile failure": (CompileFailure, {"message": "outcome_text", "line": "outcome_line"}),
}
OUTCOME_COLUMNS = {
    "outcome_value": _I32,
    "outcome_type": _TEXT,
    "outcome_text": _TEXT,
    "outcome_line": _I32,
    "outcome_limit": _I64,
    "outcome_limit_s": _F64,
}


def _list(element: pa.DataType) -> pa.DataType:
    return pa.list_(pa.field("element", element, nullable=False))


def _struct(fields: dict[str, pa.DataType]) -> pa.DataType:
    return pa.struct([pa.field(name, kind, nullable=False) for name, kind in fields.items()])


_LISTS = {letter: _list(kind) for letter, kind in _TYPES.items()}


def _required(name: str, kind: pa.DataType) -> pa.Field:
    return pa.field(name, kind, nullable=False)


_FIDELITY = {"tracer": _TEXT, "sees": _list(_TEXT), "notes": _list(_TEXT)}
_DETERMINISM = {"reads": _list(_TEXT), "confirmed": pa.bool_()}

TRACE_SCHEMA = pa.schema(
    [
        _required("format_version", _I16),
        _required("program_id", _TEXT),
        _required("language", _TEXT),
        _required("runtime", _TEXT),
        _required("granularity", _TEXT),
        _required("n_steps", _I64),
        _required("outcome", _TEXT),
        *(pa.field(name, kind) for name, kind in OUTCOME_COLUMNS.items()),
        _required("fidelity", _struct(_FIDELITY)),
        _required("determinism", _struct(_DETERMINISM)),
        _required("limits", _struct(SCALARS["limits"])),
        pa.field("program", _struct(SCALARS["program"])),
        *(
            _required(group, _struct({name: _list(kind) for name, kind in fields.items()}))
            for group, fields in LISTS.items()
        ),
        _required("names", _list(_TEXT)),
    ]
)


# ------------------------------------------------------------------ traces -> columns


def table_of_packed(rows: Sequence[tuple[Program | None, Packed]]) -> pa.Table:
    """Make a table with one row per trace, from checked traces; their buffers are joined unchanged."""
    heads = [packed.head for _, packed in rows]
    columns: dict[str, pa.Array] = {
        "format_version": pa.array([h.format_version for h in heads], _I16),
        "program_id": pa.array([h.program_id for h in heads], _TEXT),
        "language": pa.array([h.language for h in heads], _TEXT),
        "runtime": pa.array([h.runtime for h in heads], _TEXT),
        "granularity": pa.array([_GRANULARITIES[h.granularity] for h in heads], _TEXT),
        "n_steps": pa.array([packed.n_steps for _, packed in rows], _I64),
        **_outcome_columns([h.outcome for h in heads]),
        "fidelity": _struct_array([h.fidelity for h in heads], _FIDELITY),
        "determinism": _struct_array([h.determinism for h in heads], _DETERMINISM),
        "limits": _struct_array([h.limits for h in heads], SCALARS["limits"]),
        "program": _program_array([program for program, _ in rows]),
        "codes": _code_array([h.codes for h in heads]),
        "names": pa.array([h.names for h in heads], _list(_TEXT)),
    }
    arrays = iter(_Columns([packed for _, packed in rows]).arrays())
    for group, fields in WIDTHS.items():
        members = [next(arrays) for _ in fields]
        columns[group] = pa.StructArray.from_arrays(members, fields=list(TRACE_SCHEMA.field(group).type))
    return pa.table([columns[name] for name in TRACE_SCHEMA.names], schema=TRACE_SCHEMA)


def _ends(lengths: Iterable[int]) -> pa.Array:
    offsets = array("i", accumulate(lengths, initial=0))
    return pa.Array.from_buffers(_I32, len(offsets), [None, pa.py_buffer(offsets)])


class _Columns:
    """Columns of many traces, joined one after the other."""

    def __init__(self, rows: list[Packed]) -> None:
        counts = [packed.head.counts for packed in rows]
        self._rows = [packed.columns for packed in rows]
        self._offsets = [packed.offsets for packed in rows]
        self._present = [packed.head.present for packed in rows]
        self._counts = [[count[group] for count in counts] for group in range(len(WIDTHS))]
        self._ends = [_ends(count) for count in self._counts]
        self._none = _ends([0] * len(rows))
        self._anywhere = reduce(or_, self._present, 0)

    def arrays(self) -> Iterator[pa.Array]:
        """Yield one list array per column of `COLUMNS`."""
        for number, (_, group, letter) in enumerate(COLUMNS):
            ends, parts = self._none, []
            if self._anywhere >> number & 1:
                parts = [columns[number] for columns in self._rows]
                ends = self._ends_of(number, group)
            n, kind = ends[-1].as_py(), _TYPES[letter]
            data = pa.py_buffer(parts[0] if len(parts) == 1 else b"".join(parts))
            before = [_joined_offsets(self._offsets)] if letter == "bytes" else []
            flat = pa.Array.from_buffers(kind, n, [None, *before, data])
            yield pa.ListArray.from_arrays(ends, flat, type=_LISTS[letter])

    def _ends_of(self, number: int, group: int) -> pa.Array:
        """Return the ends of the rows in a column; a row that did not record the column is empty in it."""
        recorded = [present >> number & 1 for present in self._present]
        counts = self._counts[group]
        if all(map(ge, recorded, map(bool, counts))):
            return self._ends[group]
        return _ends(map(mul, recorded, counts))


def _joined_offsets(parts: list[Buffer]) -> pa.Buffer:
    """Join the offsets of many byte columns to the offsets of their concatenation."""
    parts = [part for part in parts if part]
    if len(parts) == 1:
        return pa.py_buffer(parts[0])
    counts = [len(part) // 4 - 1 for part in parts]
    bases, base = array("i"), 0
    for part, n in zip(parts, counts, strict=True):
        bases.extend(array("i", [base]) * n)
        base += int.from_bytes(part[-4:], "little")
    starts = b"".join(part[:-4] for part in parts)
    moved = pc.add(_int32(starts), _int32(bases.tobytes()))
    return pa.py_buffer(b"".join([memoryview(moved.buffers()[1])[: len(starts)], base.to_bytes(4, "little")]))


def _int32(data: Buffer) -> pa.Array:
    return pa.Array.from_buffers(_I32, len(data) // 4, [None, pa.py_buffer(data)])


def _struct_array(records: Sequence[Struct], fields: dict[str, pa.DataType]) -> pa.Array:
    arrays = [pa.array(list(map(attrgetter(name), records)), kind) for name, kind in fields.items()]
    return pa.StructArray.from_arrays(arrays, fields=list(_struct(fields)))


def _program_array(programs: Sequence[Program | None]) -> pa.Array:
    fields = SCALARS["program"]
    arrays = [
        pa.array([escape(getattr(p, ATTRIBUTES[name])) if p else "" for p in programs], kind)
        for name, kind in fields.items()
    ]
    missing = pa.array([p is None for p in programs], pa.bool_())
    return pa.StructArray.from_arrays(arrays, fields=list(_struct(fields)), mask=missing)


def _code_array(rows: Sequence[list[tuple[str, int, int, str]]]) -> pa.Array:
    flat = list(chain.from_iterable(rows))
    ends = _ends(map(len, rows))
    arrays = [
        pa.ListArray.from_arrays(ends, pa.array([code[i] for code in flat], kind), type=_list(kind))
        for i, kind in enumerate(LISTS["codes"].values())
    ]
    return pa.StructArray.from_arrays(arrays, fields=list(TRACE_SCHEMA.field("codes").type))


def _outcome_columns(outcomes: Sequence[Outcome]) -> dict[str, pa.Array]:
    tags = [str(outcome.__struct_config__.tag) for outcome in outcomes]
    cells: dict[str, list[object]] = {name: [None] * len(outcomes) for name in OUTCOME_COLUMNS}
    for row, (tag, outcome) in enumerate(zip(tags, outcomes, strict=True)):
        for field, column in OUTCOMES[tag][1].items():
            cells[column][row] = getattr(outcome, field)
    arrays = {name: pa.array(cells[name], kind) for name, kind in OUTCOME_COLUMNS.items()}
    return {"outcome": pa.array(tags, _TEXT), **arrays}


# ------------------------------------------------------------------ columns -> traces


def packed_rows_of(table: pa.Table) -> Iterator[tuple[Program | None, Packed]]:
    """Yield the program (None if it was not stored) and the trace of every row, as views of the table's data.

    ValueError, KeyError or TypeError for contents that deskcheck does not write.
    """
    table = table.combine_chunks()
    nested = [
        _slices(_only(_only(table[group]).field(name)), letter)
        for group, fields in WIDTHS.items()
        for name, letter in fields.items()
    ]
    codes = [_only(table["codes"]).field(name) for name in LISTS["codes"]]
    code_rows = zip(*(_only(column).to_pylist() for column in codes), strict=True)
    plain = table.drop_columns([*WIDTHS, "codes"]).to_pylist()
    for cells, code_lists, *columns in zip(plain, code_rows, *nested, strict=True):
        yield cells["program"] and Program(**_unplain(cells["program"])), _packed(cells, code_lists, columns)


def _packed(
    cells: dict[str, Any], codes: Sequence[list[Any]], columns: Sequence[tuple[int, Buffer, Buffer]]
) -> Packed:
    counts = [0] * len(WIDTHS)
    present = 0
    for number, (n, _, _) in enumerate(columns):
        if n:
            group = COLUMNS[number][1]
            if counts[group] not in (0, n):
                raise ValueError(f"{COLUMNS[number][0]} has {n} entries, others have {counts[group]}")
            counts[group] = n
            present |= 1 << number
    head = Head(
        format_version=cells["format_version"],
        program_id=cells["program_id"],
        language=cells["language"],
        runtime=cells["runtime"],
        granularity=Granularity[cells["granularity"].upper()],
        fidelity=Fidelity(**cells["fidelity"]),
        limits=Limits(**cells["limits"]),
        determinism=Determinism(**cells["determinism"]),
        outcome=_outcome(cells),
        codes=list(zip(*codes, strict=True)),
        names=cells["names"],
        counts=tuple(counts),  # type: ignore[arg-type]  # as many as GROUPS: five
        present=present,
    )
    offsets = columns[TEXTS][2]
    return Packed(head, [data for _, data, _ in columns], offsets)


def _only(column: pa.ChunkedArray | pa.Array) -> pa.Array:
    """Return the only chunk of a combined column. ValueError if it has nulls."""
    if isinstance(column, pa.ChunkedArray):
        column = column.combine_chunks() if column.num_chunks != 1 else column.chunk(0)
    if column.null_count:
        raise ValueError(f"{column.null_count} nulls in a column that has none")
    return column


def _slices(column: pa.Array, letter: str) -> Iterator[tuple[int, Buffer, Buffer]]:
    """Yield for every row the number of entries, their bytes, and for byte columns their offsets, from 0."""
    ends = _numbers(column.offsets)
    flat = _only(column.values)
    data = memoryview(flat.buffers()[-1] or b"")
    if letter != "bytes":
        width = BYTES_OF[letter]
        at = flat.offset * width
        for start, end in pairwise(ends):
            yield end - start, data[at + start * width : at + end * width], EMPTY
        return
    positions = memoryview(flat.buffers()[1] or bytes(4)).cast("i")[flat.offset :]
    for start, end in pairwise(ends):
        if start == end:
            yield 0, EMPTY, EMPTY
            continue
        first, last = positions[start], positions[end]
        offsets = positions[start : end + 1].cast("B")
        if first:
            offsets = memoryview(pc.subtract(_int32(offsets), pa.scalar(first, _I32)).buffers()[1])[
                : len(offsets)
            ]
        yield end - start, data[first:last], offsets


def _numbers(column: pa.Array) -> list[int]:
    numbers = array("i")
    data = memoryview(column.buffers()[1] or b"")
    numbers.frombytes(data[column.offset * 4 : (column.offset + len(column)) * 4])
    return numbers.tolist()


def _unplain(cells: dict[str, str]) -> dict[str, str]:
    return {ATTRIBUTES[name]: unescape(value) for name, value in cells.items()}


def _outcome(cells: dict[str, Any]) -> Outcome:
    record, fields = OUTCOMES[cells["outcome"]]
    values = {field: cells[column] for field, column in fields.items()}
    if None in values.values():
        raise ValueError(f"outcome '{cells['outcome']}' without its columns")
    return record(**values)
