"""instruction-n: one state with the value stack and a number of instructions in; the state after them out.

    @4.42 | n=3; s=0; i=2; ^1=0
    skip 2
    -> @4.48 | n=3; s=0; i=2; ^1=2          or, where the run ends before: <- 8

Source: "Instruction-n" of Execution Tuning (arXiv 2503.05703); line-n one level down, with the head of
instruction-1.
"""

from __future__ import annotations

from deskcheck.records import Example, Granularity, Program, Trace
from deskcheck.states.bytecode import listing
from deskcheck.states.jumps import read_jump, true_jumps
from deskcheck.states.steps import steps
from deskcheck.states.tree import StateTree, Step

LAYOUT = "instruction-n"
SKIP = "16"  # instructions of one jump in a chain: about those of two lines
QUESTIONS_A_LINE = 8
GRANULARITY = Granularity.INSTRUCTION
LENGTHS = (1, 4, 16, 64)


def body(state: StateTree, skip: int) -> str:
    """Question about a state, with a number of instructions."""
    return f"{state}\nskip {skip}\n"


def render(trace: Trace, program: Program) -> list[Example]:
    """One example an instruction, each for one length."""
    head = listing(LAYOUT, program)
    return [
        Example(program.id, LAYOUT, head + body(state, skip), str(end), number, trace.n_steps)
        for number, (state, skip, end) in enumerate(keeps(trace))
    ]


def parse(program: Program, examples: list[Example]) -> list[tuple[StateTree, int, StateTree | Step]]:
    """Every state with a length and what comes that many instructions later."""
    head = listing(LAYOUT, program)
    return [read_jump(one.prompt.removeprefix(head), one.target) for one in examples]


def keeps(trace: Trace) -> list[tuple[StateTree, int, StateTree | Step]]:
    """Every state with its length and what comes that many instructions later."""
    run = list(steps(trace, granularity=GRANULARITY))
    return [(state, skip, end) for _, state, skip, end in true_jumps(run, lengths=LENGTHS)]
