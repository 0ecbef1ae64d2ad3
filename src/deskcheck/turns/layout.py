"""Questions in a layout that a model was trained on, or, with `shots`, is shown: what those strategies share.

    opening("direct", task, settings, max_tokens=256) -> Prompt: head "[direct]" and the code, body
        "call f(3)"

Without shots the system message is the head and the user message the body, as in training. With shots a chat
model gets the rules of the notation and worked examples first; head and body then stand in one user message.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator

from msgspec.structs import replace

from deskcheck.records import Answer, Attempt, Completion, Message, NoAnswer, Prompt, Task
from deskcheck.states.outcome import read_outcome
from deskcheck.states.parse import read_state, read_step
from deskcheck.states.prompt import call_body, head
from deskcheck.states.tree import StateTree, apply_step
from deskcheck.turns import worked_examples
from deskcheck.turns.derived import derived
from deskcheck.turns.settings import Ask, Settings

Read = Callable[[list[str]], Iterator[StateTree]]
_FENCE = re.compile(r"```[a-z]*\n(.*?)\n?```", re.DOTALL)


def question(
    layout: str, task: Task, body: str, settings: Settings, *, max_tokens: int, code: str = ""
) -> Prompt:
    """The head, which all questions about the program share, and a body; `code` is another head."""
    code = code or head(layout, task.program)
    if not settings.shots:
        return Prompt([Message("system", code), Message("user", body)], max_tokens=max_tokens)
    messages = [
        Message("system", worked_examples.rules(layout)),
        *worked_examples.examples(layout, settings.shots),
    ]
    # Chat models write more than a layout needs, before and after it.
    return Prompt([*messages, Message("user", code + body)], max_tokens=2 * max_tokens)


def opening(layout: str, task: Task, settings: Settings, *, max_tokens: int) -> Prompt:
    """The only question of a layout that answers a whole run at once."""
    return question(layout, task, call_body(task.program), settings, max_tokens=max_tokens)


async def ask_once(prompt: Prompt, ask: Ask, task: Task, read: Read | None = None) -> Attempt:
    """One question; the lines before the last one are the model's states or steps, as `read` reads them."""
    completion = await ask(prompt)
    text = plain(completion.text)
    lines = text.split("\n")[:-1]
    ended = read_outcome(Completion(text, completion.finish_reason, n_tokens_out=completion.n_tokens_out))
    answered = ended
    if read is not None and task.kind != "output":
        try:
            answered = derived(task, read(lines), ended)
        except ValueError as error:
            answered = NoAnswer("unparsable", str(error)) if isinstance(ended, Answer) else ended
    return Attempt(answered, [completion], lines)


def full_states(lines: list[str]) -> Iterator[StateTree]:
    """One state a line. ValueError for a line that is none."""
    return map(read_state, lines)


def changed_states(lines: list[str]) -> Iterator[StateTree]:
    """The first line is a state, every other one a step, of which only where it goes is followed.

    ValueError for a line that is none, and for a step from where nothing can go on.
    """
    steps = (replace(read_step(line), changes=()) for line in lines[1:])
    return itertools.accumulate(steps, apply_step, initial=read_state(lines[0] if lines else ""))


def stepped_states(lines: list[str]) -> Iterator[StateTree]:
    """The same with what each step changes. ValueError also for a change that cannot be made."""
    start = read_state(lines[0] if lines else "")
    return itertools.accumulate(map(read_step, lines[1:]), apply_step, initial=start)


def plain(text: str) -> str:
    """A chat model's reply without the fence around it; what a trained model writes stays as it is."""
    found = _FENCE.fullmatch(text.strip())
    return found.group(1) if found else text.strip("\n")
