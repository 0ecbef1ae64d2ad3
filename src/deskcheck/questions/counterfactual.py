"""counterfactual: had a variable been another at some moment, what would the call give?

The truth is a run: the program goes to that moment, the variable is bound, the run goes on (`tracing.
counterfactual`). Asked are ints, strings, bools and lists that have another value of their type, at moments
drawn from a run; the first that changes the outcome is the question, so "as without it" is never right.
Source: the "if x were 7 after step k" of this project's design; no published set asks it.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from msgspec import Struct

from deskcheck.errors import NotResumable
from deskcheck.grading.literals import parse_literal
from deskcheck.questions import NotAsked, outcome_of
from deskcheck.questions._drawn import asked_visits, draw
from deskcheck.records import EventKind, Item, Limits, Probe, Trace
from deskcheck.states.visits import line_text, locals_at
from deskcheck.tracing.counterfactual import counterfactuals

QUESTION = {
    "en": "Suppose that during the call {call}, when line {line} (`{text}`) is about to be executed for time "
    "number {nth}, the variable {name} is set to {new}, and the run then goes on. What does the call return?",
    "zh": "假设在调用 {call} 期间，在第 {line} 行（`{text}`）即将第 {nth} 次执行时，变量 {name} "
    "被改为 {new}，然后程序继续运行。该调用的返回值是什么？",
}
FORM = {
    "en": "the returned value as one exact Python literal "
    '(if the call ends with an exception: "raises" and its type, for example raises KeyError)',
    "zh": "返回值，写成一个精确的 Python 字面量"
    "（若调用以异常结束，则写 raises 和异常类型，例如 raises KeyError）",
}
NUMBERED = True
N_TRIED = 4
"""Moments that are tried for one that changes the outcome."""
LIMITS = Limits(max_steps=20_000, time_s=5.0)


class Change(Struct, frozen=True):
    """One question, before its truth is known."""

    step: int
    """The last one of the frame before the moment."""
    name: str
    new: str
    at: str
    words: dict[str, str]


def probes_of_all(runs: Sequence[tuple[Item, Trace]]) -> Iterator[list[Probe] | NotAsked]:
    """One question a run where some change of a variable changes the outcome."""
    tried = [_changes(item, trace) for item, trace in runs]
    asked = (
        (item.program, trace, change.step, {change.name: parse_literal(change.new)})
        for (item, trace), changes in zip(runs, tried, strict=True)
        for change in changes
    )
    found = counterfactuals(asked, LIMITS)
    for (_, trace), changes in zip(runs, tried, strict=True):
        outcomes = [_outcome(one) for one in itertools.islice(found, len(changes))]
        yield _first(changes, outcomes, trace)


def _first(changes: list[Change], outcomes: list[str], trace: Trace) -> list[Probe] | NotAsked:
    try:
        without = outcome_of(trace)
    except NotAsked as why:
        return why
    for change, outcome in zip(changes, outcomes, strict=True):
        if outcome and outcome != without:
            return [Probe(change.at, outcome, change.words)]
    return NotAsked("no change of a variable changes the outcome" if changes else "no variable to change")


def _outcome(found: Trace | NotResumable) -> str:
    """The answer, "" where there is none."""
    if isinstance(found, NotResumable):
        return ""
    try:
        return outcome_of(found)
    except NotAsked:
        return ""


def _changes(item: Item, trace: Trace) -> list[Change]:
    """Moments at which a frame goes on, each with a variable and its new value."""
    try:
        reached = asked_visits(item.program, trace)
    except NotAsked:
        return []
    before = _steps_before(trace)
    later = [visit for visit in reached if visit.event in before]
    moments = draw(item, "counterfactual", later, N_TRIED)
    held = locals_at(trace, [visit.event for visit in moments])
    found = []
    for visit in moments:
        values = {name: text for name, text in held[visit.event].items() if other_value(text)}
        for name in draw(item, f"counterfactual {visit.event}", list(values), 1):
            new = other_value(values[name])
            words = {"call": item.program.call, "line": str(visit.line), "nth": str(visit.nth), "name": name}
            words |= {"new": new, "text": line_text(item.program, visit.line)}
            at = f"{visit.line}.{visit.nth}.{name}"
            found.append(Change(before[visit.event], name, new, at, words))
    return found


def _steps_before(trace: Trace) -> dict[int, int]:
    """Line event -> step of the line event before it in its frame; not for the first of a frame."""
    last: dict[int, int] = {}
    found = {}
    columns = trace.events
    for index, (kind, frame, step) in enumerate(zip(columns.kind, columns.frame, columns.step, strict=True)):
        if kind == EventKind.LINE:
            if frame in last:
                found[index] = last[frame]
            last[frame] = step
    return found


def other_value(text: str) -> str:
    """Literal text of another value of the same type; "" for types that are left alone."""
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
