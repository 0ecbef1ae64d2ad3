"""Declare and assign the variables of a C function that is being written.

A variable is declared where its block first assigns it. A list is an array of its own length, or of ROOM
elements if it grows. A string that changes has TEXT_ROOM bytes. Arrays and strings that are returned are
static.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from deskcheck.corpus.twins.c_expressions import DICT, INT, INTS, STR, WORDS, Scope, name_of
from deskcheck.corpus.twins.expressions import Untranslated
from deskcheck.languages.c.literals import write

ROOM, TEXT_ROOM = 16, 64
"""Elements of an array that grows, and bytes of a string that changes."""
_INDENT = "  "
_GROWING = frozenset({"append", "extend", "pop"})


def type_of(value: object) -> str:
    """Return the type in C of a value of Python. Untranslated for one without."""
    if isinstance(value, list):
        return WORDS if value and isinstance(value[0], str) else INTS
    found = {int: INT, str: STR, dict: DICT}.get(type(value))
    if found is None:
        raise Untranslated(repr(value))
    return found


class Variables:
    """The variables of one function, and its lines so far."""

    def __init__(self, node: ast.FunctionDef, helpers: set[str], structs: list[str]) -> None:
        self.lines: list[str] = []
        self.arguments: list[str] = []  # texts of the call's arguments in C
        self._structs = structs
        self._body = node
        self._declared: list[set[str]] = [set()]
        self._depth = 0
        self._scope = Scope({}, {}, helpers)
        self._growing = {
            owner.id
            for call in ast.walk(node)
            if isinstance(call, ast.Call)
            and isinstance(call.func, ast.Attribute)
            and call.func.attr in _GROWING
            if isinstance(owner := call.func.value, ast.Name)
        }
        self._changed = {
            target.id
            for change in ast.walk(node)
            if isinstance(change, ast.AugAssign) and isinstance(target := change.target, ast.Name)
        }
        self._returned = set(_returned_names(node))

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

    def _line(self, indent: int, text: str) -> None:
        self.lines.append(_INDENT * indent + text)

    def _is_declared(self, name: str) -> bool:
        return any(name in names for names in self._declared)

    def _declare(self, name: str, kind: str) -> None:
        self._declared[-1].add(name)
        self._scope.types[name] = kind

    def _is_text(self, node: ast.expr) -> bool:
        try:
            self._scope.form(node)
        except Untranslated:
            return False
        return True

    def _text(self, name: str, value: ast.expr, indent: int, *, is_new: bool) -> None:
        """Assign a string: a pointer to a string that stays, or bytes that `snprintf` fills."""
        shown = name_of(name)
        form, parts = self._scope.form(value)
        is_plain = isinstance(value, ast.Constant) or (
            isinstance(value, ast.Name) and self._scope.types[value.id] == STR
        )
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
        return (made | self._changed) - {
            argument.arg for argument in self._body.args.args if argument.arg not in self._changed
        }

    def _list(self, name: str, value: ast.expr, indent: int, *, is_new: bool) -> None:
        if not is_new:
            raise Untranslated("a list that is assigned again")
        is_list = isinstance(value, ast.List)
        items: list[ast.expr] = [*value.elts] if isinstance(value, ast.List) else []
        items += [] if is_list else [ast.Constant(n) for n in range(_end_of(value))]
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
        self._line(
            indent, f"{'const char *' if kind == WORDS else 'long '}*{name_of(name)} = {name_of(value.id)};"
        )
        self._line(indent, f"long n_{name} = n_{value.id};")
        self._declare(name, kind)

    def _dict(self, name: str, value: ast.Dict, indent: int, *, is_new: bool) -> None:
        if not is_new:
            raise Untranslated("a dictionary that is assigned again")
        keys = [key.value for key in value.keys if isinstance(key, ast.Constant)]
        self._struct(name, list(keys))
        inner = ", ".join(
            f".{name_of(str(key))} = {self._scope.number(held).text}"
            for key, held in zip(keys, value.values, strict=True)
        )
        self._line(indent, f"struct {name_of(name)} {name_of(name)} = {{{inner}}};")
        self._declare(name, DICT)


def _returned_names(node: ast.FunctionDef) -> Iterator[str]:
    for inner in ast.walk(node):
        if isinstance(inner, ast.Return) and inner.value is not None:
            parts = inner.value.elts if isinstance(inner.value, ast.Tuple) else [inner.value]
            yield from (part.id for part in parts if isinstance(part, ast.Name))


def _end_of(node: ast.expr) -> int:
    assert isinstance(node, ast.Call) and isinstance(node.args[0], ast.Call)
    (end,) = node.args[0].args
    return int(ast.literal_eval(end))


def _refuse(why: str) -> int:
    raise Untranslated(why)
