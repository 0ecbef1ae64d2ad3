"""Iterations and outcomes are counted from executed lines, and refused where lines cannot tell them."""

from __future__ import annotations

import pytest

from deskcheck.languages import facts, facts_of
from deskcheck.records import Limits
from deskcheck.states.loops import outcomes, raises_of, rounds
from deskcheck.states.visits import visits
from deskcheck.tracing.program import make_program
from deskcheck.tracing.reference import trace_program

ENDLESS = """\
def f(n):
    while True:
        n -= 1
        if n < 0:
            break
    for i in range(n + 3):
        n += i
    return n
"""


def n_rounds(source: str, arguments: str) -> dict[int, int]:
    program = make_program(source, "f", arguments, origin="test")
    reached = visits(program, trace_program(program, Limits()))
    loops = facts(program).loops
    assert loops is not None
    return {line: len(starts) for line, starts in rounds(loops, reached).items()}


@pytest.mark.parametrize("n", [0, 1, 4])
def test_a_loop_without_a_test_is_counted_though_its_header_does_not_run_again(n: int):
    assert n_rounds(ENDLESS, str(n)) == {2: n + 1, 6: 2}


@pytest.mark.parametrize(
    "source",
    [
        "def f(n):\n    while True:\n        if n:\n            return n\n        n += 1\n",
        "def f(n):\n    for i in range(n): n += i\n    return n\n",
    ],
)
def test_a_loop_that_lines_cannot_count_is_refused(source: str):
    assert facts_of(source).loops is None


def test_a_test_that_raises_has_no_outcome_and_the_next_one_of_its_line_has():
    source = (
        "def f(xs):\n    n = 0\n    for x in xs:\n        try:\n            if 1 / x:\n"
        "                n += 1\n        except ZeroDivisionError:\n            n -= 1\n    return n\n"
    )
    program = make_program(source, "f", "[1, 0, 2]", origin="test")
    trace = trace_program(program, Limits())
    branches = facts(program).branches
    assert branches is not None
    assert outcomes(branches, visits(program, trace), raises_of(trace)) == {5: [True, True]}
