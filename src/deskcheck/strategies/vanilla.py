"""vanilla: the whole program and the call in one prompt; the model answers at once.

    Task -> one Prompt -> the value between [ANSWER] and [/ANSWER]

Source: the vanilla prompt (VP) of "Large Language Models as Code Executors" (arXiv 2410.06667), whose wording
is not published. The first paragraphs are in `turns/question.py`.
"""

from __future__ import annotations

from deskcheck.grading.verdict import answer_of
from deskcheck.records import Prompt, Rollout, Task
from deskcheck.strategies import ANY, Ask, Settings
from deskcheck.turns.question import prompt_of

HOW = {
    "en": "Write {form} between [ANSWER] and [/ANSWER], without any explanation.",
    "zh": "请给出{form}，并放在 [ANSWER] 和 [/ANSWER] 之间，不要任何解释。",
}

# An answer is short; the rest is for models that explain all the same. `--max-tokens` gives more to a
# reasoning model, whose hidden tokens count.
MAX_TOKENS = 1024

FITS = ANY
SETTINGS = frozenset({"statement_language"})
STATEMENT_LANGUAGES = ("en", "zh")
TRAINED = False
AT_ONCE = True


def opening(task: Task, settings: Settings) -> Prompt:
    """Make the only prompt of the rollout."""
    return prompt_of(task, HOW, settings, max_tokens=MAX_TOKENS)


async def run(task: Task, ask: Ask, settings: Settings) -> Rollout:
    """Ask one question and read its answer."""
    completion = await ask(opening(task, settings))
    return Rollout(answer_of(task, completion), [completion])
