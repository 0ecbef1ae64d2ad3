"""Read calls and recorded answers from the asserts of a benchmark, by their syntax trees.

    call_and_answer("assert f([1], k='a') == 3")  -> ("f", "[1], k='a'", "3")
    asserted(source)                              -> every assert of a source with its call and answer

The calls and answers are parts of the source text, so a prompt shows what the benchmark's author wrote.
"""

from __future__ import annotations

import ast

from deskcheck.languages import is_literal
from deskcheck.languages.python.parsing import parse_module


def call_and_answer(text: str) -> tuple[str, str, str] | None:
    """Return entry, arguments and answer of "assert call == literal"; None for any other statement."""
    text = text.strip()
    try:
        body = parse_module(text).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    if len(body) != 1 or not isinstance(body[0], ast.Assert):
        return None
    return _of_test(body[0].test, text)


def _of_test(test: ast.expr, text: str) -> tuple[str, str, str] | None:
    """Return entry, arguments and answer of an asserted expression, which is a part of `text`."""
    if not isinstance(test, ast.Compare) or len(test.ops) != 1:
        return None
    if not isinstance(test.ops[0], ast.Eq | ast.Is):  # "is True" also states the answer
        return None
    answer = ast.get_source_segment(text, test.comparators[0]) or ""
    call = _of_call(test.left, text)
    if call is None or not is_literal(answer):
        return None
    return *call, answer


def asserted(source: str) -> list[tuple[str, tuple[str, str, str] | None]]:
    """List the asserts of a source in order, each as its text and (entry, arguments, answer) or None."""
    found = [node for node in ast.walk(parse_module(source)) if isinstance(node, ast.Assert)]
    found.sort(key=lambda node: (node.lineno, node.col_offset))
    texts = [ast.get_source_segment(source, node) or "" for node in found]
    return [(text, _of_test(node.test, source)) for text, node in zip(texts, found, strict=True)]


def _of_call(node: ast.expr, source: str) -> tuple[str, str] | None:
    if not isinstance(node, ast.Call):
        return None
    whole, entry = ast.get_source_segment(source, node), ast.get_source_segment(source, node.func)
    if not whole or not entry or not whole.startswith(entry):
        return None
    rest = whole[len(entry) :].strip()
    return (entry, rest[1:-1].strip()) if rest.startswith("(") else None
