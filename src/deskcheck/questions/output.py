"""output: what does the call give? Any value that has a literal, or the exception that ends it."""

from __future__ import annotations

from deskcheck.questions import outcome_of
from deskcheck.records import Item, Probe, Trace

QUESTION = {"en": "What does the call return?", "zh": "该调用的返回值是什么？"}
FORM = {
    "en": "the returned value as one exact Python literal "
    '(if the call ends with an exception: "raises" and its type, for example raises KeyError)',
    "zh": "返回值，写成一个精确的 Python 字面量"
    "（若调用以异常结束，则写 raises 和异常类型，例如 raises KeyError）",
}


def probes(item: Item, trace: Trace) -> list[Probe]:
    """Ask one question a run: what the call gives."""
    return [Probe("", outcome_of(trace))]
