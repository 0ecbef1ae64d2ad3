"""hot-lines: which lines are reached most often?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from deskcheck.questions import NotAsked
from deskcheck.questions._drawn import asked_visits
from deskcheck.records import RunQuestion, TaskDraft, Trace
from deskcheck.states.visits import Visit

QUESTION = {
    "en": "Which line of the program does the call {call} reach most often? If several lines share the first "
    "place, give all of them.",
    "zh": "调用 {call} 到达次数最多的是程序的哪一行？若有几行并列第一，请全部给出。",
}
FORM = {
    "en": "{list} of line numbers, even if it is only one",
    "zh": "由行号组成的 {list}，即使只有一个",
}
GRADING = "lines"
NUMBERED = True


def questions(draft: TaskDraft, trace: Trace) -> list[RunQuestion]:
    """Ask one question per run, if some line is reached twice."""
    reached = asked_visits(draft.program, trace)
    if all(visit.nth == 1 for visit in reached):
        raise NotAsked("no line is reached twice")
    return [RunQuestion("", answer(reached), {"call": draft.program.call})]


def answer(reached: Sequence[Visit]) -> str:
    """Return the lines that a run reaches most often, as a literal."""
    counts = Counter(visit.line for visit in reached)
    most = max(counts.values())
    return str(sorted(line for line, count in counts.items() if count == most))
