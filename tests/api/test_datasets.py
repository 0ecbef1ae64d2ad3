"""deskcheck.build and .load_dataset: folders of traces from Python, as a Hugging Face dataset."""

from __future__ import annotations

from pathlib import Path

import pytest

import deskcheck
from deskcheck.errors import MissingExtra, UserError

pytest.importorskip("pyarrow", reason="needs the extra 'data'")
FILE = "def f(n, xs):\n    xs.append(n)\n    return xs\n"


@pytest.fixture
def built(tmp_path: Path) -> deskcheck.Dataset:
    (tmp_path / "p.py").write_text(FILE)
    calls = ["f(1, [])", "f(2, [5])", "f(2, [5])"]
    return deskcheck.build(
        "files", tmp_path / "p.py", calls=calls, out=tmp_path / "own", license="MIT", workers=1
    )


def test_a_dataset_counts_what_it_read_and_yields_its_runs(built: deskcheck.Dataset):
    assert (built.n_read, built.n_kept, built.dropped) == (3, 2, {"duplicate": 1})
    assert repr(built).endswith("own: 2 runs, 4 steps, dropped 1 (1 duplicate)>")
    assert [trace.result for trace in built] == [[1], [5, 2]] and len(built) == 2


def test_what_cannot_be_built_is_said(tmp_path: Path):
    with pytest.raises(UserError, match=r"known: .*generated"):
        deskcheck.build("generatd", out=tmp_path / "x")
    with pytest.raises(UserError, match=r"no family of generated programs called 'esy'.*'easy'"):
        deskcheck.build("generated", family="esy", n=1, out=tmp_path / "x")


def test_runs_are_rows_of_values_and_a_layout_makes_prompts(built: deskcheck.Dataset):
    pytest.importorskip("datasets", reason="needs the extra 'train'")
    rows = deskcheck.load_dataset(built.path)
    assert rows[1]["result"] == "[5, 2]" and rows[1]["license"] == "MIT" and rows[1]["source"] == FILE
    assert rows[1]["steps"][1] == {
        "number": 2,
        "function": "f",
        "line": 3,
        "text": "return xs",
        "locals": "n=2, xs=[5, 2]",
    }
    examples = deskcheck.load_dataset(built.path, layout="line-1")
    assert examples.column_names == ["program_id", "prompt", "completion", "step"]
    assert examples[0]["prompt"].startswith("[line-1]") and examples[0]["completion"].strip()
    with pytest.raises(UserError, match=r"no layout called 'line1'.*did you mean 'line-1'"):
        deskcheck.load_dataset(built.path, layout="line1")
    with pytest.raises(UserError, match="no such dataset: nowhere"):
        deskcheck.load_dataset("nowhere")


def test_without_the_library_the_line_that_installs_it_is_said(
    built: deskcheck.Dataset, monkeypatch: pytest.MonkeyPatch
):
    import sys

    monkeypatch.setitem(sys.modules, "datasets", None)
    with pytest.raises(MissingExtra, match=r"load_dataset needs .*'datasets'.*pip install .*\[train\]"):
        deskcheck.load_dataset(built.path)
