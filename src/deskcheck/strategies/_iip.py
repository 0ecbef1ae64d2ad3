"""What the turn-by-turn forms of iterative instruction prompting share: passes, and the end of a pass.

    await passes(task, ask, settings, introduction, go, max_tokens=..) -> Attempt

`go(task, dialogue, chain)` goes through the program once. A later pass is a new conversation that is told the
answer of the one before; the last pass counts.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from deskcheck.records import Answer, Attempt, Completion, NoAnswer, Prompt, Task
from deskcheck.strategies import Ask, Settings
from deskcheck.turns.dialogue import Dialogue, Unreadable, answer_in
from deskcheck.turns.question import words

FITS = frozenset(
    "branches counterfactual coverage exception full-trace halting hot-lines loop-counts loop-values "
    "next-line next-state output reached state".split()
)
"""Every question about a call whose arguments are known: the call is gone through, then it is answered."""
WHY = "the call is gone through first, so it must be known; the question of `annotation` is itself a program"
"""Why no other kind."""
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
    """Why it cannot ask with these settings; "" where it can."""
    if settings.on_error == "vote":
        return "a conversation has no votes; use on_error=reask"
    return ""


def asked(task: Task, settings: Settings) -> str:
    """What follows the introduction where something else than the output is asked for."""
    if task.kind == "output":
        return ""
    return ASKED[settings.language].format(question=words(task, "question", settings.language))


def the_answer(text: str) -> Answer:
    """The answer that the last reply must hold. ValueError where it does not."""
    found = answer_in(text)
    if not isinstance(found, Answer):
        raise ValueError("no answer between [ANSWER] and [/ANSWER]")
    return found


async def _nobody(prompt: Prompt) -> Completion:
    raise AssertionError("only the prompt is made")


def opening(introduction: str, text: str, settings: Settings, *, max_tokens: int) -> Prompt:
    """The first request of the first pass."""
    return Dialogue(_nobody, introduction, settings, max_tokens=max_tokens).prompt(text)


async def passes(
    task: Task, ask: Ask, settings: Settings, introduction: str, go: Go, *, max_tokens: int
) -> Attempt:
    """All passes; the chain is that of the last one."""
    completions: list[Completion] = []
    answer: Answer | NoAnswer = NoAnswer("budget", "no pass")
    chain: list[str] = []
    for number in range(settings.passes):
        told = introduction
        if number:
            earlier = answer.text if isinstance(answer, Answer) else f"no answer ({answer.reason})"
            told = f"{introduction}\n\n{AGAIN[settings.language].format(answer=earlier)}"
        dialogue = Dialogue(ask, told, settings, max_tokens=max_tokens)
        chain = []
        try:
            answer = await go(task, dialogue, chain)
        except Unreadable as stopped:
            answer = stopped.reason
        completions += dialogue.completions
    return Attempt(answer, completions, chain)


REPLY_TOKENS = 40
"""Of a state and what frames it, on both sides of an exchange; a rough figure."""


def estimated(n: int, settings: Settings, first: int) -> list[int]:
    """Tokens of the requests of n turns: with a full history they grow, so a run costs their square."""
    turns = range(min(n, settings.max_steps))
    most = 1 if settings.history == "state" else n
    if settings.history.startswith("last-"):
        most = int(settings.history.removeprefix("last-"))
    factor = 2 if settings.on_error == "check" else 1
    return [first + min(turn, most) * 2 * REPLY_TOKENS for turn in turns] * factor * settings.passes
