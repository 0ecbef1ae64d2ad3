"""instruction-1: the dynamic scratchpad over bytecode; from one state with its value stack to the next step.

    head "[instruction-1]", the code, its instructions; body "@4.42 | s=0" -> "@4.44 | ^1=2" -> .. -> "<- 6"

Source: Instruction-1 of Execution Tuning (arXiv 2503.05703). The instructions are those of the running
Python; a model trained on another version does not know them. For models trained on this layout; none is
shipped.
"""

from __future__ import annotations

from deskcheck.languages import listing
from deskcheck.layouts.instruction_1 import LAYOUT, body
from deskcheck.records import Granularity, Program
from deskcheck.states.tree import StateTree
from deskcheck.turns import derived
from deskcheck.turns.chain import Stepwise

# Instructions per line event, rounded up: 28 to a median of 5 line events in CRUXEval's programs.
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
