"""Read the literal arguments of a program's call, and check that a trace begins with that call.

    read_arguments("[1, 2], 'a', n=-3.5") -> Given(([1, 2], "a"), {"n": -3.5}, [..])
    read_arguments("[x], 1 + 1")          -> None: not literals, or literals of an unsupported form
    check_first_call(packed, program, limits, table)    WrongCall if the trace begins with another call

Arguments are read without the interpreter's parser. The supported literals are numbers with their signs, sums
of a real and an imaginary number, strings and bytes (adjacent ones are joined), lists, tuples, dictionaries,
sets, True, False, None and the ellipsis. The objects match those of compiled code: equal constants are one
object, identifier-like strings are interned, lists take the same memory. `exact=True` refuses dictionaries
and sets, because those made here could differ from those of compiled code. Escapes by name (`\\N{..}`),
unknown escapes, nesting deeper than MAX_DEPTH and texts over MAX_CHARACTERS are not supported.

`check_first_call` compares the function only if the source defines the entry exactly once, by an undecorated
`def`, and the arguments only if they are literals. It compares no entry that is made in another way (by a
decorator, a class or an assignment), no generator or coroutine, whose call runs none of its lines, and no
program with a prelude.
"""

from __future__ import annotations

import re
import struct
import sys
from functools import lru_cache
from typing import Any, NamedTuple, NoReturn

from deskcheck.errors import DataError
from deskcheck.format.buffers import BYTES_OF, COLUMN_NUMBER, COLUMNS, TEXTS, Packed
from deskcheck.records import EventKind, Limits, ObjectKind, Place, Program, Returned, ValueKind
from deskcheck.tracing.source_facts import Definition, read_table

MAX_CHARACTERS = 20_000
"""Largest number of characters of arguments that are read."""
MAX_DEPTH = 60
"""Largest depth of containers inside containers."""
_MAX_TRACED_DEPTH = 200  # beyond every literal; a forged trace may hold a list that contains itself
_STACKED = 30  # longest list that compiled code builds on the stack; it appends to longer ones

_DIGITS = "[0-9](?:_?[0-9])*"
_POINT = rf"(?:{_DIGITS}\.(?:{_DIGITS})?|\.{_DIGITS})"
_FLOAT = rf"(?:{_POINT}(?:[eE][-+]?{_DIGITS})?|{_DIGITS}[eE][-+]?{_DIGITS})"
_INT = r"0[xX](?:_?[0-9a-fA-F])+|0[oO](?:_?[0-7])+|0[bB](?:_?[01])+|[1-9](?:_?[0-9])*|0(?:_?0)*"
_TOKEN = re.compile(
    rf"""(?:[ \t\n]|\#[^\n]*\n)*(?:
    (?P<imaginary>(?:{_FLOAT}|{_DIGITS})[jJ](?![\w.]))
    |(?P<float>{_FLOAT}(?![\w.]))
    |(?P<int>(?:{_INT})(?![\w.]))
    |(?P<text>[bBrRuU]{{0,2}}(?:'''(?:[^\\]|\\.)*?'''|\"\"\"(?:[^\\]|\\.)*?\"\"\"
        |'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"))
    |(?P<name>[A-Za-z_][A-Za-z_0-9]*)
    |(?P<mark>\.\.\.|[-+()\[\]{{}},:=])
    |(?P<end>$))""",
    re.VERBOSE | re.DOTALL,
)
_TEXT = re.compile(r"([bBrRuU]*)('''|\"\"\"|'|\")(.*)\2", re.DOTALL)
_PREFIXES = {"", "b", "r", "u", "br", "rb"}
_ESCAPE = re.compile(
    r"\\(?:([0-7]{1,3})|x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))", re.DOTALL
)
_ESCAPED = {
    "\n": "", "\\": "\\", "'": "'", '"': '"', "a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r",
    "t": "\t", "v": "\v",
}  # fmt: skip
_NAMES = {"True": True, "False": False, "None": None}
NOT_IN_SOURCE = (
    "the program ran code under its own file name that is not in its source; a call of such code is one step"
)
_REPLACED = "the program replaced {!r} by code that is not in its source, so its lines cannot be shown"
_WORD = re.compile(r"[A-Za-z0-9_]*", re.ASCII)


class Given(NamedTuple):
    """Arguments of one call, by position and by name."""

    positional: tuple[object, ...]
    keywords: dict[str, object]
    constants: list[object]
    """Constants that the code of a compiled call would keep alive."""


class _Unread(Exception):
    """Failure to read a text: it is not a literal of a supported form."""


def read_arguments(text: str, *, exact: bool = False) -> Given | None:
    """Parse the text of a call's arguments; None if they are not all supported literals."""
    if len(text) > MAX_CHARACTERS or "\0" in text or "\r" in text:
        return None
    try:
        if text.isdecimal() and text.isascii() and (text[0] != "0" or text == "0"):
            return Given((int(text),), {}, [])
        return _Reader(text, exact).arguments()
    except (_Unread, ValueError, TypeError, OverflowError):  # too many digits, an unhashable key, ..
        return None


class _Reader:
    """Reader of one text of arguments, token by token."""

    def __init__(self, text: str, exact: bool) -> None:
        self._text = text
        self._exact = exact
        self._at = 0
        self._constants: dict[object, object] = {}
        self._next()

    def _next(self) -> None:
        found = _TOKEN.match(self._text, self._at)
        if found is None:
            raise _Unread
        self._kind = found.lastgroup or ""
        self._word = found[self._kind]
        self._at = found.end()

    def _take(self, mark: str) -> bool:
        if self._kind != "mark" or self._word != mark:
            return False
        self._next()
        return True

    def arguments(self) -> Given:
        positional: list[object] = []
        keywords: dict[str, object] = {}
        while self._kind != "end":
            name = self._word if self._kind == "name" and self._word not in _NAMES else ""
            if name:
                self._next()
                if name in keywords or not self._take("="):
                    raise _Unread
                keywords[name] = self._value(0)[0]
            elif keywords:
                raise _Unread
            else:
                positional.append(self._value(0)[0])
            if not self._take(",") and self._kind != "end":
                raise _Unread
        return Given(tuple(positional), keywords, list(self._constants.values()))

    def _value(self, depth: int) -> tuple[object, bool]:
        """Read one value; return it and whether it is a constant."""
        kind, word = self._kind, self._word
        if depth > MAX_DEPTH:
            raise _Unread
        if kind in ("int", "float", "imaginary") or (kind == "mark" and word in "+-"):
            return self._constant(self._number()), True
        if kind == "text":
            return self._constant(self._joined()), True
        self._next()
        if kind == "name" and word in _NAMES:
            return _NAMES[word], True
        if kind == "mark":
            if word == "...":
                return ..., True
            if word == "(":
                return self._tuple(depth + 1)
            if word == "[":
                return self._list(depth + 1), False
            if word == "{" and not self._exact:
                return self._braces(depth + 1), False
        raise _Unread

    def _number(self) -> object:
        sign = self._word if self._kind == "mark" else ""
        if sign:
            self._next()
        value = self._unsigned()
        value = -value if sign == "-" else +value
        if self._kind == "mark" and self._word in "+-":
            minus = self._word == "-"
            self._next()
            if self._kind != "imaginary" or isinstance(value, complex):
                raise _Unread
            part = self._unsigned()
            return value - part if minus else value + part
        return value

    def _unsigned(self) -> int | float | complex:
        kind, word = self._kind, self._word
        if kind not in ("int", "float", "imaginary"):
            raise _Unread
        self._next()
        if kind == "int":
            return int(word, 0)
        return float(word) if kind == "float" else complex(word)

    def _joined(self) -> str | bytes:
        parts: list[str] = []
        is_bytes = None
        while self._kind == "text":
            prefix, _, body = _TEXT.fullmatch(self._word).groups()  # type: ignore[union-attr]  # _TOKEN has matched it
            prefix = prefix.lower()
            if prefix not in _PREFIXES or is_bytes not in (None, "b" in prefix):
                raise _Unread
            is_bytes = "b" in prefix
            if is_bytes and not body.isascii():
                raise _Unread
            if "\\" in body and "r" not in prefix:
                body = _ESCAPE.sub(_unescape_bytes if is_bytes else _unescape, body)
            parts.append(body)
            self._next()
        text = "".join(parts)
        return text.encode("latin-1") if is_bytes else text

    def _constant(self, value: object) -> object:
        """Return the shared object of equal constants of one type."""
        if isinstance(value, str) and _WORD.fullmatch(value):
            value = sys.intern(value)
        key = repr(value) if isinstance(value, float | complex) else value
        return self._constants.setdefault((type(value), key), value)

    def _items(self, closing: str, depth: int) -> tuple[list[object], bool, bool]:
        """Read values up to a bracket; also whether all are constants and a comma follows the last."""
        items: list[object] = []
        are_constant, has_comma = True, False
        while not self._take(closing):
            if items and not has_comma:
                raise _Unread
            value, is_constant = self._value(depth)
            items.append(value)
            are_constant &= is_constant
            has_comma = self._take(",")
        return items, are_constant, has_comma

    def _tuple(self, depth: int) -> tuple[object, bool]:
        items, are_constant, has_comma = self._items(")", depth)
        if len(items) == 1 and not has_comma:
            return items[0], are_constant
        made = tuple(items)
        if are_constant:
            return self._constants.setdefault((tuple, tuple(map(id, made))), made), True
        return made, False

    def _list(self, depth: int) -> list[object]:
        items, are_constant, _ = self._items("]", depth)
        n = len(items)
        if are_constant and n > 2:
            made: list[object] = []
            made.extend(tuple(items))  # so does compiled code, with a constant tuple
            return made
        if n > _STACKED:
            made = []
            for item in items:
                made.append(item)  # compiled code appends too, so the list has the same capacity
            return made
        made = [None] * n
        made[:] = items
        return made

    def _braces(self, depth: int) -> object:
        if self._take("}"):
            return {}
        first = self._value(depth)[0]
        if not self._take(":"):
            rest, has_comma = [], self._take(",")
            if has_comma:
                rest = self._items("}", depth)[0]
            elif not self._take("}"):
                raise _Unread
            return {first, *rest}
        members = {first: self._value(depth)[0]}
        while not self._take("}"):
            if not self._take(","):
                raise _Unread
            if self._take("}"):
                break
            key = self._value(depth)[0]
            if not self._take(":"):
                raise _Unread
            members[key] = self._value(depth)[0]
        return members


def _unescape(match: re.Match[str]) -> str:
    octal, *numbers, other = match.groups()
    if octal:
        return chr(int(octal, 8)) if int(octal, 8) < 256 else _not_read()
    for number in numbers:
        if number:
            return chr(int(number, 16))
    return _ESCAPED[other] if other in _ESCAPED else _not_read()


def _unescape_bytes(match: re.Match[str]) -> str:
    return _not_read() if match[3] or match[4] else _unescape(match)


def _not_read() -> NoReturn:
    raise _Unread


_CODE, _EVENT_KIND, _CHANGES_END, _VALUE_KIND = (
    COLUMN_NUMBER[name] for name in ("frames.code", "events.kind", "events.changes_end", "values.kind")
)
_PLACE, _OWNER, _KEY, _VALUE = (
    COLUMN_NUMBER[f"changes.{name}"] for name in ("place", "owner", "key", "value")
)
_unpack_from = struct.unpack_from
_TEXT_KINDS = (ValueKind.STR, ValueKind.CONCAT)


class WrongCall(DataError):
    """Rejection of a trace that does not begin with its program's call."""


class NotInSource(WrongCall):
    """Rejection of a trace whose call ran code that is not in the program's source."""


class _Cut(Exception):
    """Failure to rebuild a value, because the trace has only a part of it."""


def check_first_call(packed: Packed, program: Program, limits: Limits, table: bytes) -> None:
    """Raise WrongCall if the trace does not begin with the program's call.

    NotInSource if the program replaced its entry by code that is not in its source. `limits`: those of the
    trace, which may have cut an argument; a cut argument is not compared. `table`: facts about the source
    (`source_facts`); empty if it does not compile.
    """
    if program.language != "python" or program.prelude or not program.entry.isidentifier():
        return
    if not table:
        return  # the source does not compile; a trace with events was refused before
    is_replaced = NOT_IN_SOURCE in packed.head.fidelity.notes
    if is_replaced and not packed.n_events:
        raise NotInSource(_REPLACED.format(program.entry))
    known = read_table(table).definition
    if known is None or known.is_lazy:
        return
    if not packed.n_events:
        if isinstance(packed.head.outcome, Returned):
            raise WrongCall("it returned, and its call left no event")
        return
    name, file, first_line, _ = packed.head.codes[_unpack_from("<i", packed.columns[_CODE])[0]]
    if (
        packed.columns[_EVENT_KIND][0] != EventKind.CALL
        or file
        or (name, first_line) != (known.name, known.first_line)
    ):
        if is_replaced:
            raise NotInSource(_REPLACED.format(program.entry))
        raise WrongCall(f"it begins with {name[:64]!r}, not with {program.entry!r}")
    given = _bound(known, program.arguments)
    if given is None:
        return
    bound = _Arguments(packed)
    # No value takes more bytes, levels or objects than its text has bytes.
    n_bytes = len(program.arguments.encode("utf-8", "surrogatepass"))
    may_be_cut = n_bytes > min(limits.value_bytes, limits.depth, limits.nodes)
    for variable, value in given.items():
        try:
            same = variable in bound.handles and _is_same(bound.value(bound.handles[variable]), value)
        except _Cut:
            same = may_be_cut
        if not same:
            raise WrongCall(
                f"its first call has another {variable!r} than {program.entry}({program.arguments[:64]})"
            )


# ------------------------------------------------------------------ the requested call


def _bound(known: Definition, arguments: str) -> dict[str, object] | None:
    """Return parameter -> value as the call binds them; None if an argument is not a supported literal."""
    read = _read(arguments)
    if read is None:
        return None
    positional, keywords, _ = read
    bound: dict[str, object] = dict(zip(known.positional, positional, strict=False))
    if known.rest:
        bound[known.rest] = positional[len(known.positional) :]
    names = {*known.positional, *known.keyword_only}
    bound |= {name: value for name, value in keywords.items() if name in names}
    if known.keywords:
        bound[known.keywords] = {name: value for name, value in keywords.items() if name not in names}
    return bound


_read = lru_cache(maxsize=256)(read_arguments)


# ------------------------------------------------------------------ the traced call


class _Arguments:
    """Names that the first event binds, and the values in its changes."""

    def __init__(self, packed: Packed) -> None:
        self._packed = packed
        columns = packed.columns
        self._kinds = columns[_VALUE_KIND]
        (n,) = _unpack_from("<i", columns[_CHANGES_END])
        form = f"<{n}i"
        self._changes = list(
            zip(
                columns[_PLACE][:n],
                _unpack_from(form, columns[_OWNER]),
                _unpack_from(form, columns[_KEY]),
                _unpack_from(form, columns[_VALUE]),
                strict=True,
            )
        )
        self.handles = {
            self._text(key): value
            for place, owner, key, value in self._changes
            if place <= Place.CELL and owner == 0
        }

    def _read(self, name: str, handle: int) -> Any:
        number = COLUMN_NUMBER[name]
        letter = COLUMNS[number][2]
        return _unpack_from(f"<{letter}", self._packed.columns[number], handle * BYTES_OF[letter])[0]

    def _data(self, handle: int) -> bytes:
        start, end = _unpack_from("<ii", self._packed.offsets, 4 * handle)
        return bytes(self._packed.columns[TEXTS][start:end])

    def _text(self, handle: int) -> str:
        parts = []
        while self._kinds[handle] == ValueKind.CONCAT:
            parts.append(self._data(handle))
            handle = self._read("values.number", handle)
        parts.append(self._data(handle))
        return b"".join(reversed(parts)).decode("utf-8", "surrogatepass")

    def value(self, handle: int, depth: int = 0) -> object:
        """Rebuild a value as its literal would give it; NotImplemented if no literal gives it."""
        kind = ValueKind(self._kinds[handle])
        if kind in _TEXT_KINDS:
            return self._text(handle)
        if kind is ValueKind.INT:
            data = self._data(handle)
            return int(data, 16) if data else self._read("values.number", handle)
        if kind is ValueKind.REF and depth < _MAX_TRACED_DEPTH:
            return self._object(self._read("values.number", handle), depth + 1)
        if kind is ValueKind.FLOAT:
            return self._read("values.real", handle)
        if kind is ValueKind.COMPLEX:
            return complex(self._read("values.real", handle), struct.unpack("<d", self._data(handle))[0])
        if kind is ValueKind.BOOL:
            return bool(self._read("values.number", handle))
        if kind is ValueKind.SINGLETON and self._data(handle) == b"Ellipsis":
            return ...
        if kind is ValueKind.TRUNCATED or kind is ValueKind.REF:
            raise _Cut
        return {ValueKind.NONE: None, ValueKind.BYTES: self._data(handle)}.get(kind, NotImplemented)

    def _object(self, number: int, depth: int) -> object:
        kind = ObjectKind(self._read("objects.kind", number))
        own = [
            (key, value)
            for place, owner, key, value in self._changes
            if owner == number and place >= Place.ELEMENT
        ]
        if kind in (ObjectKind.LIST, ObjectKind.TUPLE):
            items = [self.value(value, depth) for _, value in own]
            return items if kind is ObjectKind.LIST else tuple(items)
        if kind is ObjectKind.DICT:
            return {self.value(key, depth): self.value(value, depth) for key, value in own}
        if kind is ObjectKind.SET:
            return {self.value(key, depth) for key, _ in own}
        return NotImplemented


def _is_same(value: object, other: object) -> bool:
    """Whether two values are equal and have the same types at every depth."""
    if type(value) is not type(other):
        return False
    if isinstance(value, list | tuple) and isinstance(other, list | tuple):
        return len(value) == len(other) and all(map(_is_same, value, other))
    if isinstance(value, dict) and isinstance(other, dict):
        pairs = zip(value.items(), other.items(), strict=False)
        return len(value) == len(other) and all(_is_same(a, b) for a, b in pairs)
    if isinstance(value, set) and isinstance(other, set):
        return value == other and sorted(map(repr, value)) == sorted(map(repr, other))
    return value == other and (not isinstance(value, float | complex) or repr(value) == repr(other))
