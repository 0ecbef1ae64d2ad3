"""Find statements on results of operations, mostly without a variable: pieces of a split, appended items.

    operations_in("splits the string into 'a' and 'b'") -> [Claim(about="split()", value=["a", "b"], ..)]

Other statements are whether a check of two literals holds ("check if 'ab' starts with 'c'. Since it does"),
and "the result of this operation is 150". `verdicts.py` looks up the results in the run. Each pattern below
is for one form of sentence.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import Any

from msgspec.structs import replace

from deskcheck.statements.claims import Claim, literal_at, states_something

SPLIT, APPEND, OPERATION = "split()", "append()", "operation()"
ARGUMENTS, CONDITION = "arguments()", "condition()"
"""Values of `Claim.about` for the five kinds of statements."""
_TEXT = r"`?(?:'[^'\n]{0,60}'|\"[^\"\n]{0,60}\")`?"
_SPLIT = re.compile(
    r"\b(?:split(?:s|ting)?|partition(?:s|ed|ing)?|divide[sd]?|separate[sd]?)\b[^.\n]{0,30}?(?:[^.\n]|\.(?!\s)){0,120}?"
    rf"\b(?:into|giv(?:es|ing)|result(?:s|ing)\s+in)\s+(?:the\s+)?(?:(?:\w+\s+)?(?:list|parts?|substrings|strings)\s*:?\s+)?"
    rf"(?P<parts>{_TEXT}(?:\s*,\s*(?:and\s+)?{_TEXT}|\s+and\s+{_TEXT})+)"
)
_SUBSTRINGS = re.compile(
    rf"\b(?:substrings|parts|pieces)\s+(?:are|will\s+be)\s+(?P<parts>{_TEXT}(?:\s*,\s*(?:and\s+)?{_TEXT}|\s+and\s+{_TEXT})+)"
)
_PIECE = rf"(?:{_TEXT}|`?-?\d+(?!\.\d)`?)"
_LISTED = re.compile(
    r"\b(?:characters|elements|items|letters|words|numbers|values|strings|digits)\s+(?:in|of)\s+"
    rf"`?(?P<about>[A-Za-z_]\w*)`?(?:,?\s+which)?\s+(?:are|will\s+be)\s+"
    rf"(?P<parts>{_PIECE}(?:\s*,\s*(?:and\s+)?{_PIECE}|\s+and\s+{_PIECE})+)"
)
_ONE_ELEMENT = re.compile(
    rf"\blist\s+(?:with|of)\s+(?:only\s+)?one\s+(?:element|item|string|word):?,?\s+(?P<one>{_TEXT})"
)
_PARTS = re.compile(
    rf"\bfirst\s+part\b[^.\n]{{0,40}}?\s(?:is|will\s+be)\s+(?P<a>{_TEXT}),?\s+and\s+(?:the\s+)?second\s+(?:part|one)?\b[^.\n]{{0,40}}?\s?"
    rf"(?:is|will\s+be)\s+(?P<b>{_TEXT})"
)
_APPEND = re.compile(r"\b[Aa]ppend(?:s|ed|ing)?\s+(?:the\s+(?:\w+\s+){1,2})?(?=[`'\"\[({\d-])")
_APPENDED = re.compile(rf"(?P<value>{_TEXT})\s+(?:is|are|was)\s+(?:then\s+)?(?:appended|added)\s+to\b")
_CALLED = re.compile(
    r"\b(?:calls?|called|calling)\s+(?:itself|again|the\s+function|the\s+function\s+f|f)?[^.\n'\"]{0,40}?\bwith\s+"
    r"(?:the\s+)?(?:(?:inputs?|arguments?|parameters?)\s+)?"
    rf"(?P<parts>{_TEXT}(?:\s*,\s*(?:and\s+)?{_TEXT}|\s+and\s+{_TEXT})*)(?!\s*[+*])"
)
_OPERATION = re.compile(r"\bresult\s+of\s+(?:this|the)\s+(?:operation|calculation|expression)\s+is\s+")
_CONDITION = re.compile(
    r"\b(?:the|this)\s+(?:if\s+)?condition\s+(?:is|evaluates\s+to|becomes)\s+(?:also\s+)?(?P<no>not\s+)?"
    r"(?P<value>[Tt]rue|[Ff]alse|met|satisfied)\b"
)
_CHECKED = re.compile(
    rf"\bcheck\w*\s+(?:if|whether)\s+(?:the\s+)?(?:string\s+)?(?P<a>{_TEXT})\s+(?P<how>starts|ends)\s+with\s+"
    rf"(?:the\s+)?(?:\w+\s+)?(?P<b>{_TEXT})\.?\s+(?P<said>(?:(?:Since|As|Because)\s+it|It)\s+does(?P<no>\s+not|n't)?)\b"
)


def calls_in(text: str, entry: str) -> Iterator[Claim]:
    """Yield claims that the function is called with some literals: `f('ab', 2)`."""
    for match in re.finditer(rf"(?<![\w.]){re.escape(entry)}\(", text) if entry else ():
        arguments = _arguments(text, match.end())
        if arguments is not None and states_something(text, match.start()):
            values, end = arguments
            yield Claim(match.start(), end, ARGUMENTS, values, text[match.start() : end])


def _arguments(text: str, at: int) -> tuple[list[Any], int] | None:
    """Read literals up to a closing parenthesis: their values and the position after it; else None."""
    values: list[Any] = []
    while (found := literal_at(text, at)) is not None:
        values.append(found[0])
        separator = re.match(r"\s*(?:,\s*|(\)))", text[found[1] : found[1] + 20])
        if separator is None:
            return None
        at = found[1] + separator.end()
        if separator[1]:
            return values, at
    return None


def operations_in(text: str, names: Collection[str] = ()) -> Iterator[Claim]:
    """Yield claims on results of splits, appends, checks and calculations, and on items of variables.

    They come in no particular order.
    """
    for match in _LISTED.finditer(text):
        if match["about"] in names:
            for claim in _pieces(text, match, re.findall(_PIECE, match["parts"])):
                yield replace(claim, about=match["about"])
    for match in _SPLIT.finditer(text):
        yield from _pieces(text, match, re.findall(_TEXT, match["parts"]))
    for match in _SUBSTRINGS.finditer(text):
        yield from _pieces(text, match, re.findall(_TEXT, match["parts"]))
    for match in _ONE_ELEMENT.finditer(text):
        yield from _pieces(text, match, [match["one"]])
    for match in _CALLED.finditer(text):
        for claim in _pieces(text, match, re.findall(_TEXT, match["parts"])):
            yield replace(claim, about=ARGUMENTS)
    for match in _PARTS.finditer(text):
        yield from _pieces(text, match, [match["a"], match["b"]])
    for pattern, about in ((_APPEND, APPEND), (_OPERATION, OPERATION)):
        for match in pattern.finditer(text):
            value = literal_at(text, match.end())
            if value is None or not states_something(text, match.start()):
                continue
            if about == APPEND and not re.match(r"\W{0,2}\s*(?:to|into)\b", text[value[1] : value[1] + 12]):
                continue
            if about == OPERATION and type(value[0]) not in (int, float):
                continue
            yield Claim(match.start(), value[1], about, value[0], value[2])
    for match in _APPENDED.finditer(text):
        value = literal_at(match["value"], 0)
        if value is not None and states_something(text, match.start()):
            yield Claim(match.start(), match.end(), APPEND, value[0], value[2])
    for match in _CONDITION.finditer(text):
        if states_something(text, match.start()):
            holds = (match["value"].lower() != "false") != bool(match["no"])
            yield Claim(match.start(), match.end(), CONDITION, holds, match["value"])
    for match in _CHECKED.finditer(text):
        test = f"{match['a'].strip('`')}.{match['how']}with({match['b'].strip('`')})"
        yield Claim(match.start("said"), match.end("said"), test, not match["no"], str(not match["no"]))


def _pieces(text: str, match: re.Match[str], parts: list[str]) -> Iterator[Claim]:
    found = [literal_at(part, 0) for part in parts]
    values = [one[0] for one in found if one is not None]
    if len(values) == len(parts) and states_something(text, match.start()):
        yield Claim(match.start(), match.end(), SPLIT, values, ", ".join(parts))
