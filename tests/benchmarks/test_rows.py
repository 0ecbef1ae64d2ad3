"""Rows of a benchmark's file: faults name file, row and field; the hub is asked where no file is named."""

from __future__ import annotations

import gzip
import io
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from deskcheck.benchmarks import cruxeval, livecodebench_exec
from deskcheck.benchmarks._rows import locate, read_rows
from deskcheck.errors import DataError, UserError

ROW = '{"code": "def f(x):\\n    return x", "input": "1", "output": "1", "id": "sample_0"}\n'


def written(folder: Path, content: str | bytes, name: str = "rows.jsonl") -> str:
    """Path of a new file."""
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return str(path)


def test_plain_and_compressed_lines_give_the_same_items(tmp_path: Path) -> None:
    plain = list(cruxeval.items(written(tmp_path, ROW + "\n")))
    packed = list(cruxeval.items(written(tmp_path, gzip.compress(ROW.encode()), "rows.jsonl.gz")))
    assert plain == packed
    assert [item.id for item in plain] == ["sample_0"]


def test_parquet_gives_the_same_items(tmp_path: Path) -> None:
    import pyarrow
    import pyarrow.parquet

    rows = {"code": ["def f(x):\n    return x"], "input": ["1"], "output": ["1"], "id": ["sample_0"]}
    pyarrow.parquet.write_table(pyarrow.table(rows), tmp_path / "rows.parquet")
    assert list(cruxeval.items(str(tmp_path / "rows.parquet"))) == list(
        cruxeval.items(written(tmp_path, ROW))
    )


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "no rows"),
        ("\n\n", "no rows"),
        (ROW + "{", "line 2: not JSON"),
        (ROW + "[1]", "row 2: a list"),
        (ROW.replace('"input": "1", ', ""), "row 1: no field 'input'; it has: code, id, output"),
        (ROW + ROW.replace('"1"', "1"), "row 2, field 'input': int instead of text"),
        (b"\xff\xfe", "UTF-8"),
    ],
)
def test_a_malformed_file_says_where(tmp_path: Path, content: str | bytes, words: str) -> None:
    path = written(tmp_path, content)
    with pytest.raises(DataError) as found:
        list(cruxeval.items(path))
    assert words in str(found.value)
    assert path in str(found.value)


@pytest.mark.parametrize("name", ["rows.jsonl.gz", "rows.parquet"])
def test_a_broken_container_is_one_clear_error(tmp_path: Path, name: str) -> None:
    with pytest.raises(DataError, match=name):
        list(cruxeval.items(written(tmp_path, "no container", name)))


@pytest.mark.parametrize("call", ["f(1", "1", "g(1)", "f(1)(2)", "f(1) + 1", "x = f(1)", "(" * 100_000])
def test_a_livecodebench_input_must_be_one_call_of_its_function(tmp_path: Path, call: str) -> None:
    row = (
        f'{{"code": "def f(x): return x", "function_name": "f", "input": "{call}", "output": "1", "id": "s"}}'
    )
    with pytest.raises(DataError, match="row 1, field 'input'"):
        list(livecodebench_exec.items(written(tmp_path, row)))


def test_a_livecodebench_call_keeps_its_text(tmp_path: Path) -> None:
    row = '{"code": "def f(x): 1", "function_name": "f", "input": "f(x = [1])", "output": "[1]", "id": "s"}'
    (item,) = livecodebench_exec.items(written(tmp_path, row))
    assert item.program.call == "f(x = [1])"
    assert "from typing import List" in item.program.prelude
    assert item.cluster == "s"


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"no data file at '.*none.jsonl' \(--data PATH\)"):
        list(cruxeval.items(str(tmp_path / "none.jsonl")))


def test_without_a_network_the_message_names_the_way_round(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(address: str, timeout: float) -> io.BytesIO:
        raise urllib.error.URLError("no route")

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(urllib.request, "urlopen", refuse)
    with pytest.raises(UserError, match="--data PATH") as found:
        list(cruxeval.items(""))
    assert cruxeval.HUB[0] in str(found.value)
    assert list(tmp_path.rglob("*")) == []


def test_the_hub_is_asked_once_at_the_pinned_revision(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def answer(address: str, timeout: float) -> io.BytesIO:
        asked.append(address)
        return io.BytesIO(ROW.encode())

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("HF_ENDPOINT", "https://mirror.example/")
    monkeypatch.setattr(urllib.request, "urlopen", answer)
    assert len(list(cruxeval.items(""))) == len(list(cruxeval.items(""))) == 1
    repository, revision, file = cruxeval.HUB
    assert asked == [f"https://mirror.example/datasets/{repository}/resolve/{revision}/{file}"]
    assert len(revision) == len(livecodebench_exec.HUB[1]) == 40
    assert next(read_rows(locate("", cruxeval.HUB)))[0] == 1
