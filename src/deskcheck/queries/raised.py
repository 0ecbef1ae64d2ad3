"""List the exceptions of a run: the raising line with the values that it read, and the catching line.

raised(run) -> Raises(exceptions=[RaisedAt("KeyError", "'b'", At(4, 7, "return d[k]"), caught=At(..))])
"""

from __future__ import annotations

import re

from msgspec import Struct

from deskcheck.queries.answers import RaisedAt, Raises, Value
from deskcheck.queries.run import Run
from deskcheck.queries.why import at_of, handle_in
from deskcheck.records import EventKind, Raised
from deskcheck.tracing.replay import State, states
from deskcheck.viewer.text import fitting_text, short

MOST = 20  # exceptions in an answer, unless the caller asks for another number


class _Draft(Struct):
    type: str
    message: str
    line: int
    """LINE event of the raising line."""
    event: int
    values: list[Value]
    passed: list[int]
    caught: int = -1


def raised(run: Run, most: int = MOST) -> Raises:
    """Return the exceptions that appeared in the recorded lines: the number of all, and the first `most`."""
    drafts: list[_Draft] = []
    known: dict[int, _Draft] = {}  # by handle: a `finally` runs lines and raises the same exception again
    live: list[_Draft] = []
    reached: dict[int, int] = {}
    for event, state in states(run.trace):
        if event.kind is EventKind.LINE:
            reached[event.frame] = event.index
        if event.kind is EventKind.RAISE:
            line = reached.get(event.frame, -1)
            draft = known.get(event.value)
            if draft is None:
                draft = known[event.value] = _draft(run, state, event.value, line, event.index)
                drafts.append(draft)
            elif line != draft.line:
                draft.passed.append(line)
            draft.caught = -1
            live = [draft]
        elif event.kind in (EventKind.LINE, EventKind.RETURN):
            for draft in live:
                draft.caught = event.index if event.kind is EventKind.LINE else run.makers[event.index]
            live = []
    outcome = run.trace.outcome
    if isinstance(outcome, Raised) and drafts and drafts[-1].caught < 0:
        drafts[-1].type, drafts[-1].message = outcome.type, outcome.message
    return Raises(len(drafts), [_exception(run, draft) for draft in drafts[:most]])


def _draft(run: Run, state: State, handle: int, line: int, event: int) -> _Draft:
    held = state.object(handle) if handle >= 0 else None
    kind = held.type if held else "an exception"
    text = short(fitting_text(state, handle)) if handle >= 0 else ""
    message = re.sub(r"^args=\((.*?),?\)(?=$|, )", r"\1", text.partition("(")[2].removesuffix(")"))
    return _Draft(kind, message, line, event, _values(run, state, line), [])


def _values(run: Run, state: State, line: int) -> list[Value]:
    """Return the variables that a line reads, with their values in a state."""
    values = []
    for name in run.reads(line) if line >= 0 else []:
        cell = run.variable(name, event=line)
        handle = handle_in(state, cell) if cell else -1
        if handle >= 0:
            values.append(Value(name, short(fitting_text(state, handle))))
    return values


def _exception(run: Run, draft: _Draft) -> RaisedAt:
    caught = at_of(run, draft.caught) if draft.caught >= 0 else None
    passed = [at_of(run, line) for line in draft.passed]
    function = run.function(draft.event)
    return RaisedAt(draft.type, draft.message, at_of(run, draft.line), function, passed, caught, draft.values)
