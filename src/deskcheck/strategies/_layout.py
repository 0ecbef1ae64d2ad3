"""Questions in a layout that a model was trained on, or, with `shots`, is shown: what those strategies share.

    opening("direct", task, knobs, max_tokens=256) -> Prompt: head "[direct]" and the code, body "call f(3)"

Without shots the system message is the head and the user message the body, as in training. With shots a chat
model gets the rules of the notation and worked examples first; head and body then stand in one user message.
"""

from __future__ import annotations

import re

from deskcheck.records import Attempt, Completion, Message, Prompt, Task
from deskcheck.representations._outcome import read_outcome
from deskcheck.representations._prompt import call_body, head
from deskcheck.strategies import Ask, Knobs, _shots

_FENCE = re.compile(r"```[a-z]*\n(.*?)\n?```", re.DOTALL)


def question(layout: str, task: Task, body: str, knobs: Knobs, *, max_tokens: int, code: str = "") -> Prompt:
    """The head, which all questions about the program share, and a body; `code` is another head."""
    code = code or head(layout, task.program)
    if not knobs.shots:
        return Prompt([Message("system", code), Message("user", body)], max_tokens=max_tokens)
    messages = [Message("system", _shots.rules(layout)), *_shots.examples(layout, knobs.shots)]
    # Chat models write more than a layout needs, before and after it.
    return Prompt([*messages, Message("user", code + body)], max_tokens=2 * max_tokens)


def opening(layout: str, task: Task, knobs: Knobs, *, max_tokens: int) -> Prompt:
    """The only question of a layout that answers a whole run at once."""
    return question(layout, task, call_body(task.program), knobs, max_tokens=max_tokens)


async def ask_once(prompt: Prompt, ask: Ask) -> Attempt:
    """One question; the lines before the last one are the model's states or steps."""
    completion = await ask(prompt)
    text = plain(completion.text)
    answered = read_outcome(Completion(text, completion.finish_reason, n_tokens_out=completion.n_tokens_out))
    return Attempt(answered, [completion], text.split("\n")[:-1])


def plain(text: str) -> str:
    """A chat model's reply without the fence around it; what a trained model writes stays as it is."""
    found = _FENCE.fullmatch(text.strip())
    return found.group(1) if found else text.strip("\n")
