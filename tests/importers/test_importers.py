"""Importers: every layout of saved answers becomes runs, odd rows are dropped with their reason."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from deskcheck.errors import DeskcheckError, UserError
from deskcheck.importers import read_places, read_single
from deskcheck.importers.exerscope import own_words


@pytest.fixture
def file(tmp_path: Path) -> Callable[[object], Path]:
    """A function: text, or anything to be written as JSON -> path."""

    def write(content: object) -> Path:
        path = tmp_path / "generations.json"
        path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
        return path

    return write


def test_the_cruxeval_layout(file: Callable[[object], Path]) -> None:
    saved = read_single(file({"sample_1": ["[1]", "2"], "sample_0": ["'a'", ""]}))
    assert saved.layout == "cruxeval"
    assert saved.texts == {"sample_1": ["[1]", "2"], "sample_0": ["'a'", ""]}
    assert saved.finish_reason("sample_1", 1) == "unknown"
    assert not saved.stored


def test_the_livecodebench_layout_with_stored_verdicts(file: Callable[[object], Path]) -> None:
    path = file(
        {
            "raw_generations": {"sample_0": ["1", "2"]},
            "raw_scored_generations": {"sample_0": [True, False]},
            "pass_at_1": 50.0,
        }
    )
    saved = read_single(path)
    assert saved.layout == "livecodebench"
    assert saved.stored == {"sample_0": [True, False]}
    assert saved.texts == {"sample_0": ["1", "2"]}
    assert read_single(file({"raw_generations": {"sample_0": ["1"]}})).stored == {}


def test_json_lines_with_a_row_per_sample_or_per_task(file: Callable[[object], Path]) -> None:
    saved = read_single(
        file(
            '{"id": "a", "completion": "1", "finish_reason": "length"}\n\n'
            '{"id": "a", "completion": "2"}\n'
            '{"id": "b", "completions": ["3", "4"], "finish_reasons": ["stop", "length"], "other": "m"}\n'
        )
    )
    assert saved.layout == "jsonl"
    assert saved.texts == {"a": ["1", "2"], "b": ["3", "4"]}
    assert [saved.finish_reason("a", n) for n in (0, 1)] == ["length", "unknown"]
    assert [saved.finish_reason("b", n) for n in (0, 1)] == ["stop", "length"]


def test_json_lines_of_a_single_line(file: Callable[[object], Path]) -> None:
    assert read_single(file({"id": "a", "completion": "1"})).texts == {"a": ["1"]}


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "no importer knows this file format: line 1 is not JSON; save it as JSON lines"),
        ("nonsense", "no importer knows"),
        ("[]", "no importer knows"),
        ("3", "no importer knows"),
        ({}, "no importer knows"),
        ("[" * 100_000, "no importer knows"),
        ({"sample_0": []}, "no generation"),
        ({"sample_0": [1]}, "first: task sample_0: not a list of texts"),
        ({"raw_generations": []}, "raw_generations"),
        ('{"id": "a", "completion": "1", "completions": []}', "first: line 1: both 'completion'"),
        ('{"id": true, "completion": "1"}\n', "no field for 'id'; it has id, completion"),
        ('{"id": "a", "completion": null}', "line 1 has id, completion"),
        ('{"id": "a", "completion": "1", "finish_reason": 3}', "finish reasons"),
        ('{"id": "a", "completions": ["1"], "finish_reasons": []}', "finish reasons"),
    ],
)
def test_a_file_without_any_answer_says_where_and_why(
    file: Callable[[object], Path], content: object, words: str
) -> None:
    path = file(content)
    with pytest.raises(DeskcheckError) as found:
        read_single(path)
    assert words in str(found.value)
    assert str(path) in str(found.value)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ('{"id": "a", "completion": "1"}\nnonsense', "line 2: not JSON"),
        ('{"id": "a", "completion": "1"}\n{"id": "b"}', "line 2: no field for 'completion'; it has id"),
        (
            '{"id": "a", "completion": "1"}\n{"id": "b", "completion": "2", "right": 7}',
            "line 2: 'right' must be",
        ),
        ({"a": ["1"], "b": [1]}, "task b: not a list of texts"),
        ({"raw_generations": {"a": ["1"], "b": [2]}}, "task b: not a list of texts"),
        (
            {"raw_generations": {"a": ["1"]}, "raw_scored_generations": {"a": [True, True]}},
            "verdicts of task a: 2 verdicts for 1 answers",
        ),
        (
            {"raw_generations": {"a": ["1"]}, "raw_scored_generations": {"b": [True]}},
            "verdicts of task b: 1 verdicts for 0 answers",
        ),
        (
            {"raw_generations": {"a": ["1"]}, "raw_scored_generations": {"a": [1]}},
            "verdicts of task a: not a list of booleans",
        ),
        (
            '{"id": "a", "messages": [{"role": "assistant", "content": "1"}]}\n{"messages": []}',
            "line 2: no id",
        ),
        ('{"id": "a", "right": true}\n{"id": "b"}', "line 2: no id with a verdict"),
    ],
)
def test_one_odd_row_is_dropped_with_its_reason_and_not_the_file(
    file: Callable[[object], Path], content: object, reason: str
) -> None:
    run = read_single(file(content))
    assert [*run.texts] == ["a"] or [*run.stored] == ["a"]
    assert [f"{row.where}: {row.reason}".startswith(reason) for row in run.dropped] == [True]


def test_several_models_in_one_file_keep_their_names(file: Callable[[object], Path]) -> None:
    path = file(
        '{"id": "a", "completion": "1", "model": "m1"}\n{"id": "a", "completion": "2", "model": "m2"}\n'
    )
    runs = read_places([str(path)])
    assert [(run.model, run.texts) for run in runs] == [("m1", {"a": ["1"]}), ("m2", {"a": ["2"]})]
    with pytest.raises(UserError, match="holds 2 runs; NAME=PATH names a single one"):
        read_places([f"mine={path}"])


def test_a_name_before_the_path_is_the_model(file: Callable[[object], Path]) -> None:
    path = file({"a": ["1"]})
    assert [run.model for run in read_places([str(path), f"mine={path}"])] == ["generations", "mine"]


def test_folders_hold_one_file_an_answer_or_files_of_other_sources(tmp_path: Path) -> None:
    for model, name in (("m1", "a.txt"), ("m1", "b/response.txt"), ("m2", "a.txt"), ("m2", "empty.txt")):
        path = tmp_path / "answers" / model / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("" if "empty" in name else f"{model} {name}")
    runs = read_places([str(tmp_path / "answers")])
    assert [(run.model, run.texts) for run in runs] == [
        ("m1", {"a": ["m1 a.txt"], "b": ["m1 b/response.txt"]}),
        ("m2", {"a": ["m2 a.txt"]}),
    ]
    assert [(row.where, row.reason) for row in runs[1].dropped] == [("empty.txt", "empty")]
    (tmp_path / "files").mkdir()
    (tmp_path / "files" / "x.json").write_text('{"a": ["1"]}')
    (tmp_path / "files" / "y+cot.json.gz").write_bytes(gzip.compress(b'{"raw_generations": {"a": ["1"]}}'))
    (tmp_path / "files" / "notes.json").write_text("[]")
    runs = read_places([str(tmp_path / "files")])
    assert [(run.model, run.strategy, run.layout) for run in runs] == [
        ("x", "saved", "cruxeval"),
        ("y", "cot", "livecodebench"),
    ]


def test_the_last_message_of_the_assistant_is_the_reply(file: Callable[[object], Path]) -> None:
    talk = [
        {"role": "user", "content": "f(3)?"},
        {"role": "assistant", "content": "let me see"},
        {"role": "user", "content": "well?"},
        {"role": "assistant", "content": [{"type": "text", "text": "it is"}, {"type": "text", "text": "5"}]},
    ]
    assert read_single(file({"id": "a", "messages": talk})).texts == {"a": ["it is\n5"]}


def test_verdict_tables_hold_no_answers(file: Callable[[object], Path]) -> None:
    run = read_single(file('{"id": "a", "right": true}\n{"id": "b", "right": 0}\n'))
    assert (run.only_verdicts, run.stored) == (True, {"a": [True], "b": [False]})
    page = file('{"task": "a", "model": "m", "pass1": 20.0, "pass1_cot": 12.5}\n')
    (run,) = read_places([str(page)])
    assert run.stored == {"a": [True, True, *[False] * 8]}
    assert [row.reason for row in run.dropped] == ["cot: no whole number of 10 answers"]


def test_a_prompt_before_and_questions_after_the_answer_are_no_part_of_it() -> None:
    asked = "<｜begin▁of▁sentence｜>example [Answer] x [END-OF-RESPONSE] the question [Answer]"
    reply = "so\n<<<Output>>>\n[1]\n[END-OF-RESPONSE]"
    assert own_words(f"{asked}{reply}<｜end▁of▁sentence｜>") == reply
    assert own_words(f"{reply}\n\nConsider <<<Output>>>\n2\n[END-OF-RESPONSE]") == reply
    assert own_words("no mark at all") == "no mark at all"


@pytest.mark.parametrize(
    ("name", "runs", "answers", "stored"),
    [
        ("exerscope", 6, 3911, 4711),
        ("re2-bench/answers", 40, 14_000, 13_960),
        ("livecodebench-exec/generations", 43, 205_970, 205_970),
        ("livecodebench-exec/generations-input", 21, 100_590, 0),
        ("cwm-traces", 2, 10, 10),
        ("livecodebench-site", 64, 0, 306_540),
    ],
)
def test_public_answers_are_read_whole(
    data: Callable[[str], Path], name: str, runs: int, answers: int, stored: int
) -> None:
    found = read_places([str(data(name))])
    assert len(found) == runs
    assert sum(len(texts) for run in found for texts in run.texts.values()) == answers
    assert sum(v is not None for run in found for one in run.stored.values() for v in one) == stored


def test_a_missing_or_binary_file_is_one_clear_error(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no saved generations at"):
        read_single(tmp_path / "none.json")
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(UserError, match="no importer knows"):
        read_single(tmp_path / "binary")
    with pytest.raises(DeskcheckError, match="UTF-8"):
        read_single(tmp_path / "binary", "jsonl")
