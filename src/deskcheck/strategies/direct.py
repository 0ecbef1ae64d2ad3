"""direct: the outcome in one answer, without any step.

    Task -> one Prompt: head "[direct]" and the numbered code, body "call f(3)"
    -> "<- 7"

Source: the "direct output" rows of Execution Tuning (arXiv 2503.05703).
For models trained on this layout (`deskcheck train`).
"""

from __future__ import annotations

from deskcheck.layouts.direct import LAYOUT
from deskcheck.records import Prompt, Rollout, Task
from deskcheck.strategies import Ask, Settings
from deskcheck.turns import chain

MAX_TOKENS = 256
FITS = frozenset({"output"})
WHY = "its layout writes the outcome and nothing of the run"
SETTINGS: frozenset[str] = frozenset()
TRAINED = True
AT_ONCE = True


def opening(task: Task, settings: Settings) -> Prompt:
    """Make the only prompt of the rollout."""
    return chain.opening(LAYOUT, task, settings, max_tokens=MAX_TOKENS)


async def run(task: Task, ask: Ask, settings: Settings) -> Rollout:
    """Ask one question and read its answer."""
    return await chain.ask_once(opening(task, settings), ask, task)
