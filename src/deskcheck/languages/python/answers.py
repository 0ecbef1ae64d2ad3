"""Take values and the arguments of a call out of a model's short answer in Python.

stated("assert f(3) == [1, 2]", ..)              -> "[1, 2]"
call_arguments("2 == f(1, k='a')", "f", ..)      -> "1, k='a'"
omits("[1, 2]  # and so on")                     -> True
"""

from __future__ import annotations

import ast
import io
import tokenize
import warnings
from collections.abc import Set

from deskcheck.errors import BadSource
from deskcheck.languages.python.literals import read
from deskcheck.languages.python.parsing import parse_module

_MOST = 100_000
"""Largest number of characters in one argument."""


def omits(text: str) -> bool:
    """Return whether a text has a comment, or dots for parts that it leaves out."""
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
    except (tokenize.TokenError, SyntaxError, ValueError):
        return False  # no literal either, so its reader will refuse it
    return any(token.type == tokenize.COMMENT or token.string == "..." for token in tokens)


def stated(text: str, *, not_entries: Set[str], prints: Set[str], names: Set[str]) -> str | None:
    """Return v of "assert f(3) == v", "return v", "print(v)", "result = v"; None for another text.

    `not_entries`: functions whose comparison states no answer, such as len; `prints`: functions besides print
    that take an answer, such as submit; `names`: keywords under which these take it.
    """
    try:
        body = parse_module(text).body
    except SyntaxError:
        return None
    return _of_statement(body[0], text, not_entries, prints, names) if len(body) == 1 else None


def _of_statement(
    node: ast.stmt, text: str, not_entries: Set[str], prints: Set[str], names: Set[str]
) -> str | None:
    value: ast.expr | None = None
    if isinstance(node, ast.Return) or (
        isinstance(node, ast.Assign) and [type(target) for target in node.targets] == [ast.Name]
    ):
        value = node.value
    elif isinstance(node, ast.Assert):
        value = _compared(node.test, not_entries)
    elif isinstance(node, ast.Expr):
        value = _compared(node.value, not_entries)
        value = value or _of_call(node.value, prints, names)
    return ast.get_source_segment(text, value) if value is not None else None


_ASSERTS = frozenset({"assertEqual", "assertEquals", "assert_equal"})
"""Methods of test frameworks that compare a call with a value."""


def _of_call(call: ast.expr, prints: Set[str], names: Set[str]) -> ast.expr | None:
    """Return v of "print(v)", "submit(v)", "final_answer(answer=v)", "self.assertEqual(f(3), v)"."""
    if (
        isinstance(call, ast.Call)
        and ast.unparse(call.func).rpartition(".")[2] in _ASSERTS
        and len(call.args) == 2
    ):
        return call.args[1] if isinstance(call.args[0], ast.Call) else None
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
        return None
    if call.func.id != "print" and call.func.id not in prints:
        return None
    given = [*call.args, *(keyword.value for keyword in call.keywords if keyword.arg in names)]
    return given[0] if len(given) == 1 == len(call.args) + len(call.keywords) else None


def _compared(node: ast.expr, not_entries: Set[str]) -> ast.expr | None:
    """Return v of "f(3) == v"; None for a comparison of anything but one call."""
    if not isinstance(node, ast.Compare) or len(node.ops) != 1 or not isinstance(node.ops[0], ast.Eq):
        return None
    if not isinstance(node.left, ast.Call):
        call = node.comparators[0]
        is_entry = isinstance(call, ast.Call) and ast.unparse(call.func) not in not_entries
        return node.left if is_entry and not isinstance(node.left, ast.Name) else None
    return None if ast.unparse(node.left.func) in not_entries else node.comparators[0]


def call_arguments(text: str, entry: str, *, compared: bool) -> str | None:
    """Return the arguments of a call of the function `entry`, all of them literals; None for other texts.

    `compared`: the call may also be one side of a comparison, "f(3) == 5".
    """
    sides = _sides_of(text)
    if len(sides) != 1 and not compared:
        return None
    return next((found for side in sides if (found := _literal_arguments(side, entry)) is not None), None)


def _literal_arguments(node: ast.expr, entry: str) -> str | None:
    if not isinstance(node, ast.Call):
        return None
    if ast.unparse(node.func) not in (ast.unparse(ast.parse(entry, mode="eval")), entry.rpartition(".")[2]):
        return None
    parts = [("", argument) for argument in node.args] + [(f"{k.arg}=", k.value) for k in node.keywords]
    texts = [(name, ast.unparse(value)) for name, value in parts]
    if any(name == "None=" or not _is_literal(value) for name, value in texts):
        return None
    return ", ".join(name + value for name, value in texts)


def _is_literal(text: str) -> bool:
    try:
        read(text, most=_MOST)
    except BadSource:
        return False
    return True


def _sides_of(text: str) -> list[ast.expr]:
    """Return the expressions of a comparison, or the only expression of a text; none if it does not parse."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            node = ast.parse(text.strip(), mode="eval").body
            ast.unparse(node)  # raises RecursionError for a text that is nested too deeply
    except (SyntaxError, ValueError, TypeError, RecursionError, MemoryError):
        return []
    return [node.left, *node.comparators] if isinstance(node, ast.Compare) else [node]
