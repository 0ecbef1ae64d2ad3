"""coverage: which lines does the call reach, in any order?

Source: DexBench asks for such sets of lines. REval (arXiv 2403.16437) asks about single lines (`reached`).
"""

from __future__ import annotations

from collections.abc import Sequence

from deskcheck.questions._drawn import asked_visits
from deskcheck.records import RunQuestion, TaskDraft, Trace
from deskcheck.states.visits import Visit

QUESTION = {
    "en": "Which lines of the program does the call {call} reach at least once?",
    "zh": "调用 {call} 至少到达一次的是程序的哪些行？",
}
FORM = {
    "en": "{list} of line numbers (a statement over several lines counts at its first line; lines "
    "with {definition}, and lines outside of functions, do not count)",
    "zh": "由行号组成的 {list}（跨多行的语句算在其首行；{definition} 行和函数之外的行不算）",
}
GRADING = "lines"
NUMBERED = True


def questions(draft: TaskDraft, trace: Trace) -> list[RunQuestion]:
    """Ask one question per run: the lines that it reaches."""
    return [RunQuestion("", answer(asked_visits(draft.program, trace)), {"call": draft.program.call})]


def answer(reached: Sequence[Visit]) -> str:
    """Return the sorted lines that a run reaches, as a literal."""
    return str(sorted({visit.line for visit in reached}))
