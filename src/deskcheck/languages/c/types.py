"""Number the types of a C program, and write the tables from which its recorder knows them.

table = Types(tree)
table.number(declaration.type) -> 5          the same number for equal types
table.text(functions) -> "static const struct dk_type ..."    C text of the tables, to stand after the program

`runtime/probes.h` declares the tables. `functions` are the names of the program's functions.
"""

from __future__ import annotations

from typing import Any

from pycparser import c_ast, c_generator

from deskcheck.languages.c.source import Refusal

# Kinds of types, with the numbers that the C recorder uses.
VOID, INT, UNSIGNED, CHAR, BOOL, FLOAT, DOUBLE, LONG_DOUBLE, POINTER, ARRAY, STRUCT, FUNCTION = range(12)
NAMES = ["", "char *", "pointer", "long", "void"]
"""Names of types that the recorder itself knows, by number."""
_INTEGERS = {"int", "long", "short", "signed", "unsigned", "char"}


class Types:
    """Types of one program, by number."""

    def __init__(self, tree: Any) -> None:
        self.names = list(NAMES)
        self._name_numbers = {name: number for number, name in enumerate(NAMES)}
        self._rows: list[tuple[int, str, int, int, int, int]] = []
        """(kind, size in C, target's number, first field, number of fields, name's number) of each type."""
        self._numbers: dict[str, int] = {}
        self._fields: list[tuple[str, str, int]] = []
        """(structure, name, number of the type) of each field."""
        self.words: list[str] = []
        """Names of variables and fields, by number."""
        self._word_numbers: dict[str, int] = {}
        self._typedefs: dict[str, Any] = {}
        self._structs: dict[str, Any] = {}
        self._aliases: dict[int, str] = {}
        """Identity of a structure without a name in the tree -> the name that `typedef` gives it."""
        self._constants: set[str] = set()
        self._write = c_generator.CGenerator().visit
        for node in tree.ext:
            self.learn(node)

    def learn(self, node: Any) -> None:
        """Remember the typedef, structures and constants that a declaration defines."""
        for enum in _inside(getattr(node, "type", None), c_ast.Enum):
            self._constants |= {each.name for each in (enum.values.enumerators if enum.values else [])}
        if isinstance(node, c_ast.Typedef):
            self._typedefs[node.name] = node.type
            for inner in _inside(node.type, _STRUCTS):
                self._note(inner, node.name if isinstance(node.type, c_ast.TypeDecl) else "")
        elif isinstance(node, c_ast.Decl):
            for inner in _inside(node.type, _STRUCTS):
                self._note(inner, "")

    def _note(self, node: Any, alias: str) -> None:
        if node.decls is None:
            return
        if node.name is None:
            self._aliases[id(node)] = alias
        else:
            self._structs[f"{_word(node)} {node.name}"] = node
        for inner in node.decls:
            for deeper in _inside(inner.type, _STRUCTS):
                self._note(deeper, "")

    def word(self, name: str) -> int:
        """Return the number of a variable's or field's name."""
        if name not in self._word_numbers:
            self._word_numbers[name] = len(self.words)
            self.words.append(name)
        return self._word_numbers[name]

    def name(self, text: str) -> int:
        """Return the number of the name of a type."""
        if text not in self._name_numbers:
            self._name_numbers[text] = len(self.names)
            self.names.append(text)
        return self._name_numbers[text]

    def resolved(self, node: Any) -> Any:
        """Return a type without the names that `typedef` gave it."""
        while isinstance(node, c_ast.TypeDecl | c_ast.Typename):
            inner = node.type
            if isinstance(inner, c_ast.IdentifierType) and inner.names[0] in self._typedefs:
                inner = self._typedefs[inner.names[0]]
            elif isinstance(inner, c_ast.IdentifierType):
                return inner
            node = inner
        return node

    def is_container(self, node: Any) -> bool:
        """Tell whether a type is an array, a structure or a union."""
        return isinstance(self.resolved(node), c_ast.ArrayDecl | c_ast.Struct | c_ast.Union)

    def number(self, node: Any) -> int:
        """Return the number of a type. Refusal for a type that is not traced."""
        bare = self.resolved(node)
        match bare:
            case c_ast.PtrDecl():
                target = self.resolved(bare.type)
                to = self.number(bare.type)
                if not isinstance(target, c_ast.FuncDecl) and self._rows[to][0] != VOID:
                    self._row(f"{self.names[self._rows[to][5]]}[]", ARRAY, "0", to)
                return self._row(f"{self.names[self._rows[to][5]]} *", POINTER, "sizeof(void *)", to)
            case c_ast.ArrayDecl():
                return self._array(bare)
            case c_ast.FuncDecl():
                return self._row("function", FUNCTION, "0")
            case c_ast.Enum():
                return self._row(f"enum {bare.name or ''}".strip(), INT, "sizeof(int)")
            case c_ast.Struct() | c_ast.Union():
                return self._struct(bare)
        return self._scalar(" ".join(bare.names))

    def _row(self, name: str, kind: int, size: str, to: int = 0) -> int:
        if name not in self._numbers:
            self._numbers[name] = len(self._rows)
            self._rows.append((kind, size, to, 0, 0, self.name(name)))
        return self._numbers[name]

    def _array(self, node: Any) -> int:
        to = self.number(node.type)
        n = self._write(node.dim) if node.dim is not None else ""
        base, bracket, rest = self.names[self._rows[to][5]].partition("[")
        if self._rows[to][0] == ARRAY and self._rows[to][1] == "0":
            raise Refusal("an array of arrays whose length is known only at run time")
        is_constant = node.dim is not None and _is_constant(node.dim, self._constants)
        size = f"({n}) * ({self._rows[to][1]})" if is_constant else "0"
        return self._row(f"{base}[{n if is_constant else ''}]{bracket}{rest}", ARRAY, size, to)

    def _scalar(self, name: str) -> int:
        words = name.split()
        if name == "void":
            return self._row(name, VOID, "0")
        if name in ("_Bool", "float", "double", "long double"):
            kind = {"_Bool": BOOL, "float": FLOAT, "double": DOUBLE}.get(name, LONG_DOUBLE)
            return self._row("bool" if kind == BOOL else name, kind, f"sizeof({name})")
        if not set(words) <= _INTEGERS:
            raise Refusal(f"the type {name}")
        kind = CHAR if name == "char" else UNSIGNED if "unsigned" in words else INT
        return self._row(name, kind, f"sizeof({name})")

    def _struct(self, node: Any) -> int:
        alias = self._aliases.get(id(node), "")
        spelled = f"{_word(node)} {node.name}" if node.name else alias
        if not spelled:
            raise Refusal("a structure without a name: name it")
        name = node.name or alias
        key = f"{_word(node)} {name}"
        if key in self._numbers:
            return self._numbers[key]
        node = self._structs.get(spelled, node)
        if node.decls is None:  # only its name is known: a pointer to it is treated as a pointer to void
            return self._row("void", VOID, "0")
        number = self._numbers[key] = len(self._rows)
        self._rows.append((STRUCT, f"sizeof({spelled})", 0, 0, 0, self.name(name)))
        rows = []
        for field in node.decls:
            if not isinstance(field, c_ast.Decl) or field.name is None or field.bitsize is not None:
                raise Refusal(f"a field of {spelled} without a name, or with a number of bits")
            rows.append((spelled, field.name, self.number(field.type)))
            self.word(field.name)
        first = len(self._fields)
        self._fields += rows
        kind, size, to, _, _, shown = self._rows[number]
        self._rows[number] = (kind, size, to, first, len(rows), shown)
        return number

    def text(self, functions: list[str]) -> str:
        """Return the C text of all tables."""
        types = ", ".join(
            f"{{{k}, {size}, {to}, {first}, {n}, {name}}}" for k, size, to, first, n, name in self._rows
        )
        fields = ", ".join(
            f"{{{self.word(field)}, __builtin_offsetof({owner}, {field}), {number}}}"
            for owner, field, number in self._fields
        )
        known = ", ".join(f'{{(const void *)&{name}, "{name}"}}' for name in functions)
        words = ", ".join(f'"{word}"' for word in self.words)
        return f"""
static const struct dk_type dk_types[] = {{{types or "{0}"}}};
static const struct dk_field dk_fields[] = {{{fields or "{0}"}}};
static const struct dk_function dk_functions[] = {{{known or "{0}"}}};
static const char *const dk_words[] = {{{words or '""'}}};
extern const char __ehdr_start[] DK_HIDDEN, _end[] DK_HIDDEN;
struct dk_tables dk_tables(void) {{
  return (struct dk_tables){{
    dk_types, dk_fields, dk_functions, {len(functions)}, dk_words, {max(len(self.words), 1)},
    __ehdr_start, _end
  }};
}}
"""


def _word(node: Any) -> str:
    return "union" if isinstance(node, c_ast.Union) else "struct"


_STRUCTS = (c_ast.Struct, c_ast.Union)


def _inside(node: Any, kinds: Any) -> list[Any]:
    """Return the node of these kinds inside a type, in a list; an empty list if there is none."""
    while node is not None and not isinstance(node, kinds):
        node = getattr(node, "type", None)
    return [node] if node is not None else []


def _is_constant(node: Any, names: set[str]) -> bool:
    """Tell whether a length consists of numbers, sizes and constants with these names."""
    match node:
        case c_ast.ID():
            return node.name in names
        case c_ast.Constant():
            return True
        case c_ast.UnaryOp():
            return bool(node.op == "sizeof") or _is_constant(node.expr, names)
        case c_ast.BinaryOp():
            return _is_constant(node.left, names) and _is_constant(node.right, names)
        case c_ast.Cast():
            return _is_constant(node.expr, names)
    return False
