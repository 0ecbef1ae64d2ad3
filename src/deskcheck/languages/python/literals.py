"""Read the text of an answer as a plain value, and compare two such values under a policy.

    read("[1, 'a', {2.5: None}]", most=1000) -> [1, 'a', {2.5: None}]
    read("f(3)", most=1000)                  -> BadSource

It reads Python literals and displays, signed and complex numbers as `repr` writes them, implicit string
concatenation, and forms of `repr` that are no literals: nan, inf, set(), frozenset({..}), Ellipsis and
NotImplemented.

Hostile text (a megabyte, a million brackets, a million signs, huge numbers, bad escapes) is refused in
bounded time. No name is looked up, and no operator is applied except signs and complex sums. F-strings,
comprehensions, arithmetic and calls are refused: they are expressions, not answers.

The rules of `same`:

strict     exact types at every depth: True is not 1, 1 is not 1.0, a list is not a tuple.
           NaN is NaN. 0.0 is not -0.0, because a program prints them differently. The order of a dictionary
           does not count.
published  Python's own ==, the rule of CRUXEval and LiveCodeBench.
lenient    numbers (bool, int, float, complex) by value, so 0.0 is -0.0; NaN is NaN; list = tuple;
           set = frozenset; text and bytes are never equal. A tolerance applies to values, not to dictionary
           keys or members of sets.
"""

from __future__ import annotations

import ast
import cmath
import math
import warnings

from deskcheck.errors import BadSource
from deskcheck.languages import Shape
from deskcheck.records import Trace
from deskcheck.tracing.literal import python_text
from deskcheck.tracing.replay import HeapObject, State

# The same depth of nesting as in a trace (`Limits.depth`).
MAX_DEPTH = 64

_NAMES = {"nan": math.nan, "inf": math.inf, "Ellipsis": ..., "NotImplemented": NotImplemented}
_IMAGINARY_NAMES = {"nanj": math.nan, "infj": math.inf}  # repr(complex("nan+infj")) == "(nan+infj)"


def read(text: str, *, most: int) -> object:
    """Read the text of one literal, of at most `most` characters, as a value.

    BadSource gives the reason why a text is no literal.
    """
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
        # CPython's parser raises MemoryError when its stack is full; memory is not short.
        reason = str(error) or type(error).__name__
        raise BadSource(f"not a literal: {reason}, in {_short(stripped)}") from None


def write(value: object) -> str:
    """Return the literal text of a value that `read` makes."""
    return repr(value)


def key(name: str) -> str:
    """Return the name of an entry as it stands in the literal of a dictionary."""
    return repr(name)


def literal(trace: Trace, state: State, handle: int) -> str:
    """Return the literal of one value of a run; NotPlain if it has none."""
    return python_text(trace, state, handle)


def scalar(trace: Trace, handle: int) -> str | None:
    """Return None: states are written in Python's spelling unless a language has another."""
    del trace, handle
    return None


def shape(trace: Trace, heap_object: HeapObject) -> Shape | None:
    """Return None: objects of states have Python's form unless a language has another."""
    del trace, heap_object
    return None


def type_name(value: object) -> str:
    """Return the name of the type of a value that `read` makes."""
    return type(value).__name__


def plain(text: str) -> object:
    """Return the value of a text that `ast.literal_eval` accepts. ValueError for another text."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.literal_eval(text)
    except (SyntaxError, TypeError, RecursionError, MemoryError) as error:
        raise ValueError(f"no literal: {error}") from None


def is_canonical(text: str) -> bool:
    """Return whether the literal of a string is written as `repr` writes it."""
    try:
        return text == repr(ast.literal_eval(text))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False


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
    """Return a signed number, or the sum of a real and an imaginary one with exactly the written signs."""
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


def same(a: object, b: object, *, policy: str, tolerance: float) -> bool:
    """Return whether the two values are the same answer. Values are those that `read` makes."""
    if policy == "published":
        return bool(a == b)
    if policy == "strict":
        return _exact(a) == _exact(b)
    return _close(a, b, tolerance)


def _exact(value: object) -> object:
    """Return a hashable form that two values share exactly when `strict` calls them equal."""
    kind = type(value).__name__
    if isinstance(value, list | tuple):
        return kind, tuple(map(_exact, value))
    if isinstance(value, set | frozenset):
        return kind, frozenset(map(_exact, value))
    if isinstance(value, dict):
        return kind, frozenset((_exact(key), _exact(item)) for key, item in value.items())
    if isinstance(value, float):
        return kind, _float_text(value)
    if isinstance(value, complex):
        return kind, _float_text(value.real), _float_text(value.imag)
    return kind, value


def _float_text(value: float) -> str:
    return "nan" if math.isnan(value) else value.hex()


def _loose(value: object) -> object:
    """Return a hashable form for dictionary keys and set members under `lenient`."""
    if isinstance(value, list | tuple):
        return "sequence", tuple(map(_loose, value))
    if isinstance(value, set | frozenset):
        return "set", frozenset(map(_loose, value))
    if isinstance(value, bool | int | float | complex):
        return "number", "nan" if _is_nan(value) else value
    return type(value).__name__, value


def _is_nan(value: complex) -> bool:
    # An int is never NaN, and a huge one would overflow the float that isnan takes.
    return not isinstance(value, int) and (math.isnan(value.real) or math.isnan(value.imag))


def _close(a: object, b: object, tolerance: float) -> bool:
    if isinstance(a, list | tuple) and isinstance(b, list | tuple):
        return len(a) == len(b) and all(_close(x, y, tolerance) for x, y in zip(a, b, strict=True))
    if isinstance(a, dict) and isinstance(b, dict):
        mine = {_loose(key): item for key, item in a.items()}
        yours = {_loose(key): item for key, item in b.items()}
        return mine.keys() == yours.keys() and all(_close(mine[k], yours[k], tolerance) for k in mine)
    if isinstance(a, bool | int | float | complex) and isinstance(b, bool | int | float | complex):
        return _loose(a) == _loose(b) or _near(a, b, tolerance)
    return _loose_scalar(a) == _loose_scalar(b)


def _loose_scalar(value: object) -> object:
    return ("mapping",) if isinstance(value, dict) else _loose(value)


def _near(a: complex, b: complex, tolerance: float) -> bool:
    if tolerance == 0.0 or _is_nan(a) or _is_nan(b):
        return False
    try:
        return cmath.isclose(a, b, rel_tol=tolerance, abs_tol=tolerance)
    except OverflowError:  # an int too large for a float: only equality counts, and it was tested before
        return False
