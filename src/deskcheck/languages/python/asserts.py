"""Find calls with their expected results in the asserts of a test file and the examples of docstrings.

stated_calls("assert f(3) == 4\\nassert f(n) == 5\\n", "def f(x): ..") -> ([("f", "3", "4")], ["f(n)"])
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import suppress

from deskcheck.languages.python.parsing import parse_expression, parse_module

Stated = tuple[str, str, str]
"""Function, arguments, expected literal."""


def stated_calls(text: str, program: str) -> tuple[list[Stated], list[str]]:
    """Return the calls of `assert f(..) == literal` and of examples, and the calls that are not read.

    Not read are calls with anything but literals, and calls in other statements; those of functions and
    classes of `program` are returned. In the program's own text only asserts and examples are looked at.
    SyntaxError if a text does not parse.
    """
    tree, defines = parse_module(text), parse_module(program).body
    names = {node.name for node in defines if isinstance(node, _DEFINITIONS)}
    nodes = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    asserts = (node for node in ast.walk(tree) if isinstance(node, ast.Assert))
    pairs = [_pair(node.test) for node in asserts]
    if text == program:
        nodes = [call for call, _ in filter(None, pairs)]
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | _DEFINITIONS) and (doc := ast.get_docstring(node)):
            examples = list(_examples(doc))
            pairs += examples
            nodes += [call for call, _ in examples]
    read = [(pair[0], found) for pair in pairs if pair and (found := _stated(*pair))]
    inside = {id(node) for call, _ in read for node in ast.walk(call)}
    unread = [
        ast.unparse(node)
        for node in nodes
        if id(node) not in inside and ast.unparse(node.func).rpartition(".")[2] in names
    ]
    return list(dict.fromkeys(found for _, found in read)), unread


_DEFINITIONS = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def _pair(node: ast.expr) -> tuple[ast.Call, ast.expr | None] | None:
    """Return the compared call of an assert and what it is compared with; None for another assert."""
    match node:
        case ast.Compare(left=ast.Call() as call, ops=[ast.Eq() | ast.Is()], comparators=[expected]):
            return call, expected
        case ast.Compare(left=expected, ops=[ast.Eq()], comparators=[ast.Call() as call]):
            return call, expected
    return None


def _stated(call: ast.Call, expected: ast.expr | None) -> Stated | None:
    if expected is None:
        return None
    try:
        ast.literal_eval(expected)
        for argument in (*call.args, *(keyword.value for keyword in call.keywords)):
            ast.literal_eval(argument)
    except (ValueError, TypeError, RecursionError):
        return None
    text = ast.unparse(call)
    name = ast.unparse(call.func)
    return name, text.removeprefix(f"{name}(").removesuffix(")"), ast.unparse(expected)


def _examples(doc: str) -> Iterator[tuple[ast.Call, ast.expr | None]]:
    """Yield the call of each example with its result; None for a result that is no expression."""
    import doctest  # here: it loads a debugger and a test framework

    try:
        examples = doctest.DocTestParser().get_examples(doc)
    except ValueError:
        return
    for example in examples:
        call: ast.expr | None
        expected: ast.expr | None = None
        with suppress(SyntaxError):
            call = parse_expression(example.source.strip())
            with suppress(SyntaxError):
                expected = parse_expression(example.want.strip())
            if isinstance(call, ast.Call):
                yield call, expected
