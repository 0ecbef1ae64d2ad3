"""The variables that a chat model writes down, in the one spelling of state texts.

    read_bindings(" n = 3; s = [1,2]") -> "n=3; s=[1, 2]"        "none" -> ""

The text is parsed, never executed. What is not "name = value; .." (objects in words, say) stays as it is:
only the comparison with the true states suffers from that, not the loop.
"""

from __future__ import annotations

import ast
import warnings

MAX_CHARACTERS = 20_000


def read_bindings(text: str) -> str:
    """Parse one 'STATE: a = 1; b = 2' line into a dict."""
    plain = (
        " ".join(text.strip().strip("`").split()) if len(text) <= MAX_CHARACTERS else text[:MAX_CHARACTERS]
    )
    if plain.lower() in ("", "none", "none.", "(none)", "empty", "no variables", "无", "空"):
        return ""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(plain)
        pairs = [_pair(node) for node in tree.body]
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return plain
    return "; ".join(pairs)


def _pair(node: ast.stmt) -> str:
    if (
        not isinstance(node, ast.Assign)
        or len(node.targets) != 1
        or not isinstance(node.targets[0], ast.Name)
    ):
        raise ValueError("not name = value")
    return f"{node.targets[0].id}={ast.unparse(node.value)}"
