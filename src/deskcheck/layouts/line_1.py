"""line-1: one self-contained state in, the next step out, without the steps before.

    @1 def f(n):
    @2     return n * 2
    @2 | n=4
    return n * 2
    -> <- 8

Source: the dynamic scratchpad "Line-1" of Execution Tuning. There the answer is the next state in full. Here
it is the step to that state, the next line and the changed variables: 12 tokens instead of 100 on CRUXEval
(docs/decisions/003). `apply_step` turns the step into the next state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from deskcheck.records import Example, Program, Trace
from deskcheck.states.parse import read_state, read_step
from deskcheck.states.steps import example, line_body, run_of, state_of
from deskcheck.states.tree import StateTree, Step

LAYOUT = "line-1"
ANSWER_TOKENS = 128
NOTATION = (
    "[line-1]: you are given one state, and below it the text of the line that is about to run;"
    " write the one step that comes next."
)
"""The layout in words, for chat models that were never trained on it."""


body = line_body
"""Write the prompt after the head: one state, and the text of its line."""


def render(trace: Trace, program: Program) -> list[Example]:
    """Write one example for each executed line."""
    return render_some(trace, program, range)


def render_some(trace: Trace, program: Program, choose: Callable[[int], Iterable[int]]) -> list[Example]:
    """Write examples of some steps only; `choose(number of steps)` returns their indices."""
    run = run_of(trace)
    found = []
    for number in choose(len(run)):
        before, step, _ = run[number]
        found.append(example(LAYOUT, program, trace, body(before, program), str(step), number))
    return found


def parse(program: Program, examples: list[Example]) -> list[tuple[StateTree, Step]]:
    """Read each example back: its state, and the next step."""
    return [(read_state(state_of(e.prompt, program, LAYOUT)), read_step(e.target)) for e in examples]


def keeps(trace: Trace) -> list[tuple[StateTree, Step]]:
    """List each state of the trace with the next step."""
    return [(before, step) for before, step, _ in run_of(trace)]
