"""The layout `input` of `pretrained.py`, a plug-in of another package: an outcome in, a call with it out.

    [input]
    @1 def f(n):
    @2     return n * 2
    gives <- 8
    -> f(4)

Source: input prediction as in Execution Tuning (arXiv 2503.05703), section 5.
"""

from __future__ import annotations

from deskcheck.records import Answer, Attempt, Example, NoAnswer, Program, Prompt, Task, Trace
from deskcheck.states.steps import example, first_state, head, run_of
from deskcheck.states.tree import StateTree
from deskcheck.strategies import Ask, Settings
from deskcheck.turns.chain import plain, question

LAYOUT = "input"
NOTATION = "[input]: you are given the outcome of a call; write a call that has it."
FITS = frozenset({"input"})
WHY = "its layout asks for a call"
SETTINGS: frozenset[str] = frozenset()
TRAINED = True
AT_ONCE = True


def body(trace: Trace) -> str:
    """The question: how the run ends."""
    return f"gives {run_of(trace)[-1][1]}\n"


def render(trace: Trace, program: Program) -> list[Example]:
    """One example: the outcome, and the call that had it."""
    return [example(LAYOUT, program, trace, body(trace), program.call)]


def parse(program: Program, examples: list[Example]) -> str:
    """Read the call, as source text, from the target of the example."""
    return examples[0].target


def keeps(trace: Trace) -> StateTree:
    """The state of the call; its text names the arguments."""
    return first_state(trace)


def opening(task: Task, settings: Settings) -> Prompt:
    """Make the only prompt of the rollout."""
    code = head(LAYOUT, task.program)
    return question(LAYOUT, task, body(task.truth), settings, max_tokens=128, code=code)


async def run(task: Task, ask: Ask, settings: Settings) -> Attempt:
    """Ask one question; the answer is executed before it is graded."""
    completion = await ask(opening(task, settings))
    text = plain(completion.text)
    if completion.finish_reason == "length":
        return Attempt(NoAnswer("truncated", "the call was cut"), [completion])
    return Attempt(Answer(text) if text else NoAnswer("unparsable", "no call"), [completion])
