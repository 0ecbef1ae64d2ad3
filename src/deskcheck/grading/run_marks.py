"""Find what a model's replies to many tasks share: the marks around their answers, and a repeated prompt.

    found_marks(replies, read)  -> Marks("<<<Output>>>", "[END-OF-RESPONSE]", 390, 400)
    shared_prompts(replies)      -> ("You are given ..",)      prompts with examples with which replies begin

A mark is a bracketed name, a heading or a label. A pair of marks is found if at least half of the replies
have a readable value between them. Found marks are used at the extraction level `generous` only.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from msgspec import Struct

from deskcheck.grading import displays, places
from deskcheck.grading.forms import Reader, unwrapped_forms

_MARK = re.compile(
    r"</?[A-Za-z_][\w .-]{0,30}>|\[/?[A-Z][A-Z_ -]{1,30}\]|<<<[^<>\n]{1,30}>>>|\{\{[^{}\n]{1,30}\}\}|"
    r"<\|[^|\n]{1,30}\|>|\\begin\{\w{1,20}\}|\\end\{\w{1,20}\}|"
    r"^#{1,4} [^\n]{1,40}$|^[ \t]*\**[A-Z][A-Za-z ]{1,30}\**:\**|@@[\w ]{1,30}|={3,}|-{3,}|\*{3,}",
    re.MULTILINE,
)
_FEWEST = 5
"""Replies that are needed to find marks or a shared prompt."""
_FEW = 3
"""Replies that suffice to find a prompt that holds the mark of a question."""
_LONGEST = 2_000
"""Largest number of characters of a value between marks."""
_SHORTEST_PROMPT = 200
"""Smallest number of characters of a common beginning that counts as a prompt."""
_MOST = 400
"""About as many replies, evenly spaced, are looked at."""


class Marks(Struct, frozen=True):
    """Marks between which the replies of a run hold their answers."""

    opening: str
    """Text directly before an answer, such as "[ANSWER]"."""
    closing: str
    """"" = the answer ends with the reply."""
    n_read: int
    """Replies with a readable value between these marks."""
    n_replies: int
    """Replies that were looked at."""

    @property
    def option(self) -> str:
        """The option of `grade` that names these marks."""
        return f"--marks '{self.opening},{self.closing}'"


def found_marks(replies: Sequence[str], read: Reader) -> Marks | None:
    """Return the pair of marks that most replies have around a readable value.

    None if fewer than half of the replies have it, or if there are fewer than five. Only the last 20,000
    characters of a reply are looked at.
    """
    looked = replies[:: max(1, len(replies) // _MOST)]
    if len(looked) < _FEWEST:
        return None
    counts: Counter[tuple[str, str]] = Counter()
    for reply in looked:
        counts.update(set(_readable(reply[-20_000:], read)))
    if not counts:
        return None
    (opening, closing), n_read = max(
        counts.items(), key=lambda one: (one[1], bool(one[0][1]), len(one[0][0]), one[0])
    )
    return Marks(opening, closing, n_read, len(looked)) if 2 * n_read >= len(looked) else None


def _readable(reply: str, read: Reader) -> Iterator[tuple[str, str]]:
    """Yield the marks before a readable value, each with the mark after it, or without one."""
    marks = list(_MARK.finditer(reply))
    last = {mark.group().strip(): number for number, mark in enumerate(marks)}
    for name, number in last.items():
        start = marks[number].end()
        following = marks[number + 1] if number + 1 < len(marks) else None
        end = following.start() if following else len(reply)
        content = reply[start:end].strip()
        if not content or len(content) > _LONGEST or name.startswith(("</", "[/", "\\end")):
            continue
        if unwrapped_forms(content, read) is not None:
            yield name, following.group().strip() if following else ""
            if following is not None:
                yield name, ""


def in_our_tags(reply: str, marks: Marks) -> str | None:
    """Return a reply with [ANSWER] tags in place of the marks; None if the opening mark is missing.

    If the last answer has no closing mark, it alone gets tags.
    """
    before, opened, rest = reply.rpartition(marks.opening)
    if not opened:
        return None
    inside, closed, after = rest.partition(marks.closing) if marks.closing else (rest, "", "")
    if not closed:
        return f"{before}[ANSWER]{_without_cut_mark(inside, marks.closing)}[/ANSWER]"
    pair = re.compile(rf"{re.escape(marks.opening)}(.*?){re.escape(marks.closing)}", re.DOTALL)
    return f"{pair.sub(_tagged, before)}[ANSWER]{inside}[/ANSWER]{after}"


def _tagged(pair: re.Match[str]) -> str:
    return f"[ANSWER]{pair.group(1)}[/ANSWER]"


def _without_cut_mark(text: str, closing: str) -> str:
    """Return a text without the beginning of a closing mark at which a reply was cut."""
    ends = (text.removesuffix(closing[:length]) for length in range(len(closing) - 1, 1, -1))
    return next((short for short in ends if short != text), text)


def _common(first: str, last: str) -> str:
    pairs = enumerate(zip(first, last, strict=False))
    return first[: next((place for place, (one, other) in pairs if one != other), min(len(first), len(last)))]


def shared_prompts(replies: Sequence[str]) -> tuple[str, ...]:
    """Return the prompts, up to their last example answer, that replies to different tasks repeat first.

    A run may have several such prompts, each for a group of tasks. In a reply that begins with a prompt, only
    the text behind the prompt is searched for an answer.
    """
    ordered = sorted(set(replies))
    shared = {_common(first, last) for first, last in zip(ordered, ordered[_FEWEST - 1 :], strict=False)}
    few = {_common(first, last) for first, last in zip(ordered, ordered[_FEW - 1 :], strict=False)}
    shared |= {one for one in few if displays.asks(one)} if len(ordered) >= _FEWEST else set()
    prompts = {one[: _end_of_examples(one)] for one in shared if len(one) >= _SHORTEST_PROMPT}
    return tuple(sorted(prompts - {""}))


def _end_of_examples(shared: str) -> int:
    tagged = max((tag.end for tag in places.tags(shared) if tag.closed), default=0)
    return tagged or displays.last_question(shared)
