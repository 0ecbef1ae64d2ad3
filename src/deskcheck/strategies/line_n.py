"""line-n: line-1 with jumps; from a state and a number of lines to the state after them.

    head "[line-n]" and the numbered code, body "@4 | n=3; s=0 / skip 4" -> "@4 | n=3; s=7" -> ... -> "<- 6"

Source: Line-n of Execution Tuning (arXiv 2503.05703), with its three ways to choose n (`turns/skips.py`).
Only skip=1 writes every state, so questions about anything but the end of the run need skip=1.
For models trained on this layout (`deskcheck train`), or, with the setting `shots`, for chat models.
"""

from __future__ import annotations

from deskcheck.layouts.line_n import LAYOUT, body
from deskcheck.records import Prompt, Rollout, Task
from deskcheck.states.steps import first_state, steps
from deskcheck.states.tree import StateTree
from deskcheck.strategies import Ask, Settings
from deskcheck.turns import derived
from deskcheck.turns.chain import question
from deskcheck.turns.error_injection import injected_states
from deskcheck.turns.skips import LENGTHS, jumped, jumps_refusal

MAX_TOKENS = 1024
FITS = derived.FITS
WHY = derived.WHY
SETTINGS = frozenset({"max_steps", "inject_states", "shots", "skip", "sure", "on_error"})
TRAINED = True
CHAIN = "jumps"
refusal = jumps_refusal


def opening(task: Task, settings: Settings) -> Prompt:
    """Return the first jump, from the state of the call."""
    first = int(settings.skip) if settings.skip.isdigit() else LENGTHS[0]
    return _question(task, first_state(task.truth), first, settings)


async def run(task: Task, ask: Ask, settings: Settings) -> Rollout:
    """Ask for the state after each jump of lines."""
    start = first_state(task.truth)
    done = await jumped(
        ask,
        settings,
        lambda state, skip: _question(task, state, skip, settings),
        start=start,
        injected=injected_states(task, settings.inject_states),
        run=lambda: list(steps(task.truth)),
    )
    return derived.from_chain(task, start, done)


def _question(task: Task, state: StateTree, skip: int, settings: Settings) -> Prompt:
    return question(LAYOUT, task, body(state, skip), settings, max_tokens=MAX_TOKENS)
