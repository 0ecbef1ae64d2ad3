"""line-n: the dynamic scratchpad with jumps; a state and a number of steps in, the state after them out.

    head "[line-n]" and the numbered code, body "@4 | n=3; s=0 / skip 4" -> "@4 | n=3; s=7" -> ... -> "<- 6"

Source: Line-n of Execution Tuning (arXiv 2503.05703), with its three ways to choose n (`skips.py`).
Only skip=1 writes every state down; other questions than for the end are read off them.
For models trained on this layout (`deskcheck train`), or, with the knob `shots`, for chat models.
"""

from __future__ import annotations

from deskcheck.records import Attempt, Prompt, Task
from deskcheck.representations.line_n import LAYOUT, body
from deskcheck.states.steps import first_state, steps
from deskcheck.states.tree import StateTree
from deskcheck.strategies import Ask, Knobs
from deskcheck.turns import derived
from deskcheck.turns.error_injection import planted_states
from deskcheck.turns.layout import question
from deskcheck.turns.skips import LENGTHS, jumped, jumps_refusal

MAX_TOKENS = 1024
FITS = derived.FITS
WHY = derived.WHY
KNOBS = frozenset({"max_steps", "planted", "shots", "skip", "sure", "on_error"})
TRAINED = True
CHAIN = "jumps"
refusal = jumps_refusal


def opening(task: Task, knobs: Knobs) -> Prompt:
    """The first jump from the state of the call."""
    first = int(knobs.skip) if knobs.skip.isdigit() else LENGTHS[0]
    return _question(task, first_state(task.truth), first, knobs)


async def run(task: Task, ask: Ask, knobs: Knobs) -> Attempt:
    """Ask one question for each jump."""
    start = first_state(task.truth)
    done = await jumped(
        ask,
        knobs,
        lambda state, skip: _question(task, state, skip, knobs),
        start=start,
        planted=planted_states(task, knobs.planted),
        run=lambda: list(steps(task.truth)),
    )
    return derived.from_chain(task, start, done)


def _question(task: Task, state: StateTree, skip: int, knobs: Knobs) -> Prompt:
    return question(LAYOUT, task, body(state, skip), knobs, max_tokens=MAX_TOKENS)
