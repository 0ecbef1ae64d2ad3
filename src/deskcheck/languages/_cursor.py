"""Base class of the readers of literals in C and JavaScript: a text and the place reached in it."""

from __future__ import annotations

import re
from typing import ClassVar, NoReturn

from deskcheck.errors import BadSource

MAX_DEPTH = 64
"""Deepest nesting of literals inside each other."""


class Cursor:
    """A text and the number of characters read so far; a subclass reads the values of its language."""

    SPACE: ClassVar[re.Pattern[str]]
    """White space and comments between two tokens; the pattern matches the empty text, too."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def fail(self, what: str) -> NoReturn:
        """Raise BadSource; `what` says what is wrong, and the message adds the place."""
        near = self.text[self.at : self.at + 20] or "the end"
        raise BadSource(f"not a literal: {what} at character {self.at}, before {near!r}")

    def space(self) -> None:
        """Go past white space and comments."""
        match = self.SPACE.match(self.text, self.at)
        assert match is not None
        self.at = match.end()

    def take(self, token: str) -> bool:
        """Go past a token and the space before it; False if another text stands here."""
        self.space()
        if self.text.startswith(token, self.at):
            self.at += len(token)
            return True
        return False

    def need(self, token: str) -> None:
        """Go past a token. BadSource if it does not stand here."""
        if not self.take(token):
            self.fail(f"{token!r} expected")

    def match(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """Go past a text of this form and return its match; None if another text stands here."""
        match = pattern.match(self.text, self.at)
        if match:
            self.at = match.end()
        return match

    def check_depth(self, depth: int) -> None:
        """Raise BadSource if literals stand too deep inside each other."""
        if depth > MAX_DEPTH:
            self.fail(f"nested deeper than {MAX_DEPTH}")
