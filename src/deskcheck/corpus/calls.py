"""Read the calls in Python's text: of a user, of a model, in asserts and in tests; nothing is executed.

split_call("Solution().solve(3, k=[1])", source, file="a.py") -> ("Solution().solve", "3, k=[1]")
asserted_calls("assert f(3) == 4")                            -> {"f": ["3"]}
written_calls("f(1)", "f")                                    -> [("f", "1")]
"""

from __future__ import annotations

import ast

from deskcheck.corpus.library_inputs import literal_arguments
from deskcheck.errors import BadSource

MOST_WRITTEN = 12
"""Most calls that are read from one answer of a model."""

# Values that may turn out to be callable: `double = lambda x: 2 * x`, `add3 = partial(add, 3)`.
_CALLABLE = (ast.Lambda, ast.Call, ast.Name, ast.Attribute)


def split_call(call: str, source: str, *, file: str) -> tuple[str, str]:
    """Return entry and argument text of a call like "Solution().solve(3, k=[1])".

    BadSource if the call is wrong; it lists the functions that the file defines.
    """
    call = call.strip()
    try:
        tree = ast.parse(call, mode="eval").body
    except (SyntaxError, ValueError) as error:
        raise BadSource(f"call '{call}' for {file} does not parse: {getattr(error, 'msg', error)}") from None
    if not isinstance(tree, ast.Call):
        raise BadSource(f"'{call}' for {file} is not a call; write it with its arguments: '{call}(3)'")
    defined = functions_of(source)
    name = _root_name(tree.func)
    if name not in {entry.split("(")[0].split(".")[0] for entry in defined}:
        raise BadSource(
            f"call '{call}': {file} defines no '{name or ast.unparse(tree.func)}' at its top level; "
            f"it defines: {', '.join(defined) or 'nothing that can be called'}"
        )
    text, entry = ast.get_source_segment(call, tree) or "", ast.get_source_segment(call, tree.func) or ""
    if not (entry and text.startswith(entry) and text[len(entry) :].lstrip().startswith("(")):
        text, entry = ast.unparse(tree), ast.unparse(tree.func)  # "(f)(3)"
    return entry, text[len(entry) :].strip()[1:-1].strip()


def functions_of(source: str) -> list[str]:
    """Return the names that a call may use: functions, classes, and methods of classes, in order."""
    return _defined(ast.parse(source).body)


def _defined(body: list[ast.stmt]) -> list[str]:
    names: list[str] = []
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            names.append(node.name)
        elif isinstance(node, ast.ClassDef):
            methods = [m.name for m in node.body if isinstance(m, ast.FunctionDef) and m.name[0] != "_"]
            names += [f"{node.name}().{name}" for name in methods] or [node.name]
        elif isinstance(node, ast.Assign) and isinstance(node.value, _CALLABLE):
            names += [target.id for target in node.targets if isinstance(target, ast.Name)]
        elif isinstance(node, ast.If | ast.Try | ast.With):
            inner = (getattr(node, part, []) for part in ("body", "orelse", "finalbody"))
            names += [name for part in inner for name in _defined(part)]
    return names


def _root_name(node: ast.expr) -> str:
    while isinstance(node, ast.Attribute | ast.Call | ast.Subscript):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else ""


def entry_and_arguments(call: str) -> tuple[str, str]:
    """Split "Till(3).run([1])" into ("Till(3).run", "[1]")."""
    node = ast.parse(call, mode="eval").body
    assert isinstance(node, ast.Call)
    entry = ast.get_source_segment(call, node.func) or ""
    return entry, call[len(entry) + 1 : -1]


def asserted_calls(*texts: str) -> dict[str, list[str]]:
    """Return function -> arguments of its calls with literals in asserts, in order."""
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
    """Return (entry, arguments) for each line of an answer that calls the same function with literals."""
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
