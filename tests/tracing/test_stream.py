"""A long trace leaves memory while it is made: the same bytes as in one piece, at every granularity."""

from __future__ import annotations

import errno
from collections import defaultdict

import pytest

from deskcheck.format.buffers import Packed
from deskcheck.records import Granularity, Limits, MemoryLimit, Program
from deskcheck.sandbox import parts as sandbox_parts
from deskcheck.tracing.access import has_native
from deskcheck.tracing.collect import check_packed
from deskcheck.tracing.packed import OFFSETS, Malformed, pack, pack_head, unpack_parts
from deskcheck.tracing.program import make_program
from deskcheck.tracing.run import packed_program
from deskcheck.tracing.source_facts import table_of

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
# The column of threads begins late; tasks, because their order is always the same.
TASKS = """import asyncio
def g(n):
    for i in range(n):
        pass
async def h():
    g(10)
def f(n):
    g(n)
    asyncio.run(h())
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


@pytest.mark.parametrize("source, n", [(LOOP, 30_000), (TASKS, 40_000), (CALLS, 20_000)])
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
    assert (source == TASKS) == any(bytes(found.columns[8]))
    check_packed(found, traced, LIMITS, table_of(traced))


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
