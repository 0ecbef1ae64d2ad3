"""Read and write literals of JavaScript: the text of an answer as a value, and a value as its text.

    read("{a: [1, -0], 'b c': undefined}", most=100) -> {"a": [1, -0.0], "b c": UNDEFINED}
    read("new Map([[1, 'x']])", most=100)            -> Map([(1, "x")])
    write({"a": 1, "b c": None})                     -> "{a: 1, 'b c': null}"

It reads literals of every kind, JSON, `new Map(..)`, `new Set(..)`, `new Date(..)`, `new RegExp(..)`, and the
form in which `console.log` of node writes a Map or a Set: `Map(1) {'a' => 1}`. Calls, names and operators
other than a sign are refused. Nothing is executed. Reading takes time in proportion to the text.
"""

from __future__ import annotations

import datetime
import math
import re

from deskcheck.errors import BadSource
from deskcheck.languages._cursor import Cursor
from deskcheck.languages.javascript.spelling import array_text, key, number_text, string_text
from deskcheck.languages.javascript.values import HOLE, UNDEFINED, BigInt, Date, Map, RegExp, Set, number

_SPACE = re.compile(r"(?:[\s\ufeff]+|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_STRING = re.compile(r"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\$]|\\.|\$(?!\{))*`", re.DOTALL)
_NUMBER = re.compile(
    r"0[xX][\da-fA-F_]+n?|0[oO][0-7_]+n?|0[bB][01_]+n?|(?:\d[\d_]*n|(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][+-]?\d+)?)"
)
_NAME = re.compile(r"[^\W\d][\w$]*|[$_][\w$]*")
_REGEXP = re.compile(r"/((?:[^/\\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)/([a-z]*)")
_ESCAPE = re.compile(
    r"\\(?:u\{([\da-fA-F]{1,6})\}|u([\da-fA-F]{4})|x([\da-fA-F]{2})|(0)(?!\d)|(\r\n|.))", re.DOTALL
)
_LETTERS = {"n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f", "v": "\v", "\n": "", "\r\n": "", "\r": ""}
_WORDS = {
    "undefined": UNDEFINED, "null": None, "true": True, "false": False, "NaN": math.nan, "Infinity": math.inf,
}  # fmt: skip
_PAIRS = re.compile("[\ud800-\udbff][\udc00-\udfff]")


class _Reader(Cursor):
    """A recursive-descent reader of one text."""

    SPACE = _SPACE

    def value(self, depth: int) -> object:
        self.check_depth(depth)
        self.space()
        character = self.text[self.at : self.at + 1]
        if character == "[":
            self.at += 1
            return self.array("]", depth)
        if character == "{":
            self.at += 1
            return self.braces(depth)
        if character == "(":
            self.at += 1
            inside = self.value(depth + 1)
            self.need(")")
            return inside
        if character and character in "\"'`":
            return self.string()
        if character and character in "+-":
            return self.signed(character)
        if character == "/" and (match := self.match(_REGEXP)):
            return RegExp(match[1], match[2])
        if match := self.match(_NUMBER):
            return self.number(match[0])
        return self.named(depth)

    def string(self) -> str:
        match = self.match(_STRING)
        if match is None:
            self.fail("a text without an end")
        return string_of(match[0])

    def signed(self, sign: str) -> object:
        self.at += 1
        self.space()
        if match := self.match(_NUMBER):
            value = self.number(match[0])
        elif self.take("Infinity"):
            value = math.inf
        elif self.take("NaN"):
            return math.nan
        else:
            self.fail("a number expected")
        if isinstance(value, BigInt):
            return BigInt(-value.value) if sign == "-" else self.fail("a sign that a bigint has not")
        return number(-float(value) if sign == "-" else value)

    def number(self, written: str) -> int | float | BigInt:
        after = self.text[self.at : self.at + 1]
        text = written.replace("_", "")
        if after.isalnum() or after in ("_", "$") or "__" in written or written.endswith("_"):
            self.fail("no number")
        if len(text) > 1 and text[0] == "0" and text[1].isdigit():
            self.fail("a number that begins with 0")
        try:
            if text.endswith("n") and text[:2].lower() != "0x":
                return BigInt(int(text[:-1], 0))
            if text[:2].lower() in ("0x", "0o", "0b"):
                return BigInt(int(text[:-1], 0)) if text.endswith("n") else number(int(text, 0))
            return number(float(text))
        except ValueError:
            self.fail("no number")

    def array(self, closing: str, depth: int) -> list[object]:
        items: list[object] = []
        while not self.take(closing):
            if self.take(","):
                items.append(HOLE)
                continue
            if match := re.compile(r"<(\d{1,6}) empty items?>").match(self.text, self.at):
                self.at = match.end()
                items += [HOLE] * int(match[1])
            else:
                items.append(self.value(depth + 1))
            if not self.take(","):
                self.need(closing)
                break
        return items

    def braces(self, depth: int) -> dict[str, object]:
        table: dict[str, object] = {}
        while not self.take("}"):
            key = self.key(depth)
            self.need(":")
            value = self.value(depth + 1)
            table[key] = value
            if not self.take(","):
                self.need("}")
                break
        return table

    def key(self, depth: int) -> str:
        self.space()
        if self.text[self.at : self.at + 1] in ('"', "'"):
            return self.string()
        if self.take("["):
            inside = self.value(depth + 1)
            self.need("]")
            return inside if isinstance(inside, str) else write(inside)
        if match := self.match(_NUMBER):
            value = self.number(match[0])
            return str(value.value) if isinstance(value, BigInt) else write(value)
        if match := self.match(_NAME):
            return match[0]
        self.fail("the name of a property expected")

    def named(self, depth: int) -> object:
        match = self.match(_NAME)
        if match is None:
            self.fail("a value expected")
        name = match[0]
        if name == "new":
            self.space()
            made = self.match(_NAME)
            return self.built(made[0] if made else "", depth)
        if name in _WORDS:
            return _WORDS[name]
        if name in ("Map", "Set") and self.text[self.at : self.at + 1] == "(":
            return self.shown(name, depth)
        self.at = match.start()
        self.fail(f"the name {name[:20]}, which is no value")

    def built(self, name: str, depth: int) -> object:
        """Read the arguments of `new Map(..)`, Set, Date or RegExp, and return the object."""
        if name not in ("Map", "Set", "Date", "RegExp"):
            self.fail("new Map, Set, Date or RegExp expected")
        arguments = self.array(")", depth) if self.take("(") else []
        only = arguments[0] if arguments else None
        if name == "Set":
            members = list(only) if isinstance(only, str) else only if isinstance(only, list) else []
            return Set(_distinct(members))
        if name == "Map":
            pairs = only if isinstance(only, list) else []
            if not all(isinstance(pair, list) and len(pair) == 2 for pair in pairs):
                self.fail("pairs expected")
            return _map([(pair[0], pair[1]) for pair in pairs])
        if name == "RegExp":
            texts = [text for text in arguments if isinstance(text, str)]
            return RegExp(texts[0] if texts else "(?:)", texts[1] if len(texts) > 1 else "")
        if len(arguments) != 1 or not isinstance(only, int | float | str) or isinstance(only, bool):
            self.fail("a Date needs a time")
        return Date(_time(only) if isinstance(only, str) else float(only))

    def shown(self, name: str, depth: int) -> object:
        """Read a Map or a Set as node prints it: Map(1) {'a' => 1}, Set(2) {1, 2}; the size may be wrong."""
        if not self.match(re.compile(r"\(\d+\)")):
            self.fail(f"{name} without its size")
        self.need("{")
        keys: list[object] = []
        values: list[object] = []
        while not self.take("}"):
            keys.append(self.value(depth + 1))
            if name == "Map":
                self.need("=>")
                values.append(self.value(depth + 1))
            if not self.take(","):
                self.need("}")
                break
        return Set(_distinct(keys)) if name == "Set" else _map(list(zip(keys, values, strict=True)))


def string_of(literal: str) -> str:
    """Return the value of a string literal; escapes of UTF-16 pairs make one character."""
    value = _ESCAPE.sub(_unescaped, literal[1:-1])
    return _PAIRS.sub(lambda pair: pair[0].encode("utf-16", "surrogatepass").decode("utf-16"), value)


def _unescaped(match: re.Match[str]) -> str:
    code = match[1] or match[2] or match[3]
    if code:
        if int(code, 16) > 0x10FFFF:
            raise BadSource(f"not a literal: no character has the number {code}")
        return chr(int(code, 16))
    return "\0" if match[4] else _LETTERS.get(match[5], match[5])


def _time(text: str) -> float:
    try:
        moment = datetime.datetime.fromisoformat(text)
    except ValueError:
        return math.nan
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=datetime.UTC)
    return float(round(moment.timestamp() * 1000))


def _key_of(value: object) -> object:
    """Return a key for Python's dict, equal for values that a Map treats as the same key.

    Objects are the same key only if they are the same object.
    """
    if isinstance(value, list | dict | Map | Set | Date | RegExp):
        return id(value)
    if isinstance(value, float) and math.isnan(value):
        return "NaN"
    return (type(value).__name__ if not isinstance(value, float) else "int", value)


def _distinct(members: list[object]) -> list[object]:
    members = [UNDEFINED if member is HOLE else member for member in members]
    return list({_key_of(member): member for member in reversed(members)}.values())[::-1]


def _map(pairs: list[tuple[object, object]]) -> Map:
    return Map(list({_key_of(key): (key, value) for key, value in pairs}.values()))


def read(text: str, *, most: int) -> object:
    """Read the text of one literal, of at most `most` characters. BadSource says why a text is no literal."""
    if len(text) > most:
        raise BadSource(f"not a literal: {len(text):,} characters, the limit is {most:,}")
    if not text.strip():
        raise BadSource("not a literal: the text is empty")
    reader = _Reader(text)
    value = reader.value(0)
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
    """Return the literal of a value that `read` makes; a tuple becomes an array."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None:
        return "null"
    if isinstance(value, int | float):
        return str(value) if isinstance(value, int) else number_text(value)
    if isinstance(value, str):
        return string_text(value)
    if isinstance(value, list | tuple):
        return array_text(["" if item is HOLE else write(item) for item in value])
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key(str(name))}: {write(item)}" for name, item in value.items()) + "}"
    return _object(value)


def _object(value: object) -> str:
    if isinstance(value, BigInt):
        return f"{value.value}n"
    if isinstance(value, Map):
        return f"new Map({write([list(pair) for pair in value.pairs])})" if value.pairs else "new Map()"
    if isinstance(value, Set):
        return f"new Set({write(value.members)})" if value.members else "new Set()"
    if isinstance(value, Date):
        return f"new Date({number_text(value.time)})"
    if isinstance(value, RegExp):
        return f"/{value.source}/{value.flags}"
    return "undefined"


def is_canonical(text: str) -> bool:
    """Return whether the literal of a string is spelled as `write` spells it."""
    try:
        return bool(_STRING.fullmatch(text)) and string_text(string_of(text)) == text
    except BadSource:
        return False
