r"""Read an answer that is a string without quotes: a word, a line, rows of numbers.

    of_line("abc def", read)              -> "'abc def'"     None for an expression, a sentence, a placeholder
    between_marks("1 2\n3 4", read)       -> r"'1 2\n3 4'"   also rows of numbers, lines of a printed text
    of_reply("So it prints:\nOutput: abc", read) -> "'abc'"  a whole reply, a box or a label at its end

Marks around a text say that it is the answer. So the extraction level `usual` reads it between marks, in a
box, behind a label or as rows of numbers. Only `generous` also reads a few words that are the whole reply.
"""

from __future__ import annotations

import re

from deskcheck.grading import statements
from deskcheck.grading.cues import CHANGES, NO_TEXT, STATEMENT_LANGUAGES
from deskcheck.grading.forms import (
    ERROR,
    FENCE,
    HEDGED,
    REPEATS,
    THOUSANDS,
    Reader,
    boxes_in,
    unwrapped_forms,
)
from deskcheck.grading.places import retracts
from deskcheck.grading.plain import plain_line

_LONGEST_LINE = 200  # characters
_LONGEST_ROWS = 20_000  # characters of all lines together
_MOST_LINES = 60  # lines of a text that is read as one string
_FEW_WORDS = 4
"""Largest number of words in a text outside marks; a longer text is taken for a sentence."""
ROW = re.compile(r"[ \t]*[-+]?[\d.]+(?:[ \t]+[-+]?[\d.]+)+[ \t]*")
"""Line of two or more numbers, such as a row of a printed matrix."""
_NUMBERS = re.compile(r"[ \t]*[-+]?[\d.]+(?:[ \t]+[-+]?[\d.]+)*[ \t]*")
"""Line of one or more numbers, as a program prints them."""
_CODE = re.compile(r"[=()\[\]{}]|\bor\b|\braises?\b|</?\w+>")
_LIST = re.compile(r"(?:[-+]?[\d.]+[,\s]+)+[-+]?[\d.]+")
_SPEAKS = re.compile(
    r"\b(?:the|is|are|was|of|to|it|this|that|will|be|has|have|an?|i|we|you|my|let|sorry|here|answer|output|"
    r"result|value|function|code|program|step|please|sure|ok(?:ay)?|done|yes|correct|true|false|and|but|so|"
    r"then|not|assert|return|def|print|import|class|for|if)\b",
    re.IGNORECASE,
)
"""Words of a sentence about an answer, which is not the answer itself."""
_NOUNS = "|".join(noun for row in STATEMENT_LANGUAGES for noun in row.answers)
_LABEL = re.compile(
    rf"[\W_]*(?:the |final |correct |expected )*(?:{_NOUNS})[*_`]*\s*[:：][*_`]*\s+(\S.*)",
    re.IGNORECASE,
)
_BOX_TEXT = re.compile(r"\\(?:text|texttt|mathtt|mathrm)\{([^{}]*)\}")


_ROW_WORD = re.compile(r"[A-Za-z][A-Za-z'-]*")
_EARLIER = re.compile(
    r"^\s*(?:>>>|def |class |import |from |assert |return |print\()|\.\.\.\s*$|#", re.MULTILINE
)
"""Lines of a program or a console, or marks of omitted lines."""
_OF_A_PRINT = re.compile(r"[\w'\"\[\]().,:;!+/*-]+(?: [\w'\"\[\]().,:;!+/*-]+){0,40}")


def of_line(line: str, read: Reader) -> str | None:
    """Return the string in a line without quotes; None for a sentence, a choice or an expression."""
    line = line.strip()
    line = line[1:-1].strip() if len(line) > 2 and line[0] == line[-1] == "`" else line
    if ROW.fullmatch(line) and len(line) <= _LONGEST_ROWS:
        return None if re.search(r"\s[-+]", line) else read(repr(line))  # "6 -7 3" may be a calculation
    if not line or len(line) > _LONGEST_LINE or HEDGED.search(line) or _CODE.search(line):
        return None
    if _LIST.fullmatch(line) or any(pattern.fullmatch(line) for pattern in NO_TEXT):
        return None
    is_word = not re.search(r"\s", line)
    if (
        REPEATS.search(line)
        or re.search(ERROR, line)
        or THOUSANDS.fullmatch(line)
        or line.endswith((",", "?", ".."))
    ):
        return None
    if line.endswith((".", ":")) and not (is_word and line[0].isalnum() and not line[0].isdigit()):
        return None
    if not is_word and any(statements.statements(plain_line(line), read, bare=True)):
        return None
    return read(repr(line))


def between_marks(content: str, read: Reader) -> str | None:
    """Return the text between marks as a string: one line, rows of numbers, or lines of a printed text."""
    fence = FENCE.fullmatch(content.strip())
    text = (fence.group(1) if fence else content).strip()
    lines = [line for line in text.split("\n") if line.strip()]
    if len(lines) == 1:
        return of_line(lines[0], read)
    if len(lines) > _MOST_LINES or len(text) > _LONGEST_ROWS:
        return None
    if lines and all(ROW.fullmatch(line) for line in lines):
        return read(repr(text))
    if len(set(lines)) > 1 and "\n\n" not in text and all(_NUMBERS.fullmatch(line) for line in lines):
        return read(repr(text))
    if any(len(line) > 80 or line.rstrip().endswith((".", ":", ",")) for line in lines):
        return None
    values = [unwrapped_forms(line, read) for line in lines]
    if not lines or any(values) or any(of_line(line, read) is None for line in lines):
        return None
    return read(repr(text))


def printed(block: str, read: Reader) -> str | None:
    """Return an announced block of lines as one string, the printed text; each line may also be a literal."""
    lines = [line.strip() for line in block.strip().split("\n")]
    if not 1 < len(lines) <= _MOST_LINES or len(block) > _LONGEST_ROWS or _EARLIER.search(block):
        return None
    if not all(line and (unwrapped_forms(line, read) or _OF_A_PRINT.fullmatch(line)) for line in lines):
        return None
    return read(repr(block.strip()))


def whole_row(line: str) -> bool:
    """Return whether a line is a row of more than four words with commas between them: "a, b, c, d, e"."""
    words = line.split(", ")
    return len(words) > _FEW_WORDS and all(_ROW_WORD.fullmatch(word) for word in words)


def of_reply(text: str, read: Reader, *, whole: bool = True) -> str | None:
    """Return the string that a reply without marks gives in its last box, behind a label, or as rows.

    `whole`: also read a whole reply of at most four words.
    """
    text = text.strip()
    lines = [line for line in text.split("\n") if line.strip()]
    if not lines:
        return None
    fences = list(FENCE.finditer(text))
    closed = bool(fences) and not text[fences[-1].end() :].strip()
    last = fences[-1].group(1) if closed else text
    rows = [line for line in last.split("\n") if line.strip()]
    if len(rows) > 1 and all(ROW.fullmatch(row) for row in rows):
        whole = closed or len({len(row.split()) for row in rows}) == 1  # a last row that is shorter was cut
        return between_marks(last, read) if whole and not HEDGED.search(lines[0]) else None
    boxes = list(boxes_in(text))
    is_last = bool(boxes) and len(text) - boxes[-1][1] < 10 and not CHANGES.match(text[boxes[-1][1] :])
    if is_last and len({content for content, _ in boxes}) == 1:
        return of_line(_BOX_TEXT.sub(r"\1", boxes[-1][0]), read)
    if len(lines) == 1 and whole_row(lines[0]):
        return read(repr(text))
    if len(lines) == 1 and (label := _LABEL.fullmatch(lines[0])) is None:
        return _few_words(lines[0], read) if whole else None
    label = _LABEL.fullmatch(lines[-1].strip())
    if label is None or (len(lines) > 1 and HEDGED.search(lines[-2][-200:])) or retracts(label.group(1)):
        return None
    return _few_words(label.group(1).strip(" *_`"), read)


def _few_words(line: str, read: Reader) -> str | None:
    line = line.strip()
    marked = re.fullmatch(r"[^\w\s'\"\[({<]+\s+(.+)", line)
    if marked and read(marked.group(1)) is not None:  # "∴ 7"
        return None
    if re.fullmatch(r"[a-z]", line):  # a variable
        return None
    if len(line.split()) > _FEW_WORDS or _SPEAKS.search(line) or line.endswith((".", ":")):
        return None
    return of_line(line, read)
