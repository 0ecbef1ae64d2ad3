"""annotation: the program is shown with blanks at its statements; which values has each of them, in order?

    5         total += x  ## 5.total = ??        ->  {'3.x': [1, 5], '4.test': [False, True], '5.total': [4]}

A blank stands for a variable that a line assigns, the variable of a `for`, or the condition of an `if` or
`while`. Every value also gets a separate verdict, and the answer is checked for contradictions, whatever the
truth is (`evaluation/step_scores.py`). Source: CES (arXiv 2510.15079), which writes such lists into the
program as comments, with examples. Its wording, its blanks at returns and its rules on the values of
conditions are not used. Not asked: programs with `try`, `with` or `yield` and runs that raise, in which a
line may begin and never end; more than 60 values.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from deskcheck.languages import facts, write
from deskcheck.questions import NotAsked
from deskcheck.questions._drawn import asked_visits
from deskcheck.questions._unclear import unclear
from deskcheck.records import Program, Returned, RunQuestion, TaskDraft, Trace
from deskcheck.states.loops import outcomes, raises_of, rounds
from deskcheck.states.visits import Visit, dict_text, locals_at, types_and_values

MOST = 60
ABOUT_STATES = True
"""The question is about the values of all blanks, not about the result."""
QUESTION = {
    "en": "Here is the program again, with blanks:\n\n{annotated}\n\nA blank asks for values during the call "
    "{call}, in order, one for each time that its line is executed: of a variable right after the line; of "
    "the variable of a `for` at the beginning of each round; of the condition of an `if` or `while` "
    "(`test`) each time that it is tested. Fill in all blanks.",
    "zh": "以下是带有空白的同一程序：\n\n{annotated}\n\n每个空白询问在调用 {call} 期间依次出现的值，"
    "该行每执行一次写一个：变量取该行刚执行完时的值；`for` 的变量取每轮开始时的值；"
    "`if` 或 `while` 的条件（`test`）取每次判断的结果。请填写所有空白。",
}
FORM = {
    "en": "{dict} from the name of each blank to the list of its values, [] where its line is never "
    "executed, for example {{'3.x': [1, 2], '4.test': [{true}, {false}]}}",
    "zh": "{dict}，从每个空白的名称到其值的列表，该行从未执行则为 []，"
    "例如 {{'3.x': [1, 2], '4.test': [{true}, {false}]}}",
}


def questions(draft: TaskDraft, trace: Trace) -> list[RunQuestion]:
    """Ask one question about all blanks of a run."""
    if facts(draft.program).may_break_off:
        raise NotAsked("a program with try, with or yield")
    if not isinstance(trace.outcome, Returned):
        raise NotAsked(f"{trace.outcome.__struct_config__.tag}: {trace.outcome}")
    values = _blanks(draft.program, trace, asked_visits(draft.program, trace))
    blanks = dict(sorted(values.items(), key=lambda blank: blank[0]))
    n = sum(map(len, blanks.values()))
    if not 0 < n <= MOST:
        raise NotAsked("no blank has a value" if not n else f"more than {MOST} values: {n}")
    texts = {f"{line}.{name}": f"[{', '.join(literals)}]" for (line, name), literals in blanks.items()}
    words = {"call": draft.program.call, "annotated": annotated(draft.program.source, list(blanks))}
    return [RunQuestion("", dict_text(texts, draft.program.language), words)]


def annotated(source: str, blanks: Sequence[tuple[int, str]]) -> str:
    """Return the program with its blanks; `blanks`: (line, name)."""
    lines = source.rstrip("\n").split("\n")
    for line, name in blanks:
        lines[line - 1] += f"  ## {line}.{name} = ??"
    return "\n".join(lines)


def _blanks(program: Program, trace: Trace, reached: list[Visit]) -> dict[tuple[int, str], list[str]]:
    """Return (line, name) -> literals. A variable that is not always plain data gets no blank.

    NotAsked if lines do not show all branches and loops.
    """
    text = facts(program)
    conditions, loops = text.conditions, text.loops
    if conditions is None or loops is None:
        raise NotAsked("a branch or loop that lines cannot tell")
    tests = outcomes(conditions, reached, raises_of(trace))
    blanks = {
        (line, "test"): [write(program.language, one) for one in results] for line, results in tests.items()
    }
    for line, begun in rounds(loops, reached).items():
        (name,) = (loop.variable for loop in loops if loop.line == line)
        if name and (line, "test") not in blanks:
            held = locals_at(trace, [reached[index].event for index in begun])
            values = [held[reached[index].event].get(name) for index in begun]
            if all(value is not None for value in values):
                blanks[line, name] = [value for value in values if value is not None]
    confusing = unclear(reached, trace)
    for line, names in text.assigned.items():
        events = [visit.event for visit in reached if visit.line == line]
        for name in names:
            values_at = types_and_values(trace, [(event, name) for event in events])
            if len(values_at) == len(events) and not confusing.intersection(events):
                blanks[line, name] = [values_at[event, name][0] for event in events]
    return blanks


def blanks_in(text: str) -> list[tuple[int, str]]:
    """Return (line, name) of every blank of an annotated program."""
    return [(int(line), name) for line, name in re.findall(r"  ## (\d+)\.(\w+) = \?\?", text)]
