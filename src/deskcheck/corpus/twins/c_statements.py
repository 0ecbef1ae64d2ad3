"""Translate the functions of generated Python programs into C, statement by statement.

    Function(node, [3, "ab"], helpers, structs).lines       Untranslated for code without a short form in C

`c_variables.py` says how variables are declared. Programs are left out if they have exceptions, lists that
change and are returned, or operations that need a loop in C and have no helper function.
"""

from __future__ import annotations

import ast

from deskcheck.corpus.twins.c_expressions import (
    CHAR,
    DICT,
    INT,
    INTS,
    STR,
    WORDS,
    name_of,
)
from deskcheck.corpus.twins.c_variables import Variables
from deskcheck.corpus.twins.expressions import Untranslated

_SIGNS: dict[type[ast.operator], str] = {
    ast.Add: "+=", ast.Sub: "-=", ast.Mult: "*=", ast.Mod: "%=", ast.FloorDiv: "/=",
}  # fmt: skip


class Function(Variables):
    """One function in C, translated from `node`.

    `values` are the arguments of the call. Used helper functions are added to `helpers`, and structures that
    have to be declared to `structs`.
    """

    def __init__(
        self, node: ast.FunctionDef, values: list[object], helpers: set[str], structs: list[str]
    ) -> None:
        super().__init__(node, helpers, structs)
        parameters = [
            part
            for argument, value in zip(node.args.args, values, strict=True)
            for part in self._parameter(argument.arg, value)
        ]
        place = len(self.lines)
        for statement in node.body:
            self._statement(statement, 1)
        self._line(0, "}")
        self.lines.insert(place, f"{self._result()}{name_of(node.name)}({', '.join(parameters)}) {{")

    # ------------------------------------------------------------ lines

    def _block(self, body: list[ast.stmt], indent: int, names: tuple[str, ...] = ()) -> None:
        self._declared.append(set(names))
        types = dict(self._scope.types)
        self._depth += 1
        for statement in body:
            self._statement(statement, indent)
        self._depth -= 1
        self._declared.pop()
        self._scope.types = types

    def _statement(self, node: ast.stmt, indent: int) -> None:
        writer = getattr(self, f"_{type(node).__name__.lower()}", None)
        if writer is None:
            raise Untranslated(type(node).__name__)
        writer(node, indent)

    # ------------------------------------------------------------ assignments

    def _assign(self, node: ast.Assign, indent: int) -> None:
        target = node.targets[0]
        if isinstance(target, ast.Tuple):
            return self._unpack(target, node.value, indent)
        if isinstance(target, ast.Subscript):
            return self._line(
                indent, f"{self._scope.of(target).text} = {self._scope.number(node.value).text};"
            )
        assert isinstance(target, ast.Name)
        name, shown = target.id, name_of(target.id)
        is_new = not self._is_declared(name)
        if isinstance(node.value, ast.List) or _is_range(node.value):
            return self._list(name, node.value, indent, is_new=is_new)
        if isinstance(node.value, ast.Dict):
            return self._dict(name, node.value, indent, is_new=is_new)
        if self._is_text(node.value):
            return self._text(name, node.value, indent, is_new=is_new)
        value = self._scope.of(node.value)
        if value.type in (INTS, WORDS):
            return self._alias(name, node.value, indent, is_new=is_new)
        if value.type != INT or (not is_new and self._scope.types[name] != INT):
            raise Untranslated("a variable of two types")
        self._line(indent, f"{'long ' if is_new else ''}{shown} = {value.text};")
        if is_new:
            self._declare(name, INT)

    def _unpack(self, target: ast.Tuple, value: ast.expr, indent: int) -> None:
        names = [part.id for part in target.elts if isinstance(part, ast.Name)]
        if not isinstance(value, ast.Tuple) or len(names) != len(value.elts):
            raise Untranslated("values that are unpacked")
        texts = [self._scope.number(part).text for part in value.elts]
        if any(self._is_declared(name) and self._scope.types[name] != INT for name in names):
            raise Untranslated("a variable of two types")
        if all(not self._is_declared(name) for name in names):
            for name, text in zip(names, texts, strict=True):
                self._line(indent, f"long {name_of(name)} = {text};")
                self._declare(name, INT)
            return
        for name, text in zip(names, texts, strict=True):
            self._line(indent, f"long next_{name} = {text};")
        for name in names:
            word = "" if self._is_declared(name) else "long "
            self._line(indent, f"{word}{name_of(name)} = next_{name};")
            self._declare(name, INT) if word else None
        if any(f"next_{name}" in self._declared[-1] for name in names):
            raise Untranslated("two exchanges of one variable in a block")
        self._declared[-1].update(f"next_{name}" for name in names)

    def _augassign(self, node: ast.AugAssign, indent: int) -> None:
        place = self._scope.of(node.target)
        if place.type == STR and isinstance(node.op, ast.Add):
            value = self._scope.of(node.value)
            if value.type != STR or value.text == place.text:
                raise Untranslated("a string that is joined with itself")
            return self._line(indent, f"strcat({place.text}, {value.text});")
        if place.type != INT:
            raise Untranslated("a list that is joined")
        self._line(indent, f"{place.text} {_SIGNS[type(node.op)]} {self._scope.number(node.value).text};")

    def _expr(self, node: ast.Expr, indent: int) -> None:
        call = node.value
        assert isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute)
        owner = call.func.value
        if not isinstance(owner, ast.Name) or self._scope.types.get(owner.id) != INTS:
            raise Untranslated(call.func.attr)
        items = [*call.args]
        if call.func.attr == "extend" and isinstance(items[0], ast.List):
            items = items[0].elts
        elif call.func.attr == "pop" and not items:
            return self._line(indent, f"n_{owner.id}--;")
        elif call.func.attr != "append":
            raise Untranslated(call.func.attr)
        for item in items:
            self._line(indent, f"{name_of(owner.id)}[n_{owner.id}++] = {self._scope.number(item).text};")

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
        self._line(indent, f"while ({self._scope.is_true(node.test)}) {{")
        self._block(node.body, indent + 1)
        self._line(indent, "}")

    def _for(self, node: ast.For, indent: int) -> None:
        if node.orelse and any(isinstance(inner, ast.Break) for inner in ast.walk(node)):
            raise Untranslated("a break that skips the else of a loop")
        types = dict(self._scope.types)
        item, over, index = self._loop(node)
        shown = name_of(index)
        if over is None:
            assert isinstance(node.iter, ast.Call)
            bounds = [self._scope.number(argument).text for argument in node.iter.args]
            start, end = bounds if len(bounds) == 2 else ("0", bounds[0])
            self._line(indent, f"for (long {shown} = {start}; {shown} < {end}; {shown}++) {{")
        else:
            held, kind = name_of(over), self._scope.types[over]
            if over in self._growing:
                raise Untranslated("a list that changes in its loop")
            test = f"{held}[{shown}] != '\\0'" if kind == STR else f"{shown} < n_{over}"
            self._line(indent, f"for (long {shown} = 0; {test}; {shown}++) {{")
            inside = {INTS: INT, WORDS: STR, STR: CHAR}[kind]
            space = "" if inside == STR else " "
            self._line(indent + 1, f"{inside}{space}{name_of(item)} = {held}[{shown}];")
            self._scope.types[item] = inside
        self._scope.types[index] = INT
        self._block(node.body, indent + 1, tuple({item, index} - {""}))
        self._scope.types = types
        self._line(indent, "}")
        for statement in node.orelse:
            self._statement(statement, indent)

    def _loop(self, node: ast.For) -> tuple[str, str | None, str]:
        """Return (variable of an item, variable that is iterated, index); ("", None, index) for a range."""
        if isinstance(node.iter, ast.Call) and isinstance(node.iter.func, ast.Name):
            if node.iter.func.id == "range" and isinstance(node.target, ast.Name):
                return "", None, node.target.id
            over = node.iter.args[0]
            if isinstance(node.target, ast.Tuple) and isinstance(over, ast.Name):
                index, item = (part.id for part in node.target.elts if isinstance(part, ast.Name))
                return item, over.id, index
        if isinstance(node.iter, ast.Name) and isinstance(node.target, ast.Name):
            return node.target.id, node.iter.id, f"i_{node.target.id}"
        raise Untranslated(ast.dump(node.iter))

    def _break(self, node: ast.Break, indent: int) -> None:
        self._line(indent, "break;")

    def _continue(self, node: ast.Continue, indent: int) -> None:
        self._line(indent, "continue;")

    # ------------------------------------------------------------ results

    def _return(self, node: ast.Return, indent: int) -> None:
        assert node.value is not None
        parts = node.value.elts if isinstance(node.value, ast.Tuple) else [node.value]
        texts, kinds = zip(*(self._returns(part) for part in parts), strict=True)
        if len(parts) == 1:
            self._note(kinds[0])
            return self._line(indent, f"return {texts[0]};")
        self._note(kinds)
        self._line(indent, f"return (struct pair){{{', '.join(texts)}}};")

    def _returns(self, node: ast.expr) -> tuple[str, str]:
        """Return text and type of a returned value."""
        value = self._scope.of(node)
        if value.type in (INTS, WORDS) and (not isinstance(node, ast.Name) or node.id in self._growing):
            raise Untranslated("a list that changes and is returned")
        kind = {INTS: "long *", WORDS: "const char **", INT: "long "}.get(value.type, value.type)
        return value.text, f"struct {value.text} " if kind == DICT else "char " if kind == CHAR else kind

    def _note(self, kind: str | tuple[str, ...]) -> None:
        before = getattr(self, "_kind", kind)
        if before != kind:
            raise Untranslated("results of two types")
        self._kind: str | tuple[str, ...] = kind

    def _result(self) -> str:
        """Return the type of the result; for two to four results, declare a structure of them, `pair`."""
        kind = getattr(self, "_kind", "long ")
        if isinstance(kind, str):
            return kind
        names = ("first", "second", "third", "fourth")
        fields = " ".join(f"{part}{name};" for part, name in zip(kind, names, strict=False))
        self._structs.append(f"struct pair {{ {fields} }};\n")
        return "struct pair "


def _is_range(node: ast.expr) -> bool:
    is_list = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "list"
    return is_list and isinstance(node.args[0], ast.Call)  # type: ignore[attr-defined]  # a call, by the line above
