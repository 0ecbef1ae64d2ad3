"""no-code: the call without the program, a control; right answers here do not come from executing the code.

    Task -> one Prompt with the call, and the statement if it is shown -> the value between the tags

A closed form, a memorised function or the name of the function can be enough (Fibonacci, bin(n), Collatz).
Families in which this control is above chance are left out of the horizon of the same model
(`report/horizons.py`).
"""

from __future__ import annotations

from deskcheck.grading.verdict import answer_of
from deskcheck.records import Message, Prompt, Rollout, Task
from deskcheck.strategies import Ask, Settings
from deskcheck.turns.question import name_of, words

EXPERIMENTAL = True
PROMPT = {
    "en": """\
A {name} function is called. Its code is not shown.

{statement}Call: {call}

{question} If it cannot be known, give your best guess.
Write {form} between [ANSWER] and [/ANSWER], without any explanation.""",
    "zh": """\
一个 {name} 函数被调用，其代码不予显示。

{statement}调用：{call}

{question}如果无法确定，请给出最可能的猜测。
请给出{form}，并放在 [ANSWER] 和 [/ANSWER] 之间，不要任何解释。""",
}
MAX_TOKENS = 1024
FITS = frozenset({"output"})
WHY = "it does not show the program, so there are no lines or variables to ask about"
SETTINGS = frozenset({"statement_language"})
STATEMENT_LANGUAGES = ("en", "zh")
TRAINED = False
CONTROL = True
AT_ONCE = True
BLIND = True
"""Tests read this: the program is not in the prompt."""


def opening(task: Task, settings: Settings) -> Prompt:
    """Make the only prompt of the rollout."""
    text = PROMPT[settings.statement_language].format(
        name=name_of(task),
        statement=f"{task.statement.strip()}\n\n" if task.statement else "",
        call=task.call,
        question=words(task, "question", settings.statement_language),
        form=words(task, "form", settings.statement_language),
    )
    return Prompt([Message("user", text)], max_tokens=MAX_TOKENS)


async def run(task: Task, ask: Ask, settings: Settings) -> Rollout:
    """Ask one question and read its answer."""
    completion = await ask(opening(task, settings))
    return Rollout(answer_of(task, completion), [completion])
