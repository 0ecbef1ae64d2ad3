"""read_saved: three layouts of saved generations, and one clear error for anything else."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from deskcheck.errors import DataError, DeskcheckError, UserError
from deskcheck.models._saved import read_saved


@pytest.fixture
def file(tmp_path: Path) -> Callable[[object], Path]:
    """A function: text, or anything to be written as JSON -> path."""

    def write(content: object) -> Path:
        path = tmp_path / "generations.json"
        path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
        return path

    return write


def test_the_cruxeval_layout(file: Callable[[object], Path]) -> None:
    saved = read_saved(file({"sample_1": ["[1]", "2"], "sample_0": ["'a'", ""]}))
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
    saved = read_saved(path)
    assert saved.layout == "livecodebench"
    assert saved.stored == {"sample_0": [True, False]}
    assert saved.texts == {"sample_0": ["1", "2"]}
    assert read_saved(file({"raw_generations": {"sample_0": ["1"]}})).stored == {}


def test_json_lines_with_a_row_per_sample_or_per_task(file: Callable[[object], Path]) -> None:
    saved = read_saved(
        file(
            '{"id": "a", "completion": "1", "finish_reason": "length"}\n\n'
            '{"id": "a", "completion": "2"}\n'
            '{"id": "b", "completions": ["3", "4"], "finish_reasons": ["stop", "length"], "model": "m"}\n'
        )
    )
    assert saved.layout == "jsonl"
    assert saved.texts == {"a": ["1", "2"], "b": ["3", "4"]}
    assert [saved.finish_reason("a", n) for n in (0, 1)] == ["length", "unknown"]
    assert [saved.finish_reason("b", n) for n in (0, 1)] == ["stop", "length"]


def test_json_lines_of_a_single_line(file: Callable[[object], Path]) -> None:
    assert read_saved(file({"id": "a", "completion": "1"})).texts == {"a": ["1"]}


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "empty"),
        ("nonsense", "line 1: not JSON"),
        ('{"id": "a", "completion": "1"}\nnonsense', "line 2: not JSON"),
        ("[]", "a list"),
        ("3", "a int"),
        ({}, "no generation"),
        ({"sample_0": []}, "no generation"),
        ({"sample_0": "1"}, "'sample_0': expected a list of texts"),
        ({"sample_0": [1]}, "'sample_0': expected a list of texts"),
        ({"raw_generations": []}, "raw_generations"),
        (
            {"raw_generations": {"a": ["1"]}, "raw_scored_generations": {"a": [True, True]}},
            "2 verdicts, 1 texts",
        ),
        ({"raw_generations": {"a": ["1"]}, "raw_scored_generations": {"b": [True]}}, "1 verdicts, 0 texts"),
        ({"raw_generations": {"a": ["1"]}, "raw_scored_generations": {"a": [1]}}, "true and false"),
        ('{"id": "a"}\n{"id": "b"}', "either 'completion'"),
        ('{"id": "a", "completion": "1", "completions": []}', "either 'completion'"),
        ('{"id": 3, "completion": "1"}\n', "text field 'id'"),
        ('{"id": "a", "completion": null}', "no text"),
        ('{"id": "a", "completion": "1", "finish_reason": 3}', "finish reasons"),
        ('{"id": "a", "completions": ["1"], "finish_reasons": []}', "finish reasons"),
        ("[" * 100_000, "not JSON"),
    ],
)
def test_what_is_no_layout_says_where_and_why(
    file: Callable[[object], Path], content: object, words: str
) -> None:
    path = file(content)
    with pytest.raises(DataError) as found:
        read_saved(path)
    assert words in str(found.value)
    assert str(path) in str(found.value)


def test_a_missing_or_binary_file_is_one_clear_error(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no saved generations at"):
        read_saved(tmp_path / "none.json")
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(DeskcheckError, match="UTF-8"):
        read_saved(tmp_path / "binary")
