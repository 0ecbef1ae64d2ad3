"""Find the lines of the function that a program calls, its entry, in the source alone, never from a run.

    entry(source, "f").units       -> [Unit(1, 1, "def f(n):"), Unit(2, 2, "    s = 0"), ..]
    entry(source, "f").first       -> 2, the first line that the call executes in the entry
    entry(source, "f").statements  -> {2, 3, 4, 5}, the lines of the entry on which a statement begins
    entry(source, "f").runnable    -> also those on which a part of a longer statement begins

Strategies that ask a model line by line use them. If the entry is no function of the source (a lambda, an
import), the whole module counts as its body.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from deskcheck.languages import EntryLines, Unit
from deskcheck.languages.python.parsing import parse_module

_Function = ast.FunctionDef | ast.AsyncFunctionDef


def entry(source: str, name: str) -> EntryLines:
    """Return the lines of the function with this name, or of the module. SyntaxError if it does not parse."""
    tree = parse_module(source)
    way = _way_to(tree, name)
    body = way[-1].body if way else tree.body
    lines = source.split("\n")
    statements = _statements(body)
    nodes = ast.walk(tree)
    return EntryLines(
        units=[_unit(first, last, lines) for first, last in _spans(tree.body, way)],
        first=body[1 if _is_docstring(body[0]) and len(body) > 1 else 0].lineno if body else 0,
        statements=frozenset(statements),
        runnable=frozenset(_runnable(body, statements)),
        returns=sorted(n.lineno for n in nodes if isinstance(n, ast.Return) and n.lineno in statements),
    )


def _statements(body: list[ast.stmt]) -> set[int]:
    """Return the lines of the entry's own frame, without those of functions and classes inside it."""
    lines: set[int] = set()
    waiting: list[ast.AST] = list(body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.stmt | ast.excepthandler | ast.match_case):
            lines.add(node.lineno if not isinstance(node, ast.match_case) else node.pattern.lineno)
        if not isinstance(node, _Function | ast.ClassDef | ast.expr):
            waiting.extend(ast.iter_child_nodes(node))
    return lines


def _runnable(body: list[ast.stmt], statements: set[int]) -> set[int]:
    """Return the lines that the entry's own frame can reach.

    The interpreter also reaches the parts of a statement of several lines. From Python 3.12 on, this includes
    the parts of a comprehension, which has no frame of its own there.
    """
    lines = set(statements)
    waiting: list[ast.AST] = list(body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.expr):
            lines.add(node.lineno)
        if not isinstance(node, _Function | ast.ClassDef | ast.Lambda):
            waiting.extend(ast.iter_child_nodes(node))
    return lines


def _way_to(tree: ast.Module, entry: str) -> list[ast.ClassDef | _Function]:
    """Return the definitions that lead to "f" or "Solution().solve"; [] if there is no such function."""
    body: list[ast.stmt] = tree.body
    way: list[ast.ClassDef | _Function] = []
    for name in re.findall(r"[^\W\d]\w*", re.sub(r"\(.*?\)", "", entry)):
        definitions = [
            node for node in body if isinstance(node, ast.ClassDef | _Function) and node.name == name
        ]
        if not definitions:
            return []
        way.append(definitions[-1])
        body = definitions[-1].body
    return way if way and isinstance(way[-1], _Function) else []


def _spans(body: list[ast.stmt], way: list[ast.ClassDef | _Function]) -> Iterator[tuple[int, int]]:
    for node in body:
        if way and node is way[0]:
            first = min([node.lineno, *(one.lineno for one in way[0].decorator_list)])
            yield first, way[0].body[0].lineno - 1 if way[0].body[0].lineno > node.lineno else node.lineno
            if way[0].body[0].lineno > node.lineno:
                yield from _spans(way[0].body, way[1:])
        else:
            decorators = getattr(node, "decorator_list", [])
            yield min([node.lineno, *(one.lineno for one in decorators)]), node.end_lineno or node.lineno


def _unit(first: int, last: int, lines: list[str]) -> Unit:
    text = [line for line in lines[first - 1 : last] if line.strip()]
    return Unit(first, last, "\n".join(text))


def _is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
