"""The model that ships: one small file, complete with its card, and the same answers every time."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("onnxruntime")
pytest.importorskip("tokenizers")

import deskcheck.models
from deskcheck.models.tiny import Request, load
from deskcheck.plugins import load as plugin
from deskcheck.programs.generated import HELD_OUT, traced
from deskcheck.training.data import split_prompt
from deskcheck.training.tokenizer import build_tokenizer

FOLDER = Path(deskcheck.models.__file__).parent / "tiny_model"
MEGABYTE = 1 << 20


def _requests() -> list[Request]:
    found = []
    for program, trace in traced("easy", seed=HELD_OUT["easy"], n=4):
        for layout in ("direct", "line-1"):
            for example in plugin("layout", layout).render(trace, program):
                head, body = split_prompt(example.prompt)
                found.append(Request(head, body, 24))
    return found


def test_there_is_exactly_one_model_file_and_it_is_small() -> None:
    files = {path.name: path.stat().st_size for path in FOLDER.iterdir() if path.is_file()}
    assert set(files) == {"model.onnx", "tokenizer.json", "config.json", "README.md"}
    assert sum(files.values()) <= 28 * MEGABYTE
    source = Path(deskcheck.models.__file__).parents[1]
    assert [path.name for path in source.rglob("*.onnx")] == ["model.onnx"]


def test_its_tokenizer_is_the_one_that_the_code_builds() -> None:
    from tokenizers import Tokenizer

    built = build_tokenizer(size=load().shape.vocabulary)
    assert Tokenizer.from_file(str(FOLDER / "tokenizer.json")).to_str() == built.to_str()


def test_a_batch_answers_as_one_request_at_a_time() -> None:
    model, requests = load(), _requests()
    together = model.generate(requests)
    assert [c.text for c in together] == [model.generate([r])[0].text for r in requests]
    assert {c.finish_reason for c in together} <= {"stop", "length"}


def test_it_writes_steps_that_can_be_read() -> None:
    """A broken export answers with noise; this one knows at least the form of a step."""
    from deskcheck.states.parse import read_step

    requests = [r for r in _requests() if r.head.startswith("[line-1]")]
    completions = load().generate(requests)
    readable = 0
    for completion in completions:
        try:
            read_step(completion.text)
        except ValueError:
            continue
        readable += 1
    assert readable >= 0.8 * len(requests)


def test_its_card_says_where_it_came_from_and_how_it_scores() -> None:
    card = (FOLDER / "README.md").read_text(encoding="utf-8")
    for part in ("deskcheck train", "seed", "95 % interval", "line-1", "direct", "## Data", "## Limits"):
        assert part in card
