"""loop-values: which values does a variable have at the start of each iteration of a loop?

Source: CES (arXiv 2510.15079). The variable is the target of a `for`, or one that a `while` tests and sets.
One loop of at most 40 iterations is drawn from a run. Its variable must be plain data in all iterations.
"""

from __future__ import annotations

from deskcheck.languages import facts
from deskcheck.questions import NotAsked
from deskcheck.questions._drawn import asked_visits, draw
from deskcheck.records import RunQuestion, TaskDraft, Trace
from deskcheck.states.loops import UNCOUNTABLE, rounds
from deskcheck.states.visits import line_text, locals_at

MOST = 40
ABOUT_STATES = True
"""The question is about intermediate values, not about the result."""
QUESTION = {
    "en": "During the call {call}, which value does the variable {name} have at the start of each iteration "
    "of the loop on line {line} (`{text}`)?",
    "zh": "在调用 {call} 期间，第 {line} 行的循环（`{text}`）每次迭代开始时，变量 {name} 的值是什么？",
}
FORM = {
    "en": "{list} of the values in order, one for each iteration",
    "zh": "按顺序排列的值组成的 {list}，每次迭代一个",
}
NUMBERED = True


def questions(draft: TaskDraft, trace: Trace) -> list[RunQuestion]:
    """Ask about the values of one drawn loop."""
    loops = facts(draft.program).loops
    if not loops:
        raise NotAsked("no loop" if loops == [] else UNCOUNTABLE)
    reached = asked_visits(draft.program, trace)
    begun = rounds(loops, reached)
    fitting = [loop for loop in loops if loop.variable and 0 < len(begun[loop.line]) <= MOST]
    if not fitting:
        raise NotAsked(f"no loop of 1 to {MOST} iterations with one variable")
    (loop,) = draw(draft, "loop-values", fitting, 1)
    events = [reached[index].event for index in begun[loop.line]]
    held = locals_at(trace, events)
    values = [held[event].get(loop.variable) for event in events]
    texts = [value for value in values if value is not None]
    if len(texts) < len(values):
        raise NotAsked("the variable is not plain")
    words = {"call": draft.program.call, "name": loop.variable, "line": str(loop.line)}
    words["text"] = line_text(draft.program, loop.line)
    return [RunQuestion(str(loop.line), f"[{', '.join(texts)}]", words)]
