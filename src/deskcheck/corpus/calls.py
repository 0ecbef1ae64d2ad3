"""Read the calls of a function from a text in Python: a call, asserts, a model's reply; nothing is executed.

entry_and_arguments("Till(3).run([1])")    -> ("Till(3).run", "[1]")
asserted_calls("assert f(3) == 4")         -> {"f": ["3"]}
written_calls("f(1)", "f")                 -> [("f", "1")]
"""

from __future__ import annotations

import ast

from deskcheck.corpus.library_inputs import literal_arguments

MOST_WRITTEN = 12
"""Largest number of calls that are read from one reply of a model."""


def entry_and_arguments(call: str) -> tuple[str, str]:
    """Split "Till(3).run([1])" into ("Till(3).run", "[1]")."""
    node = ast.parse(call, mode="eval").body
    assert isinstance(node, ast.Call)
    entry = ast.get_source_segment(call, node.func) or ""
    return entry, call[len(entry) + 1 : -1]


def asserted_calls(*texts: str) -> dict[str, list[str]]:
    """Return function -> argument texts of its calls in asserts, in order; only calls with literals count."""
    calls: dict[str, list[str]] = {}
    for text in texts:
        try:
            tree = ast.parse(text)
        except (SyntaxError, ValueError, RecursionError):
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.Assert):
                for call in ast.walk(node.test):
                    if isinstance(call, ast.Call) and isinstance(call.func, ast.Name):
                        arguments = literal_arguments(call)
                        if arguments is not None:
                            calls.setdefault(call.func.id, []).append(arguments)
    return calls


def written_calls(answer: str, entry: str) -> list[tuple[str, str]]:
    """Return (entry, arguments) for each line of a reply that calls the function `entry` with literals."""
    wanted = ast.parse(entry, mode="eval").body
    calls: dict[tuple[str, str], None] = {}
    for line in answer.splitlines():
        try:
            call = ast.parse(line.strip(" \t`-*"), mode="eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
        if isinstance(call, ast.Call) and _is_like(call.func, wanted):
            arguments = literal_arguments(call)
            if arguments is not None:
                calls[ast.unparse(call.func), arguments] = None
    return list(calls)[:MOST_WRITTEN]


def _is_like(node: ast.expr, other: ast.expr) -> bool:
    """Whether two callees are one name, or one method of objects that one class makes from literals."""
    if isinstance(node, ast.Attribute) and isinstance(other, ast.Attribute):
        return node.attr == other.attr and _is_like(node.value, other.value)
    if isinstance(node, ast.Call) and isinstance(other, ast.Call):
        return _is_like(node.func, other.func) and literal_arguments(node) is not None
    return isinstance(node, ast.Name) and isinstance(other, ast.Name) and node.id == other.id
