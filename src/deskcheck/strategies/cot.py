"""cot: chain of thought; the model first works through the execution in its own words, then answers.

    Task -> one Prompt -> reasoning, then the value between the last [ANSWER] and [/ANSWER]

Source: the CoT prompt of "Large Language Models as Code Executors" (arXiv 2410.06667), whose wording is not
published. The first paragraphs are in `turns/question.py`.
"""

from __future__ import annotations

from deskcheck.grading.verdict import answer_of
from deskcheck.records import Prompt, Rollout, Task
from deskcheck.strategies import ANY, Ask, Settings
from deskcheck.strategies._cot import HOW, MAX_TOKENS
from deskcheck.turns.question import prompt_of

FITS = ANY
SETTINGS = frozenset({"statement_language"})
STATEMENT_LANGUAGES = ("en", "zh")
TRAINED = False
AT_COST = True
AT_ONCE = True


def opening(task: Task, settings: Settings) -> Prompt:
    """Make the only prompt of the rollout."""
    return prompt_of(task, HOW, settings, max_tokens=MAX_TOKENS)


async def run(task: Task, ask: Ask, settings: Settings) -> Rollout:
    """Ask one question and read its answer."""
    completion = await ask(opening(task, settings))
    return Rollout(answer_of(task, completion), [completion])
