"""A model's free text beside the run: which of its statements about the state are false, and where.

    judged("`n` is 3, then `n` becomes 5", program, trace) -> [Judged(claim, is_true=True, event=4, ..), ..]

A statement is true where its value is there at some later moment of the run than the statements before it,
and false where its value is there at no moment; one that is only out of order is left open: texts look back.
Of variables, and of expressions out of names, items, slices, lengths and comparisons; of what a method of the
program gave; of the call's result; and of any value at all. Never executed: what a text says is looked up.
"""

from __future__ import annotations

from typing import Any

from deskcheck.records import EventKind, Program, Trace
from deskcheck.viewer.claims import ANYTHING, RESULT, Claim, Judged, claims_in, literal_at
from deskcheck.viewer.facts import facts_in
from deskcheck.viewer.occurrences import round_named
from deskcheck.viewer.operations import operations_in
from deskcheck.viewer.rounds import rounds_filled_in, windows_of_rounds
from deskcheck.viewer.values import MOST_TEXT, Told, is_same, told_of
from deskcheck.viewer.verdicts import of_false_result, verdict_in, verdict_on

MOST_EVENTS = 6_000
"""Events of a run in which statements are looked up; of a longer one none is judged."""


def judged(text: str, program: Program, trace: Trace, answer: str = "") -> list[Judged]:
    """Statements of a text that can be decided, in their order. Nothing of a run that is too long.

    `answer` is the result that a grader took from the text and found wrong: false where nothing before it is.
    """
    if len(trace.events.kind) > MOST_EVENTS:
        return []
    told = told_of(program, trace)
    found: list[Judged] = []
    windows = windows_of_rounds(program, trace, told.moments)
    at, seen = 0, set[str]()
    for claim in _statements(_reasoning(text[:MOST_TEXT]), told.names):
        if claim.about in (RESULT, ANYTHING) and _is_code(claim.value, program, told):
            continue
        verdict = verdict_on(claim, told, at, is_new=claim.about not in seen)
        number = round_named(text, claim.start)
        if 0 < number <= len(windows):
            verdict = verdict_in(windows[number - 1], claim, verdict, told)
        seen.add(claim.about)
        if verdict is not None:
            found.append(verdict)
            if verdict.is_true and claim.about != RESULT:
                at = max(at, verdict.event)
    found += rounds_filled_in(text[:MOST_TEXT], program, trace, told.moments)
    if answer and all(one.is_true for one in found):
        found += _of_answer(text[:MOST_TEXT], answer, told)
    return sorted(found, key=lambda one: one.claim.start)


def first_false(found: list[Judged]) -> Judged | None:
    """The first false statement: in the text, and among lists that were filled in the earliest in the run."""
    first = next((one for one in found if not one.is_true), None)
    if first is None or not first.is_filled_in:
        return first
    return min((one for one in found if one.is_filled_in and not one.is_true), key=lambda one: one.event)


def line_before(trace: Trace, one: Judged | None) -> int:
    """The line that had run when the true value was there: what returned, of a result; 0 = the call."""
    if one is None:
        return 0
    columns, n = trace.events, len(trace.events.kind)
    at = min(one.event, n - 1)
    if one.event >= n:  # the outermost call is over
        frame = columns.frame[0]
    elif columns.kind[at] == EventKind.EXPRESSION:
        return columns.line[at]
    else:
        frame = columns.frame[at]
    rows = range(at if one.event >= n else at - 1, -1, -1)
    if columns.kind[at] == EventKind.CALL:  # what the caller's line gave
        return next((columns.line[k] for k in rows if columns.kind[k] == EventKind.LINE), 0)
    return next(
        (columns.line[k] for k in rows if columns.kind[k] == EventKind.LINE and columns.frame[k] == frame), 0
    )


def _reasoning(text: str) -> str:
    """The text without a program that an answer fills in: its lines state nothing by themselves."""
    head, mark, answer = text.rpartition("[ANSWER]")
    return head if mark and ("[STATE]" in answer or "[BRANCH]" in answer) else text


def _statements(text: str, names: set[str]) -> list[Claim]:
    """What a text says of the run, and of its own literals, in the order of the text."""
    facts = [*facts_in(text)]
    for claim in operations_in(text, names):
        if not any(claim.start < fact.end and fact.start < claim.end for fact in facts):
            facts.append(claim)
    claims = [
        claim
        for claim in claims_in(text, names)
        if not any(claim.start < fact.end and fact.start < claim.end for fact in facts)
    ]
    return sorted([*claims, *facts], key=lambda claim: claim.start)


def _is_code(value: Any, program: Program, told: Told) -> bool:
    """Whether a text in quotes is a name or a piece of the program."""
    return isinstance(value, str) and (value in told.names or (len(value) > 1 and value in program.source))


def _of_answer(text: str, answer: str, told: Told) -> list[Judged]:
    """A wrong answer as the last statement of its text; nothing where it stands in no such form."""
    found = literal_at(answer, 0) or ((answer, len(answer), answer) if answer in text else None)
    if found is None or not told.result or is_same(told.result[0], found[0]):
        return []
    start = max(text.rfind(answer), text.rfind(answer.replace("'", '"')), 0)
    claim = Claim(start, start + len(answer), RESULT, found[0], answer)
    return [of_false_result(claim, told)]
