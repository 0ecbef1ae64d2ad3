"""How often Python code uses what: statements, expressions, methods, built-ins, exceptions, by function.

    count(["def f(xs): ..", ..]) -> Frequencies(functions=1, statements={"assign": 3, ..}, ..)
    table() -> the counts of the standard library and PyPI packages that the family `real` follows

Counted on syntax trees, inside functions alone; docstrings, annotations and decorators do not count. A method
is the name in a call `x.name(..)` that a built-in type has, whatever x is: types are not inferred. The table
is made by `python measurements/construct_frequencies.py --write`, holds its date and versions, and no
benchmark.
"""

from __future__ import annotations

import ast
import builtins
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import msgspec
from msgspec import Struct

from deskcheck.corpus import real_parts as parts
from deskcheck.corpus.real_expressions import BUILTINS, METHODS, parse_template

EXCEPTIONS = frozenset(
    name
    for name, value in vars(builtins).items()
    if isinstance(value, type) and issubclass(value, BaseException)
)
_STATEMENTS: dict[type[ast.AST], str] = {
    ast.Assign: "assign", ast.AnnAssign: "assign", ast.AugAssign: "augment", ast.If: "if", ast.For: "for",
    ast.While: "while", ast.Try: "try", ast.With: "with", ast.Return: "return", ast.Raise: "raise",
    ast.Assert: "assert", ast.Delete: "delete", ast.Break: "break", ast.Continue: "continue",
    ast.Pass: "pass", ast.FunctionDef: "function", ast.ClassDef: "class", ast.Import: "import",
    ast.ImportFrom: "import",
    ast.Global: "global", ast.Nonlocal: "nonlocal", ast.Match: "match",
}  # fmt: skip
_EXPRESSIONS: dict[type[ast.AST], str] = {
    ast.ListComp: "list comprehension", ast.SetComp: "set comprehension", ast.DictComp: "dict comprehension",
    ast.GeneratorExp: "generator expression", ast.Lambda: "lambda", ast.JoinedStr: "f-string",
    ast.IfExp: "conditional", ast.BoolOp: "and, or", ast.Not: "not", ast.Starred: "starred",
    ast.NamedExpr: "walrus", ast.Slice: "slice", ast.Tuple: "tuple", ast.List: "list", ast.Dict: "dict",
    ast.Set: "set", ast.Yield: "yield", ast.YieldFrom: "yield from", ast.BinOp: "arithmetic",
}  # fmt: skip
_COMPARISONS: dict[type[ast.AST], str] = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Is: "is",
    ast.IsNot: "is not", ast.In: "in", ast.NotIn: "not in",
}  # fmt: skip

_NOT_EXECUTED = {"annotation", "returns", "decorator_list", "type_comment", "type_params"}


class Frequencies(Struct, frozen=True):
    """Counts of constructs over many functions."""

    functions: int
    statements: dict[str, int]
    expressions: dict[str, int]
    comparisons: dict[str, int]
    methods: dict[str, int]
    builtins: dict[str, int]
    raised: dict[str, int]
    caught: dict[str, int]
    holding: dict[str, int]
    """Functions that hold at least one of it: loops in loops, else of a loop, finally, recursion.."""


class Table(Struct, frozen=True):
    """What was counted, and when."""

    date: str
    sources: dict[str, str]
    """Name of a package (or "CPython") -> its version."""
    files: int
    all: Frequencies
    looping: Frequencies
    """Functions with a `for` or `while` alone: what `real` follows, since a straight line has few steps."""


@cache
def table() -> Table:
    """Read the stored table of frequencies."""
    data = Path(__file__).with_name("frequencies.json").read_bytes()
    return msgspec.json.decode(data, type=Table)


COMMON = 0.7
"""Share of methods and built-ins that follows the table; the rest is the same for all, rare ones too."""
WRITTEN = (
    "assign augment call if for while try return raise assert delete break continue pass function yield"
).split()
"""Statements that generated programs have."""
PER_STATEMENT = (
    "arithmetic", "index", "slice", "f-string", "list comprehension", "generator expression", "conditional",
    "and, or", "not", "dict comprehension", "set comprehension", "list", "dict", "set",
)  # fmt: skip


def statement_shares(counts: Frequencies) -> dict[str, float]:
    """Of the statements in WRITTEN."""
    found = {name: counts.statements.get(name, 0) for name in WRITTEN}
    return {name: n / sum(found.values()) for name, n in found.items()}


def per_statement(counts: Frequencies) -> dict[str, float]:
    """Expressions, comparisons and calls of covered methods and built-ins, for one statement in WRITTEN."""
    n = sum(counts.statements.get(name, 0) for name in WRITTEN)
    methods, functions = covered()
    found: dict[str, int] = {name: counts.expressions.get(name, 0) for name in PER_STATEMENT}
    found["comparison"] = sum(counts.comparisons.values())
    found["method"] = sum(counts.methods.get(name, 0) for name in methods)
    found["builtin"] = sum(counts.builtins.get(name, 0) for name in functions)
    return {name: k / n for name, k in found.items()}


def shares(counts: dict[str, int], names: frozenset[str]) -> dict[str, float]:
    """Of some names among themselves."""
    whole = sum(counts.get(name, 0) for name in names)
    return {name: counts.get(name, 0) / whole for name in names}


def wanted(counts: dict[str, int], names: frozenset[str]) -> dict[str, float]:
    """What programs are to follow: the table's shares, mixed with equal ones."""
    return {name: COMMON * p + (1 - COMMON) / len(names) for name, p in shares(counts, names).items()}


@cache
def covered() -> tuple[frozenset[str], frozenset[str]]:
    """Methods and built-ins that templates are about."""
    texts = [text for groups in parts.EXPRESSIONS.values() for group in groups.values() for text in group]
    names = {parse_template(text).name for text in texts + parts.CALLS} - {""}
    return frozenset(names & METHODS), frozenset(names & BUILTINS)


def apart(one: dict[str, float], other: dict[str, float]) -> float:
    """Total variation: the share that would have to move to make one the other."""
    return sum(abs(one.get(name, 0.0) - other.get(name, 0.0)) for name in one | other) / 2


def count(sources: Iterable[str], *, looping: bool = False) -> Frequencies:
    """Over all outermost functions and methods of the sources, or those with a loop alone. Or SyntaxError."""
    found: dict[str, Counter[str]] = {name: Counter() for name in Frequencies.__struct_fields__[1:]}
    n = 0
    for source in sources:
        for function in _outermost(ast.parse(source)):
            if looping and not any(isinstance(node, ast.For | ast.While) for node in ast.walk(function)):
                continue
            n += 1
            _function(function, found)
    return Frequencies(n, **{name: dict(counts.most_common()) for name, counts in found.items()})


def _outermost(node: ast.AST) -> Iterator[ast.FunctionDef]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef):
            yield child
        else:
            yield from _outermost(child)


def _function(function: ast.FunctionDef, found: dict[str, Counter[str]]) -> None:
    nodes = [node for statement in _body(function) for node in _walk(statement)]
    for node in nodes:
        for group, name in _constructs(node):
            found[group][name] += 1
    found["holding"].update(set(_holding(function, nodes)))


def _constructs(node: ast.AST) -> Iterator[tuple[str, str]]:
    """Yield (field of Frequencies, name) of what one node counts as."""
    if kind := _statement(node):
        yield "statements", kind
    match node:
        case _ if type(node) in _EXPRESSIONS:
            yield "expressions", _EXPRESSIONS[type(node)]
        case ast.Subscript(slice=place) if not isinstance(place, ast.Slice):
            yield "expressions", "index"
        case ast.Compare(ops=operators):
            yield from (("comparisons", _COMPARISONS[type(operator)]) for operator in operators)
        case ast.Call(func=ast.Attribute(attr=name)) if name in METHODS:
            yield "methods", name
        case ast.Call(func=ast.Name(id=name)) if name in BUILTINS:
            yield "builtins", name
        case ast.Raise(exc=raised):
            yield from (("raised", name) for name in _exceptions(raised))
        case ast.ExceptHandler(type=caught):
            yield from (("caught", name) for name in _exceptions(caught))


def constructs_of(statement: ast.stmt) -> set[tuple[str, str]]:
    """Return (field of Frequencies, name) of what a statement has outside of the statements inside it."""
    nodes: list[ast.AST] = [statement]
    for node in nodes:  # grows below
        nodes += [child for child in _children(node) if not isinstance(child, ast.stmt | ast.ExceptHandler)]
    return {construct for node in nodes for construct in _constructs(node)}


def _children(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the children of a node but no annotations or decorators."""
    for name, value in ast.iter_fields(node):
        if name not in _NOT_EXECUTED:
            yield from (
                child
                for child in (value if isinstance(value, list) else [value])
                if isinstance(child, ast.AST)
            )


def _body(function: ast.FunctionDef) -> list[ast.stmt]:
    skipped = 1 if ast.get_docstring(function, clean=False) is not None else 0
    return function.body[skipped:]


def _walk(node: ast.AST) -> Iterator[ast.AST]:
    """All nodes within, but no docstrings, annotations or decorators."""
    yield node
    for name, value in ast.iter_fields(node):
        if name in _NOT_EXECUTED:
            continue
        inner = _body(node) if name == "body" and isinstance(node, ast.FunctionDef) else value
        for child in inner if isinstance(inner, list) else [inner]:
            if isinstance(child, ast.AST):
                yield from _walk(child)


def _statement(node: ast.AST) -> str:
    if isinstance(node, ast.Expr):
        if isinstance(node.value, ast.Constant):
            return ""
        return "yield" if isinstance(node.value, ast.Yield | ast.YieldFrom) else "call"
    return _STATEMENTS.get(type(node), "")


def _exceptions(node: ast.AST | None) -> list[str]:
    """Names of built-in exceptions; "other" for one's own, "any" for a bare except or raise."""
    match node:
        case None:
            return ["any"]
        case ast.Call(func=inner):
            return _exceptions(inner)
        case ast.Tuple(elts=parts):
            return [name for part in parts for name in _exceptions(part)]
        case ast.Name(id=name) if name in EXCEPTIONS:
            return [name]
    return ["other"]


def _holding(function: ast.FunctionDef, nodes: list[ast.AST]) -> Iterator[str]:
    for node in nodes:
        kind = _STATEMENTS.get(type(node)) or _EXPRESSIONS.get(type(node))
        if kind:
            yield kind
        match node:
            case ast.For() | ast.While():
                if node.orelse:
                    yield "else of a loop"
                if any(isinstance(one, ast.For | ast.While) for part in node.body for one in ast.walk(part)):
                    yield "loop in a loop"
            case ast.Try():
                if node.finalbody:
                    yield "finally"
                if node.orelse:
                    yield "else of a try"
            case ast.If(orelse=[_, *_]):
                yield "else of an if"
            case ast.Call(func=ast.Name(id=name)) if name == function.name:
                yield "recursion"
            case ast.Call(func=ast.Attribute(attr=name, value=ast.Name(id="self" | "cls"))):
                if name == function.name:
                    yield "recursion"
