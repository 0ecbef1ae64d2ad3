"""The quick way from text to ids gives the tokenizer's ids, for any text."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("numpy", reason="needs the extra 'eval'")
pytest.importorskip("tokenizers", reason="needs the extra 'eval'")

from deskcheck import plugins
from deskcheck.programs.generated import traced
from deskcheck.training import pieces
from deskcheck.training.tokenizer import COMPUTING_SIZE, build_tokenizer

TOKENIZER = build_tokenizer()
IDS = pieces.reader(TOKENIZER)
PARTS = [*"abfx019'\"\\\n\r\t\x0b\x0c\x1c#=+-<>[](){}:;,.|/@!~_é\u2028\u0660", *"ªµ", " "]
PARTS += ["for ", "    ", "</s>", "##", "None", " | ", " / ", "len(", "@12", ">3", " not in ", "!!", "'s' "]
CODE = st.lists(st.sampled_from(PARTS)).map("".join)


@settings(max_examples=200)
@given(CODE | st.lists(st.sampled_from([*PARTS, "$12", "$64", "#5", "#70", " -> ", " - "])).map("".join))
def test_the_ids_of_models_that_compute_are_the_tokenizers(text: str) -> None:
    tokenizer = build_tokenizer(size=COMPUTING_SIZE)
    ids = tokenizer.encode(text).ids
    assert pieces.reader(tokenizer)(text) == ids
    assert tokenizer.decode(ids) == text


@settings(max_examples=400)
@given(st.text() | st.text(st.characters(max_codepoint=127)) | CODE)
def test_the_ids_are_the_tokenizers(text: str) -> None:
    assert IDS(text) == TOKENIZER.encode(text).ids


def test_the_ids_of_examples_are_the_tokenizers() -> None:
    for program, trace in traced("easy", seed=3, n=30):
        for layout in ("direct", "scratchpad", "compact", "line-1"):
            for example in plugins.load("layout", layout).render(trace, program):
                for text in (example.prompt, example.target):
                    assert IDS(text) == TOKENIZER.encode(text).ids


def test_a_full_memory_of_lines_is_emptied_and_the_ids_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pieces, "KEPT_LINES", 2)
    ids = pieces.reader(TOKENIZER)
    for text in ("a\nb\nc", "c\nb\na", "a\nb\nc"):
        assert ids(text) == TOKENIZER.encode(text).ids


def test_another_tokenizer_is_asked_itself() -> None:
    tokenizers = pytest.importorskip("tokenizers")
    other = tokenizers.Tokenizer(tokenizers.models.WordLevel({"a b": 0, "?": 1}, unk_token="?"))
    assert pieces.reader(other)("a b") == [0]
