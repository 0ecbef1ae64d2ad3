"""One question in a layout that a model was trained on, and its answer: what the whole-run strategies share.

opening("direct", task, max_tokens=256) -> Prompt: head "[direct]" and the code, body "call f(3)"
"""

from __future__ import annotations

from deskcheck.records import Attempt, Message, Prompt, Task
from deskcheck.representations._outcome import read_outcome
from deskcheck.representations._prompt import call_body, head
from deskcheck.strategies import Ask


def opening(layout: str, task: Task, *, max_tokens: int) -> Prompt:
    """The head as system message, the call as user message."""
    messages = [Message("system", head(layout, task.program)), Message("user", call_body(task.program))]
    return Prompt(messages, max_tokens=max_tokens)


async def ask_once(prompt: Prompt, ask: Ask) -> Attempt:
    """One question; the lines before the last one are the model's states or steps."""
    completion = await ask(prompt)
    return Attempt(read_outcome(completion), [completion], completion.text.split("\n")[:-1])
