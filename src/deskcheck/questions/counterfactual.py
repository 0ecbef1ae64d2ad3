"""counterfactual: if a variable had another value at some moment, what would the call return?

The truth comes from a run: the program runs to that moment, the variable is set, and the run continues
(`tracing.counterfactual`). An int, string, bool or list gets another value of its type, at moments drawn from
the run. The first change that alters the outcome is asked, so the outcome without it is never right. Source:
the "if x were 7 after step k" of this project's design; no published benchmark asks it.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from msgspec import Struct

from deskcheck.errors import NotResumable
from deskcheck.languages import parse_literal
from deskcheck.questions import NotAsked, outcome_of
from deskcheck.questions._drawn import asked_visits, draw
from deskcheck.records import EventKind, Limits, RunQuestion, TaskDraft, Trace
from deskcheck.states.visits import line_text, locals_at

QUESTION = {
    "en": "Suppose that during the call {call}, when line {line} (`{text}`) is about to be executed for time "
    "number {nth}, the variable {name} is set to {new}, and the run then goes on. What does the call return?",
    "zh": "假设在调用 {call} 期间，在第 {line} 行（`{text}`）即将第 {nth} 次执行时，变量 {name} "
    "被改为 {new}，然后程序继续运行。该调用的返回值是什么？",
}
FORM = {
    "en": "the returned value as one exact {literal} "
    '(if the call ends with an exception: "raises" and its type, for example raises {error})',
    "zh": "返回值，写成一个精确的 {literal}（若调用以异常结束，则写 raises 和异常类型，例如 raises {error}）",
}
NUMBERED = True
N_TRIED = 4
"""Number of moments tried in search of one that changes the outcome."""
LIMITS = Limits(max_steps=20_000, time_s=5.0)


class Change(Struct, frozen=True):
    """A change of a variable to ask about; its outcome is not known yet."""

    step: int
    """Last step of the frame before the moment."""
    name: str
    """The variable."""
    new: str
    """Literal of its new value."""
    at: str
    """Line, number of its execution and variable, for the task's id: "4.2.total"."""
    words: dict[str, str]
    """Words for the blanks of the question."""


def questions_of_all(runs: Sequence[tuple[TaskDraft, Trace]]) -> Iterator[list[RunQuestion] | NotAsked]:
    """Yield one question per run, if some change of a variable changes the outcome."""
    tried = [_changes(draft, trace) if draft.program.language == "python" else [] for draft, trace in runs]
    asked = (
        (draft.program, trace, change.step, {change.name: parse_literal(change.new)})
        for (draft, trace), changes in zip(runs, tried, strict=True)
        for change in changes
    )
    from deskcheck.tracing.counterfactual import counterfactuals  # the sandbox, which a browser lacks

    found = counterfactuals(asked, LIMITS)
    for (_, trace), changes in zip(runs, tried, strict=True):
        outcomes = [_outcome(one) for one in itertools.islice(found, len(changes))]
        yield _first(changes, outcomes, trace)


def _first(changes: list[Change], outcomes: list[str], trace: Trace) -> list[RunQuestion] | NotAsked:
    if trace.language != "python":
        return NotAsked(f"a run in {trace.language} cannot be continued with another value")
    try:
        without = outcome_of(trace)
    except NotAsked as why:
        return why
    for change, outcome in zip(changes, outcomes, strict=True):
        if outcome and outcome != without:
            return [RunQuestion(change.at, outcome, change.words)]
    return NotAsked("no change of a variable changes the outcome" if changes else "no variable to change")


def _outcome(trace: Trace | NotResumable) -> str:
    """Return the outcome of a changed run as an answer; "" if it has none."""
    if isinstance(trace, NotResumable):
        return ""
    try:
        return outcome_of(trace)
    except NotAsked:
        return ""


def _changes(draft: TaskDraft, trace: Trace) -> list[Change]:
    """Return moments at which a frame continues, each with a variable and its new value."""
    try:
        reached = asked_visits(draft.program, trace)
    except NotAsked:
        return []
    before = _steps_before(trace)
    later = [visit for visit in reached if visit.event in before]
    moments = draw(draft, "counterfactual", later, N_TRIED)
    held = locals_at(trace, [visit.event for visit in moments])
    changes = []
    for visit in moments:
        values = {name: text for name, text in held[visit.event].items() if other_value(text)}
        for name in draw(draft, f"counterfactual {visit.event}", list(values), 1):
            new = other_value(values[name])
            words = {"call": draft.program.call, "line": str(visit.line), "nth": str(visit.nth), "name": name}
            words |= {"new": new, "text": line_text(draft.program, visit.line)}
            at = f"{visit.line}.{visit.nth}.{name}"
            changes.append(Change(before[visit.event], name, new, at, words))
    return changes


def _steps_before(trace: Trace) -> dict[int, int]:
    """Return line event -> step of the line event before it in its frame, without the first of a frame."""
    last: dict[int, int] = {}
    steps = {}
    columns = trace.events
    for index, (kind, frame, step) in enumerate(zip(columns.kind, columns.frame, columns.step, strict=True)):
        if kind == EventKind.LINE:
            if frame in last:
                steps[index] = last[frame]
            last[frame] = step
    return steps


def other_value(text: str) -> str:
    """Return the literal of another value of the same type.

    "" for types that are not changed, for large or long values, and for lists of equal elements.
    """
    value = parse_literal(text)
    if isinstance(value, bool):
        return str(not value)
    if isinstance(value, int):
        return str(value + 3) if abs(value) < 10**9 else ""
    if isinstance(value, str) and len(value) < 40:
        return repr(value[1:] + "q")
    if isinstance(value, list) and len(value) < 12:
        return repr([*value[1:], *value[:1]]) if len(set(map(repr, value))) > 1 else ""
    return ""
