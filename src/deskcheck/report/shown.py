"""Text of programs and models in HTML: invisible and direction-turning characters are shown by their codes.

shown("a\\u202eb") -> Markup('a<span class="odd" data-code="U+202E"></span>b')
plain("a\\u202eb") -> "a⟨U+202E⟩b"        where no element can stand: titles, labels of pictures
"""

from __future__ import annotations

import re

from markupsafe import Markup, escape

_ODD = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202f\u2060-\u206f"
    "\ufeff\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e0fff]"
)
"""As in the page's script (`viewer/page/text.js`)."""


def shown(text: str) -> Markup | str:
    """The text as it is, or with its odd characters as marks; markup that is markup already stays."""
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
    """The same as text alone."""
    return _ODD.sub(lambda match: f"⟨U+{ord(match.group()):04X}⟩", text)
