"""A packed trace is the trace, as bytes and as a table; what no `pack` made is refused, and nothing worse."""

from __future__ import annotations

import tracemalloc

import msgspec
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.format.traces import PROGRAMS, TRACES, bits_of

from deskcheck.errors import DataError
from deskcheck.format.arrow import OUTCOME_COLUMNS, OUTCOMES, TRACE_SCHEMA, packed_rows_of, table_of_packed
from deskcheck.format.buffers import (
    RECORD_OF,
    Packed,
    escape,
    escaped,
    make_packed,
    packed_of,
    trace_of,
    view_of,
)
from deskcheck.records import (
    Determinism,
    Fidelity,
    Granularity,
    Limits,
    Program,
    Raised,
    Returned,
    Trace,
)
from deskcheck.tracing.packed import MAGIC, Malformed, pack, unpack
from deskcheck.tracing.program import make_program
from deskcheck.tracing.reference import trace_program
from deskcheck.tracing.replay import events
from deskcheck.viewer.terminal import trace_lines

SOURCE = """def f(n):
    words = {}
    for i in range(n):
        words[str(i)] = [i, i / 2]
    return words
"""
REAL = pack(packed_of(trace_program(make_program(SOURCE, "f", "9", origin="test"), Limits())))


def as_dicts(program: Program | None, trace: Trace) -> dict[str, object]:
    """A row of a shard as plain data: another way to the table, made of dictionaries."""
    row: dict[str, object] = dict.fromkeys(OUTCOME_COLUMNS)
    for name in ("format_version", "program_id", "language", "runtime", "n_steps"):
        value = getattr(trace, name)
        row[name] = escape(value) if isinstance(value, str) else value
    tag = str(trace.outcome.__struct_config__.tag)
    outcome = escaped(trace.outcome)
    row |= {column: getattr(outcome, field) for field, column in OUTCOMES[tag][1].items()}
    row |= {"granularity": trace.granularity.name.lower(), "outcome": tag}
    for name in ("fidelity", "determinism", "limits"):
        row[name] = msgspec.structs.asdict(escaped(getattr(trace, name)))
    for name in RECORD_OF:
        row[name] = msgspec.structs.asdict(getattr(trace, name))
    fields = ("name", "file", "first_line", "kind")
    row["codes"] = {field: [getattr(escaped(code), field) for code in trace.codes] for field in fields}
    row["names"] = [escape(name) for name in trace.names]
    if program is not None:
        fields_of = msgspec.structs.asdict(escaped(program))
        row["program"] = {"licence" if name == "license" else name: one for name, one in fields_of.items()}
    else:
        row["program"] = None
    return row


@settings(max_examples=60)
@given(TRACES)
def test_a_packed_trace_is_the_trace(trace: Trace):
    data = pack(packed_of(trace))
    assert bits_of(trace_of(unpack(data))) == bits_of(trace)
    assert pack(unpack(data)) == data
    packed = unpack(data)
    assert (packed.program_id, packed.outcome) == (trace.program_id, trace.outcome)
    assert (packed.n_steps, packed.n_events) == (
        trace.n_steps,
        max(map(len, msgspec.structs.astuple(trace.events))),
    )


@settings(max_examples=60)
@given(TRACES)
def test_a_view_holds_what_the_trace_holds_and_makes_no_lists(trace: Trace):
    view = view_of(packed_of(trace))
    for group, record in RECORD_OF.items():
        for field in record.__struct_fields__:
            seen, cells = getattr(getattr(view, group), field), getattr(getattr(trace, group), field)
            assert not isinstance(seen, list) and list(map(repr, seen)) == list(map(repr, cells))
            assert bool(seen) == bool(cells) and (not cells or repr(seen[len(cells) - 1]) == repr(cells[-1]))
    assert (view.n_steps, view.outcome, view.codes) == (trace.n_steps, trace.outcome, trace.codes)


def test_a_view_is_replayed_and_shown_as_the_trace_is():
    trace = trace_of(unpack(REAL))
    view = view_of(unpack(REAL))
    assert list(events(view)) == list(events(trace)) != []
    shown, expected = (list(trace_lines(one, SOURCE, call="f(9)")) for one in (view, trace))
    assert shown == expected and "{'0': " in shown[-1]


@settings(max_examples=60)
@given(st.lists(st.tuples(st.none() | PROGRAMS, TRACES), max_size=4))
def test_the_table_of_packed_traces_is_the_one_made_of_dictionaries_and_leads_back(
    pairs: list[tuple[Program | None, Trace]],
):
    rows = [(program, unpack(pack(packed_of(trace)))) for program, trace in pairs]
    table = table_of_packed(rows)
    table.validate(full=True)
    assert bits_of_table(table) == bits_of_table(
        pa.Table.from_pylist([as_dicts(*pair) for pair in pairs], schema=TRACE_SCHEMA)
    )
    for start in range(len(rows) + 1):  # whole, and as a view that begins later
        back = [(p, pack(packed)) for p, packed in packed_rows_of(table.slice(start))]
        assert back == [(p, pack(packed)) for p, packed in rows[start:]]


def bits_of_table(table: pa.Table) -> object:
    """Its cells as something that `==` compares bit for bit: NaNs as integers."""
    rows = table.to_pylist()
    for row in rows:
        row["values"]["real"] = [pa.array([x]).view(pa.int64())[0].as_py() for x in row["values"]["real"]]
    return rows


# ------------------------------------------------------------------ foreign bytes


def test_a_cut_or_longer_one_is_refused():
    unpack(REAL)
    for size in range(len(REAL)):
        with pytest.raises(Malformed):
            unpack(REAL[:size])
    for more in (b"\0", bytes(8), REAL):
        with pytest.raises(Malformed):
            unpack(REAL + more)


def test_every_flipped_byte_is_refused_or_is_the_one_way_to_write_another_trace():
    refused = 0
    for at in range(len(REAL)):
        for flip in (0x01, 0x80, 0xFF):
            torn = REAL[:at] + bytes([REAL[at] ^ flip]) + REAL[at + 1 :]
            try:
                found = unpack(torn)
            except Malformed:
                refused += 1
                continue
            assert pack(found) == torn
            trace_of(found)
    assert refused > 100


@settings(max_examples=300)
@given(TRACES, st.data())
def test_changed_heads_and_lengths_are_refused_and_cost_no_more_than_their_size(
    trace: Trace, data: st.DataObject
):
    whole = pack(packed_of(trace))
    at = data.draw(st.integers(0, len(whole)))
    removed = data.draw(st.integers(0, 12))
    added = data.draw(
        st.binary(max_size=12) | st.sampled_from([b"\xdd\xff\xff\xff\xff", b"\xff\xff\xff\x7f"])
    )
    torn = whole[:at] + added + whole[at + removed :]
    try:
        found = unpack(torn)
    except Malformed:
        return
    assert pack(found) == torn
    trace_of(found)
    table_of_packed([(None, found)]).validate(full=True)


@pytest.mark.parametrize(
    "head", [b"\xdd\xff\xff\xff\xff", b"\xdf\xff\xff\xff\xff", b"\xdb\xff\xff\xff\xff", b"\x91" * 100_000]
)
def test_a_head_that_promises_more_than_there_is_costs_nothing(head: bytes):
    data = MAGIC + len(head).to_bytes(4, "little") + head
    tracemalloc.start()
    try:
        with pytest.raises(Malformed):
            unpack(data)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 1 << 20


def test_counts_of_billions_are_compared_with_the_data_before_anything_is_made():
    packed = unpack(REAL)
    head = msgspec.structs.replace(packed.head, counts=((1 << 31) - 1,) * 5)
    data = msgspec.msgpack.encode(head)
    forged = MAGIC + len(data).to_bytes(4, "little") + data
    tracemalloc.start()
    try:
        with pytest.raises(Malformed):
            unpack(forged + bytes(-len(forged) % 8) + bytes(1000))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 1 << 20


@pytest.mark.parametrize("text", ["\ufdd0", "\ufdd0zzzz", "\ufdd00041", "\ufdd0+04f", "\ufdd0D800"])
def test_text_that_is_escaped_in_another_way_is_refused(text: str):
    packed = unpack(REAL)
    forged = Packed(msgspec.structs.replace(packed.head, names=[text]), packed.columns, packed.offsets)
    with pytest.raises(Malformed, match="escaped otherwise"):
        unpack(pack(forged))


@pytest.mark.parametrize("outcome", [Returned(1 << 31), Raised("E", "", -(1 << 31) - 1), Returned(1 << 63)])
def test_a_number_that_no_column_holds_is_refused(outcome: Returned | Raised):
    packed = unpack(REAL)
    forged = Packed(msgspec.structs.replace(packed.head, outcome=outcome), packed.columns, packed.offsets)
    with pytest.raises(Malformed, match="no column holds"):
        unpack(pack(forged))


# ------------------------------------------------------------------ a tracer's own buffers


def made(columns: dict[str, bytes]) -> Packed:
    return make_packed(
        columns,
        program_id="ab12",
        runtime="CPython 3.11",
        granularity=Granularity.LINE,
        fidelity=Fidelity("native", []),
        limits=Limits(),
        determinism=Determinism(),
        outcome=Raised("E", "\ud800", 3),
        codes=[],
        names=["int"],
    )


def test_buffers_by_name_become_a_trace():
    trace = trace_of(
        made(
            {
                "values.kind": b"\x02\x05",
                "values.number": (7).to_bytes(8, "little") + bytes(8),
                "values.data.offsets": b"".join(n.to_bytes(4, "little") for n in (0, 0, 2)),
                "values.data.bytes": b"ab",
                "events.kind": b"",
                "events.thread": b"",
            }
        )
    )
    assert (trace.values.kind, trace.values.number, trace.values.data) == ([2, 5], [7, 0], [b"", b"ab"])
    assert (trace.values.type, trace.events.kind) == ([], [])
    assert trace.outcome == Raised("E", "\ud800", 3)


def test_the_offset_of_a_table_without_entries_is_no_entry():
    assert trace_of(made({"values.data.offsets": bytes(4)})).values.data == []


@pytest.mark.parametrize(
    ("columns", "reason"),
    [
        ({"events.kind": b"\x01", "events.line": bytes(8)}, "events.line has 2 entries"),
        ({"events.line": bytes(7)}, "3 bytes"),
        ({"events.colour": b""}, "no column is called 'events.colour'"),
    ],
)
def test_buffers_that_do_not_fit_together_are_named(columns: dict[str, bytes], reason: str):
    with pytest.raises(DataError, match=reason):
        made(columns)
