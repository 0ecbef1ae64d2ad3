"""Write the expressions of a Python source with values for their parts.

    expressions("s = (a + b) % 10").text((1, 4, 1, 16), value_of) -> "12 % 10"

`value_of(span, name)` gives the value of a part as text, or None. An evaluated part is written as its value.
A variable that its line may bind between two expressions keeps its name, because its value in the state may
be out of date.
"""

from __future__ import annotations

import ast
import copy
from collections import Counter
from collections.abc import Callable, Iterator

from deskcheck.languages import Span
from deskcheck.languages.python.parsing import parse_module
from deskcheck.languages.python.working import may_have_working

ValueOf = Callable[[Span, str], str | None]


def expressions(source: str) -> SourceExpressions:
    """Return the expressions of a source. SyntaxError if it does not parse."""
    return SourceExpressions(parse_module(source))


class SourceExpressions:
    """Expressions of one syntax tree, by span; implements `languages.Expressions`."""

    def __init__(self, tree: ast.Module) -> None:
        self._nodes = {_span(node): node for node in ast.walk(tree) if isinstance(node, ast.expr)}
        for node in [node for node in ast.walk(tree) if isinstance(node, ast.AugAssign)]:
            whole = ast.copy_location(ast.BinOp(node.target, node.op, node.value), node)
            self._nodes[_span(whole)] = whole  # the sum of `s += x` is an operation too
        self._moving = _moving_names(tree)

    def may_have_working(self, span: Span) -> bool:
        """Tell whether `working` supports the expression at a span."""
        return span in self._nodes and may_have_working(self._nodes[span])

    def text(self, span: Span, value_of: ValueOf) -> str | None:
        """Write the expression at a span; None if there is none."""
        node = self._nodes.get(span)
        if node is None:
            return None

        def text_of(part: ast.expr) -> str | None:
            known = isinstance(part, ast.Name) and (part.lineno, part.id) not in self._moving
            return value_of(_span(part), part.id if known and isinstance(part, ast.Name) else "")

        text: str = ast.unparse(_filled(node, node, text_of)).replace("\n", "\\n")
        return text


def _span(node: ast.expr) -> Span:
    return node.lineno, node.col_offset, node.end_lineno or 0, node.end_col_offset or 0


def _moving_names(tree: ast.AST) -> set[tuple[int, str]]:
    """Return (line, name) wherever a name may be bound between two expressions of one line's step.

    There, the value of the name in the state may be out of date. The names that an assignment or a loop
    binds are not included, because they are bound after all expressions.
    """
    statements = [node for node in ast.walk(tree) if isinstance(node, ast.stmt)]
    starts = Counter(node.lineno for node in statements)
    places: set[tuple[int, str]] = set()
    for node in statements:
        inner = ast.stmt | ast.excepthandler | ast.match_case
        parts = [part for part in ast.iter_child_nodes(node) if not isinstance(part, inner)]
        last = max([getattr(part, "end_lineno", 0) or 0 for part in parts], default=0)
        targets = _targets(node)
        if starts[node.lineno] == 1 and all(_is_names(target) for target in targets):
            parts = [part for part in parts if part not in targets]
        names = {name for part in parts for name in _bound(part)}
        places |= {(line, name) for name in names for line in range(node.lineno, max(last, node.lineno) + 1)}
    for case in [node for node in ast.walk(tree) if isinstance(node, ast.match_case)]:
        lines = range(case.pattern.lineno, case.body[0].lineno + 1)
        places |= {(line, name) for name in _bound(case.pattern) for line in lines}
    return places


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


def _filled(node: ast.AST, parent: ast.AST, text_of: Callable[[ast.expr], str | None]) -> ast.AST:
    """Return a copy of the expression with known values in place of its parts."""
    if isinstance(node, ast.expr):
        text = text_of(node)
        if text is not None:
            return ast.Name(_in_brackets(text, parent, node), ast.Load())
    if isinstance(node, ast.Lambda | ast.JoinedStr):
        return node
    new = copy.copy(node)
    if isinstance(new, ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp):
        first = copy.copy(new.generators[0])  # only the first iterable is evaluated in the enclosing scope
        first.iter = _filled(first.iter, new, text_of)  # type: ignore[assignment]  # an expression stays one
        new.generators = [first, *new.generators[1:]]
        return new
    for name, value in ast.iter_fields(node):
        if isinstance(value, ast.AST):
            setattr(new, name, _filled(value, node, text_of))
        elif isinstance(value, list):
            filled = [_filled(one, node, text_of) if isinstance(one, ast.AST) else one for one in value]
            setattr(new, name, filled)
    return new


def _in_brackets(text: str, parent: ast.AST, part: ast.AST) -> str:
    """Put a number in brackets where it would else be misread: `-3 ** 2`, `-3 .real`, `3.real`."""
    if isinstance(parent, ast.BinOp) and isinstance(parent.op, ast.Pow) and parent.left is part:
        return f"({text})" if text[0] == "-" else text
    has_part = isinstance(parent, ast.Attribute | ast.Subscript) and parent.value is part
    return f"({text})" if has_part and text[0] in "-0123456789" else text
