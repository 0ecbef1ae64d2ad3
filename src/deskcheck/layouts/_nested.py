"""Write the operations inside one line's step as text, innermost first, with values for operands.

    for before, operations, step, after in nested_steps(trace, program): ..
    line `s = (a + b) % 10`  ->  [Operation("3 + 9", 12), Operation("12 % 10", 2)]

An evaluated part is written as its value, and so is a variable that holds a number, a string, a truth value
or None. Other variables keep their names, so that `len(a)` is not written with the whole list. The trace
must have expression granularity. Operations in files other than the program's own are left out.
"""

from __future__ import annotations

import ast
import copy
from collections import Counter
from collections.abc import Callable, Iterator

from msgspec import Struct

from deskcheck.records import Event, EventKind, Program, Trace
from deskcheck.states.steps import steps
from deskcheck.states.tree import StateTree, Step, Value
from deskcheck.states.working import may_have_working, working
from deskcheck.tracing.replay import FrameState, State

Span = tuple[int, int, int, int]
"""line, column, end line, end column, as in the syntax tree."""
Draw = Callable[[int], Value]
"""Value handle -> its tree."""


class Operation(Struct, frozen=True):
    """One call, operator, subscript, attribute or comparison, with its value."""

    text: str
    value: Value
    working: str = ""
    """Intermediate results, written before the value (`states/working.py`); "" = none."""

    def __str__(self) -> str:
        return f"{self.text} -> {self.working}{' = ' if self.working else ''}{self.value}"


def nested_steps(
    trace: Trace, program: Program | None = None
) -> Iterator[tuple[StateTree, list[Operation], Step, StateTree]]:
    """Yield every line step with its operations, whose texts are "..." if no program is given."""
    writer = _Writer(trace, program.source if program else "")
    for before, step, after in steps(trace, between=writer.saw):
        yield before, writer.take(), step, after


class _Writer:
    """Writer of operations, which follows the expression events of one trace."""

    def __init__(self, trace: Trace, source: str) -> None:
        tree = ast.parse(source)
        self._events = trace.events
        self._files = [code.file for code in trace.codes]
        self._found: list[Operation] = []
        self._known: dict[
            int, dict[Span, Value]
        ] = {}  # by frame: values that no later expression has used yet
        self._nodes = {_span(node): node for node in ast.walk(tree) if isinstance(node, ast.expr)}
        for node in [node for node in ast.walk(tree) if isinstance(node, ast.AugAssign)]:
            whole = ast.copy_location(ast.BinOp(node.target, node.op, node.value), node)
            self._nodes[_span(whole)] = whole  # the sum of `s += x` is an operation too
        self._moving = _moving_names(tree)

    def take(self) -> list[Operation]:
        """Return the operations since the last call, and forget them."""
        found, self._found = self._found, []
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
            node = self._nodes.get(span)
            self._found.append(self._operation(node, value, known, frame, draw))
        for inner in [one for one in known if _contains(span, one)]:
            del known[inner]
        known[span] = value

    def _operation(
        self,
        node: ast.expr | None,
        value: Value,
        known: dict[Span, Value],
        frame: FrameState,
        draw: Draw,
    ) -> Operation:
        if node is None:
            return Operation("...", value)
        text = self._text(node, known, frame, draw)
        plain = self._text(node, known, frame, draw, all_values=True) if may_have_working(node) else ""
        return Operation(text, value, working(plain) if plain and not value.label else "")

    def _text(
        self,
        node: ast.expr,
        known: dict[Span, Value],
        frame: FrameState,
        draw: Draw,
        *,
        all_values: bool = False,
    ) -> str:
        """Write an expression with values for its parts.

        With `all_values`, variables that hold lists or other objects are replaced by their values too.
        """
        whole = _span(node)

        def value_of(part: ast.expr) -> Value | None:
            at = _span(part)
            if at in known and at != whole:
                return known[at]
            if not isinstance(part, ast.Name) or (part.lineno, part.id) in self._moving:
                return None
            held = draw(frame.bindings[part.id]) if part.id in frame.bindings else None
            return held if held is not None and (all_values or held.kind == "literal") else None

        text: str = ast.unparse(_filled(node, node, value_of)).replace("\n", "\\n")
        return text


def _span(node: ast.expr) -> Span:
    return node.lineno, node.col_offset, node.end_lineno or 0, node.end_col_offset or 0


def _contains(outer: Span, inner: Span) -> bool:
    return outer[:2] <= inner[:2] and inner[2:] <= outer[2:]


def _moving_names(tree: ast.AST) -> set[tuple[int, str]]:
    """Return (line, name) wherever a name may be bound between two expressions of one line's step.

    There, the value of the name in the state may be out of date. The names that an assignment or a loop
    binds are not included, because they are bound after all expressions.
    """
    statements = [node for node in ast.walk(tree) if isinstance(node, ast.stmt)]
    starts = Counter(node.lineno for node in statements)
    found: set[tuple[int, str]] = set()
    for node in statements:
        inner = ast.stmt | ast.excepthandler | ast.match_case
        parts = [part for part in ast.iter_child_nodes(node) if not isinstance(part, inner)]
        last = max([getattr(part, "end_lineno", 0) or 0 for part in parts], default=0)
        targets = _targets(node)
        if starts[node.lineno] == 1 and all(_is_names(target) for target in targets):
            parts = [part for part in parts if part not in targets]
        names = {name for part in parts for name in _bound(part)}
        found |= {(line, name) for name in names for line in range(node.lineno, max(last, node.lineno) + 1)}
    for case in [node for node in ast.walk(tree) if isinstance(node, ast.match_case)]:
        lines = range(case.pattern.lineno, case.body[0].lineno + 1)
        found |= {(line, name) for name in _bound(case.pattern) for line in lines}
    return found


def _targets(node: ast.stmt) -> list[ast.expr]:
    if isinstance(node, ast.Assign):
        return node.targets
    return [node.target] if isinstance(node, ast.AugAssign | ast.AnnAssign | ast.For | ast.AsyncFor) else []


def _is_names(target: ast.expr) -> bool:
    kinds = ast.Name | ast.Tuple | ast.List | ast.Starred | ast.expr_context
    return all(isinstance(node, kinds) for node in ast.walk(target))


def _bound(part: ast.AST) -> Iterator[str]:
    for node in ast.walk(part):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.MatchAs | ast.MatchStar) and node.name:
            yield node.name
        elif isinstance(node, ast.MatchMapping) and node.rest:
            yield node.rest


def _filled(node: ast.AST, parent: ast.AST, value_of: Callable[[ast.expr], Value | None]) -> ast.AST:
    """Return a copy of the expression with known values in place of its parts."""
    if isinstance(node, ast.expr):
        value = value_of(node)
        if value is not None and _is_plain(value):
            return ast.Name(_in_brackets(str(value), parent, node), ast.Load())
    if isinstance(node, ast.Lambda | ast.JoinedStr):
        return node
    new = copy.copy(node)
    if isinstance(new, ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp):
        first = copy.copy(new.generators[0])  # only the first iterable is evaluated outside
        first.iter = _filled(first.iter, new, value_of)  # type: ignore[assignment]  # an expression stays one
        new.generators = [first, *new.generators[1:]]
        return new
    for name, value in ast.iter_fields(node):
        if isinstance(value, ast.AST):
            setattr(new, name, _filled(value, node, value_of))
        elif isinstance(value, list):
            filled = [_filled(one, node, value_of) if isinstance(one, ast.AST) else one for one in value]
            setattr(new, name, filled)
    return new


def _is_plain(value: Value) -> bool:
    """Whether the text of a value is a Python expression for this value."""
    if value.label or value.kind in ("opaque", "label") or (value.kind == "call" and value.text != "range"):
        return False
    return not (value.text and value.kind not in ("literal", "call", "set")) and all(
        map(_is_plain, value.items)
    )


def _in_brackets(text: str, parent: ast.AST, part: ast.AST) -> str:
    """Put a number in brackets where it would be misread without: `-3 ** 2`, `-3 .real`, `3.real`."""
    if isinstance(parent, ast.BinOp) and isinstance(parent.op, ast.Pow) and parent.left is part:
        return f"({text})" if text[0] == "-" else text
    has_part = isinstance(parent, ast.Attribute | ast.Subscript) and parent.value is part
    return f"({text})" if has_part and text[0] in "-0123456789" else text
