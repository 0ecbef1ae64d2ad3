"""Parse Python programs and expressions of others: one kind of error, and no warnings about their escapes."""

from __future__ import annotations

import ast
import warnings
from typing import Literal


def parse_module(source: str) -> ast.Module:
    """Parse a program. SyntaxError for a text that cannot be parsed, whatever the reason."""
    tree = _parsed(source, "exec")
    assert isinstance(tree, ast.Module)
    return tree


def parse_expression(text: str) -> ast.expr:
    """Parse one expression. SyntaxError for a text that cannot be parsed as one, whatever the reason."""
    tree = _parsed(text, "eval")
    assert isinstance(tree, ast.Expression)
    return tree.body


def _parsed(text: str, mode: Literal["exec", "eval"]) -> ast.AST:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return ast.parse(text, mode=mode)
        except (ValueError, RecursionError, MemoryError) as error:  # a NUL, half a character, deep nesting
            raise SyntaxError(f"cannot be parsed: {error or type(error).__name__}") from None


def is_expression(text: str) -> bool:
    """Tell whether a text parses as one expression."""
    try:
        parse_expression(text.strip())
    except SyntaxError:
        return False
    return True
