"""Explain the unread replies of a run, and name the option that would read them.

    unread_of(scores, saved, levels, marks, whole=False) -> Unread(n=2124, n_replies=2130, shown=[..])

A score says nothing about a model whose replies were not read. If more than the share `MOST_UNREAD` of the
replies is unread, `failed` is true: `grade` then gives bounds instead of an interval, shows three of the
unread replies and ends with exit code 1.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from msgspec import Struct, field

from deskcheck.cell_files import MOST_UNREAD
from deskcheck.grading.extraction import LEVELS
from deskcheck.grading.places import tags
from deskcheck.grading.run_marks import Marks
from deskcheck.importers import SavedRun
from deskcheck.records import Score

_SHOWN = 3  # unread replies that `grade` prints


class UnreadReply(Struct, frozen=True):
    """One reply without a readable answer."""

    task_id: str
    sample: int
    end: str
    """The end of the reply."""
    reason: str
    option: str
    """Option of `grade` with which it is read; "" if none is known."""


class Unread(Struct, frozen=True):
    """Replies of a run that were there and could not be read."""

    n: int = 0
    n_replies: int = 0
    """Replies in the file, read or not."""
    shown: list[UnreadReply] = field(default_factory=list)
    by_reason: dict[str, int] = field(default_factory=dict)
    elsewhere: dict[str, int] = field(default_factory=dict)
    """Option -> how many of the unread replies it reads."""

    @property
    def failed(self) -> bool:
        """Whether so many replies are unread that no accuracy may stand alone."""
        return self.n > MOST_UNREAD * self.n_replies


def unread_of(
    scores: Sequence[Score],
    saved: SavedRun,
    levels: Mapping[tuple[str, int], Mapping[str, str]],
    marks: Marks | None,
    *,
    whole: bool,
) -> Unread:
    """Collect the unread replies with reasons; `whole` = the policy takes the whole text as the answer."""
    unread = [one for one in scores if one.verdict == "no answer" and one.reason == "unparsable"]
    n_replies = sum(one.reason not in ("not_asked", "error") for one in scores)
    explained = [
        _explained(one, saved, levels.get((one.task_id, one.sample), {}), marks, whole=whole)
        for one in unread
    ]
    options = Counter(one.option for one in explained if one.option)
    common = [one for one, _ in Counter(one.reason for one in explained).most_common()]
    first = sorted(explained, key=lambda one: common.index(one.reason))
    spread = [next(one for one in first if one.reason == reason) for reason in common[:_SHOWN]]
    rest = [one for one in first if one not in spread]
    return Unread(
        n=len(unread),
        n_replies=n_replies,
        shown=(spread + rest)[:_SHOWN],
        by_reason=dict(Counter(one.reason for one in explained).most_common()),
        elsewhere=dict(options.most_common()),
    )


def _explained(
    score: Score, saved: SavedRun, levels: Mapping[str, str], marks: Marks | None, *, whole: bool
) -> UnreadReply:
    reply = saved.in_our_marks(saved.texts[score.task_id][score.sample])
    reason, option = _why(reply, levels, marks, whole=whole)
    return UnreadReply(score.task_id, score.sample, reply.strip()[-160:], reason, option)


def _why(reply: str, levels: Mapping[str, str], marks: Marks | None, *, whole: bool) -> tuple[str, str]:
    """Return the likely reason why a reply is unread, and the option that would read it."""
    text = reply.strip()
    if not text:
        return "the reply is empty", ""
    read_at = next((level for level in LEVELS if levels.get(level) in ("right", "wrong")), "")
    if whole and read_at:
        return "the policy takes the whole text, and the answer stands in a longer one", "--policy strict"
    if marks is not None and marks.opening in reply:
        return f"the answer stands behind '{marks.opening}'", marks.option
    if read_at:
        return "the answer has no quotes, or is spelled as in JSON", f"--extraction {read_at}"
    if whole:
        return "the policy takes the whole text, and it is no literal", ""
    if text.startswith(("<think", "◁think")):
        return "the reasoning never ends", ""
    if tags(reply):
        return "the text between the answer tags is no single value", ""
    if re.search(r"```\s*\Z", text):
        return "the code at the end is no single value", ""
    if not re.search(r"[\d'\"\[({]", text[-400:]):
        return "the end of the reply holds no value", ""
    return "no sentence or label at the end states one value", ""


def lines_of(unread: Unread, name: str = "") -> list[str]:
    """Return the lines about the unread replies of the run `name`; none if every reply was read."""
    if not unread.n:
        return []
    of = f"{unread.n:,} of {unread.n_replies:,} replies{f' of {name}' if name else ''} could not be read"
    if not unread.failed:
        return [of]
    lines = [f"NOT READ: {of}; what follows is about the reader, not the model"]
    lines += [f"  {option} reads {n:,} of them" for option, n in unread.elsewhere.items()]
    for one in unread.shown:
        advice = f"; try {one.option}" if one.option else ""
        lines.append(f"  {one.task_id}[{one.sample}]: {one.reason}{advice}: ..{one.end[-100:]!r}")
    return lines
