"""Turn the unit tests in REval's ClassEval half into functions that can be called.

    "box = Box()\\nbox.put(3)\\nassertEqual(box.top(), 3)"  ->  def reval_test():
                                                                    box = Box()
                                                                    box.put(3)
                                                                    return box.top()

An input in this half is the body of one test method, with "assertX" for "self.assertX" and without any
indentation. The function is appended to the code of the class, whose lines keep their numbers. It returns the
checked values of the asserts: the value that is compared with a literal, on either side, else the first
argument. Several asserts, or an assert inside a loop or another block, give a list. Each value is copied at
its assert, because later statements may change it.
"""

from __future__ import annotations

import ast

from deskcheck.languages import is_literal
from deskcheck.languages.python.parsing import parse_expression, parse_module

NAME = "reval_test"
_SEEN = "seen"


def callable_test(code: str, body: str) -> tuple[str, str] | str:
    """Return (whole source, recorded answer or "" if it is no literal), or why the test cannot be called."""
    try:
        tree = parse_module(body)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return "a test whose indented lines are lost"
    if any(isinstance(node, ast.Name) and node.id == "self" for node in ast.walk(tree)):
        return "a test that needs its setUp"
    calls = [call for node in ast.walk(tree) if (call := _asserted(node)) is not None]
    if not calls:
        return "a test without an assert"
    if len(calls) == 1 and _asserted(tree.body[-1]) is calls[0]:  # no later statement can change it
        value, known = _looked_at(calls[0])
        tree.body[-1] = ast.Return(value)
    else:
        tree, known = _noted(tree, [_looked_at(call)[1] for call in calls])
    lines = [f"    {line}" for line in ast.unparse(ast.fix_missing_locations(tree)).split("\n")]
    return "\n".join([code.rstrip("\n"), "", "", f"def {NAME}():", *lines, ""]), known


def _noted(tree: ast.Module, answers: list[str]) -> tuple[ast.Module, str]:
    """Return the test with asserts replaced by copies of their values, and the recorded answer of all."""
    several = len(answers) > 1 or _in_block(tree)
    known = f"[{', '.join(answers)}]" if several else answers[0]
    if _in_block(tree) or not all(answers):  # the number of asserts in a loop is not recorded
        known = ""
    tree = _Seen().visit(tree)
    returned = ast.Name(_SEEN, ast.Load()) if several else parse_expression(f"{_SEEN}[0]")
    tree.body = [*parse_module(f"{_SEEN} = []").body, *tree.body, ast.Return(returned)]
    return tree, known


class _Seen(ast.NodeTransformer):
    """Transformer that replaces each assert by a statement that stores a copy of its checked value."""

    def visit_Expr(self, node: ast.Expr) -> ast.stmt:
        call = _asserted(node)
        if call is None:
            return node
        text = f"{_SEEN}.append(__import__('copy').deepcopy({ast.unparse(_looked_at(call)[0])}))"
        return parse_module(text).body[0]


def _in_block(tree: ast.Module) -> bool:
    """Whether an assert of the test is inside a loop or another block."""
    top = {id(node) for node in tree.body}
    return any(_asserted(node) is not None and id(node) not in top for node in ast.walk(tree))


def _asserted(node: ast.AST) -> ast.Call | None:
    """Return the call of a unittest assert; None for any other statement."""
    call = node.value if isinstance(node, ast.Expr) else None
    if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.args:
        return call if call.func.id.startswith("assert") else None
    return None


def _looked_at(call: ast.Call) -> tuple[ast.expr, str]:
    """Return the checked value of an assert, and the literal that assertEqual expects ("" = none)."""
    first = call.args[0]
    if not (isinstance(call.func, ast.Name) and call.func.id == "assertEqual" and len(call.args) > 1):
        return first, ""
    second = call.args[1]
    if is_literal(ast.unparse(first)) and not is_literal(ast.unparse(second)):
        return second, ast.unparse(first)
    return first, ast.unparse(second) if is_literal(ast.unparse(second)) else ""
