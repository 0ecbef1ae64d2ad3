"""Find the answer in a reply at a named extraction level; docs/grading.md lists what each level reads.

    extract(completion, "usual", read) -> Answer("[1, 2]") | NoAnswer("unparsable", ..)

exact     the requested form: a literal or "raises X" in the last [ANSWER] tag, or as the whole reply
usual     the same in the wrapping of real replies: markdown, LaTeX, labels, sentences in many languages,
          asserts, error messages, tags of other names, code fences, tables, a text without quotes at the
          place of the answer
generous  also JSON's true, false and null, a bare text as the whole reply, text in a tag that is not
          closed, an answer before more code

An answer found at one level is the same at every more generous level. No level accepts a choice ("5 or 6"), a
retracted answer, an example of the form, a literal with omitted parts ("[1, ..., 9]") or "1,234". Reasoning
is never searched. `VERSION` is increased when the reading of any reply changes: verdicts of two versions are
not compared.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Literal, get_args

from deskcheck.errors import UnknownName
from deskcheck.grading import displays, places, wrapping
from deskcheck.grading.cues import THINKING
from deskcheck.grading.envelopes import language_of, opened
from deskcheck.grading.forms import is_whole, without_stop
from deskcheck.grading.plain import in_one_line
from deskcheck.languages import MAX_CHARS
from deskcheck.records import Answer, Completion, NoAnswer

Level = Literal["exact", "usual", "generous"]
LEVELS: tuple[Level, ...] = get_args(Level)
VERSION = 11
Reader = Callable[[str], str | None]
"""Function from a short text without wrapping to the answer in it; None if the text is not an answer."""

_REFUSAL = re.compile(
    r"\b(?:i can(?:no|')t|i(?: a|')m (?:unable|not able|sorry)|i apologi[sz]e|as an ai|i won't|i will not)\b"
    r"|\bi do not have enough information\b|我(?:无法|不能)|抱歉",
    re.IGNORECASE,
)
_SHOWN = 200  # characters of an unparsable answer that are stored as detail


def level_name(level: Level) -> str:
    """Return the level with `VERSION`, as stored in results: "usual-11" for version 11."""
    return f"{level}-{VERSION}"


def check_level(level: str) -> Level:
    """Return the level of that name. UnknownName for any other name."""
    for known in LEVELS:
        if known == level:
            return known
    raise UnknownName("extraction level", level, list(LEVELS))


def extract(completion: Completion, level: Level, read: Reader) -> Answer | NoAnswer:
    """Return the answer of one completion at this level, or the reason for no answer.

    `read` decides which texts are answers to the task.
    """
    if completion.finish_reason == "error":
        return NoAnswer("error", completion.text[:_SHOWN])
    cut = completion.finish_reason == "length"
    text = without_thinking(completion.text)
    if text is None:
        return NoAnswer("truncated" if cut else "unparsable", "thinking never ended")
    tagged = places.last_tag(text)
    if cut and not (tagged and tagged.closed):
        return NoAnswer("truncated", text[-_SHOWN:])
    for stage in LEVELS[: LEVELS.index(level) + 1]:
        if (found := _STAGES[stage](text, read)) is not None:
            return Answer(found)
    shown = (tagged.content if tagged else text).strip()
    if completion.finish_reason == "content_filter" or _REFUSAL.search(shown[:_SHOWN]):
        return NoAnswer("refused", shown[:_SHOWN])
    return NoAnswer("unparsable", shown[:_SHOWN] or "empty")


def without_thinking(text: str) -> str | None:
    """Return the text after the reasoning; None if the reasoning never ended."""
    head = text.lstrip()
    for opening, closing in THINKING:
        if head.startswith(opening) and (closing in head or opening[0] in "<◁"):
            _, ended, rest = head.partition(closing)
            return rest if ended else None
    for _, closing in THINKING[:2]:  # some servers remove the opening tag
        if closing in text:
            return text.partition(closing)[2]
    return text


def _exact(text: str, read: Reader) -> str | None:
    text = places.first_turn(text)
    tag = places.last_tag(text)
    if tag is None or not tag.closed:
        found = _plain(text, read) if without_stop(text, read) == text else None
        if tag is None or found is not None:
            return found  # the answer may be a string that holds an opening tag
    if (whole := places.outermost(text)) is not None and (found := _plain(whole, read)) is not None:
        return found  # the answer is a string that holds tags
    if places.is_echo(text, tag) or places.is_doubtful(text, tag):
        return None
    return _plain(tag.content, read)


def _in_first_part(text: str, read: Reader, stage: Callable[[str, Reader], str | None]) -> str | None:
    """Return the answer before the first question that a model asks itself, or else after the last question.

    A reply without such a question is searched as a whole.
    """
    text = displays.without_cut_mark(displays.without_examples(places.first_turn(text)))
    for part in (displays.before_question(text), displays.last_part(text)):
        if not part:
            continue
        lines = displays.plain_displays(displays.in_tags(part))
        joined = in_one_line(lines, lambda value: read(value) if opened(value, read) is None else None)
        for form in dict.fromkeys((lines, joined)):
            if (value := stage(form, read)) is not None:
                return value
    return None


def _usual(text: str, read: Reader) -> str | None:
    return _in_first_part(text, read, _usual_of_part)


def _generous(text: str, read: Reader) -> str | None:
    return _in_first_part(text, read, _generous_of_part)


def _usual_of_part(text: str, read: Reader) -> str | None:
    tags = places.tags(text)
    real = places.of_first_question(text, [tag for tag in tags if not places.is_echo(text, tag)])
    if real:
        tag = real[-1]
        if len(real) == 1 and tag is not tags[-1] and places.retracts(text[tag.end : tags[-1].start]):
            return None
        if places.is_doubtful(text, tag, real):
            return None
        if (value := wrapping.unwrapped(tag.content, read)) is not None or not tag.closed:
            return value
        return wrapping.text_in_marks(tag.content, read)
    if tags:  # only echoes of the form: the answer can only be in the text before them
        text = text[: tags[0].start]
    return wrapping.in_prose(text, read) or wrapping.text_of(text, read)


def _generous_of_part(text: str, read: Reader) -> str | None:
    tags = [tag for tag in places.tags(text) if not places.is_echo(text, tag)]
    real = places.of_first_question(text, tags)
    if real:
        if places.is_doubtful(text, real[-1], real):
            return None
        return wrapping.loosely(real[-1].content, read, closed=real[-1].closed)
    return wrapping.loosely_in_prose(text, read)


_STAGES: dict[Level, Callable[[str, Reader], str | None]] = {
    "exact": _exact,
    "usual": _usual,
    "generous": _generous,
}


def _plain(text: str, read: Reader) -> str | None:
    text = text.strip()
    if (
        not text
        or len(text) > MAX_CHARS
        or not is_whole(text, language_of(read))
        or opened(text, read) is not None
    ):
        return None
    return read(text)
