"""replay repeats a file of saved generations by task and sample."""

from __future__ import annotations

from pathlib import Path

import pytest

from deskcheck.errors import UserError
from deskcheck.models import Question
from deskcheck.models.replay import engine as load
from deskcheck.records import Message, Prompt


def question(task: str, sample: int, call: int = 0) -> Question:
    return Question(Prompt([Message("user", "?")], max_tokens=8), task, sample, call)


def test_sample_n_gets_text_n_and_what_is_missing_is_an_error(tmp_path: Path):
    path = tmp_path / "generations.json"
    path.write_text('{"s_0": ["a", "b"]}', encoding="utf-8")
    engine = load(str(path))
    asked = [
        question("s_0", 1),
        question("s_0", 0),
        question("s_0", 2),
        question("s_1", 0),
        question("s_0", 0, 1),
    ]
    said = engine.answer(asked)
    assert [completion.text for completion in said[:2]] == ["b", "a"]
    assert [completion.finish_reason for completion in said[2:]] == ["error"] * 3


def test_a_finish_reason_that_the_file_tells_is_kept(tmp_path: Path):
    path = tmp_path / "generations.jsonl"
    path.write_text('{"id": "s", "completion": "a", "finish_reason": "length"}\n', encoding="utf-8")
    (said,) = load(str(path)).answer([question("s", 0)])
    assert said.finish_reason == "length"


@pytest.mark.parametrize("path", ["", "nowhere.json"])
def test_without_a_file_it_says_how_to_name_one(path: str):
    with pytest.raises(UserError, match="-M path"):
        load(path)
