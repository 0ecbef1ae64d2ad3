"""Why a question at a named place is not asked: the reason names what happened, not its consequence."""

from __future__ import annotations

import pytest

from deskcheck.questions import Unasked, places_left_out, tasks_of
from deskcheck.records import Limits, Refused, TaskDraft
from deskcheck.tracing.execution import empty_trace
from deskcheck.tracing.program import make_program
from deskcheck.tracing.reference import trace_program

LIST = "def f(xs):\n    xs[0] = 3\n    if xs == 0:\n        y = 1\n    return xs\n"


@pytest.mark.parametrize(
    ("source", "line", "variable", "reason", "detail"),
    [
        (LIST, 2, "xs[0]", "the place is no variable", "xs[0]"),
        (LIST, 4, "y", "the line is not reached", ""),
        (LIST, 2, "z", "no plain value after the line", ""),
        (
            "import no_such_module\n" + LIST,
            3,
            "xs",
            "raises ModuleNotFoundError before a line is reached",
            "",
        ),
    ],
)
def test_a_place_of_which_no_state_is_asked(
    source: str, line: int, variable: str, reason: str, detail: str
) -> None:
    program = make_program(source, "f", "[1]", origin="x")
    found = tasks_of(
        "state",
        TaskDraft("a", program, "", "a", line=line, variable=variable),
        trace_program(program, Limits()),
        benchmark="b",
    )
    assert isinstance(found, Unasked)
    assert (found.reason, found.detail) == (reason, detail)


def test_a_refused_run_is_said_to_be_one() -> None:
    program = make_program(LIST, "f", "[1]", origin="x")
    trace = empty_trace(program.id, Limits(), Refused("network:socket"))
    found = tasks_of("reached", TaskDraft("a", program, "", "a", line=2, variable="xs"), trace, benchmark="b")
    assert isinstance(found, Unasked)
    assert (found.reason, found.detail) == ("refused before a line is reached", "network:socket")


def test_a_drawn_variable_without_a_literal_is_counted_beside_those_that_are_asked() -> None:
    source = "def f(n):\n    n += 1\n    g = iter([n])\n    return next(g)\n"
    draft = TaskDraft("a", make_program(source, "f", "1", origin="x"), "", "a")
    trace = trace_program(draft.program, Limits())
    tasks = tasks_of("state", draft, trace, benchmark="b")
    assert isinstance(tasks, list)
    assert [task.id for task in tasks] == ["a@2.1.n"]
    assert places_left_out("state", draft, trace, tasks) == [
        ("a@3.1.g", "no plain value after the line", "g")
    ]
    assert places_left_out("output", draft, trace, tasks) == []
