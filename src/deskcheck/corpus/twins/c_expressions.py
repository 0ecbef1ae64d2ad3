"""Translate the expressions of generated Python programs into C as one would write it by hand.

    Scope({"xs": INTS}, {}, set()).of(node of "xs[-1]") -> Text("xs[n_xs - 1]", INT)

A list is an array with its length in `n_NAME`, a string a pointer to char, a dictionary with plain keys a
structure. `//` and `%` become `/` and `%`, which C rounds towards zero. An operation that needs a loop in C
is a helper function if it has a name in Python (sum, max, count), else the program is not translated.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import NoReturn

from deskcheck.corpus.twins.expressions import UNARY, Text, Untranslated
from deskcheck.languages.c.literals import write

INT, STR, CHAR, INTS, WORDS, DICT = "long", "const char *", "char", "long[]", "const char *[]", "struct"
# Operator -> precedence; an operator with a greater one binds more closely.
_STRENGTH = {
    "||": 1,
    "&&": 2,
    "==": 3,
    "!=": 3,
    "<": 4,
    ">": 4,
    "<=": 4,
    ">=": 4,
    "+": 5,
    "-": 5,
    "*": 6,
    "/": 6,
    "%": 6,
}
_COMPARED: dict[type[ast.cmpop], str] = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.Gt: ">", ast.LtE: "<=", ast.GtE: ">=",
}  # fmt: skip
_JOINED: dict[type[ast.operator], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Mod: "%", ast.FloorDiv: "/",
}  # fmt: skip
_RESERVED = frozenset(
    "auto bool break case char const continue default do double else enum extern false float for goto if "
    "inline int long main register restrict return short signed sizeof static struct switch true typedef "
    "union unsigned void volatile while abs labs free malloc exit abort puts printf strlen strcmp strcat "
    "strcpy strchr strspn".split()
)
HELPERS = {
    "sum_of": (
        "long sum_of(const long *items, long n) {",
        "  long total = 0;",
        "  for (long i = 0; i < n; i++) {",
        "    total += items[i];",
        "  }",
        "  return total;",
        "}",
    ),
    "count_of": (
        "long count_of(const long *items, long n, long wanted) {",
        "  long total = 0;",
        "  for (long i = 0; i < n; i++) {",
        "    if (items[i] == wanted) {",
        "      total++;",
        "    }",
        "  }",
        "  return total;",
        "}",
    ),
    **{
        name: (
            f"long {name}(const long *items, long n) {{",
            "  long best = items[0];",
            "  for (long i = 1; i < n; i++) {",
            f"    if (items[i] {sign} best) {{",
            "      best = items[i];",
            "    }",
            "  }",
            "  return best;",
            "}",
        )
        for name, sign in (("max_of", ">"), ("min_of", "<"))
    },
}
"""Name of a helper function -> its lines, which stand in a translated program that uses it."""


def name_of(name: str) -> str:
    """Return a variable's name, changed if C or its library has it."""
    return f"{name}_" if name in _RESERVED else name


class Scope:
    """Types of the variables that an expression reads, and the helper functions that were used."""

    def __init__(self, types: dict[str, str], fields: dict[str, list[str]], helpers: set[str]) -> None:
        self.types = types
        self.fields = fields
        """Names of the fields of each variable that is a structure."""
        self.helpers = helpers

    def of(self, node: ast.expr) -> Text:
        """Translate a node. Untranslated for an expression without a short form in C."""
        writer: Callable[[ast.expr], Text] | None = getattr(self, f"_{type(node).__name__.lower()}", None)
        if writer is None:
            raise Untranslated(ast.dump(node))
        return writer(node)

    def number(self, node: ast.expr) -> Text:
        """Translate a node that is a number."""
        text = self.of(node)
        if text.type != INT:
            raise Untranslated(f"no number: {ast.dump(node)}")
        return text

    def is_true(self, node: ast.expr) -> str:
        """Translate a condition: a list is true by its length, a string by its first character."""
        if isinstance(node, ast.Name) and (kind := self.types.get(node.id)) in (INTS, WORDS, STR):
            return f"{name_of(node.id)}[0] != '\\0'" if kind == STR else f"n_{node.id} > 0"
        text = self.of(node)
        return text.text if text.type == INT else _refused(node)

    # ------------------------------------------------------------ parts

    def _constant(self, node: ast.Constant) -> Text:
        if isinstance(node.value, bool) or not isinstance(node.value, int | str):
            raise Untranslated(ast.dump(node))
        return Text(write(node.value), INT if isinstance(node.value, int) else STR)

    def _name(self, node: ast.Name) -> Text:
        if node.id not in self.types:
            raise Untranslated(f"{node.id} is not known here")
        return Text(name_of(node.id), self.types[node.id])

    def _unaryop(self, node: ast.UnaryOp) -> Text:
        if isinstance(node.op, ast.Not):
            if isinstance(node.operand, ast.Name) and self.types.get(node.operand.id) == STR:
                return Text(f"{name_of(node.operand.id)}[0] == '\\0'", INT, 3)
            return Text(f"!({self.is_true(node.operand)})", INT, UNARY)
        if isinstance(node.op, ast.USub):
            return Text(f"-{self.number(node.operand).within(UNARY)}", INT, UNARY)
        raise Untranslated(ast.dump(node))

    def _binop(self, node: ast.BinOp) -> Text:
        sign = _JOINED.get(type(node.op)) or _refused(node)
        left, right = self.number(node.left), self.number(node.right)
        strength = _STRENGTH[sign]
        return Text(f"{left.within(strength)} {sign} {right.within(strength + 1)}", INT, strength)

    def _boolop(self, node: ast.BoolOp) -> Text:
        sign = "&&" if isinstance(node.op, ast.And) else "||"
        parts = [self.of(part).within(_STRENGTH[sign] + 1) for part in node.values]
        return Text(f" {sign} ".join(parts), INT, _STRENGTH[sign])

    def _compare(self, node: ast.Compare) -> Text:
        left, op, right = node.left, node.ops[0], node.comparators[0]
        if isinstance(op, ast.In | ast.NotIn):
            return self._in(left, right, "==" if isinstance(op, ast.NotIn) else "!=")
        a, b, sign = self.of(left), self.of(right), _COMPARED[type(op)]
        if a.type == b.type == STR:
            return Text(f"strcmp({a.text}, {b.text}) {sign} 0", INT, _STRENGTH[sign])
        if a.type == CHAR and isinstance(right, ast.Constant) and len(str(right.value)) == 1:
            return Text(f"{a.text} {sign} {_char(right)}", INT, _STRENGTH[sign])
        if a.type != INT or b.type != INT:
            raise Untranslated(ast.dump(node))
        return Text(
            f"{a.within(_STRENGTH[sign] + 1)} {sign} {b.within(_STRENGTH[sign] + 1)}", INT, _STRENGTH[sign]
        )

    def _in(self, item: ast.expr, held: ast.expr, sign: str) -> Text:
        within = self.of(held)
        if within.type == STR and isinstance(item, ast.Constant):
            return Text(f"strchr({within.text}, {_char(item)}) {sign} NULL", INT, 3)
        if within.type == INTS and isinstance(held, ast.Name):
            return Text(f"{self._helped('count_of', held, self.number(item).text)} {sign} 0", INT, 3)
        raise Untranslated(ast.dump(held))

    def _subscript(self, node: ast.Subscript) -> Text:
        held = self.of(node.value)
        if held.type == DICT and isinstance(node.slice, ast.Constant):
            return Text(f"{held.text}.{self.field(node.value, node.slice.value)}", INT)
        if (
            held.type not in (INTS, WORDS)
            or not isinstance(node.value, ast.Name)
            or isinstance(node.slice, ast.Slice)
        ):
            raise Untranslated(ast.dump(node))
        inside = INT if held.type == INTS else STR
        if isinstance(node.slice, ast.UnaryOp):  # the last one
            return Text(f"{held.text}[n_{node.value.id} - 1]", inside)
        return Text(f"{held.text}[{self.number(node.slice).text}]", inside)

    def field(self, held: ast.expr, key: object) -> str:
        """Return the field of a structure for a key. Untranslated if it has none."""
        if not isinstance(held, ast.Name) or key not in self.fields.get(held.id, ()):
            raise Untranslated(f"no field {key}")
        return str(key)

    # ------------------------------------------------------------ calls

    def _helped(self, helper: str, of: ast.Name, *more: str) -> str:
        self.helpers.add(helper)
        return f"{helper}({', '.join([name_of(of.id), f'n_{of.id}', *more])})"

    def _call(self, node: ast.Call) -> Text:
        if isinstance(node.func, ast.Attribute):
            return self._method(node.func, node.args)
        assert isinstance(node.func, ast.Name)
        name, first = node.func.id, node.args[0]
        if name in ("len", "sum", "max", "min") and len(node.args) == 1 and isinstance(first, ast.Name):
            kind = self.of(first).type
            if name == "len":
                if kind == DICT:
                    return Text(str(len(self.fields[first.id])), INT)
                return (
                    Text(f"n_{first.id}", INT)
                    if kind != STR
                    else Text(f"(long)strlen({name_of(first.id)})", INT, UNARY)
                )
            return Text(self._helped(f"{name}_of", first), INT) if kind == INTS else _refused(node)
        given = [self.number(argument) for argument in node.args]
        if name == "abs":
            return Text(f"labs({given[0].text})", INT)
        if name in ("max", "min") and len(given) == 2:
            a, b = (part.within(5) for part in given)
            return Text(f"({a} {'>' if name == 'max' else '<'} {b} ? {given[0].text} : {given[1].text})", INT)
        if name in ("len", "sum", "max", "min", "str", "list", "sorted"):
            raise Untranslated(name)
        return Text(f"{name_of(name)}({', '.join(part.text for part in given)})", INT)

    def _method(self, function: ast.Attribute, arguments: list[ast.expr]) -> Text:
        owner = self.of(function.value)
        held, name = function.value, function.attr
        if not isinstance(held, ast.Name):
            raise Untranslated(name)
        if owner.type == STR and name == "startswith":
            return Text(f"{owner.text}[0] == {_char(arguments[0])}", INT, 3)
        if owner.type == STR and name == "isdigit":
            digits = f'strspn({owner.text}, "0123456789")'
            return Text(f"{digits} > 0 && {digits} == strlen({owner.text})", INT, 2)
        if owner.type == STR and name == "find":
            at = f"strchr({owner.text}, {_char(arguments[0])})"
            return Text(f"({at} != NULL ? {at} - {owner.text} : -1)", INT)
        if owner.type == INTS and name == "count":
            return Text(self._helped("count_of", held, self.number(arguments[0]).text), INT)
        if owner.type == INTS and name == "pop" and not arguments:
            return Text(f"{owner.text}[--n_{held.id}]", INT)
        if owner.type == DICT and name == "get" and isinstance(arguments[0], ast.Constant):
            key = arguments[0].value
            return (
                Text(f"{owner.text}.{key}", INT) if key in self.fields[held.id] else self.number(arguments[1])
            )
        raise Untranslated(name)

    # ------------------------------------------------------------ strings that are put together

    def form(self, node: ast.expr) -> tuple[str, list[str]]:
        """Return the format of printf that makes a string, and the expressions for its fields.

        Untranslated for an expression that is no such string.
        """
        match node:
            case ast.Constant(value=str(text)):
                return text.replace("%", "%%"), []
            case ast.Name() if self.types.get(node.id) in (STR, CHAR):
                return "%s" if self.types[node.id] == STR else "%c", [name_of(node.id)]
            case ast.BinOp(left=left, op=ast.Add(), right=right):
                (a, first), (b, second) = self.form(left), self.form(right)
                return a + b, first + second
            case ast.BinOp(left=left, op=ast.Mult(), right=ast.Constant(value=int(times))):
                form, parts = self.form(left)
                return form * times, parts * times
            case ast.JoinedStr():
                rows = [self.form(part) for part in node.values]
                return "".join(form for form, _ in rows), [part for _, parts in rows for part in parts]
            case ast.FormattedValue(value=value):
                return self.form(value)
            case ast.Call(func=ast.Name(id="str")):
                return "%ld", [self.number(node.args[0]).text]
            case ast.Subscript(
                value=ast.Name(id=name), slice=ast.Slice(lower=None, upper=ast.Constant(value=int(n)))
            ):
                return (f"%.{n}s", [name_of(name)]) if self.types.get(name) == STR else _refused(node)
        raise Untranslated(ast.dump(node))


def _char(node: ast.expr) -> str:
    """Return the literal of a char for a string of one letter."""
    if not isinstance(node, ast.Constant) or len(str(node.value)) != 1:
        raise Untranslated(ast.dump(node))
    letter = str(node.value)
    return f"'{letter}'" if letter not in ("'", "\\") else f"'\\{letter}'"


def _refused(node: ast.expr) -> NoReturn:
    raise Untranslated(ast.dump(node))
