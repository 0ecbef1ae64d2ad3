"""Translate generated Python programs into JavaScript, so that the same program exists twice.

    in_javascript(program) -> Program(language="javascript", ..)      the same call of the same function

Only programs of the families of `corpus/expressions.py` are translated. A variable is declared where its
block first assigns it. `expressions.py` says where the two languages still differ.
"""

from __future__ import annotations

import ast

from deskcheck.corpus.twins.expressions import (
    ANY,
    INT,
    INTS,
    STR,
    WORDS,
    Scope,
    Untranslated,
    literal,
    name_of,
    type_of,
)
from deskcheck.records import Program
from deskcheck.tracing.program import make_program

_INDENT = "  "
_SIGNS: dict[type[ast.operator], str] = {ast.Add: "+=", ast.Sub: "-=", ast.Mult: "*=", ast.Mod: "%="}


def in_javascript(program: Program) -> Program:
    """Return the twin of a generated program. Untranslated for a program of another family."""
    values = ast.literal_eval(f"({program.arguments},)")
    writer = _Writer()
    for node in ast.parse(program.source).body:
        assert isinstance(node, ast.FunctionDef)
        types = [type_of(value) for value in values] if node.name == program.entry else [INT]
        writer.function(node, types)
        writer.lines.append("")
    return make_program(
        "\n".join(writer.lines),
        name_of(program.entry),
        ", ".join(map(literal, values)),
        origin=f"{program.origin}:javascript",
        license=program.license,
        language="javascript",
    )


class _Writer:
    """A program in JavaScript that is being written."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._scope = Scope({})
        self._declared: list[set[str]] = []
        self._labels: list[str] = []
        """Label that a `break` of the innermost loop needs; "" = none."""
        self._n_labels = 0

    def function(self, node: ast.FunctionDef, types: list[str]) -> None:
        names = [argument.arg for argument in node.args.args]
        self._scope = Scope(dict(zip(names, types, strict=True)))
        self._declared = [set(names)]
        head = f"function {name_of(node.name)}({', '.join(map(name_of, names))}) {{"
        self._line(0, head)
        for statement in node.body:
            self._statement(statement, 1)
        self._line(0, "}")

    def _line(self, indent: int, text: str) -> None:
        self.lines.append(_INDENT * indent + text)

    def _block(self, body: list[ast.stmt], indent: int, names: tuple[str, ...] = ()) -> None:
        self._declared.append(set(names))
        for statement in body:
            self._statement(statement, indent)
        self._declared.pop()

    def _statement(self, node: ast.stmt, indent: int) -> None:
        writer = getattr(self, f"_{type(node).__name__.lower()}", None)
        if writer is None:
            raise Untranslated(ast.dump(node))
        writer(node, indent)

    # ------------------------------------------------------------ assignments

    def _is_declared(self, name: str) -> bool:
        return any(name in names for names in self._declared)

    def _assign(self, node: ast.Assign, indent: int) -> None:
        target = node.targets[0]
        if isinstance(target, ast.Tuple):
            return self._unpack(target, node.value, indent)
        value = self._scope.of(node.value)
        if isinstance(target, ast.Name):
            word = "" if self._is_declared(target.id) else "let "
            self._declared[-1] |= {target.id} if word else set()
            self._scope.types[target.id] = value.type
            return self._line(indent, f"{word}{name_of(target.id)} = {value.text};")
        assert isinstance(target, ast.Subscript)
        self._line(indent, f"{self._place(target)} = {value.text};")

    def _annassign(self, node: ast.AnnAssign, indent: int) -> None:
        assert node.value is not None
        self._assign(ast.Assign([node.target], node.value), indent)

    def _unpack(self, target: ast.Tuple, value: ast.expr, indent: int) -> None:
        names = [part.id for part in target.elts if isinstance(part, ast.Name)]
        new = [name for name in names if not self._is_declared(name)]
        text = self._scope.of(value).text
        pattern = f"[{', '.join(map(name_of, names))}] = {text};"
        if new and len(new) < len(names):
            self._line(indent, f"let {', '.join(map(name_of, new))};")
        self._line(indent, f"let {pattern}" if len(new) == len(names) else pattern)
        self._declared[-1].update(new)
        self._scope.types.update(dict.fromkeys(names, INT))

    def _place(self, target: ast.Subscript) -> str:
        held = self._scope.of(target.value).text
        if isinstance(target.slice, ast.UnaryOp):  # the last one
            return f"{held}[{held}.length - 1]"
        return f"{held}[{self._scope.of(target.slice).text}]"

    def _augassign(self, node: ast.AugAssign, indent: int) -> None:
        value = self._scope.of(node.value)
        is_name = isinstance(node.target, ast.Name)
        if is_name and self._scope.of(node.target).type in (INTS, WORDS):
            return self._line(indent, f"{self._scope.of(node.target).text}.push({value.text[1:-1]});")
        place = self._scope.of(node.target).text if is_name else self._place(node.target)  # type: ignore[arg-type]  # a subscript
        if isinstance(node.op, ast.FloorDiv):
            return self._line(indent, f"{place} = Math.floor({place} / {value.within(7)});")
        self._line(indent, f"{place} {_SIGNS[type(node.op)]} {value.text};")

    def _delete(self, node: ast.Delete, indent: int) -> None:
        target = node.targets[0]
        if isinstance(target, ast.Name):
            return self._line(indent, f"{name_of(target.id)} = undefined;")
        assert isinstance(target, ast.Subscript)
        self._line(indent, f"delete {self._place(target)};")

    def _expr(self, node: ast.Expr, indent: int) -> None:
        call = node.value
        assert isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute)
        owner = self._scope.of(call.func.value)
        given = [self._scope.of(argument).text for argument in call.args]
        held = owner.text
        match call.func.attr:
            case "append":
                text = f"{held}.push({given[0]})"
            case "insert":
                text = f"{held}.splice({given[0]}, 0, {given[1]})"
            case "extend":
                text = f"{held}.push({given[0][1:-1]})"
            case "reverse":
                text = f"{held}.reverse()"
            case "sort":
                text = f"{held}.sort((a, b) => a - b)"
            case "remove":
                text = f"{held}.splice({held}.indexOf({given[0]}), 1)"
            case "pop" if owner.type in (INTS, WORDS):
                text = f"{held}.{'shift' if given else 'pop'}()"
            case "pop":
                text = f"delete {held}[{given[0]}]"
            case "update":
                text = f"Object.assign({held}, {given[0]})"
            case "setdefault":
                text = f"{held}[{given[0]}] ??= {given[1]}"
            case other:
                raise Untranslated(other)
        self._line(indent, f"{text};")

    # ------------------------------------------------------------ control

    def _if(self, node: ast.If, indent: int, lead: str = "") -> None:
        self._line(indent, f"{lead}if ({self._scope.is_true(node.test)}) {{")
        self._block(node.body, indent + 1)
        rest = node.orelse
        if len(rest) == 1 and isinstance(rest[0], ast.If):
            return self._if(rest[0], indent, "} else ")
        if rest:
            self._line(indent, "} else {")
            self._block(rest, indent + 1)
        self._line(indent, "}")

    def _while(self, node: ast.While, indent: int) -> None:
        self._labels.append("")
        self._line(indent, f"while ({self._scope.is_true(node.test)}) {{")
        self._block(node.body, indent + 1)
        self._line(indent, "}")
        self._labels.pop()

    def _for(self, node: ast.For, indent: int) -> None:
        has_label = bool(node.orelse) and _breaks(node.body)
        label = ""
        if has_label:
            self._n_labels += 1
            label = "whole" if self._n_labels == 1 else f"whole{self._n_labels}"
            self._line(indent, f"{label}: {{")
        within = indent + has_label
        head, names = self._head(node)
        self._line(within, f"for ({head}) {{")
        self._labels.append(label)
        self._block(node.body, within + 1, names)
        self._labels.pop()
        self._line(within, "}")
        if node.orelse:
            if not has_label:
                self._line(indent, "{")
            self._block(node.orelse, indent + 1)
            self._line(indent, "}")

    def _head(self, node: ast.For) -> tuple[str, tuple[str, ...]]:
        """Return the text in the parentheses of a `for`, and the names that it declares."""
        types = self._scope.types
        if isinstance(node.target, ast.Tuple):  # for i, x in enumerate(xs)
            index, item = (part.id for part in node.target.elts if isinstance(part, ast.Name))
            assert isinstance(node.iter, ast.Call)
            over = self._scope.of(node.iter.args[0])
            types[index], types[item] = INT, _inside(over.type)
            entries = f"{over.text if over.type != STR else f'[...{over.text}]'}.entries()"
            return f"const [{name_of(index)}, {name_of(item)}] of {entries}", (index, item)
        assert isinstance(node.target, ast.Name)
        name = name_of(node.target.id)
        if isinstance(node.iter, ast.Call):  # range
            bounds = [self._scope.of(argument).text for argument in node.iter.args]
            start, end = bounds if len(bounds) == 2 else ("0", bounds[0])
            types[node.target.id] = INT
            return f"let {name} = {start}; {name} < {end}; {name}++", (node.target.id,)
        over = self._scope.of(node.iter)
        types[node.target.id] = _inside(over.type)
        return f"const {name} of {over.text}", (node.target.id,)

    def _break(self, node: ast.Break, indent: int) -> None:
        self._line(indent, f"break {self._labels[-1]};" if self._labels[-1] else "break;")

    def _continue(self, node: ast.Continue, indent: int) -> None:
        self._line(indent, "continue;")

    def _return(self, node: ast.Return, indent: int) -> None:
        assert node.value is not None
        self._line(indent, f"return {self._scope.of(node.value).text};")

    def _try(self, node: ast.Try, indent: int) -> None:
        self._line(indent, "try {")
        self._block(node.body, indent + 1)
        self._line(indent, "} catch (error) {")
        self._block(node.handlers[0].body, indent + 1)
        self._line(indent, "}")


def _inside(kind: str) -> str:
    return {INTS: INT, WORDS: STR, STR: STR}.get(kind, ANY)


def _breaks(body: list[ast.stmt]) -> bool:
    """Tell whether a `break` in the body leaves the loop itself."""
    for node in body:
        if isinstance(node, ast.Break):
            return True
        if isinstance(node, ast.If) and (_breaks(node.body) or _breaks(node.orelse)):
            return True
    return False
