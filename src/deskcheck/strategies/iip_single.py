"""iip-single: one request; the model lists each executed line and the state after it, then answers.

    Task -> one Prompt with numbered lines -> "L2: n = 3; s = 0", "L3: n = 3; s = 0; i = 0", .. and the answer

The prompts of "iterative instruction prompting" (arXiv 2410.06667) are not published. Its description can be
read as one prompt for the whole run, as here, or as one for each piece: for each statement of the text
(iip-static), for each executed line (iip-dynamic), or for each line that is named to the model (iip-oracle).
With `passes` above 1, the model is asked again, with the answer of the pass before.
"""

from __future__ import annotations

import re

from deskcheck.grading.verdict import answer_of
from deskcheck.records import Answer, Message, Prompt, Rollout, Task
from deskcheck.strategies import Ask, Settings, _iip
from deskcheck.turns.bindings import read_bindings
from deskcheck.turns.question import numbered, words

PROMPT = {
    "en": """\
Execute a Python program by hand, line by line. Its lines are numbered.

[PYTHON]
{source}
[/PYTHON]

Call: {call}

Go through the execution in the order in which lines run, once for every time a line runs. After each,
write one line of the form
L<number>: <every variable and its value after that line, as "name = value" separated by "; ">
A line that calls a function of the program is done when the call has come back.
When the call ends, write {form} between [ANSWER] and [/ANSWER].""",
    "zh": """\
请逐行手工执行下面的 Python 程序。程序的每一行都有编号。

[PYTHON]
{source}
[/PYTHON]

调用：{call}

按照各行实际执行的顺序推进，某一行每执行一次就写一次。每执行一行，写一行如下格式的内容：
L<行号>: <执行该行之后的所有变量及其值，写作 "name = value"，用 "; " 分隔>
如果某一行调用了程序中的函数，则在该调用返回之后才算执行完。
调用结束时，请给出{form}，并放在 [ANSWER] 和 [/ANSWER] 之间。""",
}
AGAIN = {
    "en": "\n\nAn earlier pass ended with {answer}. Go through it once more; correct what was wrong.",
    "zh": "\n\n上一遍得到的结果是 {answer}。请再完整执行一遍，并改正其中的错误。",
}
MAX_TOKENS = 8192
FITS = _iip.FITS
WHY = _iip.WHY
SETTINGS = frozenset({"statement_language", "passes"})
STATEMENT_LANGUAGES = ("en", "zh")
PYTHON = _iip.PYTHON
TRAINED = False
ONE_REQUEST = True
ITERATIVE = True
_LINE = re.compile(r"^\W*L(\d+)\W*[:：](.*)$", re.MULTILINE)


def opening(task: Task, settings: Settings) -> Prompt:
    """Make the prompt of the first pass."""
    return _prompt(task, settings, "")


async def run(task: Task, ask: Ask, settings: Settings) -> Rollout:
    """Ask one question per pass; the last pass counts."""
    completions = [await ask(opening(task, settings))]
    for _ in range(1, settings.passes):
        answer = answer_of(task, completions[-1])
        earlier = answer.text if isinstance(answer, Answer) else f"no answer ({answer.reason})"
        completions.append(
            await ask(_prompt(task, settings, AGAIN[settings.statement_language].format(answer=earlier)))
        )
    chain = [f"after {line} | {read_bindings(state)}" for line, state in _LINE.findall(completions[-1].text)]
    return Rollout(answer_of(task, completions[-1]), completions, chain)


def _prompt(task: Task, settings: Settings, addition: str) -> Prompt:
    text = PROMPT[settings.statement_language].format(
        source=numbered(task.program.source.rstrip("\n")),
        call=task.call,
        form=words(task, "form", settings.statement_language),
    )
    text += _iip.asked(task, settings) + addition
    return Prompt([Message("user", text)], max_tokens=MAX_TOKENS)
