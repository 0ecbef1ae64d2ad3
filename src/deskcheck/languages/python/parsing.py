"""Parse Python programs and expressions of others without printing warnings about their escapes."""

from __future__ import annotations

import ast
import warnings


def parse_module(source: str) -> ast.Module:
    """Parse a program; warnings about its escapes are not printed. SyntaxError, ValueError as `ast.parse`."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(source)


def parse_expression(text: str) -> ast.expr:
    """Parse one expression; warnings about its escapes are not printed. SyntaxError, ValueError as above."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(text, mode="eval").body


def is_expression(text: str) -> bool:
    """Tell whether a text parses as one expression."""
    try:
        parse_expression(text.strip())
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True
