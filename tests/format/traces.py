"""Hypothesis strategies for traces: any contents that the record types allow, sense or not."""

from __future__ import annotations

import struct
from typing import Any

from hypothesis import strategies as st

from deskcheck.format.arrow import LISTS, OUTCOMES
from deskcheck.format.buffers import RECORD_OF
from deskcheck.records import (
    FORMAT_VERSION,
    Code,
    Determinism,
    Fidelity,
    Granularity,
    Limits,
    Program,
    Trace,
)

TEXT = st.text(st.characters(), max_size=20) | st.sampled_from(
    ["", "\ud800", "a\udfff\ufdd0", "\ufdd0d800", "é\0"]
)
BITS = {"b": 8, "i": 32, "q": 64}


def ints(bits: int) -> st.SearchStrategy[int]:
    return st.integers(-(1 << bits - 1), (1 << bits - 1) - 1)


# Any 64 bits: quiet and signalling NaNs with payloads, infinities, -0.0, subnormals.
FLOATS = st.integers(0, (1 << 64) - 1).map(
    lambda bits: struct.unpack("<d", struct.pack("<Q", bits))[0]
) | st.sampled_from([0.0, -0.0, float("nan"), float("inf"), 5e-324])
CELLS: dict[str, st.SearchStrategy[Any]] = {
    "int8": ints(8),
    "int32": ints(32),
    "int64": ints(64),
    "double": FLOATS,
    "binary": st.binary(max_size=20),
    "string": TEXT,
}


@st.composite
def columns(draw: st.DrawFn, group: str) -> Any:
    """One column record: every list filled to the same length, or empty."""
    n = draw(st.integers(0, 6))
    cells = {
        name: draw(st.lists(CELLS[str(kind)], min_size=n, max_size=n) | st.just([]))
        for name, kind in LISTS[group].items()
    }
    return RECORD_OF[group](**cells)


def outcomes() -> st.SearchStrategy[Any]:
    kinds = {"limit_s": st.floats(allow_nan=False), "limit": ints(64), "limit_bytes": ints(64)}
    kinds |= {"value": ints(32), "line": ints(32)}
    return st.one_of(
        st.builds(record, **{field: kinds.get(field, TEXT) for field in fields})
        for record, fields in OUTCOMES.values()
    )


CODES = st.builds(Code, name=TEXT, file=ints(32), first_line=ints(32), kind=TEXT)
PROGRAMS = st.builds(Program, *[TEXT] * 8)
TRACES = st.builds(
    Trace,
    format_version=st.just(FORMAT_VERSION),
    program_id=TEXT,
    language=TEXT,
    runtime=TEXT,
    granularity=st.sampled_from(Granularity),
    fidelity=st.builds(Fidelity, TEXT, st.lists(TEXT, max_size=3), st.lists(TEXT, max_size=3)),
    limits=st.builds(Limits, max_steps=ints(64), time_s=st.floats(allow_nan=False)),
    determinism=st.builds(Determinism, st.lists(TEXT, max_size=3), st.booleans()),
    outcome=outcomes(),
    codes=st.lists(CODES, max_size=3),
    frames=columns("frames"),
    events=columns("events"),
    changes=columns("changes"),
    values=columns("values"),
    objects=columns("objects"),
    names=st.lists(TEXT, max_size=4),
)


def bits_of(trace: Trace) -> object:
    """The trace as something that `==` compares bit for bit, NaNs too."""
    reals = [struct.pack("<d", real) for real in trace.values.real]
    return [
        (name, value) if name != "values" else (value.kind, value.number, reals, value.data, value.type)
        for name in trace.__struct_fields__
        for value in [getattr(trace, name)]
    ]
