"""Lists that an answer fills in for loop variables, beside the rounds of the run."""

from __future__ import annotations

import pytest

from deskcheck.records import Limits
from deskcheck.statements.reasoning import first_false
from deskcheck.statements.rounds import rounds_filled_in
from deskcheck.statements.values import plain_moments
from deskcheck.tracing import run
from deskcheck.tracing.program import make_program

pytestmark = pytest.mark.slow  # the reader of statements is experimental; test_claims.py runs each time
SOURCE = """\
def f(xs, stop):
    n = 0
    for x in xs:
        if x == stop:
            return n
        n += x
    while n > 4:
        n -= 3
    return n
"""


def judged(stop: int, line: int, mark: str) -> list[tuple[bool, str, str, str]]:
    """Whether it is true, what is said, the true value and the round, of every list of one line."""
    program = make_program(SOURCE, "f", f"[2, 3, 5], {stop}", origin="test")
    trace = run.trace_program(program, Limits())
    lines = [f"{number} {text}" for number, text in enumerate(SOURCE.split("\n"), 1)]
    lines[line - 1] += f"## {mark}"
    text = "[THOUGHT]..[/THOUGHT]\n[ANSWER]\n" + "\n".join(lines) + "\n[/ANSWER]"
    found = rounds_filled_in(text, program, trace, plain_moments(trace))
    return [(one.is_true, one.claim.stated, one.true, one.word) for one in found]


@pytest.mark.parametrize(
    ("line", "stop", "values"),
    [
        (3, 9, "x=[2, 3, 5]"),
        (3, 5, "x=[2, 3, 5]"),
        (3, 5, "x=[2, 3]"),  # without the round that the return ends
        (3, 9, "x=[[2], [3], [5]]"),
        (3, 9, "x=[2, ..., 5]"),
        (7, 9, "n=[10, 7]"),
        (7, 9, "n=[10, 7, 4]"),
        (7, 9, "n=[7, 4]"),
    ],
)
def test_each_way_of_counting_rounds_is_true(line: int, stop: int, values: str) -> None:
    assert [one[0] for one in judged(stop, line, f"[STATE]{values}[/STATE]")] == [True]


def test_a_false_value_stands_in_its_round() -> None:
    assert judged(9, 3, "[STATE]x=[2, 4, 5][/STATE]") == [(False, "4", "3", "round 2")]


def test_a_round_too_many_says_that_the_loop_is_over() -> None:
    found = judged(3, 3, "[STATE]x=[2, 3, 5][/STATE]")
    assert found == [(False, "5", "not set again: the loop is over after 2 rounds", "round 3")]


def test_a_round_too_few_is_named() -> None:
    assert judged(9, 7, "[STATE]n=[10][/STATE]") == [(False, "nothing: 1 round", "7", "round 2")]


@pytest.mark.parametrize("mark", ["xs=[[2], [3]]", "x=['2', '3']", "len(xs)=[9]", "x=2", "x=[2, 2, 3, 3, 5]"])
def test_other_shapes_and_expressions_are_left_open(mark: str) -> None:
    assert judged(9, 3, f"[STATE]{mark}[/STATE]") == []


def test_a_line_of_another_program_is_left_open() -> None:
    program = make_program(SOURCE, "f", "[2], 9", origin="test")
    trace = run.trace_program(program, Limits())
    text = "[ANSWER]\n3     for y in xs:## [STATE]x=[7][/STATE]\n[/ANSWER]"
    assert rounds_filled_in(text, program, trace, plain_moments(trace)) == []


def test_of_two_false_lists_the_earlier_round_of_the_run_counts() -> None:
    program = make_program(SOURCE, "f", "[2, 3, 5], 9", origin="test")
    trace = run.trace_program(program, Limits())
    later, earlier = "while n > 4:## [STATE]n=[10, 8][/STATE]", "for x in xs:## [STATE]x=[2, 4][/STATE]"
    text = f"[ANSWER]\n7     {later}\n3     {earlier}\n"
    first = first_false(rounds_filled_in(text, program, trace, plain_moments(trace)))
    assert first is not None and (first.about, first.true) == ("x", "3")
