"""scripted says what it was told to, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from deskcheck.errors import DataError, UserError
from deskcheck.models import Question
from deskcheck.models.scripted import engine as load
from deskcheck.records import Completion, Message, Prompt


def question(task: str = "t", sample: int = 0, call: int = 0) -> Question:
    return Question(Prompt([Message("user", "?")], max_tokens=8), task, sample, call)


def test_a_list_is_said_in_the_order_of_calls_and_again_from_the_start():
    engine = load(answers=["a", "b"])
    said = engine.answer([question(call=0), question(call=1), question(call=2)])
    assert [completion.text for completion in said] == ["a", "b", "a"]


def test_a_file_answers_by_task_and_sample_and_a_row_without_them_answers_any(tmp_path: Path):
    path = tmp_path / "answers.jsonl"
    path.write_text(
        '{"task": "t", "sample": 1, "text": "second", "finish_reason": "length"}\n'
        '{"task": "t", "texts": ["one", "two"]}\n'
        '{"text": "any"}\n',
        encoding="utf-8",
    )
    asked = [question("t", 1), question("t", 0, 1), question("u", 5)]
    said = load(path=str(path)).answer(asked)
    assert [(one.text, one.finish_reason) for one in said] == [
        ("second", "length"),
        ("two", "stop"),
        ("any", "stop"),
    ]


def test_what_the_script_does_not_hold_is_an_error_of_the_model(tmp_path: Path):
    path = tmp_path / "answers.jsonl"
    path.write_text('{"task": "t", "text": "x"}\n', encoding="utf-8")
    (said,) = load(path=str(path)).answer([question("u", 2, 3)])
    assert said.finish_reason == "error"
    assert "task 'u', sample 2, call 3" in said.text


def test_a_file_that_is_not_rows_is_refused_with_its_line(tmp_path: Path):
    path = tmp_path / "answers.jsonl"
    path.write_text('{"text": "x"}\n{"answer": "y"}\n', encoding="utf-8")
    with pytest.raises(DataError, match=r"answers\.jsonl:2"):
        load(path=str(path))


@pytest.mark.parametrize("answers", [[1, 2], ["a", None], "abc", 1, {"a": "b"}])
def test_answers_that_are_no_texts_are_refused_before_anything_is_asked(answers: object):
    with pytest.raises(UserError, match="expected a list of texts, for example"):
        load(answers=answers)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("fault", "finish_reason"), [("truncate", "length"), ("refuse", "content_filter"), ("error", "error")]
)
def test_a_fault_is_the_same_for_every_question(fault: str, finish_reason: str):
    said = load(fault=fault).answer([question(), question("u")])
    assert {completion.finish_reason for completion in said} == {finish_reason}


@pytest.mark.parametrize("arguments", [{}, {"answers": ["x"], "fault": "error"}, {"fault": "no such"}])
def test_it_needs_exactly_one_thing_to_say(arguments: dict[str, object]):
    with pytest.raises(UserError):
        load(**arguments)  # type: ignore[arg-type]


def test_another_script_has_another_fingerprint():
    assert load(answers=["a"]).fingerprint != load(answers=["b"]).fingerprint
    assert load(answers=["a"]).fingerprint == load(answers=["a"]).fingerprint


def test_a_function_answers_each_question():
    engine = load(answers=lambda asked: Completion(asked.task_id, "stop"))
    assert [completion.text for completion in engine.answer([question("a"), question("b")])] == ["a", "b"]
