"""adaptive: each of the three picks leads where it says, a chain of them to the outcome, uncorrected."""

from __future__ import annotations

import pytest
from tests.strategies.programs import roll_out, task_of

from deskcheck.grading.verdict import score
from deskcheck.layouts import adaptive
from deskcheck.records import Answer, Granularity, Limits, NoAnswer
from deskcheck.states.parse import read_state
from deskcheck.states.tree import StateTree
from deskcheck.strategies import Settings
from deskcheck.strategies import adaptive as strategy
from deskcheck.tracing.access import has_native
from deskcheck.tracing.program import make_program
from deskcheck.tracing.run import trace_program

pytestmark = pytest.mark.skipif(not has_native(), reason="expressions are traced by the C extension")

SOURCE = """\
def f(xs):
    s = 0
    for x in xs:
        s += x * 2 % 7
    t = 'a'
    return g(s)

def g(n):
    n = n + 1
    m = n
    return m
"""


def texts() -> dict[str, str]:
    """State -> what is picked in it."""
    program = make_program(SOURCE, "f", "[5]", origin="test")
    trace = trace_program(program, Limits(), granularity=Granularity.EXPRESSION)
    examples = adaptive.render(trace, program)
    assert adaptive.parse(program, examples) == adaptive.keeps(trace)
    return {str(state): str(picked) for state, picked in adaptive.keeps(trace)}


def test_hard_lines_go_by_expressions_and_easy_ones_together():
    made = list(texts().values())
    kinds = [text[0] for text in made]
    assert made[0] == "skip 3: @4 | xs=#1[5]; s=0; x=5; ~1=iter(#1)@1"
    at = made.index("=13-18 10")
    assert made[at : at + 4] == ["=13-18 10", "=13-22 3", "=8-22 3", made[at + 3]], "three operations"
    assert made[at + 3].startswith("@3 | s=3")
    assert {"s", "=", "@", ">", "<"} == set(kinds)
    for text in made:
        if text.startswith("skip"):
            state = adaptive.read_answer(text).end
            assert isinstance(state, StateTree)


def test_a_chain_of_true_picks_is_right_and_shorter_than_its_lines():
    task, known = task_of(SOURCE, "f", "[5]"), texts()
    done, asked = roll_out(
        strategy, task, lambda prompt: known[prompt.messages[-1].text.split("\n")[0]], Settings()
    )
    assert score(task, done.answer).verdict == "right"
    assert len(asked) < len(known)


def test_a_wrong_skip_is_believed_and_junk_is_no_answer():
    task = task_of(SOURCE, "f", "[5]")
    done, _ = roll_out(strategy, task, lambda prompt: "skip 9: <- 5", Settings())
    assert done.answer == Answer("5")
    for junk in ("skip 0: <- 5", "skip two: <- 5", "skip 2 <- 5", "skip 2: soup"):
        done, _ = roll_out(strategy, task, lambda prompt, junk=junk: junk, Settings())
        assert isinstance(done.answer, NoAnswer)
        assert done.answer.reason == "unparsable"


def test_the_three_answers_are_read():
    state = read_state("@4 | n=3; s=0")
    assert str(strategy.read(state, "@5 | s=1")) == "@5 | n=3; s=1"
    assert str(strategy.read(state, "=8-13 4")) == "@4 | n=3; s=0; ^8-13=4"
    assert str(strategy.read(state, "skip 2: @6 | n=1")) == "@6 | n=1"
    assert strategy.read(state, "skip 2: !!KeyError('k')") == Answer("raises KeyError")


def test_a_trace_of_lines_is_too_coarse():
    program = make_program(SOURCE, "f", "[5]", origin="test")
    with pytest.raises(ValueError, match="none of granularity expression"):
        adaptive.keeps(trace_program(program, Limits()))
