"""instruction-1: one bytecode instruction for each request, from a state with its stack to the next step.

    head "[instruction-1]", the code, its instructions
    body "@4.42 | n=3; s=0; i=2; ^1=0" -> "@4.44 | ^2=2" -> .. -> "<- 6"

Source: Instruction-1 of Execution Tuning (arXiv 2503.05703). "@4.42" is line 4 at instruction 42, "^1" the
lowest value of the stack. The instructions are those of the running Python; a model trained on another
version does not know them. A line takes about six requests, so `max_steps` ends runs of some 170 lines by
default. For models trained on this layout (`deskcheck train --layouts instruction-1`); none is shipped.
"""

from __future__ import annotations

from deskcheck.languages import listing
from deskcheck.layouts.instruction_1 import LAYOUT, body
from deskcheck.records import Granularity, Program
from deskcheck.states.tree import StateTree
from deskcheck.turns import derived
from deskcheck.turns.chain import Stepwise

# Instructions per line event, rounded up: in CRUXEval's programs, 28 to a median of 5 line events.
INSTRUCTIONS_A_LINE = 6
FITS = derived.FITS
PARTS = ("listing",)
WHY = derived.WHY
SETTINGS = frozenset({"max_steps", "inject_states", "teacher_forcing", "on_error"})
TRAINED = True
FORCED = Granularity.INSTRUCTION


def about(state: StateTree, program: Program) -> str:
    """Return the body of the prompt about a state: its position and its value stack."""
    return body(state)


LOOP = Stepwise(
    LAYOUT, about, per_line=INSTRUCTIONS_A_LINE, granularity=Granularity.INSTRUCTION, head=listing
)
opening, run, refusal = LOOP.opening, LOOP.run, LOOP.refusal
estimate = LOOP.estimate
