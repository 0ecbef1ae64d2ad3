"""What is read off a written-down run: its own account and nothing else, whatever the truth is."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest
from tests.strategies.programs import finer, program_of, roll_out

from deskcheck.grading.verdict import score
from deskcheck.questions import tasks_of
from deskcheck.records import Answer, Granularity, Limits, NoAnswer, Task, TaskDraft
from deskcheck.states.parse import outcome, read_state
from deskcheck.states.steps import steps
from deskcheck.states.tree import StateTree
from deskcheck.strategies import Settings, compact, line_1
from deskcheck.tracing.access import has_native
from deskcheck.tracing.reference import trace_program
from deskcheck.turns.derived import FITS, derived

LOOP = """\
def f(xs):
    total = 0
    for x in xs:
        if x > 2:
            total += x
        else:
            total -= 1
    return total
"""
MANY_WAYS = """\
def parts(n):
    for k in range(n):
        yield k
    yield from range(n)

def deep(n):
    if n:
        n = n - 1
        return deep(n)
    return [n]

def f(n):
    seen = deep(n)
    both = [seen, seen]
    while n > 0:
        if all(part < 2 for part in parts(n)):
            both.append(seen)
        elif any(part > 9 for part in parts(n)):
            break
        try:
            if {}[n]:
                seen = 3
        except KeyError:
            n -= 1
    return both
"""


def asked(kind: str, source: str = LOOP, arguments: str = "[1, 5]") -> list[Task]:
    """The tasks of one kind about one run."""
    program = program_of(source, "f", arguments)
    draft = TaskDraft("a", program, "", "a")
    found = tasks_of(kind, draft, trace_program(program, Limits()), benchmark="test")
    assert isinstance(found, list), found
    return found


def written(task: Task) -> tuple[list[str], Answer | NoAnswer]:
    """The true states as text, and how the run ends."""
    run = list(steps(task.truth))
    return [str(before) for before, _, _ in run], outcome(run[-1][1])


def read(task: Task, lines: Sequence[str], ended: Answer | NoAnswer) -> Answer | NoAnswer:
    return derived(task, [read_state(line) for line in lines], ended)


def test_a_wrong_state_gives_the_wrong_answer_that_it_implies():
    (values,) = asked("loop-values")
    lines, ended = written(values)
    assert read(values, lines, ended) == Answer("[1, 5]")
    changed = [line.replace("x=5", "x=6") for line in lines]
    assert read(values, changed, ended) == Answer("[1, 6]")
    (branches,) = asked("branches")
    other_way = [line.replace("@5", "@7") for line in lines]
    assert read(branches, other_way, ended) == Answer("{4: [False, False]}")
    for task in asked("state"):
        said = read(task, [re.sub(r"total=-?\d+", "total=77", line) for line in lines], ended)
        assert said == Answer("(77, 'int')")
    for task in asked("next-state"):
        wrong = read(task, [line.replace("[1, 5]", "[1, 6]") for line in lines], Answer("0"))
        assert score(task, wrong).verdict == "wrong"


def test_a_moment_to_which_the_run_never_comes_is_a_wrong_answer_that_says_so():
    for kind in ("state", "next-state"):
        for task in asked(kind):
            said = read(task, [">1 | xs=[1, 5]", "@99 | xs=[1, 5]"], Answer("4"))
            assert isinstance(said, Answer) and "is not reached" in said.text
            assert score(task, said).verdict == "wrong"


@pytest.mark.parametrize("kind", sorted(FITS - {"halting"}))
def test_a_run_that_was_cut_has_no_answer_and_keeps_the_reason(kind: str):
    for task in asked(kind):
        lines, _ = written(task)
        for reason in (NoAnswer("budget", "not over"), NoAnswer("truncated", "cut")):
            assert read(task, lines, reason) == reason


def test_more_lines_than_the_limit_answer_whether_it_halts_though_the_run_was_cut():
    (task,) = asked("halting")
    n = int(task.id.partition("@")[2])
    cut = NoAnswer("truncated", "cut")
    assert read(task, [">1", *["@2"] * n], cut) == cut
    assert read(task, [">1", *["@2"] * (n + 1)], cut) == Answer("False")
    assert read(task, [">1", *["@2"] * n], Answer("4")) == Answer("True")
    forever = asked("halting", "def f(n):\n    while n:\n        n += 1\n", "1")
    assert forever[0].expected == "False"
    done, _ = roll_out(line_1, forever[0], lambda prompt: "@3", Settings(max_steps=2))
    assert done.answer == NoAnswer("budget", "not over after 2 steps")


def test_a_value_that_no_literal_says_is_no_answer_but_its_run_has_lines():
    source = "def f(n):\n    x = n\n    return object()\n"
    (task,) = asked("coverage", source, "3")
    lines, ended = written(task)
    assert isinstance(ended, NoAnswer)
    assert read(task, lines, ended) == Answer("[2, 3]")
    (task,) = asked("state", source, "3")
    said = read(task, [line.replace("x=3", "x=<object>") for line in lines], ended)
    assert said == NoAnswer("unparsable", "'x=<object>' is no plain value")


def test_the_last_assignment_of_a_call_is_not_written_and_says_so():
    source = "def g(n):\n    m = n + 1\n\ndef f(n):\n    return g(n)\n"
    (task,) = asked("state", source, "3")
    said = read(task, *written(task))
    assert isinstance(said, NoAnswer) and "with which its call ends" in said.detail


def test_a_change_that_cannot_be_made_is_no_answer_only_where_values_are_asked_for():
    said = ">1 | xs=[1, 5]\n@2 | -nobody\n@8\n<- 4"
    done, _ = roll_out(compact, asked("coverage")[0], lambda prompt: said)
    assert done.answer == Answer("[2, 8]")
    done, _ = roll_out(compact, asked("state")[0], lambda prompt: said)
    assert isinstance(done.answer, NoAnswer) and "deletes what is not there" in done.answer.detail


def right_of(states: list[StateTree], ended: Answer | NoAnswer) -> int:
    n = 0
    for kind in sorted(FITS - {"annotation"}):  # not asked of programs with `try` and `yield`
        for task in asked(kind, MANY_WAYS, "4"):
            said = derived(task, states, ended)
            assert score(task, said).verdict == "right", (task.id, kind, said, task.expected)
            n += 1
    return n


NESTED = """\
def half(n):
    m = n // 2
    if m > 1:
        m = half(m)
    return m

def f(xs):
    total = 0
    for x in xs:
        total += half(x)
        while total > 9:
            total -= x
    return total
"""


def test_the_blanks_of_a_program_are_filled_from_the_states_of_the_run_that_was_written():
    (task,) = asked("annotation", NESTED, "[9, 3]")
    assert task.expected.startswith("{'2.m': [")
    run = list(steps(task.truth))
    states = [before for before, _, _ in run]
    assert score(task, derived(task, states, outcome(run[-1][1]))).verdict == "right"
    wrong = [read_state(str(state).replace("total=1;", "total=7;")) for state in states]
    assert wrong != states
    said = derived(task, wrong, outcome(run[-1][1]))
    assert isinstance(said, Answer) and score(task, said).verdict == "wrong"
    assert derived(task, states[:4], NoAnswer("budget", "cut")) == NoAnswer("budget", "cut")
    falls = "def f(x):\n    if x:\n        y = x + 1\n"
    (task,) = asked("annotation", falls, "2")
    run = list(steps(task.truth))
    said = derived(task, [before for before, _, _ in run], outcome(run[-1][1]))
    assert isinstance(said, NoAnswer) and "with which its call ends" in said.detail


def test_recursion_generators_shared_lists_and_caught_exceptions_are_read_as_the_tasks_read_them():
    task = asked("output", MANY_WAYS, "4")[0]
    run = list(steps(task.truth))
    assert right_of([before for before, _, _ in run], outcome(run[-1][1])) > 15


@pytest.mark.skipif(not has_native(), reason="the true instructions need the C extension")
@pytest.mark.parametrize("granularity", [Granularity.EXPRESSION, Granularity.INSTRUCTION])
def test_finer_states_hold_the_same_answers(granularity: Granularity):
    task = asked("output", MANY_WAYS, "4")[0]
    run = list(steps(finer(task, granularity), granularity=granularity))
    assert right_of([before for before, _, _ in run], outcome(run[-1][1])) > 15
    one_line = "def f(n):\n    while n: n -= 1\n    return n\n"
    (task,) = asked("full-trace", one_line, "2")
    run = list(steps(finer(task, granularity), granularity=granularity))
    assert derived(task, [before for before, _, _ in run], Answer("0")) == Answer("[2, 2, 3]")
