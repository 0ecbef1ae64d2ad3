"""instruction-1: one state with the value stack in, the step to the next instruction out.

    @4         s += i                        the head: every line with its instructions
    .40 LOAD_FAST s
    .42 LOAD_FAST i
    @4.42 | n=3; s=0; i=2; ^1=0              a state: about to run the instruction at 42, the stack holds 0
    -> @4.44 | ^2=2                          a step: the next instruction, and the changed entries

Source: the dynamic scratchpad "Instruction-1" of Execution Tuning (arXiv 2503.05703). The paper does not
publish its text; here states and steps are written as in line-1. The trace must have instruction granularity
and come from the Python version that renders it.
"""

from __future__ import annotations

from deskcheck.languages import listing
from deskcheck.records import Example, Granularity, Program, Trace
from deskcheck.states.parse import read_state, read_step
from deskcheck.states.steps import steps
from deskcheck.states.tree import StateTree, Step

LAYOUT = "instruction-1"
QUESTIONS_A_LINE = 8
GRANULARITY = Granularity.INSTRUCTION


def body(state: StateTree) -> str:
    """Write the prompt after the listing: one state at an instruction."""
    return f"{state}\n"


def render(trace: Trace, program: Program) -> list[Example]:
    """Write one example for each instruction."""
    head = listing(LAYOUT, program)
    return [
        Example(program.id, LAYOUT, head + body(before), str(step), number, trace.n_steps)
        for number, (before, step, _) in enumerate(steps(trace, granularity=GRANULARITY))
    ]


def parse(program: Program, examples: list[Example]) -> list[tuple[StateTree, Step]]:
    """Read each example back: its state, and the next step."""
    head = listing(LAYOUT, program)
    return [
        (read_state(one.prompt.removeprefix(head).rstrip("\n")), read_step(one.target)) for one in examples
    ]


def keeps(trace: Trace) -> list[tuple[StateTree, Step]]:
    """List each state of the trace with the next step."""
    return [(before, step) for before, step, _ in steps(trace, granularity=GRANULARITY)]
