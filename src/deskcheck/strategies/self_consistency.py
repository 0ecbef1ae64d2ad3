"""self-consistency: several chains of thought; the most frequent answer counts.

    Task -> votes x the prompt of cot, sampled -> the answers -> the most frequent value

Source: Wang et al. 2022 (arXiv 2203.11171). Answers are counted by typed value, so [1,2] and [1, 2] are
equal. Among equally frequent answers the first counts. Votes without an answer don't count. If no vote has an
answer, the reason is the most frequent one.
"""

from __future__ import annotations

from collections import Counter

from deskcheck.errors import BadSource
from deskcheck.grading.verdict import answer_language, answer_of, answer_value
from deskcheck.records import Answer, NoAnswer, Prompt, Rollout, Task
from deskcheck.strategies import ANY, Ask, Settings
from deskcheck.strategies._cot import HOW, MAX_TOKENS
from deskcheck.turns.question import prompt_of

EXPERIMENTAL = True

# Temperature of the paper; a `--temperature` above 0 replaces it. Greedy votes would all be the same.
TEMPERATURE = 0.7
FITS = ANY
SETTINGS = frozenset({"statement_language", "votes"})
STATEMENT_LANGUAGES = ("en", "zh")
TRAINED = False
AT_COST = True


def opening(task: Task, settings: Settings) -> Prompt:
    """Return the prompt of every vote."""
    return prompt_of(task, HOW, settings, max_tokens=MAX_TOKENS, temperature=TEMPERATURE)


async def run(task: Task, ask: Ask, settings: Settings) -> Rollout:
    """Ask once per vote, one after the other, so that later votes find the prompt in the provider's cache."""
    prompt = opening(task, settings)
    completions = [await ask(prompt) for _ in range(settings.votes)]
    return Rollout(
        majority([answer_of(task, completion) for completion in completions], answer_language(task.tags)),
        completions,
    )


def majority(votes: list[Answer | NoAnswer], language: str = "python") -> Answer | NoAnswer:
    """Return the most frequent answer by value, or else the most frequent reason for no answer."""
    answers = [vote for vote in votes if isinstance(vote, Answer)]
    if not answers:
        reasons = [vote for vote in votes if isinstance(vote, NoAnswer)]
        most = Counter(vote.reason for vote in reasons).most_common(1)[0][0]
        return next(vote for vote in reasons if vote.reason == most)
    counts = Counter(_value(answer, language) for answer in answers)
    most_often = counts.most_common(1)[0][0]  # the first of the most frequent
    return next(answer for answer in answers if _value(answer, language) == most_often)


def _value(answer: Answer, language: str) -> str:
    """Return a text equal for answers of equal value and type; the text itself if it is no literal."""
    try:
        return _typed(answer_value(answer.text, language=language))
    except BadSource:
        return answer.text.strip()


def _typed(value: object) -> str:
    if isinstance(value, set | frozenset):
        return f"{type(value).__name__}({sorted(map(_typed, value))})"
    if isinstance(value, dict):
        return f"{{{sorted((_typed(key), _typed(item)) for key, item in value.items())}}}"
    if isinstance(value, list | tuple):
        return f"{type(value).__name__}({[_typed(item) for item in value]})"
    return getattr(value, "type", None) or repr(value)
