"""At which event a program printed what: exact, or nothing is said."""

from __future__ import annotations

import itertools

import pytest

from deskcheck.records import Granularity, Limits
from deskcheck.tracing import access
from deskcheck.tracing.collect import trace_programs
from deskcheck.tracing.printing import Places, printed_at
from deskcheck.tracing.program import make_program
from deskcheck.tracing.replay import events

pytestmark = pytest.mark.skipif(not access.has_native(), reason="it counts the native tracer's events")
SOURCE = """\
import sys
def g(n):
    print("g", n)
def f(n):
    for i in range(n):
        print(i, end=" ")
        g(i)
    sys.stderr.write("x é\\n")
    return n
"""
OUTPUT = b"0 g 0\n1 g 1\nx \xc3\xa9\n"


def told(
    source: str, output: bytes, level: Granularity = Granularity.LINE
) -> tuple[bytes, Places, list[int]]:
    program = make_program(source, "f", "2", origin="test")
    ((_, trace),) = trace_programs([program], Limits(), granularity=level, workers=1)
    found, places = printed_at(program, Limits(), level, output, len(trace.events.kind))
    return found, places, [event.line for event in events(trace)]


@pytest.mark.parametrize("level", list(Granularity))
def test_every_write_is_at_the_line_that_made_it(level: Granularity) -> None:
    output, places, lines = told(SOURCE, bytes(sorted(OUTPUT)), level)
    assert output == OUTPUT, "in the order in which it was printed"
    written = [output[start:end] for start, end in itertools.pairwise([0, *(end for _, end in places)])]
    made = [(lines[at], text) for (at, _), text in zip(places, written, strict=True)]
    assert made == [(6, b"0 "), (3, b"g 0\n"), (6, b"1 "), (3, b"g 1\n"), (8, b"x \xc3\xa9\n")]


def test_a_run_that_printed_otherwise_has_no_places() -> None:
    assert told(SOURCE, OUTPUT + b"more")[:2] == (b"", [])
    looks = "import sys\ndef f(n):\n    print(type(sys.stdout.buffer).__name__)\n"
    assert told(looks, b"BufferedWriter\n")[:2] == (b"", [])
    raised = "def f(n):\n    print(n)\n    return 1 / 0\n"
    assert told(raised, b"2\n")[0] == b"2\n"
