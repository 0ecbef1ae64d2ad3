"""A trace whose lines cannot follow each other in their function is refused: shortened, repeated, cut."""

from __future__ import annotations

import copy

import pytest

from deskcheck.format.buffers import packed_of, trace_of
from deskcheck.programs.generated import traced
from deskcheck.records import EventKind, Limits, Program, Trace
from deskcheck.tracing.collect import check_packed
from deskcheck.tracing.packed import Invalid
from deskcheck.tracing.program import make_program
from deskcheck.tracing.reference.check import check
from deskcheck.tracing.run import packed_program
from deskcheck.tracing.source_facts import table_of

LIMITS = Limits()
PLAIN = """
def f(n):
    a = n + 1
    b = a * 2
    if b > 3:
        c = 1
    else:
        c = 2
    total = 0
    for i in range(3):
        total += i
        total += c
    try:
        d = 1 // (n - 1)
    except ZeroDivisionError:
        d = -1
    return a + b + d
"""
YIELDS = """
def g(n):
    for i in range(n):
        x = i
        yield x
        y = i
def f(n):
    return sum(g(n))
"""
# CPython 3.14 says nothing of the last line where the loop ran out.
QUIET = """
def f(n):
    for i in [1]:
        if n + n == 15:
            break
    return n
"""
FIRST_COLUMNS = ("kind", "step", "frame", "line", "value", "changes_end")
"""Of events, those that a trace of lines has."""


def made(source: str, arguments: str = "1") -> tuple[Program, Trace]:
    program = make_program(source, "f", arguments, origin="test")
    return program, trace_of(packed_program(program, LIMITS))


def without(trace: Trace, index: int) -> Trace:
    """The same without one line event, its changes with the next event."""
    shorter = copy.deepcopy(trace)
    columns = shorter.events
    for name in FIRST_COLUMNS:
        del getattr(columns, name)[index]
    if columns.thread:
        del columns.thread[index]
    columns.step[index:] = [step - 1 for step in columns.step[index:]]
    return shorter


def is_refused(trace: Trace, program: Program) -> bool:
    """Both checks have one opinion."""
    verdicts = []
    table = table_of(program)
    for holds in (
        lambda: check(trace, program, LIMITS, table),
        lambda: check_packed(packed_of(trace), program, LIMITS, table),
    ):
        try:
            holds()
            verdicts.append(False)
        except Invalid:
            verdicts.append(True)
    assert verdicts[0] == verdicts[1]
    return verdicts[0]


def lines_of(trace: Trace) -> list[int]:
    return [index for index, kind in enumerate(trace.events.kind) if kind == EventKind.LINE]


@pytest.mark.parametrize(("source", "arguments"), [(PLAIN, "1"), (PLAIN, "5"), (YIELDS, "2"), (QUIET, "1")])
def test_no_line_can_be_left_out_of_a_trace(source: str, arguments: str) -> None:
    program, trace = made(source, arguments)
    assert not is_refused(trace, program)
    if source == QUIET:
        return
    kept = [trace.events.line[i] for i in lines_of(trace) if not is_refused(without(trace, i), program)]
    assert kept == []


def test_no_line_can_be_repeated_or_moved() -> None:
    program, trace = made(PLAIN)
    for index in lines_of(trace):
        for line in {*trace.events.line} - {trace.events.line[index]}:
            other = copy.deepcopy(trace)
            other.events.line[index] = line
            assert is_refused(other, program), f"line {line} for {trace.events.line[index]}"


def test_a_function_returns_and_yields_only_where_it_can() -> None:
    program, trace = made(PLAIN)
    at = lines_of(trace)[3]
    cut = copy.deepcopy(trace)
    for name in FIRST_COLUMNS:
        del getattr(cut.events, name)[at + 1 : -1]
    cut.events.step[-1] = cut.events.step[at]
    assert is_refused(cut, program)
    program, trace = made(YIELDS, "2")
    at = trace.events.kind.index(EventKind.YIELD)
    moved = copy.deepcopy(trace)
    moved.events.kind[at - 1], moved.events.line[at - 1] = EventKind.LINE, 4
    assert is_refused(moved, program)


def test_most_lines_of_generated_programs_cannot_be_left_out() -> None:
    n = n_refused = 0
    for family in ("easy", "medium"):
        for program, _ in traced(family, seed=31, n=25):
            trace = trace_of(packed_program(program, LIMITS))
            for index in lines_of(trace)[:20]:
                n += 1
                n_refused += is_refused(without(trace, index), program)
    print(f"\n{n_refused} of {n} traces with one line left out are refused")
    assert n_refused > 0.8 * n
