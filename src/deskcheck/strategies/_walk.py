"""Go through a call line by line in a conversation: write the requests, read the replies.

reader(program)("STATE: n = 3\\nNEXT: 4") -> Reply("n=3", 4, None)
"""

from __future__ import annotations

import re
from collections.abc import Callable

from msgspec import Struct

from deskcheck.records import Answer, NoAnswer, Program, Prompt, Rollout, Task
from deskcheck.states.visits import entry_lines
from deskcheck.strategies import Ask, Settings, _iip
from deskcheck.turns.bindings import read_bindings
from deskcheck.turns.dialogue import Dialogue, answer_in, state_in
from deskcheck.turns.error_injection import injected
from deskcheck.turns.lines import first_line, runnable
from deskcheck.turns.question import numbered, words

LINE = {"en": "Line {line} runs: {text}", "zh": "执行第 {line} 行：{text}"}
_NEXT = re.compile(r"^[ \t>*`#-]*NEXT[*`]*\s*[:：][^\d\n]*(\d{1,6})", re.IGNORECASE | re.MULTILINE)


class Reply(Struct, frozen=True):
    """State and next line that a reply states."""

    state: str
    next_line: int
    """0 if the reply gives the answer, or if the strategy knows the next line."""
    answer: Answer | None


def introduction(texts: dict[str, str], task: Task, settings: Settings) -> str:
    """Return the rules, the program and the call."""
    text = texts[settings.statement_language].format(
        source=numbered(task.program.source.rstrip("\n")),
        call=task.call,
        form=words(task, "form", settings.statement_language),
    )
    return text + _iip.asked(task, settings)


def first(texts: dict[str, str], task: Task, settings: Settings, *, max_tokens: int) -> Prompt:
    """Return the first request: the rules and the first line of the entry."""
    line = line_text(task.program, first_line(task.program), settings)
    return _iip.opening(introduction(texts, task, settings), line, settings, max_tokens=max_tokens)


async def walked(
    texts: dict[str, str], task: Task, ask: Ask, settings: Settings, go: _iip.Go, *, max_tokens: int
) -> Rollout:
    """Run all passes, each by `go`; the rollout has the answer and the chain of the last one."""
    return await _iip.passes(
        task, ask, settings, introduction(texts, task, settings), go, max_tokens=max_tokens
    )


def estimate(task: Task, settings: Settings, first: int) -> list[int]:
    """Estimate the tokens of every request; the number of lines is that of the true run."""
    return _iip.estimated(task.truth.n_steps, settings, first)


def plant(task: Task, dialogue: Dialogue, chain: list[str], *, says_next: bool) -> int:
    """Write the first replies in the model's place, as the setting `inject_states` asks; return their number.

    `says_next`: whether a reply also names the next line.
    """
    visits = entry_lines(task.truth)
    states = injected(task, visits, dialogue.settings.inject_states)
    for (_, line), (_, following), state in zip(visits, visits[1:], states, strict=False):
        reply = f"STATE: {state}\nNEXT: {following}" if says_next else f"STATE: {state}"
        dialogue.tell(line_text(task.program, line, dialogue.settings), reply, read_bindings(state))
        chain.append(state_text(following, dialogue.state))
    return len(states)


def state_text(line: int, state: str) -> str:
    """Return a believed state in the form of a chain."""
    return f"@{line} | {state}" if state else f"@{line}"


def line_text(program: Program, line: int, settings: Settings) -> str:
    """Return the running line in the words of the request."""
    return LINE[settings.statement_language].format(
        line=line, text=program.source.split("\n")[line - 1].strip()
    )


def reader(program: Program, *, needs_next: bool = True) -> Callable[[str], Reply]:
    """Return a function that reads replies.

    The function raises ValueError for a reply without an answer that lacks a state, or the number of a line
    of the function if `needs_next`.
    """
    lines = runnable(program)

    def read(text: str) -> Reply:
        answer = answer_in(text)
        if isinstance(answer, NoAnswer):
            raise ValueError("no literal between [ANSWER] and [/ANSWER]")
        if answer is not None:
            return Reply(_state_or_nothing(text), 0, answer)
        state = state_in(text)
        if not needs_next:
            return Reply(state, 0, None)
        found = _NEXT.findall(text)
        if not found:
            raise ValueError("no line begins with NEXT: and there is no answer")
        line = int(found[-1])
        if line not in lines:
            raise ValueError(f"NEXT: {line} is no line of the function on which anything begins")
        return Reply(state, line, None)

    return read


def _state_or_nothing(text: str) -> str:
    try:
        return state_in(text)
    except ValueError:
        return ""
