"""Write the operations inside one line's step as text, innermost first, with values for operands.

    for before, operations, step, after in nested_steps(trace, program): ..
    line `s = (a + b) % 10`  ->  [Operation("3 + 9", 12), Operation("12 % 10", 2)]

An evaluated part is written as its value, and so is a variable that holds a number, a string, a truth value
or None. Other variables keep their names, so that `len(a)` is not written with the whole list. The trace
must have expression granularity. Operations in files other than the program's own are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec import Struct

from deskcheck.languages import Expressions, Span, part
from deskcheck.records import Event, EventKind, Program, Trace
from deskcheck.states.steps import steps
from deskcheck.states.tree import StateTree, Step, Value
from deskcheck.tracing.replay import FrameState, State

Draw = Callable[[int], Value]
"""Function from the handle of a value to the value as a tree."""


class Operation(Struct, frozen=True):
    """One call, operator, subscript, attribute or comparison, with its value."""

    text: str
    value: Value
    working: str = ""
    """Intermediate results, written before the value (`languages/python/working.py`); "" = none."""

    def __str__(self) -> str:
        return f"{self.text} -> {self.working}{' = ' if self.working else ''}{self.value}"


def nested_steps(
    trace: Trace, program: Program | None = None
) -> Iterator[tuple[StateTree, list[Operation], Step, StateTree]]:
    """Yield (state before, operations, step, state after) for every line step.

    Without a program, the text of each operation is "...".
    """
    writer = _Writer(trace, program)
    for before, step, after in steps(trace, between=writer.saw):
        yield before, writer.take(), step, after


class _Writer:
    """Writer of operations, which follows the expression events of one trace."""

    def __init__(self, trace: Trace, program: Program | None) -> None:
        self._language = program.language if program else trace.language
        self._expressions: Expressions = part(self._language, "expressions")(
            program.source if program else ""
        )
        self._events = trace.events
        self._files = [code.file for code in trace.codes]
        self._operations: list[Operation] = []
        self._known: dict[
            int, dict[Span, Value]
        ] = {}  # frame -> span -> value that no later expression has used yet

    def take(self) -> list[Operation]:
        """Return the operations since the last call, and forget them."""
        found, self._operations = self._operations, []
        return found

    def saw(self, event: Event, state: State, draw: Draw) -> None:
        """Write the operation of an expression event; ignore other events."""
        if event.kind != EventKind.EXPRESSION:
            return
        columns, at = self._events, event.index
        span = (event.line, columns.column[at], columns.end_line[at], columns.end_column[at])
        frame = next(one for one in reversed(state.frames) if one.number == event.frame)
        known = self._known.setdefault(event.frame, {})
        value = draw(event.value)
        if self._files[frame.code] == 0:
            self._operations.append(self._operation(span, value, known, frame, draw))
        for inner in [one for one in known if _contains(span, one)]:
            del known[inner]
        known[span] = value

    def _operation(
        self, span: Span, value: Value, known: dict[Span, Value], frame: FrameState, draw: Draw
    ) -> Operation:
        text = self._text(span, known, frame, draw)
        if text is None:
            return Operation("...", value)
        supported = self._expressions.may_have_working(span) and not value.label
        plain = self._text(span, known, frame, draw, all_values=True) if supported else ""
        return Operation(text, value, part(self._language, "working")(plain) if plain else "")

    def _text(
        self,
        span: Span,
        known: dict[Span, Value],
        frame: FrameState,
        draw: Draw,
        *,
        all_values: bool = False,
    ) -> str | None:
        """Write an expression with values for its parts.

        With `all_values`, variables that hold lists or other objects are replaced by their values too.
        """

        def value_of(at: Span, name: str) -> str | None:
            if at in known and at != span:
                return str(known[at]) if _is_plain(known[at]) else None
            held = draw(frame.bindings[name]) if name and name in frame.bindings else None
            if held is None or not (all_values or held.kind == "literal"):
                return None
            return str(held) if _is_plain(held) else None

        return self._expressions.text(span, value_of)


def _contains(outer: Span, inner: Span) -> bool:
    return outer[:2] <= inner[:2] and inner[2:] <= outer[2:]


def _is_plain(value: Value) -> bool:
    """Whether the text of a value is a Python expression for this value."""
    if value.label or value.kind in ("opaque", "label") or (value.kind == "call" and value.text != "range"):
        return False
    return not (value.text and value.kind not in ("literal", "call", "set")) and all(
        map(_is_plain, value.items)
    )
