"""The tokenizer loses nothing, knows everything, and never lets a token cross the end of a line."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("tokenizers", reason="needs the extra 'eval'")

from deskcheck.training.presets import PRESETS
from deskcheck.training.tokenizer import (
    BOS,
    COMPUTING_SIZE,
    EOS,
    EOS_ID,
    PAD,
    WIDE_SIZE,
    build_tokenizer,
    foreign_text,
    vocabulary,
)

TOKENIZER = build_tokenizer()
PARTS = [*"abfx01 9'\"\\\n#=+-<>[](){}:;,.|/@!~_é€😀", "for ", "    ", "</s>", "##", "None", " | ", "len("]
CODE = st.lists(st.sampled_from(PARTS)).map("".join)


@given(st.text() | CODE)
def test_decoding_what_was_encoded_gives_the_text_back(text: str):
    ids = TOKENIZER.encode(text).ids
    assert TOKENIZER.decode(ids) == text
    assert all(EOS_ID < number < len(vocabulary()) for number in ids), (
        "a special token came out of plain text"
    )


@given(st.text() | CODE, st.text() | CODE)
def test_what_follows_the_end_of_a_line_does_not_change_the_tokens_before_it(head: str, body: str):
    head += "\n"
    assert TOKENIZER.encode(head + body).ids == TOKENIZER.encode(head).ids + TOKENIZER.encode(body).ids


def test_the_vocabulary_is_small_and_numbered_without_gaps():
    known, wide = vocabulary(), vocabulary(size=10**6)
    assert list(wide.values()) == list(range(WIDE_SIZE))
    assert list(wide)[: len(known)] == list(known), "a larger vocabulary keeps the numbers of a smaller one"
    computing = vocabulary(size=COMPUTING_SIZE)
    assert list(computing.values()) == list(range(COMPUTING_SIZE))
    assert list(computing)[:WIDE_SIZE] == list(wide)
    sizes = {preset.shape.vocabulary for preset in PRESETS.values()}
    assert sizes <= {len(known), WIDE_SIZE, COMPUTING_SIZE}
    assert TOKENIZER.get_vocab_size() == len(known)


def test_the_same_bytes_come_out_every_time():
    assert build_tokenizer().to_str() == TOKENIZER.to_str()


def pieces(text: str) -> list[str]:
    return [TOKENIZER.decode([n]) for n in TOKENIZER.encode(text).ids]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[line-1]\n", ["[line-1]", "\n"]),
        ("@12     return xs", ["@12", "     ", "return", " ", "xs"]),
        ("@31 x > 4", ["@", "3", "1", " ", "x", " > ", "4"]),
        ("@4 | n=3; s='for'\n", ["@4", " | ", "n", "=", "3", "; ", "s", "=", *"'for'", "\n"]),
        ("~1=iter(#1)@12", ["~", "1", "=", "iter", "(", "#", "1", ")", "@", "1", "2"]),
        ("<- 7", ["<- ", "7"]),
        ("!!KeyError('k')", ["!!", "KeyError", "(", *"'k'", ")"]),
        ("x.append(format2)", ["x", ".", "append", "(", *"format2", ")"]),
        (" / @2", [" / ", "@2"]),
        ("x not in y", ["x", " not in ", "y"]),
    ],
)
def test_markers_keywords_and_methods_are_whole_and_names_and_strings_are_spelled(
    text: str, expected: list[str]
):
    assert pieces(text) == expected


def test_text_that_looks_like_a_special_token_is_spelled():
    for special in (PAD, BOS, EOS):
        assert pieces(special) == list(special) or "".join(pieces(special)) == special
        assert len(TOKENIZER.encode(special).ids) > 1


def test_a_tokenizer_that_was_stored_must_be_told_again_that_text_is_foreign():
    from tokenizers import Tokenizer

    stored = Tokenizer.from_str(TOKENIZER.to_str())
    assert stored.encode(EOS).ids == [EOS_ID], "the file keeps the setting now: foreign_text can go"
    assert foreign_text(stored).encode(EOS).ids == TOKENIZER.encode(EOS).ids
