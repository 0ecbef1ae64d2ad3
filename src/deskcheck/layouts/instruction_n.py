"""instruction-n: from a state with its value stack, predict the state a number of instructions later.

    @4.42 | n=3; s=0; i=2; ^1=0
    skip 2
    -> @4.48 | n=3; s=0; i=2; ^1=2          or, if the run returns sooner: <- 8

Source: "Instruction-n" of Execution Tuning (arXiv 2503.05703). It is line-n for bytecode instructions,
with the head of instruction-1.
"""

from __future__ import annotations

from deskcheck.languages import listing
from deskcheck.records import Example, Granularity, Program, Trace
from deskcheck.states.jumps import read_jump, true_jumps
from deskcheck.states.steps import steps
from deskcheck.states.tree import StateTree, Step

EXPERIMENTAL = True
LAYOUT = "instruction-n"
SKIP = "16"  # instructions in each jump of a chain, about two lines' worth
QUESTIONS_A_LINE = 8
GRANULARITY = Granularity.INSTRUCTION
LENGTHS = (1, 4, 16, 64)
"""Numbers of instructions in the jumps of the training text, in turn."""


def body(state: StateTree, skip: int) -> str:
    """Write the prompt after the listing: a state and the number of instructions to skip."""
    return f"{state}\nskip {skip}\n"


def render(trace: Trace, program: Program) -> list[Example]:
    """Write one example for each executed instruction; LENGTHS take turns."""
    head = listing(LAYOUT, program)
    return [
        Example(program.id, LAYOUT, head + body(state, skip), str(end), number, trace.n_steps)
        for number, (state, skip, end) in enumerate(keeps(trace))
    ]


def parse(program: Program, examples: list[Example]) -> list[tuple[StateTree, int, StateTree | Step]]:
    """Read each example back: its state, its jump, and the state or end after the jump."""
    head = listing(LAYOUT, program)
    return [read_jump(one.prompt.removeprefix(head), one.target) for one in examples]


def keeps(trace: Trace) -> list[tuple[StateTree, int, StateTree | Step]]:
    """List each state of the trace, its jump, and the state or end after the jump."""
    run = list(steps(trace, granularity=GRANULARITY))
    return [(state, skip, end) for _, state, skip, end in true_jumps(run, lengths=LENGTHS)]
