"""Nothing of a trace stays behind: memory after many traces is what it was after a few."""

from __future__ import annotations

import gc
import sys
from pathlib import Path

import pytest
from tests.tracing.expression_cases import CASES
from tests.tracing.watched_programs import PROGRAMS

from deskcheck.records import Granularity, Limits, Program
from deskcheck.tracing import access, run
from deskcheck.tracing.program import make_program

pytestmark = pytest.mark.skipif(not access.has_native(), reason="the C extension is not built")
ALL = [make_program(*asked, origin="test") for asked in (*PROGRAMS.values(), *CASES.values())]
LIMITS = Limits()


def resident_bytes() -> int:
    fields = Path("/proc/self/statm").read_text().split()
    return int(fields[1]) * 4096


def trace_all(rounds: int, programs: list[Program]) -> None:
    for number in range(rounds):
        granularity = Granularity(number % 3)
        for program in programs:
            run.packed_program(program, LIMITS, granularity=granularity, tracer="native")


def test_a_trace_leaves_no_object_behind() -> None:
    trace_all(6, ALL)
    gc.collect()
    before = sys.getallocatedblocks()
    trace_all(15, ALL)
    gc.collect()
    assert sys.getallocatedblocks() - before < 15 * len(ALL)  # less than one block a trace


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="needs Linux")
def test_memory_does_not_grow_with_the_number_of_traces() -> None:
    trace_all(9, ALL)
    before = resident_bytes()
    trace_all(15, ALL)
    assert resident_bytes() - before < 4 << 20


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="needs Linux")
def test_memory_reaches_a_plateau_over_a_hundred_thousand_traces(
    capsys: pytest.CaptureFixture[str],
) -> None:
    rounds = 100_000 // len(ALL) // 10
    sizes = []
    for _ in range(10):
        trace_all(rounds, ALL)
        gc.collect()
        sizes.append(resident_bytes() >> 10)
    with capsys.disabled():
        print(f"\n{10 * rounds * len(ALL):,} traces, resident KB after each tenth: {sizes}")
    assert sizes[-1] - sizes[1] < 4 << 10
