"""iip-static: one request for each statement in the order of the text, then one for the result.

    "def f(n):" -> STATE: n = 3    "    s = 0" -> STATE: n = 3; s = 0    "    for ..:" -> ..    -> the answer

The second reading of "iterative instruction prompting" (arXiv 2410.06667): the code is given line by line,
and each reply is part of the next request. The nearest public code is the line-by-line mode of La Malfa et
al. (CodeSimulation), which is defined for straight-line programs. A loop is one piece here, since its lines
do not run in textual order. With inject_states=3wrong the replies up to the third piece of the body are not
the model's.
"""

from __future__ import annotations

from deskcheck.records import Answer, NoAnswer, Prompt, Rollout, Task
from deskcheck.strategies import Ask, Settings, _iip
from deskcheck.turns.bindings import read_bindings
from deskcheck.turns.dialogue import Dialogue, state_in
from deskcheck.turns.error_injection import injected_units
from deskcheck.turns.lines import units
from deskcheck.turns.question import words

INTRODUCTION = {
    "en": """\
Execute a Python program by hand. You get it piece by piece, in the order in which it is written; the call is
{call}

After each piece write one line
STATE: <every variable and its value after that piece, as "name = value" separated by "; ", or none>
A piece that is the header of the called function binds its parameters. A piece that the call does not
reach leaves the state as it is. If the call has already returned, say so after the variables.""",
    "zh": """\
请手工执行一段 Python 程序。程序将按书写顺序一段一段地给出；调用为
{call}

每给出一段，请写一行：
STATE: <执行该段之后的所有变量及其值，写作 "name = value"，用 "; " 分隔；没有变量则写 none>
如果该段是被调用函数的函数头，则绑定其参数。调用执行不到的段落不改变状态。如果调用已经返回，请在变量之后说明。""",
}
PIECE = {"en": "Lines {first} to {last}:\n{text}", "zh": "第 {first} 至 {last} 行：\n{text}"}
END = {
    "en": "That was the whole program. Write {form} between [ANSWER] and [/ANSWER].",
    "zh": "程序到此结束。请给出{form}，并放在 [ANSWER] 和 [/ANSWER] 之间。",
}
MAX_TOKENS = 2048
FITS = _iip.FITS
WHY = _iip.WHY
refusal = _iip.refusal
SETTINGS = frozenset({"statement_language", "history", "on_error", "passes", "max_steps", "inject_states"})
STATEMENT_LANGUAGES = ("en", "zh")
PYTHON = _iip.PYTHON
TRAINED = False
ITERATIVE = True


def opening(task: Task, settings: Settings) -> Prompt:
    """Make the prompt about the first piece."""
    return _iip.opening(
        _introduction(task, settings), _pieces(task, settings)[0], settings, max_tokens=MAX_TOKENS
    )


async def run(task: Task, ask: Ask, settings: Settings) -> Rollout:
    """Ask one question per piece and one for the result, in every pass."""
    return await _iip.passes(task, ask, settings, _introduction(task, settings), go, max_tokens=MAX_TOKENS)


def estimate(task: Task, settings: Settings, first: int) -> list[int]:
    """Estimate the tokens of every request from those of the first."""
    return _iip.estimated(len(_pieces(task, settings)) + 1, settings, first)


async def go(task: Task, dialogue: Dialogue, chain: list[str]) -> Answer | NoAnswer:
    """Go once through the program, piece by piece."""
    settings = dialogue.settings
    pieces = _pieces(task, settings)
    told = injected_units(task, units(task.program), settings.inject_states)
    for piece, state in zip(pieces, told, strict=False):
        dialogue.tell(piece, f"STATE: {state}", read_bindings(state))
        chain.append(_after(piece, dialogue.state))
    for number, piece in enumerate(pieces[len(told) :]):
        if number >= settings.max_steps:
            return NoAnswer("budget", f"{len(pieces)} pieces; --max-steps allows {settings.max_steps}")
        dialogue.state = await dialogue.step(piece, state_in)
        chain.append(_after(piece, dialogue.state))
    end = END[settings.statement_language].format(form=words(task, "form", settings.statement_language))
    return await dialogue.step(end, _iip.the_answer)


def _introduction(task: Task, settings: Settings) -> str:
    return INTRODUCTION[settings.statement_language].format(call=task.call) + _iip.asked(task, settings)


def _after(piece: str, state: str) -> str:
    """Return a believed state in the form of a chain."""
    return f"after {piece.splitlines()[0].rstrip(':：')} | {state}"


def _pieces(task: Task, settings: Settings) -> list[str]:
    form = PIECE[settings.statement_language]
    return [form.format(first=unit.first, last=unit.last, text=unit.text) for unit in units(task.program)]
