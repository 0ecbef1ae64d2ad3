"""Read the tokenizer of the shipped model without the library `tokenizers`, which no browser has.

    tokens = Tokens(text of tokenizer.json, last_digit_first=True)
    tokens.encode("@4 | n=12") -> [739, 698, ..];  tokens.decode([739, 698, ..]) -> "@4 | n=12"

The vocabulary is a list of whole words (`training/tokenizer.py`). A piece of the text that is in the
vocabulary is one token, and any other piece is spelled byte by byte. There are no pairs to join. DataError
for a file that has some.
"""

from __future__ import annotations

import json
import re
from functools import cache, lru_cache
from typing import Any
from unicodedata import category

from deskcheck.errors import DataError
from deskcheck.inference.network import Digits


class Tokens:
    """Encoder and decoder of one model's tokens.

    `text` is the content of tokenizer.json. With `last_digit_first` the model reads numbers backwards.
    """

    def __init__(self, text: str, *, last_digit_first: bool) -> None:
        described = json.loads(text)
        model = described["model"]
        if model["merges"] or not model["ignore_merges"]:
            raise DataError("this tokenizer joins pairs; only one of whole words can be read in a browser")
        self._ids: dict[str, int] = model["vocab"]
        self._special = {token["id"] for token in described["added_tokens"]}
        self._continuing: str = model["continuing_subword_prefix"]
        self._pattern = _pattern(described)
        self._digits = Digits(self._ids.get) if last_digit_first else None
        characters = _byte_characters()
        self._characters = dict(enumerate(characters))
        self._bytes = {character: byte for byte, character in enumerate(characters)}
        self._words = {number: word for word, number in self._ids.items()}
        self._of_piece = cache(self._spelled)

    def encode(self, text: str) -> list[int]:
        """Return the tokens of a text, in the order in which the model reads them."""
        beyond = "" if text.isascii() else "".join(sorted({c for c in text if not c.isascii()}))
        pieces = _compiled(self._pattern, beyond)
        ids = [number for piece in pieces.findall(text) for number in self._of_piece(piece)]
        return self._digits.turned(ids) if self._digits else ids

    def decode(self, ids: list[int]) -> str:
        """Return the text of tokens that the model wrote; special tokens have none."""
        ordered = self._digits.turned(ids) if self._digits else ids
        data = b"".join(self._bytes_of(number) for number in ordered if number not in self._special)
        return data.decode("utf-8", "replace")

    def _spelled(self, piece: str) -> tuple[int, ...]:
        word = "".join(self._characters[byte] for byte in piece.encode())
        if word in self._ids:
            return (self._ids[word],)
        rest = (self._ids[self._continuing + character] for character in word[1:])
        return (self._ids[word[0]], *rest)

    def _bytes_of(self, number: int) -> bytes:
        word = self._words[number]
        if len(word) > len(self._continuing):
            word = word.removeprefix(self._continuing)
        return bytes(self._bytes[character] for character in word)


def _pattern(described: dict[str, Any]) -> str:
    """Return the expression whose matches are the pieces of a text, one after the other."""
    split, _ = described["pre_tokenizer"]["pretokenizers"]
    found: str = split["pattern"]["Regex"]
    return found


_NAME = r"[^\W\d]\w*"


@lru_cache(maxsize=64)
def _compiled(pattern: str, beyond: str) -> re.Pattern[str]:
    """Compile the pattern with the library's notion of a name for the characters beyond ASCII.

    There, a mark belongs to a name; Python's `\\w` has no marks.
    """
    words = [c for c in beyond if category(c)[0] in "LMN" or category(c) == "Pc"]
    first = "".join(re.escape(c) for c in words if category(c)[0] != "N")
    name = f"[A-Za-z_{first}][A-Za-z0-9_{''.join(map(re.escape, words))}]*"
    return re.compile(pattern.replace(_NAME, name), re.MULTILINE)  # there, ^ is the beginning of any line


def _byte_characters() -> list[str]:
    """Return the printable character for each byte in byte-level vocabularies (GPT-2's table)."""
    printable = [*range(33, 127), *range(161, 173), *range(174, 256)]
    rest = iter(range(256, 512))
    return [chr(byte) if byte in printable else chr(next(rest)) for byte in range(256)]
