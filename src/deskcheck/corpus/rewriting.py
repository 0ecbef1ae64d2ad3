"""Rewrite literals and assignments in Python code, token by token; all other characters stay.

redrawn("s = 'ab'", lambda value: "'xyz'")       -> "s = 'xyz'"
annotated("n = 3", Random(1), share=1.0)         -> "n: int = 3"
"""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Callable
from random import Random


def redrawn(source: str, literal_for: Callable[[str], str]) -> str:
    """Replace each string in code by the literal that `literal_for(value)` returns, the last string first.

    Strings with a prefix such as `f` or `r`, and strings over several lines, stay.
    """
    lines = source.splitlines(keepends=True)
    tokens = list(tokenize.generate_tokens(io.StringIO(source).readline))
    for token in reversed(tokens):
        if token.type != tokenize.STRING or token.start[0] != token.end[0] or token.string[0] not in "'\"":
            continue
        value = ast.literal_eval(token.string)
        literal = literal_for(value)
        row = token.start[0] - 1
        line = lines[row]
        lines[row] = line[: token.start[1]] + literal + line[token.end[1] :]
    return "".join(lines)


def annotated(source: str, rng: Random, *, share: float) -> str:
    """Write `n: int = 3` for a share of the assignments of literals, such as `n = 3`, in code."""
    lines = source.splitlines(keepends=True)
    found = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Assign)]
    for node in sorted(found, key=lambda node: (node.lineno, node.col_offset), reverse=True):
        if len(node.targets) > 1 or rng.random() >= share:
            continue
        (target,), kind = node.targets, _kind(node.value)
        row, at = node.lineno - 1, target.end_col_offset or 0
        if isinstance(target, ast.Name) and kind and lines[row][:at].isascii():
            lines[row] = f"{lines[row][:at]}: {kind}{lines[row][at:]}"
    return "".join(lines)


def _kind(value: ast.expr) -> str:
    """Return the name of a literal's type; "" if the expression is no literal."""
    try:
        return type(ast.literal_eval(value)).__name__
    except ValueError:
        return ""
