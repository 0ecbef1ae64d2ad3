"""Parse text into Value, StateTree or Step, the inverse of `str(...)`; take the answer from a last step.

    read_state("@4 | a=#1[1, 2]; b=#1") -> StateTree
    read_step("@3 | s=1; -t")           -> Step
    read_value("{'k': (1, 2)}")         -> Value
    outcome(read_step("<- #1[#2[0], #2]"))     -> Answer("[[0], [0]]")
    outcome(read_step("!!KeyError('k')"))      -> Answer("raises KeyError")

The text of a model is parsed character by character and never executed. tree.py describes the notation. Any
deviation from it is a ValueError that names the place. Depth and length are bounded.
Answers are compared by value, so shared objects are written out in full. A value that has no literal (an
opaque object, a list inside itself) is no answer.
"""

from __future__ import annotations

import re

from deskcheck.languages import LITERALS, names, offers, part
from deskcheck.records import Answer, Completion, NoAnswer
from deskcheck.states.tree import Change, Frame, StateTree, Step, Value, is_built, ordered

MAX_DEPTH = 80
"""Deepest nesting of a value that is read."""
MAX_CHARACTERS = 1 << 20
"""Most characters of a text that is read."""

_NUMBER = re.compile(
    r"-?(?:(?:(?:nan|inf)j?|Infinity)(?![\w.(\[{])|0x[0-9a-f]+|\d+(?:\.\d+)?(?:e[+-]?\d+)?[jn]?)"
)
_COMPLEX = re.compile(r"\(-?[\d.einfa+-]+j\)")
_STRING = re.compile(r"b?(?:'(?:[^'\\\n]|\\.)*'|\"(?:[^\"\\\n]|\\.)*\")")
_NAME = re.compile(r"[A-Za-z_.$\u0080-\U0010ffff][\w.$]*")
_KEY = re.compile(r"[A-Za-z_$][\w$]*(?=: )")
"""Name of a property of an object, as JavaScript writes it."""
_SPAN = re.compile(r"(?:\d{1,6}:)?\d{1,6}-(?:\d{1,6}:)?\d{1,6}")
_NAMED = rf"(?:\^{_SPAN.pattern}|[~^]\d+|[A-Za-z_.$\u0080-\U0010ffff][\w.$]*)"
_ENTRY = re.compile(_NAMED)
_KEYWORD = re.compile(f"{_NAMED}=")
_WORDS = {
    "None", "True", "False", "nan", "inf", "Ellipsis", "NotImplemented",
    "undefined", "null", "true", "false", "NaN", "Infinity", "NULL", "void", "NAN", "INFINITY",
}  # fmt: skip


class _Text:
    """A cursor over one line of text.

    `take` and `match` move past a token or a pattern if it is there. `need`, `integer` and `end` raise the
    ValueError of `wrong` if what they expect is not there.
    """

    def __init__(self, text: str) -> None:
        if len(text) > MAX_CHARACTERS:
            raise ValueError(f"{len(text)} characters; at most {MAX_CHARACTERS} are read")
        self.text = text
        self.at = 0

    def wrong(self, expected: str) -> ValueError:
        found = self.text[self.at : self.at + 20] or "the end"
        return ValueError(f"expected {expected} at character {self.at}, found {found!r}")

    def peek(self, token: str) -> bool:
        return self.text.startswith(token, self.at)

    def take(self, token: str) -> bool:
        if self.peek(token):
            self.at += len(token)
            return True
        return False

    def need(self, token: str) -> None:
        if not self.take(token):
            raise self.wrong(repr(token))

    def match(self, pattern: re.Pattern[str]) -> str:
        found = pattern.match(self.text, self.at)
        if not found:
            return ""
        self.at = found.end()
        return found.group()

    def integer(self) -> int:
        digits = self.match(re.compile(r"\d{1,9}"))
        if not digits:
            raise self.wrong("a number")
        return int(digits)

    def end(self) -> None:
        if self.at != len(self.text):
            raise self.wrong("the end")


def read_value(text: str) -> Value:
    """Parse a text that is one value. ValueError for any other text."""
    cursor = _Text(text)
    value = _value(cursor, 0)
    cursor.end()
    return value


def read_leading_value(text: str, start: int) -> tuple[Value, int]:
    """Parse the value at index `start`; return it with the index after its last character.

    ValueError if no value begins there.
    """
    cursor = _Text(text)
    cursor.at = start
    value = _value(cursor, 0)
    return value, cursor.at


def read_state(text: str) -> StateTree:
    """Parse a text that is one state. ValueError for any other text."""
    cursor = _Text(text)
    module: dict[str, Value] = {}
    if cursor.take("* | "):
        module, _, _ = _entries(cursor)
        cursor.need(" / ")
    frames = [_frame(cursor)]
    while cursor.take(" / "):
        frames.append(_frame(cursor))
    cursor.end()
    return StateTree(tuple(frames), module)


def read_step(text: str) -> Step:
    """Parse a text that is one step. ValueError for any other text."""
    cursor = _Text(text)
    if cursor.take("@") or cursor.take(">"):
        step = Step(cursor.text[cursor.at - 1], cursor.integer(), offset=_offset(cursor))
    elif cursor.take("="):
        span = cursor.match(_SPAN)
        if not span:
            raise cursor.wrong("columns, as in 13-17")
        cursor.need(" ")
        step = Step("=", 0, _value(cursor, 0), span=span)
    elif cursor.take("<- ") or cursor.take("^ "):
        step = Step(cursor.text[: cursor.at - 1], 0, _value(cursor, 0))
    elif cursor.take("!!") or cursor.take("!"):
        step = Step(cursor.text[: cursor.at], 0, _value(cursor, 0))
    else:
        raise cursor.wrong("a step: @, >, <-, !, !!, ^ or =")
    changes = []
    if cursor.take(" | "):
        changes.append(_change(cursor))
        while cursor.take("; "):
            changes.append(_change(cursor))
    cursor.end()
    return Step(step.mark, step.line, step.value, tuple(changes), step.offset, step.span)


def _offset(cursor: _Text) -> int:
    return cursor.integer() if cursor.take(".") else -1


def _change(cursor: _Text) -> Change:
    """Parse one change: "s=1", "-t", "*.total=3", "0.s=1"."""
    delete = cursor.take("-")
    frame = -1
    if cursor.take("*."):
        frame = -2
    elif found := cursor.match(re.compile(r"\d{1,6}\.")):
        frame = int(found[:-1])
    name = cursor.match(_ENTRY)
    if not name:
        raise cursor.wrong("a name")
    if delete:
        return Change(frame, name, None)
    cursor.need("=")
    return Change(frame, name, _value(cursor, 0))


def _frame(cursor: _Text) -> Frame:
    """Parse one frame of a state: "@4 | a=1; b=2"."""
    if not (cursor.take("@") or cursor.take(">")):
        raise cursor.wrong("'@' or '>'")
    mark = cursor.text[cursor.at - 1]
    line = cursor.integer()
    offset = _offset(cursor)
    if not cursor.take(" | "):
        return Frame(mark, line, {}, offset=offset)
    entries, pending, value = _entries(cursor)
    return Frame(mark, line, ordered(entries), pending, value, offset)


def _entries(cursor: _Text) -> tuple[dict[str, Value], str, Value | None]:
    """Parse the entries of a frame; return them, and the mark and value that may follow, else "" and None."""
    entries: dict[str, Value] = {}
    while True:
        for pending in ("<-", "!"):
            if cursor.take(pending):
                return entries, pending, _value(cursor, 0)
        name = cursor.match(_ENTRY)
        if not name:
            raise cursor.wrong("a name")
        if name in entries:
            raise ValueError(f"'{name}' occurs twice in one frame")
        cursor.need("=")
        entries[name] = _value(cursor, 0)
        if not cursor.take("; "):
            return entries, "", None


def _value(cursor: _Text, depth: int) -> Value:
    """Parse one value, with its label if it has one."""
    if depth > MAX_DEPTH:
        raise ValueError(f"nested deeper than {MAX_DEPTH}")
    label = cursor.integer() if cursor.take("#") else 0
    if cursor.peek("["):
        return Value("list", "", label, _sequence(cursor, "[", "]", depth))
    if cursor.peek("{"):
        return _braces(cursor, "", label, depth)
    if cursor.peek("("):
        if found := cursor.match(_COMPLEX):
            return Value("literal", found, label)
        return _tuple(cursor, label, depth)
    if cursor.peek("<"):
        opaque = _opaque(cursor)
        return (
            _call(cursor, f"<{opaque}>", label, depth) if cursor.peek("(") else Value("opaque", opaque, label)
        )
    if found := cursor.match(_STRING):
        if not _is_canonical(found):
            raise ValueError(f"the string {found[:40]} is not written as repr() writes it")
        return Value("literal", found, label)
    if found := cursor.match(_NUMBER):
        return Value("literal", found, label)
    return _named(cursor, label, depth)


def _is_canonical(text: str) -> bool:
    """Return whether a string is spelled as one of the languages writes it; Python's is asked first."""
    if part(LITERALS, "is_canonical")(text):
        return True
    others = (name for name in names() if name != LITERALS and offers(name, "is_canonical"))
    return any(part(name, "is_canonical")(text) for name in others)


def _named(cursor: _Text, label: int, depth: int) -> Value:
    """Parse a value that begins with a name: a constant, or a container or call of a named type."""
    name = cursor.match(_NAME)
    if name == "new" and cursor.take(" "):
        name = f"new {cursor.match(_NAME)}"
    if not name:
        if label:
            return Value("label", "", label)
        raise cursor.wrong("a value")
    if name in _WORDS and not cursor.peek("("):
        return Value("literal", name, label)
    if cursor.peek("["):
        return Value("list", name, label, _sequence(cursor, "[", "]", depth))
    if cursor.peek("{"):
        return _braces(cursor, name, label, depth)
    if name in ("set", "frozenset") and cursor.take("()"):
        return Value("set", "" if name == "set" else name, label)
    if cursor.peek("({") and name in ("frozenset",):
        cursor.need("(")
        inside = _braces(cursor, name, label, depth)
        cursor.need(")")
        return inside
    if cursor.peek("("):
        return _call(cursor, name, label, depth)
    raise cursor.wrong(f"a value after '{name}'")


def _sequence(cursor: _Text, opening: str, closing: str, depth: int) -> tuple[Value, ...]:
    cursor.need(opening)
    items: list[Value] = []
    if not cursor.peek(closing):
        items.append(_value(cursor, depth + 1))
        while cursor.take(", "):
            items.append(_value(cursor, depth + 1))
    cursor.need(closing)
    return tuple(items)


def _tuple(cursor: _Text, label: int, depth: int) -> Value:
    cursor.need("(")
    items: list[Value] = []
    if not cursor.peek(")"):
        items.append(_value(cursor, depth + 1))
        while cursor.take(", "):
            items.append(_value(cursor, depth + 1))
        if len(items) == 1:
            cursor.need(",")
    cursor.need(")")
    return Value("tuple", "", label, tuple(items))


def _braces(cursor: _Text, name: str, label: int, depth: int) -> Value:
    """Parse a dict or a set in braces."""
    cursor.need("{")
    if cursor.take("}"):
        return Value("dict", name, label)
    items = [_key(cursor, depth)]
    is_dict = cursor.take(": ")
    if is_dict:
        items.append(_value(cursor, depth + 1))
    while cursor.take(", "):
        items.append(_key(cursor, depth) if is_dict else _value(cursor, depth + 1))
        if is_dict:
            cursor.need(": ")
            items.append(_value(cursor, depth + 1))
    cursor.need("}")
    return Value("dict" if is_dict else "set", name, label, tuple(items))


def _key(cursor: _Text, depth: int) -> Value:
    found = cursor.match(_KEY)
    return Value("literal", found) if found else _value(cursor, depth + 1)


def _opaque(cursor: _Text) -> str:
    start = cursor.at + 1
    level = 0
    while cursor.at < len(cursor.text):
        character = cursor.text[cursor.at]
        level += (character == "<") - (character == ">")
        cursor.at += 1
        if level == 0:
            return cursor.text[start : cursor.at - 1]
    raise cursor.wrong("'>'")


def _call(cursor: _Text, name: str, label: int, depth: int) -> Value:
    """Parse a value like a call, "Point(1, y=2)", or an iterator with its position, "iter(xs)@2"."""
    cursor.need("(")
    items: list[Value] = []
    names: list[str] = []
    while not cursor.take(")"):
        if items:
            cursor.need(", ")
        if keyword := cursor.match(_KEYWORD):
            names.append(keyword[:-1])
        elif names:
            raise cursor.wrong("name=value")
        items.append(_value(cursor, depth + 1))
    position = cursor.integer() if cursor.take("@") else -1
    return Value("call", name, label, tuple(items), tuple(names), position)


_MAX_CHARACTERS = 1 << 20  # of an answer, with shared objects written out
NO_LITERAL = "no literal says the returned value: "
"""Beginning of `NoAnswer.detail` if the run returned a value that cannot be an answer."""


def outcome(step: Step) -> Answer | NoAnswer:
    """Return the answer of a step "<-" or "!!".

    Another step, or a returned value without a literal, gives no answer.
    """
    if step.value is None or step.mark not in ("<-", "!!"):
        return NoAnswer("unparsable", f"the answer ends with '{step}', which neither returns nor raises")
    if step.mark == "!!":
        return Answer(f"raises {step.value.text}")
    try:
        return Answer(_literal(step.value, {}, [_MAX_CHARACTERS]))
    except ValueError as error:
        return NoAnswer("unparsable", f"{NO_LITERAL}{error}")


def read_outcome(completion: Completion) -> Answer | NoAnswer:
    """Return the answer in the last line of a completion; a truncated completion has none."""
    if completion.finish_reason == "length":
        return NoAnswer("truncated", f"cut after {completion.n_tokens_out} tokens")
    try:
        return outcome(read_step(completion.text.rstrip("\n").rsplit("\n", 1)[-1]))
    except ValueError as error:
        return NoAnswer("unparsable", str(error))


def _literal(value: Value, labelled: dict[int, Value], room: list[int]) -> str:
    """Write a value as a literal. ValueError if it has none; `room` holds the characters left."""
    if value.kind == "label":
        if value.label not in labelled:
            raise ValueError(f"#{value.label} refers to nothing, or to what it is part of")
        value = labelled[value.label]
    if value.kind == "opaque" or (value.kind == "call" and not is_built(value)):
        raise ValueError(f"'{str(value)[:60]}' is no plain value")
    if value.text and value.kind not in ("literal", "set", "call"):
        raise ValueError(f"'{str(value)[:60]}' is no plain value")
    items = tuple(Value("literal", _literal(item, labelled, room)) for item in value.items)
    plain = Value(value.kind, value.text, 0, items)
    if value.label:
        labelled[value.label] = plain
    text = str(plain)
    room[0] -= len(text)
    if room[0] < 0:
        raise ValueError(f"written out, the value is longer than {_MAX_CHARACTERS} characters")
    return text
