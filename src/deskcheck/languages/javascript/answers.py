"""Take values and the arguments of a call out of a model's short answer in JavaScript.

stated("assert.deepEqual(f(3), [1, 2]);", ..)    -> "[1, 2]"
call_arguments("f(1, {a: 2})", "f", ..)          -> "1, {a: 2}"
bindings("n = 3; s = [1,2]")                     -> [("n", "3"), ("s", "[1, 2]")]

Only literals are read, with the reader of `literals.py`; nothing is parsed as a program or executed.
"""

from __future__ import annotations

import re
from collections.abc import Set

from deskcheck.errors import BadSource
from deskcheck.languages.javascript.literals import _Reader, read, write

_MOST = 100_000  # characters of an answer
_ASSERT = re.compile(r"(?:assert(?:\.\w+)?|expect|console\.assert)\s*\(")
_NAMED = re.compile(r"(?:(?:const|let|var)\s+)?[A-Za-z_$][\w$]*\s*=(?![=>])\s*")
_COMMENT = re.compile(r"//|/\*")


def omits(text: str) -> bool:
    """Return whether a text has a comment, or dots for parts that it leaves out."""
    bare = _without_strings(text)
    return bool(_COMMENT.search(bare)) or "..." in bare


def _without_strings(text: str) -> str:
    return re.sub(
        r"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`", "''", text, flags=re.DOTALL
    )


def stated(text: str, *, not_entries: Set[str], prints: Set[str], names: Set[str]) -> str | None:
    """Return v of "assert.deepEqual(f(3), v)", "return v", "console.log(v)", "r = v"; else None.

    `not_entries`: functions whose call is not the call in question; `prints`: further functions that print
    or submit their argument.
    """
    del names  # JavaScript has no named arguments
    line = text.strip().removesuffix(";").rstrip()
    if len(line) > _MOST:
        return None
    for start in ("return ", "console.log(", *(f"{name}(" for name in prints)):
        if line.startswith(start):
            inner = line[len(start) :]
            return _one_value(inner[:-1] if start.endswith("(") and inner.endswith(")") else inner)
    if match := _NAMED.match(line):
        return _one_value(line[match.end() :])
    if match := _ASSERT.match(line):
        return _of_assert(line[match.end() :], not_entries)
    compared = re.fullmatch(r"([A-Za-z_$][\w$.]*)\s*\(.*\)\s*===?\s*(?P<value>.+)", line, re.DOTALL)
    return _one_value(compared["value"]) if compared and compared[1] not in not_entries else None


def _of_assert(text: str, not_entries: Set[str]) -> str | None:
    """Return the value beside a call: "f(3), [1])" or "f(3) === [1])"."""
    call = _call_at(text, 0)
    if call is None or call[0] in not_entries:
        return None
    rest = text[call[2] :].lstrip()
    mark = re.match(r",|===?|\)\s*\.\w+\s*\(", rest)
    if mark is None:
        return None
    inner = rest[mark.end() :].strip()
    return _one_value(inner.removesuffix(")"))


def _one_value(text: str) -> str | None:
    text = text.strip()
    try:
        read(text, most=_MOST)
    except BadSource:
        return None
    return text


def _call_at(text: str, at: int) -> tuple[str, list[str], int] | None:
    """Read "name(literals)" at a place; return name, texts of the arguments and the end."""
    head = re.compile(r"\s*((?:new\s+)?[A-Za-z_$][\w$.]*(?:\(\)\.[A-Za-z_$][\w$]*)*)\s*\(").match(text, at)
    if head is None:
        return None
    reader = _Reader(text)
    reader.at = head.end()
    arguments: list[str] = []
    try:
        while not reader.take(")"):
            reader.space()
            start = reader.at
            reader.value(0)
            arguments.append(text[start : reader.at].strip())
            if not reader.take(","):
                reader.need(")")
                break
    except BadSource:
        return None
    return re.sub(r"\s+", " ", head[1]), arguments, reader.at


def call_arguments(text: str, entry: str, *, compared: bool) -> str | None:
    """Return the arguments of a call of the function `entry`, all of them literals; None for other texts.

    `compared`: also read a call inside an assertion or before other text such as `=== 5`.
    """
    if len(text) > _MOST:
        return None
    bare = text.strip().removesuffix(";").rstrip()
    inside = _ASSERT.match(bare) if compared else None
    call = _call_at(bare, inside.end() if inside else 0)
    if call is None or call[0] not in (entry, entry.rpartition(".")[2]):
        return None
    if not compared and bare[call[2] :].strip():
        return None
    return ", ".join(call[1])


def first_argument(arguments: str) -> str:
    """Return the text of a call's first argument; "undefined" without arguments, or if one is no literal."""
    call = _call_at(f"f({arguments})", 0)
    return call[1][0] if call and call[1] else "undefined"


def bindings(text: str, *, chained: bool = False) -> list[tuple[str, str]]:
    """Return (name, literal) of each assignment. ValueError for a text with anything else."""
    del chained  # models do not state values as "a = b = 1" in JavaScript
    pairs = []
    reader = _Reader(text)
    try:
        while True:
            reader.space()
            match = re.compile(r"(?:(?:const|let|var)\s+)?([A-Za-z_$][\w$]*)\s*[=:](?![=>])\s*").match(
                text, reader.at
            )
            if match is None:
                break
            reader.at = match.end()
            pairs.append((match[1], write(reader.value(0))))
            if not (reader.take(";") or reader.take(",")):
                break
        reader.space()
    except BadSource as error:
        raise ValueError(f"not JavaScript: {error}") from None
    if reader.at != len(text):
        raise ValueError("not name = value")
    return pairs
