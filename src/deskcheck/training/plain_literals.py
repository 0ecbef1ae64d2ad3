"""Literals in larger tokens, as tokenizers with merges have them: what spelling them is compared with.

    build_tokenizer(size=PLAIN_SIZE).encode("s='hello'; n=12345").tokens
    -> .. one token for 123, one for 45, one for "el", one for "lo" ..

Our vocabularies spell literals: a token for every digit and for every character of a string. Here a number is
cut from its left into groups of up to three digits, each one token (Llama 3's rule), and small letters inside
strings and spelled names are joined in pairs. Everything else, and the ids of all other tokens, stay as they
are, so that weights go on; last digit first is no order for such groups.

Why: Execution Tuning (arXiv 2503.05703) names string indexing among its failures, since characters are not
tokens there. For comparisons alone: no preset uses it.
"""

from __future__ import annotations

from itertools import product
from string import ascii_lowercase

from deskcheck.training.tokenizer import CONTINUING, WIDE_SIZE

DIGITS = "[0-9]{1,3}"
"""A piece of a number."""
GROUPS = ["".join(digits) for n in (2, 3) for digits in product("0123456789", repeat=n)]
PAIRS = list(product(ascii_lowercase, repeat=2))
PLAIN_SIZE = WIDE_SIZE + len(GROUPS) + len(PAIRS)


def larger_tokens(words: dict[str, int]) -> tuple[dict[str, int], list[tuple[str, str]]]:
    """The vocabulary with them, and the pairs that are joined inside a word, most wanted first."""
    found = [*GROUPS, *(CONTINUING + first + second for first, second in PAIRS)]
    merges = [(CONTINUING + first, CONTINUING + second) for first, second in PAIRS]
    return words | {token: WIDE_SIZE + number for number, token in enumerate(found)}, merges
