"""expression-1: one state in, the next step out, where a step is an expression that gets its value.

    @4 | n=3; s=0; i=2; ^13-17=3             line 4; the expression in columns 13 to 17 has given 3
    s += n%10 * i
    -> =13-21 6                              the one in columns 13 to 21 gives 6 (and uses the other up)
    -> @5 | s=6                              a line is done: where it goes, and what changed

Dynamic granularity is future work of Execution Tuning; ET-CoT / PyTracify (Eguchi and Akiba) expands lines
into expressions in one answer. This is line-1 with steps in between; columns count UTF-8 bytes. Needs a
trace of expression granularity.
"""

from __future__ import annotations

from deskcheck.records import Example, Granularity, Program, Trace
from deskcheck.states.parse import read_state, read_step
from deskcheck.states.steps import example, line_body, state_of, steps
from deskcheck.states.tree import StateTree, Step

LAYOUT = "expression-1"
QUESTIONS_A_LINE = 4
GRANULARITY = Granularity.EXPRESSION


body = line_body
"""The question: one state, and the line that it is at."""


def render(trace: Trace, program: Program) -> list[Example]:
    """Write one example for each expression and line."""
    return [
        example(LAYOUT, program, trace, body(before, program), str(step), number)
        for number, (before, step, _) in enumerate(steps(trace, granularity=GRANULARITY))
    ]


def parse(program: Program, examples: list[Example]) -> list[tuple[StateTree, Step]]:
    """Every state with the step that follows it."""
    return [(read_state(state_of(one.prompt, program, LAYOUT)), read_step(one.target)) for one in examples]


def keeps(trace: Trace) -> list[tuple[StateTree, Step]]:
    """Every true state with the step that follows it."""
    return [(before, step) for before, step, _ in steps(trace, granularity=GRANULARITY)]
