"""The ClassEval half of REval: the body of a unit test as a function that can be called.

    "box = Box()\\nbox.put(3)\\nassertEqual(box.top(), 3)"  ->  def reval_test():
                                                                    box = Box()
                                                                    box.put(3)
                                                                    return box.top()

An input there is the body of one test method, "self.assertX" written "assertX" and every line moved to the
left margin. The function is appended to the class's code, whose lines keep their numbers, and returns what
the asserts look at (their first arguments; a list if there are several).
"""

from __future__ import annotations

import ast

from deskcheck.grading.literals import parse_module

NAME = "reval_test"


def callable_test(code: str, body: str) -> tuple[str, str] | str:
    """The whole source and the recorded answer ("" = no literal); else why it cannot be called."""
    try:
        statements = parse_module(body).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return "a test whose indented lines are lost"
    if any(isinstance(node, ast.Name) and node.id == "self" for one in statements for node in ast.walk(one)):
        return "a test that needs its setUp"
    kept: list[str] = []
    seen: list[str] = []
    recorded: list[str] = []
    for one in statements:
        asserted = _asserted(one)
        if asserted is None:
            kept.append(ast.unparse(one))
            continue
        # Looked at where the assert stands: what follows may change it.
        kept.append(f"seen_{len(seen)} = {ast.unparse(asserted.args[0])}")
        seen.append(f"seen_{len(seen)}")
        recorded.append(_expected(asserted))
    if not seen:
        return "a test without an assert"
    kept.append(f"return {seen[0] if len(seen) == 1 else '[' + ', '.join(seen) + ']'}")
    lines = [f"    {line}" for text in kept for line in text.split("\n")]
    source = "\n".join([code.rstrip("\n"), "", "", f"def {NAME}():", *lines, ""])
    known = recorded[0] if len(recorded) == 1 else f"[{', '.join(recorded)}]"
    return source, known if all(recorded) else ""


def _asserted(node: ast.stmt) -> ast.Call | None:
    """The call of a unittest assert, if a statement is one."""
    call = node.value if isinstance(node, ast.Expr) else None
    if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.args:
        return call if call.func.id.startswith("assert") else None
    return None


def _expected(call: ast.Call) -> str:
    """What an assertEqual compares with, where that is a literal."""
    if not (isinstance(call.func, ast.Name) and call.func.id == "assertEqual" and len(call.args) > 1):
        return ""
    text = ast.unparse(call.args[1])
    try:
        ast.literal_eval(text)
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return ""
    return text
