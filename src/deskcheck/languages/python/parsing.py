"""Parse foreign Python programs and expressions without printing warnings about their escapes."""

from __future__ import annotations

import ast
import warnings


def parse_module(source: str) -> ast.Module:
    """Parse a foreign program without printing warnings about its escapes."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(source)


def parse_expression(text: str) -> ast.expr:
    """Parse one foreign expression without printing warnings about its escapes."""
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
