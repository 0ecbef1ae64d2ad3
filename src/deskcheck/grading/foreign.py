"""Read values in the spelling of other languages as Python literals; nothing is executed.

    as_literal("{['a'] = {1, 3, 1}, n = nil}", "lua")        -> "{'a': [1, 3, 1], 'n': None}"
    as_literal('vec![(String::from("a"), 1)]', "rust")       -> "[('a', 1)]"
    as_literal("new ArrayList<Long>(Arrays.asList(1l))", "java") -> "[1]"

One reader covers the literals and constructors of 18 languages. Types, casts and number suffixes are left
out. Lists stay lists (a Lua table keeps its order and repetitions); pairs and tuples are tuples. The result
is None for any other text: an expression, a call, a comprehension.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from deskcheck.errors import BadSource
from deskcheck.languages import MAX_CHARS, parse_literal

LANGUAGES = (
    "cpp", "cs", "d", "go", "java", "julia", "javascript", "lua", "php", "perl", "r", "ruby", "racket",
    "rust", "scala", "shell", "swift", "typescript",
)  # fmt: skip
_TOKEN = re.compile(
    r"""\s+|//[^\n]*
    |(?P<string>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`(?:\\.|[^`\\$])*`)
    |(?P<number>[+-]?(?:\d[\d_]*\.?\d*(?:[eE][+-]?\d+)?|\.\d+)(?:[uUlLfFdDmM]{1,2}\b|_?[iuf](?:8|16|32|64|128|size)\b)?)
    |(?P<name>\#[tf]\b|\#hash\b|[A-Za-z_$][\w$]*(?:(?:::|\.)[A-Za-z_]\w*)*!?)
    |(?P<mark>=>|->|::|\[\]|[()\[\]{}<>,:;=.*&?!|])""",
    re.VERBOSE,
)
_CONSTANTS = {
    "true": True, "TRUE": True, "#t": True, "YES": True,
    "false": False, "FALSE": False, "#f": False,
    "null": None, "NULL": None, "nil": None, "None": None, "undefined": None, "undef": None, "nothing": None,
    "nullptr": None, "std::nullopt": None, "missing": None,
}  # fmt: skip
_LISTS = frozenset(
    {"vec!", "aslist", "arraylist", "linkedlist", "vector", "list", "array", "c", "of", "seq", "slice"}
)
_TUPLES = frozenset(
    {"tuple", "make_tuple", "create", "with", "pair", "make_pair", "triplet", "quartet", "tuple2"}
)
_MAPS = frozenset(
    {"hashmap", "map", "dict", "dictionary", "unordered_map", "treemap", "btreemap", "#hash", "mutable"}
)
_SAME = frozenset(
    {"from", "string", "some", "optional", "long", "int", "success", "int64", "integer", "double", "float"}
)
"""Constructors and conversions that leave their only member as it is."""
_WRAPPERS = frozenset({"arraylist", "linkedlist", "vector", "list"})
"""Constructors that take one list and denote that list."""
_TYPES = frozenset(
    {
        "any", "arrays", "as", "bool", "boolean", "byte", "char", "collections", "f32", "f64", "float64",
        "i32", "i64", "interface", "mut", "mutablelist", "new", "object", "short", "std", "str", "u8",
    }
)  # fmt: skip
_FILLED_IN = {
    "ruby": re.compile(r"#[{$@]"), "php": re.compile(r"\$[A-Za-z_{]|\{\$"), "perl": re.compile(r"[$@]"),
    "julia": re.compile(r"\$"), "swift": re.compile(r"\\#*\("),
}  # fmt: skip
"""Marks of code or variables that a language evaluates inside a quoted text, which is then no literal."""
BLANK = "????"
"""Text in place of the requested arguments in a program's test."""
_MOST = 5_000  # tokens of a value; a longer one is not read


class _Other(Exception):
    """Raised for a text that is not a value."""


class _Pairs(list[tuple[object, object]]):
    """Members of a container that are written as key and value."""


def as_literal(text: str, language: str) -> str | None:
    """Return the value as a Python literal; None if the text is no value. `language`: one of LANGUAGES."""
    if len(text) > MAX_CHARS:
        return None
    try:
        reader = _Reader(list(_tokens(text)), language)
        value = reader.value()
        if reader.peek() != ("", ""):
            return None
        return repr(value)
    except (_Other, BadSource, RecursionError, ValueError, TypeError):
        return None


def arguments_in(text: str, language: str, entry: str) -> str | None:
    """Return the arguments of a call such as `candidate([1], "a")`, or a text of arguments alone, unchanged.

    None unless each argument is a literal. The arguments are put into a program that runs, so a name that is
    no constant, key, type or constructor, a comment, a second line, and a text that runs code are refused.
    """
    called = re.fullmatch(rf"\s*(?:candidate|{re.escape(entry)})\s*\((.*)\)\s*;?\s*", text, re.DOTALL)
    inner = (called.group(1) if called else text).strip()
    if len(inner) > MAX_CHARS or "\n" in inner:
        return None
    try:
        tokens = list(_tokens(inner, comments=False))
        reader = _Reader(tokens, language)
        if not all(_is_harmless(tokens, place, language) for place in range(len(tokens))):
            return None
        while tokens:
            reader.value()
            if reader.peek() == ("", ""):
                break
            reader.take(",")
    except (_Other, BadSource, RecursionError, ValueError, TypeError):
        return None
    return inner


def _is_harmless(tokens: list[tuple[str, str]], place: int, language: str) -> bool:
    kind, text = tokens[place]
    if kind == "string":
        runs_code = _FILLED_IN.get(language)
        single = text[0] == "'" and language in ("ruby", "php", "perl")
        return single or runs_code is None or not runs_code.search(text)
    if kind != "name" or text in _CONSTANTS:
        return True
    parts = [part.strip("!").lower() for part in re.split(r"::|\.", text)]
    known = _LISTS | _TUPLES | _MAPS | _SAME | _TYPES | {"vec"}
    is_key = place + 1 < len(tokens) and tokens[place + 1][1] in ("=", ":", "=>")
    return is_key or all(part in known for part in parts)


def _tokens(text: str, *, comments: bool = True) -> Iterator[tuple[str, str]]:
    place = 0
    while place < len(text):
        match = _TOKEN.match(text, place)
        if match is None or (not comments and match.group().startswith("//")):
            raise _Other
        if match.lastgroup:
            yield match.lastgroup, match.group()
        place = match.end()


class _Reader:
    """A recursive-descent reader over tokens."""

    def __init__(self, tokens: list[tuple[str, str]], language: str) -> None:
        if len(tokens) > _MOST:
            raise _Other
        self.tokens = tokens
        self.language = language
        self.place = 0

    def peek(self, ahead: int = 0) -> tuple[str, str]:
        """Return kind and text of the token `ahead` places after the next; ("", "") behind the last."""
        at = self.place + ahead
        return self.tokens[at] if at < len(self.tokens) else ("", "")

    def take(self, mark: str = "") -> str:
        """Move past the next token and return its text, which must be `mark` if one is given."""
        text = self.peek()[1]
        if not text or (mark and text != mark):
            raise _Other
        self.place += 1
        return text

    def value(self) -> object:
        """Read one value, without its casts and types."""
        kind, text = self.peek()
        if kind == "string":
            return self._string(self.take())
        if kind == "number":
            return _number(self.take())
        if text == "(":
            return self._parenthesis()
        if text in ("[", "[]") and self.language != "lua":
            return self._brackets()
        if text == "{":
            return self._braces()
        if text in (".", "&", "*"):
            self.take()
            return self.value()
        if kind == "name":
            return self._named()
        raise _Other

    def _string(self, text: str) -> object:
        inner = text[1:-1]
        if text[0] == "'" and self.language in ("ruby", "perl", "php"):  # only \' and \\ are escapes there
            return inner.replace("\\'", "'").replace("\\\\", "\\")
        quote = '"""' if text[0] == "`" else text[0]
        body = inner.replace('"', '\\"') if text[0] == "`" else inner
        body = body.replace("\n", "\\n") if self.language != "go" or text[0] != "`" else body
        return parse_literal(f"{quote}{body}{quote}")

    def _parenthesis(self) -> object:
        self.take("(")
        if self.language == "racket":
            return self._racket()
        if self._is_cast():
            return self.value()
        if self.peek()[1] == ")":
            self.take()
            return ()
        members = self._members(")")
        return members[0] if len(members) == 1 else tuple(members)

    def _racket(self) -> object:
        if self.peek()[1] in ("list", "vector"):
            self.take()
        members = []
        while self.peek()[1] != ")":
            if self.peek()[1] == ".":
                self.take()
            members.append(self.value())
        self.take(")")
        return members

    def _is_cast(self) -> bool:
        """Skip "(Type)" before a value; return whether there was one."""
        start, depth = self.place, 1
        while depth and self.peek() != ("", ""):
            kind, text = self.peek()
            if kind in ("string", "number") or text in ("{", "}", "=>", "->"):
                break
            depth += {"(": 1, ")": -1}.get(text, 0)
            self.place += 1
        kind, text = self.peek()
        first = self.tokens[start][1] if start < len(self.tokens) else ""
        if (
            not depth
            and first not in _CONSTANTS
            and (kind in ("string", "number", "name") or text in ("(", "{", "["))
        ):
            return True
        self.place = start
        return False

    def _brackets(self) -> object:
        if self.take() == "[]":
            if self.language == "go":  # []int{..} of Go
                return self._typed_braces()
            self._skip_as()
            return []
        if self.peek()[1] == ":":  # [:] of Swift
            self.take()
            self.take("]")
            self._skip_as()
            return {}
        members = self._members("]")
        self._skip_as()
        return dict(members) if isinstance(members, _Pairs) else members

    def _skip_as(self) -> None:
        """Skip Swift's `as [Int]`, with all that follows."""
        if self.peek()[1] == "as":
            self.place = len(self.tokens)

    def _typed_braces(self) -> object:
        while self.peek()[1] not in ("{", ""):
            self.take()
        if self.peek(1)[1] == "}" and self.peek(2)[1] == "{":  # interface{}{..}
            self.place += 2
        return self._braces()

    def _braces(self) -> object:
        self.take("{")
        members = self._members("}")
        if not members:
            return {} if self.language in ("javascript", "typescript", "ruby", "perl") else members
        if not isinstance(members, _Pairs):
            return members
        table = dict(members)
        if self.language == "lua" and list(table) == list(range(1, len(table) + 1)):
            return list(table.values())
        return table

    def _members(self, end: str) -> list[object] | _Pairs:
        """Read members up to the end mark; all of them are pairs, or none."""
        plain: list[object] = []
        pairs = _Pairs()
        while self.peek()[1] != end:
            key = self._key()
            if self.peek()[1] in (("=",) if self.language == "lua" else ("=>", "->", ":", "=")):
                self.take()
                pairs.append((_hashable(key), self.value()))
            else:
                plain.append(key)
            if self.peek()[1] in (",", ";"):
                self.take()
            elif self.peek()[1] != end:
                raise _Other
        self.take(end)
        if plain and pairs:
            raise _Other
        return pairs or plain

    def _key(self) -> object:
        kind, text = self.peek()
        if self.language == "lua" and text == "[":
            self.take()
            key = self.value()
            self.take("]")
            return key
        if kind == "name" and self.peek(1)[1] in ("=", ":") and text not in _CONSTANTS:
            return self.take()
        return self.value()

    def _named(self) -> object:
        name = self.take()
        if name in _CONSTANTS:
            return _CONSTANTS[name]
        if name == "new":
            return self.value()
        if name == "map" and self.language == "go":
            return _as_map(self._typed_braces())
        self._skip_types()
        opened = self.peek()[1]
        if opened == "[]":
            self.take()
            opened = self.peek()[1]
        if opened not in ("(", "[", "{"):
            raise _Other
        if opened == "(" and self.language == "racket":
            return _as_map(self.value())
        self.take()
        members = self._members({"(": ")", "[": "]", "{": "}"}[opened])
        while self.peek()[1] in ("(", "{") and not members:  # List[Long](..), new T[]{..}
            opened = self.take()
            members = self._members(")" if opened == "(" else "}")
        return self._instance(name, members)

    def _instance(self, full_name: str, members: list[object] | _Pairs) -> object:
        """Return the value that a constructor makes of its members."""
        owner, name = ["", *re.split(r"::|\.", full_name)][-2:]
        name = name.lower()
        only = members[0] if len(members) == 1 else None
        if isinstance(members, _Pairs):
            return dict(members)
        if name in _MAPS or re.search(r"\b(?:Hash|BTree)Map::from$", full_name):
            return _as_map(only if only is not None else members)
        if name in _TUPLES:
            return tuple(members)
        if (owner, name) == ("Map", "of"):
            return dict(zip(map(_hashable, members[::2]), members[1::2], strict=True))  # ValueError: no value
        if name in _LISTS:
            wraps = name in _WRAPPERS and self.language in ("cs", "java", "cpp", "julia")
            return only if wraps and isinstance(only, list) else members
        if name in _SAME and len(members) == 1:
            return only
        if name == "string" and not members:
            return ""
        raise _Other

    def _skip_types(self) -> None:
        """Skip `<..>`, `[..]` or `{..}` of types behind a name, if a value follows."""
        for left, right in (("<", ">"), ("[", "]"), ("{", "}")):
            if self.peek()[1] != left:
                continue
            start, depth = self.place, 0
            while self.peek() != ("", ""):
                kind, text = self.peek()
                if kind in ("string", "number"):
                    break
                depth += (text == left) - (text == right)
                self.place += 1
                if not depth:
                    break
            if depth or (left != "<" and self.peek()[1] not in ("(", "[", "{")):
                self.place = start


def _as_map(value: object) -> object:
    if isinstance(value, dict):
        return value
    if isinstance(value, list | tuple):
        pairs = [tuple(one) for one in value if isinstance(one, list | tuple) and len(one) == 2]
        if len(pairs) == len(value):
            return {_hashable(key): item for key, item in pairs}
    raise _Other


def _hashable(key: object) -> object:
    return tuple(_hashable(one) for one in key) if isinstance(key, list) else key


def _number(text: str) -> object:
    plain = re.sub(r"(?:[uUlLfFdDmM]{1,2}|_?[iuf](?:8|16|32|64|128|size))$", "", text).replace("_", "")
    return parse_literal(plain.lstrip("+"))
