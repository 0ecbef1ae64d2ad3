"""cot: chain of thought; the model first works through the execution in its own words, then answers.

    Task -> one Prompt -> reasoning, then the value between the last [ANSWER] and [/ANSWER]

Source: the CoT prompt of "Large Language Models as Code Executors" (arXiv 2410.06667), whose wording is not
published; the tags are those of CRUXEval (arXiv 2401.03065). No stop string: one would fire inside the
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

Work through the execution step by step: for each line that runs, say which it is and how variables change.
Then write the returned value as one exact Python literal between [ANSWER] and [/ANSWER].
If the call ends with an exception, write "raises" and the type of the exception instead,
for example [ANSWER]raises KeyError[/ANSWER]."""

# CRUXEval gives its chains 1,000 tokens, and long executions are cut there; a cut answer counts as truncated.
MAX_TOKENS = 4096

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
