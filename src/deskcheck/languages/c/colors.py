"""Color the tokens of one line of C without its surroundings.

colors("char *s = \\"a\\";  // x") -> ((0, 4, "k"), (10, 3, "s"), (16, 4, "c"))
"""

from __future__ import annotations

import re
from functools import lru_cache

_KEYWORDS = (
    "auto bool break case char const continue default do double else enum extern float for if inline int "
    "long register restrict return short signed sizeof static struct switch typedef union unsigned void "
    "volatile while _Bool size_t int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t"
).split()
_BUILTINS = (
    "printf puts putchar malloc calloc realloc free exit abort assert abs labs strlen strcmp strcpy strcat "
    "strchr memcpy memset qsort"
).split()
_TOKEN = re.compile(
    r"(?P<c>//.*|/\*.*?(?:\*/|$))"
    r"|(?P<s>\"(?:[^\"\\]|\\.)*\"?|'(?:[^'\\]|\\.)*'?)"
    r"|(?P<n>\b(?:0[xX][\da-fA-F]+|\d+\.?\d*(?:[eE][+-]?\d+)?)[uUlLfF]*\b|\b(?:true|false|NULL)\b)"
    rf"|(?<!\w)(?P<k>#\s*\w+|(?:{'|'.join(_KEYWORDS)})\b)"
    rf"|(?<![.\w])(?P<b>{'|'.join(_BUILTINS)})\b"
    r"|\w+"
)


@lru_cache(maxsize=4096)
def colors(line: str) -> tuple[tuple[int, int, str], ...]:
    """Return (start, length, class) of the tokens of a single line, in UTF-16 units.

    Classes: k keyword, b built-in function, s string or character, n number or constant, c comment.
    """
    return tuple(
        (_units(line[: match.start()]), _units(match[0]), match.lastgroup)
        for match in _TOKEN.finditer(line)
        if match.lastgroup
    )


def _units(text: str) -> int:
    return len(text) + sum(character > "\uffff" for character in text)
