"""halting: does the call end within N reached lines?

N lies between half and twice the number of lines that the run reaches. A run that was stopped at its step
budget is asked, too, and its answer is False. There is one question per run, since several would give each
other's answers away.
"""

from __future__ import annotations

from deskcheck.languages import write
from deskcheck.questions import NotAsked
from deskcheck.questions._drawn import asked_visits, draw
from deskcheck.records import Raised, Returned, RunQuestion, StepLimit, TaskDraft, Trace

QUESTION = {
    "en": "Does the call {call} end, by a return or by an exception, before more than {n} lines have been "
    "reached? A line counts each time it is reached.",
    "zh": "调用 {call} 是否在到达的行数超过 {n} 之前结束（返回或抛出异常）？每到达一行一次计一次。",
}
FORM = {"en": "{true} or {false}", "zh": "{true} 或 {false}"}


def questions(draft: TaskDraft, trace: Trace) -> list[RunQuestion]:
    """Ask one question per run, with one number of lines."""
    if not isinstance(trace.outcome, Returned | Raised | StepLimit):
        raise NotAsked(f"{trace.outcome.__struct_config__.tag}: {trace.outcome}")
    n = len(asked_visits(draft.program, trace))
    ended = not isinstance(trace.outcome, StepLimit)
    few, many = [n // 2, 4 * n // 5, n - 1], [n, 5 * n // 4 + 1, 2 * n]
    (side,) = draw(draft, "halting or not", [few, many] if ended and n > 1 else [many] if ended else [few], 1)
    (limit,) = draw(draft, "halting", [max(1, one) for one in side], 1)
    words = {"call": draft.program.call, "n": str(limit)}
    return [RunQuestion(str(limit), write(draft.program.language, ended and n <= limit), words)]
