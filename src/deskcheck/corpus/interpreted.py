"""Evaluate small pieces of Python that deskcheck wrote itself, in this process, for training data.

value_of("len('abc')")                         -> 3
effect_of("held.pop()", "[1, 2]", name="held") -> (2, [1, 2], [1])
result_of("def f(n):\\n    return n + 1", 2)    -> 3
"""

from __future__ import annotations

import ast
from typing import Any


def value_of(plain: str) -> Any:
    """Evaluate one operation on literals in Python, without Python's warning for `5 is not None`.

    Python warns of a literal next to `is`, so a name replaces the literal.
    """
    tree = ast.parse(plain, mode="eval")
    if not (isinstance(node := tree.body, ast.Compare) and isinstance(node.ops[0], ast.Is | ast.IsNot)):
        return eval(plain)
    operand = ast.literal_eval(node.left)
    node.left = ast.copy_location(ast.Name("operand", ast.Load()), node.left)
    return eval(compile(tree, "<redex>", "eval"), {"operand": operand})


def effect_of(code: str, literal: str, *, name: str) -> tuple[Any, Any, Any]:
    """Run code on a value called `name`; return (its result, the value before, the value after).

    The result of a statement is None.
    """
    before, scope = eval(literal), {name: eval(literal)}
    try:
        returned = eval(code, {}, scope)
    except SyntaxError:  # a statement
        exec(code, {}, scope)
        returned = None
    return returned, before, scope[name]


def result_of(source: str, n: int) -> object:
    """Return what `f(n)` of a program returns."""
    names: dict[str, Any] = {}
    exec(source, names)
    return names["f"](n)
