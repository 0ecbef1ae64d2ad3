"""Collect the values of a run's variables and expressions, so that statements can be looked up in them.

facts_of_run(program, trace) -> RunFacts(moments, expressions, result, ..)
history_of("xs[0]", facts) -> [(4, 3), (9, 5)]        event and value, at each change
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import Any

from msgspec import Struct

from deskcheck.languages import equal, parse_literal
from deskcheck.records import EventKind, Program, Returned, Trace
from deskcheck.statements.claims import RESULT
from deskcheck.statements.expressions import Unknown, evaluated
from deskcheck.statements.rounds import Moment
from deskcheck.states.visits import plain_text
from deskcheck.tracing.literal import is_plain, outcome_text
from deskcheck.tracing.replay import State, states

MOST_TEXT = 20_000
"""Most characters of a value, or of a model's text, that are looked at."""
NEVER = object()
"""A value that no variable has."""


class RunFacts(Struct):
    """Values of the true run, by the event at which they occur."""

    moments: list[Moment]
    """Event, frame and plain values of the frame's variables, at each event with changes, call and return."""
    expressions: dict[str, list[tuple[int, Any]]]
    """Source text of an expression -> event and value."""
    names: set[str]
    """Names of all variables that had a plain value."""
    result: list[Any]
    """The returned value as the only item; empty if it has no literal."""
    returned: list[Any]
    """Literal values that calls of the run returned."""
    n_events: int
    ran: dict[int, int]
    """Event of a moment -> the line of its frame that ran last before it; 0 = none."""
    lines: list[str]
    """Lines of the program, without their indentation."""
    passed: dict[int, list[int]]
    """Line -> for each of its runs, the next event in the same frame."""
    ends: dict[int, int]
    """Event of a moment -> the last event of its frame."""
    calls: list[tuple[int, dict[str, Any]]]
    """Event and arguments of every call of a function that has a name."""
    appended: list[tuple[int, str]]
    """Line and source text of the argument of each call of `append`."""
    heads: dict[str, int] = {}
    """Variable of a `for` -> the line of its loop."""
    fills: dict[str, list[int]] = {}
    """Variable -> the lines of the loops whose body assigns it, sets an item of it or calls a method of
    it."""
    tests: list[str] = []
    """Source text of the conditions of `if` and `while`."""
    tree: ast.Module | None = None
    """The program; None = it can't be parsed."""
    entry: str = ""
    """Name of the function that is called, as the program gives it: "f", "Box.add"."""
    path: list[tuple[int, int, int]] = []
    """Event, frame and line of every line event, return and unwinding."""
    step: list[int] = []
    """Event -> the step of its line."""


def facts_of_run(program: Program, trace: Trace) -> RunFacts:
    """Collect the facts of a run, without values that have no literal or one of over MOST_TEXT characters."""
    lines = program.source.split("\n")
    facts = RunFacts(
        [], {}, set(), [], [], len(trace.events.kind), {}, [line.strip() for line in lines], {}, {}, [], []
    )
    facts.appended = _appended(program.source)
    facts.tests, facts.heads = _conditions(program.source)
    facts.fills = _fills(program.source)
    facts.tree, facts.entry, facts.step = _tree(program.source), program.entry, trace.events.step
    known: dict[str, Any] = {}
    line_of: dict[int, int] = {}
    last: dict[int, int] = {}
    for event, state in states(trace):
        if event.changes or event.kind in (EventKind.CALL, EventKind.RETURN):
            values = _plain_values(trace, state, known)
            facts.names.update(values)
            facts.moments.append((event.index, event.frame, values))
            code = trace.codes[trace.frames.code[event.frame]]
            if event.kind is EventKind.CALL and not code.name.rpartition(".")[2].startswith("<"):
                facts.calls.append((event.index, values))
            facts.ran[event.index] = line_of.get(event.frame, 0)
        if event.kind in (EventKind.LINE, EventKind.RETURN, EventKind.UNWIND):
            if event.frame in line_of:
                facts.passed.setdefault(line_of[event.frame], []).append(event.index)
            line_of[event.frame] = event.line
            facts.path.append((event.index, event.frame, event.line))
            last[event.frame] = event.index
        if event.kind is EventKind.RETURN and event.value >= 0:
            facts.returned += _value_of(trace, state, event.value, known)
        if event.kind is EventKind.EXPRESSION and event.value >= 0:
            source = _source(trace, event.index, event.line, lines)
            value = _value_of(trace, state, event.value, known)
            if source and value:
                facts.expressions.setdefault(source, []).append((event.index, value[0]))
    facts.ends = {event: last.get(frame, event) for event, frame, _ in facts.moments}
    if isinstance(trace.outcome, Returned) and is_plain(trace):
        facts.result = [parse_literal(outcome_text(trace))]
    return facts


def _tree(source: str) -> ast.Module | None:
    try:
        return ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _appended(source: str) -> list[tuple[int, str]]:
    try:
        calls = [one for one in ast.walk(ast.parse(source)) if isinstance(one, ast.Call)]
    except (SyntaxError, ValueError, RecursionError):
        return []
    adds = [one for one in calls if isinstance(one.func, ast.Attribute) and one.func.attr == "append"]
    return [(one.lineno, ast.unparse(one.args[0])) for one in adds if len(one.args) == 1]


def _conditions(source: str) -> tuple[list[str], dict[str, int]]:
    """Return the conditions of `if` and `while`, and for each variable of a `for` the line of its loop."""
    try:
        parts = list(ast.walk(ast.parse(source)))
    except (SyntaxError, ValueError, RecursionError):
        return [], {}
    tests = [ast.unparse(one.test) for one in parts if isinstance(one, ast.If | ast.While)]
    loops = [one for one in parts if isinstance(one, ast.For) and isinstance(one.target, ast.Name)]
    return tests, {ast.unparse(one.target): one.lineno for one in loops}


def _fills(source: str) -> dict[str, list[int]]:
    """Return each variable that loops assign, call a method of, or set an item of, with their lines."""
    places: dict[str, list[int]] = {}
    try:
        loops = [one for one in ast.walk(ast.parse(source)) if isinstance(one, ast.For | ast.While)]
    except (SyntaxError, ValueError, RecursionError):
        return {}
    for loop in loops:
        for part in (one for statement in loop.body for one in ast.walk(statement)):
            place: ast.AST = part
            if isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute):
                place = part.func.value
            elif not (isinstance(part, ast.Name | ast.Subscript) and isinstance(part.ctx, ast.Store)):
                continue
            while isinstance(place, ast.Subscript):
                place = place.value
            if isinstance(place, ast.Name):
                places.setdefault(place.id, []).append(loop.lineno)
    return places


def plain_moments(trace: Trace) -> list[Moment]:
    """Return the moments of a run: its events with changes, calls and returns (`RunFacts.moments`)."""
    known: dict[str, Any] = {}
    return [
        (event.index, event.frame, _plain_values(trace, state, known))
        for event, state in states(trace)
        if event.changes or event.kind in (EventKind.CALL, EventKind.RETURN)
    ]


def _plain_values(trace: Trace, state: State, known: dict[str, Any]) -> dict[str, Any]:
    rows = ((name, _value_of(trace, state, handle, known)) for name, handle in state.top.bindings.items())
    return {name: found[0] for name, found in rows if found}


def _value_of(trace: Trace, state: State, handle: int, known: dict[str, Any]) -> list[Any]:
    text = plain_text(trace, state, handle)
    if text is None or len(text) > MOST_TEXT:
        return []
    if text not in known:
        known[text] = parse_literal(text)
    return [known[text]]


def _source(trace: Trace, event: int, line: int, lines: list[str]) -> str:
    """Return the source text of an expression as ast.unparse writes it; "" if it spans several lines."""
    columns = trace.events
    if not columns.end_line or columns.end_line[event] != line or columns.column[event] < 0:
        return ""
    raw = lines[line - 1].encode()[columns.column[event] : columns.end_column[event]]
    return normal_source(raw.decode("utf-8", "replace"))


def normal_source(text: str) -> str:
    """Return an expression as `ast.unparse` writes it; "" if the text is no expression."""
    try:
        return ast.unparse(ast.parse(text.strip(), mode="eval"))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ""


def method_of(source: str) -> str:
    """Return the name of the method that an expression calls; "" if it is no method call."""
    tree = ast.parse(source, mode="eval").body if source != RESULT else None
    return tree.func.attr if isinstance(tree, ast.Call) and isinstance(tree.func, ast.Attribute) else ""


def history_of(about: str, facts: RunFacts) -> list[tuple[int, Any]]:
    """Return the values of a variable or an expression, each with the event at which it appears."""
    history: list[tuple[int, Any]] = []
    source = normal_source(about)
    if not source:
        return []
    tree = ast.parse(source, mode="eval").body
    if isinstance(tree, ast.Constant):
        return []
    last: dict[int, Any] = {}
    for event, frame, values in facts.moments:
        try:
            value = evaluated(tree, values)
        except Unknown:
            continue
        if frame not in last or not equal(last[frame], value):
            history.append((event, value))
            last[frame] = value
    history += facts.expressions.get(source, ())
    return sorted(history, key=lambda row: row[0])


def values_of_run(facts: RunFacts) -> Iterator[tuple[int, str, Any]]:
    """Yield event, name or source, and value: of variables, then of expressions, then the result."""
    for event, _, values in facts.moments:
        yield from ((event, name, value) for name, value in values.items())
    for source, rows in facts.expressions.items():
        yield from ((event, source, value) for event, value in rows)
    yield from ((facts.n_events, RESULT, value) for value in facts.result)


def is_same(value: Any, stated: Any) -> bool:
    """Whether a value equals a stated one; numbers may differ by a relative 1e-9."""
    return equal(value, stated, "lenient:1e-9") or (value is stated)


def is_list_of_states(stated: Any, values: list[Any]) -> bool:
    """Whether a list such as [0, 1, 2] has only values that a variable takes, in whatever order."""
    if not isinstance(stated, list | tuple) or not stated:
        return False
    return all(any(is_same(value, one) for value in values) for one in stated)


def likeness(value: Any, stated: Any) -> float:
    """Return the similarity of two values' texts, from 0 to 1, by their first 500 characters."""
    return SequenceMatcher(None, repr(value)[:500], repr(stated)[:500], autojunk=False).ratio()
