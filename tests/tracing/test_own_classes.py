"""Which classes are a program's own is asked anew in each trace, whatever was traced before."""

from __future__ import annotations

import pytest

from deskcheck.records import Granularity, Limits
from deskcheck.tracing import access
from deskcheck.tracing.here import run_here
from deskcheck.tracing.program import make_program
from deskcheck.tracing.run import trace_program

PROGRAM = make_program(
    "class Box:\n    size = 3\n\ndef f(n):\n    Box.size += n\n    return Box.size\n", "f", "5", origin="test"
)


class Mine:
    size = 3


def own(n: int) -> int:
    Mine.size += n
    return Mine.size


@pytest.mark.skipif(not access.has_native(), reason="compares the C extension with the reference")
def test_a_class_has_its_own_name_and_attributes_after_a_trace_of_another_module() -> None:
    """All traces of a process once shared the shape of `type`, which knew the first one's module alone."""
    for _ in range(2):
        names = run_here(own, (5,), {}, limits=Limits(), granularity=Granularity.LINE)[1].names
        assert "Mine" in names and f"{__name__}.Mine" not in names
        there = trace_program(PROGRAM, Limits())
        other = trace_program(PROGRAM, Limits(), tracer="reference")
        for part in ("names", "events", "changes", "values", "objects"):
            assert getattr(there, part) == getattr(other, part)
        assert "Box" in there.names and "__program__.Box" not in there.names
