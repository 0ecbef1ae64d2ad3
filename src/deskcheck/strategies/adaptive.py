"""adaptive: the model picks how far each question goes: an expression, a line, or several lines at once.

    body "@4 | s=0; i=2", "s += i + i%10"
    -> "=13-21 4" -> .. "@3 | s=4" -> "skip 3: @4 | s=4; i=3" -> .. -> "<- 6"

The driver applies what was picked; how many lines a skip says it takes is not checked (it has no truth).
Only the end of the run is read off it, since a skip writes no state between. Source: dynamic granularity,
named as future work by Execution Tuning (arXiv 2503.05703). For models trained on this layout (`deskcheck
train --layouts adaptive`); none is shipped.
"""

from __future__ import annotations

from deskcheck.records import Answer, Attempt, NoAnswer, Prompt, Task
from deskcheck.representations.adaptive import LAYOUT, Skip, body, read_answer
from deskcheck.states.outcome import outcome
from deskcheck.states.steps import first_state
from deskcheck.states.tree import StateTree, Step
from deskcheck.strategies import Ask, Knobs
from deskcheck.turns import derived
from deskcheck.turns.chain import Chain, after_step, estimated, nothing_to_check
from deskcheck.turns.layout import plain, question

MAX_TOKENS = 1024
FITS = derived.ENDS
WHY = "a skip writes no state between, so only the end of the run is read off it"
KNOBS = frozenset({"max_steps", "on_error"})
TRAINED = True
refusal = nothing_to_check


def opening(task: Task, knobs: Knobs) -> Prompt:
    """The question about the state of the call: the frame of the entry with its arguments."""
    return _question(task, first_state(task.truth), knobs)


async def run(task: Task, ask: Ask, knobs: Knobs) -> Attempt:
    """One question a pick."""
    start = first_state(task.truth)
    done = await Chain(ask, knobs, start).run(lambda state: _question(task, state, knobs), read)
    return derived.from_chain(task, start, done)


def estimate(task: Task, knobs: Knobs, first: int) -> list[int]:
    """Tokens of every question, about."""
    return estimated(task, knobs, first, per_line=1.0)


def read(state: StateTree, text: str) -> StateTree | Answer | NoAnswer:
    """A reply: the state that it leads to, or the answer if it ends the run."""
    picked = read_answer(plain(text))
    if not isinstance(picked, Skip):
        return after_step(state, picked)
    return outcome(picked.end) if isinstance(picked.end, Step) else picked.end


def _question(task: Task, state: StateTree, knobs: Knobs) -> Prompt:
    return question(LAYOUT, task, body(state, task.program), knobs, max_tokens=MAX_TOKENS)
