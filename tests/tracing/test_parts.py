"""A long trace comes out of the sandbox in parts, and is what it would be in one piece; or why it is not."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest
from tests.tracing.test_stream import LIMITS, LOOP, program

from deskcheck.errors import DataError
from deskcheck.format import shards
from deskcheck.records import Limits, OutputLimit, Returned, TimeLimit
from deskcheck.sandbox import parts as sandbox_parts
from deskcheck.tracing.access import has_native
from deskcheck.tracing.collect import trace_packed
from deskcheck.tracing.packed import pack
from deskcheck.tracing.program import make_program
from deskcheck.tracing.run import packed_program

pytestmark = pytest.mark.skipif(not has_native(), reason="the reference tracer keeps its record in memory")


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
    assert found[1][1].n_cells >= shards.LONG_CELLS
    rows = list(found)
    for name in ("a.parquet", "b.parquet"):
        shards.write_packed(tmp_path / name, rows)
    back = list(shards.read_packed(tmp_path / "a.parquet"))
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
