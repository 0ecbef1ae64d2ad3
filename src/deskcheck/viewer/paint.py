"""Lines of text for a terminal or a pipe: colors where they are wanted, no wider than it.

    paint = paint_of(sys.stdout)                  colors on a terminal, unless NO_COLOR is set
    paint.line(("dim", "   12"), "  total = 0")   one line, cut at the terminal's width

Escape sequences, control characters and characters that turn the direction of text are shown as escapes.
"""

from __future__ import annotations

import os
import shutil
from typing import TextIO

from msgspec import Struct

_STYLES = {
    "dim": "2",
    "bold": "1",
    "changed": "33",
    "wrong": "1;31",
    "right": "34",
    "k": "35",
    "s": "32",
    "n": "36",
    "c": "2",
    "d": "1",
    "b": "33",
}
Part = str | tuple[str, str]
"""A text, or a style and a text."""


class Paint(Struct, frozen=True):
    """How lines are written: with colors or without, at most `width` characters (0 = as long as they are)."""

    color: bool = False
    width: int = 0

    def line(self, *parts: Part) -> str:
        """One line. Its end is an ellipsis where it was cut."""
        left = self.width or (1 << 30)
        total = sum(len(printable(_text(part))) for part in parts)
        pieces = []
        for part in parts:
            text = printable(_text(part))
            if total > left and len(text) >= left:
                text = text[: max(0, left - 1)] + "…"
                pieces.append(self._styled(part, text))
                break
            left -= len(text)
            total -= len(text)
            pieces.append(self._styled(part, text))
        return "".join(pieces)

    def _styled(self, part: Part, text: str) -> str:
        style = part[0] if isinstance(part, tuple) else ""
        return f"\x1b[{_STYLES[style]}m{text}\x1b[0m" if self.color and style and text else text


PLAIN = Paint()


def _text(part: Part) -> str:
    return part[1] if isinstance(part, tuple) else part


def paint_of(stream: TextIO) -> Paint:
    """Colors and width of a terminal; nothing of both for a pipe or a file."""
    if not stream.isatty():
        return PLAIN
    is_dumb = bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM") == "dumb"
    return Paint(color=not is_dumb, width=shutil.get_terminal_size().columns)


def printable(text: str) -> str:
    """Text with what cannot be printed as escapes; a tab is four spaces."""
    if text.isprintable():
        return text
    return "".join(map(_shown, text.replace("\t", "    ")))


def _shown(character: str) -> str:
    return character if character.isprintable() else repr(character)[1:-1]
