"""Turn text into token ids without the tokenizers library: the same ids, several times faster.

    ids = reader(build_tokenizer())
    ids("@4 | s='ab'\\n")            == build_tokenizer().encode("@4 | s='ab'\\n").ids

Our tokenizer cuts a text at the end of every line and a line into pieces; a piece is one token, or is spelled
character by character. A regular expression and two tables can therefore replace the library. A repeated line
(a state in two layouts, the code in every prompt) is looked up. Lines that are not ASCII, and other
tokenizers, go to the library.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from deskcheck.training.tokenizer import COMPUTING_SIZE, CONTINUING, byte_characters, pattern, vocabulary

if TYPE_CHECKING:
    from tokenizers import Tokenizer

KEPT_LINES = 100_000
"""Largest number of remembered lines; after it, all are forgotten."""


def reader(tokenizer: Tokenizer) -> Callable[[str], list[int]]:
    """Return the function from a text to its ids."""
    if tokenizer.get_vocab(with_added_tokens=False) == vocabulary(size=tokenizer.get_vocab_size()):
        return _Lines(tokenizer).ids
    return lambda text: tokenizer.encode(text).ids


class _Lines:
    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer
        size = tokenizer.get_vocab_size()
        self._cut = re.compile(pattern(computes=size == COMPUTING_SIZE)).findall
        characters = byte_characters()[:128]
        known = vocabulary(size=size)
        plain = {character: chr(byte) for byte, character in enumerate(characters)}
        self._pieces: dict[str, list[int]] = {
            "".join([plain[c] for c in token]): [number]
            for token, number in known.items()
            if number > 2 and not token.startswith(CONTINUING) and all(c in plain for c in token)
        }
        self._first = {chr(byte): known[character] for byte, character in enumerate(characters)}
        self._next = {
            chr(byte): known[CONTINUING + character]
            for byte, character in enumerate(characters)
            if CONTINUING + character in known
        }
        self._newline = known[characters[10]]
        self._lines: dict[str, list[int]] = {}

    def ids(self, text: str) -> list[int]:
        """Return the ids of a text."""
        lines, newline = self._lines, self._newline
        tokens: list[int] = []
        for line in text.split("\n"):
            ids = lines.get(line)
            tokens += self._line(line) if ids is None else ids
            tokens.append(newline)
        tokens.pop()
        return tokens

    def _line(self, line: str) -> list[int]:
        if line.isascii():
            ids: list[int] = []
            pieces = self._pieces
            for piece in self._cut(line):
                known = pieces.get(piece)
                if known is not None:
                    ids += known
                else:
                    ids.append(self._first[piece[0]])
                    ids += [self._next[character] for character in piece[1:]]
        else:
            ids = self._tokenizer.encode(line).ids
        if len(self._lines) >= KEPT_LINES:
            self._lines.clear()
        self._lines[line] = ids
        return ids
