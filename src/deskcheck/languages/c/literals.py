"""Read, write and compare literals of C: the text of an answer as a value, and a value as its text.

    read("{1, 'a', {.x = 2.5}}", most=100) -> [1, Char(97), {"x": 2.5}]
    read("(long[]){1, 2}", most=100)       -> [1, 2]
    write({"x": [1, None]})                -> "{.x = {1, NULL}}"

An initializer is a list, or a dict if it names fields. The forms in which states write values, `[1, 2]`,
`{x: 1}` and b'ab', are read too. Nothing is executed. Policies by which `same` compares:

strict     exact: 1 is neither 1.0 nor true nor '\\1', and 0.0 is not -0.0
published  by ==: a char, a truth value and a number are compared as numbers
lenient    as published, within the tolerance; NULL is 0
"""

from __future__ import annotations

import ast
import math
import re

from msgspec import Struct

from deskcheck.errors import BadSource
from deskcheck.languages._cursor import Cursor
from deskcheck.languages.c.spelling import char_text, number_text, string_text

_SPACE = re.compile(r"(?:\s+|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_NUMBER = re.compile(
    r"[+-]?\s*(?:0[xX][\da-fA-F]+|0[bB][01]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)(?:[uUlL]{1,3}|[fF])?(?![\w.])"
)
STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"')
QUOTED = re.compile(r"'(?:[^'\\\n]|\\.)*'")
_BYTES = re.compile(r"b(?:'(?:[^'\\\n]|\\.)*'|\"(?:[^\"\\\n]|\\.)*\")", re.ASCII)
NAME = re.compile(r"[A-Za-z_]\w*")
_CAST = re.compile(r"\(\s*(?:const\s+)?(?:struct\s+)?[A-Za-z_][\w ]*\**\s*(?:\[\s*\d*\s*\]\s*)*\)(?=\s*\{)")
_FIELD = re.compile(r"\.?\s*([A-Za-z_]\w*|\d+|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*')\s*(?:=(?!=)|:)\s*")
"""Name of an entry: a field, or a number or text in a table that a question asks for: `{7: 3, "3.x": 1}`."""
_ESCAPE = re.compile(r"\\(?:([0-7]{1,3})|x([\da-fA-F]+)|u([\da-fA-F]{4})|(.))", re.DOTALL)
_LETTERS = {"n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f", "v": "\v", "a": "\a"}
_WORDS = {
    "NULL": None, "nullptr": None, "void": None, "true": True, "false": False,
    "NAN": math.nan, "INFINITY": math.inf, "nan": math.nan, "inf": math.inf,
}  # fmt: skip


class Char(Struct, frozen=True):
    """A character constant, by its code from -128 to 127; `strict` tells it from the number of that code."""

    code: int


class Reader(Cursor):
    """A recursive-descent reader of one text."""

    SPACE = _SPACE

    def match(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """Go past space and a text of this form, and return its match; None if another text stands here."""
        self.space()
        return super().match(pattern)

    def value(self, depth: int) -> object:
        """Read one value, nested in `depth` others. BadSource if none stands here."""
        self.check_depth(depth)
        self.match(_CAST)
        for opening, closing in ("{}", "[]"):
            if self.take(opening):
                return self.list(closing, depth)
        if self.take("("):
            inside = self.value(depth + 1)
            self.need(")")
            return inside
        if match := self.match(_BYTES):
            return _text_of(ast.literal_eval(match[0]))
        if match := self.match(STRING):
            text = match[0]
            while (more := self.match(STRING)) is not None:
                text = text[:-1] + more[0][1:]
            return unescaped(text)
        if match := self.match(QUOTED):
            text = unescaped(match[0])
            return Char((ord(text) + 128) % 256 - 128) if len(text) == 1 and ord(text) < 256 else text
        if match := self.match(_NUMBER):
            return _number(match[0])
        sign = self.take("-")
        match = self.match(NAME)
        if match is None or match[0] not in _WORDS:
            self.at = match.start() if match else self.at
            self.fail("a value expected")
        value = _WORDS[match[0]]
        return -value if sign and isinstance(value, float) else value

    def list(self, closing: str, depth: int) -> object:
        """Read the members of an initializer up to its closing mark: a list, or a dict if they have names."""
        items: list[object] = []
        fields: dict[str, object] = {}
        while not self.take(closing):
            if field := self.match(_FIELD):
                name = unescaped(field[1]) if field[1][0] in "\"'" else field[1]
                fields[name] = self.value(depth + 1)
            else:
                items.append(self.value(depth + 1))
            if not self.take(","):
                self.need(closing)
                break
        if items and fields:
            self.fail("values with and without names")
        return fields or items


def _text_of(data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:  # then each byte becomes the character with its number, as in the literal
        return data.decode("latin-1")


def _number(written: str) -> int | float:
    text = re.sub(r"\s", "", written)
    sign = -1 if text[0] == "-" else 1
    bare = text.lstrip("+-")
    if bare[:2].lower() in ("0x", "0b"):
        return sign * int(bare.rstrip("uUlL"), 0)
    bare = bare.rstrip("uUlLfF")
    if bare.isdigit():
        return sign * (int(bare, 8) if re.fullmatch(r"0[0-7]+", bare) else int(bare))
    return sign * float(bare)


def unescaped(quoted: str) -> str:
    """Return the text between quotes with the characters that its escapes stand for."""

    def replaced(match: re.Match[str]) -> str:
        octal, hexadecimal, wide, letter = match.groups()
        code = (
            int(octal, 8) if octal else int(hexadecimal, 16) if hexadecimal else int(wide, 16) if wide else -1
        )
        return chr(code & 0xFFFF) if code >= 0 else _LETTERS.get(letter, letter)

    return _ESCAPE.sub(replaced, quoted[1:-1])


def read(text: str, *, most: int) -> object:
    """Read the text of one literal, of at most `most` characters. BadSource says why a text is no literal."""
    if len(text) > most:
        raise BadSource(f"not a literal: {len(text):,} characters, the limit is {most:,}")
    if not text.strip():
        raise BadSource("not a literal: the text is empty")
    reader = Reader(text)
    try:
        value = reader.value(0)
    except (ValueError, OverflowError, SyntaxError) as error:
        raise BadSource(f"not a literal: {error}") from None
    reader.take(";")
    reader.space()
    if reader.at != len(text):
        reader.fail("the end expected")
    return value


def plain(text: str) -> object:
    """Return the value of a literal of at most a million characters. ValueError for any other text."""
    try:
        return read(text, most=1_000_000)
    except BadSource as error:
        raise ValueError(str(error)) from None


def write(value: object) -> str:
    """Return the literal of a value that `read` makes."""
    if value is None:
        return "NULL"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return number_text(value)
    if isinstance(value, str):
        return string_text(value)
    if isinstance(value, Char):
        return char_text(value.code)
    if isinstance(value, list | tuple):
        return "{" + ", ".join(map(write, value)) + "}"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_named(str(name))} {write(held)}" for name, held in value.items()) + "}"
    return str(value)


def _named(name: str) -> str:
    """Write the name before a value: `.x =` for a field, `7:` in a table."""
    return f".{name} =" if NAME.fullmatch(name) else f"{name if name.isdecimal() else string_text(name)}:"


def type_name(value: object) -> str:
    """Return what C calls the type of a literal."""
    for kind, name in (
        (bool, "bool"),
        (int, "long"),
        (float, "double"),
        (Char, "char"),
        (str, "char *"),
        (list, "array"),
    ):
        if isinstance(value, kind):
            return name
    return "struct" if isinstance(value, dict) else "pointer"


def same(a: object, b: object, *, policy: str, tolerance: float) -> bool:
    """Tell whether two values are one answer under a policy."""
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(
            same(x, y, policy=policy, tolerance=tolerance) for x, y in zip(a, b, strict=True)
        )
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(
            same(a[name], b[name], policy=policy, tolerance=tolerance) for name in a
        )
    if policy == "strict" or not (_is_number(a, policy) and _is_number(b, policy)):
        return _exactly(a, b)
    x, y = _as_number(a), _as_number(b)
    both_nan = isinstance(x, float) and isinstance(y, float) and math.isnan(x) and math.isnan(y)
    return both_nan or x == y or (tolerance > 0 and math.isclose(x, y, rel_tol=tolerance, abs_tol=tolerance))


def _is_number(value: object, policy: str) -> bool:
    return isinstance(value, bool | int | float | Char) or (value is None and policy == "lenient")


def _as_number(value: object) -> int | float:
    return value.code if isinstance(value, Char) else value if isinstance(value, bool | int | float) else 0


def _exactly(a: object, b: object) -> bool:
    if isinstance(a, float) and isinstance(b, float):
        if math.isnan(a) or math.isnan(b):
            return math.isnan(a) and math.isnan(b)
        return a == b and math.copysign(1.0, a) == math.copysign(1.0, b)
    return type(a) is type(b) and a == b
