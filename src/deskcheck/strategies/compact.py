"""compact: every step's changes, one answer, then the outcome.

    Task -> one Prompt: head "[compact]" and the numbered code, body "call f(3)"
    -> steps, then "<- 7"

Source: NExT (arXiv 2404.14662); the "compact scratchpad" rows of Execution Tuning.
For models trained on this layout (`deskcheck train`).
"""

from __future__ import annotations

from deskcheck.records import Attempt, Prompt, Task
from deskcheck.representations.compact import LAYOUT
from deskcheck.strategies import Ask, _layout

MAX_TOKENS = 1024
FITS = frozenset({"output"})
TRAINED = True


def opening(task: Task) -> Prompt:
    """The only prompt."""
    return _layout.opening(LAYOUT, task, max_tokens=MAX_TOKENS)


async def run(task: Task, ask: Ask, *, max_steps: int) -> Attempt:
    """One question; `max_steps` does not apply: the answer is cut by tokens."""
    return await _layout.ask_once(opening(task), ask)
