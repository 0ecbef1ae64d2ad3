"""iip-oracle: the true next line is given and the model writes the state; an upper bound.

    "2:     s = 0" -> STATE: n = 3; s = 0   "3:     for x in ..." -> STATE: ..   .. -> [ANSWER]6[/ANSWER]

The fourth reading of "iterative instruction prompting" (arXiv 2410.06667; iip-single lists all four).
Compared with iip-dynamic, it separates errors of control flow from errors of state (as "CWM + teacher
forcing" does in arXiv 2602.07672). The model sees which lines run, and so their number, but no true value.
Questions about control flow are not asked. With inject_states=3wrong the first three states are not the
model's (`turns/error_injection.py`); inject_states=3true is the control.
"""

from __future__ import annotations

from deskcheck.records import Answer, NoAnswer, Prompt, Rollout, Task
from deskcheck.states.visits import entry_lines
from deskcheck.strategies import Ask, Settings, _iip, _walk
from deskcheck.turns.dialogue import Dialogue
from deskcheck.turns.lines import first_line
from deskcheck.turns.question import words

INTRODUCTION = {
    "en": """\
Execute a call of a Python program by hand, one line at a time. The lines of the program are numbered.

[PYTHON]
{source}
[/PYTHON]

Call: {call}

You are told which line runs. Reply with one line:
STATE: <every variable and its value after that line, as "name = value" separated by "; ", or none>
A line that calls a function of the program is done when the call has come back.
After the last line you are asked for the result.""",
    "zh": """\
请手工执行对一段 Python 程序的调用，每次执行一行。程序的每一行都有编号。

[PYTHON]
{source}
[/PYTHON]

调用：{call}

每次会告诉你执行哪一行。请回答一行：
STATE: <执行该行之后的所有变量及其值，写作 "name = value"，用 "; " 分隔；没有变量则写 none>
如果某一行调用了程序中的函数，则在该调用返回之后才算执行完。
最后一行执行之后会询问结果。""",
}
END = {
    "en": "The call ends here. Write {form} between [ANSWER] and [/ANSWER].",
    "zh": "调用到此结束。请给出{form}，并放在 [ANSWER] 和 [/ANSWER] 之间。",
}
MAX_TOKENS = 1024
# Questions about values only, because the prompts show the control flow.
FITS = frozenset({"output", "exception", "loop-values", "state"})
WHY = "the executed lines are given, so only values and the end of the run are asked"
SETTINGS = frozenset({"statement_language", "history", "on_error", "passes", "max_steps", "inject_states"})
STATEMENT_LANGUAGES = ("en", "zh")
PYTHON = _iip.PYTHON
TRAINED = False
ITERATIVE = True
CHAIN = "words"
ORACLE = True


def opening(task: Task, settings: Settings) -> Prompt:
    """Return the request about the first line of the entry."""
    return _walk.first(INTRODUCTION, task, settings, max_tokens=MAX_TOKENS)


async def run(task: Task, ask: Ask, settings: Settings) -> Rollout:
    """Ask one question per line and one for the result, in every pass."""
    return await _walk.walked(INTRODUCTION, task, ask, settings, go, max_tokens=MAX_TOKENS)


estimate = _walk.estimate
refusal = _iip.refusal


async def go(task: Task, dialogue: Dialogue, chain: list[str]) -> Answer | NoAnswer:
    """Go once through the call, along the lines that really run."""
    settings = dialogue.settings
    read = _walk.reader(task.program, needs_next=False)
    visits = entry_lines(task.truth)
    lines = [line for _, line in visits] or [first_line(task.program)]
    n_told = _walk.plant(task, dialogue, chain, says_next=False)
    for number, line in enumerate(lines[n_told:], n_told):
        if number - n_told >= settings.max_steps:
            return NoAnswer("budget", f"not over after {settings.max_steps} steps")
        reply = await dialogue.step(_walk.line_text(task.program, line, settings), read)
        dialogue.state = reply.state
        if number + 1 < len(lines):
            chain.append(_walk.state_text(lines[number + 1], reply.state))
    end = END[settings.statement_language].format(form=words(task, "form", settings.statement_language))
    return await dialogue.step(end, _iip.the_answer)
