"""Read a number as people write it in a sentence: with separators, a currency, a unit, after a calculation.

    quantity("118,558 houses.")                   -> ("118558", 14)
    quantity("11 + 8 + 6 = 25. So the quilt ..")   -> ("25", 15)
    of_sentence("There are 24 words in the list.", read) -> "24"     a whole reply of one sentence

`1,234` as a whole reply may be a tuple: it is not read as a number (`forms.is_whole` refuses it).
"""

from __future__ import annotations

import re
from collections.abc import Callable

from deskcheck.grading.cues import SCALES, STATEMENT_LANGUAGES

_NUMBER = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\d,]\d)|\d+(?:\.\d+)?(?![\d,]\d)"
_NO_UNIT = (
    r"times|plus|minus|divided|multiplied|modulo?|mod|more|less|fewer|elements?|items?|entries|lines?|values?|"
    r"characters?|digits?|numbers?|strings?|lists?|tuples?|keys?|spaces?|rows?|columns?|or|and|not|if|unless|to|"
    r"before|after|during|until|so|initially|in|for|when|but|because|since|with|at|on|by|of|from|is|are|as|which|then|instead|possible|than|smaller|larger|greater|bigger|higher|lower|again|twice|thrice|per|repeatedly|\w+ed|\w+ing|"
    rf"{SCALES}"
)
"""Words behind a number that make it a part of an expression, a count of something or a condition."""
_WORD = rf"(?!(?:{_NO_UNIT})\b)[A-Za-z²³][A-Za-z²³'’-]*"
_UNIT = (
    rf"\s?\\?[%°]|\s+{_WORD}"
    r"(?:\s+(?!(?:or|not|if|unless|and|but|plus|minus|times|before|until)\b)[A-Za-z²³'’-]+){0,11}"
)
_QUANTITY = re.compile(
    rf"(?:[\d\s.,+\-*/×÷x()%$]{{1,200}}=\s*)?(?P<sign>[-−]?)\\?[$€£¥]?(?P<number>{_NUMBER})(?P<unit>{_UNIT})?"
    r"(?=[*_`$\\)]*(?:[.!][*_`]*(?:\s+[A-Z(]|\s*\Z)|\s*\Z))"
)
_LEAD = re.compile(r"[\s*_`:]*")
_HEDGES = re.compile(
    "|".join(
        rf"\b(?:{'|'.join(map(re.escape, row.hedges))})\b" for row in STATEMENT_LANGUAGES if row.code == "en"
    ),
    re.IGNORECASE,
)
_STATES = re.compile(
    r"(?:there (?:are|is|were|will be)(?: a total of| exactly| only)?|"
    r"(?:(?:after|by|upon|in|having|according to|based on) [^.,\d]{1,100}, )?"
    r"(?:the|this|that|it|your|our)\b[^.\d]{0,120}?\s"
    r"(?:contains?|has|have|holds|includes?|comprises|consists of|is|are|was|were|equals|will be)"
    r"(?: exactly| a total of| only| equal to)?|"
    r"[^.\d]{1,200}\b(?:ultimately|finally|eventually|in the end)\b[^.\d]{0,60}?\s"
    r"(?:arriv|result|end|lead|return|reach|giv|yield)\w*(?: (?:at|in|with|to|on))?"
    r"(?: (?:the|a))?(?: (?:final|return|last))?(?: (?:value|result|output|number))?(?: of)?)\s+",
    re.IGNORECASE,
)
"""Beginning of a sentence about any subject, up to the number that it states."""
_OTHER_SUBJECT = re.compile(
    r"\b(?:inputs?|arguments?|parameters?|counter|index|condition|iterations?|steps?|loops?|rounds?|"
    r"initial(?:ly)?|current(?:ly)?|so far|now|previous|expected|example|starts?|begins?|variables?|line|"
    r"before|until|next|key|remainder|\w+_\w+|intermediate|partial|temporary|interim|running|"
    r"(?:of|in) the (?:\w+ )?(?:result|output|answer))\b",
    re.IGNORECASE,
)
"""Words of a sentence about a step of the run instead of its result."""
_QUOTED = re.compile(r"`[^`\n]+`|\"[^\"\n]*\"|'[^'\n]*'")
_COUNTS = re.compile(
    r"\bthere\b|\b(?:contains?|has|have|holds|includes?|comprises|consists of)\b", re.IGNORECASE
)
"""Words of a sentence that counts things; the name of the things may follow the number."""
_PROGRAM_WORDS = re.compile(
    r"\b(?:lists?|strings?|tuples?|dict\w*|sets?|arrays?|elements?|items?|lengths?|functions?|methods?|calls?|code|"
    r"programs?|outputs?|returns?|prints?|raises?|errors?|exceptions?|loops?|values?|variables?|characters?)\b",
    re.IGNORECASE,
)
"""Words of a sentence about a program, where a number may be a part of something."""
_SCALED = re.compile(
    rf"\d\s+(?:{SCALES})\b|\b(?:twice|thrice|half|third|quarter|double|triple|than)\s+(?:of\s+)?[$€£¥]?\d",
    re.IGNORECASE,
)
"""Words beside a number that make it another number: "4 million", "half of 4", "more than 4"."""
_DATE = re.compile(r"(\d{1,2}/\d{1,2}/\d{4}|\d{4}-\d{2}-\d{2})(?=[.*_`]*\s*\Z)")
_THEREFORE = re.compile(
    r"(?:therefore|thus|hence|in total|so in total|in conclusion|finally),\s+", re.IGNORECASE
)
_POINT = re.compile(r"\s*(?:\d{1,4}[.)]?(?=\s|$)|[-*•])")
"""Beginning of a line in a list of the things that a sentence counts."""
_LONGEST = 240  # characters of a sentence that is read


def quantity(text: str) -> tuple[str, int] | None:
    """Return the number at the beginning of a text and the place behind its unit.

    None if the text begins otherwise, does not end a sentence behind the unit, or holds a word of doubt.
    """
    lead = _LEAD.match(text)
    start = lead.end() if lead else 0
    found = _QUANTITY.match(text, start)
    if found is None or _HEDGES.search(found.group()):
        return None
    return found["sign"].replace("−", "-") + found["number"].replace(",", ""), found.end()


def of_answer(text: str) -> str | None:
    """Return the only number of a sentence that stands behind "Answer:": "Mary has 10 marbles now.".

    A date at its beginning is returned as a string. None for a sentence about a program.
    """
    text = text.strip().lstrip("*_` ")
    if (date := _DATE.match(text)) is not None:
        return repr(date[1])
    if len(text) > _LONGEST or "\n" in text or "?" in text or _HEDGES.search(text):
        return None
    numbers = list(re.finditer(rf"(?<![\w.,-])(-?)[$€£¥]?({_NUMBER})(?![\w/*+^=-]|\.\d)", text))
    if len(numbers) != 1 or len(re.findall(r"\d+", text)) != len(re.findall(r"\d+", numbers[0][0])):
        return None
    if (
        _PROGRAM_WORDS.search(text)
        or _SCALED.search(text)
        or not re.match(r"[A-Z0-9$€£¥][^\[\]{}()=+*<>^\\'\"]*\Z", text)
    ):
        return None
    return numbers[0][1] + numbers[0][2].replace(",", "")


def of_conclusion(line: str, read: Callable[[str], str | None]) -> str | None:
    """Return the only number of a closing sentence such as "Therefore, he made 48 dollars."; else None."""
    concludes = _THEREFORE.match(line.strip()) if len(line) <= _LONGEST else None
    if concludes is None or not line.strip().endswith((".", "!")) or _OTHER_SUBJECT.search(line):
        return None
    rest = line.strip()[concludes.end() :]
    only = None if ". " in rest else of_answer(rest[:1].upper() + rest[1:])
    return None if only is None else read(only)


def of_sentence(text: str, read: Callable[[str], str | None]) -> str | None:
    """Return the only number in a reply of one sentence: "The list contains 100 letters."."""
    first, _, rest = text.strip().partition("\n")
    is_counted = first.endswith(":") and all(_POINT.match(line) for line in rest.split("\n") if line.strip())
    text = f"{first[:-1]}." if is_counted and rest else text.strip()
    if len(text) > _LONGEST or "\n" in text or not text.endswith((".", "!")) or "?" in text:
        return None
    plain = _QUOTED.sub("", text)
    if _OTHER_SUBJECT.search(plain):
        return None
    states = _STATES.match(plain)
    if states is None or _HEDGES.search(plain):
        return None
    number = re.compile(rf"[*_`]*(?P<number>-?(?:{_NUMBER}))(?![\w/*+^=])").match(plain, states.end())
    if number is None or re.search(r"[\d\[\]{}=]|\.\s|\.\.", plain[number.end() :]):
        return None
    if not _COUNTS.search(states.group()) and quantity(plain[number.start() :]) is None:
        return None  # "is 17 repeated twice"
    return read(number["number"].replace(",", ""))
