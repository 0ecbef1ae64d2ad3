"""Translate generated Python programs into C, statement by statement: the same program twice.

    in_c(program) -> Program(language="c", ..)      the same call of the same function; Untranslated

A variable is declared where its block first assigns it. A list is an array of the length that it has, or of 16
elements if it grows; a string that changes has 64 bytes; one that is returned is static. Left out
are programs with exceptions, with lists that change and are returned, and with what takes a loop in C.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from deskcheck.corpus.twins.c_expressions import (
    CHAR,
    DICT,
    HELPERS,
    INT,
    INTS,
    STR,
    WORDS,
    Scope,
    name_of,
)
from deskcheck.corpus.twins.expressions import Untranslated
from deskcheck.languages.c.literals import write
from deskcheck.records import Program
from deskcheck.tracing.program import make_program

ROOM, TEXT_ROOM = 16, 64
_INDENT = "  "
_SIGNS: dict[type[ast.operator], str] = {
    ast.Add: "+=", ast.Sub: "-=", ast.Mult: "*=", ast.Mod: "%=", ast.FloorDiv: "/=",
}  # fmt: skip
_GROWING = frozenset({"append", "extend", "pop"})
_HEADERS = {"labs": "stdlib.h", "snprintf": "stdio.h", "strlen": "string.h", "strcmp": "string.h", "strcat": "string.h",
            "strchr": "string.h", "strspn": "string.h", "strcpy": "string.h", "NULL": "stddef.h"}  # fmt: skip


def in_c(program: Program) -> Program:
    """Return the twin of a generated program. Untranslated for one that has none by these rules."""
    values = ast.literal_eval(f"({program.arguments},)")
    helpers: set[str] = set()
    structs: list[str] = []
    lines: list[str] = []
    arguments: list[str] = []
    for node in ast.parse(program.source).body:
        assert isinstance(node, ast.FunctionDef)
        is_entry = node.name == program.entry
        writer = _Function(node, list(values) if is_entry else [0], helpers, structs)
        lines += [*writer.lines, ""]
        arguments = writer.arguments if is_entry else arguments
    text = "\n".join([*structs, *(line for name in sorted(helpers) for line in (*HELPERS[name], "")), *lines])
    headers = sorted({header for word, header in _HEADERS.items() if f"{word}(" in text or (word == "NULL" and word in text)})
    head = "".join(f"#include <{header}>\n" for header in headers)
    return make_program(
        f"{head}\n{text}" if head else text,
        name_of(program.entry),
        ", ".join(arguments),
        origin=f"{program.origin}:c",
        licence=program.licence,
        language="c",
    )


def type_of(value: object) -> str:
    """Return the type in C of a value of Python. Untranslated for one without."""
    if isinstance(value, list):
        return WORDS if value and isinstance(value[0], str) else INTS
    found = {int: INT, str: STR, dict: DICT}.get(type(value))
    if found is None:
        raise Untranslated(repr(value))
    return found


class _Function:
    """One function in C that is being written."""

    def __init__(self, node: ast.FunctionDef, values: list[object], helpers: set[str], structs: list[str]) -> None:
        self.lines: list[str] = []
        self.arguments: list[str] = []
        self._structs = structs
        self._body = node
        self._declared: list[set[str]] = [set()]
        self._depth = 0
        self._scope = Scope({}, {}, helpers)
        self._growing = {
            owner.id
            for call in ast.walk(node)
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr in _GROWING
            if isinstance(owner := call.func.value, ast.Name)
        }
        self._changed = {
            target.id
            for change in ast.walk(node)
            if isinstance(change, ast.AugAssign) and isinstance(target := change.target, ast.Name)
        }
        self._returned = set(_returned_names(node))
        parameters = [part for argument, value in zip(node.args.args, values, strict=True) for part in self._parameter(argument.arg, value)]
        place = len(self.lines)
        for statement in node.body:
            self._statement(statement, 1)
        self._line(0, "}")
        self.lines.insert(place, f"{self._result()}{name_of(node.name)}({', '.join(parameters)}) {{")

    def _parameter(self, name: str, value: object) -> Iterator[str]:
        """Yield the parameters for one argument, and note the argument in C."""
        kind = type_of(value)
        self._scope.types[name] = kind
        self._declared[0].add(name)
        shown = name_of(name)
        if kind == INT:
            self.arguments.append(write(value))
            yield f"long {shown}"
        elif kind == STR:
            grows = name in self._changed
            self.arguments.append(f"(char[{TEXT_ROOM}]){{{write(value)}}}" if grows else write(value))
            yield f"{'char' if grows else 'const char'} *{shown}"
        elif kind == DICT:
            assert isinstance(value, dict)
            self._struct(name, list(value))
            inner = ", ".join(f".{key} = {held}" for key, held in value.items())
            self.arguments.append(f"(struct {shown}){{{inner}}}")
            yield f"struct {shown} {shown}"
        else:
            assert isinstance(value, list)
            room = ROOM if name in self._growing else ""
            inside = "long" if kind == INTS else "const char *"
            self.arguments += [f"({inside}[{room}]){{{', '.join(map(write, value))}}}", str(len(value))]
            yield f"{inside}{'' if inside.endswith('*') else ' '}*{shown}"
            yield f"long n_{name}"
            if not value and not room:
                raise Untranslated("an array without elements")

    def _struct(self, name: str, keys: list[object]) -> None:
        if not keys or not all(str(key).isidentifier() for key in keys) or name in self._scope.fields:
            raise Untranslated("a dictionary without plain keys")
        self._scope.fields[name] = [str(key) for key in keys]
        fields = " ".join(f"long {name_of(str(key))};" for key in keys)
        row = f"struct {name_of(name)} {{ {fields} }};\n"
        if any(line.startswith(f"struct {name_of(name)} {{") for line in self._structs):
            raise Untranslated("two structures of one name")
        self._structs.append(row)

    # ------------------------------------------------------------ lines

    def _line(self, indent: int, text: str) -> None:
        self.lines.append(_INDENT * indent + text)

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

    def _is_declared(self, name: str) -> bool:
        return any(name in names for names in self._declared)

    def _declare(self, name: str, kind: str) -> None:
        self._declared[-1].add(name)
        self._scope.types[name] = kind

    # ------------------------------------------------------------ assignments

    def _assign(self, node: ast.Assign, indent: int) -> None:
        target = node.targets[0]
        if isinstance(target, ast.Tuple):
            return self._unpack(target, node.value, indent)
        if isinstance(target, ast.Subscript):
            return self._line(indent, f"{self._scope.of(target).text} = {self._scope.number(node.value).text};")
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

    def _is_text(self, node: ast.expr) -> bool:
        try:
            self._scope.form(node)
        except Untranslated:
            return False
        return True

    def _text(self, name: str, value: ast.expr, indent: int, *, is_new: bool) -> None:
        """Assign a string: a pointer to one that stays, or bytes that are put together."""
        shown = name_of(name)
        form, parts = self._scope.form(value)
        is_plain = isinstance(value, ast.Constant) or (isinstance(value, ast.Name) and self._scope.types[value.id] == STR)
        if isinstance(value, ast.Name) and value.id in self._changed:
            raise Untranslated("a second name for a string that changes")
        if not is_new and (self._scope.types[name] != STR or name not in self._buffers()):
            if not is_plain or self._scope.types[name] != STR:
                raise Untranslated("a variable of two types")
            return self._line(indent, f"{shown} = {self._scope.of(value).text};")
        if is_new and is_plain and name not in self._buffers():
            self._declare(name, STR)
            return self._line(indent, f"const char *{shown} = {self._scope.of(value).text};")
        if shown in parts:
            raise Untranslated("a string that is made of itself")
        if is_new:
            if name not in self._buffers():
                raise Untranslated("a string that is put together in a block and assigned again")
            self._line(indent, f"{'static ' if name in self._returned else ''}char {shown}[{TEXT_ROOM}];")
            self._declare(name, STR)
        more = f", {', '.join(parts)}" if parts else ""
        self._line(indent, f"snprintf({shown}, {TEXT_ROOM}, {write(form)}{more});")

    def _buffers(self) -> set[str]:
        """Return the variables of this function whose strings are put together in place."""
        made = {
            target.id
            for node in ast.walk(self._body)
            if isinstance(node, ast.Assign) and isinstance(target := node.targets[0], ast.Name)
            if not isinstance(node.value, ast.Constant | ast.Name)
        }
        return (made | self._changed) - {argument.arg for argument in self._body.args.args if argument.arg not in self._changed}

    def _list(self, name: str, value: ast.expr, indent: int, *, is_new: bool) -> None:
        if not is_new:
            raise Untranslated("a list that is assigned again")
        items = value.elts if isinstance(value, ast.List) else [ast.Constant(n) for n in range(_end_of(value))]
        texts = [self._scope.of(item) for item in items]
        kind = WORDS if texts and texts[0].type == STR else INTS
        if any(text.type != (STR if kind == WORDS else INT) for text in texts):
            raise Untranslated("a list of two types")
        self._check_returned(name, items)
        inside = "const char *" if kind == WORDS else "long "
        room = ROOM if name in self._growing else len(items) or _refuse("an array without elements")
        start = f" = {{{', '.join(text.text for text in texts)}}}" if texts else ""
        word = "static " if name in self._returned else ""
        self._line(indent, f"{word}{inside}{name_of(name)}[{room}]{start};")
        self._line(indent, f"long n_{name} = {len(items)};")
        self._declare(name, kind)

    def _check_returned(self, name: str, items: list[ast.expr]) -> None:
        """Raise Untranslated if a list that is returned would not be a static array of its length."""
        if name not in self._returned:
            return
        if name in self._growing or self._depth or not all(isinstance(item, ast.Constant) for item in items):
            raise Untranslated("a list that changes and is returned")

    def _alias(self, name: str, value: ast.expr, indent: int, *, is_new: bool) -> None:
        if not is_new or not isinstance(value, ast.Name) or {name, value.id} & self._growing:
            raise Untranslated("a second name for a list that changes")
        kind = self._scope.types[value.id]
        if name in self._returned:
            raise Untranslated("a second name for a list that is returned")
        self._line(indent, f"{'const char *' if kind == WORDS else 'long '}*{name_of(name)} = {name_of(value.id)};")
        self._line(indent, f"long n_{name} = n_{value.id};")
        self._declare(name, kind)

    def _dict(self, name: str, value: ast.Dict, indent: int, *, is_new: bool) -> None:
        if not is_new:
            raise Untranslated("a dictionary that is assigned again")
        keys = [key.value for key in value.keys if isinstance(key, ast.Constant)]
        self._struct(name, list(keys))
        inner = ", ".join(
            f".{name_of(str(key))} = {self._scope.number(held).text}" for key, held in zip(keys, value.values, strict=True)
        )
        self._line(indent, f"struct {name_of(name)} {name_of(name)} = {{{inner}}};")
        self._declare(name, DICT)

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
        """Return the variable of an item, the list that is gone through (None: a range), and the index."""
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
        """Return the type of the result, and write the structure of a pair."""
        kind = getattr(self, "_kind", "long ")
        if isinstance(kind, str):
            return kind
        names = ("first", "second", "third", "fourth")
        fields = " ".join(f"{part}{name};" for part, name in zip(kind, names, strict=False))
        self._structs.append(f"struct pair {{ {fields} }};\n")
        return "struct pair "


def _returned_names(node: ast.FunctionDef) -> Iterator[str]:
    for inner in ast.walk(node):
        if isinstance(inner, ast.Return) and inner.value is not None:
            parts = inner.value.elts if isinstance(inner.value, ast.Tuple) else [inner.value]
            yield from (part.id for part in parts if isinstance(part, ast.Name))


def _is_range(node: ast.expr) -> bool:
    is_list = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "list"
    return is_list and isinstance(node.args[0], ast.Call)  # type: ignore[attr-defined]  # a call, by the line above


def _end_of(node: ast.expr) -> int:
    assert isinstance(node, ast.Call) and isinstance(node.args[0], ast.Call)
    (end,) = node.args[0].args
    return int(ast.literal_eval(end))


def _refuse(why: str) -> int:
    raise Untranslated(why)
