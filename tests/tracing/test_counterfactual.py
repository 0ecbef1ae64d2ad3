"""If x were 7 after step k: the run is the same up to there, and then what Python does with x = 7."""

from __future__ import annotations

import pytest

from deskcheck.errors import NotResumable, UserError
from deskcheck.records import EventKind, Limits, Program, Trace
from deskcheck.tracing import counterfactual as asking
from deskcheck.tracing.counterfactual import counterfactual
from deskcheck.tracing.counterfactual_job import NAMES
from deskcheck.tracing.literal import outcome_text
from deskcheck.tracing.program import make_program
from deskcheck.tracing.reference import trace_program

LOOP = """\
def f(n):
    total = 0
    for i in range(n):
        total += i
    return total
"""
EVERYTHING = """\
COUNT = 1
def make():
    kept = [1]
    def add(x):
        nonlocal kept
        kept = [*kept, x]
        return kept
    return add
def numbers():
    with open('/dev/null'):
        i = 0
        while i < 4:
            i += 1
            yield i
def g(x):
    y = x + COUNT
    return y * 10
def f():
    add = make()
    out = []
    for n in numbers():
        add(n)
        a = g(n); out.append(a)
    try:
        raise KeyError('k')
    except KeyError as e:
        out.append(len(e.args))
        out.append(add(0))
    finally:
        out.append(COUNT)
    return out
"""
LIMITS = Limits(max_steps=300)


def traced(source: str, arguments: str = "") -> tuple[Program, Trace]:
    program = make_program(source, "f", arguments, origin="test")
    return program, trace_program(program, LIMITS)


def step_of(trace: Trace, line: int, n: int = 0) -> int:
    """Number of the n-th step on that line."""
    rows = zip(trace.events.kind, trace.events.line, trace.events.step, strict=True)
    return [step for kind, at, step in rows if kind == EventKind.LINE and at == line][n]


@pytest.mark.parametrize(
    ("source", "arguments", "line", "n", "bindings", "expected"),
    [
        (LOOP, "4", 4, 1, {"total": 100}, "105"),
        (LOOP, "4", 4, 1, {"total": 100, "i": 50}, "105"),
        (LOOP, "4", 2, 0, {"n": 2}, "1"),
        (LOOP, "4", 2, 0, {"total": "a"}, "raises TypeError"),
        (LOOP, "4", 2, 0, {"total": 1.5}, "7.5"),
        (EVERYTHING, "", 13, 1, {"i": 3}, "[20, 40, 50, 1, [1, 1, 3, 4, 0], 1]"),
        (EVERYTHING, "", 16, 0, {"y": 7}, "[70, 30, 40, 50, 1, [1, 1, 2, 3, 4, 0], 1]"),
        (EVERYTHING, "", 23, 1, {"COUNT": 5}, "[20, 30, 80, 90, 1, [1, 1, 2, 3, 4, 0], 5]"),
        (EVERYTHING, "", 23, 0, {"out": [9]}, "[9, 30, 40, 50, 1, [1, 1, 2, 3, 4, 0], 1]"),
        (EVERYTHING, "", 27, 0, {"e": 3}, "[20, 30, 40, 50, 1, [1, 1, 2, 3, 4, 0], 1]"),
        (EVERYTHING, "", 30, 0, {"out": []}, "[]"),
        (EVERYTHING, "", 6, 0, {"kept": [7]}, "[20, 30, 40, 50, 1, [7, 2, 3, 4, 0], 1]"),
        (EVERYTHING, "", 3, 0, {"kept": []}, "[20, 30, 40, 50, 1, [1, 2, 3, 4, 0], 1]"),
    ],
)
def test_the_rest_of_the_run_is_that_of_the_other_value(
    source: str, arguments: str, line: int, n: int, bindings: dict[str, object], expected: str
) -> None:
    program, trace = traced(source, arguments)
    step = step_of(trace, line, n)
    found = counterfactual(program, trace, step, bindings, LIMITS)
    assert outcome_text(found) == expected
    before = trace.events.step.index(step)
    assert found.events.line[:before] == trace.events.line[:before]
    assert any(note.startswith("counterfactual: ") for note in found.fidelity.notes)


def test_binding_nothing_changes_nothing() -> None:
    program, trace = traced(EVERYTHING)
    for line in (4, 16, 22):
        found = counterfactual(program, trace, step_of(trace, line), {}, LIMITS)
        assert (found.events, found.changes, found.outcome) == (trace.events, trace.changes, trace.outcome)


def test_what_cannot_be_asked_is_said() -> None:
    program, trace = traced(LOOP, "2")

    def ask(step: int, **names: object) -> Trace:
        return counterfactual(program, trace, step, names, LIMITS)

    with pytest.raises(UserError, match="steps 1 to"):
        ask(0, total=1)
    with pytest.raises(UserError, match="no variable 'tota'"):
        ask(1, tota=1)
    with pytest.raises(UserError, match="not to a object"):
        ask(1, total=object())
    with pytest.raises(NotResumable, match="last line"):
        ask(trace.n_steps, total=1)
    clock = "import time\ndef f():\n    a = time.perf_counter_ns()\n    b = a\n    return b\n"
    program, trace = traced(clock)
    with pytest.raises(NotResumable, match="does not repeat itself"):
        ask(2, b=1)


VALUES = [
    None, True, -3, 10**30, 1.5, float("inf"), "é'\n\ud800", b"\0", ..., [], [1, (2,), ()],
    {1: {2, 3}, "a": set()}, frozenset(),
]  # fmt: skip


@pytest.mark.parametrize("value", VALUES, ids=str)
def test_values_travel_as_text_that_makes_them_again(value: object) -> None:
    again = eval(asking._text(value), {"__builtins__": {}, **NAMES})
    assert (type(again), again) == (type(value), value)
