r"""Turn a line of a reply into plain text, and find the values in it.

    plain_line("The output is **5**.")        -> "The output is 5."
    straight("“abc” and −5")                   -> '"abc" and -5'
    values_at("returns [1, 2] since", 8, ..)   -> ("[1, 2]", 14)
    in_one_line("Output: {'a': 1,\n 'b': 2}", read) -> "Output: {'a': 1, 'b': 2}"

Emphasis is removed outside values only: `"a**b"` and 2**3 stay as they are. A place is an index into the
line. The time of every function grows linearly with the length of the line.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator

_STRAIGHT = str.maketrans(
    {
        "“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "‘": "'", "’": "'", "‚": "'", "−": "-", "–": "-",
        "，": ",", "（": "(", "）": ")", "［": "[", "］": "]", "｛": "{", "｝": "}", "：": ":", "\u00a0": " ",
        "＝": "=", "「": "'", "」": "'",
    }
)  # fmt: skip
_STRING = re.compile(r"""(?<!\w)[bBrRuU]{0,2}(?:"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')(?!\w)""")
_NUMBER = re.compile(
    r"[-+−]?(?:0[xX][0-9a-fA-F_]+|0[oO][0-7]+|0[bB][01]+|\d[\d_]*(?:\.\d+)?(?:[eE][-+]?\d+)?j?|\.\d+)(?![A-Za-z0-9_])"
)
_WORD = re.compile(r"(?:[A-Za-z_]\w*\.)*[A-Za-z_]\w*")
_CONSTANTS = frozenset({"True", "False", "None", "true", "false", "null", "nan", "inf", "-inf"})
_ERROR = re.compile(r"[A-Z]\w*(?:Error|Exception|Warning|Exit|Interrupt|Iteration|Group)")
_EMPTY = re.compile(
    r"empty\s+(list|string|tuple|dictionary|dict|set)\b(?!\s+(?:of|with|from|is|and|or))", re.I
)
_EMPTIES = {"list": "[]", "string": "''", "tuple": "()", "dictionary": "{}", "dict": "{}", "set": "set()"}
_HTML = re.compile(r"</?(?:b|i|em|strong|code|tt|span|p|u)>|<br\s*/?>", re.IGNORECASE)
_MARK = re.compile(
    r"""(?P<stop>\n[ \t]*\n|\"{3}|'{3}|\#|//)|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|[\[\](){}]"""
)
"""A string or a bracket; or, as `stop`, an empty line, a comment, or a string that may hold line ends."""
_MOST_VALUES = 40  # values over several lines that are tried in one text
_LONGEST_VALUE = 20_000  # characters of such a value
_MOST_FAILURES = 20  # quotes without a string that are tried in one line; more would take long
_BOXED = re.compile(r"\\(?:boxed|text|texttt)\s*\{")
_CLOSED = {"[": "]", "(": ")", "{": "}"}
_LEFT = re.compile(r"[\s*_]*")
_BULLET = re.compile(
    r"\A\s*(?:[#>•|]+\s*|[-+*]\s+|\(?\d{1,3}[.)]\s+|[\u2190-\u21ff\u2500-\u2bff\U0001f000-\U0001faff\ufe0f]+\s*)*"
)


def straight(text: str) -> str:
    """Return a text with the ASCII form of typographic quotes, minus signs and full-width marks."""
    return text.translate(_STRAIGHT)


def plain_line(line: str) -> str:
    """Return a line without bullet, heading marks, simple HTML tags, and emphasis outside values and code."""
    line = _BULLET.sub("", line)
    if "<" in line:
        line = _HTML.sub("", line)
    if "*" not in line and "_" not in line:
        return line
    kept, before = [], 0
    for start, end in _emphasis(line):
        kept.append(line[before:start])
        before = end
    return "".join(kept) + line[before:]


def _emphasis(line: str) -> Iterator[tuple[int, int]]:
    """Yield the places of emphasis marks outside quoted text, code and displays."""
    inside = spans(line)
    for mark in re.finditer(r"\*{1,3}|_{1,2}", line):
        start, end = mark.span()
        if start in inside:
            continue
        left = line[start - 1] if start else " "
        right = line[end] if end < len(line) else " "
        if mark.group()[0] == "_" and (left.isalpha() or right.isalpha()):
            continue  # __init__, _private
        opens = not left.isalnum() and not right.isspace()
        closes = not left.isspace() and not right.isalnum()
        if opens or closes:
            yield start, end


def strings_of(line: str) -> _Inside:
    """Return the places inside strings, without their opening quotes."""
    covered = bytearray(len(line) + 1)
    for start, end in _quoted(line):
        if line[start] != "`":
            covered[start + 1 : end] = b"\1" * (end - start - 1)
    return _Inside(covered)


class _Inside:
    """Set of places of a line; `covered` has a 1 for each place in it."""

    def __init__(self, covered: bytearray) -> None:
        self._covered = covered

    def __contains__(self, place: object) -> bool:
        return isinstance(place, int) and bool(self._covered[place])


def spans(line: str) -> _Inside:
    """Return the places inside code spans, strings and balanced [..] or {..}."""
    covered = bytearray(len(line) + 1)
    for start, end in _quoted(line):
        covered[start:end] = b"\1" * (end - start)
    reach = 0
    for start, end in sorted(brackets(line).items()):
        if line[start] != "(" and end > reach:
            covered[start : end + 1] = b"\1" * (end + 1 - start)
            reach = end
    return _Inside(covered)


def _quoted(line: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of code in backticks and of strings."""
    place = 0
    missing = set[str]()
    failures: Counter[str] = Counter()
    while (found := re.compile(r"""`+|["']""").search(line, place)) is not None:
        mark = found.group()
        if mark[0] == "`":
            end = -1 if mark in missing else line.find(mark, found.end())
            if end < 0:
                missing.add(mark)
            else:
                yield found.start(), end + len(mark)
        else:
            string = None if mark in missing else _STRING.match(line, found.start())
            end = string.end() - 1 if string else -1
            if string:
                yield string.span()
            else:
                failures[mark] += 1
                if failures[mark] > _MOST_FAILURES or line.find(mark, found.end()) < 0:
                    missing.add(mark)
        place = end + len(mark) if end >= 0 else found.end()


def brackets(line: str) -> dict[int, int]:
    """Map the place of every opening bracket outside strings to the place of its closing bracket."""
    strings = {start: end for start, end in _quoted(line) if line[start] != "`"}
    opened: list[int] = []
    closed: dict[int, int] = {}
    skip = -1
    for mark in re.finditer(r"""[\[\](){}"'bBrRuU]""", line):
        place = mark.start()
        if place < skip:
            continue
        if place in strings:
            skip = strings[place]
            continue
        character = mark.group()
        if character in _CLOSED:
            opened.append(place)
        elif character in "])}" and opened and _CLOSED[line[opened[-1]]] == character:
            closed[opened.pop()] = place
        elif character in "])}":
            opened.clear()
    return closed


def in_one_line(text: str, read: Callable[[str], str | None]) -> str:
    """Return the text with each list, tuple, set or dictionary of several lines in one line.

    Only a value that `read` takes is joined, so programs and printed tables stay as they are.
    """
    if "\n" not in text or not any(mark in text for mark in "[({"):
        return text
    parts, before, place, tried = [], 0, 0, 0
    while tried < _MOST_VALUES and (start := _left_open(text, place)) is not None:
        tried += 1
        end = _closing_place(text, start)
        value = text[start:end]
        if end and read(value) is not None:
            parts += [text[before:start], " ".join(line.strip() for line in value.split("\n"))]
            before = place = end
        else:
            place = text.find("\n", start)
    return "".join(parts) + text[before:]


def _left_open(text: str, place: int) -> int | None:
    """Return the place of the first bracket from `place` on that its line does not close."""
    while 0 <= place < len(text):
        end = text.find("\n", place)
        if end < 0:
            return None  # nothing follows the last line
        line = text[place:end]
        if any(mark in line for mark in "[({"):
            closed, strings = brackets(line), strings_of(line)
            for bracket in re.finditer(r"[\[({]", line):
                if bracket.start() not in closed and bracket.start() not in strings:
                    return place + bracket.start()
        place = end + 1
    return None


def _closing_place(text: str, start: int) -> int:
    """Return the place behind the bracket that closes the one at `start`; 0 if a stop comes first."""
    opened: list[str] = []
    for mark in _MARK.finditer(text, start, start + _LONGEST_VALUE):
        character = mark.group()
        if mark["stop"]:
            return 0
        if character in _CLOSED:
            opened.append(_CLOSED[character])
        elif character in ("]", ")", "}"):
            if opened.pop() != character:
                return 0
            if not opened:
                return mark.end()
    return 0


def values_at(line: str, place: int, closing: dict[int, int]) -> Iterator[tuple[str, int]]:
    """Yield the texts that may be the value at a place of a plain line, each with the place of its end.

    `closing`: the line's brackets, from `brackets(line)`.
    """
    left = _LEFT.match(line, place)
    start = left.end() if left else place
    if start >= len(line):
        return
    for mark in ("```", "``", "`", "$$", "$", r"\(", r"\["):
        if line.startswith(mark, start):
            end = line.find({r"\(": r"\)", r"\[": r"\]"}.get(mark, mark), start + len(mark))
            if end > 0:
                yield line[start + len(mark) : end], end + len(mark)
            return
    if (boxed := _BOXED.match(line, start)) is not None:
        if (end := closing.get(boxed.end() - 1, -1)) > 0:
            yield line[boxed.end() : end], end + 1
        return
    if (empty := _EMPTY.match(line, start)) is not None:
        yield from _of_empty(line, empty, closing)
        return
    for pattern in (_STRING, _NUMBER):
        if (match := pattern.match(line, start)) is not None:
            yield match.group(), match.end()
            return
    if line[start] in "“‘„«「" and (end := _typographic(line, start)) > 0:
        yield line[start:end], end
        return
    if start in closing:
        yield line[start : closing[start] + 1], closing[start] + 1
        return
    word = _WORD.match(line, start)
    if word is None:
        return
    name = word.group()
    if name in _CONSTANTS:
        yield name, word.end()
    elif _ERROR.fullmatch(name.rpartition(".")[2]):
        yield f"raises {name}", _after_message(line, word.end(), closing)
    elif word.end() in closing:  # set(), frozenset({1}), float('inf'), vec![..], new Foo(..)
        end = closing[word.end()] + 1
        yield line[start:end], end


def _of_empty(line: str, empty: re.Match[str], closing: dict[int, int]) -> Iterator[tuple[str, int]]:
    """Yield the value of "an empty list `[]`"; the words alone also name it."""
    value = _EMPTIES[empty.group(1).lower()]
    rest = re.compile(r"[\s(`:,]*").match(line, empty.end())
    start = rest.end() if rest else empty.end()
    end = closing.get(start, -1) + 1 or (start + 2 if line[start : start + 2] in ("''", '""') else 0)
    yield (
        (line[start:end], end + len(line[end:]) - len(line[end:].lstrip("`)")))
        if end
        else (value, empty.end())
    )


def _typographic(line: str, start: int) -> int:
    """Return the end of a text in typographic quotes; -1 if they do not close."""
    for mark in "”’»」“‘":
        if mark in "”’»」" and (end := line.find(mark, start + 1)) > 0:
            return end + 1
    return -1


def _after_message(line: str, place: int, closing: dict[int, int]) -> int:
    """Return the place after the message of an exception: "KeyError: 'b'", "KeyError('b')"."""
    if place in closing:
        return closing[place] + 1
    return place
