"""state: which value and type does a variable have after a line has been executed?

Source: the state task of REval (arXiv 2403.16437). There any value that the line gave in some round is right.
Here the question names the round (the first one if a benchmark names only the line). The variable is one that
the line assigns, and its value has to be plain data. Three moments are drawn from a run.
"""

from __future__ import annotations

from msgspec import Struct

from deskcheck.languages import facts, sequence, write
from deskcheck.questions import NotAsked
from deskcheck.questions._drawn import N_DRAWN, asked_visits, draw
from deskcheck.questions._unclear import unclear
from deskcheck.records import RunQuestion, TaskDraft, Trace
from deskcheck.states.visits import Visit, line_text, types_and_values

ABOUT_STATES = True
"""The question is about values within the run, not about the result."""
QUESTION = {
    "en": "During the call {call}: which value does the variable {name} have, and of which type is it, right "
    "after line {line} (`{text}`) has been executed for time number {nth}?",
    "zh": "在调用 {call} 期间：第 {line} 行（`{text}`）第 {nth} 次执行完之后，变量 {name} 的值和类型是什么？",
}
FORM = {
    "en": "{tuple} of the value and the name of its type, for example {open}{pair}{close}",
    "zh": "由值和类型名组成的 {tuple}，例如 {open}{pair}{close}",
}
NUMBERED = True


class Moment(Struct, frozen=True):
    """A variable at the end of a visit."""

    visit: Visit
    name: str


def questions(draft: TaskDraft, trace: Trace) -> list[RunQuestion]:
    """Ask about up to three drawn moments of a run."""
    language = draft.program.language
    reached, candidates = _candidates(draft, trace)
    moments = _drawn(draft, trace, reached, candidates)
    values = _values_at(trace, moments)
    made = [
        RunQuestion(
            _place(moment),
            sequence(language, [value[0], write(language, value[1])]),
            {
                "call": draft.program.call,
                "name": moment.name,
                "line": str(moment.visit.line),
                "nth": str(moment.visit.nth),
                "text": line_text(draft.program, moment.visit.line),
            },
        )
        for moment in moments
        if (value := values.get((moment.visit.event, moment.name))) is not None
    ]
    if not made:
        raise NotAsked(_why_none(draft, reached, candidates))
    return made


def left_out(draft: TaskDraft, trace: Trace, *, n_asked: int) -> list[tuple[str, str, str]]:
    """Return (place, reason, detail) of the drawn moments without a plain value, in a run with questions."""
    if n_asked >= N_DRAWN:
        return []
    moments = _drawn(draft, trace, *_candidates(draft, trace))
    if len(moments) <= n_asked:
        return []
    values = _values_at(trace, moments)
    return [
        (_place(moment), "no plain value after the line", moment.name)
        for moment in moments
        if (moment.visit.event, moment.name) not in values
    ]


def _place(moment: Moment) -> str:
    return f"{moment.visit.line}.{moment.visit.nth}.{moment.name}"


def _candidates(draft: TaskDraft, trace: Trace) -> tuple[list[Visit], list[Moment]]:
    """Return all visits of the run, and all moments at which a line has just assigned a variable.

    If the benchmark names a line and a variable, the only moment is the first visit of that line.
    """
    reached = asked_visits(draft.program, trace)
    assigned = facts(draft.program).assigned
    if draft.line:
        return reached, [Moment(visit, draft.variable) for visit in reached if visit.line == draft.line][:1]
    return reached, [Moment(visit, name) for visit in reached for name in assigned.get(visit.line, ())]


def _drawn(draft: TaskDraft, trace: Trace, reached: list[Visit], candidates: list[Moment]) -> list[Moment]:
    twofold = unclear(reached, trace)
    return draw(draft, "state", [moment for moment in candidates if moment.visit.event not in twofold])


def _values_at(trace: Trace, moments: list[Moment]) -> dict[tuple[int, str], tuple[str, str]]:
    return types_and_values(trace, [(moment.visit.event, moment.name) for moment in moments])


def _why_none(draft: TaskDraft, reached: list[Visit], moments: list[Moment]) -> str:
    """Return the reason why a run has no moment to ask about."""
    if draft.line and not any(visit.line == draft.line for visit in reached):
        return "the line is not reached"
    if draft.line and not draft.variable.isidentifier():
        return f"the place is no variable: {draft.variable}"
    if draft.line:
        return "no plain value after the line" if moments else "no variable is assigned"
    return "no plain variable is assigned" if moments else "no variable is assigned"
