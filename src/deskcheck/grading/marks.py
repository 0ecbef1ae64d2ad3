"""Read and grade answers in which a model fills in blanks that stand as marks in a program's comments.

    marks_in("state", "9 for i in x:## [STATE]i=[0, 8][/STATE]")      -> {"9": {"i": [0, 8]}}
    marks_in("branch", "3 if a: ## [BRANCH]taken=[Y, N][/BRANCH]")    -> {"3": [True, False]}
    answerable("state", {"9": {"i": [0, 8]}}, code)                   -> whether the code has those blanks

Source of the marks: RE2-Bench (arXiv 2512.14917). A line begins with its number.
"""

from __future__ import annotations

import re
from typing import Any

from deskcheck.languages import LITERALS, equal, part

_STATE = re.compile(r"\[STATE\](.+?)=(.+?)\[/STATE\]")
_BRANCH = re.compile(r"(\d+)\s+.*##\s*\[BRANCH\]taken=\[(.*?)\]\[/BRANCH\]")
_BLANK = re.compile(r"\[STATE\](.+?)=\?\?\[/STATE\]")


def last_answer(reply: str) -> str:
    """Return the content of a reply's last [ANSWER] tag, closed or not; "" if there is none."""
    return reply.rpartition("[ANSWER]")[2].partition("[/ANSWER]")[0] if "[ANSWER]" in reply else ""


def marks_in(kind: str, text: str) -> dict[str, Any]:
    """Return line number -> the content of its mark: {name: value} for states, [taken, ..] for branches.

    `kind`: "state" or "branch". In [taken, ..] each entry tells whether the branch was taken in one pass.
    """
    marks: dict[str, Any] = {}
    for line in text.split("\n"):
        if kind == "state":
            states = {name: literal_or_text(value) for name, value in _STATE.findall(line)}
            if states:
                marks[line.split(None, 1)[0]] = states
        elif (match := _BRANCH.match(line)) is not None:
            words = [word.strip().strip("'\"").upper() for word in match[2].split(",")]
            if taken := [word == "Y" for word in words if word in ("Y", "N")]:
                marks[match[1]] = taken
    return marks


def literal_or_text(text: str) -> Any:
    """Return the value of a literal, or else the text itself."""
    try:
        return part(LITERALS, "plain")(text)
    except ValueError:
        return text


def as_lists(value: Any) -> Any:
    """Return the value with tuples as lists, because a truth from JSON has no tuples."""
    if isinstance(value, list | tuple):
        return [as_lists(one) for one in value]
    return {key: as_lists(one) for key, one in value.items()} if isinstance(value, dict) else value


def same_marks(answer: object, truth: object, policy: str) -> bool:
    """Return whether each line and name of the truth has the true content; further lines do not count.

    `policy`: how values are compared, "strict" or "lenient".
    """
    if isinstance(truth, dict):
        return isinstance(answer, dict) and all(
            name in answer and same_marks(answer[name], value, policy) for name, value in truth.items()
        )
    return equal(as_lists(answer), as_lists(truth), policy)


def answerable(kind: str, truth: dict[str, Any], code: str) -> bool:
    """Return whether every line of the truth, and for states every name, is a blank of the shown program."""
    blanks = blanks_of(kind, code)
    return bool(truth) and all(
        line in blanks and (kind == "branch" or set(truth[line]) <= set(blanks[line])) for line in truth
    )


def blanks_of(kind: str, code: str) -> dict[str, list[str]]:
    """Return number of a line with blanks -> their names."""
    blanks = {}
    for line in code.split("\n"):
        number = line.split(" ", 1)[0]
        names = _BLANK.findall(line) if kind == "state" else ["taken"] * ("[BRANCH]" in line)
        if number.isdigit() and names:
            blanks[number] = names
    return blanks
