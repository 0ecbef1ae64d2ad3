"""A program's own tracer gets events of instructions as it does untraced, whatever traces ran around it."""

from __future__ import annotations

import sys
from types import FrameType

import pytest

from deskcheck.records import Granularity, Limits
from deskcheck.tracing.access import has_native
from deskcheck.tracing.program import make_program
from deskcheck.tracing.run import trace_program

pytestmark = pytest.mark.skipif(not has_native(), reason="the C extension is not built")


def instructions() -> int:
    """Events of instructions that a tracer of ours gets from a small function."""
    seen = []

    def tracer(frame: FrameType, event: str, _: object) -> object:
        frame.f_trace_opcodes = True
        seen.append(event)
        return tracer

    def small() -> int:
        return len("a") + 1

    before = sys.gettrace()
    sys.settrace(tracer)
    small()
    sys.settrace(before)
    return seen.count("opcode")


@pytest.mark.parametrize("granularity", list(Granularity))
def test_a_trace_leaves_the_interpreter_as_ready_for_them_as_before(granularity: Granularity) -> None:
    instructions()  # 3.12 remembers from the first time on that somebody wants them
    expected = instructions()
    trace_program(
        make_program("def f(n):\n    return n\n", "f", "3", origin="t"), Limits(), granularity=granularity
    )
    assert instructions() == expected > 0
