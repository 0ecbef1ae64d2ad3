"""A program up to renaming and constants: what "the same" means when evaluation is kept out of training.

    normal_form("def f(n): return n + 1") == normal_form("def g(k): return k + 7")

Names of variables, functions, classes and imports, and attributes that the program itself assigns or defines,
become numbers in order of appearance; constants become their type (-3 is a constant as 3 is); docstrings and
annotations go. Names of built-ins, other attributes and keywords stay. The result is a hash, the same on
every Python.
"""

from __future__ import annotations

import ast
import builtins
import hashlib
from typing import Any

# Those of 3.11 to 3.13 alike: a name that only one of them has would else make another form there.
_KEPT = frozenset(dir(builtins)) | {"PythonFinalizationError", "_IncompleteInputError"}
_SKIPPED = frozenset(
    {"ctx", "annotation", "returns", "type_comment", "type_params", "type_ignores", "kind", "simple"}
)
_NAMED = {
    "FunctionDef": "name", "AsyncFunctionDef": "name", "ClassDef": "name", "ExceptHandler": "name",
    "arg": "arg", "Name": "id", "MatchAs": "name", "MatchStar": "name", "alias": "asname",
}  # fmt: skip
_FIELDS: dict[str, tuple[str, ...]] = {}  # kind of node -> fields that count, as they are met
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def normal_form(source: str) -> str:
    """16 hex digits, equal for programs that differ in names and constants alone. SyntaxError: not Python."""
    tree = ast.parse(source)
    writer = _Writer(_own_attributes(tree))
    writer.node(tree)
    return hashlib.sha256(" ".join(writer.out).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _own_attributes(tree: ast.Module) -> frozenset[str]:
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            for one in node.body:
                if isinstance(one, _FUNCTIONS):
                    found.add(one.name)
                elif isinstance(one, ast.Assign | ast.AnnAssign):
                    targets = one.targets if isinstance(one, ast.Assign) else [one.target]
                    found.update(target.id for target in targets if isinstance(target, ast.Name))
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            found.add(node.attr)
    return frozenset(name for name in found if not (name.startswith("__") and name.endswith("__")))


class _Writer:
    """Writes a tree as words, in one pass."""

    def __init__(self, attributes: frozenset[str]) -> None:
        self.out: list[str] = []
        self._attributes = attributes
        self._names: dict[str, str] = {}

    def name(self, name: str) -> str:
        if name in _KEPT or (name.startswith("__") and name.endswith("__")):
            return name
        return self._names.setdefault(name, f"v{len(self._names)}")

    def node(self, node: Any) -> None:
        """Any `ast.AST`."""
        kind = type(node).__name__  # a name for every node: mypy does not follow it to `node`, hence Any
        out = self.out
        if kind == "Name":
            out.append(self.name(node.id))
            return
        if kind == "Constant":
            out.append(f"={type(node.value).__name__}")
            return
        if kind == "UnaryOp" and _is_negative(node):
            self.node(node.operand)
            return
        if kind == "AnnAssign":
            self._annotated(node)
            return
        out.append(kind)
        fields = _FIELDS.get(kind)
        if fields is None:
            fields = _FIELDS[kind] = tuple(field for field in node._fields if field not in _SKIPPED)
        if not fields:
            return
        named = _NAMED.get(kind)
        for field in fields:
            value = getattr(node, field, None)
            if isinstance(value, list):
                if (
                    field == "body"
                    and isinstance(node, _FUNCTIONS)
                    and ast.get_docstring(node, clean=False) is not None
                ):
                    value = value[1:]
                out.append("[")
                for one in value:
                    if isinstance(one, ast.AST):
                        self.node(one)
                    else:
                        out.append(self.name(one) if isinstance(one, str) else repr(one))
                out.append("]")
            elif isinstance(value, ast.AST):
                self.node(value)
            elif field == named:
                out.append("-" if value is None else self.name(value))
            elif kind == "Attribute" and value in self._attributes:
                out.append(self.name(f".{value}"))
            else:
                out.append(repr(value))

    def _annotated(self, node: ast.AnnAssign) -> None:
        """As the same assignment without its annotation."""
        if node.value is None:
            self.out.append("Pass")
            return
        self.out += ["Assign", "["]
        self.node(node.target)
        self.out.append("]")
        self.node(node.value)


def _is_negative(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.UnaryOp)
        and isinstance(node.op, ast.USub)
        and isinstance(node.operand, ast.Constant)
    )
