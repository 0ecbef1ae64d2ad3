"""full-trace: which lines does the call reach, in order?

Source: CoCoNUT (arXiv 2501.16456). Runs of more than 300 lines are not asked.
"""

from __future__ import annotations

from collections.abc import Sequence

from deskcheck.questions import NotAsked
from deskcheck.questions._drawn import asked_visits
from deskcheck.records import RunQuestion, TaskDraft, Trace
from deskcheck.states.visits import Visit

MOST = 300
QUESTION = {
    "en": "Which lines of the program does the call {call} reach, in order, from the first to the last?",
    "zh": "调用 {call} 从头到尾依次到达程序的哪些行？",
}
FORM = {
    "en": "{list} of line numbers, each as often as the line is reached (a statement over several "
    "lines counts at its first line, {inline} belongs to the line it stands on)",
    "zh": "由行号组成的 {list}，每到达一次就写一次（跨多行的语句算在其首行，{inline}属于它所在的行）",
}
NUMBERED = True


def questions(draft: TaskDraft, trace: Trace) -> list[RunQuestion]:
    """Ask one question per run: its lines in order."""
    reached = asked_visits(draft.program, trace)
    if len(reached) > MOST:
        raise NotAsked(f"more than {MOST} lines: {len(reached)}")
    return [RunQuestion("", answer(reached), {"call": draft.program.call})]


def answer(reached: Sequence[Visit]) -> str:
    """Return the lines of a run in order, as a literal."""
    return str([visit.line for visit in reached])
