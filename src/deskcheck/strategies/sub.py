"""sub: line-1 with the operations of a line written out before its step, innermost first.

    head "[sub]" and the numbered code, body "@4 | a=3; b=9", "s = (a + b) % 10"
    -> "3 + 9 -> 12 | 12 % 10 -> 2 | @5 | s=2" -> ..

Source: Line-1 of Execution Tuning (arXiv 2503.05703) with in-answer sub-steps (ET-CoT, Eguchi and Akiba). The
driver applies the step that ends the answer; the values before it are the model's own and are not corrected.
For models trained on this layout; none is shipped.
"""

from __future__ import annotations

from deskcheck.records import Answer, Attempt, NoAnswer, Prompt, Task
from deskcheck.representations.sub import LAYOUT, body, read_answer
from deskcheck.states.steps import first_state
from deskcheck.states.tree import StateTree
from deskcheck.strategies import Ask, Knobs
from deskcheck.turns import derived
from deskcheck.turns.chain import Chain, after_step, estimated, nothing_to_check
from deskcheck.turns.error_injection import planted_states
from deskcheck.turns.layout import plain, question

MAX_TOKENS = 512
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
    """A reply: the state after its step, or the answer if that ends the run."""
    _, step = read_answer(plain(text))
    return after_step(state, step)


def _question(task: Task, state: StateTree, knobs: Knobs) -> Prompt:
    return question(LAYOUT, task, body(state, task.program), knobs, max_tokens=MAX_TOKENS)
