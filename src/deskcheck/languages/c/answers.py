"""Take arguments and values out of a model's short answer in C; nothing is parsed as a program or executed.

call_arguments("f(3, \"ab\")", "f", compared=False) -> '3, "ab"'
bindings("long n = 3; s = {1,2}")                   -> [("n", "3"), ("s", "{1, 2}")]
"""

from __future__ import annotations

import re

from deskcheck.errors import BadSource
from deskcheck.languages.c.literals import NAME, QUOTED, STRING, Reader, write

_ASSIGNED = re.compile(
    r"(?:(?:const |unsigned |long |int |char |double |float |bool )*\**\s*)?"
    r"([A-Za-z_]\w*)\s*(?:\[\d*\])?\s*=(?!=)\s*"
)
_ASSERT = re.compile(r"assert\s*\(\s*")


def omits(text: str) -> bool:
    """Return whether a text has a comment, or dots for parts that it leaves out."""
    bare = STRING.sub('""', QUOTED.sub("''", text))
    return "//" in bare or "/*" in bare or "..." in bare


def call_arguments(text: str, entry: str, *, compared: bool) -> str | None:
    """Return the arguments of a call of the function `entry`, all of them literals; None for other texts.

    `compared`: also read a call inside `assert(..)` or before other text such as `== 5`.
    """
    bare = text.strip().removesuffix(";").rstrip()
    start = _ASSERT.match(bare) if compared else None
    reader = Reader(bare)
    reader.at = start.end() if start else 0
    name = reader.match(NAME)
    if name is None or name[0] != entry or not reader.take("("):
        return None
    arguments: list[str] = []
    try:
        while not reader.take(")"):
            reader.space()
            begin = reader.at
            reader.value(0)
            arguments.append(bare[begin : reader.at].strip())
            if not reader.take(",") and not bare.startswith(")", reader.at):
                return None
    except BadSource:
        return None
    return ", ".join(arguments) if compared or reader.at == len(bare) else None


def first_argument(arguments: str) -> str:
    """Return the text of a call's first argument; "0" if it is no literal."""
    reader = Reader(arguments)
    try:
        reader.value(0)
    except BadSource:
        return "0"
    return arguments[: reader.at].strip()


def bindings(text: str, *, chained: bool = False) -> list[tuple[str, str]]:
    """Return (name, literal) of each assignment. ValueError for a text with anything else."""
    del chained  # models do not state values as "a = b = 1" in C
    reader, pairs = Reader(text), []
    try:
        while match := reader.match(_ASSIGNED):
            pairs.append((match[1], write(reader.value(0))))
            if not (reader.take(";") or reader.take(",")):
                break
        reader.space()
    except BadSource as error:
        raise ValueError(f"not C: {error}") from None
    if reader.at != len(text):
        raise ValueError("not name = value")
    return pairs
