"""exception: does the call end with an exception, and of which type?

Source: ThrowBench (arXiv 2503.04241). The answer None means that the call returns.
"""

from __future__ import annotations

from deskcheck.languages import write
from deskcheck.questions import NotAsked
from deskcheck.records import Raised, Returned, RunQuestion, TaskDraft, Trace

QUESTION = {
    "en": "Does the call {call} end with an exception, and if so, of which type?",
    "zh": "调用 {call} 是否以异常结束？如果是，是哪种类型？",
}
FORM = {
    "en": "the name of the type as {string}, for example '{error}', or {none} if the call returns",
    "zh": "异常类型的名称，写成 {string}，例如 '{error}'；若调用正常返回则写 {none}",
}


def questions(draft: TaskDraft, trace: Trace) -> list[RunQuestion]:
    """Ask one question per run: the exception that ends it."""
    if not isinstance(trace.outcome, Returned | Raised):
        raise NotAsked(f"{trace.outcome.__struct_config__.tag}: {trace.outcome}")
    name = trace.outcome.type.rpartition(".")[2] if isinstance(trace.outcome, Raised) else None
    return [RunQuestion("", write(draft.program.language, name), {"call": draft.program.call})]
