"""Make the patterns that find a reply's statement of its answer, from the words of `cues.py`.

In this folder a head is the words of a statement before its value: "the answer is", "f(3) returns".

all_heads()       the patterns of each language: "the answer is", "the function returns", "raises KeyError"
calls(line)       "f(3) returns", "f(3) =": a call and a verb or a mark, except calls such as len(..)
bare_statement()  a closing line about anything: "So it returns", "The value of x is"
title()           a line that only names an answer: "### Output"
closings()        verbs before the last value of a closing line: "x holds 7"
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from msgspec import Struct

from deskcheck.grading.cues import (
    ADVERBS,
    JOINS,
    LABELS,
    NO_ENTRY,
    STATEMENT_LANGUAGES,
    StatementLanguage,
)

_HEADING = r"(?:the |my |its |our )?(?:final |correct |expected |returned |exact |predicted )?"
CONNECTIVES = (
    r"(?:(?:so|thus|hence|therefore|finally|in conclusion|in summary|to summarize|as a result|and|then|"
    r"sure|okay|ok|"
    r"consequently|overall|∴|we (?:get|have|see|find)(?: that)?|this means(?: that)?|i believe|"
    r"(?:when|given|for|with|calling|after|at|based on) [^,\n]{1,120},)[,:!]?\s+)*"
)


class Heads(Struct, frozen=True):
    """Patterns of one language: heads that name an answer, a program or an exception, and words beside them.

    `nouns`: words of which a line holds at least one if it has a head; a quick test before the patterns.
    """

    cues: StatementLanguage
    answer: re.Pattern[str]
    program: re.Pattern[str]
    raises: re.Pattern[str] | None
    raised: re.Pattern[str] | None
    fillers: re.Pattern[str]
    tails: re.Pattern[str]
    hedges: re.Pattern[str]
    nouns: tuple[str, ...]


def _words(words: Sequence[str]) -> str:
    """Return a pattern of any of these words; without words it matches nothing."""
    return (
        "(?!)"
        if not words
        else "|".join(re.escape(one).replace(r"\ ", r"\s+") for one in sorted(words, key=len, reverse=True))
    )


@lru_cache(maxsize=1)
def all_heads() -> tuple[Heads, ...]:
    """Return the patterns of every language, in the order of `STATEMENT_LANGUAGES`: English first."""
    return tuple(heads_of_language(cues) for cues in STATEMENT_LANGUAGES)


def heads_of_language(cues: StatementLanguage) -> Heads:
    """Make the patterns of one language from its words."""
    spaced = cues.spaced
    left, right = (r"(?<![\w'’\"-])", r"(?!\w)") if spaced else ("", "")
    labels = rf"\s*(?:{_words(LABELS)})+"
    named = r"(?:\s+[*_`]*[A-Za-z_]\w*[*_`]*)?" if spaced else ""
    aside = r"(?:[*_`]*\s*\([^()\n]{0,80}\))?"
    gap = (
        rf"(?:\s+(?:{_words(JOINS)})\b(?:[^.!?;:\n]|[.:](?=\S)){{0,160}}?)??"
        if spaced
        else r"[^。！？；：:\n]{0,40}?"
    )
    adverbs = rf"(?:\s+(?:{_words(ADVERBS)}))*"
    copulas = rf"{gap}[*_`\"]*{adverbs}" + (
        rf"(?:\s+(?:{_words(cues.copulas)}){right}|\s*[:：](?=\s|$))"
        if spaced
        else rf"(?:{_words(cues.copulas)})"
    )
    of_name = r"(?:\s+(?:of|for)\s+[*_`]*[A-Za-z_]\w*[*_`]*)?" if spaced else ""
    announces = rf"{aside}[*_`\"]*(?:{copulas}|{of_name}{labels})"
    verbs = rf"\s+(?:{_words(cues.verbs)}){right}" if spaced else rf"(?:{_words(cues.verbs)})"
    name = r"[*_`]*(?P<name>(?:[A-Za-z_<][\w<>]{0,60}\.){0,6}[A-Z]\w{0,80})[*_`]*"
    before_tail = r"[\s,，;(（—–-]*" if spaced else r"[\s,，、]*"
    fillers = _words(cues.fillers) if cues.fillers else r"(?!)"
    tail_words = _words(cues.tails) if cues.tails else r"(?!)"
    hedges = (*cues.hedges, *STATEMENT_LANGUAGES[0].hedges)  # models mix English in
    raises = raised = None
    if cues.raises:
        raises = re.compile(
            rf"{left}(?:{_words(cues.raises)}):?{right}\s*(?:an?\s+|une?\s+|einen?\s+|了?一个\s*)?{name}",
        )
    if cues.raised:
        gap_before = r"\s+" if spaced else r"\s*"
        kinds = "Error|Exception|Warning|Exit|Interrupt|Iteration"
        error = rf"(?P<name>(?:[A-Za-z_]\w{{0,60}}\.){{0,6}}\w{{0,60}}(?:{kinds}))"
        raised = re.compile(rf"[*_`]*{error}[*_`]*{gap_before}(?:{_words(cues.raised)}){right}")
    return Heads(
        cues,
        re.compile(
            rf"{left}(?:{_words(cues.answers)}){right}{announces}(?:\s+that\s+it\s+is)?",
            re.IGNORECASE,
        ),
        re.compile(
            rf"{left}(?:{_words(cues.programs)}){right}{named}{aside}{gap}{adverbs}{verbs}", re.IGNORECASE
        ),
        raises,
        raised,
        re.compile(
            rf"[\s,]*(?:{fillers}){right}(?!\()[\s:：]*|[\s:：=*]+(?:->|→|=>|⇒)?",
            re.IGNORECASE,
        ),
        re.compile(
            rf"{before_tail}(?:{tail_words}){right}", re.IGNORECASE
        ),
        re.compile(
            rf"{left}(?:{_words(hedges)}){right}|n't\b" if spaced else _words(cues.hedges),
            re.IGNORECASE,
        ),
        tuple({one.split()[-1].lower() for one in (*cues.answers, *cues.programs)}
              | {one.split()[-1].lower() for one in (*cues.raises, *cues.raised)}),
    )  # fmt: skip


@lru_cache(maxsize=1)
def bare_statement() -> re.Pattern[str]:
    """Return the pattern of a whole line with any subject: "So it returns", "The value of x is"."""
    english = STATEMENT_LANGUAGES[0]
    verbs = _words([*english.copulas, *english.verbs])
    subject = (
        r"(?:it|this|that|which|what [^,.\n]{1,60}?|(?:the )?\?\?+|"
        r"the (?:(?:final|resulting|returned|sorted|output|whole|new) )*"
        r"(?:list|string|value|expression|dictionary|set|tuple|array|number)(?: returned| printed)?|"
        r"the (?:final |numerical )*value (?:of|for) [^.\n]{1,80}?|`?[A-Za-z_][\w.]*`?)"
    )
    return re.compile(
        rf"{CONNECTIVES}{subject}(?:\s+(?:{_words(ADVERBS)}))*"
        rf"\s+(?:{verbs})(?!\w)|{CONNECTIVES}(?:it|that|this)['’]s\b|{CONNECTIVES}(?:returns?(?:\s*[:=]|\s(?!the\s\w+\s\w))|"
        r"a\s*:|(?:returned|value|final|evaluation|conclusion|console|printed)\s*[:=]|"
        r"(?:replace )?\?\?+(?: (?:should|must) be)? (?:replaced )?(?:with|by)\b|"
        r"(?:i|we|you|one)(?:['’]d| will| would)?\s+"
        r"(?:get|gets|obtain|arrive at|end up with|return|print|predict)\b)",
        re.IGNORECASE,
    )


@lru_cache(maxsize=1)
def title() -> re.Pattern[str]:
    """Return the pattern of a line that only names an answer: "### Output"."""
    nouns = _words([noun for cues in STATEMENT_LANGUAGES for noun in cues.answers])
    return re.compile(rf"[\W_]*{_HEADING}(?:{nouns})[\W_]*", re.IGNORECASE)


def calls(line: str) -> Iterator[re.Match[str]]:
    """Yield the matches of "f(3) returns" and "f(3) =" in a line, but not of "len(x) =" and the like."""
    for head in _call().finditer(line):
        inside = head.group().endswith(":") and line[: head.start()].strip("`")  # {frozenset(): 1}
        if head.group("name").rpartition(".")[2] not in NO_ENTRY and not inside:
            yield head


@lru_cache(maxsize=1)
def _call() -> re.Pattern[str]:
    verbs = _words([verb for cues in STATEMENT_LANGUAGES for verb in cues.verbs if cues.spaced])
    close = _words([verb for cues in STATEMENT_LANGUAGES for verb in cues.verbs if not cues.spaced])
    return re.compile(
        rf"(?<![\w.])(?P<name>[A-Za-z_][\w.]*)\([^\n]{{0,400}}?\)`?(?:\s+(?:{_words(ADVERBS)}))*"
        rf"(?:\s+(?:is|equals|{verbs})(?!\w)|\s*(?:==|=|->|→|=>|⇒|:(?=\s))(?!=)|\s*(?:{close}))",
        re.IGNORECASE,
    )


@lru_cache(maxsize=1)
def closings() -> tuple[tuple[re.Pattern[str], Heads], ...]:
    """Return the verbs before the value of a closing line, whatever its subject: "x holds 7"."""
    return tuple((_closing(language.cues), language) for language in all_heads())


def _closing(cues: StatementLanguage) -> re.Pattern[str]:
    copulas = cues.copulas if cues.code == "en" else ()
    verbs = _words([*copulas, *cues.verbs, *cues.closers])
    if not cues.spaced:
        return re.compile(rf"(?:{verbs})\s*[:：]?\s*")
    labels = r"|\s+=(?==?\s)=?|\s*[:：→](?=\s)" if cues.code == "en" else ""
    return re.compile(rf"(?<=[\w`)\]\"',])(?:\s+(?:{verbs})(?!\w){labels})\s*", re.IGNORECASE)
