"""Changes under which a copy of a benchmark program is still a copy: what the tests plant.

CHANGES["import above"](source, "f") -> the changed source, or None where there is nothing to change
"""

from __future__ import annotations

import ast
import builtins
import shlex
from collections.abc import Callable
from pathlib import Path

Change = Callable[[str, str], str | None]
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_KEPT = frozenset(dir(builtins))


OTHER = """def other(folder):
    for number, path in enumerate(sorted(folder.iterdir())):
        print(f"{number:>4} {path.stat().st_size:>12,} {path.name}")
"""


def host() -> str:
    """Module that a copy is put into."""
    return Path(shlex.__file__).read_text(encoding="utf-8")


def as_it_is(source: str, entry: str) -> str:
    """Reformatted, with comments."""
    return "# a comment\n" + ast.unparse(ast.parse(source)).replace("\n", "\n\n")


def annotated(source: str, entry: str) -> str:
    """Every argument and result has a type, every plain assignment too."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, _FUNCTIONS):
            node.returns = ast.Name("object", ast.Load())
            for one in node.args.args:
                one.annotation = ast.Name("object", ast.Load())
    return ast.unparse(ast.fix_missing_locations(tree))


def renamed(source: str, entry: str) -> str:
    """Every name that the program binds is another one, every whole number one more."""
    tree = ast.parse(source)
    names: dict[str, str] = {}
    methods: set[ast.AST] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            methods.update(node.body)
    for node in ast.walk(tree):
        if isinstance(node, ast.arg):
            names.setdefault(node.arg, f"name_{len(names)}")
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.setdefault(node.id, f"name_{len(names)}")
        elif isinstance(node, (*_FUNCTIONS, ast.ClassDef)) and node not in methods:
            names.setdefault(node.name, f"name_{len(names)}")
    return ast.unparse(ast.fix_missing_locations(_Renamer(names, methods).visit(tree)))


class _Renamer(ast.NodeTransformer):
    def __init__(self, names: dict[str, str], methods: set[ast.AST]) -> None:
        self._names, self._methods = names, methods

    def visit(self, node: ast.AST) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node, ast.Name):
            node.id = self._names.get(node.id, node.id)
        elif isinstance(node, ast.arg) or (isinstance(node, ast.keyword) and node.arg):
            node.arg = self._names.get(node.arg, node.arg)
        elif isinstance(node, ast.Global | ast.Nonlocal):
            node.names = [self._names.get(name, name) for name in node.names]
        elif isinstance(node, (*_FUNCTIONS, ast.ClassDef)) and node not in self._methods:
            node.name = self._names.get(node.name, node.name)
        elif isinstance(node, ast.Constant) and type(node.value) is int:
            node.value += 1
        return node


def added_out(source: str, entry: str) -> str | None:
    """`x += y` written `x = x + y`."""

    class Change(ast.NodeTransformer):
        n = 0

        def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
            self.n += 1
            left = ast.parse(ast.unparse(node.target), mode="eval").body
            return ast.Assign([node.target], ast.BinOp(left, node.op, node.value))

    change = Change()
    tree = change.visit(ast.parse(source))
    return ast.unparse(ast.fix_missing_locations(tree)) if change.n else None


def import_above(source: str, entry: str) -> str:
    """An import above."""
    return f"import os\n{source}"


def second_function(source: str, entry: str) -> str:
    """An unrelated function below."""
    return f"{source}\n\n{OTHER}"


def main_guard(source: str, entry: str) -> str:
    """A main guard below."""
    return f"{source}\n\nif __name__ == '__main__':\n    pass\n"


def unused(source: str, entry: str) -> str:
    """`unused = 0` as the first statement."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, _FUNCTIONS):
            node.body.insert(0, ast.parse("unused = 0").body[0])
    return ast.unparse(ast.fix_missing_locations(tree))


def method(source: str, entry: str) -> str | None:
    """The functions of the program as methods of `class Solution`."""
    tree = ast.parse(source)
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    names = {node.name for node in functions}
    if entry not in names:
        return None
    for node in functions:
        node.args.args.insert(0, ast.arg("self"))
        for inner in ast.walk(node):
            if isinstance(inner, ast.Call) and isinstance(inner.func, ast.Name) and inner.func.id in names:
                inner.func = ast.Attribute(ast.Name("self", ast.Load()), inner.func.id, ast.Load())
    rest = [node for node in tree.body if node not in functions]
    solution = ast.ClassDef("Solution", [], [], list(functions), [])
    return ast.unparse(ast.fix_missing_locations(ast.Module([*rest, solution], [])))


def documented(source: str, entry: str) -> str:
    """Types, docstrings and a decorator."""
    tree = ast.parse(annotated(source, entry))
    for node in ast.walk(tree):
        if isinstance(node, _FUNCTIONS):
            node.body.insert(0, ast.parse('"""What it does.\n\n>>> f(1)\n2\n"""').body[0])
            node.decorator_list = [ast.Name("cache", ast.Load()), *node.decorator_list]
    return "from functools import cache\n" + ast.unparse(ast.fix_missing_locations(tree))


def turned_round(source: str, entry: str) -> str | None:
    """`if c: A else: B` written `if not c: B else: A`, and `else` put after a branch that returns."""

    class Change(ast.NodeTransformer):
        n = 0

        def visit_If(self, node: ast.If) -> ast.AST:
            self.generic_visit(node)
            if node.orelse:
                self.n += 1
                node.test = ast.UnaryOp(ast.Not(), node.test)
                node.body, node.orelse = node.orelse, node.body
            return node

        def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
            self.generic_visit(node)
            for number, one in enumerate(node.body[:-1]):
                if isinstance(one, ast.If) and not one.orelse and isinstance(one.body[-1], ast.Return):
                    self.n += 1
                    one.orelse = node.body[number + 1 :]
                    node.body = node.body[: number + 1]
                    break
            return node

    change = Change()
    tree = change.visit(ast.parse(source))
    return ast.unparse(ast.fix_missing_locations(tree)) if change.n else None


def formatted_otherwise(source: str, entry: str) -> str | None:
    """f-strings written with `.format`, `.format` and `%` as f-strings."""

    class Change(ast.NodeTransformer):
        n = 0

        def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
            text, values = "", []
            for one in node.values:
                if isinstance(one, ast.FormattedValue) and one.conversion == -1 and one.format_spec is None:
                    text += "{}"
                    values.append(one.value)
                elif isinstance(one, ast.Constant):
                    text += str(one.value).replace("{", "{{").replace("}", "}}")
                else:
                    return node
            self.n += 1
            return ast.Call(ast.Attribute(ast.Constant(text), "format", ast.Load()), values, [])

        def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
            self.generic_visit(node)
            if not (isinstance(node.op, ast.Mod) and isinstance(node.left, ast.Constant)):
                return node
            if not isinstance(node.left.value, str):
                return node
            right = node.right.elts if isinstance(node.right, ast.Tuple) else [node.right]
            self.n += 1
            values: list[ast.expr] = [ast.FormattedValue(one, -1) for one in right]
            return ast.JoinedStr([ast.Constant("text "), *values])

    change = Change()
    tree = change.visit(ast.parse(source))
    return ast.unparse(ast.fix_missing_locations(tree)) if change.n else None


def in_try(source: str, entry: str) -> str:
    """The body of every function inside of `try`."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            handler = ast.parse("try:\n    pass\nexcept Exception as error:\n    raise").body[0]
            assert isinstance(handler, ast.Try)
            handler.body = node.body
            node.body = [handler]
    return ast.unparse(ast.fix_missing_locations(tree))


def nested(source: str, entry: str) -> str | None:
    """The whole program inside of another function, which calls it."""
    if "from __future__" in source or "import *" in source:
        return None
    inner = "".join(f"    {line}\n" for line in ast.unparse(ast.parse(source)).split("\n"))
    return f"def outer(*values):\n{inner}    return {entry}(*values)\n"


def result_named(source: str, entry: str) -> str | None:
    """`return E` written `result = E`, `return result`."""

    class Change(ast.NodeTransformer):
        n = 0

        def visit_Return(self, node: ast.Return) -> ast.AST | list[ast.stmt]:
            if node.value is None or isinstance(node.value, ast.Name | ast.Constant):
                return node
            self.n += 1
            target = ast.Assign([ast.Name("result_of", ast.Store())], node.value)
            return [target, ast.Return(ast.Name("result_of", ast.Load()))]

    change = Change()
    tree = change.visit(ast.parse(source))
    return ast.unparse(ast.fix_missing_locations(tree)) if change.n else None


def in_a_library(source: str, entry: str) -> str:
    """Below a module of the standard library."""
    before = ast.parse(host())
    return ast.unparse(ast.Module([*before.body, *ast.parse(source).body], []))


def looped(source: str, entry: str) -> str | None:
    """A list comprehension that is returned or assigned, written as a loop."""

    class Change(ast.NodeTransformer):
        n = 0

        def _loop(self, value: ast.expr, name: str) -> list[ast.stmt] | None:
            if not isinstance(value, ast.ListComp) or len(value.generators) != 1:
                return None
            self.n += 1
            (only,) = value.generators
            append = ast.parse(f"{name}.append(0)").body[0]
            append.value.args = [value.elt]  # type: ignore[attr-defined]
            body: list[ast.stmt] = [append]
            for test in reversed(only.ifs):
                body = [ast.If(test, body, [])]
            return [ast.parse(f"{name} = []").body[0], ast.For(only.target, only.iter, body, [])]

        def visit_Return(self, node: ast.Return) -> ast.AST | list[ast.stmt]:
            loop = self._loop(node.value, "items_made") if node.value else None
            return node if loop is None else [*loop, ast.Return(ast.Name("items_made", ast.Load()))]

        def visit_Assign(self, node: ast.Assign) -> ast.AST | list[ast.stmt]:
            if len(node.targets) != 1 or not isinstance(node.targets[0], ast.Name):
                return node
            return self._loop(node.value, node.targets[0].id) or node

    change = Change()
    tree = change.visit(ast.parse(source))
    return ast.unparse(ast.fix_missing_locations(tree)) if change.n else None


def extended(source: str, entry: str) -> str:
    """Statements of another kind before, between and after those of the entry."""
    tree = ast.parse(source)
    more = ast.parse("log.append(str(count))\ncount += len(log)").body
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name == entry:
            body: list[ast.stmt] = ast.parse("log = ['started']\ncount = 0").body
            for one in node.body:
                body += [*more, one]
            node.body = body
    return ast.unparse(ast.fix_missing_locations(tree))


def split(source: str, entry: str) -> str | None:
    """The second half of the entry's body as a function of its own."""
    tree = ast.parse(source)
    for node in tree.body:
        if not isinstance(node, ast.FunctionDef) or node.name != entry or len(node.body) < 2:
            continue
        half = (len(node.body) + 1) // 2
        first, second = node.body[:half], node.body[half:]
        bound = {one.arg for one in ast.walk(node.args) if isinstance(one, ast.arg)}
        bound |= {
            one.id
            for part in first
            for one in ast.walk(part)
            if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)
        }
        bound |= {part.name for part in first if isinstance(part, ast.FunctionDef)}
        read = {one.id for part in second for one in ast.walk(part) if isinstance(one, ast.Name)}
        names = ", ".join(sorted(bound & read))
        rest = ast.parse(f"def rest_of_it({names}):\n    pass").body[0]
        assert isinstance(rest, ast.FunctionDef)
        rest.body = second
        node.body = [*first, ast.parse(f"return rest_of_it({names})").body[0]]
        tree.body.insert(tree.body.index(node), rest)
        return ast.unparse(ast.fix_missing_locations(tree))
    return None


CHANGES: dict[str, Change] = {
    "as it is, reformatted, comments": as_it_is,
    "annotations added": annotated,
    "names renamed, every int + 1": renamed,
    "`x += y` written `x = x + y`": added_out,
    "`import os` above": import_above,
    "a second, unrelated function below": second_function,
    "a main guard below": main_guard,
    "`unused = 0` as first statement": unused,
    "as a method of `class Solution`": method,
    "types, docstring, decorator": documented,
    "branches turned round": turned_round,
    "f-strings for `%` and `.format`, and back": formatted_otherwise,
    "body inside of `try`": in_try,
    "moved into another function": nested,
    "result named before it is returned": result_named,
    "below the module `shlex`": in_a_library,
}
APART: dict[str, Change] = {"comprehension as a loop": looped, "extended": extended, "split": split}
