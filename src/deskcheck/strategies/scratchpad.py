"""scratchpad: every state in full in one answer, then the outcome.

    Task -> one Prompt: head "[scratchpad]" and the numbered code, body "call f(3)"
    -> states, then "<- 7"

Source: Nye et al. 2021 (arXiv 2112.00114); the "scratchpad" rows of Execution Tuning.
For models trained on this layout (`deskcheck train`), or, with the setting `shots`, for chat models.
"""

from __future__ import annotations

from deskcheck.layouts.scratchpad import LAYOUT
from deskcheck.records import Prompt, Rollout, Task
from deskcheck.strategies import Ask, Settings
from deskcheck.turns import chain, derived

MAX_TOKENS = 2048
FITS = derived.FITS
WHY = derived.WHY
SETTINGS = frozenset({"shots"})
TRAINED = True
ONE_REQUEST = True


def opening(task: Task, settings: Settings) -> Prompt:
    """Make the only prompt of the rollout."""
    return chain.opening(LAYOUT, task, settings, max_tokens=MAX_TOKENS)


async def run(task: Task, ask: Ask, settings: Settings) -> Rollout:
    """Ask one question; the token budget bounds the states that the answer can hold."""
    return await chain.ask_once(opening(task, settings), ask, task, chain.full_states)
