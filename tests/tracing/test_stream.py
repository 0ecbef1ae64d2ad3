"""A long trace leaves memory while it is made: the same bytes as in one piece, at every granularity."""

from __future__ import annotations

import errno
import os
from collections import defaultdict
from pathlib import Path

import pytest

from deskcheck import storage
from deskcheck.buffers import Packed
from deskcheck.errors import DataError
from deskcheck.records import Granularity, Limits, MemoryLimit, OutputLimit, Program, Returned, TimeLimit
from deskcheck.sandbox import parts as sandbox_parts
from deskcheck.tracing.access import has_native
from deskcheck.tracing.collect import trace_packed
from deskcheck.tracing.packed import OFFSETS, Malformed, pack, pack_head, unpack_parts
from deskcheck.tracing.program import make_program
from deskcheck.tracing.run import packed_program
from deskcheck.tracing.validate import check_packed

pytestmark = pytest.mark.skipif(not has_native(), reason="the reference tracer keeps its record in memory")
LIMITS = Limits(max_steps=1_000_000, time_s=60.0)
# Three lines a turn, two of them with a change; new values now and then, some of them texts that grow.
LOOP = """def f(n):
    text, total = "", 0.5
    for i in range(n):
        total = i % 1000 / 8
        if not i % 5000:
            text += str(i) * 20
    return text, total
"""
THREADS = """import threading
def g(n):
    for i in range(n):
        pass
def f(n):
    g(n)
    thread = threading.Thread(target=g, args=(10,), name="t")
    thread.start()
    thread.join()
    g(100)
"""
CALLS = """def g(i):
    return [i]
def f(n):
    for i in range(n):
        found = g(i)
    return found
"""


def program(source: str, n: int) -> Program:
    return make_program(source, "f", str(n), origin="test")


class Streams(defaultdict[int, bytes]):
    """A sink that keeps what it gets."""

    def __init__(self) -> None:
        super().__init__(bytes)
        self.calls = 0

    def take(self, column: int, data: memoryview) -> None:
        assert 0 < len(data) <= sandbox_parts.PART_BYTES
        self[column] += bytes(data)
        self.calls += 1

    def trace(self, packed: Packed) -> Packed:
        views = {column: memoryview(data) for column, data in self.items()}
        return unpack_parts(pack_head(packed.head), views)


def streamed(traced: Program, granularity: Granularity = Granularity.LINE) -> tuple[Packed, Streams]:
    sink = Streams()
    packed = packed_program(traced, LIMITS, granularity=granularity, sink=sink.take)
    assert packed.is_streamed and not any(map(len, packed.columns))
    return sink.trace(packed), sink


@pytest.mark.parametrize("source, n", [(LOOP, 30_000), (THREADS, 40_000), (CALLS, 20_000)])
@pytest.mark.parametrize("granularity", list(Granularity))
def test_what_went_piece_by_piece_is_what_would_have_been_kept(
    source: str, n: int, granularity: Granularity
) -> None:
    n = n if granularity is not Granularity.INSTRUCTION else n // 2
    traced = program(source, n)
    whole = packed_program(traced, LIMITS, granularity=granularity)
    found, sink = streamed(traced, granularity)
    assert found.n_events > 66_000 and sink.calls > 10
    assert pack(found) == pack(whole)
    check_packed(found, traced, LIMITS)


def test_a_short_trace_is_kept_and_goes_nowhere() -> None:
    sink = Streams()
    packed = packed_program(program(LOOP, 10), LIMITS, sink=sink.take)
    assert not sink and not packed.is_streamed
    assert pack(packed) == pack(packed_program(program(LOOP, 10), LIMITS))


def test_a_sink_that_fails_ends_the_run_with_its_own_error() -> None:
    def full(column: int, data: memoryview) -> None:
        raise OSError(errno.ENOSPC, "no space")

    with pytest.raises(OSError, match="no space"):
        packed_program(program(LOOP, 30_000), LIMITS, sink=full)


def test_a_lack_of_memory_in_the_sink_ends_the_run() -> None:
    """Nothing is lost by it: what could not be sent is sent later."""
    sink = Streams()
    left = 3

    def narrow(column: int, data: memoryview) -> None:
        nonlocal left
        left -= 1
        if left == 0:
            raise MemoryError
        sink.take(column, data)

    packed = packed_program(program(LOOP, 30_000), LIMITS, sink=narrow)
    assert packed.outcome == MemoryLimit(LIMITS.memory_bytes)
    found = sink.trace(packed)
    whole = packed_program(program(LOOP, 30_000), LIMITS)
    assert found.n_events < whole.n_events
    for ours, all_of_it in zip(found.columns[2:8], whole.columns[2:8], strict=True):
        assert bytes(all_of_it).startswith(bytes(ours))


def test_parts_that_are_not_what_the_head_says_are_refused() -> None:
    packed, sink = streamed(program(LOOP, 30_000))
    head, good = pack_head(packed.head), {column: memoryview(data) for column, data in sink.items()}
    wrong = [
        {**good, 2: good[2][:-1]},
        {**good, 3: memoryview(bytes(good[3]) + b"x")},
        {column: data for column, data in good.items() if column != 4},
        {column: data for column, data in good.items() if column != OFFSETS},
        {**good, OFFSETS: good[OFFSETS][4:]},
        {**good, 8: memoryview(b"\0")},
        {**good, 63: memoryview(b"\0")},
        {},
    ]
    for parts in wrong:
        with pytest.raises(Malformed):
            unpack_parts(head, parts)
    for data in (head + b"\0", head[:-1], pack(packed)):
        with pytest.raises(Malformed):
            unpack_parts(data, good)


# ------------------------------------------------------------------ through the sandbox


def test_a_long_run_comes_out_of_the_sandbox_as_it_would_be_made_here(tmp_path: Path) -> None:
    """In company and twice; its memory would not do for a record that is kept."""
    programs = [program(LOOP, 3), program(LOOP, 110_000), program(LOOP, 4)]
    limits = Limits(max_steps=1_000_000, time_s=60.0, memory_bytes=16 << 20)
    found = list(trace_packed(programs, limits, workers=1, confirm=True))
    assert [p for p, _ in found] == programs
    assert all(packed.head.determinism.confirmed for _, packed in found)
    assert [type(packed.outcome) for _, packed in found] == [Returned] * 3
    here = packed_program(programs[1], limits)
    assert list(map(bytes, found[1][1].columns)) == list(map(bytes, here.columns))
    assert found[1][1].n_cells >= storage.LONG_CELLS
    rows = list(found)
    for name in ("a.parquet", "b.parquet"):
        storage.write_packed(tmp_path / name, rows)
    back = list(storage.read_packed(tmp_path / "a.parquet"))
    assert [pack(packed) for _, packed in back] == [pack(packed) for _, packed in found]
    assert (tmp_path / "a.parquet").read_bytes() == (tmp_path / "b.parquet").read_bytes()


def test_a_long_run_that_is_stopped_leaves_only_its_outcome() -> None:
    endless = make_program("def f():\n    while True:\n        x = 1\n", "f", "", origin="test")
    limits = Limits(max_steps=1 << 40, trace_bytes=1 << 40, time_s=1.0)
    ((_, packed), (_, after)) = trace_packed([endless, program(LOOP, 3)], limits, workers=1)
    assert isinstance(packed.outcome, TimeLimit) and packed.n_events == 0
    assert isinstance(after.outcome, Returned)


def test_the_limit_of_a_traces_size_keeps_what_was_recorded() -> None:
    limits = Limits(max_steps=1 << 40, trace_bytes=3 << 20, time_s=60.0)
    ((_, packed),) = trace_packed([program("def f(n):\n    while n:\n        pass\n", 1)], limits, workers=1)
    assert packed.outcome == OutputLimit(3 << 20, "trace")
    assert packed.n_events > 3 * (1 << 20) // 14


def test_a_full_disk_ends_the_command_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(fd: int, data: bytes, offset: int) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(sandbox_parts.os, "pwrite", full)
    with pytest.raises(DataError, match=r"No space left.*TMPDIR"):
        list(trace_packed([program(LOOP, 100_000)], LIMITS, workers=1))
