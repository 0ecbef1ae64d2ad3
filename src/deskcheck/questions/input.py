"""input: which arguments give this outcome? Several may, so an answer is run before it is graded.

Source: the input prediction of CRUXEval (arXiv 2401.03065). The call is not shown (`Task.call` is "f(??)").
`solutions.answers` runs the answer; grading compares its outcome with `expected`.
"""

from __future__ import annotations

from deskcheck.questions import outcome_of
from deskcheck.records import RunQuestion, TaskDraft, Trace

QUESTION = {
    "en": "For which arguments does {entry} give this outcome: {outcome}\nAny arguments that do are right.",
    "zh": "{entry} 取什么参数时得到如下结果：{outcome}\n任何能得到该结果的参数都算对。",
}
FORM = {
    "en": "the whole call with its arguments as exact {literals}, for example {entry}(1, 'a')",
    "zh": "完整的调用，参数写成精确的 {literals}，例如 {entry}(1, 'a')",
}
GRADING = "executed"


def questions(draft: TaskDraft, trace: Trace) -> list[RunQuestion]:
    """Ask one question per run: arguments that give its result."""
    outcome = outcome_of(trace)
    return [RunQuestion("", outcome, {"entry": draft.program.entry, "outcome": outcome})]
