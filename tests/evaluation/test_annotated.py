"""Programs with blanks: each value judged alone, and whether an answer agrees with itself."""

from __future__ import annotations

import pytest
from tests.strategies.programs import program_of, roll_out

from deskcheck.benchmarks import core
from deskcheck.evaluation.step_scores import annotated, judged
from deskcheck.grading.verdict import score
from deskcheck.languages import parse_literal
from deskcheck.languages.python.causes import contradictions
from deskcheck.questions import Unasked, tasks_of
from deskcheck.records import Answer, Limits, NoAnswer, Rollout, Task, TaskDraft
from deskcheck.strategies import Settings, vanilla
from deskcheck.tracing.reference import trace_program

SOURCE = """\
def f(xs):
    total = len(xs)
    for x in xs:
        if x > 2:
            total += x
        else:
            total = -x
    while total > 5:
        total -= 5
    return total
"""
RIGHT = (
    "{'2.total': [2], '3.x': [1, 5], '4.test': [False, True], '5.total': [4], '7.total': [-1], "
    "'8.test': [False], '9.total': []}"
)


def asked(source: str, arguments: str) -> Task | Unasked:
    program = program_of(source, "f", arguments)
    found = tasks_of(
        "annotation", TaskDraft("a", program, "", "a"), trace_program(program, Limits()), benchmark="t"
    )
    return found if isinstance(found, Unasked) else found[0]


@pytest.fixture(scope="module")
def task() -> Task:
    found = asked(SOURCE, "[1, 5]")
    assert isinstance(found, Task)
    return found


def test_the_program_is_shown_with_a_blank_at_each_statement_that_has_a_value(task: Task):
    assert task.expected == RIGHT
    for language in ("en", "zh"):
        lines = task.question[language].split("\n")
        for blank in ("3.x", "4.test", "5.total", "8.test", "9.total"):
            (line,) = [line for line in lines if f"## {blank} = ??" in line]
            assert line.partition("  ##")[0] == SOURCE.split("\n")[int(blank[0]) - 1]
    done, _ = roll_out(vanilla, task, lambda prompt: f"[ANSWER]{RIGHT}[/ANSWER]")
    assert score(task, done.answer).verdict == "right"


@pytest.mark.parametrize(
    ("old", "new", "wrong", "n", "incoherent"),
    [
        ("", "", 0, 8, 0),
        ("'5.total': [4]", "'5.total': [5]", 1, 8, 0),  # one value
        ("[False, True]", "[True, False]", 2, 8, 0),  # the other branch, each once: a run that could be
        ("[False, True]", "[False, False]", 1, 8, 2),  # a branch that is not taken has a value
        ("'5.total': [4]", "'5.total': [4, 4]", 1, 9, 1),  # one too many
        ("'3.x': [1, 5]", "'3.x': [1]", 1, 8, 1),  # one round, two tests
        ("'8.test': [False]", "'8.test': [0]", 1, 8, 0),  # no truth value
        (", '9.total': []", "", 0, 8, 0),  # nothing is nothing
    ],
)
def test_every_position_counts_and_so_does_coherence(
    task: Task, old: str, new: str, wrong: int, n: int, incoherent: int
):
    assert old in RIGHT
    done = Rollout(Answer(RIGHT.replace(old, new) if old else RIGHT), [])
    found = judged(task, done, strategy="vanilla", settings=Settings())
    assert found is not None
    assert (found.wrong, found.n, found.contradictions) == (wrong, n, incoherent)


def test_what_is_no_answer_has_no_positions(task: Task):
    for answer in (NoAnswer("truncated"), Answer("[1, 2]"), Answer("who ( knows")):
        assert annotated(task, Rollout(answer, [])) is None


def test_true_values_never_contradict_each_other():
    """All of core and CRUXEval were tried once: 444 and 609 programs."""
    n = 0
    for draft in list(core.drafts(""))[::6]:
        trace = trace_program(draft.program, Limits())
        found = tasks_of("annotation", draft, trace, benchmark="core")
        if isinstance(found, list):
            n += 1
            assert contradictions(draft.program.source, parse_literal(found[0].expected)) == []  # type: ignore[arg-type]
    assert n > 50


@pytest.mark.parametrize(
    ("source", "arguments", "reason"),
    [
        (
            "def f(n):\n    try:\n        n += 1\n    except KeyError:\n        n = 2\n    return n",
            "1",
            "a program with",
        ),
        ("def f(n):\n    n += 1\n    return n / 0", "1", "raised"),
        ("def f(n):\n    return n", "1", "no blank has a value"),
        ("def f(n):\n    while n: n -= 1\n    return n", "1", "a branch or loop that lines"),
        ("def f(n):\n    for i in range(n):\n        n -= i\n    return n", "40", "more than 60 values"),
    ],
)
def test_a_run_that_cannot_be_asked_says_why(source: str, arguments: str, reason: str):
    found = asked(source, arguments)
    assert isinstance(found, Unasked) and found.reason.startswith(reason)
