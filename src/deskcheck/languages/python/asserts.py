"""Find calls with their expected results in the asserts of a test file and the examples of docstrings.

stated_calls("def test_f():\\n    assert f(3) == 4\\n") -> [("f", "3", "4")]
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from deskcheck.languages.python.parsing import parse_expression, parse_module


def stated_calls(text: str) -> list[tuple[str, str, str]]:
    """Return (function, arguments, expected literal) of `assert f(..) == literal` and of examples.

    Calls with anything but literals are left out. SyntaxError if the text does not parse.
    """
    tree = parse_module(text)
    calls = [
        pair for node in ast.walk(tree) if isinstance(node, ast.Assert) for pair in _of_comparison(node.test)
    ]
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.FunctionDef | ast.ClassDef) and (doc := ast.get_docstring(node)):
            calls += _of_examples(doc)
    return list(dict.fromkeys(calls))


def _of_comparison(node: ast.expr) -> Iterator[tuple[str, str, str]]:
    match node:
        case ast.Compare(left=ast.Call() as call, ops=[ast.Eq() | ast.Is()], comparators=[expected]):
            yield from _of_pair(call, expected)
        case ast.Compare(left=expected, ops=[ast.Eq()], comparators=[ast.Call() as call]):
            yield from _of_pair(call, expected)


def _of_pair(call: ast.Call, expected: ast.expr) -> Iterator[tuple[str, str, str]]:
    try:
        ast.literal_eval(expected)
        for argument in (*call.args, *(keyword.value for keyword in call.keywords)):
            ast.literal_eval(argument)
    except (ValueError, TypeError, RecursionError):
        return
    text = ast.unparse(call)
    name = ast.unparse(call.func)
    yield name, text.removeprefix(f"{name}(").removesuffix(")"), ast.unparse(expected)


def _of_examples(doc: str) -> Iterator[tuple[str, str, str]]:
    import doctest  # here: it loads a debugger and a test framework

    try:
        examples = doctest.DocTestParser().get_examples(doc)
    except ValueError:
        return
    for example in examples:
        try:
            call, expected = parse_expression(example.source.strip()), parse_expression(example.want.strip())
        except SyntaxError:
            continue
        if isinstance(call, ast.Call):
            yield from _of_pair(call, expected)
