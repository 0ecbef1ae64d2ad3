"""Order the members of a set the same way in every process and for both tracers."""

from __future__ import annotations

from types import NoneType
from typing import Any

_HAVE_REPR = frozenset(map(id, (str, float, complex, bytes, bool, NoneType)))


def canonical(value: Any) -> tuple[int, float, str]:
    """Sort key of a set member: numbers, then text, then tuples by content, then the rest by type name."""
    kind = type(value)  # exactly: mypy does not follow it to `value`, hence Any
    if kind is int or kind is bool:
        try:
            return 0, float(value), repr(value)[:400]
        except (OverflowError, ValueError):
            return 0, float("inf") if value > 0 else float("-inf"), hex(value)
    if kind is float:
        return (0, value, "") if value == value else (1, 0.0, "nan")
    if kind is str:
        return 2, 0.0, value
    return 3, 0.0, _canonical_text(value)


def _canonical_text(value: Any) -> str:
    kind = type(value)
    if kind is tuple:
        return f"({', '.join(_canonical_text(item) for item in value)})"
    if kind is frozenset:
        return f"{{{', '.join(sorted(_canonical_text(item) for item in value))}}}"
    if id(kind) in _HAVE_REPR:
        return repr(value)
    if kind is int:
        return hex(value)
    return type.__dict__["__qualname__"].__get__(kind)  # type: ignore[no-any-return]  # a str
