"""Names say what they hold: words that fit anything are refused in signatures and in loops of some length.

A reader meets a parameter, a field or a function without the line that bound it; in a long loop that line
is out of sight. There `found` or `one` says nothing. In a comprehension or a loop of three lines it is left
alone.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

pytestmark = pytest.mark.one_python

SOURCE = Path(__file__).parents[1] / "src" / "deskcheck"
EMPTY = {"found", "one", "own", "said", "told", "made", "kept", "chosen"}
PROGRAMS = ("core_problems", "classic_programs", "written")
"""Folders of programs to execute, which are data."""
SHORT = 3
"""Lines up to which a loop is short."""
GROWN_BY = {"append", "extend", "add", "update", "setdefault", "insert"}


def names_in(target: ast.AST) -> Iterator[str]:
    """Names that a target binds: of `a, (b, *c) = ..` all three."""
    if isinstance(target, ast.Name):
        yield target.id
    elif isinstance(target, ast.Tuple | ast.List):
        for part in target.elts:
            yield from names_in(part)
    elif isinstance(target, ast.Starred):
        yield from names_in(target.value)


def targets_of(node: ast.AST) -> list[ast.AST]:
    """Targets of a statement or expression that binds; the list or set that a call fills counts as bound."""
    match node:
        case ast.Assign(targets=targets):
            return list(targets)
        case ast.AnnAssign(target=target) | ast.AugAssign(target=target) | ast.NamedExpr(target=target):
            return [target]
        case ast.For(target=target) | ast.AsyncFor(target=target):
            return [target]
        case ast.withitem(optional_vars=ast.AST() as target):
            return [target]
        case ast.Call(func=ast.Attribute(value=ast.Name() as filled, attr=attr)) if attr in GROWN_BY:
            return [filled]
        case ast.Subscript(value=ast.Name() as filled, ctx=ast.Store()):
            return [filled]
    return []


def in_signatures(tree: ast.AST) -> Iterator[tuple[str, int]]:
    """Names of functions, parameters, fields and attributes, each with its line."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name, node.lineno
            given = node.args
            more = [extra for extra in (given.vararg, given.kwarg) if extra]
            for parameter in (*given.posonlyargs, *given.args, *given.kwonlyargs, *more):
                yield parameter.arg, parameter.lineno
        elif isinstance(node, ast.ClassDef):
            for statement in node.body:
                for target in targets_of(statement) if isinstance(statement, ast.stmt) else ():
                    yield from ((name, statement.lineno) for name in names_in(target))
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            match node.value:
                case ast.Name(id="self"):
                    yield node.attr, node.lineno


def in_long_loops(tree: ast.AST) -> Iterator[tuple[str, int]]:
    """Names that a loop longer than SHORT lines binds or fills, each with the loop's line."""
    for loop in ast.walk(tree):
        if not isinstance(loop, ast.For | ast.AsyncFor | ast.While):
            continue
        if (loop.end_lineno or loop.lineno) - loop.lineno < SHORT:
            continue
        bound = set() if isinstance(loop, ast.While) else set(names_in(loop.target))
        for statement in loop.body:
            for node in ast.walk(statement):
                for target in targets_of(node):
                    bound.update(names_in(target))
        yield from ((name, loop.lineno) for name in bound)


def empty_names(source: str) -> list[tuple[int, str, str]]:
    """Line, place and name of every binding of a word that says nothing."""
    tree = ast.parse(source)
    places = [("signature", pair) for pair in in_signatures(tree)]
    places += [("loop", pair) for pair in in_long_loops(tree)]
    return sorted({(line, place, name) for place, (name, line) in places if name.strip("_") in EMPTY})


def test_no_signature_and_no_long_loop_binds_an_empty_name() -> None:
    faults: list[str] = []
    counts: Counter[str] = Counter({"signature": 0, "loop": 0})
    for path in sorted(SOURCE.rglob("*.py")):
        if not set(PROGRAMS) & set(path.parts):
            for line, place, name in empty_names(path.read_text(encoding="utf-8")):
                counts[place] += 1
                faults.append(f"{path.relative_to(SOURCE)}:{line}: {name} ({place})")
    print(f"empty names: {counts['signature']} in signatures, {counts['loop']} in long loops (bar: 0)")
    assert faults == [], "name what it holds: " + ", ".join(faults[:20])


LOOP = """
def totals(rows):
    {name} = []
    for row in rows:
        size = len(row)
        if size:
            {name}.append(size)
    return {name}
"""


@pytest.mark.parametrize(
    ("source", "places"),
    [
        ("def chosen(n): return n", ["signature"]),
        ("def f(*, _found=0): return _found", ["signature"]),
        ("class Row:\n    said: str = ''", ["signature"]),
        ("class Row:\n    def __init__(self):\n        self._kept = 0", ["signature"]),
        (LOOP.format(name="found"), ["loop"]),
        (LOOP.format(name="sizes"), []),
        ("for a, (one, *b) in rows:\n    c = a\n    d = one\n    print(c, d)", ["loop"]),
        ("while rows:\n    one = rows.pop()\n    if one:\n        print(one)", ["loop"]),
        ("for one in rows:\n    print(one)", []),
        ("sizes = [len(one) for one in rows]", []),
        ("def f(rows):\n    found = list(rows)\n    return found", []),
    ],
)
def test_a_binding_is_counted_where_its_line_is_out_of_sight(source: str, places: list[str]) -> None:
    assert [place for _, place, _ in empty_names(source)] == places
