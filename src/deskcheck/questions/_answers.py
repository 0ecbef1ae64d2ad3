"""The true outcome of a run as the text of an answer, for every kind that asks for it or needs it.

outcome_of(trace) -> "[1, 2]" | "raises KeyError";  NotAsked with a countable reason where there is none
"""

from __future__ import annotations

from deskcheck.errors import BadSource, DataError
from deskcheck.grading.verdict import answer_value
from deskcheck.questions import NotAsked
from deskcheck.records import Raised, Returned, Trace
from deskcheck.tracing.literal import outcome_text


def outcome_of(trace: Trace) -> str:
    """The answer to "what does the call give?"."""
    outcome = trace.outcome
    if not isinstance(outcome, Returned | Raised):
        raise NotAsked(f"{outcome.__struct_config__.tag}: {outcome}")
    try:
        text = outcome_text(trace)
    except DataError as error:
        raise NotAsked(f"value is not plain: {error}") from None
    try:
        answer_value(text)
    except BadSource as error:
        raise NotAsked(f"answer is no literal: {error}") from None
    return text
