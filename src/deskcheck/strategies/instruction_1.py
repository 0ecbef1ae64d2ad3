"""instruction-1: the dynamic scratchpad over bytecode; one state with its value stack in, one step out.

    head "[instruction-1]", the code, its instructions; body "@4.42 | s=0" -> "@4.44 | ^1=2" -> .. -> "<- 6"

Source: Instruction-1 of Execution Tuning (arXiv 2503.05703). The instructions are those of the Python that
runs this; a model trained on another version's does not know them. For models trained on this layout; none
is shipped.
"""

from __future__ import annotations

import asyncio

from deskcheck.records import Attempt, Granularity, Prompt, Task
from deskcheck.representations.instruction_1 import LAYOUT, body
from deskcheck.states.bytecode import listing
from deskcheck.states.steps import first_state
from deskcheck.states.tree import StateTree
from deskcheck.strategies import Ask, Knobs
from deskcheck.turns import derived
from deskcheck.turns.chain import Chain, estimated, nothing_to_check, stepped
from deskcheck.turns.error_injection import planted_states
from deskcheck.turns.finer import finer
from deskcheck.turns.layout import question

MAX_TOKENS = 512
# Line events of CRUXEval's programs have about five instructions each (research: 28 to a median of 5).
INSTRUCTIONS_A_LINE = 6
FITS = derived.FITS
WHY = derived.WHY
KNOBS = frozenset({"max_steps", "planted", "on_error"})
TRAINED = True
refusal = nothing_to_check


def opening(task: Task, knobs: Knobs) -> Prompt:
    """The question about the state of the call."""
    return _question(task, first_state(task.truth), knobs)


async def run(task: Task, ask: Ask, knobs: Knobs) -> Attempt:
    """One question an instruction."""
    start = first_state(task.truth)
    planted = await asyncio.to_thread(_planted, task, knobs) if knobs.planted != "0" else []
    done = await Chain(ask, knobs, start, planted).run(lambda state: _question(task, state, knobs), stepped)
    return derived.from_chain(task, start, done)


def estimate(task: Task, knobs: Knobs, first: int) -> list[int]:
    """Tokens of every question, about."""
    return estimated(task, knobs, first, per_line=INSTRUCTIONS_A_LINE)


def _planted(task: Task, knobs: Knobs) -> list[StateTree]:
    """States after the first steps of the true run, which is traced anew for them."""
    truth = finer(task, Granularity.INSTRUCTION)
    return planted_states(task, knobs.planted, truth=truth, granularity=Granularity.INSTRUCTION)


def _question(task: Task, state: StateTree, knobs: Knobs) -> Prompt:
    code = listing(LAYOUT, task.program)
    return question(LAYOUT, task, body(state), knobs, max_tokens=MAX_TOKENS, code=code)
