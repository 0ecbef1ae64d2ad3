"""Evaluate small expressions in a state, without executing code of the program.

    evaluated(ast.parse("xs[0] > n", mode="eval").body, {"xs": [3], "n": 2}) -> True

The docstring of `evaluated` lists the kinds of expressions; all others raise Unknown.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from typing import Any


class Unknown(Exception):
    """Error for an expression that has no value in a state, or is of a kind that is not evaluated."""


_COMPARED: Mapping[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le,
    ast.Gt: operator.gt, ast.GtE: operator.ge,
    ast.In: lambda a, b: a in b, ast.NotIn: lambda a, b: a not in b,
}  # fmt: skip
_CALCULATED: Mapping[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Mod: operator.mod,
    ast.FloorDiv: operator.floordiv, ast.Div: operator.truediv,
}  # fmt: skip
_LARGEST = 10**12  # largest absolute value of an operand
_LARGEST_TEXT = 100_000  # most characters of a text that an expression makes
_OF_TEXT = {
    "islower", "isupper", "isdigit", "isalpha", "isalnum", "isspace", "isnumeric", "isdecimal", "istitle",
    "startswith", "endswith", "lower", "upper", "swapcase", "title", "capitalize", "count", "find", "rfind",
    "zfill", "strip", "lstrip", "rstrip", "replace", "ljust", "rjust", "center",
}  # fmt: skip
"""Methods of strings that are evaluated; their integer arguments are at most _WIDEST."""
_WIDEST = 10_000


def evaluated(tree: ast.expr, values: Mapping[str, Any]) -> Any:
    """Return the value of an expression, with the values of names given. Unknown if it has none.

    Its parts may be names, constants, items, slices, lists, len(), arithmetic on numbers up to _LARGEST,
    sums and multiples of strings, comparisons and methods of strings.
    """
    try:
        return _walk(tree, values)
    except (TypeError, ValueError, KeyError, IndexError, ZeroDivisionError, OverflowError):
        raise Unknown from None


def _walk(tree: ast.expr, values: Mapping[str, Any]) -> Any:
    """Evaluate one node of an expression. Unknown for a kind that is not evaluated."""
    if isinstance(tree, ast.Name) and tree.id in values:
        return values[tree.id]
    if isinstance(tree, ast.Constant):
        return tree.value
    if isinstance(tree, ast.UnaryOp) and isinstance(tree.op, ast.USub):
        return -_walk(tree.operand, values)
    if isinstance(tree, ast.Subscript):
        return _walk(tree.value, values)[_index(tree.slice, values)]
    if (
        isinstance(tree, ast.Call)
        and isinstance(tree.func, ast.Name)
        and tree.func.id == "len"
        and len(tree.args) == 1
    ):
        return len(_walk(tree.args[0], values))
    if isinstance(tree, ast.List):
        return [_walk(one, values) for one in tree.elts]
    if isinstance(tree, ast.Call) and isinstance(tree.func, ast.Attribute) and not tree.keywords:
        owner = _walk(tree.func.value, values)
        if not isinstance(owner, str) or tree.func.attr not in _OF_TEXT:
            raise Unknown
        given = [_walk(one, values) for one in tree.args]
        if any(isinstance(one, int) and abs(one) > _WIDEST for one in given):
            raise Unknown
        if tree.func.attr == "replace" and len(owner) * max(map(len, given), default=0) > _LARGEST_TEXT:
            raise Unknown
        return getattr(owner, tree.func.attr)(*given)
    if isinstance(tree, ast.BinOp) and type(tree.op) in _CALCULATED:
        left, right = _walk(tree.left, values), _walk(tree.right, values)
        if isinstance(tree.op, ast.Mult) and type(left) is str and type(right) is int:
            if len(left) * right > _LARGEST_TEXT:
                raise Unknown
            return left * right
        if isinstance(tree.op, ast.Add) and type(left) is type(right) is str:
            return left + right
        if any(type(one) not in (int, float) or abs(one) > _LARGEST for one in (left, right)):
            raise Unknown
        return _CALCULATED[type(tree.op)](left, right)
    if isinstance(tree, ast.Compare) and len(tree.ops) == 1 and type(tree.ops[0]) in _COMPARED:
        return _COMPARED[type(tree.ops[0])](_walk(tree.left, values), _walk(tree.comparators[0], values))
    raise Unknown


def _index(tree: ast.expr, values: Mapping[str, Any]) -> Any:
    if not isinstance(tree, ast.Slice):
        return _walk(tree, values)
    return slice(
        *(_walk(one, values) if one is not None else None for one in (tree.lower, tree.upper, tree.step))
    )
