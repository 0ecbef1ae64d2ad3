"""Traces and examples as Arrow columns: the schema of a shard, and the way there and back.

    table_of([(program, trace), ...]) -> pyarrow.Table   one row a trace, events: struct<kind: list<int8>, ..>
    rows_of(table) -> (Program | None, Trace), ...       the law: rows_of(table_of(rows)) == rows

Nested columns are structs of lists, so that what a tracer does not record is an empty list. Numbers are moved
through flat buffers, bit for bit. Text is UTF-8; a lone surrogate, which Python text may hold and UTF-8
may not, stands as U+FDD0 and four hex digits (`escape`). What each column means: docs/format.md.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from itertools import accumulate, chain, pairwise
from typing import Any

import pyarrow as pa
from msgspec import Struct

from deskcheck.errors import DataError
from deskcheck.records import (
    ChangeColumns,
    Code,
    CompileFailure,
    Crashed,
    Determinism,
    EventColumns,
    Example,
    Fidelity,
    FrameColumns,
    Granularity,
    Limits,
    MemoryLimit,
    ObjectColumns,
    Outcome,
    OutputLimit,
    Program,
    Raised,
    Refused,
    Rejected,
    Returned,
    StepLimit,
    TimeLimit,
    Trace,
    ValueColumns,
)

_I8, _I16, _I32, _I64 = pa.int8(), pa.int16(), pa.int32(), pa.int64()
_F64, _TEXT, _BYTES = pa.float64(), pa.string(), pa.binary()
_CODES = {_I8: "b", _I32: "i", _I64: "q", _F64: "d"}

# Group -> field of the record -> Arrow type of one element.
LISTS: dict[str, dict[str, pa.DataType]] = {
    "codes": {"name": _TEXT, "file": _I32, "first_line": _I32, "kind": _TEXT},
    "frames": {"code": _I32, "parent": _I32},
    "events": {
        "kind": _I8, "step": _I64, "frame": _I32, "line": _I32, "value": _I32, "changes_end": _I32,
        "thread": _I32, "end_line": _I32, "column": _I32, "end_column": _I32, "offset": _I32, "opcode": _I32,
    },
    "changes": {"place": _I8, "owner": _I32, "key": _I32, "index": _I32, "op": _I8, "value": _I32},
    "values": {"kind": _I8, "number": _I64, "real": _F64, "data": _BYTES, "type": _I32},
    "objects": {"kind": _I8, "type": _I32, "text": _I32},
}  # fmt: skip
RECORD_OF: dict[str, type[Any]] = {
    "frames": FrameColumns,
    "events": EventColumns,
    "changes": ChangeColumns,
    "values": ValueColumns,
    "objects": ObjectColumns,
}
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
# Tag -> record, and where each of its fields stands.
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
EXAMPLE_SCHEMA = pa.schema(
    [
        _required("program_id", _TEXT),
        _required("representation", _TEXT),
        _required("prompt", _TEXT),
        _required("target", _TEXT),
        _required("step", _I64),
        _required("n_steps", _I64),
    ]
)

_MARK = "\ufdd0"  # a noncharacter: no text uses it


def escape(text: str) -> str:
    """The text with lone surrogates, and the mark itself, written as the mark and four hex digits."""
    if text.isascii() or not any(c == _MARK or "\ud800" <= c <= "\udfff" for c in text):
        return text
    return "".join(f"{_MARK}{ord(c):04x}" if c == _MARK or "\ud800" <= c <= "\udfff" else c for c in text)


def unescape(text: str) -> str:
    """The inverse of `escape`. ValueError where a mark is not followed by four hex digits."""
    if _MARK not in text:
        return text
    first, *rest = text.split(_MARK)
    return first + "".join(chr(int(part[:4], 16)) + part[4:] for part in rest)


# ------------------------------------------------------------------ records -> columns


def table_of(rows: Sequence[tuple[Program | None, Trace]]) -> pa.Table:
    """One row per trace. DataError names a number that does not fit its column."""
    traces = [trace for _, trace in rows]
    columns: dict[str, pa.Array] = {
        "format_version": pa.array([t.format_version for t in traces], _I16),
        "program_id": _texts([t.program_id for t in traces]),
        "language": _texts([t.language for t in traces]),
        "runtime": _texts([t.runtime for t in traces]),
        "granularity": _texts([t.granularity.name.lower() for t in traces]),
        "n_steps": pa.array([t.n_steps for t in traces], _I64),
        **_outcome_columns([t.outcome for t in traces]),
        "fidelity": pa.array([_plain(t.fidelity) for t in traces], _struct(_FIDELITY)),
        "determinism": pa.array([_plain(t.determinism) for t in traces], _struct(_DETERMINISM)),
        "limits": pa.array([_plain(t.limits) for t in traces], _struct(SCALARS["limits"])),
        "program": pa.array([p and _plain(p) for p, _ in rows], _struct(SCALARS["program"])),
        "names": _list_array("names", [[escape(n) for n in t.names] for t in traces], _TEXT),
    }
    for group, fields in LISTS.items():
        arrays = [
            _list_array(f"{group}.{name}", _cells(traces, group, name), kind) for name, kind in fields.items()
        ]
        columns[group] = pa.StructArray.from_arrays(arrays, fields=list(TRACE_SCHEMA.field(group).type))
    return pa.table([columns[name] for name in TRACE_SCHEMA.names], schema=TRACE_SCHEMA)


def _cells(traces: list[Trace], group: str, name: str) -> list[list[Any]]:
    if group == "codes":
        found = [[getattr(code, name) for code in t.codes] for t in traces]
    else:
        found = [getattr(getattr(t, group), name) for t in traces]
    return [[escape(v) for v in row] for row in found] if LISTS[group][name] == _TEXT else found


def _texts(values: list[str]) -> pa.Array:
    return pa.array([escape(value) for value in values], _TEXT)


def _plain(record: Struct) -> dict[str, object]:
    """The fields of a record, its texts escaped."""
    out: dict[str, object] = {}
    for name in record.__struct_fields__:
        value = getattr(record, name)
        if isinstance(value, str):
            value = escape(value)
        elif isinstance(value, list):
            value = [escape(v) for v in value]
        out[name] = value
    return out


def _outcome_columns(outcomes: list[Outcome]) -> dict[str, pa.Array]:
    tags = [str(outcome.__struct_config__.tag) for outcome in outcomes]
    cells: dict[str, list[object]] = {name: [None] * len(outcomes) for name in OUTCOME_COLUMNS}
    for row, (tag, outcome) in enumerate(zip(tags, outcomes, strict=True)):
        for field, column in OUTCOMES[tag][1].items():
            value = getattr(outcome, field)
            cells[column][row] = escape(value) if isinstance(value, str) else value
    arrays = {name: pa.array(cells[name], kind) for name, kind in OUTCOME_COLUMNS.items()}
    return {"outcome": pa.array(tags, _TEXT), **arrays}


def _list_array(name: str, rows: list[list[Any]], kind: pa.DataType) -> pa.Array:
    offsets = array("i", accumulate(map(len, rows), initial=0))
    flat: pa.Array
    if kind in _CODES:
        try:
            data = array(_CODES[kind], chain.from_iterable(rows))
        except OverflowError as error:
            raise DataError(f"a number in column {name} does not fit {kind}: {error}") from None
        flat = pa.Array.from_buffers(kind, len(data), [None, pa.py_buffer(data)])
    else:
        flat = pa.array(list(chain.from_iterable(rows)), kind)
    ends = pa.Array.from_buffers(_I32, len(offsets), [None, pa.py_buffer(offsets)])
    return pa.ListArray.from_arrays(ends, flat, type=_list(kind))


# ------------------------------------------------------------------ columns -> records


def rows_of(table: pa.Table) -> Iterator[tuple[Program | None, Trace]]:
    """Program (where it was stored) and trace of every row.

    ValueError, KeyError or TypeError on contents that no writer of ours makes.
    """
    table = table.combine_chunks()
    n_rows = table.num_rows
    nested = {
        (group, name): _lists(_only(_only(table[group]).field(name)), kind)
        for group, fields in LISTS.items()
        for name, kind in fields.items()
    }
    names = _lists(_only(table["names"]), _TEXT)
    plain = table.drop_columns([*LISTS, "names"]).to_pylist()
    for row in range(n_rows):
        cells = plain[row]
        codes = [nested["codes", field][row] for field in LISTS["codes"]]
        records = {
            group: record(**{name: nested[group, name][row] for name in LISTS[group]})
            for group, record in RECORD_OF.items()
        }
        program = cells["program"] and Program(**_unplain(cells["program"]))
        yield (
            program,
            Trace(
                format_version=cells["format_version"],
                program_id=unescape(cells["program_id"]),
                language=unescape(cells["language"]),
                runtime=unescape(cells["runtime"]),
                granularity=Granularity[cells["granularity"].upper()],
                fidelity=Fidelity(**_unplain(cells["fidelity"])),
                limits=Limits(**cells["limits"]),
                determinism=Determinism(**_unplain(cells["determinism"])),
                outcome=_outcome(cells),
                codes=[Code(*fields) for fields in zip(*codes, strict=True)],
                names=names[row],
                **records,
            ),
        )


def _only(column: pa.ChunkedArray | pa.Array) -> pa.Array:
    """The one chunk of a combined column, which must hold no nulls."""
    if isinstance(column, pa.ChunkedArray):
        column = column.combine_chunks() if column.num_chunks != 1 else column.chunk(0)
    if column.null_count:
        raise ValueError(f"{column.null_count} nulls in a column that has none")
    return column


def _lists(column: pa.Array, kind: pa.DataType) -> list[list[Any]]:
    ends = _numbers(column.offsets, _I32)
    flat = _only(column.values)
    if kind in _CODES:
        values = _numbers(flat, kind)
    elif kind == _TEXT:
        values = [unescape(text) for text in flat.to_pylist()]
    else:
        values = flat.to_pylist()
    return [values[start:end] for start, end in pairwise(ends)]


def _numbers(column: pa.Array, kind: pa.DataType) -> list[Any]:
    """All numbers of a column through its buffer: bit for bit, and twenty times as fast as `to_pylist`."""
    data = column.buffers()[1]
    if data is None or len(column) == 0:
        return []
    view = memoryview(data)
    width = kind.bit_width // 8
    numbers = array(_CODES[kind])
    numbers.frombytes(view[column.offset * width : (column.offset + len(column)) * width])
    return numbers.tolist()


def _unplain(cells: dict[str, Any]) -> dict[str, Any]:
    out: dict[str, Any] = {}
    for name, value in cells.items():
        if isinstance(value, str):
            value = unescape(value)
        elif isinstance(value, list):
            value = [unescape(v) for v in value]
        out[name] = value
    return out


def _outcome(cells: dict[str, Any]) -> Outcome:
    record, fields = OUTCOMES[cells["outcome"]]
    values = {field: cells[column] for field, column in fields.items()}
    if None in values.values():
        raise ValueError(f"outcome '{cells['outcome']}' without its columns")
    return record(**_unplain(values))


# ------------------------------------------------------------------ examples


def example_table_of(examples: Sequence[Example]) -> pa.Table:
    """One row per example."""
    return pa.Table.from_pylist([_plain(example) for example in examples], schema=EXAMPLE_SCHEMA)


def examples_of(table: pa.Table) -> Iterator[Example]:
    """The inverse of `example_table_of`."""
    for cells in table.to_pylist():
        yield Example(**_unplain(cells))
