"""Find the answer tags of a model's reply, and tell which of them do not hold its answer.

tags("so [ANSWER]1[/ANSWER]") -> [Tag(content="1", closed=True, ..)]
is_echo(text, tag)         the form is repeated: "[ANSWER] and [/ANSWER]", "for example [ANSWER]5[/ANSWER]"
is_doubtful(text, tag)     the tag is part of a choice ("[ANSWER]5[/ANSWER] or ..") or is taken back later
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from msgspec import Struct

from deskcheck.grading.cues import QUESTION, TAGS

_OPEN = re.compile(r"\[answer\]", re.IGNORECASE)
_CLOSE = re.compile(r"\[/answer\]", re.IGNORECASE)
# Misspelled tags; an opening tag in the place of a closing one also closes.
_ANY = re.compile(r"[\[【<]{1,2}\s*(/?)\s*answer\s*(/?)\s*[\]】>]{1,2}", re.IGNORECASE)
_NOUNS = "|".join(sorted(TAGS, key=len, reverse=True))
_NAMES = rf"(?:[A-Za-z]{{1,12}}[ _-]){{0,2}}(?:{_NOUNS})(?:[ _-][A-Za-z]{{1,12}}){{0,2}}"
# Other names count as pairs: <result>..</result> in any case, [RESULT]..[/RESULT] in capitals.
_NAMED = re.compile(
    rf"<(?P<angle>(?i:{_NAMES}))>(?P<inside>.*?)</(?P=angle)\s*>|"
    rf"\[(?P<square>(?i:{_NAMES}))\](?P<within>.*?)\[/(?P=square)\]",
    re.DOTALL,
)
_PROGRAM = re.compile(r"^[ \t]*(?:def|class|from|import|while|for)\s+\w", re.MULTILINE)
"""A program between answer tags; some prompts ask for a completed program before its output."""
_TURN = re.compile(
    r"<\|(?:user|endoftext|im_end|im_start|eot_id|end_of_text|end|return)\|>|</s>|<｜end▁of▁sentence｜>"
)
_EDGE = r"[\s`'\"*_.…?？:：,-]*"
_PLACEHOLDER = re.compile(
    rf"{_EDGE}(?:and|or|和|与|to|xxx|tags?|你的答案|答案|(?:your|the|final|my)?[ _]?(?:final[ _])?"
    rf"(?:answer|output|value|literal|solution|result)(?:[ _](?:here|goes here))?)?{_EDGE}",
    re.IGNORECASE,
)
_LONGEST_PLACEHOLDER = 200  # characters
EXAMPLE = re.compile(
    r"\b(?:e\.g\.|for (?:example|instance)|(?:an )?example|like this|such as|instructions?|template|"
    r"would (?:write|look)|asked (?:me )?to)\b|\be\.g\.|例如|比如",
    re.IGNORECASE,
)
_FORM = re.compile(r"\b(?:form|format)\b|格式", re.IGNORECASE)
_IN_FORM = re.compile(
    r"\b(?:in|using|with|following|per|to)\s+(?:\w+ ){0,4}(?:form|format)\b|按.*格式", re.IGNORECASE
)
_AS_ASKED = re.compile(
    r"\b(?:per|in|following|with) (?:the|your) (?:given )?(?:examples?|instructions?|template)\b",
    re.IGNORECASE,
)
"""Words of a reply that follows the requested form, and so does not merely repeat it."""
_BACK = re.compile(
    r"\b(?:wait|actually|correction|correct(?:ed|ing) (?:answer|that|myself)|scratch that|on second thought|"
    r"i (?:made|was) (?:a mistake|mistaken|wrong)|my mistake|i meant|should (?:be|have been)|instead|"
    r"(?:that|this|it|which|above) (?:is|was|answer is) (?:wrong|incorrect|not (?:right|correct))|"
    r"rather|disregard|ignore|retract|oops|sorry|no,|not \S{1,20},? but|but (?:it|the|maybe|perhaps)|"
    r"alternatively|or (?:maybe|perhaps|possibly)|could also|might (?:also )?be|not sure|unsure|guess|"
    r"just (?:an example|kidding))\b|不对|更正|应该是|抱歉|或者|也可能|其实",
    re.IGNORECASE,
)
_CHOICE = re.compile(
    r"[\s,/|;.]*(?:or|and|或|或者|和)?[\s,]*(?:maybe|perhaps|possibly|else|also)?\s*", re.IGNORECASE
)


_TIRED = re.compile(
    r"\b(?:hmm+|let me (?:re|check|verify|double|think|try|recount)|re-?check|double-?check|on reflection|"
    r"strike that|scrap that|mistaken|typo|that (?:can't|cannot) be|changed my mind|second look|"
    r"take (?:that|it) back)\b",
    re.IGNORECASE,
)


class Tag(Struct, frozen=True):
    """One answer tag: its content, and the beginning and end of the tag with its marks."""

    content: str
    closed: bool
    """Whether the closing tag is there."""
    start: int
    end: int


def last_tag(text: str) -> Tag | None:
    """Return the last [ANSWER] tag; it may lack its closing tag, because some runs stop a model there."""
    marks = list(_OPEN.finditer(text))
    if not marks:
        return None
    opened = marks[-1]
    close = _CLOSE.search(text, opened.end())
    end = close.start() if close else len(text)
    return Tag(text[opened.end() : end], close is not None, opened.start(), close.end() if close else end)


def outermost(text: str) -> str | None:
    """Return the text between the first opening and the last closing tag; None for a single pair or none."""
    opened = _OPEN.search(text)
    closes = [match.start() for match in _CLOSE.finditer(text)]
    if opened is None or not closes or closes[-1] < opened.end():
        return None
    inside = text[opened.end() : closes[-1]]
    return inside if _OPEN.search(inside) else None


def tags(text: str) -> list[Tag]:
    """Return all tags in any spelling: [ANSWER] tags, or else pairs of another name of `cues.TAGS`.

    Where the last [ANSWER] holds a program, pairs of another name behind it count instead.
    """
    found = _of_answer(text)
    if ("</" not in text and "[/" not in text) or (found and not _PROGRAM.search(found[-1].content)):
        return found
    named = [
        Tag(match["inside"] if match["angle"] else match["within"], True, match.start(), match.end())
        for match in _NAMED.finditer(text, found[-1].start + 1 if found else 0)
        if (match["angle"] or match["square"]).lower() != "answer"
    ]
    return named or found


def of_first_question(text: str, tags: list[Tag]) -> list[Tag]:
    """Return the tags before the place where a model that did not stop asks itself another question."""
    for number, tag in enumerate(tags[1:], 1):
        before = tags[number - 1]
        if before.closed and QUESTION.search(text[before.end : tag.start]):
            return tags[:number]
    return tags


def _of_answer(text: str) -> list[Tag]:
    """Return the [ANSWER] tags in any spelling; a text before a lone closing tag is a tag, too."""
    marks = list(_ANY.finditer(text))
    tags: list[Tag] = []
    number = 0
    while number < len(marks):
        mark = marks[number]
        closing = bool(mark.group(1) or mark.group(2))
        following = marks[number + 1] if number + 1 < len(marks) else None
        if closing and number == 0 and text[: mark.start()].strip():
            tags.append(Tag(text[: mark.start()], True, 0, mark.end()))
            number += 1
            continue
        content = text[mark.end() : following.start() if following else len(text)]
        if following is None:
            if not closing:
                tags.append(Tag(content, False, mark.start(), len(text)))
            break
        ends = bool(following.group(1) or following.group(2)) or (not closing and number + 2 == len(marks))
        if (not closing or number == 0) and ends:
            tags.append(Tag(content, True, mark.start(), following.end()))
            number += 2
        else:
            if not closing:
                tags.append(Tag(content, False, mark.start(), following.start()))
            number += 1
    return tags


def first_turn(text: str) -> str:
    """Return the reply without chat marks: the text before the mark that ends the turn."""
    if "<" not in text:
        return text
    parts = [part for part in _TURN.split(text) if part.strip()]
    text = parts[0] if parts else text
    said, next_turn, _ = text.partition("<|assistant|>")
    return said if next_turn and _CLOSE.search(said) else text


def is_echo(text: str, tag: Tag) -> bool:
    """Return whether a tag repeats the requested form instead of answering."""
    content = tag.content.strip()
    quoted = len(content) > 1 and content[0] == content[-1] and content[0] in "'\""
    # A quoted text is a string, not a placeholder. On a long run of dashes the pattern would take seconds.
    if not quoted and len(content) <= _LONGEST_PLACEHOLDER and _PLACEHOLDER.fullmatch(content):
        return True
    before = text[max(0, tag.start - 80) : tag.start]
    line = before.rpartition("\n")[2]
    if not line.strip() and before.rstrip().endswith((":", "：")):  # "for example:" is in the line above
        line = before.rstrip().rpartition("\n")[2]
    line = _AS_ASKED.sub("", line)
    named = bool(_FORM.search(line)) and not _IN_FORM.search(line)
    return named or bool(EXAMPLE.search(line))


def is_doubtful(text: str, tag: Tag, among: Sequence[Tag] | None = None) -> bool:
    """Return whether the tag is one of several answers on offer, or is taken back in the text behind it.

    `among`: the tags to look at; None = all tags of the text.
    """
    if retracts(text[tag.end :]):
        return True
    others = [one for one in (tags(text) if among is None else among) if one.end <= tag.start]
    if not others:
        return False
    if _wanders(text, [*others, tag]):
        return True
    previous = others[-1]
    differs = previous.content.strip() != tag.content.strip()
    return differs and previous.closed and bool(_CHOICE.fullmatch(text[previous.end : tag.start]))


def _wanders(text: str, tags: Sequence[Tag]) -> bool:
    """Return whether the last tags follow one another closely with ever new contents: nothing is settled."""
    last = tags[-4:]
    gaps = [after.start - before.end for before, after in pairwise(last)]
    return len(last) == 4 and max(gaps) < 80 and len({one.content.strip() for one in last}) > 2


def retracts(after: str) -> bool:
    """Return whether the words after an answer take it back or offer another one; code after it does not."""
    words = re.split(r"```|\n\s*(?:def|assert|import|class) ", after, maxsplit=1)[0]
    start = words[:400]
    return bool(_BACK.search(start) or _TIRED.search(start)) or bool(
        re.match(r"\s*(?:or|或)\b", words, re.IGNORECASE)
    )
