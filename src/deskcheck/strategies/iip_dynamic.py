"""iip-dynamic: the model writes the state after a line and names the next line, which is asked next.

    "2:     s = 0" -> STATE: n = 3; s = 0 / NEXT: 3 -> "3:     for x in ..." -> .. -> [ANSWER]6[/ANSWER]

The third reading of "iterative instruction prompting" (arXiv 2410.06667; iip-single lists all four): one
request for each *executed* line, so each round of a loop is asked. The conversation ends at the answer, after
`max_steps` lines (never derived from the truth), or at a reply that names neither a line nor an answer. With
inject_states=3wrong the first three replies are not the model's (`turns/error_injection.py`). These replies
are at the true lines, so the row used the truth and is marked.
"""

from __future__ import annotations

from deskcheck.records import Answer, NoAnswer, Prompt, Rollout, Task
from deskcheck.states.visits import entry_lines
from deskcheck.strategies import Ask, Settings, _iip, _walk
from deskcheck.turns.dialogue import Dialogue
from deskcheck.turns.lines import first_line

INTRODUCTION = {
    "en": """\
Execute a call of a Python program by hand, one line at a time. The lines of the program are numbered.

[PYTHON]
{source}
[/PYTHON]

Call: {call}

You are told which line runs. Reply with two lines:
STATE: <every variable and its value after that line, as "name = value" separated by "; ", or none>
NEXT: <the number of the line that runs next in this function>
A line that calls a function of the program is done when the call has come back.
If the call ends with this line, write instead of NEXT {form} between [ANSWER] and [/ANSWER].""",
    "zh": """\
请手工执行对一段 Python 程序的调用，每次执行一行。程序的每一行都有编号。

[PYTHON]
{source}
[/PYTHON]

调用：{call}

每次会告诉你执行哪一行。请回答两行：
STATE: <执行该行之后的所有变量及其值，写作 "name = value"，用 "; " 分隔；没有变量则写 none>
NEXT: <本函数中接下来要执行的行号>
如果某一行调用了程序中的函数，则在该调用返回之后才算执行完。
如果调用在该行结束，则不写 NEXT，而是给出{form}，并放在 [ANSWER] 和 [/ANSWER] 之间。""",
}
MAX_TOKENS = 1024
FITS = _iip.FITS
WHY = _iip.WHY
SETTINGS = frozenset({"statement_language", "history", "on_error", "passes", "max_steps", "inject_states"})
STATEMENT_LANGUAGES = ("en", "zh")
PYTHON = _iip.PYTHON
TRAINED = False
ITERATIVE = True
CHAIN = "words"


def opening(task: Task, settings: Settings) -> Prompt:
    """Return the request about the first line of the entry."""
    return _walk.first(INTRODUCTION, task, settings, max_tokens=MAX_TOKENS)


async def run(task: Task, ask: Ask, settings: Settings) -> Rollout:
    """Ask one question per line, in every pass."""
    return await _walk.walked(INTRODUCTION, task, ask, settings, go, max_tokens=MAX_TOKENS)


estimate = _walk.estimate
refusal = _iip.refusal


async def go(task: Task, dialogue: Dialogue, chain: list[str]) -> Answer | NoAnswer:
    """Go once through the call, along the lines that the model names."""
    n_told = _walk.plant(task, dialogue, chain, says_next=True)
    line = entry_lines(task.truth)[n_told][1] if n_told else first_line(task.program)
    read = _walk.reader(task.program)
    for _ in range(dialogue.settings.max_steps):
        reply = await dialogue.step(_walk.line_text(task.program, line, dialogue.settings), read)
        dialogue.state = reply.state
        if reply.answer is not None:
            return reply.answer
        line = reply.next_line
        chain.append(_walk.state_text(line, reply.state))
    return NoAnswer("budget", f"not over after {dialogue.settings.max_steps} steps")
