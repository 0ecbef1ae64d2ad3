"""Translate the expressions of generated Python programs into JavaScript as one would write it by hand.

    Scope({"xs": "ints"}).text("xs[0] + len(xs)") -> "xs[0] + xs.length"

The types of `corpus/expressions.py` decide: `+` of lists is a copy with more elements, and the length of a
dictionary is its number of keys. Where the two languages differ, each program follows its own language: `%`
of a negative number, a missing element, the maximum of no numbers. Only constructs that the generator writes
are translated.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import NamedTuple

from deskcheck.languages.javascript.literals import write
from deskcheck.languages.javascript.spelling import key

INT, STR, BOOL, INTS, WORDS, DICT, ANY = "int", "str", "bool", "ints", "words", "dict", "any"
_RESERVED = frozenset(
    "await break case catch class const continue debugger default delete do else enum eval export extends "
    "false finally for function if implements import in instanceof interface let new null package private "
    "protected public return static super switch this throw true try typeof var void while with yield "
    "arguments undefined".split()
)
# Operator -> precedence; an operator with a greater one binds more closely.
_STRENGTH = {
    "||": 1,
    "&&": 2,
    "===": 3,
    "!==": 3,
    "<": 4,
    ">": 4,
    "<=": 4,
    ">=": 4,
    "+": 5,
    "-": 5,
    "*": 6,
    "%": 6,
}
WHOLE, UNARY, LEAST = 9, 8, 0
"""Precedences of operators, with `_STRENGTH`: an operand in brackets or without an operator has WHOLE."""
_COMPARED: dict[type[ast.cmpop], str] = {
    ast.Eq: "===", ast.NotEq: "!==", ast.Lt: "<", ast.Gt: ">", ast.LtE: "<=", ast.GtE: ">=",
}  # fmt: skip
_JOINED: dict[type[ast.operator], str] = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Mod: "%"}


class Untranslated(Exception):
    """Raised for a construct that is not translated; the message names it."""


class Text(NamedTuple):
    """Text of an expression in the other language, with its type there."""

    text: str
    type: str
    strength: int = WHOLE
    """Precedence of its operator; text with WHOLE never needs brackets."""

    def within(self, strength: int) -> str:
        """Return the text as an operand of an operator of this strength, in brackets if that binds closer."""
        return f"({self.text})" if self.strength < strength else self.text


def name_of(name: str) -> str:
    """Return a variable's name, changed if JavaScript reserves it."""
    return f"{name}_" if name in _RESERVED else name


def type_of(value: object) -> str:
    """Return the type of a literal's value, as the generator names it."""
    if isinstance(value, bool) or value is None:
        return BOOL if value is not None else ANY
    if isinstance(value, list):
        return WORDS if value and isinstance(value[0], str) else INTS
    return {int: INT, str: STR, dict: DICT}.get(type(value), ANY)


def literal(value: object) -> str:
    """Return the literal of a value in JavaScript; a tuple is an array."""
    if isinstance(value, tuple | list):
        return f"[{', '.join(map(literal, value))}]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key(str(name))}: {literal(held)}" for name, held in value.items()) + "}"
    return write(value)


class Scope:
    """Types of the variables that an expression reads."""

    def __init__(self, types: dict[str, str]) -> None:
        self.types = types

    def text(self, source: str) -> str:
        """Translate one expression of Python into JavaScript."""
        return self.of(ast.parse(source, mode="eval").body).text

    def of(self, node: ast.expr) -> Text:
        """Translate a node. Untranslated for constructs that the generator does not write."""
        writer: Callable[[ast.expr], Text] | None = getattr(self, f"_{type(node).__name__.lower()}", None)
        if writer is None:
            raise Untranslated(ast.dump(node))
        return writer(node)

    def is_true(self, node: ast.expr) -> str:
        """Translate a condition; an array counts by its length, because every array is true in JavaScript."""
        given = self.of(node)
        return f"{given.within(WHOLE)}.length > 0" if given.type in (INTS, WORDS) else given.text

    # ------------------------------------------------------------ leaves

    def _constant(self, node: ast.Constant) -> Text:
        return Text(write(node.value), type_of(node.value))

    def _name(self, node: ast.Name) -> Text:
        return Text(name_of(node.id), self.types.get(node.id, ANY))

    def _list(self, node: ast.List) -> Text:
        items = [self.of(item) for item in node.elts]
        kind = WORDS if items and items[0].type == STR else INTS
        return Text(f"[{', '.join(item.text for item in items)}]", kind)

    def _tuple(self, node: ast.Tuple) -> Text:
        return Text(f"[{', '.join(self.of(item).text for item in node.elts)}]", ANY)

    def _dict(self, node: ast.Dict) -> Text:
        rows = []
        for name, value in zip(node.keys, node.values, strict=True):
            is_text = isinstance(name, ast.Constant)
            at = key(str(name.value)) if is_text else f"[{self.of(name).text}]"  # type: ignore[union-attr, arg-type]  # no `**` is written
            rows.append(f"{at}: {self.of(value).text}")
        return Text("{" + ", ".join(rows) + "}", DICT)

    def _joinedstr(self, node: ast.JoinedStr) -> Text:
        parts = [
            "${" + self.of(part.value).text + "}" if isinstance(part, ast.FormattedValue) else str(part.value)  # type: ignore[attr-defined]  # a constant
            for part in node.values
        ]
        return Text(f"`{''.join(parts)}`", STR)

    # ------------------------------------------------------------ operators

    def _binop(self, node: ast.BinOp) -> Text:
        left, right = self.of(node.left), self.of(node.right)
        if isinstance(node.op, ast.FloorDiv):
            return Text(f"Math.floor({left.within(6)} / {right.within(7)})", INT)
        if isinstance(node.op, ast.Mult) and left.type == STR:
            return Text(f"{left.within(WHOLE)}.repeat({right.text})", STR)
        if isinstance(node.op, ast.Add) and left.type in (INTS, WORDS):
            inside = right.text[1:-1] if isinstance(node.right, ast.List) else f"...{right.text}"
            return Text(f"[...{left.text}, {inside}]", left.type)
        sign = _JOINED[type(node.op)]
        strength = _STRENGTH[sign]
        kind = STR if left.type == STR else INT
        return Text(f"{left.within(strength)} {sign} {right.within(strength + 1)}", kind, strength)

    def _unaryop(self, node: ast.UnaryOp) -> Text:
        inner = self.of(node.operand)
        if isinstance(node.op, ast.Not):
            return Text(f"!{inner.within(UNARY)}", BOOL, UNARY)
        return Text(f"-{inner.within(WHOLE)}", INT, UNARY)

    def _boolop(self, node: ast.BoolOp) -> Text:
        sign = "&&" if isinstance(node.op, ast.And) else "||"
        return Text(
            f" {sign} ".join(self.of(part).within(_STRENGTH[sign] + 1) for part in node.values),
            BOOL,
            _STRENGTH[sign],
        )

    def _compare(self, node: ast.Compare) -> Text:
        left, right = self.of(node.left), self.of(node.comparators[0])
        if isinstance(node.ops[0], ast.In):
            return Text(f"{right.within(WHOLE)}.includes({left.text})", BOOL)
        sign = _COMPARED[type(node.ops[0])]
        strength = _STRENGTH[sign]
        return Text(f"{left.within(strength + 1)} {sign} {right.within(strength + 1)}", BOOL, strength)

    def _subscript(self, node: ast.Subscript) -> Text:
        value = self.of(node.value)
        held = value.within(WHOLE)
        if isinstance(node.slice, ast.Slice):
            return self._slice(held, value.type, node.slice)
        inner = {WORDS: STR, STR: STR}.get(value.type, INT)
        if isinstance(node.slice, ast.UnaryOp):
            return Text(f"{held}.at({self.of(node.slice).text})", inner)
        return Text(f"{held}[{self.of(node.slice).text}]", inner)

    def _slice(self, held: str, kind: str, part: ast.Slice) -> Text:
        if part.step is not None:
            turned = f"[...{held}].reverse()"
            return Text(f"{turned}.join('')" if kind == STR else turned, kind)
        if part.upper is not None:
            return Text(f"{held}.slice(0, {self.of(part.upper).text})", kind)
        return Text(f"{held}.slice({self.of(part.lower).text if part.lower else ''})", kind)

    def _listcomp(self, node: ast.ListComp) -> Text:
        loop = node.generators[0]
        assert isinstance(loop.target, ast.Name)
        inner = Scope({**self.types, loop.target.id: INT}).of(node.elt)
        return Text(
            f"{self.of(loop.iter).within(WHOLE)}.map(({name_of(loop.target.id)}) => {inner.text})", INTS
        )

    # ------------------------------------------------------------ calls

    def _call(self, node: ast.Call) -> Text:
        if isinstance(node.func, ast.Attribute):
            return self._method(node.func, node.args)
        assert isinstance(node.func, ast.Name)
        name = node.func.id
        if name == "list" and isinstance(node.args[0], ast.Call):  # list(range(n))
            bound = self.of(node.args[0].args[0]).text
            return Text(f"Array.from({{length: {bound}}}, (_, at) => at)", INTS)
        given = [self.of(argument) for argument in node.args]
        texts = ", ".join(one.text for one in given)
        first = given[0].within(WHOLE)
        match name:
            case "len":
                return Text(
                    f"Object.keys({texts}).length" if given[0].type == DICT else f"{first}.length", INT
                )
            case "sum":
                return Text(f"{first}.reduce((a, b) => a + b, 0)", INT)
            case "max" | "min":
                return Text(f"Math.{name}({'...' if given[0].type == INTS else ''}{texts})", INT)
            case "abs":
                return Text(f"Math.abs({texts})", INT)
            case "str":
                return Text(f"String({texts})", STR)
            case "list":
                return Text(f"[...{texts}]", WORDS)
            case "sorted":
                by = "(a, b) => a - b" if given[0].type == INTS else ""
                return Text(f"[...{texts}].sort({by})", WORDS if given[0].type == STR else given[0].type)
        return Text(f"{name_of(name)}({texts})", INT)

    def _method(self, function: ast.Attribute, arguments: list[ast.expr]) -> Text:
        owner = self.of(function.value)
        held = owner.within(WHOLE)
        given = [self.of(argument) for argument in arguments]
        first = given[0].text if given else ""
        match function.attr:
            case "count" if owner.type == STR:
                return Text(f"{held}.split({first}).length - 1", INT, 5)
            case "count":
                return Text(f"{held}.filter((item) => item === {first}).length", INT)
            case "join":
                parts = f"[...{first}]" if given[0].type == STR else given[0].within(WHOLE)
                return Text(f"{parts}.join({held})", STR)
            case "get":
                return Text(f"{held}[{first}] ?? {given[1].text}", INT, LEAST)
            case "title":
                word = "(word) => word[0].toUpperCase() + word.slice(1).toLowerCase()"
                return Text(f"{held}.replace(/[A-Za-z]+/g, {word})", STR)
            case "swapcase":
                turned = "(c) => (c === c.toLowerCase() ? c.toUpperCase() : c.toLowerCase())"
                return Text(f"[...{held}].map({turned}).join('')", STR)
            case "isdigit":
                return Text(f"/^[0-9]+$/.test({held})", BOOL)
            case "isupper":
                return Text(f"{held} === {held}.toUpperCase() && {held} !== {held}.toLowerCase()", BOOL, 2)
            case "copy":
                return Text(f"[...{held}]", owner.type)
            case "pop" if owner.type in (INTS, WORDS):
                return Text(f"{held}.{'shift' if given else 'pop'}()", INT)
        plain = _METHODS.get(function.attr)
        if plain is None:
            raise Untranslated(function.attr)
        texts = ", ".join(one.text for one in given)
        return Text(f"{held}.{plain[0]}({texts})", plain[1])


_METHODS = {
    "find": ("indexOf", INT), "upper": ("toUpperCase", STR), "lower": ("toLowerCase", STR),
    "replace": ("replaceAll", STR), "strip": ("trim", STR), "startswith": ("startsWith", BOOL),
    "split": ("split", WORDS),
}  # fmt: skip
"""Methods that differ in name only -> name and type of the result."""
