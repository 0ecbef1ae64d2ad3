"""vanilla: the whole program and the call in one prompt; the model answers at once.

    Task -> one Prompt -> the value between [ANSWER] and [/ANSWER]

Source: the vanilla prompt (VP) of "Large Language Models as Code Executors" (arXiv 2410.06667), whose wording
is not published; the tags are those of CRUXEval (arXiv 2401.03065). No stop string: one would fire inside the
thinking of a reasoning model.
"""

from __future__ import annotations

from deskcheck.grading.answers import extract_answer
from deskcheck.records import Attempt, Message, Prompt, Task
from deskcheck.strategies import Ask

PROMPT = """\
You are given a Python program and a call. Execute the call exactly as Python would and state what it returns.

[PYTHON]
{source}
[/PYTHON]

Call: {call}

Write the returned value as one exact Python literal between [ANSWER] and [/ANSWER], without any explanation.
If the call ends with an exception, write "raises" and the type of the exception instead,
for example [ANSWER]raises KeyError[/ANSWER]."""

# An answer is short; the room is for models that cannot help explaining. `--max-tokens` gives more to a
# reasoning model, whose hidden tokens count.
MAX_TOKENS = 1024

FITS = frozenset({"output"})
TRAINED = False


def opening(task: Task) -> Prompt:
    """The only prompt."""
    text = PROMPT.format(source=task.program.source.rstrip("\n"), call=task.program.call)
    return Prompt([Message("user", text)], max_tokens=MAX_TOKENS)


async def run(task: Task, ask: Ask, *, max_steps: int) -> Attempt:
    """One question; `max_steps` does not apply."""
    completion = await ask(opening(task))
    return Attempt(extract_answer(completion), [completion])
