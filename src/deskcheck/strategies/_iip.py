"""Shared parts of the strategies iip-* (iterative instruction prompting): their passes and the last answer.

    await passes(task, ask, settings, introduction, go, max_tokens=..) -> Rollout

`go(task, dialogue, chain)` goes through the program once, appends the states to `chain` and returns the
answer. A later pass is a new conversation, whose prompt holds the answer of the pass before. The last pass
counts.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from deskcheck.records import Answer, Completion, NoAnswer, Prompt, Rollout, Task
from deskcheck.strategies import Ask, Settings
from deskcheck.turns.dialogue import Dialogue, Unreadable, answer_in
from deskcheck.turns.question import words

FITS = frozenset(
    "branches counterfactual coverage exception full-trace halting hot-lines loop-counts loop-values "
    "next-line next-state output reached state".split()
)
"""Every kind of question about a call with known arguments: the run comes first, then the answer."""
WHY = "it executes a known call: `input` asks for the call, and the question of `annotation` is a program"
"""Reason for refusing the other kinds."""
PYTHON = "its prompt and the states that it compares are in Python"
ASKED = {
    "en": "\n\nThe execution is gone through in order to answer this question at its end: {question}",
    "zh": "\n\n执行的目的是在最后回答这个问题：{question}",
}
AGAIN = {
    "en": "An earlier pass ended with {answer}. Go through the program once more and correct what was wrong.",
    "zh": "上一遍得到的结果是 {answer}。请再完整执行一遍，并改正其中的错误。",
}
Go = Callable[[Task, Dialogue, list[str]], Awaitable[Answer | NoAnswer]]


def refusal(kind: str, settings: Settings) -> str:
    """Return why the strategy cannot ask with these settings; "" if it can."""
    if settings.on_error == "vote":
        return "a conversation has no votes; use on_error=reask"
    return ""


def asked(task: Task, settings: Settings) -> str:
    """Return the text that follows the introduction if the question is not about the output."""
    if task.kind == "output":
        return ""
    return ASKED[settings.statement_language].format(
        question=words(task, "question", settings.statement_language)
    )


def the_answer(text: str) -> Answer:
    """Return the answer that the last reply must hold. ValueError if it holds none."""
    found = answer_in(text)
    if not isinstance(found, Answer):
        raise ValueError("no answer between [ANSWER] and [/ANSWER]")
    return found


async def _nobody(prompt: Prompt) -> Completion:
    raise AssertionError("only the prompt is made")


def opening(introduction: str, text: str, settings: Settings, *, max_tokens: int) -> Prompt:
    """Return the first request of the first pass."""
    return Dialogue(_nobody, introduction, settings, max_tokens=max_tokens).prompt(text)


async def passes(
    task: Task, ask: Ask, settings: Settings, introduction: str, go: Go, *, max_tokens: int
) -> Rollout:
    """Run all passes; the answer and the chain are those of the last one."""
    completions: list[Completion] = []
    answer: Answer | NoAnswer = NoAnswer("budget", "no pass")
    chain: list[str] = []
    for number in range(settings.passes):
        text = introduction
        if number:
            earlier = answer.text if isinstance(answer, Answer) else f"no answer ({answer.reason})"
            text = f"{introduction}\n\n{AGAIN[settings.statement_language].format(answer=earlier)}"
        dialogue = Dialogue(ask, text, settings, max_tokens=max_tokens)
        chain = []
        try:
            answer = await go(task, dialogue, chain)
        except Unreadable as stopped:
            answer = stopped.reason
        completions += dialogue.completions
    return Rollout(answer, completions, chain)


REPLY_TOKENS = 40
"""Estimated tokens of a state and its frame, in each message of an exchange."""


def estimated(n: int, settings: Settings, first: int) -> list[int]:
    """Estimate the tokens of each request of n turns; with a full history, each is longer than the last.

    `first` has the tokens of the first request.
    """
    turns = range(min(n, settings.max_steps))
    most = 1 if settings.history == "state" else n
    if settings.history.startswith("last-"):
        most = int(settings.history.removeprefix("last-"))
    factor = 2 if settings.on_error == "check" else 1
    return [first + min(turn, most) * 2 * REPLY_TOKENS for turn in turns] * factor * settings.passes
