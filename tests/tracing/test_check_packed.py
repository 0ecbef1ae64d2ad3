"""The check in C and the check in Python are each other's second opinion: the same verdict on every trace."""

from __future__ import annotations

import random
import re
import struct
from collections import Counter

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deskcheck.errors import DataError
from deskcheck.format.buffers import COLUMNS, Packed, packed_of, trace_of
from deskcheck.records import (
    CompileFailure,
    Crashed,
    Determinism,
    EventKind,
    Granularity,
    Limits,
    MemoryLimit,
    OutputLimit,
    Place,
    Program,
    Raised,
    Rejected,
    Returned,
    StepLimit,
    TimeLimit,
    Trace,
    ValueKind,
)
from deskcheck.tracing import collect
from deskcheck.tracing.collect import check_packed
from deskcheck.tracing.packed import Invalid, pack, unpack
from deskcheck.tracing.program import make_program
from deskcheck.tracing.reference import trace_program
from deskcheck.tracing.reference.check import check
from deskcheck.tracing.run import packed_program
from deskcheck.tracing.source_facts import table_of

LIMITS = Limits(max_steps=60)
needs_native = pytest.mark.skipif(not collect.HAS_NATIVE_CHECK, reason="the C extension is not built")
SOURCES = {
    "containers": """
def f():
    xs, d, s = [1, 2.5, 3j, True, None, 10**30, b'x', ..., 'é\\ud800'], {}, {1, 2}
    for x in xs:
        d[str(x)] = [x]
        xs = xs[:-1]
    s.add('new')
    xs.append(d)
    del d['1']
    del x
    return xs, s
""",
    "recursion": "def f(n=4):\n    if n < 2:\n        return n\n    return f(n - 1) + f(n - 2)\n",
    "generators": """
def g(n):
    try:
        for i in range(n):
            got = yield [i]
    finally:
        print(end='')
def f():
    it, out = g(3), []
    for a, b in zip(it, g(2)):
        out += a
    try:
        it.throw(KeyError('k'))
    except KeyError:
        out.append(-1)
    return out
""",
    "objects": """
TOTAL = 0
class Node:
    def __init__(self, v, after=None):
        self.v, self.after = v, after
class Numbers(list):
    pass
class Word(str):
    pass
def f():
    global TOTAL
    head, text = None, ''
    for v in Numbers([1, 2]):
        head = Node(v, head)
        text += 'word' * 30
        TOTAL += v
    del head.after
    def inner():
        nonlocal text
        text += 'z'
        return lambda: text
    return head, inner()(), Word('w')
""",
    "raises": "def g(x):\n    return [][x]\ndef f():\n    a = 1\n    return g(a)\n",
    "never ends": "def f():\n    i = 0\n    while True:\n        i += 1\n",
    "is no program": "def f(:\n",
    "has two threads": """
import threading
def g(xs):
    xs.append(1)
    xs.append(2)
def f():
    xs = []
    t = threading.Thread(target=g, args=(xs,))
    t.start()
    t.join()
    return xs
""",
}
PROGRAMS = {name: make_program(source, "f", "", origin="test") for name, source in SOURCES.items()}
PACKED = {name: unpack(pack(packed_of(trace_program(p, LIMITS)))) for name, p in PROGRAMS.items()}
FORMATS = {"b": "<b", "i": "<i", "q": "<q", "d": "<d"}


def verdicts(packed: Packed, program: Program) -> tuple[str, str]:
    """Reasons of the check in C and of the one in Python; "" where it finds none."""
    found = []
    for run in (
        lambda: check_packed(packed, program, LIMITS, table_of(program)),
        lambda: check(trace_of(packed), program, LIMITS, table_of(program)),
    ):
        try:
            run()
            found.append("")
        except Invalid as error:
            found.append(str(error))
    return found[0], found[1]


@needs_native
@pytest.mark.parametrize("name", SOURCES)
def test_a_true_trace_passes_both(name: str):
    assert verdicts(PACKED[name], PROGRAMS[name]) == ("", "")


@needs_native
@pytest.mark.parametrize("granularity", Granularity)
@pytest.mark.parametrize("name", SOURCES)
def test_what_the_native_core_records_passes_both(name: str, granularity: Granularity):
    packed = packed_program(PROGRAMS[name], LIMITS, granularity=granularity, tracer="native")
    assert verdicts(unpack(pack(packed)), PROGRAMS[name]) == ("", "")


def mutated(packed: Packed, edits: list[tuple[int, float, int]]) -> Packed:
    """Cells replaced: (column, place in it from 0 to 1, new number)."""
    columns = [bytearray(column) for column in packed.columns]
    for column, where, number in edits:
        data, letter = columns[column], COLUMNS[column][2]
        if not data:
            continue
        if letter == "bytes":
            data[int(where * len(data))] = number & 0xFF
            continue
        size = struct.calcsize(FORMATS[letter])
        at = int(where * (len(data) // size)) * size
        (old,) = struct.unpack_from(FORMATS[letter], data, at)
        new = number if abs(number) < 1000 else old + (number % 5 - 2)
        if letter == "b":
            new = (int(new) + 128) % 256 - 128
        struct.pack_into(FORMATS[letter], data, at, new)
    return Packed(packed.head, [bytes(column) for column in columns], packed.offsets)


EDITS = st.lists(
    st.tuples(
        st.integers(0, len(COLUMNS) - 1),
        st.floats(0, 1, exclude_max=True),
        st.integers(-2, 40) | st.integers(1000, 1004),
    ),
    min_size=1,
    max_size=3,
)


@needs_native
@settings(max_examples=600)
@given(st.sampled_from(sorted(SOURCES)), EDITS)
def test_mutated_traces_get_the_same_verdict(name: str, edits: list[tuple[int, float, int]]):
    native, slow = verdicts(mutated(PACKED[name], edits), PROGRAMS[name])
    assert bool(native) == bool(slow), (native, slow)


@needs_native
def test_mutations_of_every_column_are_refused_by_both_and_some_by_neither():
    """So that the law above has something to say: every checked column has mutations that are found."""
    rng = random.Random(1)
    refused, passed = Counter[str](), 0
    for name in SOURCES:
        for column, (title, _, letter) in enumerate(COLUMNS):
            for _ in range(12 if letter != "bytes" else 40):
                number = rng.choice([-2, -1, 0, 1, 3, 39, 127, 255, 1001, 1003, 1004])
                packed = mutated(PACKED[name], [(column, rng.random(), number)])
                native, slow = verdicts(packed, PROGRAMS[name])
                assert bool(native) == bool(slow), (name, title, native, slow)
                refused[title] += bool(native)
                passed += not native
    unchecked = {"events.end_line", "events.column", "events.end_column", "events.offset", "events.opcode"}
    assert {title for title, _, _ in COLUMNS} - set(refused) - unchecked == set()
    assert {t for t, n in refused.items() if not n} <= unchecked | {"values.real"}
    assert passed > 100


def replaced(packed: Packed, **fields: object) -> Packed:
    return Packed(msgspec.structs.replace(packed.head, **fields), packed.columns, packed.offsets)


HEADS: list[tuple[str, dict[str, object], str]] = [
    ("recursion", {"format_version": 2}, "format version"),
    ("recursion", {"program_id": "0" * 16}, "program id"),
    ("recursion", {"language": "c"}, "language"),
    ("recursion", {"limits": Limits(max_steps=61)}, "limits"),
    ("recursion", {"determinism": Determinism(confirmed=True)}, "confirmed"),
    ("recursion", {"outcome": Returned(0)}, "no outermost call returned"),
    ("recursion", {"outcome": Returned(-1)}, "returned value"),
    ("recursion", {"outcome": Raised("E", "", 1, 10**6)}, "exception out of range"),
    ("never ends", {"outcome": Raised("E", "", 1)}, "still live|middle of a line"),
    ("never ends", {"outcome": StepLimit(59)}, "step limit"),
    ("recursion", {"outcome": StepLimit(60)}, "step limit"),
    ("recursion", {"outcome": MemoryLimit(7)}, "memory limit"),
    ("recursion", {"outcome": OutputLimit(7)}, "output limit"),
    ("recursion", {"outcome": OutputLimit(LIMITS.output_bytes, what="trace")}, "output limit"),
    ("recursion", {"outcome": TimeLimit(1.0)}, "says itself"),
    ("recursion", {"outcome": Crashed("SIGSEGV")}, "says itself"),
    ("recursion", {"outcome": Rejected("check")}, "says itself"),
    ("recursion", {"outcome": CompileFailure("", 1)}, "did not compile"),
    ("recursion", {"codes": [("g", 0, 1, "function")]}, "no 'g'"),
    ("recursion", {"codes": [("f", 0, 2, "function")]}, "no 'f' on line 2"),
    ("recursion", {"codes": [("f", 99, 1, "function")]}, "file of a code"),
    ("recursion", {"names": []}, "type name"),
]


@pytest.mark.parametrize(("name", "fields", "reason"), HEADS, ids=[h[2] for h in HEADS])
def test_a_forged_head_is_refused_with_the_reason(name: str, fields: dict[str, object], reason: str):
    for found in verdicts(replaced(PACKED[name], **fields), PROGRAMS[name]):
        assert re.search(reason, found), found


def forged(name: str, **changes: dict[str, object]) -> Packed:
    """A trace whose columns are replaced whole, by group and name."""
    trace = trace_of(PACKED[name])
    for group, fields in changes.items():
        trace = msgspec.structs.replace(
            trace, **{group: msgspec.structs.replace(getattr(trace, group), **fields)}
        )
    return packed_of(trace)


def first_change(trace: Trace, place: Place) -> int:
    return trace.changes.place.index(place)


def test_a_line_of_another_function_is_refused():
    trace = trace_of(PACKED["raises"])
    line = trace.events.kind.index(EventKind.LINE)
    lines = [*trace.events.line[:line], 2, *trace.events.line[line + 1 :]]
    for found in verdicts(forged("raises", events={"line": lines}), PROGRAMS["raises"]):
        assert "a line that its function does not have" in found


@pytest.mark.parametrize(
    ("kind", "data", "reason"),
    [
        (ValueKind.STR, b"\xff", "not UTF-8"),
        (ValueKind.STR, b"\xc0\x80", "not UTF-8"),
        (ValueKind.STR, b"\xf4\x90\x80\x80", "not UTF-8"),
        (ValueKind.STR, b"\xe2\x82", "not UTF-8"),
        (ValueKind.STR, b"\xed\xa0\x80\xf0\x9f\x98\x80", ""),
        (ValueKind.INT, b"0x1_0", "digits"),
        (ValueKind.INT, b"-0xff", ""),
        (ValueKind.INT, b"-", "digits"),
        (ValueKind.COMPLEX, b"1234567", "imaginary"),
        (ValueKind.OPAQUE, b"\x80", "not UTF-8"),
    ],
)
def test_a_value_that_cannot_be_read_is_refused(kind: ValueKind, data: bytes, reason: str):
    values = trace_of(PACKED["recursion"]).values
    packed = forged(
        "recursion",
        values={
            "kind": [*values.kind, int(kind)],
            "number": [*values.number, 0],
            "real": [*values.real, 0.0],
            "data": [*values.data, data],
            "type": [*values.type, 0],
        },
    )
    for found in verdicts(packed, PROGRAMS["recursion"]):
        assert reason in found and bool(found) == bool(reason)


@needs_native
@settings(max_examples=300)
@given(
    st.binary(max_size=12)
    | st.text(st.characters(), max_size=6).map(lambda t: t.encode("utf-8", "surrogatepass"))
)
def test_both_know_the_same_texts(data: bytes):
    values = trace_of(PACKED["recursion"]).values
    kinds = [int(ValueKind.STR)] * len(values.kind)
    packed = forged("recursion", values={"kind": kinds, "data": [data] * len(values.data)})
    native, slow = verdicts(packed, PROGRAMS["recursion"])
    assert ("UTF-8" in native) == ("UTF-8" in slow)


def test_names_of_endless_pieces_are_refused_before_they_are_read():
    trace = trace_of(PACKED["recursion"])
    n = 3000
    values = trace.values
    start = len(values.kind)
    grown = {
        "kind": [*values.kind, int(ValueKind.STR), *[int(ValueKind.CONCAT)] * n],
        "number": [*values.number, 0, *range(start, start + n)],
        "real": [*values.real, *[0.0] * (n + 1)],
        "data": [*values.data, *[b"x"] * (n + 1)],
        "type": [*values.type, *[0] * (n + 1)],
    }
    columns = trace.changes
    extra = 600
    changes = {
        "place": [*columns.place, *[int(Place.GLOBAL)] * extra],
        "owner": [*columns.owner, *[0] * extra],
        "key": [*columns.key, *range(start + n - extra, start + n)],
        "index": [*columns.index, *[-1] * extra],
        "op": [*columns.op, *[0] * extra],
        "value": [*columns.value, *[0] * extra],
    }
    for found in verdicts(forged("recursion", values=grown, changes=changes), PROGRAMS["recursion"]):
        assert "too many pieces" in found


def test_without_the_extension_the_check_in_python_is_used(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(collect, "HAS_NATIVE_CHECK", False)
    program = PROGRAMS["recursion"]
    check_packed(PACKED["recursion"], program, LIMITS, table_of(program))
    with pytest.raises(DataError, match="no outermost call returned"):
        check_packed(replaced(PACKED["recursion"], outcome=Returned(0)), program, LIMITS, table_of(program))
