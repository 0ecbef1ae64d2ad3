"""Literals in larger tokens: fewer tokens for the same text, and every other token is as it was."""

from __future__ import annotations

import pytest

pytest.importorskip("tokenizers", reason="needs the extra 'eval'")

from hypothesis import given
from hypothesis import strategies as st

from deskcheck.layouts import compact
from deskcheck.programs.generated import traced
from deskcheck.training.pieces import reader
from deskcheck.training.tokenizer import PLAIN_SIZE, WIDE_SIZE, build_tokenizer

SPELLED, PLAIN = build_tokenizer(size=WIDE_SIZE), build_tokenizer(size=PLAIN_SIZE)


def test_numbers_are_groups_and_strings_are_pairs():
    assert PLAIN.encode("12345").tokens == ["123", "45"]
    assert PLAIN.encode("1000002").tokens == ["100", "000", "2"]
    assert PLAIN.encode("'hello1'").tokens == ["'", "##h", "##el", "##lo", "##1", "##'"]
    assert SPELLED.encode("12345").tokens == list("12345")


@given(st.text(st.characters(codec="utf-8") | st.sampled_from("abc'\"0123456789@ =\n")))
def test_any_text_comes_back(text: str):
    assert PLAIN.decode(PLAIN.encode(text).ids) == text
    assert reader(PLAIN)(text) == PLAIN.encode(text).ids


def test_ids_of_the_other_tokens_stay_and_examples_become_shorter():
    known = PLAIN.get_vocab()
    assert len(known) == PLAIN_SIZE
    assert {token: known[token] for token in SPELLED.get_vocab()} == SPELLED.get_vocab()
    texts = [one.target for p, t in traced("easy", seed=5, n=30) for one in compact.render(t, p)]
    lengths = [sum(len(by.encode(text).ids) for text in texts) for by in (PLAIN, SPELLED)]
    assert lengths[0] < lengths[1]


def test_a_head_and_a_body_can_be_read_apart():
    head, body = "[line-1]\n@1 def f(s='abcd'):\n", "@1 | s='abcd12'; n=4321\n"
    assert PLAIN.encode(head).ids + PLAIN.encode(body).ids == PLAIN.encode(head + body).ids
