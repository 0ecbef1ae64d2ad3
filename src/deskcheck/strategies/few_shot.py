"""few-shot: vanilla after a few worked examples, which show the form of an answer rather than its content.

    Task -> user and assistant turns of the examples, then the question -> the value between the tags

Source: the two-shot direct prompt of CRUXEval (arXiv 2401.03065). The examples are this project's own and of
the same kind of question as the task. Their answers come from runs of three small programs.
"""

from __future__ import annotations

from deskcheck.grading.verdict import answer_of
from deskcheck.records import Message, Prompt, Rollout, Task
from deskcheck.strategies import ANY, Ask, Settings
from deskcheck.turns import worked_examples
from deskcheck.turns.question import text_of

EXPERIMENTAL = True
HOW = {"en": "Write {form} between [ANSWER] and [/ANSWER], without any explanation."}
MAX_TOKENS = 1024
SHOTS = 2
"""Number of worked examples without the setting `shots`."""

FITS = ANY
PYTHON = "its worked examples are in Python"
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


async def run(task: Task, ask: Ask, settings: Settings) -> Rollout:
    """Ask one question and read its answer."""
    completion = await ask(opening(task, settings))
    return Rollout(answer_of(task, completion), [completion])
