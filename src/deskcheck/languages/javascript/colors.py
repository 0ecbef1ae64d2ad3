"""Color the tokens of one line of JavaScript without its surroundings, for the terminal.

colors("let s = 'a';  // x") -> ((0, 3, "k"), (8, 3, "s"), (14, 4, "c"))
"""

from __future__ import annotations

import re
from functools import lru_cache

_KEYWORDS = (
    "async await break case catch class const continue debugger default delete do else enum export extends "
    "finally for function if import in instanceof interface let new of readonly return static super switch "
    "this throw try type typeof var void while with yield"
).split()
_BUILTINS = (
    "Array BigInt Boolean console Date Error JSON Map Math Number Object Promise RegExp Set String Symbol"
)
_TOKEN = re.compile(
    r"(?P<c>//.*|/\*.*?(?:\*/|$))"
    r"|(?P<s>\"(?:[^\"\\]|\\.)*\"?|'(?:[^'\\]|\\.)*'?|`(?:[^`\\]|\\.)*`?)"
    r"|(?P<n>\b(?:0[xXoObB][\da-fA-F_]+n?|\d[\d_]*\.?\d*(?:[eE][+-]?\d+)?n?)\b|\b(?:true|false|null|undefined|NaN|Infinity)\b)"
    rf"|(?<![.\w$])(?P<k>{'|'.join(_KEYWORDS)})\b"
    r"|(?:(?<=function )|(?<=class ))(?P<d>[\w$]+)"
    rf"|(?<![.\w$])(?P<b>{'|'.join(_BUILTINS.split())})\b"
    r"|[\w$]+"
)


@lru_cache(maxsize=4096)
def colors(line: str) -> tuple[tuple[int, int, str], ...]:
    """Return (start, length, class) of the tokens of a single line.

    Start and length count UTF-16 units: a character above U+FFFF counts as two.

    Classes: k keyword, d defined name, b built-in object, s string, n number or constant, c comment.
    """
    return tuple(
        (_units(line[: match.start()]), _units(match[0]), match.lastgroup)
        for match in _TOKEN.finditer(line)
        if match.lastgroup
    )


def _units(text: str) -> int:
    return len(text) + sum(character > "\uffff" for character in text)
