"""Turn the text of an answer into the plain value that it denotes, without executing anything.

    parse_literal("[1, 'a', {2.5: None}]") -> [1, 'a', {2.5: None}]
    parse_literal("f(3)")                  -> BadSource

Python literals and displays, signed and complex numbers as `repr` writes them, implicit string
concatenation, and what `repr` writes although it is no literal: nan, inf, set(), frozenset({..}).

Covered: hostile text (a megabyte, a million brackets, a million signs, huge numbers, bad escapes) is
"unparsable" in bounded time; no name is looked up, no operator applied beyond sign and complex sums.
Not covered: f-strings, comprehensions, arithmetic, calls. They are expressions, not answers.
"""

from __future__ import annotations

import ast
import math
import warnings

from deskcheck.errors import BadSource

# Longer than the repr of any value a trace records by default (64 KiB a scalar), and short enough that
# the worst text found (49,000 elements, then a syntax error) is refused in under half a second.
MAX_CHARS = 100_000
# A truth comes from a run or a file, not from a model, and is read once.
TRUTH_CHARS = 1_000_000
# The same nesting that a tracer looks into (`Limits.depth`).
MAX_DEPTH = 64

_NAMES = {"nan": math.nan, "inf": math.inf, "Ellipsis": ..., "NotImplemented": NotImplemented}
_IMAGINARY_NAMES = {"nanj": math.nan, "infj": math.inf}  # repr(complex("nan+infj")) == "(nan+infj)"


def parse_literal(text: str, *, most: int = MAX_CHARS) -> object:
    """The value of one literal of at most `most` characters. BadSource says why a text is not one."""
    if len(text) > most:
        raise BadSource(f"not a literal: {len(text):,} characters, the limit is {most:,}")
    stripped = text.strip()
    if not stripped:
        raise BadSource("not a literal: the text is empty")
    try:
        with warnings.catch_warnings():  # '\d' is a SyntaxWarning, not a reason to fail or to print
            warnings.simplefilter("ignore")
            tree = ast.parse(stripped, mode="eval")
        return _value(tree.body, 0)
    except BadSource:
        raise
    except (SyntaxError, ValueError, TypeError, OverflowError, RecursionError, MemoryError) as error:
        # MemoryError is what CPython's parser says when its stack is full, not a lack of memory.
        reason = str(error) or type(error).__name__
        raise BadSource(f"not a literal: {reason}, in {_short(stripped)}") from None


def parse_module(source: str) -> ast.Module:
    """`ast.parse` of a program that is not ours: its odd escapes are no warnings of ours."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(source)


def parse_expression(text: str) -> ast.expr:
    """The same of one expression."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(text, mode="eval").body


def is_literal(text: str) -> bool:
    """True where `parse_literal` would return a value."""
    try:
        parse_literal(text)
    except BadSource:
        return False
    return True


def _value(node: ast.expr, depth: int) -> object:
    if depth > MAX_DEPTH:
        raise BadSource(f"not a literal: nested deeper than {MAX_DEPTH}")
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.List):
        return [_value(item, depth + 1) for item in node.elts]
    if isinstance(node, ast.Tuple):
        return tuple(_value(item, depth + 1) for item in node.elts)
    if isinstance(node, ast.Set):
        return {_value(item, depth + 1) for item in node.elts}
    if isinstance(node, ast.Dict):
        return _dict(node, depth)
    if isinstance(node, ast.Call):
        return _set_call(node, depth)
    if isinstance(node, ast.Name) and node.id in _NAMES:
        return _NAMES[node.id]
    return _number(node)


def _dict(node: ast.Dict, depth: int) -> dict[object, object]:
    result: dict[object, object] = {}
    for key, item in zip(node.keys, node.values, strict=True):
        if key is None:
            raise BadSource("not a literal: ** in a dictionary")
        result[_value(key, depth + 1)] = _value(item, depth + 1)
    return result


def _set_call(node: ast.Call, depth: int) -> object:
    name = node.func.id if isinstance(node.func, ast.Name) else ""
    if name not in ("set", "frozenset") or node.keywords or len(node.args) > 1:
        raise BadSource("not a literal: a call (only set() and frozenset({..}) are answers)")
    if not node.args:
        return set() if name == "set" else frozenset()
    inner = node.args[0]
    if not isinstance(inner, ast.Set | ast.List | ast.Tuple):
        raise BadSource(f"not a literal: {name}() of something that is no display")
    members = (_value(item, depth + 2) for item in inner.elts)
    return set(members) if name == "set" else frozenset(members)


def _number(node: ast.expr) -> object:
    """Signed numbers, and sums of a real and an imaginary one with exactly the signs that are written."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
        real, imaginary = _signed(node.left), _imaginary(node.right)
        if isinstance(real, int | float) and not isinstance(real, bool):
            sign = -1.0 if isinstance(node.op, ast.Sub) else 1.0
            # "-0" before an imaginary part is how repr writes the real part -0.0
            minus_zero = real == 0 and isinstance(node.left, ast.UnaryOp)
            return complex(-0.0 if minus_zero else float(real), sign * imaginary)
        raise BadSource("not a literal: arithmetic")
    return _signed(node)


def _signed(node: ast.expr) -> object:
    sign = 1
    signed = False
    while isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd):
        sign = -sign if isinstance(node.op, ast.USub) else sign
        node = node.operand
        signed = True
    if isinstance(node, ast.Name) and node.id in _IMAGINARY_NAMES:
        return complex(0.0, sign * _IMAGINARY_NAMES[node.id])
    value = _NAMES.get(node.id) if isinstance(node, ast.Name) else getattr(node, "value", None)
    if isinstance(value, bool) or not isinstance(value, int | float | complex):
        raise BadSource(f"not a literal: {type(node).__name__}")
    if signed and isinstance(value, complex):
        return complex(0.0, sign * value.imag)  # "-2j" is how repr writes complex(0, -2)
    return -value if sign < 0 else value


def _imaginary(node: ast.expr) -> float:
    if isinstance(node, ast.Name) and node.id in _IMAGINARY_NAMES:
        return _IMAGINARY_NAMES[node.id]
    if isinstance(node, ast.Constant) and isinstance(node.value, complex):
        return node.value.imag
    raise BadSource("not a literal: arithmetic")


def _short(text: str) -> str:
    return repr(text if len(text) <= 60 else f"{text[:57]}...")
