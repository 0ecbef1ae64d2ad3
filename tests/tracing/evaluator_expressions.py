"""The expressions of the evaluator over the syntax tree (evaluator.py): order, names, targets."""

from __future__ import annotations

import ast
import builtins
import dis
import operator
import sys
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from tests.tracing.plain_text import text

Span = tuple[int, int, int, int]


class Step(NamedTuple):
    span: Span
    value: str


class Scope:
    """Names of one function, comprehension, class body or the module."""

    def __init__(self, kind: str, parent: Scope | None, names: dict[str, Any]) -> None:
        self.kind = kind
        self.parent = parent
        self.names = names
        self.elsewhere: dict[str, Scope] = {}  # global and nonlocal

    def owner(self, name: str) -> Scope:
        """Where a name is stored that is bound here."""
        return self.elsewhere.get(name, self)

    def find(self, name: str) -> Any:
        scope: Scope | None = self
        while scope is not None:
            if name in scope.elsewhere:
                return scope.elsewhere[name].names[name]
            if name in scope.names and (scope is self or scope.kind != "class"):
                return scope.names[name]
            scope = scope.parent
        try:
            return vars(builtins)[name]
        except KeyError:
            raise NameError(name) from None

    def outer(self, name: str) -> Scope:
        scope = self.parent
        while scope is not None and not (scope.kind == "function" and name in scope.names):
            scope = scope.parent
        assert scope is not None
        return scope

    def module(self) -> Scope:
        return self if self.parent is None else self.parent.module()


BINARY: dict[type, str] = {
    ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "truediv", ast.FloorDiv: "floordiv",
    ast.Mod: "mod", ast.Pow: "pow", ast.LShift: "lshift", ast.RShift: "rshift", ast.BitOr: "or_",
    ast.BitXor: "xor", ast.BitAnd: "and_", ast.MatMult: "matmul",
}  # fmt: skip
_UNARY: dict[type, Callable[[Any], Any]] = {
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
    ast.Invert: operator.inv,
}
_COMPARE: dict[type, Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le,
    ast.Gt: operator.gt, ast.GtE: operator.ge, ast.Is: operator.is_, ast.IsNot: operator.is_not,
    ast.In: lambda a, b: a in b, ast.NotIn: lambda a, b: a not in b,
}  # fmt: skip
_FOLDED = {"RESUME", "LOAD_CONST", "LOAD_SMALL_INT", "RETURN_VALUE", "RETURN_CONST", "CACHE"}
_INVERTED = {ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In}

_IS_NEW = sys.version_info >= (3, 14)
_IN_LINE = (all, any, tuple)
"""Of a generator expression: 3.14 runs these in line, without a call."""


def _is_generator_call(node: ast.Call) -> bool:
    is_name = isinstance(node.func, ast.Name) and not node.keywords
    return is_name and len(node.args) == 1 and isinstance(node.args[0], ast.GeneratorExp)


class Expressions:
    """Computes expressions and notes their steps."""

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self._compiled: dict[int, frozenset[str]] = {}

    def _note(self, node: Any, value: Any) -> Any:
        line, column = node.lineno, node.col_offset
        attribute = node.func if isinstance(node, ast.Call) else node
        if isinstance(attribute, ast.Attribute) and attribute.end_lineno != attribute.lineno:
            # A method on a line of its own begins at its name there, as tracebacks show it.
            line, column = attribute.end_lineno, (attribute.end_col_offset or 0) - len(attribute.attr)
        self.steps.append(Step((line, node.end_lineno, column, node.end_col_offset), text(value)))
        return value

    def _opcodes(self, node: ast.expr) -> frozenset[str]:
        """What the compiler makes of one expression on its own."""
        if id(node) not in self._compiled:
            code = compile(ast.Expression(node), "<expression>", "eval")
            self._compiled[id(node)] = frozenset(i.opname for i in dis.get_instructions(code))
        return self._compiled[id(node)]

    def _is_folded(self, node: ast.expr) -> bool:
        moving = (ast.Name, ast.Call, ast.Attribute, ast.JoinedStr, ast.ListComp, ast.Lambda, ast.Compare)
        if any(isinstance(inner, moving) for inner in ast.walk(node)):
            return False
        return self._opcodes(node) <= _FOLDED

    def _function(
        self, args: ast.arguments, run: Callable[[Scope], object], scope: Scope
    ) -> Callable[..., object]:
        defaults = tuple(self._value(one, scope) for one in args.defaults)
        keywords = {
            arg.arg: self._value(one, scope)
            for arg, one in zip(args.kwonlyargs, args.kw_defaults, strict=True)
            if one is not None
        }
        # Arguments are bound by a function of the same signature that hands back its locals.
        plain = ast.arguments(
            args.posonlyargs, args.args, args.vararg, args.kwonlyargs,
            [ast.Constant(None) if one else None for one in args.kw_defaults],
            args.kwarg, [ast.Constant(None)] * len(args.defaults),
        )  # fmt: skip
        for arg in ast.walk(plain):
            if isinstance(arg, ast.arg):
                arg.annotation = None
        body = ast.Call(ast.Name("locals", ast.Load()), [], [])
        stub = ast.fix_missing_locations(ast.Expression(ast.Lambda(plain, body)))
        bind = eval(compile(stub, "<signature>", "eval"), {"__builtins__": builtins})
        bind.__defaults__, bind.__kwdefaults__ = defaults, keywords

        def call(*args: object, **kwargs: object) -> object:
            return run(Scope("function", scope, dict(bind(*args, **kwargs))))

        return call

    # -------------------------------------------------------------- targets

    def _store(self, target: ast.expr, value: Any, scope: Scope) -> None:
        if isinstance(target, ast.Name):
            scope.owner(target.id).names[target.id] = value
        elif isinstance(target, ast.Attribute):
            setattr(self._value(target.value, scope), target.attr, value)
        elif isinstance(target, ast.Subscript):
            owner = self._value(target.value, scope)
            owner[self._value(target.slice, scope)] = value
        else:
            assert isinstance(target, ast.Tuple | ast.List)
            self._unpack(target.elts, list(value), scope)

    def _unpack(self, targets: list[ast.expr], items: list[Any], scope: Scope) -> None:
        star = next((i for i, one in enumerate(targets) if isinstance(one, ast.Starred)), None)
        if star is None:
            if len(items) != len(targets):
                raise ValueError("wrong number of values to unpack")
        else:
            behind = len(targets) - star - 1
            if len(items) < star + behind:
                raise ValueError("not enough values to unpack")
            items = [*items[:star], items[star : len(items) - behind], *items[len(items) - behind :]]
        for target, item in zip(targets, items, strict=True):
            self._store(target.value if isinstance(target, ast.Starred) else target, item, scope)

    # -------------------------------------------------------------- expressions

    def _value(self, node: ast.expr, scope: Scope) -> Any:
        return getattr(self, f"_of_{type(node).__name__}")(node, scope)

    def _test(self, node: ast.expr, scope: Scope) -> bool:
        """An expression that is only asked for its truth: 3.14 makes jumps of `not`, `and`, `or` first."""
        if _IS_NEW and isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return not self._test(node.operand, scope)
        if _IS_NEW and isinstance(node, ast.BoolOp):
            is_or = isinstance(node.op, ast.Or)
            return is_or is any(self._test(operand, scope) is is_or for operand in node.values)
        if _IS_NEW and isinstance(node, ast.IfExp):
            return self._test(node.body if self._test(node.test, scope) else node.orelse, scope)
        return bool(self._value(node, scope))

    def _of_Constant(self, node: ast.Constant, scope: Scope) -> Any:
        return node.value

    def _of_Name(self, node: ast.Name, scope: Scope) -> Any:
        return scope.find(node.id)

    def _of_NamedExpr(self, node: ast.NamedExpr, scope: Scope) -> Any:
        value = self._value(node.value, scope)
        while scope.kind == "comprehension" and scope.parent is not None:
            scope = scope.parent
        self._store(node.target, value, scope)
        return value

    def _of_BinOp(self, node: ast.BinOp, scope: Scope) -> Any:
        if self._is_folded(node):
            return getattr(operator, BINARY[type(node.op)])(
                self._value(node.left, scope), self._value(node.right, scope)
            )
        left, right = self._value(node.left, scope), self._value(node.right, scope)
        value = getattr(operator, BINARY[type(node.op)])(left, right)
        return self._note(node, value) if self._is_operator(node) else value

    def _is_operator(self, node: ast.BinOp) -> bool:
        """Not `"%s-%s" % (x, y)`, which the compiler turns into f"{x}-{y}"."""
        if not isinstance(node.op, ast.Mod) or not isinstance(node.right, ast.Tuple):
            return True
        names: list[ast.expr] = [
            ast.Starred(ast.Name("x", ast.Load()), ast.Load())
            if isinstance(one, ast.Starred)
            else ast.Name("x", ast.Load())
            for one in node.right.elts
        ]
        alone = ast.BinOp(node.left, ast.Mod(), ast.Tuple(names, ast.Load()))
        code = compile(ast.fix_missing_locations(ast.Expression(alone)), "<format>", "eval")
        return any(instruction.opname == "BINARY_OP" for instruction in dis.get_instructions(code))

    def _of_UnaryOp(self, node: ast.UnaryOp, scope: Scope) -> Any:
        inner = node.operand
        if isinstance(node.op, ast.Not):
            if isinstance(inner, ast.Compare) and len(inner.ops) == 1 and type(inner.ops[0]) in _INVERTED:
                at = node if _IS_NEW else inner
                return self._compare(inner, [_INVERTED[type(inner.ops[0])]], scope, at)
            return not self._value(inner, scope)
        value = _UNARY[type(node.op)](self._value(inner, scope))
        return value if self._is_folded(node) else self._note(node, value)

    def _of_BoolOp(self, node: ast.BoolOp, scope: Scope) -> Any:
        value = None
        for operand in node.values:
            value = self._value(operand, scope)
            if bool(value) is isinstance(node.op, ast.Or):
                break
        return value

    def _of_Compare(self, node: ast.Compare, scope: Scope) -> Any:
        return self._compare(node, [type(op) for op in node.ops], scope)

    def _compare(self, node: ast.Compare, ops: list[Any], scope: Scope, at: ast.expr | None = None) -> Any:
        left = self._value(node.left, scope)
        value: Any = None
        for index, (op, operand) in enumerate(zip(ops, node.comparators, strict=True)):
            right = self._value(operand, scope)
            value = self._note(at or node, _COMPARE[op](left, right))
            if index < len(ops) - 1 and not value:
                break
            left = right
        return value

    def _of_IfExp(self, node: ast.IfExp, scope: Scope) -> Any:
        return self._value(node.body if self._test(node.test, scope) else node.orelse, scope)

    def _of_Call(self, node: ast.Call, scope: Scope) -> Any:
        if isinstance(node.func, ast.Attribute):
            function = getattr(self._value(node.func.value, scope), node.func.attr)
        else:
            function = self._value(node.func, scope)
        args: list[Any] = []
        for one in node.args:
            if isinstance(one, ast.Starred):
                args += self._value(one.value, scope)
            else:
                args.append(self._value(one, scope))
        kwargs: dict[str, Any] = {}
        for keyword in node.keywords:
            value = self._value(keyword.value, scope)
            kwargs.update(value if keyword.arg is None else {keyword.arg: value})
        value = function(*args, **kwargs)
        return (
            value
            if _IS_NEW and function in _IN_LINE and _is_generator_call(node)
            else self._note(node, value)
        )

    def _of_Attribute(self, node: ast.Attribute, scope: Scope) -> Any:
        return self._note(node, getattr(self._value(node.value, scope), node.attr))

    def _of_Subscript(self, node: ast.Subscript, scope: Scope) -> Any:
        value = self._value(node.value, scope)[self._value(node.slice, scope)]
        return value if self._is_folded(node) else self._note(node, value)

    def _of_Slice(self, node: ast.Slice, scope: Scope) -> slice:
        return slice(
            *(self._value(one, scope) if one else None for one in (node.lower, node.upper, node.step))
        )

    def _items(self, nodes: list[ast.expr], scope: Scope) -> list[Any]:
        found: list[Any] = []
        for one in nodes:
            if isinstance(one, ast.Starred):
                found.extend(self._value(one.value, scope))
            else:
                found.append(self._value(one, scope))
        return found

    def _of_List(self, node: ast.List, scope: Scope) -> Any:
        return self._items(node.elts, scope)

    def _of_Tuple(self, node: ast.Tuple, scope: Scope) -> Any:
        return tuple(self._items(node.elts, scope))

    def _of_Set(self, node: ast.Set, scope: Scope) -> Any:
        return set(self._items(node.elts, scope))

    def _of_Dict(self, node: ast.Dict, scope: Scope) -> Any:
        found: dict[Any, Any] = {}
        for key, value in zip(node.keys, node.values, strict=True):
            if key is None:
                found.update(self._value(value, scope))
            else:
                made = self._value(key, scope)
                found[made] = self._value(value, scope)
        return found

    def _of_JoinedStr(self, node: ast.JoinedStr, scope: Scope) -> Any:
        return "".join(self._value(one, scope) for one in node.values)

    def _of_FormattedValue(self, node: ast.FormattedValue, scope: Scope) -> Any:
        value = self._value(node.value, scope)
        value = {-1: lambda x: x, 115: str, 114: repr, 97: ascii}[node.conversion](value)
        return format(value, self._value(node.format_spec, scope) if node.format_spec else "")

    def _of_Lambda(self, node: ast.Lambda, scope: Scope) -> Any:
        return self._function(node.args, lambda inner: self._value(node.body, inner), scope)

    # -------------------------------------------------------------- comprehensions

    def _loops(self, generators: list[ast.comprehension], first: Any, scope: Scope) -> Iterator[None]:
        """Once for each round of the innermost loop; the outermost iterator is made already."""
        loop, rest = generators[0], generators[1:]
        for item in first:
            self._store(loop.target, item, scope)
            if all(self._test(test, scope) for test in loop.ifs):
                if rest:
                    yield from self._loops(rest, self._value(rest[0].iter, scope), scope)
                else:
                    yield

    def _rounds(self, node: Any, scope: Scope) -> tuple[Iterator[None], Scope]:
        inner = Scope("comprehension", scope, {})
        first = iter(self._value(node.generators[0].iter, scope))
        return self._loops(node.generators, first, inner), inner

    def _of_ListComp(self, node: ast.ListComp, scope: Scope) -> Any:
        rounds, inner = self._rounds(node, scope)
        return [self._value(node.elt, inner) for _ in rounds]

    def _of_SetComp(self, node: ast.SetComp, scope: Scope) -> Any:
        rounds, inner = self._rounds(node, scope)
        return {self._value(node.elt, inner) for _ in rounds}

    def _of_DictComp(self, node: ast.DictComp, scope: Scope) -> Any:
        rounds, inner = self._rounds(node, scope)
        return {self._value(node.key, inner): self._value(node.value, inner) for _ in rounds}

    def _of_GeneratorExp(self, node: ast.GeneratorExp, scope: Scope) -> Any:
        rounds, inner = self._rounds(node, scope)
        return (self._value(node.elt, inner) for _ in rounds)
