"""Measure a program by its syntax tree: length, branching, nesting, constructs.

    measures(source) -> Measures(lines=12, branches=3, nesting=2, functions=1, classes=0,
                                 constructs=frozenset({"loop", "slice"}))

Nothing is run. A source that does not parse as Python has no measures (BadSource).
"""

from __future__ import annotations

import ast

from deskcheck.errors import BadSource
from deskcheck.languages import Measures
from deskcheck.languages.python.parsing import parse_module

_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_BITS = (ast.BitAnd, ast.BitOr, ast.BitXor, ast.LShift, ast.RShift, ast.Invert)
_BRANCHES = (ast.If, ast.IfExp, ast.Assert, ast.ExceptHandler, ast.match_case, *_LOOPS)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_STRING = {name for name in vars(str) if not name.startswith("_") and not hasattr(list, name)} - {"format"}


def measures(source: str) -> Measures:
    """Measure a source text. BadSource if it is not Python."""
    try:
        tree = parse_module(source)
    except SyntaxError as error:
        raise BadSource(f"not Python: {error}") from None
    nodes = list(ast.walk(tree))
    return Measures(
        lines=_code_lines(tree),
        branches=1 + sum(_decisions(node) for node in nodes),
        nesting=_nesting(tree),
        functions=sum(isinstance(node, _FUNCTIONS) for node in nodes),
        classes=sum(isinstance(node, ast.ClassDef) and node.name != "Solution" for node in nodes),
        constructs=frozenset(_constructs(tree, nodes)),
    )


def _code_lines(tree: ast.Module) -> int:
    lines: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt) and not _is_text(node):
            lines.add(node.lineno)
            if not hasattr(node, "body"):
                lines.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return len(lines)


def _is_text(node: ast.stmt) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def _decisions(node: ast.AST) -> int:
    if isinstance(node, ast.BoolOp):
        return len(node.values) - 1
    if isinstance(node, ast.comprehension):
        return 1 + len(node.ifs)
    return int(isinstance(node, _BRANCHES))


def _nesting(tree: ast.Module) -> int:
    deepest = 0
    waiting: list[tuple[ast.AST, int]] = [(tree, 0)]  # a chain of 1,000 elif is 1,000 deep in the tree
    while waiting:
        node, depth = waiting.pop()
        deepens = isinstance(node, (*_LOOPS, ast.If, ast.Try, ast.With, ast.Match))
        deepest = max(deepest, depth + deepens)
        for name, child in _children(node):
            # elif is written as an else with one if: it is no deeper.
            is_elif = isinstance(node, ast.If) and name == "orelse" and isinstance(child, ast.If)
            waiting.append((child, depth + deepens - is_elif))
    return deepest


def _children(node: ast.AST) -> list[tuple[str, ast.AST]]:
    children = []
    for name, value in ast.iter_fields(node):
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                children.append((name, child))
    return children


def _constructs(tree: ast.Module, nodes: list[ast.AST]) -> set[str]:
    found = set()
    loops = [node for node in nodes if isinstance(node, _LOOPS)]
    if loops:
        found.add("loop")
    if any(isinstance(node, ast.While) for node in loops):
        found.add("while")
    if any(inner is not loop and isinstance(inner, _LOOPS) for loop in loops for inner in ast.walk(loop)):
        found.add("nested loop")
    for node in nodes:
        found |= _construct(node)
    if any(_calls_itself(node) for node in nodes if isinstance(node, _FUNCTIONS)):
        found.add("recursion")
    inner_functions = [
        inner
        for node in nodes
        if isinstance(node, _FUNCTIONS)
        for inner in ast.walk(node)
        if inner is not node and isinstance(inner, (*_FUNCTIONS, ast.Lambda))
    ]
    if inner_functions or any(isinstance(node, ast.Lambda) for node in nodes):
        found.add("lambda or inner function")
    return found


def _construct(node: ast.AST) -> set[str]:
    match node:
        case ast.ListComp() | ast.GeneratorExp():
            return {"comprehension"}
        case ast.SetComp():
            return {"comprehension", "set"}
        case ast.DictComp():
            return {"comprehension", "dictionary"}
        case ast.If() | ast.IfExp() | ast.Match():
            return {"branch"}
        case ast.Slice():
            return {"slice"}
        case ast.Dict():
            return {"dictionary"}
        case ast.Set():
            return {"set"}
        case ast.Try() | ast.Raise() | ast.Assert():
            return {"exception"}
        case ast.ClassDef(name=name) if name != "Solution":
            return {"class"}
        case ast.Import() | ast.ImportFrom():
            return {"imported module"}
        case ast.BinOp(op=op) | ast.AugAssign(op=op) | ast.UnaryOp(op=op) if isinstance(op, _BITS):
            return {"bit operation"}
        case ast.Call(func=ast.Name(id=name)):
            return _BUILTINS.get(name, set())
        case ast.Call(func=ast.Attribute(attr=name)):
            if name in _STRING:
                return {"string method"}
            return {"sorting"} if name == "sort" else set()
    return set()


_BUILTINS = {
    "sorted": {"sorting"},
    "dict": {"dictionary"},
    "defaultdict": {"dictionary"},
    "Counter": {"dictionary"},
    "set": {"set"},
    "frozenset": {"set"},
}


def _calls_itself(function: ast.AST) -> bool:
    name = getattr(function, "name", "")
    for node in ast.walk(function):
        match node:
            case ast.Call(func=ast.Name(id=called)) if called == name:
                return True
            case ast.Call(func=ast.Attribute(attr=called, value=ast.Name(id="self" | "cls"))) if (
                called == name
            ):
                return True
    return False
