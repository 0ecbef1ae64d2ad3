"""A second opinion on what a run did: its source, rewritten to write down its loops, branches and values.

    log = run(program)   log.rounds[3] = 5, log.tests[4] = [True, False], log.values[3] = ["0", "1"], ..

Nothing of the tracer is used: the rewritten program calls a function at the beginning of each loop's body, in
each condition and after each assignment. Recorded are literal texts, "" for what is no plain data.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from deskcheck.records import Program
from deskcheck.solutions.answer_job import _is_plain


class Log:
    """What the program wrote down."""

    def __init__(self) -> None:
        self.rounds: dict[int, int] = {}
        self.tests: dict[int, list[bool]] = {}
        self.values: dict[int, list[str]] = {}
        self.assigned: dict[tuple[int, str], list[tuple[str, str]]] = {}

    def round(self, line: int, value: Callable[[], object]) -> None:
        """A body begins."""
        self.rounds[line] = self.rounds.get(line, 0) + 1
        self.values.setdefault(line, []).append(self._text(value)[0])

    def test(self, line: int, value: object) -> bool:
        """A condition was tested."""
        truth = bool(value)
        self.tests.setdefault(line, []).append(truth)
        return truth

    def after(self, line: int, name: str, value: Callable[[], object]) -> None:
        """A variable was assigned."""
        self.assigned.setdefault((line, name), []).append(self._text(value))

    def _text(self, value: Callable[[], object]) -> tuple[str, str]:
        try:
            found = value()
        except NameError:
            return "", ""
        return (repr(found) if _is_plain(found, 0) else "", type(found).__name__)


class _Rewriter(ast.NodeTransformer):
    def __init__(self, variables: dict[int, str]) -> None:
        self.variables = variables

    def visit_If(self, node: ast.If) -> ast.AST:
        self.generic_visit(node)
        node.test = _call("test", ast.Constant(node.lineno), node.test)
        return node

    def visit_For(self, node: ast.For) -> ast.AST:
        return self._loop(node)

    def visit_While(self, node: ast.While) -> ast.AST:
        return self._loop(node)

    def _loop(self, node: Any) -> ast.AST:
        name = self.variables.get(node.lineno, "")
        self.generic_visit(node)
        shown = _later(name) if name else _later("None")
        node.body.insert(0, ast.Expr(_call("round", ast.Constant(node.lineno), shown)))
        return node

    def visit_Assign(self, node: ast.Assign) -> list[ast.stmt]:
        self.generic_visit(node)
        return [node, *_written(node, node.targets)]

    def visit_AugAssign(self, node: ast.AugAssign) -> list[ast.stmt]:
        self.generic_visit(node)
        return [node, *_written(node, [node.target])]


def _written(node: ast.stmt, targets: list[Any]) -> list[ast.stmt]:
    names = dict.fromkeys(
        one.id
        for target in targets
        for one in ast.walk(target)
        if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)
    )
    return [
        ast.Expr(_call("after", ast.Constant(node.lineno), ast.Constant(name), _later(name)))
        for name in names
    ]


def _later(name: str) -> ast.expr:
    return ast.parse(f"lambda: {name}", mode="eval").body


def _call(name: str, *arguments: ast.expr) -> ast.Call:
    return ast.Call(ast.Attribute(ast.Name("log_of_test", ast.Load()), name, ast.Load()), list(arguments), [])


def run(program: Program, variables: dict[int, str]) -> Log:
    """Run the rewritten program; `variables`: line of a loop -> the variable to note at its rounds."""
    log = Log()
    tree = ast.fix_missing_locations(_Rewriter(variables).visit(ast.parse(program.source)))
    names: dict[str, Any] = {"log_of_test": log, "__name__": "__main__"}
    exec(program.prelude, names)
    exec(compile(tree, "<rewritten>", "exec"), names)
    log.__init__()  # type: ignore[misc]  # what the module's own lines did is not part of the call
    with suppress(Exception):  # the program's own end
        eval(f"{program.entry}({program.arguments}\n)", names)
    return log


class _Changer(ast.NodeTransformer):
    """Puts a change before one simple statement."""

    def __init__(self, line: int, change: str) -> None:
        self.line = line
        self.change = change
        self.done = False

    def generic_visit(self, node: ast.AST) -> ast.AST | list[ast.AST]:  # type: ignore[override]
        super().generic_visit(node)
        simple = isinstance(node, ast.stmt) and not hasattr(node, "body")
        if not simple or getattr(node, "lineno", 0) != self.line:
            return node
        self.done = True
        return [*ast.parse(f"if log_of_test.is_time():\n    {self.change}").body, node]


class Clock:
    """Says when the moment has come."""

    def __init__(self, nth: int) -> None:
        self.nth = nth

    def is_time(self) -> bool:
        """Whether this is the n-th time."""
        self.nth -= 1
        return self.nth == 0


def changed(program: Program, line: int, nth: int, change: str) -> str | None:
    """What the call gives with a statement before the n-th execution of a line; None for headers."""
    changer = _Changer(line, change)
    tree = ast.fix_missing_locations(changer.visit(ast.parse(program.source)))
    if not changer.done:
        return None
    names: dict[str, Any] = {"log_of_test": Clock(nth)}
    exec(compile(tree, "<changed>", "exec"), names)
    try:
        return repr(eval(f"{program.entry}({program.arguments}\n)", names))
    except Exception as error:
        return f"raises {type(error).__name__}"
