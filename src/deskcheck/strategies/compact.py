"""compact: the changes of every step in one answer, then the outcome.

    Task -> one Prompt: head "[compact]" and the numbered code, body "call f(3)"
    -> steps, then "<- 7"

Source: NExT (arXiv 2404.14662); the "compact scratchpad" rows of Execution Tuning.
For models trained on this layout (`deskcheck train`), or, with the setting `shots`, for chat models.
"""

from __future__ import annotations

from deskcheck.layouts.compact import LAYOUT
from deskcheck.records import Prompt, Rollout, Task
from deskcheck.strategies import Ask, Settings
from deskcheck.turns import chain, derived

MAX_TOKENS = 1024
FITS = derived.FITS
WHY = derived.WHY
SETTINGS = frozenset({"shots"})
TRAINED = True
ONE_REQUEST = True
WRITES = "changes"


def opening(task: Task, settings: Settings) -> Prompt:
    """Make the only prompt of the rollout."""
    return chain.opening(LAYOUT, task, settings, max_tokens=MAX_TOKENS)


async def run(task: Task, ask: Ask, settings: Settings) -> Rollout:
    """Ask one question; the token budget bounds the answer."""
    read = chain.stepped_states if task.kind in derived.VALUES else chain.changed_states
    return await chain.ask_once(opening(task, settings), ask, task, read)
