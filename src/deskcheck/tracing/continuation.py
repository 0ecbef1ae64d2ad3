"""What is left to execute of a function body from one of its statements on.

    place = find_statement(body, line)             the statement that begins on that line, and the way to it
    continuation(body, place, own_loop=False)      statements that do the rest

The rest refers to names that `resume` defines: `__iterators` (of the live for loops, outermost first),
`__again`
(first the interrupted iteration, then the loop's iterator) and `__returned()` (the outcome of a pending
call).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from deskcheck.errors import NotResumable

Step = tuple[ast.stmt, str, list[ast.stmt]]  # a compound statement, which block of it, that block
_TRANSPARENT = (ast.If, ast.For, ast.While, ast.Try, ast.Match)


@dataclass(frozen=True)
class Place:
    """Where a function goes on."""

    statement: ast.stmt
    path: list[Step]
    """Compound statements around it, outermost first."""
    replaced: ast.stmt | None = None
    """What is executed in the statement's stead: a pending call's outcome is plugged in."""

    @property
    def n_loops(self) -> int:
        """Enclosing for loops whose iterator is live."""
        return sum(isinstance(node, ast.For) and block == "body" for node, block, _ in self.path)


def find_statement(body: list[ast.stmt], line: int) -> Place:
    """The one statement that begins on the line. NotResumable where that is not clear."""
    found = [place for place in _statements(body, []) if place.statement.lineno == line]
    if len(found) > 1:
        raise NotResumable(f"several statements begin on line {line}")
    if not found:
        raise NotResumable(f"no statement begins on line {line}: it lies inside one, or in an except clause")
    place = found[0]
    if _header_end(place.statement) > line:
        raise NotResumable(f"the statement on line {line} goes over several lines")
    for node, block, _ in place.path:
        if not isinstance(node, _TRANSPARENT):
            raise NotResumable(f"line {line} is inside a {type(node).__name__.lower()} block")
        if isinstance(node, ast.Try) and block == "finalbody":
            raise NotResumable(f"line {line} is inside a finally block, with an outcome that may be pending")
    if isinstance(place.statement, ast.With | ast.AsyncWith | ast.AsyncFor | ast.TryStar):
        raise NotResumable(f"line {line} is a {type(place.statement).__name__} statement, entered or left")
    return place


def pending_call(place: Place, callee: str) -> Place:
    """The same place with the outcome of its call plugged in. NotResumable if there is more to it."""
    statement = place.statement
    line = statement.lineno
    value = (
        statement.value if isinstance(statement, ast.Assign | ast.AnnAssign | ast.Return | ast.Expr) else None
    )
    if not isinstance(value, ast.Call):
        raise NotResumable(f"the pending call on line {line} is part of a larger expression or statement")
    called = value.func.id if isinstance(value.func, ast.Name) else getattr(value.func, "attr", "")
    inner = [*ast.walk(value.func), *(n for a in (*value.args, *value.keywords) for n in ast.walk(a))]
    if called != callee.rpartition(".")[2] or any(_may_call(node) for node in inner):
        raise NotResumable(f"which call on line {line} is pending is not clear: {callee} is running")
    made = ast.copy_location(_with_value(statement, _load_call("__returned")), statement)
    return Place(statement, place.path, made)


def _may_call(node: ast.AST) -> bool:
    return isinstance(node, ast.Call | ast.Await | ast.comprehension | ast.Lambda)


def _with_value(statement: ast.stmt, value: ast.expr) -> ast.stmt:
    if isinstance(statement, ast.Assign):
        return ast.Assign(statement.targets, value)
    if isinstance(statement, ast.AnnAssign):
        return ast.AnnAssign(statement.target, statement.annotation, value, statement.simple)
    return ast.Return(value) if isinstance(statement, ast.Return) else ast.Expr(value)


def _statements(body: list[ast.stmt], path: list[Step]) -> Iterator[Place]:
    for statement in body:
        yield Place(statement, path)
        for name, block in _blocks(statement):
            yield from _statements(block, [*path, (statement, name, block)])


def _blocks(statement: ast.stmt) -> Iterator[tuple[str, list[ast.stmt]]]:
    """The blocks of a compound statement that belong to the same frame."""
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return
    for name in ("body", "orelse", "finalbody"):
        block = getattr(statement, name, None)
        if block:
            yield name, block
    for handler in getattr(statement, "handlers", []):
        yield "handler", handler.body
    for case in getattr(statement, "cases", []):
        yield "case", case.body


def _header_end(statement: ast.stmt) -> int:
    """Last line of a simple statement, or of a compound statement's header."""
    blocks = list(_blocks(statement))
    if not blocks:
        decorated = isinstance(statement, ast.FunctionDef | ast.ClassDef)
        return statement.lineno if decorated else statement.end_lineno or statement.lineno
    heads = [getattr(statement, name, None) for name in ("test", "iter", "target", "subject")]
    return max([statement.lineno, *(h.end_lineno or h.lineno for h in heads if isinstance(h, ast.expr))])


# ------------------------------------------------------------------ the rest


def continuation(body: list[ast.stmt], place: Place, *, own_loop: bool) -> list[ast.stmt]:
    """Statements that do what is left of the body."""
    return _rest(body, place, 0, own_loop, 0)


def _rest(body: list[ast.stmt], place: Place, depth: int, own_loop: bool, loop: int) -> list[ast.stmt]:
    if depth == len(place.path):
        here = next(index for index, node in enumerate(body) if node is place.statement)
        first = place.replaced or place.statement
        if own_loop:
            assert isinstance(first, ast.For)
            first = ast.copy_location(ast.For(first.target, _iterator(loop), first.body, first.orelse), first)
        return [first, *body[here + 1 :]]
    node, block, inner_body = place.path[depth]
    here = next(index for index, other in enumerate(body) if other is node)
    is_loop = isinstance(node, ast.For) and block == "body"
    inner = _rest(inner_body, place, depth + 1, own_loop, loop + is_loop)
    return [*_reenter(node, block, inner, loop, depth), *body[here + 1 :]]


def _reenter(node: ast.stmt, block: str, inner: list[ast.stmt], loop: int, depth: int) -> list[ast.stmt]:
    """A compound statement that begins inside one of its blocks."""
    if isinstance(node, ast.For) and block == "body":
        return [_reenter_for(node, inner, loop, depth)]
    if isinstance(node, ast.While) and block == "body":
        return _reenter_while(node, inner, depth)
    if isinstance(node, ast.Try):
        return [_reenter_try(node, block, inner)]
    return inner  # a branch, a case, or the else of a loop: nothing of the statement is left but the block


def _reenter_for(node: ast.For, inner: list[ast.stmt], loop: int, depth: int) -> ast.stmt:
    first, item = f"__first{depth}", f"__item{depth}"
    pair = ast.Tuple([ast.Name(first, ast.Store()), ast.Name(item, ast.Store())], ast.Store())
    bind = ast.Assign([node.target], ast.Name(item, ast.Load()))
    choice = ast.If(ast.Name(first, ast.Load()), inner, [bind, *node.body])
    again = ast.Call(ast.Name("__again", ast.Load()), [_iterator(loop)], [])
    return ast.copy_location(ast.For(pair, again, [choice], node.orelse), node)


def _reenter_while(node: ast.While, inner: list[ast.stmt], depth: int) -> list[ast.stmt]:
    first = f"__first{depth}"
    begin = ast.Assign([ast.Name(first, ast.Store())], ast.Constant(True))
    done = ast.Assign([ast.Name(first, ast.Store())], ast.Constant(False))
    test = ast.BoolOp(ast.Or(), [ast.Name(first, ast.Load()), node.test])
    choice = ast.If(ast.Name(first, ast.Load()), [done, *inner], node.body)
    return [begin, ast.copy_location(ast.While(test, [choice], node.orelse), node)]


def _reenter_try(node: ast.Try, block: str, inner: list[ast.stmt]) -> ast.stmt:
    if block == "body":
        return ast.copy_location(ast.Try(inner, node.handlers, node.orelse, node.finalbody), node)
    if block == "handler":
        inner = [_leave_handler(node, inner)]
    if not node.finalbody:
        return ast.copy_location(ast.If(ast.Constant(True), inner, []), node)
    return ast.copy_location(ast.Try(inner, [], [], node.finalbody), node)


def _leave_handler(node: ast.Try, inner: list[ast.stmt]) -> ast.stmt:
    """The rest of an except block: its name is unbound at the end, and its exception must not be needed."""
    for statement in inner:
        for child in ast.walk(statement):
            if isinstance(child, ast.Raise) and child.exc is None:
                raise NotResumable("an except block raises again the exception that is pending")
            if isinstance(child, ast.Attribute | ast.Name) and "exc_info" in (
                getattr(child, "attr", ""), getattr(child, "id", "")
            ):  # fmt: skip
                raise NotResumable("an except block asks for the exception that is pending")
    names = {handler.name for handler in node.handlers if handler.name}
    if not names:
        return ast.If(ast.Constant(True), inner, [])
    raise NotResumable(f"an except block has its exception bound to {sorted(names)[0]!r}")


def _iterator(loop: int) -> ast.expr:
    return ast.Subscript(ast.Name("__iterators", ast.Load()), ast.Constant(loop), ast.Load())


def _load_call(name: str) -> ast.Call:
    return ast.Call(ast.Name(name, ast.Load()), [], [])
