"""A program that changes how it is traced has a note that says so; one that does not has none."""

from __future__ import annotations

import pytest

from deskcheck.records import Granularity, Limits
from deskcheck.tracing.access import has_native
from deskcheck.tracing.execution import CHANGED
from deskcheck.tracing.here import run_here
from deskcheck.tracing.literal import outcome_text
from deskcheck.tracing.program import make_program
from deskcheck.tracing.run import packed_program

pytestmark = pytest.mark.skipif(not has_native(), reason="without the C extension it is not seen")
SWITCHES_OFF = """
import sys
D = type(sys._getframe()).__dict__
def f(n):
    frame = sys._getframe()
    {change}
    return n
"""
CODES = """
import types
def g(n):
    return n + 1
def f(n):
    return n + 1
{change}
"""
CHANGES = [
    (SWITCHES_OFF, "frame.f_trace_lines = False"),
    (SWITCHES_OFF, "D['f_trace_lines'].__set__(frame, False); frame.f_trace_lines = True"),
    (CODES, "f.__code__ = g.__code__"),
    (CODES, "f.__code__ = f.__code__.replace(co_filename='other')"),
    (CODES, "f.__code__ = f.__code__.replace(co_linetable=g.__code__.co_linetable[:-1])"),
    (CODES, "types.FunctionType.__code__.__set__(f, g.__code__)"),
]
HONEST = [
    (SWITCHES_OFF, "frame.f_trace_lines = True; seen = frame.f_trace_lines, frame.f_trace_opcodes"),
    (CODES, "f.__code__ = f.__code__.replace(co_flags=f.__code__.co_flags)"),
    (CODES, "f = types.coroutine(f)"),
]


def notes_of(source: str, granularity: Granularity = Granularity.LINE) -> list[str]:
    program = make_program(source, "f", "3", origin="t")
    return packed_program(program, Limits(), granularity=granularity).head.fidelity.notes


@pytest.mark.parametrize(("source", "change"), CHANGES)
def test_a_change_is_noted_and_holds(source: str, change: str) -> None:
    assert CHANGED in notes_of(source.replace("{change}", change))
    assert CHANGED not in notes_of("def f(n):\n    return n\n")  # and is no other program's


def test_instructions_that_are_switched_off_are_noted() -> None:
    source = SWITCHES_OFF.replace("{change}", "frame.f_trace_opcodes = False")
    assert CHANGED in notes_of(source, Granularity.INSTRUCTION)


@pytest.mark.parametrize(("source", "change"), HONEST)
def test_what_changes_nothing_is_not_noted(source: str, change: str) -> None:
    assert CHANGED not in notes_of(source.replace("{change}", change))


def test_the_switches_of_a_frame_are_what_they_are_without_us() -> None:
    source = SWITCHES_OFF.replace("return n", "return frame.f_trace_lines, seen")
    change = """try:
        frame.f_trace_lines = 1
    except TypeError as error:
        seen = str(error)
    frame.f_trace_lines = False"""
    packed = packed_program(make_program(source.replace("{change}", change), "f", "3", origin="t"), Limits())
    from deskcheck.format.buffers import trace_of

    assert outcome_text(trace_of(packed)) == "(False, 'attribute value type must be bool')"


def quiet(n: int) -> int:
    import sys

    sys._getframe().f_trace_lines = False
    n += 1
    return n


def test_in_ones_own_process_it_is_noted_too() -> None:
    assert CHANGED in run_here(quiet, (3,))[1].fidelity.notes
    assert CHANGED not in run_here(notes_of, ("def f(n):\n    return n\n",))[1].fidelity.notes
