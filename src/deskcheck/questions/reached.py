"""reached: does the call reach this line, yes or no?

Source: the coverage task of REval (arXiv 2403.16437). If a run leaves out some lines, its question is about
such a line with probability one half. Otherwise the line is one that the run reaches.
"""

from __future__ import annotations

from deskcheck.languages import facts, write
from deskcheck.questions._drawn import asked_visits, draw
from deskcheck.records import RunQuestion, TaskDraft, Trace
from deskcheck.states.visits import line_text

QUESTION = {
    "en": "Does the call {call} reach line {line} (`{text}`)?",
    "zh": "调用 {call} 是否到达第 {line} 行（`{text}`）？",
}
FORM = {"en": "{true} or {false}", "zh": "{true} 或 {false}"}
NUMBERED = True


def questions(draft: TaskDraft, trace: Trace) -> list[RunQuestion]:
    """Ask whether one line is reached: the benchmark's, or a drawn one."""
    seen = {visit.line for visit in asked_visits(draft.program, trace)}
    line = draft.line
    if not line:
        missed = [one for one in facts(draft.program).statement_lines if one not in seen]
        groups = [sorted(seen), missed] if missed else [sorted(seen)]
        (group,) = draw(draft, "reached or not", groups, 1)
        (line,) = draw(draft, "reached", group, 1)
    words = {"call": draft.program.call, "line": str(line), "text": line_text(draft.program, line)}
    return [RunQuestion(str(line), write(draft.program.language, line in seen), words)]
