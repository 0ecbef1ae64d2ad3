"""few-shot: vanilla after a few worked examples, which show the form of an answer rather than its content.

    Task -> user and assistant turns of the examples, then the question -> the value between the tags

Source: the two-shot direct prompt of CRUXEval (arXiv 2401.03065); the examples are this project's own, and of
the kind that is asked: their questions and answers come from the runs of three small programs.
"""

from __future__ import annotations

from deskcheck.grading.verdict import answer_of
from deskcheck.records import Attempt, Message, Prompt, Task
from deskcheck.strategies import ANY, Ask, Settings
from deskcheck.turns import worked_examples
from deskcheck.turns.question import text_of

HOW = {"en": "Write {form} between [ANSWER] and [/ANSWER], without any explanation."}
MAX_TOKENS = 1024
SHOTS = 2
"""Where the setting says nothing."""

FITS = ANY
PYTHON = True
"""Its examples are in Python, so the program asked about must be."""
SETTINGS = frozenset({"shots"})
TRAINED = False
AT_ONCE = True


def opening(task: Task, settings: Settings) -> Prompt:
    """Make the only prompt of the rollout."""
    turns: list[Message] = []
    for example in worked_examples.tasks(task.kind)[: settings.shots or SHOTS]:
        right = example.program.call if example.grading == "executed" else example.expected
        turns.append(Message("user", text_of(example, HOW, settings)))
        turns.append(Message("assistant", f"[ANSWER]{right}[/ANSWER]"))
    return Prompt([*turns, Message("user", text_of(task, HOW, settings))], max_tokens=MAX_TOKENS)


async def run(task: Task, ask: Ask, settings: Settings) -> Attempt:
    """Ask one question and read its answer."""
    completion = await ask(opening(task, settings))
    return Attempt(answer_of(task, completion), [completion])
