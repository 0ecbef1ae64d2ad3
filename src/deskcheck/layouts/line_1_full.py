"""line-1-full: one self-contained state in, the next state in full out, without the steps before.

    @2 | n=4
    s = n * 2
    -> @3 | n=4; s=8           or, if the run ends: <- 8

Source: the dynamic scratchpad "Line-1" of Execution Tuning (arXiv 2503.05703), whose answer is the whole
state. In `line-1` the answer is the step to that state: 12 tokens instead of 100 on CRUXEval.
"""

from __future__ import annotations

from deskcheck.records import Example, Program, Trace
from deskcheck.states.jumps import landing, read_landing
from deskcheck.states.parse import read_state
from deskcheck.states.steps import example, line_body, state_of, steps
from deskcheck.states.tree import StateTree, Step

EXPERIMENTAL = True
LAYOUT = "line-1-full"


body = line_body
"""Write the prompt after the head: one state, and the text of its line."""


def render(trace: Trace, program: Program) -> list[Example]:
    """Write one example for each executed line, with whole states."""
    return [
        example(LAYOUT, program, trace, body(before, program), str(end), number)
        for number, (before, end) in enumerate(keeps(trace))
    ]


def parse(program: Program, examples: list[Example]) -> list[tuple[StateTree, StateTree | Step]]:
    """Read each example back: its state, and the next state or the step that ends the run."""
    return [(read_state(state_of(one.prompt, program, LAYOUT)), read_landing(one.target)) for one in examples]


def keeps(trace: Trace) -> list[tuple[StateTree, StateTree | Step]]:
    """List each state of the trace with the next state or the step that ends the run."""
    run = list(steps(trace))
    return [(before, landing(run, number, 1)) for number, (before, _, _) in enumerate(run)]
