"""line-1-full: the dynamic scratchpad as published; one self-contained state in, the next state in full out.

    head "[line-1-full]" and the numbered code, body "@4 | n=3; s=0", "s += n"
    -> "@3 | n=3; s=3" -> ... -> "<- 6"

Source: Line-1 of Execution Tuning (arXiv 2503.05703, section 3). `line-1` answers with what changed.
For models trained on this layout; none is shipped.
"""

from __future__ import annotations

from deskcheck.records import Answer, Attempt, NoAnswer, Prompt, Task
from deskcheck.representations.line_1_full import LAYOUT, body
from deskcheck.states.steps import first_state
from deskcheck.states.tree import StateTree
from deskcheck.strategies import Ask, Knobs
from deskcheck.turns import derived
from deskcheck.turns.chain import Chain, estimated, landed, nothing_to_check
from deskcheck.turns.error_injection import planted_states
from deskcheck.turns.layout import plain, question

MAX_TOKENS = 1024
FITS = derived.FITS
WHY = derived.WHY
KNOBS = frozenset({"max_steps", "planted", "on_error"})
TRAINED = True
CHAIN = "states"
refusal = nothing_to_check


def opening(task: Task, knobs: Knobs) -> Prompt:
    """The question about the state of the call: the frame of the entry with its arguments."""
    return _question(task, first_state(task.truth), knobs)


async def run(task: Task, ask: Ask, knobs: Knobs) -> Attempt:
    """One question a step."""
    start = first_state(task.truth)
    chain = Chain(ask, knobs, start, planted_states(task, knobs.planted))
    done = await chain.run(lambda state: _question(task, state, knobs), read)
    return derived.from_chain(task, start, done)


def estimate(task: Task, knobs: Knobs, first: int) -> list[int]:
    """Tokens of every question, about."""
    return estimated(task, knobs, first, per_line=1.0)


def read(state: StateTree, text: str) -> StateTree | Answer | NoAnswer:
    """A reply: the next state, or the answer if it ends the run."""
    return landed(plain(text))


def _question(task: Task, state: StateTree, knobs: Knobs) -> Prompt:
    return question(LAYOUT, task, body(state, task.program), knobs, max_tokens=MAX_TOKENS)
