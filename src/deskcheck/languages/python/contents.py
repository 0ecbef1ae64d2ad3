"""Find kinds of statements, constructs, calls, comments, and the names that a statement reads, in a source.

contents("import os\\nx = 1\\n")          -> {"import", "statement"}
names_read("if a < b:\\n    c = d\\n", 2)  -> ["d"]
"""

from __future__ import annotations

import ast
import io
import tokenize

from deskcheck.languages.python.parsing import parse_expression, parse_module

_CONSTRUCTS: dict[str, tuple[type[ast.AST], ...]] = {
    "for": (ast.For,),
    "while": (ast.While,),
    "if": (ast.If,),
    "try": (ast.Try,),
    "comprehension": (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp),
    "index": (ast.Subscript,),
    "slice": (ast.Slice,),
    "method": (ast.Attribute,),
    "dict": (ast.Dict,),
    "lambda": (ast.Lambda,),
    "break": (ast.Break,),
    "continue": (ast.Continue,),
}
_EFFECTS = frozenset({"print", "input", "open", "breakpoint", "exec", "eval"})


def contents(source: str) -> frozenset[str]:
    """Return the kinds of a source's statements: "definition", "import", "statement".

    Empty for a source that holds only comments or does not parse.
    """
    try:
        body = parse_module(source).body
    except SyntaxError:
        return frozenset()
    return frozenset(map(_kind, body))


def _kind(node: ast.stmt) -> str:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return "definition"
    return "import" if isinstance(node, ast.Import | ast.ImportFrom) else "statement"


def names_read(source: str, line: int) -> list[str]:
    """Return the names that the statement on a line reads, in textual order; none if it does not parse."""
    try:
        tree = parse_module(source)
    except SyntaxError:
        return []
    around = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.stmt) and node.lineno <= line <= (node.end_lineno or 0)
    ]
    if not around:
        return []
    inner = max(around, key=lambda node: node.lineno)
    names = [n for n in ast.walk(inner) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)]
    names.sort(key=lambda name: (name.lineno, name.col_offset))
    return list(dict.fromkeys(name.id for name in names))


def has_comment(source: str) -> bool:
    """Return whether a program has a comment."""
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(source).readline))
    except (tokenize.TokenError, SyntaxError, ValueError):
        return "#" in source
    return any(token.type == tokenize.COMMENT for token in tokens)


def constructs(source: str) -> set[str]:
    """Return the names of the constructs in a source. SyntaxError if it does not parse."""
    used = {type(node) for node in ast.walk(parse_module(source))}
    return {name for name, kinds in _CONSTRUCTS.items() if used & set(kinds)}


def branching(source: str) -> dict[int, str]:
    """Return line -> "If", "While" or "For", for lines after which a run can continue in two ways.

    SyntaxError if the source does not parse.
    """
    return {
        node.lineno: type(node).__name__
        for node in ast.walk(parse_module(source))
        if isinstance(node, ast.If | ast.While | ast.For)
    }


def first_argument(arguments: str) -> str:
    """Return the text of a call's first positional argument; "None" if it has none."""
    call = parse_expression(f"f({arguments})")
    assert isinstance(call, ast.Call)
    return ast.unparse(call.args[0]) if call.args else "None"


def method_calls(source: str) -> list[tuple[int, str]]:
    """Return (line, last two parts of the name) of each call through an attribute: (3, "time.time")."""
    try:
        tree = parse_module(source)
    except SyntaxError:
        return []
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return [
        (node.lineno, ".".join(ast.unparse(node.func).split(".")[-2:]))
        for node in calls
        if isinstance(node.func, ast.Attribute)
    ]


def form_of(text: str, entry: str) -> str:
    """Return why a text is an expression and no literal: "arithmetic", "calls the program", ..

    "" for a literal, for other expressions, and for a text that does not parse. `entry`: the called function.
    """
    try:
        body = parse_module(text.strip()).body
    except SyntaxError:
        return ""
    if len(body) > 1:
        return "a statement after the answer"
    nodes = [node for statement in body for node in ast.walk(statement)]
    calls = [ast.unparse(node.func) for node in nodes if isinstance(node, ast.Call)]
    if calls:
        return "calls the program" if entry in calls else "calls a library function"
    if any(isinstance(node, ast.BoolOp) for node in nodes):
        return "boolean operator"
    return "arithmetic" if any(isinstance(node, ast.BinOp) for node in nodes) else ""


def effect(source: str) -> str:
    """Return a side effect in a program's text: the name of a called function, or "global"; "" = none."""
    try:
        tree = parse_module(source)
    except SyntaxError:
        return ""
    for node in ast.walk(tree):
        if isinstance(node, ast.Global):
            return "global"
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _EFFECTS:
            return node.func.id
    return ""
