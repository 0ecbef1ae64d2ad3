"""instruction-n: instruction-1 with jumps; from a state and a number of instructions to the state after them.

    body "@4.42 | s=0; ^1=0 / skip 4" -> "@4.54 | s=2" -> ... -> "<- 6"

Source: Instruction-n of Execution Tuning (arXiv 2503.05703). `skip=search` and injected states (one per
instruction) need the true state after every instruction, so a program traced by lines is traced again in the
sandbox (`turns/finer.py`). Only skip=1 writes every state, so questions about anything but the end of the run
need skip=1. For models trained on this layout; none is shipped.
"""

from __future__ import annotations

import asyncio

from deskcheck.languages import listing
from deskcheck.layouts.instruction_n import LAYOUT, body
from deskcheck.records import Granularity, Prompt, Rollout, Task
from deskcheck.states.steps import first_state, steps
from deskcheck.states.tree import StateTree
from deskcheck.strategies import Ask, Settings
from deskcheck.turns import derived
from deskcheck.turns.chain import estimated, question
from deskcheck.turns.error_injection import injected_states
from deskcheck.turns.finer import finer
from deskcheck.turns.skips import LENGTHS, jumped, jumps_refusal

EXPERIMENTAL = True
MAX_TOKENS = 1024
INSTRUCTIONS_A_LINE = 6  # as in instruction_1.py
FITS = derived.FITS
PARTS = ("listing",)
WHY = derived.WHY
SETTINGS = frozenset({"max_steps", "inject_states", "skip", "sure", "on_error"})
TRAINED = True
refusal = jumps_refusal


def opening(task: Task, settings: Settings) -> Prompt:
    """Return the first jump from the state of the call."""
    first = int(settings.skip) if settings.skip.isdigit() else LENGTHS[0]
    return _question(task, first_state(task.truth), first, settings)


async def run(task: Task, ask: Ask, settings: Settings) -> Rollout:
    """Ask for the state after each jump of instructions."""
    needed = settings.skip == "search" or settings.inject_states != "0"
    truth = await asyncio.to_thread(finer, task, Granularity.INSTRUCTION) if needed else task.truth
    start = first_state(task.truth)
    done = await jumped(
        ask,
        settings,
        lambda state, skip: _question(task, state, skip, settings),
        start=start,
        injected=injected_states(
            task, settings.inject_states, truth=truth, granularity=Granularity.INSTRUCTION
        ),
        run=lambda: list(steps(truth, granularity=Granularity.INSTRUCTION)),
    )
    return derived.from_chain(task, start, done)


def estimate(task: Task, settings: Settings, first: int) -> list[int]:
    """Estimate the tokens of every request from those of the first jump."""
    jump = int(settings.skip) if settings.skip.isdigit() else LENGTHS[-1]
    return estimated(task, settings, first, per_line=INSTRUCTIONS_A_LINE / jump)


def _question(task: Task, state: StateTree, skip: int, settings: Settings) -> Prompt:
    code = listing(LAYOUT, task.program)
    return question(LAYOUT, task, body(state, skip), settings, max_tokens=MAX_TOKENS, code=code)
