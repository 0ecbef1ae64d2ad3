"""Find what a Python source holds: kinds of statements, names that a statement reads, comments.

contents("import os\\nx = 1\\n")          -> {"import", "statement"}
names_read("if a < b:\\n    c = d\\n", 2)  -> ["d"]
"""

from __future__ import annotations

import ast


def contents(source: str) -> frozenset[str]:
    """Return the kinds of a source's statements: "definition", "import", "statement".

    There are none if it holds comments alone or does not parse.
    """
    try:
        body = ast.parse(source).body
    except (SyntaxError, ValueError):
        return frozenset()
    return frozenset(map(_kind, body))


def _kind(node: ast.stmt) -> str:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return "definition"
    return "import" if isinstance(node, ast.Import | ast.ImportFrom) else "statement"


def names_read(source: str, line: int) -> list[str]:
    """Return the names that the statement on a line reads, in their order."""
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return []
    around = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.stmt) and node.lineno <= line <= (node.end_lineno or 0)
    ]
    if not around:
        return []
    inner = max(around, key=lambda node: node.lineno)
    names = [n for n in ast.walk(inner) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)]
    names.sort(key=lambda name: (name.lineno, name.col_offset))
    return list(dict.fromkeys(name.id for name in names))
