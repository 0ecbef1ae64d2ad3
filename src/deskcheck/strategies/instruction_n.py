"""instruction-n: instruction-1 with jumps; a state and a number of instructions in, the state after them out.

    body "@4.42 | s=0; ^1=0 / skip 4" -> "@4.54 | s=2" -> ... -> "<- 6"

Source: Instruction-n of Execution Tuning (arXiv 2503.05703). `skip=search` needs the true states instruction
by instruction: a truth of lines is traced anew, in the sandbox. Only skip=1 writes every state down; other
questions than for the end are read off them. For models trained on this layout; none is
shipped.
"""

from __future__ import annotations

import asyncio

import msgspec

from deskcheck.errors import UserError
from deskcheck.records import Attempt, Granularity, Prompt, Task, Trace
from deskcheck.representations._bytecode import listing
from deskcheck.representations._steps import first_state, steps
from deskcheck.representations._tree import StateTree
from deskcheck.representations.instruction_n import LAYOUT, body
from deskcheck.strategies import Ask, Knobs, _derived
from deskcheck.strategies._chain import estimated
from deskcheck.strategies._layout import question
from deskcheck.strategies._skips import LENGTHS, jumped
from deskcheck.tracing.collect import trace_programs

MAX_TOKENS = 1024
INSTRUCTIONS_A_LINE = 6
MOST_BYTES = 1 << 28
"""Of a trace of instructions."""
FITS = _derived.FITS
KNOBS = frozenset({"max_steps", "skip", "sure"})
TRAINED = True


def opening(task: Task, knobs: Knobs) -> Prompt:
    """The first jump from the state of the call."""
    first = int(knobs.skip) if knobs.skip.isdigit() else LENGTHS[0]
    return _question(task, first_state(task.truth), first, knobs)


async def run(task: Task, ask: Ask, knobs: Knobs) -> Attempt:
    """One question a jump."""
    truth = await asyncio.to_thread(finer, task) if knobs.skip == "search" else task.truth
    start = first_state(task.truth)
    done = await jumped(
        ask,
        knobs,
        lambda state, skip: _question(task, state, skip, knobs),
        start=start,
        run=lambda: list(steps(truth, granularity=Granularity.INSTRUCTION)),
    )
    return _derived.from_chain(task, start, done)


def refusal(kind: str, knobs: Knobs) -> str:
    """Why it cannot ask such a task with these knobs; "" where it can."""
    return _derived.jumps_refusal(kind, knobs.skip)


def finer(task: Task) -> Trace:
    """The true run instruction by instruction. UserError where it cannot be had, or is another run."""
    if task.truth.granularity is Granularity.INSTRUCTION:
        return task.truth
    limits = msgspec.structs.replace(task.truth.limits, trace_bytes=MOST_BYTES)
    ((_, found),) = trace_programs([task.program], limits, workers=1, granularity=Granularity.INSTRUCTION)
    if type(found.outcome) is not type(task.truth.outcome) or found.n_steps != task.truth.n_steps:
        raise UserError(
            f"task {task.id}: its true run cannot be had instruction by instruction ({found.outcome}); "
            "use skip=likely or a number, or line-n"
        )
    return found


def estimate(task: Task, knobs: Knobs, first: int) -> list[int]:
    """Tokens of every question, about."""
    jump = int(knobs.skip) if knobs.skip.isdigit() else LENGTHS[-1]
    return estimated(task, knobs, first, per_line=INSTRUCTIONS_A_LINE / jump)


def _question(task: Task, state: StateTree, skip: int, knobs: Knobs) -> Prompt:
    code = listing(LAYOUT, task.program)
    return question(LAYOUT, task, body(state, skip), knobs, max_tokens=MAX_TOKENS, code=code)
