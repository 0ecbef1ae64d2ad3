"""instruction-n: instruction-1 with jumps; a state and a number of instructions in, the state after them out.

    body "@4.42 | s=0; ^1=0 / skip 4" -> "@4.54 | s=2" -> ... -> "<- 6"

Source: Instruction-n of Execution Tuning (arXiv 2503.05703). `skip=search` needs the true states
instruction by instruction, so a truth that was traced so; evaluations trace lines, and it is refused there.
For models trained on this layout; none is shipped.
"""

from __future__ import annotations

from deskcheck.errors import UserError
from deskcheck.records import Attempt, Granularity, Prompt, Task
from deskcheck.representations._bytecode import listing
from deskcheck.representations._steps import first_state, steps
from deskcheck.representations._tree import StateTree
from deskcheck.representations.instruction_n import LAYOUT, body
from deskcheck.strategies import Ask, Knobs
from deskcheck.strategies._chain import estimated
from deskcheck.strategies._layout import question
from deskcheck.strategies._skips import LENGTHS, jumped

MAX_TOKENS = 1024
INSTRUCTIONS_A_LINE = 6
FITS = frozenset({"output"})
KNOBS = frozenset({"max_steps", "skip", "sure"})
TRAINED = True


def opening(task: Task, knobs: Knobs) -> Prompt:
    """The first jump from the state of the call."""
    if knobs.skip == "search" and task.truth.granularity is not Granularity.INSTRUCTION:
        raise UserError(
            "instruction-n with skip=search needs a truth of instruction granularity, and this one has "
            "lines; use skip=likely or a number, or line-n"
        )
    first = int(knobs.skip) if knobs.skip.isdigit() else LENGTHS[0]
    return _question(task, first_state(task.truth), first, knobs)


async def run(task: Task, ask: Ask, knobs: Knobs) -> Attempt:
    """One question a jump."""
    return await jumped(
        ask,
        knobs,
        lambda state, skip: _question(task, state, skip, knobs),
        start=first_state(task.truth),
        run=lambda: list(steps(task.truth, granularity=Granularity.INSTRUCTION)),
    )


def estimate(task: Task, knobs: Knobs, first: int) -> list[int]:
    """Tokens of every question, about."""
    jump = int(knobs.skip) if knobs.skip.isdigit() else LENGTHS[-1]
    return estimated(task, knobs, first, per_line=INSTRUCTIONS_A_LINE / jump)


def _question(task: Task, state: StateTree, skip: int, knobs: Knobs) -> Prompt:
    code = listing(LAYOUT, task.program)
    return question(LAYOUT, task, body(state, skip), knobs, max_tokens=MAX_TOKENS, code=code)
