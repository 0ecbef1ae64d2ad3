"""Evaluate an expression over recorded values, without running any code of the program.

    condition("n > 10 and xs[0] in seen").names           -> ["n", "seen", "xs"]
    condition("len(xs) == n").value(values)               -> True; Undefined if it has no value there

An expression may hold names, literals, displays such as [a, b], items, slices, recorded attributes,
arithmetic, comparisons, `in`, `is`, `and`, `or`, `not`, `a if b else c`, and calls of len, abs, min, max and
sum on plain values. Results are bounded in size.
"""

from __future__ import annotations

import ast
import operator
from collections import deque
from collections.abc import Callable
from typing import Any

from deskcheck.errors import UserError
from deskcheck.languages import RecordedValues, Undefined
from deskcheck.languages.python.parsing import parse_expression

_PLAIN = (type(None), bool, int, float, complex, str, bytes, type(...), list, tuple, dict, set, frozenset,
          range, slice, bytearray, deque)  # fmt: skip
_BINARY: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod, ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_, ast.BitXor: operator.xor, ast.LShift: operator.lshift,
    ast.RShift: operator.rshift, ast.Pow: operator.pow,
}  # fmt: skip
_UNARY: dict[type[ast.unaryop], Callable[[Any], Any]] = {
    ast.USub: operator.neg, ast.UAdd: operator.pos, ast.Invert: operator.invert, ast.Not: operator.not_,
}  # fmt: skip
_COMPARISONS: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le,
    ast.Gt: operator.gt, ast.GtE: operator.ge, ast.Is: operator.is_, ast.IsNot: operator.is_not,
    ast.In: lambda a, b: a in b, ast.NotIn: lambda a, b: a not in b,
}  # fmt: skip
_CALLS: dict[str, Callable[..., Any]] = {"len": len, "abs": abs, "min": min, "max": max, "sum": sum}
_MOST_BITS, _MOST_ITEMS = 4_096, 100_000  # largest results of `**` and `<<`, and of a repeated sequence
_ALLOWED = (
    ast.Name, ast.Constant, ast.Attribute, ast.Subscript, ast.Slice, ast.BinOp, ast.UnaryOp, ast.BoolOp,
    ast.Compare, ast.IfExp, ast.Tuple, ast.List, ast.Set, ast.Dict, ast.Call, ast.operator, ast.unaryop,
    ast.boolop, ast.cmpop, ast.expr_context,
)  # fmt: skip
HELP = "names, xs[0], a.b, arithmetic, comparisons, in, is, and, or, not, len(..), abs, min, max, sum"


def condition(text: str) -> Condition:
    """Read an expression. UserError for a text that is no expression, or has a part that is not supported."""
    try:
        tree = parse_expression(text.strip())
    except SyntaxError:
        raise UserError(f"'{text}' is no expression; for example: n > 10, len(xs) == 3, x in seen") from None
    for node in ast.walk(tree):
        is_call = isinstance(node, ast.Call)
        is_known = isinstance(node, _ALLOWED) and (
            not isinstance(node, ast.Call)
            or (isinstance(node.func, ast.Name) and node.func.id in _CALLS and not node.keywords)
        )
        if not is_known:
            what = ast.unparse(node) if isinstance(node, ast.expr) else type(node).__name__
            why = "would call code" if is_call else "is not supported"
            raise UserError(f"'{what}' in a condition {why}; it may hold: {HELP}")
    return Condition(tree)


class Condition:
    """An expression over recorded values; made by `condition`."""

    def __init__(self, tree: ast.expr) -> None:
        self._tree = tree
        called = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
        named = [node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and id(node) not in called]
        self.names = list(dict.fromkeys(named))
        """Variables of the expression, each once."""

    def value(self, values: RecordedValues) -> object:
        """Return the expression's value. Undefined if a name is not bound, or an operation has no value."""
        try:
            return self._value(self._tree, values)
        except Undefined:
            raise
        except (ArithmeticError, LookupError, TypeError, ValueError, RecursionError, MemoryError) as error:
            raise Undefined(f"{type(error).__name__}: {error}") from None

    def _value(self, node: ast.expr, values: RecordedValues) -> Any:
        def inner(part: ast.expr) -> Any:
            return self._value(part, values)

        match node:
            case ast.Constant(value=value):
                return value
            case ast.Name(id=name):
                return values.name(name)
            case ast.Attribute(value=base, attr=name):
                return values.attribute(inner(base), name)
            case ast.BoolOp(op=ast.And(), values=parts):
                return _last(parts, inner, stop=False)
            case ast.BoolOp(values=parts):
                return _last(parts, inner, stop=True)
            case ast.UnaryOp(op=sign, operand=operand):
                return _UNARY[type(sign)](_plain(inner(operand), values, is_kept=isinstance(sign, ast.Not)))
            case ast.IfExp(test=test, body=body, orelse=other):
                return inner(body) if inner(test) else inner(other)
            case ast.Compare(left=left, ops=operators, comparators=rest):
                return self._compared(inner(left), operators, rest, values)
            case ast.BinOp(left=left, op=sign, right=right):
                return _binary(type(sign), _plain(inner(left), values), _plain(inner(right), values))
            case ast.Subscript(value=base, slice=key):
                return _plain(inner(base), values)[inner(key)]
            case ast.Slice(lower=low, upper=high, step=step):
                return slice(*(None if each is None else inner(each) for each in (low, high, step)))
            case ast.Call(func=ast.Name(id=name), args=arguments):
                return _CALLS[name](*(_plain(inner(each), values) for each in arguments))
        return self._container(node, inner)

    def _container(self, node: ast.expr, inner: Callable[[ast.expr], Any]) -> Any:
        if isinstance(node, ast.Dict) and None not in node.keys:
            pairs = zip(node.keys, node.values, strict=True)
            return {inner(key): inner(value) for key, value in pairs if key is not None}
        makers = {ast.Tuple: tuple, ast.List: list, ast.Set: set}
        parts = getattr(node, "elts", None)
        if parts is None:
            raise Undefined(f"{type(node).__name__} is not supported")
        return makers[type(node)](inner(part) for part in parts)

    def _compared(
        self, left: Any, operators: list[ast.cmpop], rest: list[ast.expr], values: RecordedValues
    ) -> Any:
        for sign, node in zip(operators, rest, strict=True):
            right = self._value(node, values)
            if isinstance(sign, ast.In | ast.NotIn):
                result = _COMPARISONS[type(sign)](left, _plain(right, values))
            elif isinstance(sign, ast.Is | ast.IsNot):
                result = _COMPARISONS[type(sign)](left, right)
            else:
                result = _COMPARISONS[type(sign)](_contents(left, values), _contents(right, values))
            if not result:
                return False
            left = right
        return True


def _last(parts: list[ast.expr], inner: Callable[[ast.expr], Any], *, stop: bool) -> Any:
    """Return the first value whose truth is `stop`, or else the last one, as `and` and `or` do."""
    value: Any = None
    for part in parts:
        value = inner(part)
        if bool(value) is stop:
            return value
    return value


def _plain(value: Any, values: RecordedValues, *, is_kept: bool = False) -> Any:
    """Return a value of a built-in type as it is, and the contents of a recorded container of another type.

    `is_kept`: return any value as it is. Undefined for an object without contents.
    """
    if type(value) in _PLAIN or is_kept:
        return value
    return values.contents(value)


def _contents(value: Any, values: RecordedValues) -> Any:
    """Return the result of `_plain`, or the value itself if it has no contents."""
    try:
        return _plain(value, values)
    except Undefined:
        return value


def _binary(kind: type[ast.operator], left: Any, right: Any) -> Any:
    """Return the result of an operation on plain values. Undefined if it would be very large."""
    numbers = [each for each in (left, right) if isinstance(each, int)]
    sized = [each for each in (left, right) if isinstance(each, str | bytes | list | tuple | bytearray)]
    if kind is ast.Mod and isinstance(left, str | bytes | bytearray):
        raise Undefined("formatting is not supported")
    if kind is ast.Mult and sized and numbers and len(sized[0]) * abs(numbers[0]) > _MOST_ITEMS:
        raise Undefined("the result would be too long")
    if kind in (ast.Pow, ast.LShift) and len(numbers) == 2:
        bits = left.bit_length() * right if kind is ast.Pow else left.bit_length() + right
        if bits > _MOST_BITS:
            raise Undefined("the result would be too large")
    return _BINARY[kind](left, right)
