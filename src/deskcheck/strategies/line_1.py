"""line-1: the dynamic scratchpad; one self-contained state in, one step out, again and again.

    head "[line-1]" and the numbered code, body "@4 | n=3; s=0", "s += n" -> "@3 | s=3" -> ... -> "<- 6"

Source: Line-1 of Execution Tuning (arXiv 2503.05703, section 3). The driver carries the state and nothing
else: it applies the step that the model wrote. `chain.py` says what ends the loop. With feed=true every step
starts from the true state before it (`teacher_forcing.py`).
For models trained on this layout (`deskcheck train`), or, with the knob `shots`, for chat models.
"""

from __future__ import annotations

from deskcheck.records import Attempt, Prompt, Task
from deskcheck.representations.line_1 import LAYOUT, body
from deskcheck.states.steps import first_state
from deskcheck.states.tree import StateTree
from deskcheck.strategies import Ask, Knobs
from deskcheck.turns import derived
from deskcheck.turns.chain import Chain, nothing_to_check, stepped
from deskcheck.turns.error_injection import planted_states
from deskcheck.turns.layout import question
from deskcheck.turns.teacher_forcing import fed

MAX_TOKENS = 512
FITS = derived.FITS
WHY = derived.WHY
KNOBS = frozenset({"max_steps", "planted", "shots", "feed", "on_error"})
TRAINED = True
CHAIN = "states"


def opening(task: Task, knobs: Knobs) -> Prompt:
    """The question about the state of the call: the frame of the entry with its arguments."""
    return _question(task, first_state(task.truth), knobs)


async def run(task: Task, ask: Ask, knobs: Knobs) -> Attempt:
    """One question a step."""
    if knobs.feed == "true":
        return await fed(task, ask, knobs, lambda state: _question(task, state, knobs), stepped)
    start = first_state(task.truth)
    chain = Chain(ask, knobs, start, planted_states(task, knobs.planted))
    done = await chain.run(lambda state: _question(task, state, knobs), stepped)
    return derived.from_chain(task, start, done)


def refusal(kind: str, knobs: Knobs) -> str:
    """Why it cannot ask such a task with these knobs; "" where it can."""
    if knobs.feed == "own" or knobs.on_error == "check":
        return nothing_to_check(kind, knobs)
    if knobs.planted != "0":
        return "feed=true starts every step from the true state, so none can be planted"
    return "feed=true asks single steps of the true run" if kind != "output" else ""


def _question(task: Task, state: StateTree, knobs: Knobs) -> Prompt:
    return question(LAYOUT, task, body(state, task.program), knobs, max_tokens=MAX_TOKENS)
