"""expression-1: the dynamic scratchpad over expressions; one state in, the next expression or line out.

    head "[expression-1]" and the code, body "@4 | s=0; i=2", "s += i + i%10"
    -> "=13-21 4" -> .. -> "@5 | s=4" -> "<- 4"

Source: line-1 of Execution Tuning (arXiv 2503.05703) with the steps between lines that it names as future
work. For models trained on this layout; none is shipped.
"""

from __future__ import annotations

import asyncio

from deskcheck.records import Attempt, Granularity, Prompt, Task
from deskcheck.representations.expression_1 import LAYOUT, body
from deskcheck.states.steps import first_state
from deskcheck.states.tree import StateTree
from deskcheck.strategies import Ask, Knobs
from deskcheck.turns import derived
from deskcheck.turns.chain import Chain, estimated, nothing_to_check, stepped
from deskcheck.turns.error_injection import planted_states
from deskcheck.turns.finer import finer
from deskcheck.turns.layout import question

MAX_TOKENS = 512
EXPRESSIONS_A_LINE = 3
FITS = derived.FITS
WHY = derived.WHY
KNOBS = frozenset({"max_steps", "planted", "on_error"})
TRAINED = True
refusal = nothing_to_check


def opening(task: Task, knobs: Knobs) -> Prompt:
    """The question about the state of the call."""
    return _question(task, first_state(task.truth), knobs)


async def run(task: Task, ask: Ask, knobs: Knobs) -> Attempt:
    """One question a step."""
    start = first_state(task.truth)
    planted = await asyncio.to_thread(_planted, task, knobs) if knobs.planted != "0" else []
    done = await Chain(ask, knobs, start, planted).run(lambda state: _question(task, state, knobs), stepped)
    return derived.from_chain(task, start, done)


def estimate(task: Task, knobs: Knobs, first: int) -> list[int]:
    """Tokens of every question, about."""
    return estimated(task, knobs, first, per_line=EXPRESSIONS_A_LINE)


def _planted(task: Task, knobs: Knobs) -> list[StateTree]:
    """States after the first steps of the true run, which is traced anew for them."""
    truth = finer(task, Granularity.EXPRESSION)
    return planted_states(task, knobs.planted, truth=truth, granularity=Granularity.EXPRESSION)


def _question(task: Task, state: StateTree, knobs: Knobs) -> Prompt:
    return question(LAYOUT, task, body(state, task.program), knobs, max_tokens=MAX_TOKENS)
