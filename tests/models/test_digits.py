"""Runs of digits turn, everything else stays, and turning twice is no change."""

from __future__ import annotations

from random import Random

import pytest

pytest.importorskip("tokenizers", reason="needs the extra 'eval'")

from deskcheck.inference.network import Digits
from deskcheck.training.tokenizer import build_tokenizer

TOKENIZER = build_tokenizer()
DIGITS = Digits(TOKENIZER.token_to_id)


def turned(text: str) -> str:
    return TOKENIZER.decode(DIGITS.turned(TOKENIZER.encode(text).ids))


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("n=120; m=-45", "n=021; m=-54"),
        ("[7, 10, 100]", "[7, 01, 001]"),
        ("s='120'; x12=3", "s='120'; x12=3"),
        ("@12 | n=12", "@12 | n=21"),
        ("12", "21"),
        ("", ""),
    ],
)
def test_numbers_turn_and_letters_do_not(text: str, other: str):
    assert turned(text) == other


def test_turning_twice_is_no_change():
    random = Random(1)
    for _ in range(300):
        tokens = [random.choice([*DIGITS.ids, 40, 50, 60]) for _ in range(random.randrange(12))]
        once = DIGITS.turned(tokens)
        assert DIGITS.turned(once) == tokens
        assert sorted(once) == sorted(tokens)
