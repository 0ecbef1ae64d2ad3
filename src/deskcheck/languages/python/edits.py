"""Make small edits of one statement of a source, for the search for a faulty line; line numbers stay.

    edits("def f(n):\\n    return n + 1\\n", 2) -> [Edit("n + 1", "(n) - (1)", "def f(n):..."), ..]

Each edit replaces one operator, constant, name, condition or operand, swaps two operands or arguments, leaves
out an end of a slice, or exchanges `break` and `continue`. Assignments and expressions that are statements
may also become `pass`. `queries/explain.py` runs the edited programs: an edit with which the tests pass
points to the faulty line.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from deskcheck.languages import Edit
from deskcheck.languages.python.parsing import parse_module

_ORDER = ("<", "<=", ">", ">=")
_COMPARISONS = {
    ast.Lt: _ORDER, ast.LtE: _ORDER, ast.Gt: _ORDER, ast.GtE: _ORDER, ast.Eq: ("!=",), ast.NotEq: ("==",),
    ast.In: ("not in",), ast.NotIn: ("in",), ast.Is: ("is not",), ast.IsNot: ("is",),
}  # fmt: skip
_SIGNS: dict[type[ast.AST], str] = {
    ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!=", ast.In: "in",
    ast.NotIn: "not in", ast.Is: "is", ast.IsNot: "is not", ast.Add: "+", ast.Sub: "-", ast.Mult: "*",
    ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**", ast.LShift: "<<", ast.RShift: ">>",
    ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^",
}  # fmt: skip
_ARITHMETIC = {
    ast.Add: ("-", "*"), ast.Sub: ("+",), ast.Mult: ("//", "+"), ast.Div: ("//", "*"),
    ast.FloorDiv: ("*", "%", "/"), ast.Mod: ("//",), ast.LShift: (">>",), ast.RShift: ("<<",),
    ast.BitAnd: ("|",), ast.BitOr: ("&",),
    ast.BitXor: ("|",), ast.Pow: ("*",),
}  # fmt: skip
_TWINS = {
    "min": "max", "max": "min", "any": "all", "all": "any", "append": "extend", "extend": "append",
    "startswith": "endswith", "endswith": "startswith", "lstrip": "rstrip", "rstrip": "lstrip",
    "upper": "lower", "lower": "upper", "find": "rfind", "rfind": "find", "index": "rindex",
}  # fmt: skip
# Operators of which the operands are swapped: the result depends on their order.
_ORDERED = ast.Sub | ast.Div | ast.FloorDiv | ast.Mod | ast.Pow | ast.LShift | ast.RShift
_MOST_NAMES = 5  # other variables that are tried in place of a name or a constant


def edits(source: str, line: int) -> Iterator[Edit]:
    """Yield the edits of the statement that begins on a line. SyntaxError if the source does not parse."""
    tree = parse_module(source)
    lines = source.split("\n")
    statement = next(
        (n for n in ast.walk(tree) if isinstance(n, ast.stmt) and n.lineno == line and not _is_def(n)), None
    )
    if statement is None:
        return
    names = _names_around(tree, statement)
    seen = {source}
    for node, text in _changes(statement, names):
        changed = _replaced(lines, node, text)
        if changed is None or changed in seen or not _parses(changed):
            continue
        seen.add(changed)
        yield Edit(ast.get_source_segment(source, node) or "", text, changed)


def _is_def(node: ast.stmt) -> bool:
    return isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)


def _parses(source: str) -> bool:
    try:
        parse_module(source)
    except SyntaxError:
        return False
    return True


def _names_around(tree: ast.AST, statement: ast.stmt) -> list[str]:
    """Return the variables of the innermost function around a statement."""
    functions = [
        n
        for n in ast.walk(tree)
        if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)
        and n.lineno <= statement.lineno <= (n.end_lineno or 0)
    ]
    if not functions:
        return []
    inner = max(functions, key=lambda n: n.lineno)
    given = inner.args
    names = [a.arg for a in (*given.posonlyargs, *given.args, *given.kwonlyargs)]
    names += [n.id for n in ast.walk(inner) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
    return [name for name in dict.fromkeys(names) if name not in ("self", "cls")]


def _header(statement: ast.stmt) -> Iterator[ast.AST]:
    """Yield the nodes of a statement without its inner statements."""
    waiting: list[ast.AST] = [statement]
    while waiting:
        node = waiting.pop(0)
        yield node
        waiting += [n for n in ast.iter_child_nodes(node) if not isinstance(n, ast.stmt | ast.excepthandler)]


def _changes(statement: ast.stmt, names: list[str]) -> Iterator[tuple[ast.AST, str]]:
    """Yield (node, text that replaces it) for each edit."""
    for node in _header(statement):
        try:
            yield from list(_changes_of(node, names))
        except RecursionError:  # `ast.unparse` ends at some 250 operands of a sum: only its parts are edited
            continue
    if isinstance(statement, ast.Assign | ast.AugAssign | ast.Expr):
        yield statement, "pass"


def _changes_of(node: ast.AST, names: list[str]) -> Iterator[tuple[ast.AST, str]]:
    """Yield (node, text that replaces it) for each edit of one node. RecursionError if it is too deep."""
    match node:
        case ast.Compare(ops=[sign], left=left, comparators=[right]):
            for other in _COMPARISONS.get(type(sign), ()):
                yield node, f"{ast.unparse(left)} {other} {ast.unparse(right)}"
        case ast.Compare(ops=[first, second], left=left, comparators=[middle, right]):
            parts = [ast.unparse(each) for each in (left, middle, right)]
            for other in _COMPARISONS.get(type(first), ()):
                yield node, f"{parts[0]} {other} {parts[1]} {_SIGNS[type(second)]} {parts[2]}"
            for other in _COMPARISONS.get(type(second), ()):
                yield node, f"{parts[0]} {_SIGNS[type(first)]} {parts[1]} {other} {parts[2]}"
        case ast.BinOp(left=left, op=sign, right=right):
            for other in _ARITHMETIC.get(type(sign), ()):
                yield node, f"({ast.unparse(left)}) {other} ({ast.unparse(right)})"
            yield node, f"({ast.unparse(left)})"
            yield node, f"({ast.unparse(right)})"
        case ast.AugAssign(target=target, op=sign, value=value):
            for other in _ARITHMETIC.get(type(sign), ()):
                yield node, f"{ast.unparse(target)} {other}= {ast.unparse(value)}"
        case ast.BoolOp(op=sign, values=parts):
            word = " or " if isinstance(sign, ast.And) else " and "
            yield node, f"({word.join(f'({ast.unparse(each)})' for each in parts)})"
            for left_out in range(len(parts)):
                rest = [f"({ast.unparse(each)})" for at, each in enumerate(parts) if at != left_out]
                yield node, f"({(' and ' if isinstance(sign, ast.And) else ' or ').join(rest)})"
        case ast.UnaryOp(operand=operand):
            yield node, f"({ast.unparse(operand)})"
        case ast.Constant(value=bool(value)):
            yield node, str(not value)
        case ast.Constant(value=int(value)):
            yield from ((node, f"({value + 1})"), (node, f"({value - 1})"))
            yield from ((node, other) for other in names[:_MOST_NAMES])
        case ast.Name(id=name, ctx=ast.Load()) if name in names:
            yield from ((node, other) for other in [n for n in names if n != name][:_MOST_NAMES])
            yield from ((node, f"({name} + 1)"), (node, f"({name} - 1)"))
        case ast.Name(id=name, ctx=ast.Load()) if name in _TWINS:
            yield node, _TWINS[name]
        case ast.Attribute(value=value, attr=name) if name in _TWINS:
            yield node, f"{ast.unparse(value)}.{_TWINS[name]}"
        case ast.Break():
            yield node, "continue"
        case ast.Continue():
            yield node, "break"
    tests = [node.test] if isinstance(node, ast.If | ast.While | ast.IfExp) else []
    yield from ((test, f"not ({ast.unparse(test)})") for test in tests)
    yield from _reordered(node)


def _reordered(node: ast.AST) -> Iterator[tuple[ast.AST, str]]:
    """Yield the edits that swap operands or arguments, or leave out an end of a slice."""
    match node:
        case ast.BinOp(left=left, op=sign, right=right) if isinstance(sign, _ORDERED):
            yield node, f"({ast.unparse(right)}) {_SIGNS[type(sign)]} ({ast.unparse(left)})"
        case ast.Call(func=function, args=[first, second, *rest], keywords=named):
            swapped = ast.Call(function, [second, first, *rest], named)
            yield node, ast.unparse(swapped)
        case ast.Slice(lower=lower, upper=upper, step=None) if lower or upper:
            yield node, f"{ast.unparse(lower) if lower else ''}:"
            yield node, f":{ast.unparse(upper) if upper else ''}"


def _replaced(lines: list[str], node: ast.AST, text: str) -> str | None:
    """Return the source with a node's text replaced; None for a node without a place, or several lines."""
    if not isinstance(node, ast.expr | ast.stmt) or node.end_lineno is None or node.end_col_offset is None:
        return None
    if "\n" in text:
        return None
    first, last = node.lineno - 1, node.end_lineno - 1
    head = lines[first].encode()[: node.col_offset].decode(errors="replace")
    tail = lines[last].encode()[node.end_col_offset :].decode(errors="replace")
    fill = [""] * (last - first)  # later lines keep their numbers
    if fill:
        return "\n".join([*lines[:first], f"{head}{text} \\", *fill[1:], tail, *lines[last + 1 :]])
    return "\n".join([*lines[:first], f"{head}{text}{tail}", *lines[last + 1 :]])
