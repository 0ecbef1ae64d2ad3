"""Escape text of programs and models for HTML, and write pages of the answers that do not fit into a report.

    shown("a\\u202eb") -> Markup('a<span class="odd" data-code="U+202E"></span>b')
    plain("a\\u202eb") -> "a⟨U+202E⟩b"        for titles and labels of pictures, which take no elements
    write_beside(Path("report_answers"), details, [0, ..])     report_answers/0000.html, .. of 200 tasks each

Invisible characters, and characters that reverse the direction of text, are shown by their codes. A page
beside the report has no script, and its content security policy forbids any. The anchor of a task is `t` and
its number; the report links to it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from markupsafe import Markup, escape

from deskcheck.cell_files import write_whole

_ODD = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202f\u2060-\u206f"
    "\ufeff\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e0fff]"
)
"""Characters that are shown by their codes, the same as in the page's script (`viewer/page/text.js`)."""


def shown(text: str) -> Markup | str:
    """Return the text with marks for its odd characters; other text, and markup, stays unchanged."""
    if isinstance(text, Markup) or not _ODD.search(text):
        return text
    parts, start = [], 0
    for match in _ODD.finditer(text):
        parts += [escape(text[start : match.start()]), _mark(match.group())]
        start = match.end()
    return Markup("").join([*parts, escape(text[start:])])


def _mark(character: str) -> Markup:
    return Markup('<span class="odd" data-code="U+{:04X}"></span>').format(ord(character))


def plain(text: str) -> str:
    """Return the text with its odd characters spelled out, for places that take no markup."""
    return _ODD.sub(lambda match: f"⟨U+{ord(match.group()):04X}⟩", text)


TASKS_A_PAGE = 200
_STYLE = (
    ":root{color-scheme:light dark}"
    "body{font:15px/1.5 system-ui,sans-serif;max-width:72rem;margin:0 auto;padding:1rem}"
    "pre{white-space:pre-wrap;overflow-wrap:anywhere;border-left:3px solid;padding-left:.75rem}"
    ".odd::before{content:'\\27E8' attr(data-code) '\\27E9'}"
)
_SIGNS = {"r": "✓ right", "w": "✗ wrong", "n": "∅ no answer", "m": "– missing"}


def write_beside(folder: Path, details: Sequence[dict[str, Any]], numbers: Sequence[int]) -> None:
    """Write the pages of the tasks with these numbers; none if every task fitted into the report."""
    for start in range(0, len(numbers), TASKS_A_PAGE):
        page = _page(start, [details[number] for number in numbers[start : start + TASKS_A_PAGE]])
        write_whole(folder / f"{start // TASKS_A_PAGE:04}.html", page.encode("utf-8", "backslashreplace"))


def _page(start: int, details: list[dict[str, Any]]) -> str:
    tasks = Markup("").join(_task(start + number, one) for number, one in enumerate(details))
    return Markup(
        '<!doctype html><html lang="en"><meta charset="utf-8">'
        '<meta http-equiv="Content-Security-Policy" '
        "content=\"default-src 'none'; style-src 'unsafe-inline'\">"
        "<title>Answers</title><style>{}</style><h1>Answers {} to {}</h1>{}</html>"
    ).format(Markup(_STYLE), start + 1, start + len(details), tasks)


def _task(number: int, task: dict[str, Any]) -> Markup:
    answers = Markup("").join(
        Markup("<h3>{}: {}</h3><pre>{}</pre>{}").format(
            shown(run["label"]),
            " ".join(filter(None, (_SIGNS[sample["letter"]], sample["reason"].replace("_", " ")))),
            shown(sample["answer"]),
            Markup("<details><summary>its reply</summary><pre>{}</pre></details>").format(
                shown(sample["text"])
            )
            if sample["text"]
            else "",
        )
        for run in task["runs"]
        for sample in run["samples"]
    )
    return Markup(
        '<section id="t{}"><h2>{}</h2><pre>{}</pre><pre>{}</pre><p>True answer</p><pre>{}</pre>{}</section>'
    ).format(
        number,
        shown(task["id"]),
        shown(task["source"]),
        shown(task["call"]),
        shown(task["expected"]),
        answers,
    )
