"""expression-1: one state in, the next step out; a step evaluates one expression.

    @4 | n=3; s=0; i=2; ^13-17=3             line 4; the expression in columns 13 to 17 has given 3
    s += n%10 * i
    -> =13-21 6                              the expression in columns 13 to 21 gives 6, and uses the 3 up
    -> @5 | s=6                              the line is done: the next line, and the changed variables

This is line-1 with a step for each expression before the step of the line. Columns count UTF-8 bytes. The
trace must have expression granularity. Execution Tuning (arXiv 2503.05703) names dynamic granularity as
future work. ET-CoT (PyTracify, by Eguchi and Akiba) expands lines into expressions in one answer.
"""

from __future__ import annotations

from deskcheck.records import Example, Granularity, Program, Trace
from deskcheck.states.parse import read_state, read_step
from deskcheck.states.steps import example, line_body, state_of, steps
from deskcheck.states.tree import StateTree, Step

EXPERIMENTAL = True
LAYOUT = "expression-1"
QUESTIONS_A_LINE = 4
GRANULARITY = Granularity.EXPRESSION


body = line_body
"""Write the prompt after the head: one state, and the text of its line."""


def render(trace: Trace, program: Program) -> list[Example]:
    """Write one example for each expression and line."""
    return [
        example(LAYOUT, program, trace, body(before, program), str(step), number)
        for number, (before, step, _) in enumerate(steps(trace, granularity=GRANULARITY))
    ]


def parse(program: Program, examples: list[Example]) -> list[tuple[StateTree, Step]]:
    """Read each example back: its state, and the next step."""
    return [(read_state(state_of(one.prompt, program, LAYOUT)), read_step(one.target)) for one in examples]


def keeps(trace: Trace) -> list[tuple[StateTree, Step]]:
    """List each state of the trace with the next step."""
    return [(before, step) for before, step, _ in steps(trace, granularity=GRANULARITY)]
