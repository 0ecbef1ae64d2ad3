"""Check a model's free text against the run: which statements about the state are false, and where.

    judged("`n` is 3, then `n` becomes 5", program, trace) -> [Judged(claim, is_true=True, event=4, ..), ..]

A statement is true if its value occurs in the run at or after the event of the last true statement, and false
if its value never occurs. A value that occurs only earlier leaves the statement undecided, because texts also
look back. Statements are about variables, small expressions, results of the program's methods, the call's
result, or any value of the run. No code of a text is executed: its statements are looked up.
"""

from __future__ import annotations

from typing import Any

from deskcheck.records import EventKind, Program, Trace
from deskcheck.statements.claims import ANYTHING, RESULT, Claim, Judged, claims_in, literal_at
from deskcheck.statements.facts import facts_in
from deskcheck.statements.occurrences import round_named
from deskcheck.statements.operations import calls_in, operations_in
from deskcheck.statements.rounds import rounds_filled_in, windows_of_rounds
from deskcheck.statements.values import MOST_TEXT, RunFacts, facts_of_run, is_same
from deskcheck.statements.verdicts import of_false_result, verdict_in, verdict_on

MOST_EVENTS = 6_000
"""Largest number of events of a run in which statements are looked up."""


def judged(text: str, program: Program, trace: Trace, answer: str = "") -> list[Judged]:
    """Return the statements of a text that can be decided, in order; [] if the run is too long.

    `answer` is the result that a grader read from the text and found wrong. It is added as a false statement
    if no other statement is false.
    """
    if len(trace.events.kind) > MOST_EVENTS:
        return []
    facts = facts_of_run(program, trace)
    verdicts: list[Judged] = []
    windows = windows_of_rounds(program, trace, facts.moments)
    at, seen = 0, set[str]()
    for claim in _statements(_reasoning(text[:MOST_TEXT]), facts):
        if claim.about in (RESULT, ANYTHING) and _is_code(claim.value, program, facts):
            continue
        verdict = verdict_on(claim, facts, at, is_new=claim.about not in seen)
        number = round_named(text, claim.start)
        if 0 < number <= len(windows):
            verdict = verdict_in(windows[number - 1], claim, verdict, facts)
        seen.add(claim.about)
        if verdict is not None:
            verdicts.append(verdict)
            if verdict.is_true and claim.about != RESULT:
                at = max(at, verdict.event)
    verdicts += rounds_filled_in(text[:MOST_TEXT], program, trace, facts.moments)
    if answer and all(one.is_true for one in verdicts):
        verdicts += _of_answer(text[:MOST_TEXT], answer, facts)
    return sorted(verdicts, key=lambda one: one.claim.start)


def first_false(verdicts: list[Judged]) -> Judged | None:
    """Return the first false statement of the text; among filled-in lists, the earliest in the run."""
    first = next((one for one in verdicts if not one.is_true), None)
    if first is None or not first.is_filled_in:
        return first
    return min((one for one in verdicts if one.is_filled_in and not one.is_true), key=lambda one: one.event)


def line_before(trace: Trace, verdict: Judged | None) -> int:
    """Return the line that ran last before a verdict's true value occurred; 0 = the call, or no verdict."""
    if verdict is None:
        return 0
    columns, n = trace.events, len(trace.events.kind)
    at = min(verdict.event, n - 1)
    if verdict.event >= n:  # the outermost call is over
        frame = columns.frame[0]
    elif columns.kind[at] == EventKind.EXPRESSION:
        return columns.line[at]
    else:
        frame = columns.frame[at]
    rows = range(at if verdict.event >= n else at - 1, -1, -1)
    if columns.kind[at] == EventKind.CALL:  # the caller's line made the value
        return next((columns.line[k] for k in rows if columns.kind[k] == EventKind.LINE), 0)
    return next(
        (columns.line[k] for k in rows if columns.kind[k] == EventKind.LINE and columns.frame[k] == frame), 0
    )


def _reasoning(text: str) -> str:
    """Return the text without an answer that is the program with marks filled in: its lines state nothing."""
    head, mark, answer = text.rpartition("[ANSWER]")
    return head if mark and ("[STATE]" in answer or "[BRANCH]" in answer) else text


def _statements(text: str, run_facts: RunFacts) -> list[Claim]:
    """Return the statements of a text about the run and about literals, in the order of the text."""
    facts = [*facts_in(text)]
    for claim in operations_in(text, run_facts.names):
        if not any(claim.start < fact.end and fact.start < claim.end for fact in facts):
            facts.append(claim)
    claims = [
        claim
        for claim in claims_in(text, run_facts.names)
        if not any(claim.start < fact.end and fact.start < claim.end for fact in facts)
    ]
    known = [*claims, *facts]
    calls = [
        claim
        for claim in calls_in(text, run_facts.entry)
        if not any(claim.start < one.end and one.start < claim.end for one in known)
    ]
    return sorted([*known, *calls], key=lambda claim: claim.start)


def _is_code(value: Any, program: Program, facts: RunFacts) -> bool:
    """Whether a stated text is a name of the run or a piece of the program, and so perhaps no value."""
    return isinstance(value, str) and (value in facts.names or (len(value) > 1 and value in program.source))


def _of_answer(text: str, answer: str, facts: RunFacts) -> list[Judged]:
    """Return a wrong answer as the last statement of its text; [] if it has no value that can be compared."""
    found = literal_at(answer, 0) or ((answer, len(answer), answer) if answer in text else None)
    if found is None or not facts.result or is_same(facts.result[0], found[0]):
        return []
    start = max(text.rfind(answer), text.rfind(answer.replace("'", '"')), 0)
    claim = Claim(start, start + len(answer), RESULT, found[0], answer)
    return [of_false_result(claim, facts)]
