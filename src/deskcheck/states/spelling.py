"""Spell out literals, so that a subword tokenizer can split each string and each number in only one way.

    spelled("@3 | s='ab c'; n=120")  -> "@3 | s=' a b   c '; n= 1 2 0"
    plain_again(spelled(text))       == text          for every text of the notation
    spelled_code("x = 12  # 3")      -> "x =  1 2  # 3"

A space stands before each digit of a number, before each character of a string (an escape such as \\n is one)
and before the closing quote. So a character is the same token at every place. Names, lines (@3), labels (#1),
offsets (.72), and raw and formatted strings are not changed. In code, comments, docstrings and numbers in
other bases are not changed either.
"""

from __future__ import annotations

import re

_UNIT = r"\\x[0-9a-f]{2}|\\u[0-9a-f]{4}|\\U[0-9a-f]{8}|\\N\{[^}\n]*\}|\\."
_QUOTED = {quote: rf"{quote}(?:\\.|[^{quote}\\\n])*{quote}" for quote in "'\""}
_UNITS = re.compile(rf"{_UNIT}|.")
_STRING = rf"(?P<prefix>(?<!\w)[A-Za-z]{{0,2}})(?P<string>{_QUOTED[chr(39)]}|{_QUOTED[chr(34)]})"
_NUMBER = r"(?P<number>(?<![\w@#~^.])\d+(?:\.\d+)?(?:e[+-]?\d+)?)"
_TEXT = re.compile(f"{_STRING}|{_NUMBER}")
_CODE = re.compile(
    rf"(?P<kept>#[^\n]*|\"\"\".*?\"\"\"|'''.*?'''|(?<!\w)0[xXoObB]\w+|(?<!\w)\d+_[\d_]+)|{_STRING}|{_NUMBER}",
    re.DOTALL,
)
_SPELLED = re.compile(
    r"(?P<prefix>(?<!\w)[A-Za-z]{0,2})(?:"
    + "|".join(rf"{q}(?P<units{n}>(?: (?:{_UNIT}|[^{q}\\\n]))*) {q}" for n, q in enumerate("'\""))
    + rf"|(?P<string>{_QUOTED[chr(39)]}|{_QUOTED[chr(34)]}))| (?P<digit>\d)"
)
_DIGIT = re.compile(r"\d")


def spelled(text: str) -> str:
    """Spell out the literals in a text of the notation."""
    return _TEXT.sub(_spell, text)


def spelled_code(text: str) -> str:
    """Spell out the literals in source code or in the numbered code of a prompt; this has no inverse."""
    return _CODE.sub(_spell, text)


def plain_again(text: str) -> str:
    """Undo `spelled`; a literal that is not spelled out is not changed."""
    return _SPELLED.sub(_join, text)


def _spell(literal: re.Match[str]) -> str:
    groups = literal.groupdict()
    if groups.get("kept"):
        return literal.group()
    if groups["number"]:
        return _DIGIT.sub(r" \g<0>", literal.group())
    prefix, string = groups["prefix"], groups["string"]
    if _is_raw(prefix):
        return literal.group()
    units = _UNITS.findall(string[1:-1])
    return f"{prefix}{string[0]}{''.join(f' {unit}' for unit in units)} {string[0]}"


def _join(literal: re.Match[str]) -> str:
    groups = literal.groupdict()
    if groups["digit"]:
        return groups["digit"]
    prefix = groups["prefix"]
    if groups["string"] or _is_raw(prefix):
        return literal.group()
    quote = literal.group()[-1]
    units = groups["units0"] if groups["units0"] is not None else groups["units1"]
    return prefix + quote + "".join(unit[1:] for unit in re.findall(rf" (?:{_UNIT}|.)", units)) + quote


def _is_raw(prefix: str) -> bool:
    return any(letter in "rRfF" for letter in prefix)
