"""An evaluator over the syntax tree: the second opinion on which expressions a run evaluates, in which order.

    steps = evaluate(source, "f", "3, [1]") -> [Step((line, end_line, column, end_column), "int 4"), ...]

It walks the tree and computes with Python's own operators; it never looks at frames or traces. What the
compiler folds or rewrites (`2 * 3`, `"%s" % (x,)`) it asks `compile` for, one expression at a time. A step is
a call, a binary operator, unary - + ~, a subscript, an attribute or a comparison.
Not covered: generator functions, async, match, private names, `super()`, names unbound on purpose.
"""

from __future__ import annotations

import ast
import builtins
import operator
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tests.tracing.evaluator_expressions import BINARY, Expressions, Scope, Step
from tests.tracing.plain_text import text


def evaluate(source: str, entry: str, arguments: str) -> tuple[list[Step], str]:
    """Steps of one call, and how it ended: text of its value, or the name of its exception."""
    walker = Evaluator(source)
    args, kwargs = eval(f"(lambda *a, **k: (a, k))({arguments})", walker.names)
    walker.steps.clear()
    try:
        ended = text(walker.names[entry](*args, **kwargs))
    except Exception as error:
        ended = f"raises {type(error).__name__}"
    return walker.steps, ended


class _Return(BaseException):
    def __init__(self, value: object) -> None:
        self.value = value


class _Break(BaseException):
    pass


class _Continue(BaseException):
    pass


_CONTROL = (_Return, _Break, _Continue)


class Evaluator(Expressions):
    """Runs a module's functions and notes their steps."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.names: dict[str, Any] = {"__name__": "evaluated", "__builtins__": builtins}
        self._block(ast.parse(source).body, Scope("module", None, self.names))

    def _block(self, body: list[ast.stmt], scope: Scope) -> None:
        for statement in body:
            getattr(self, f"_do_{type(statement).__name__}")(statement, scope)

    def _do_Expr(self, node: ast.Expr, scope: Scope) -> None:
        self._value(node.value, scope)

    def _do_Pass(self, node: ast.Pass, scope: Scope) -> None:
        pass

    def _do_Assign(self, node: ast.Assign, scope: Scope) -> None:
        value = self._value(node.value, scope)
        for target in node.targets:
            self._store(target, value, scope)

    def _do_AnnAssign(self, node: ast.AnnAssign, scope: Scope) -> None:
        if node.value is not None:
            self._store(node.target, self._value(node.value, scope), scope)

    def _do_AugAssign(self, node: ast.AugAssign, scope: Scope) -> None:
        target = node.target
        if isinstance(target, ast.Name):
            old, store = scope.find(target.id), lambda new: self._store(target, new, scope)
        elif isinstance(target, ast.Attribute):
            owner = self._value(target.value, scope)
            old = self._note(target, getattr(owner, target.attr))
            store = lambda new: setattr(owner, target.attr, new)  # noqa: E731
        else:
            owner, index = self._value(target.value, scope), self._value(target.slice, scope)
            old = self._note(target, owner[index])
            store = lambda new: operator.setitem(owner, index, new)  # noqa: E731
        operand = self._value(node.value, scope)
        in_place = getattr(operator, f"i{BINARY[type(node.op)].rstrip('_')}")
        store(self._note(node, in_place(old, operand)))

    def _do_Return(self, node: ast.Return, scope: Scope) -> None:
        raise _Return(self._value(node.value, scope) if node.value is not None else None)

    def _do_If(self, node: ast.If, scope: Scope) -> None:
        self._block(node.body if self._test(node.test, scope) else node.orelse, scope)

    def _do_While(self, node: ast.While, scope: Scope) -> None:
        while self._test(node.test, scope):
            try:
                self._block(node.body, scope)
            except _Break:
                return
            except _Continue:
                continue
        self._block(node.orelse, scope)

    def _do_For(self, node: ast.For, scope: Scope) -> None:
        for item in self._value(node.iter, scope):
            self._store(node.target, item, scope)
            try:
                self._block(node.body, scope)
            except _Break:
                return
            except _Continue:
                continue
        self._block(node.orelse, scope)

    def _do_Break(self, node: ast.Break, scope: Scope) -> None:
        raise _Break

    def _do_Continue(self, node: ast.Continue, scope: Scope) -> None:
        raise _Continue

    def _do_Delete(self, node: ast.Delete, scope: Scope) -> None:
        for target in node.targets:
            if isinstance(target, ast.Name):
                del scope.owner(target.id).names[target.id]
            elif isinstance(target, ast.Attribute):
                delattr(self._value(target.value, scope), target.attr)
            elif isinstance(target, ast.Subscript):
                owner = self._value(target.value, scope)
                del owner[self._value(target.slice, scope)]

    def _do_Assert(self, node: ast.Assert, scope: Scope) -> None:
        if not self._test(node.test, scope):
            raise AssertionError(*([self._value(node.msg, scope)] if node.msg else []))

    def _do_Raise(self, node: ast.Raise, scope: Scope) -> None:
        if node.exc is None:
            raise  # the error that the handler around this is evaluated in
        error = self._value(node.exc, scope)
        if node.cause is not None:
            raise error from self._value(node.cause, scope)
        raise error

    def _do_Try(self, node: ast.Try, scope: Scope) -> None:
        try:
            try:
                self._block(node.body, scope)
            except _CONTROL:
                raise
            except BaseException as error:
                for handler in node.handlers:
                    if handler.type is None or isinstance(error, self._value(handler.type, scope)):
                        self._handle(handler, error, scope)
                        break
                else:
                    raise
            else:
                self._block(node.orelse, scope)
        finally:
            self._block(node.finalbody, scope)

    def _handle(self, handler: ast.ExceptHandler, error: BaseException, scope: Scope) -> None:
        if handler.name:
            scope.owner(handler.name).names[handler.name] = error
        try:
            self._block(handler.body, scope)
        finally:
            if handler.name:
                scope.owner(handler.name).names.pop(handler.name, None)

    def _do_With(self, node: ast.With, scope: Scope) -> None:
        self._with(list(node.items), node.body, scope)

    def _with(self, items: list[ast.withitem], body: list[ast.stmt], scope: Scope) -> None:
        if not items:
            self._block(body, scope)
            return
        leaving: list[BaseException] = []

        @contextmanager
        def swallowing_control() -> Iterator[
            None
        ]:  # break, continue and return are no exceptions to __exit__
            try:
                yield
            except _CONTROL as control:
                leaving.append(control)

        with self._value(items[0].context_expr, scope) as entered, swallowing_control():
            target = items[0].optional_vars
            if target is not None:
                self._store(target, entered, scope)
            self._with(items[1:], body, scope)
        if leaving:
            raise leaving[0]

    def _do_Import(self, node: ast.stmt, scope: Scope) -> None:
        exec(compile(ast.Module([node], []), "<import>", "exec"), scope.names)

    _do_ImportFrom = _do_Import

    def _do_Global(self, node: ast.Global, scope: Scope) -> None:
        scope.elsewhere.update(dict.fromkeys(node.names, scope.module()))

    def _do_Nonlocal(self, node: ast.Nonlocal, scope: Scope) -> None:
        scope.elsewhere.update({name: scope.outer(name) for name in node.names})

    def _do_FunctionDef(self, node: ast.FunctionDef, scope: Scope) -> None:
        decorators = [self._value(one, scope) for one in node.decorator_list]

        def run(inner: Scope) -> object:
            try:
                self._block(node.body, inner)
            except _Return as done:
                return done.value
            return None

        function: Any = self._function(node.args, run, scope)
        for decorator in reversed(decorators):
            function = decorator(function)
        scope.owner(node.name).names[node.name] = function

    def _do_ClassDef(self, node: ast.ClassDef, scope: Scope) -> None:
        bases = tuple(self._value(base, scope) for base in node.bases)
        inner = Scope("class", scope, {"__module__": "evaluated", "__qualname__": node.name})
        self._block(node.body, inner)
        scope.owner(node.name).names[node.name] = type(node.name, bases, inner.names)
