"""output: what does the call return, or which exception ends it? The value needs a literal."""

from __future__ import annotations

from deskcheck.questions import outcome_of
from deskcheck.records import RunQuestion, TaskDraft, Trace

QUESTION = {"en": "What does the call return?", "zh": "该调用的返回值是什么？"}
FORM = {
    "en": "the returned value as one exact {literal} "
    '(if the call ends with an exception: "raises" and its type, for example raises {error})',
    "zh": "返回值，写成一个精确的 {literal}（若调用以异常结束，则写 raises 和异常类型，例如 raises {error}）",
}


def questions(draft: TaskDraft, trace: Trace) -> list[RunQuestion]:
    """Ask one question per run: the outcome of the call."""
    return [RunQuestion("", outcome_of(trace))]
