"""Syntax trees of the package's own code, parsed and walked once for all tests that read it."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from functools import cache


@cache
def parsed(text: str) -> ast.Module:
    """Parse the text of a file, once in a process; nobody may change the tree."""
    return ast.parse(text)


def nodes(tree: ast.AST) -> Iterable[ast.AST]:
    """Return all nodes of a tree; those of a whole file are collected once."""
    return _of_file(tree) if isinstance(tree, ast.Module) else ast.walk(tree)


@cache
def _of_file(tree: ast.Module) -> list[ast.AST]:
    return list(ast.walk(tree))
