"""loop-counts: how many iterations does each loop start?

Source: RE2-Bench, which asks for numbers of iterations. CES (arXiv 2510.15079) asks for the values of loop
variables.
"""

from __future__ import annotations

from collections.abc import Sequence

from deskcheck.languages import facts, write
from deskcheck.questions import NotAsked
from deskcheck.questions._drawn import asked_visits
from deskcheck.records import Program, RunQuestion, TaskDraft, Trace
from deskcheck.states.loops import UNCOUNTABLE, rounds
from deskcheck.states.visits import Visit

QUESTION = {
    "en": "During the call {call}, how many iterations does each loop start in total? If a loop is executed "
    "more than once, add up its iterations. The loops (`for` and `while` statements) are on lines {lines}.",
    "zh": "在调用 {call} 期间，每个循环总共开始了多少次迭代？"
    "如果一个循环被执行多次，请把各次执行的迭代次数相加。"
    "循环（`for` 和 `while` 语句）位于第 {lines} 行。",
}
FORM = {
    "en": "{dict} that maps the line number of each loop to its number of iterations, for example "
    "{{2: 5, 3: 0}}",
    "zh": "{dict}，键为每个循环的行号，值为该循环的迭代次数，例如 {{2: 5, 3: 0}}",
}
NUMBERED = True


def questions(draft: TaskDraft, trace: Trace) -> list[RunQuestion]:
    """Ask one question about a run in which some loop starts an iteration."""
    loops = facts(draft.program).loops
    if loops is None:
        raise NotAsked(UNCOUNTABLE)
    if not loops:
        raise NotAsked("no loop")
    reached = asked_visits(draft.program, trace)
    begun = rounds(loops, reached)
    if not any(begun.values()):
        raise NotAsked("no loop starts an iteration")
    lines = ", ".join(map(str, begun))
    return [RunQuestion("", answer(draft.program, reached), {"call": draft.program.call, "lines": lines})]


def answer(program: Program, reached: Sequence[Visit]) -> str:
    """Write a dict that maps the line of each loop to its number of iterations."""
    counts = {line: len(begun) for line, begun in rounds(facts(program).loops or [], reached).items()}
    return write(program.language, counts)
