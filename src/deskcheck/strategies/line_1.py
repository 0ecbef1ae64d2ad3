"""line-1: the dynamic scratchpad; one self-contained state in, one step out, again and again.

    head "[line-1]" and the numbered code, body "@4 | n=3; s=0" -> "@3 | s=3" -> body ... -> "<- 6"

Source: Line-1 of Execution Tuning (arXiv 2503.05703, section 3). The driver carries the state and
nothing else: it applies the step that the model wrote. It stops on the step that leaves the first frame,
after `max_steps` (fixed, never derived from the truth), on a step that does not parse or does not fit the
state, and when the belief goes round in a circle (`MAX_VISITS`).
For models trained on this layout (`deskcheck train`), or, with the knob `shots`, for chat models.
"""

from __future__ import annotations

from collections import Counter

from deskcheck.records import Answer, Attempt, Completion, NoAnswer, Prompt, Task
from deskcheck.representations._outcome import outcome
from deskcheck.representations._reader import read_step
from deskcheck.representations._steps import first_state
from deskcheck.representations._tree import StateTree, apply_step
from deskcheck.representations.line_1 import LAYOUT, body
from deskcheck.strategies import Ask, Knobs
from deskcheck.strategies._layout import plain, question

MAX_TOKENS = 512
# Only while C code calls back (a sort key) can a right run show one state more than once; a belief that
# goes round in a circle would otherwise burn the whole budget.
MAX_VISITS = 50
FITS = frozenset({"output"})
KNOBS = frozenset({"max_steps", "shots"})
TRAINED = True


def opening(task: Task, knobs: Knobs) -> Prompt:
    """The question about the state of the call: the frame of the entry with its arguments."""
    return _question(task, first_state(task.truth), knobs)


async def run(task: Task, ask: Ask, knobs: Knobs) -> Attempt:
    """One question a step, until the run is over in the model's belief."""
    state = first_state(task.truth)
    completions: list[Completion] = []
    chain: list[str] = []
    seen = Counter([str(state)])
    answer: Answer | NoAnswer | None = None
    while answer is None:
        if len(chain) >= knobs.max_steps:
            answer = NoAnswer("budget", f"not over after {knobs.max_steps} steps")
            break
        completion = await ask(_question(task, state, knobs))
        completions.append(completion)
        state, answer = advance(state, completion, len(chain))
        if answer is None:
            text = str(state)
            chain.append(text)
            seen[text] += 1
            if seen[text] > MAX_VISITS:
                detail = f"step {len(chain)} is in one state for the {seen[text]}th time: {text[:80]}"
                answer = NoAnswer("budget", detail)
    return Attempt(answer, completions, chain)


def advance(
    state: StateTree, completion: Completion, number: int
) -> tuple[StateTree, Answer | NoAnswer | None]:
    """The state after the step that a completion holds, and the answer if that ends the run."""
    if completion.finish_reason == "length":
        return state, NoAnswer(
            "truncated", f"step {number + 1} was cut after {completion.n_tokens_out} tokens"
        )
    try:
        step = read_step(plain(completion.text))
        after = apply_step(state, step)
    except ValueError as error:
        return state, NoAnswer("unparsable", f"step {number + 1}: {error}")
    if after.frames:
        return after, None
    return after, outcome(step)


def _question(task: Task, state: StateTree, knobs: Knobs) -> Prompt:
    return question(LAYOUT, task, body(state), knobs, max_tokens=MAX_TOKENS)
