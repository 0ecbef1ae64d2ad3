"""Write the expressions of a JavaScript source with values for their parts, in JavaScript's spelling.

    expressions("s = (a + b) % 10").text((1, 4, 1, 16), value_of) -> "12 % 10"
    working("356 * 12") -> "712 + 3560"            working("['a', 'b'][1]") -> "#0 'a' #1 'b'"

`engine/expressions.js` makes a table: the row of an expression holds texts and the row numbers of its parts.
An evaluated part is written as its value. A variable that its statement may assign between two expressions
keeps its name, because its value in the state may be out of date. A working is a text with the intermediate
results of an operation.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from deskcheck.errors import BadSource
from deskcheck.languages import Span
from deskcheck.languages.javascript.literals import read, write
from deskcheck.languages.javascript.reading import tables
from deskcheck.languages.python.working import MOST_CHARACTERS
from deskcheck.languages.python.working import working as python_working

ValueOf = Callable[[Span, str], str | None]
_OWNER, _BASE = 1, 2  # a part before a dot or bracket, and the base of `**`
_QUOTED = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"")
_STEP_MARKS = "@><!^"
"""Signs with which a step begins in a layout; an operation that begins with a sign is put in brackets."""
_WITH_WORKING = frozenset({"arithmetic", "element", "search"})
_ARITHMETIC = re.compile(r"\d+ [*%] \d+")
_SEARCH = re.compile(r"('(?:[^'\\]|\\.)*')\.indexOf\(('(?:[^'\\]|\\.)*')\)")
_ELEMENT = re.compile(r"(\[.*\])\[(\d+)\]", re.DOTALL)


def expressions(source: str, language: str = "javascript") -> SourceExpressions:
    """Return the expressions of a source. BadSource if it does not parse."""
    return SourceExpressions(tables(source, language)["expressions"] if source else [])


class SourceExpressions:
    """Expressions of one source, by span; implements `languages.Expressions`."""

    def __init__(self, rows: list[dict[str, Any]]) -> None:
        self._rows = rows
        self._numbers: dict[Span, int] = {}
        for number, row in enumerate(rows):
            line, column, end_line, end_column = row["span"]
            self._numbers.setdefault((line, column, end_line, end_column), number)

    def may_have_working(self, span: Span) -> bool:
        """Tell whether `working` supports the expression at a span."""
        return span in self._numbers and self._rows[self._numbers[span]]["kind"] in _WITH_WORKING

    def text(self, span: Span, value_of: ValueOf) -> str | None:
        """Write the expression at a span; None if there is none, or if a layout could misread its text."""
        number = self._numbers.get(span)
        if number is None:
            return None
        text, _ = self._pieces(self._rows[number], value_of)
        rest = _QUOTED.sub("", text)
        if "'" in rest or '"' in rest or " -> " in rest or "\n" in rest:
            return None
        return f"({text})" if text[:1] in _STEP_MARKS else text

    def _part(self, number: int, value_of: ValueOf) -> tuple[str, bool]:
        """Return the text of a part, and whether it is a value."""
        row = self._rows[number]
        line, column, end_line, end_column = row["span"]
        value = value_of((line, column, end_line, end_column), "" if row["moving"] else row["name"])
        return (value, True) if value is not None else self._pieces(row, value_of)

    def _pieces(self, row: dict[str, Any], value_of: ValueOf) -> tuple[str, bool]:
        if row["kind"] in ("brackets", "through"):
            inner = next(piece for piece in row["pieces"] if not isinstance(piece, str))
            text, is_value = self._part(inner[0], value_of)
            return (text, is_value) if is_value or row["kind"] == "through" else (f"({text})", False)
        written = ""
        for piece in row["pieces"]:
            if isinstance(piece, str):
                written += piece
            else:
                text, is_value = self._part(piece[0], value_of)
                written += _held(text, piece[1], written) if is_value else text
        return written, False


def _held(text: str, how: int, before: str) -> str:
    """Put a value in brackets where it would else be misread: `(-3) ** 2`, `(3).x`, `- (-3)`."""
    sign = before.rstrip(" ")[-1:]
    is_owner = how == _OWNER and text[0] in "-0123456789{"
    is_base = how == _BASE and text[0] == "-"
    is_sign = before[-1:] == sign and sign in ("+", "-") and text[0] == sign
    return f"({text})" if is_owner or is_base or is_sign else text


def working(text: str) -> str:
    """Return the working of an operation whose operands are literals, or "" if it has none."""
    if _ARITHMETIC.fullmatch(text):
        return python_working(text)
    if match := _SEARCH.fullmatch(text):
        return python_working(f"{match[1]}.find({match[2]})")
    if match := _ELEMENT.fullmatch(text):
        try:
            values = read(match[1], most=10_000)
        except BadSource:
            return ""
        index = int(match[2])
        if isinstance(values, list) and 0 < index < len(values):
            listed = " ".join(f"#{at} {write(value)}" for at, value in enumerate(values[: index + 1]))
            return listed if len(listed) <= MOST_CHARACTERS else ""
    return ""
