"""A program as units: every function and method by itself, with what it needs of the same file.

    units_of(source) -> (Unit("Solution.solve", 3, ..), ..)

A unit has two forms, equal for copies up to what `canonical` levels out, and features for near copies: hashes
of its expressions, statements and neighboring statements, in which every name is the same name. Statements
outside of functions are a unit of their own.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from deskcheck.decontamination.canonical import (
    FUNCTIONS,
    NAME,
    Scope,
    Tree,
    function,
    methods_of,
    owner_of,
    scope_of,
    statements,
)
from deskcheck.decontamination.features import features_of

MODULE = "<module>"
MOST_REACHED = 200
MOST_HELPERS = 12
"""Functions and classes that a unit takes along at most: what calls half a library is no copy of it."""
_Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


class Unit(NamedTuple):
    """One function, method or module body."""

    name: str
    """Qualified: "Solution.solve"; "<module>" for statements outside of functions."""
    line: int
    form: str
    """Of the function alone, 16 hex digits."""
    whole: str
    """Of the function with the helpers that it calls, in order of their first call."""
    size: int
    """Nodes of the canonical tree of the function alone."""
    features: frozenset[int]
    """Of the function with its helpers."""
    reached: tuple[tuple[int, int], ...]
    """First and last lines of the function and of all that it calls, directly or not."""


@lru_cache(maxsize=4)
def units_of(source: str) -> tuple[Unit, ...]:
    """All units, in the order of the text; cached for a few texts. SyntaxError, ValueError: not Python."""
    tree = ast.parse(source)
    top = {node.name: node for node in tree.body if isinstance(node, _Definition)}
    reader = _Reader(top)
    found = [reader.unit(*one) for one in _functions(tree.body, "", None)]
    rest = [node for node in tree.body if not isinstance(node, _Definition) and not _is_guard(node)]
    body = reader.module(rest)
    return (*found, body) if body else tuple(found)


def name_of(entry: str) -> str:
    """The qualified name of the function that an entry calls: "Stack.push" of "Stack(3).push"."""
    found, depth = "", 0
    for character in entry:
        depth += (character == "(") - (character == ")")
        found += character if depth == 0 and character != ")" else ""
    return found


def normal_form(source: str) -> str:
    """16 hex digits, equal for programs that differ in names and constants alone. SyntaxError: not Python."""
    tree = ast.parse(source)
    return form_of(statements(tree.body, scope_of([tree])))


def form_of(trees: tuple[Tree, ...]) -> str:
    """Hash of trees in which names are numbered as they appear."""
    numbers: dict[str, str] = {}
    words: list[str] = []
    _write(trees, words, numbers)
    return hashlib.sha256(" ".join(words).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _write(trees: tuple[Tree, ...], words: list[str], numbers: dict[str, str]) -> None:
    for tree in trees:
        if type(tree) is str:
            words.append(tree)
        elif tree[0] == NAME:
            words.append(numbers.setdefault(tree[1], f"v{len(numbers)}"))
        else:
            words.append("(")
            _write(tree, words, numbers)
            words.append(")")


def size_of(tree: Tree) -> int:
    """Number of nodes and leaves of a tree."""
    if type(tree) is str or tree[0] == NAME:
        return 1
    return 1 + sum(map(size_of, tree[1:]))


def _functions(
    body: list[ast.stmt], prefix: str, owner: ast.ClassDef | None
) -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef, ast.ClassDef | None]]:
    """(qualified name, node, class around it), functions inside of functions too."""
    for node in body:
        if isinstance(node, FUNCTIONS):
            yield f"{prefix}{node.name}", node, owner
            yield from _functions(node.body, f"{prefix}{node.name}.", None)
        elif isinstance(node, ast.ClassDef):
            yield from _functions(node.body, f"{prefix}{node.name}.", node)
        else:
            for field in ("body", "orelse", "finalbody", "handlers", "cases"):
                inner = getattr(node, field, None)
                if isinstance(inner, list):
                    yield from _functions(inner, prefix, owner)


def _is_guard(node: ast.stmt) -> bool:
    return isinstance(node, ast.If) and "__name__" in ast.dump(node.test)


class _Reader:
    """Reads the units of one file; what helpers come to is kept."""

    def __init__(self, top: dict[str, _Definition]) -> None:
        self._top = top
        self._read: dict[ast.AST, tuple[list[str], Tree, frozenset[int]]] = {}

    def unit(
        self, name: str, node: ast.FunctionDef | ast.AsyncFunctionDef, owner: ast.ClassDef | None
    ) -> Unit:
        """A function or method."""
        called, tree, features = self._of(node, owner)
        alone = form_of((tree,))
        helpers = self._helpers(called, node, owner)
        reached = tuple(_lines(one) for one in (node, *(one for one, _ in helpers)))
        if not helpers:
            return Unit(name, node.lineno, alone, alone, size_of(tree), features, reached)
        read = [self._of(one, around) for one, around in helpers[:MOST_HELPERS]]
        features = features.union(*(one[2] for one in read))
        whole = form_of((tree, *(one[1] for one in read)))
        return Unit(name, node.lineno, alone, whole, size_of(tree), features, reached)

    def module(self, body: list[ast.stmt]) -> Unit | None:
        """The statements outside of functions, with what they call."""
        scope = scope_of(body)
        trees = statements(body, scope)
        if not trees:
            return None
        helpers = self._helpers(_named(body), None, None)
        read = [self._of(one, around) for one, around in helpers[:MOST_HELPERS]]
        features = features_of(trees).union(*(one[2] for one in read))
        whole = form_of((*trees, *(one[1] for one in read)))
        reached = tuple(_lines(one) for one in (*body, *(one for one, _ in helpers)))
        return Unit(MODULE, reached[0][0], form_of(trees), whole, sum(map(size_of, trees)), features, reached)

    def _of(self, node: _Definition, owner: ast.ClassDef | None) -> tuple[list[str], Tree, frozenset[int]]:
        """(names that it reads, tree, features)."""
        if node not in self._read:
            if isinstance(node, ast.ClassDef):
                trees = statements([node], scope_of([node]))
            else:
                trees = (function(node, _scope(node, owner)),)
            self._read[node] = _named([node]), trees[0], features_of(trees)
        return self._read[node]

    def _helpers(
        self, called: list[str], node: ast.AST | None, owner: ast.ClassDef | None
    ) -> list[tuple[_Definition, ast.ClassDef | None]]:
        """What it calls of the same file, and what that calls, in order."""
        methods = {one.name: one for one in owner.body if isinstance(one, FUNCTIONS)} if owner else {}
        seen: set[ast.AST | None] = {node, owner}
        found: list[tuple[_Definition, ast.ClassDef | None]] = []
        waiting = list(called)
        while waiting:
            name = waiting.pop(0)
            of_class = methods.get(name[1:]) if name[0] == "." else None
            helper = of_class if name[0] == "." else self._top.get(name)
            if helper is None or helper in seen:
                continue
            seen.add(helper)
            found.append((helper, owner if of_class is not None else None))
            if len(found) == MOST_REACHED:
                return found
            waiting += self._of(*found[-1])[0]
        return found


def _lines(node: ast.stmt) -> tuple[int, int]:
    return node.lineno, node.end_lineno or node.lineno


def _scope(node: ast.FunctionDef | ast.AsyncFunctionDef, owner: ast.ClassDef | None) -> Scope:
    if owner is None:
        return scope_of([node])
    return scope_of([node], methods=methods_of(owner), owner=owner_of(node))


def _named(body: list[ast.stmt]) -> list[str]:
    """Names that are read, and ".attribute" of a name, in the order of the text, each once."""
    found: dict[str, tuple[int, int]] = {}
    for root in body:
        for node in ast.walk(root):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                name, place = node.id, (node.lineno, node.col_offset)
            elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                name, place = f".{node.attr}", (node.lineno, node.col_offset)
            else:
                continue
            found[name] = min(place, found.get(name, place))
    return sorted(found, key=found.__getitem__)
