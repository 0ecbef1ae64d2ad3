"""Read the assignments of a text such as "n = 3; s = [1,2]", each with its value as `ast.unparse` spells it.

bindings("n = 3; s = [1,2]") -> [("n", "3"), ("s", "[1, 2]")]
"""

from __future__ import annotations

import ast

from deskcheck.languages.python.parsing import parse_module


def bindings(text: str, *, chained: bool = False) -> list[tuple[str, str]]:
    """Return (name, value) of each assignment. ValueError for a text with anything else.

    `chained`: "a = b = 1" counts, too, as an assignment to its first name.
    """
    try:
        return [_pair(node, chained) for node in parse_module(text).body]
    except (SyntaxError, RecursionError) as error:
        raise ValueError(f"not Python: {error}") from None


def _pair(node: ast.stmt, chained: bool) -> tuple[str, str]:
    if (
        not isinstance(node, ast.Assign)
        or (len(node.targets) != 1 and not chained)
        or not isinstance(node.targets[0], ast.Name)
    ):
        raise ValueError("not name = value")
    return node.targets[0].id, ast.unparse(node.value)
