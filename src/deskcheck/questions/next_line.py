"""next-line: the run has reached a line; which line is reached next (0 if the call ends there)?

Source: the path task of REval (arXiv 2403.16437), which asks about any visit of the line; here the question
names the visit. Lines after which the run can continue in two ways are preferred. Three moments are drawn
from a run.
"""

from __future__ import annotations

from deskcheck.languages import facts
from deskcheck.questions._drawn import asked_visits, draw
from deskcheck.records import RunQuestion, TaskDraft, Trace
from deskcheck.states.visits import line_text

QUESTION = {
    "en": "The call {call} has run up to line {line} (`{text}`), which is now reached for time number {nth}. "
    "Which line of the program is reached next?",
    "zh": "调用 {call} 已运行到第 {line} 行（`{text}`），这是第 {nth} 次到达该行。接下来到达程序的哪一行？",
}
FORM = {
    "en": "the number of that line (0 if the call ends without reaching another line; {inline} "
    "belongs to the line it stands on)",
    "zh": "该行的行号（若调用结束而不再到达任何行，则写 0；{inline}属于它所在的行）",
}
NUMBERED = True


def questions(draft: TaskDraft, trace: Trace) -> list[RunQuestion]:
    """Ask about up to three drawn moments of a run."""
    reached = asked_visits(draft.program, trace)
    asked = list(range(len(reached)))
    if draft.line:
        asked = [index for index in asked if reached[index].line == draft.line][:1]
    turns = facts(draft.program).decisions
    chosen = draw(draft, "next-line", [i for i in asked if reached[i].line in turns] or asked)
    return [
        RunQuestion(
            f"{reached[index].line}.{reached[index].nth}",
            str(reached[index + 1].line if index + 1 < len(reached) else 0),
            {
                "call": draft.program.call,
                "line": str(reached[index].line),
                "nth": str(reached[index].nth),
                "text": line_text(draft.program, reached[index].line),
            },
        )
        for index in chosen
    ]
