"""Name kinds of operation in a Python source, line by line, and find contradictory values of blanks.

causes("x = a[i] + 1")                           -> {1: {"index or slice", "arithmetic"}}
contradictions(source, {"2.test": [True], ..})   -> ["values of 3.x: 2; times that its block is entered: 1"]

A blank is a place of a program in which a model fills in values: "3.x" is the variable x on line 3, "2.test"
the condition on line 2.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from deskcheck.languages.python.parsing import parse_module

_STRING = frozenset(name for name in dir(str) if not name.startswith("_") and not hasattr(list, name))
_LEAVES = (ast.Return, ast.Break, ast.Continue, ast.Raise)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)


@lru_cache(maxsize=256)
def causes(source: str) -> dict[int, frozenset[str]]:
    """Return line -> kinds of operation in its statement; empty if the source does not parse."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return {}
    table: dict[int, frozenset[str]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt):
            named = frozenset(_does(node))
            for line in range(node.lineno, _last_line(node) + 1):
                # An inner statement comes later in the walk and is more precise.
                table[line] = named
    return table


def is_inlined(source: str) -> bool:
    """Return whether a program has a comprehension that CPython 3.12 and later run inline.

    A text that does not parse has none.
    """
    try:
        nodes = ast.walk(ast.parse(source))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return any(isinstance(node, ast.ListComp | ast.SetComp | ast.DictComp) for node in nodes)


def _last_line(node: ast.stmt) -> int:
    body = getattr(node, "body", None)
    if isinstance(body, list) and body and isinstance(body[0], ast.stmt):
        return max(node.lineno, body[0].lineno - 1)
    return node.end_lineno or node.lineno


def _does(statement: ast.stmt) -> set[str]:
    """Return the kinds of operation that a statement itself evaluates, without its inner statements."""
    parts = set()
    if isinstance(statement, ast.For | ast.AsyncFor | ast.While):
        parts.add("loop bookkeeping")
    if isinstance(statement, ast.If | ast.While | ast.Assert | ast.Match):
        parts.add("comparison or branch")
    if isinstance(statement, ast.Return | ast.FunctionDef | ast.AsyncFunctionDef):
        parts.add("call or return")
    if isinstance(statement, ast.AugAssign):
        parts.add("arithmetic")
    waiting: list[ast.AST] = [
        child for child in ast.iter_child_nodes(statement) if not isinstance(child, ast.stmt)
    ]
    while waiting:
        node = waiting.pop()
        parts |= _evaluates(node)
        waiting += [child for child in ast.iter_child_nodes(node) if not isinstance(child, ast.stmt)]
    return parts


def _evaluates(node: ast.AST) -> set[str]:
    match node:
        case ast.Subscript():
            return {"index or slice"}
        case ast.Call(func=ast.Attribute(attr=name)):
            return {"string method"} if name in _STRING else {"container method"}
        case ast.Call():
            return {"call or return"}
        case ast.BinOp() | ast.UnaryOp(op=ast.USub() | ast.UAdd() | ast.Invert()):
            return {"arithmetic"}
        case ast.Compare() | ast.BoolOp() | ast.IfExp() | ast.UnaryOp(op=ast.Not()):
            return {"comparison or branch"}
        case ast.comprehension():
            return {"loop bookkeeping"}
    return set()


def contradictions(source: str, lists: Mapping[str, Sequence[object]]) -> list[str]:
    """List messages on blanks with too many or too few values for their branch or loop in the same answer.

    `lists`: name of a blank -> its values in the answer. SyntaxError if the source does not parse.
    """
    messages = []
    for node in ast.walk(parse_module(source)):
        for block, n in _entered(node, lists):
            for name, count in _counts(block, lists):
                if count != n:
                    messages.append(f"values of {name}: {count}; times that its block is entered: {n}")
    return messages


def _entered(node: ast.AST, lists: Mapping[str, Sequence[object]]) -> Iterator[tuple[list[ast.stmt], int]]:
    """Yield the blocks of a statement, each with the number of times that it is entered."""
    if isinstance(node, ast.If | ast.While):
        results = lists.get(f"{node.lineno}.test")
        if results is not None:
            yield node.body, sum(one is True for one in results)
            if isinstance(node, ast.If):
                yield node.orelse, sum(one is False for one in results)
    elif isinstance(node, ast.For) and isinstance(node.target, ast.Name):
        values = lists.get(f"{node.lineno}.{node.target.id}")
        if values is not None:
            yield node.body, len(values)


def _counts(block: list[ast.stmt], lists: Mapping[str, Sequence[object]]) -> Iterator[tuple[str, int]]:
    """Yield (blank, number of its values) for the lines that run each time that the block is entered."""
    for node in block:
        if isinstance(node, ast.If):
            names = [f"{node.lineno}.test"]
        elif isinstance(node, ast.Assign | ast.AugAssign | ast.AnnAssign):
            names = [name for name in lists if name.partition(".")[0] == str(node.lineno)]
        else:
            names = []
        yield from ((name, len(lists[name])) for name in names if name in lists)
        if any(isinstance(inner, _LEAVES) for inner in _direct_parts(node)):
            return


def _direct_parts(node: ast.AST) -> Iterator[ast.AST]:
    """Yield a statement and all nodes in it, without the bodies of functions."""
    yield node
    if not isinstance(node, _FUNCTIONS):
        for inner in ast.iter_child_nodes(node):
            yield from _direct_parts(inner)
