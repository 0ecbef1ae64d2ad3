"""Where a chain of states parts from the truth: injected errors are found where they stand, by name."""

from __future__ import annotations

from typing import Literal

import pytest

from deskcheck.evaluation.sample_records import wrong_if_astray
from deskcheck.evaluation.step_scores import CAUSES, cause, divergence
from deskcheck.grading.verdict import score
from deskcheck.records import Answer, Limits, NoAnswer, Rollout, Score, Task
from deskcheck.states.steps import whole_run
from deskcheck.tracing.program import make_program
from deskcheck.tracing.reference import trace_program
from deskcheck.turns.settings import Settings

SOURCE = """\
def f(xs):
    total = 0
    for x in xs:
        if x > 1:
            total = total + x
    return total
"""


@pytest.fixture(scope="module")
def task() -> Task:
    program = make_program(SOURCE, "f", "[1, 2]", origin="test")
    return Task("t", "test", "output", program, "2", trace_program(program, Limits()), "t")


def states(task: Task) -> list[str]:
    return [str(state) for _, state in whole_run(task.truth)[1][:-1]]


def test_a_right_run_never_parts(task: Task) -> None:
    chain = states(task)
    found = divergence(task, Rollout(Answer("2"), [], chain), strategy="line-1")
    assert found is not None
    assert (found.together, found.part, found.cause) == (len(chain), "", "")


@pytest.mark.parametrize(
    ("wrong", "right", "part", "named"),
    [
        ("total=3", "total=2", "variables", "arithmetic"),
        ("@5", "@4", "control flow", "loop bookkeeping"),
    ],
)
def test_a_planted_error_is_found_where_it_was_planted(
    task: Task, wrong: str, right: str, part: str, named: str
) -> None:
    chain = states(task)
    at = next(i for i, state in enumerate(chain) if right in state)
    chain[at] = chain[at].replace(right, wrong)
    found = divergence(task, Rollout(Answer("3"), [], chain), strategy="line-1")
    assert found is not None
    assert (found.together, found.part, found.cause) == (at, part, named)


def test_the_last_step_counts_too(task: Task) -> None:
    chain = states(task)
    wrong = divergence(task, Rollout(Answer("7"), [], chain), strategy="line-1")
    early = divergence(task, Rollout(Answer("2"), [], chain[:3]), strategy="line-1")
    unread = divergence(task, Rollout(NoAnswer("unparsable", ""), [], chain[:3]), strategy="line-1")
    spent = divergence(task, Rollout(NoAnswer("budget", ""), [], chain[:3]), strategy="line-1")
    assert wrong is not None and (wrong.part, wrong.cause) == ("outcome", "call or return")
    assert early is not None and early.part == "control flow"
    assert unread is not None and unread.part == "format"
    assert spent is not None and spent.part == ""


def test_a_jump_may_leave_out_states_but_not_go_back(task: Task) -> None:
    chain = states(task)
    jumps = divergence(task, Rollout(Answer("2"), [], chain[::2]), strategy="line-n")
    back = divergence(task, Rollout(Answer("2"), [], [chain[2], chain[0]]), strategy="line-n")
    assert jumps is not None and jumps.together == len(chain[::2])
    assert back is not None and (back.together, back.part != "") == (1, True)


def test_strategies_without_a_chain_of_states_have_none(task: Task) -> None:
    assert divergence(task, Rollout(Answer("2"), []), strategy="line-1") is None
    assert divergence(task, Rollout(Answer("2"), [], ["x"]), strategy="iip-dynamic") is None


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("x = y[0] + 1", "index or slice"),
        ("x = y.strip() + z", "string method"),
        ("x.append(1 + 2)", "container method"),
        ("x = y + 1", "arithmetic"),
        ("x += 1", "arithmetic"),
        ("x = y < z", "comparison or branch"),
        ("for x in y:\n pass", "loop bookkeeping"),
        ("while x:\n pass", "comparison or branch"),
        ("x = f(y)", "call or return"),
        ("x = y", "other"),
    ],
)
def test_a_line_is_named_by_the_first_class_it_holds(line: str, name: str) -> None:
    assert cause(line, 1) == name
    assert name in CAUSES


@pytest.mark.parametrize("reason", ["budget", "endless"])
def test_out_of_steps_is_no_answer_only_where_the_chain_had_not_left_the_truth(
    task: Task, reason: Literal["budget", "endless"]
) -> None:
    def verdict(chain: list[str], settings: Settings) -> Score:
        done = Rollout(NoAnswer(reason, "not over after 3 steps"), [], chain)
        first = score(task, done.answer, sample=0, policy="strict")
        return wrong_if_astray(task, done, first, "line-1", settings)

    true = states(task)[:3]
    astray = [*true[:2], true[2].replace("total=0", "total=9")]
    assert astray != true
    kept, lost = verdict(true, Settings()), verdict(astray, Settings())
    assert (kept.verdict, kept.reason) == ("no answer", reason)
    assert (lost.verdict, lost.reason) == ("wrong", "")
    assert lost.answer == "left the true run after 2 right steps, and did not end"
    fed = verdict(astray, Settings(teacher_forcing="true"))
    assert fed.verdict == "no answer", "with true states each step begins anew"
