"""Numbers with their last digit first, as the model reads and writes them.

    Digits(tokenizer.token_to_id).turned([6, 13, 14, 7]) -> [6, 14, 13, 7]        13, 14 being digits

A carry goes from the last digit to the first; written in this order, every digit of a sum, a half or a
product depends on what stands before it. Only runs of digit tokens turn, so letters in strings stay as they
are, and turning twice is no change. People and files see the usual order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable


class Digits:
    """Tokens of digits, to turn numbers around."""

    def __init__(self, token_to_id: Callable[[str], int | None]) -> None:
        self.ids = frozenset(n for d in "0123456789" if (n := token_to_id(d)) is not None)

    def turned(self, tokens: Iterable[int]) -> list[int]:
        """The tokens, every run of digits the other way round."""
        found: list[int] = []
        start = -1  # of the run of digits at the end
        for token in tokens:
            if token in self.ids:
                start = len(found) if start < 0 else start
            elif start >= 0:
                found[start:] = found[start:][::-1]
                start = -1
            found.append(token)
        if start >= 0:
            found[start:] = found[start:][::-1]
        return found
