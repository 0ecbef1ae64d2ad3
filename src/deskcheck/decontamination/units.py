"""A program as units: every function and method by itself, with what it needs of the same file; its features.

    units_of(source) -> (Unit("Solution.solve", 3, ..), ..)
    features_of(trees) -> frozenset of whole numbers of 32 bits, the same in every process

A unit has two forms, equal for copies up to what `canonical` levels out, and features for near copies: hashes
of its expressions, statements and neighboring statements. In features every name is the same name, a test is
its negation, and the operands of +, *, ==, < have no order; a feature is an expression, a statement (of a
compound one its head) or two statements that follow one another. Statements outside of functions are a unit
of their own.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
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

BITS = 0xFFFF_FFFF
_HASHES: dict[str, int] = {}
_COMMUTE = frozenset({"Add", "Mult", "BitOr", "BitAnd", "BitXor"})
_SAME = 1
_POLE = {"Eq": "Eq", "NotEq": "Eq", "Is": "Is", "IsNot": "Is", "Lt": "Lt", "LtE": "Lt"}
"""A feature does not tell a test from its negation."""


def features_of(trees: tuple[Tree, ...]) -> frozenset[int]:
    """Hashes of all statements, expressions and pairs of neighboring statements."""
    reader = _Features()
    for tree in trees:
        reader.statement(tree)
    heads = reader.heads
    pairs = (hash((7, a, b)) & BITS for a, b in pairwise(heads))
    return frozenset(reader.found).union(pairs)


def _word(text: str) -> int:
    found = _HASHES.get(text)
    if found is None:
        digest = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=7).digest()
        found = int.from_bytes(digest, "big")
        if len(_HASHES) < 100_000:
            _HASHES[text] = found
    return found


_BLOCKS = frozenset({"body", "else", "handlers", "finalbody", "orelse", "cases"})
_STATEMENTS = frozenset({
    "Expr", "Assign", "Return", "If", "For", "While", "def", "class", "Try", "TryStar", "With", "AsyncWith",
    "Raise", "Assert", "Delete", "Match", "match_case", "ExceptHandler", "Continue", "Break", "TypeAlias",
})  # fmt: skip


class _Features:
    """Hashes a tree from its leaves up. Hashes of tuples of whole numbers are the same in every process."""

    def __init__(self) -> None:
        self.found: set[int] = set()
        self.heads: list[int] = []
        """One hash a statement, in the order of the text: of its head where it has a body."""

    def statement(self, tree: Tree) -> None:
        """Take in a statement: one hash for it, and what its expressions and its body hold."""
        kind = tree[0]
        blocks = []
        parts = [_word(kind)]
        for part in tree[1:]:
            if type(part) is tuple and (part[0] in _BLOCKS or part[0] in _STATEMENTS):
                blocks.append(part)
            elif kind not in ("def", "class"):
                parts.append(self.value(part))
        if len(parts) > 1:
            head = hash(tuple(parts))
            self.found.add(head & BITS)
            self.heads.append(head)
        for block in blocks:
            if block[0] in _STATEMENTS:
                self.statement(block)
            else:
                for one in block[1:]:
                    self.statement(one)

    def value(self, tree: Tree) -> int:
        """Take in an expression; what is returned is its hash."""
        if type(tree) is str:
            return _word(tree)
        kind = tree[0]
        if kind == NAME:
            return _SAME
        parts = [self.value(part) for part in tree[1:]]
        if kind in _COMMUTE:
            parts.sort()
        elif kind == "Not":
            return parts[0]
        elif kind == "Compare" and len(tree) == 4 and tree[2] not in ("In", "NotIn"):
            parts = [_word(_POLE[tree[2]]), *sorted((parts[0], parts[2]))]
        elif kind == "Compare" and len(tree) == 4:
            parts[1] = _word("In")
        found = hash((_word(kind), *parts))
        self.found.add(found & BITS)
        if kind == "comprehension":
            self.found.add(hash((_word("For"), parts[0], parts[1])) & BITS)
            for test in parts[2:]:
                self.found.add(hash((_word("If"), test)) & BITS)
        elif kind == "ListComp":  # as the loop that appends the same
            append = hash((_word("Attribute"), _SAME, _word(".append")))
            call = hash((_word("Call"), append, parts[0]))
            self.found.update((call & BITS, hash((_word("Expr"), call)) & BITS))
        elif kind == "IfExp":
            self.found.add(hash((_word("If"), parts[0])) & BITS)
        return found


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
