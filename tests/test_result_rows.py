"""The results schema: rows come back from Parquet as they went in, whoever wrote them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pyarrow
import pyarrow.parquet
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import deskcheck
from deskcheck.cell_files import check_target, write_whole
from deskcheck.errors import DataError, UserError
from deskcheck.report.read import read_runs
from deskcheck.result_rows import (
    MARK,
    NULLABLE,
    VERSION,
    Result,
    check_output,
    column_types,
    read_results,
    split_name,
    write_results,
)

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)


def row(task: str = "a", verdict: str = "right", **more: object) -> Result:
    known = {
        "run": "r", "model": "m", "strategy": "s", "benchmark": "b", "benchmark_version": "1",
        "question": "output", "task": task, "sample": 0, "verdict": verdict, "reason": "", "answer": "1",
        "expected": "1", "policy": "strict", "extraction": "usual-1", "cluster": task,
    }  # fmt: skip
    return Result(**{**known, **more})  # type: ignore[arg-type]


@settings(max_examples=60, deadline=None)
@given(
    rows=st.lists(
        st.builds(
            Result,
            **{name: TEXT for name, kind in column_types().items() if kind == "str"},
            sample=st.integers(0, 9),
            settings=st.dictionaries(TEXT, TEXT, max_size=3),
            tags=st.dictionaries(TEXT, TEXT, max_size=3),
            marks=st.lists(TEXT, max_size=3),
            n_steps=st.integers(-1, 10**9),
            cost_usd=st.sampled_from([-1.0, 0.0, 0.25]),
            oracle=st.booleans(),
        ),
        max_size=5,
    )
)
def test_rows_come_back_as_they_went_in(tmp_path_factory: pytest.TempPathFactory, rows: list[Result]) -> None:
    path = tmp_path_factory.mktemp("rows") / "x.parquet"
    assert write_results(path, iter(rows)) == len(rows)
    assert list(read_results(path)) == rows


def test_what_is_not_known_is_null_for_those_who_read_the_parquet(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    write_results(path, [row()])
    table = pyarrow.parquet.read_table(path)
    assert [table[name][0].as_py() for name in NULLABLE] == [None] * len(NULLABLE)
    assert table.schema.names == list(column_types())
    assert sorted(table.schema.names) == sorted(Result.__struct_fields__)
    assert table.schema.metadata[MARK] == str(VERSION).encode()


def test_another_parquet_file_and_a_newer_schema_are_refused(tmp_path: Path) -> None:
    other = pyarrow.table({"a": [1]})
    pyarrow.parquet.write_table(other, tmp_path / "other.parquet")
    with pytest.raises(DataError, match="not results of deskcheck"):
        list(read_results(tmp_path / "other.parquet"))
    newer = other.replace_schema_metadata({MARK: str(VERSION + 1).encode()})
    pyarrow.parquet.write_table(newer, tmp_path / "newer.parquet")
    with pytest.raises(DataError, match=f"results of schema {VERSION + 1}; this deskcheck reads up to"):
        list(read_results(tmp_path / "newer.parquet"))
    (tmp_path / "text.parquet").write_text("no")
    with pytest.raises(DataError, match="not a whole Parquet file"):
        list(read_results(tmp_path / "text.parquet"))


def test_a_failed_write_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    write_results(path, [row()])

    def broken() -> object:
        yield row("b")
        raise RuntimeError("in the middle")

    with pytest.raises(RuntimeError):
        write_results(path, broken())  # type: ignore[arg-type]
    assert [one.task for one in read_results(path)] == ["a"]
    assert [file.name for file in tmp_path.iterdir()] == ["x.parquet"]


def test_reports_read_the_runs_of_a_file_each_under_its_name(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    rows = [row("a"), row("b", "wrong"), row("a", run="other", model="n"), row("b", run="other", model="n")]
    write_results(path, rows)
    runs = read_runs(str(path))
    assert [(run.row.model, run.row.right, run.row.wrong, run.row.n_answers) for run in runs] == [
        ("m", 1, 1, 2),
        ("n", 2, 0, 2),
    ]
    with pytest.raises(UserError, match="holds 2 runs; NAME=PATH names a single one"):
        read_runs(f"mine={path}")
    write_results(path, rows[:2])
    assert [run.row.model for run in read_runs(f"mine={path}")] == ["mine"]


def test_a_run_that_lacks_an_answer_is_no_run(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    write_results(path, [row("a"), row("b"), row("a", sample=1)])
    with pytest.raises(DataError, match="missing"):
        read_runs(str(path))


def test_an_equals_sign_in_a_path_is_no_name(tmp_path: Path) -> None:
    assert split_name("a=b.parquet") == ("a", "b.parquet")
    assert split_name("logs/x=1") == ("", "logs/x=1")
    odd = tmp_path / "a=b"
    odd.mkdir()
    assert split_name(str(odd)) == ("", str(odd))


def test_the_ending_says_the_format_and_nothing_is_overwritten(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"written as \.parquet"):
        check_output("x.csv")
    path = tmp_path / "x.parquet"
    check_output(str(path))
    path.touch()
    with pytest.raises(UserError, match="remove it first"):
        check_output(str(path))


def test_every_writer_keeps_links_and_writes_into_what_is_no_regular_file(tmp_path: Path) -> None:
    def whole(path: Path) -> None:
        write_whole(path, b"all of it")

    def run(path: Path) -> None:
        deskcheck.trace(lambda n: n, 1).save(path)

    writers = [(whole, ".json"), (run, ".deskcheck"), (run, ".parquet")]
    writers.append((lambda path: write_results(path, [row()]), ".parquet"))  # type: ignore[arg-type]
    for number, (write, ending) in enumerate(writers):
        folder = tmp_path / str(number)
        (folder / "far").mkdir(parents=True)
        link, target, pipe = folder / f"link{ending}", folder / "far" / "target", folder / f"pipe{ending}"
        link.symlink_to(target)
        for _ in range(2):  # a link to nothing yet, then to a file
            write(link)
            assert link.is_symlink() and target.stat().st_size > 8
        os.mkfifo(pipe)
        with open(os.open(pipe, os.O_RDONLY | os.O_NONBLOCK), "rb") as reader:
            write(pipe)
            assert pipe.is_fifo() and len(reader.read()) > 8
        assert {one.name for one in folder.rglob("*")} == {link.name, pipe.name, "far", "target"}


def test_a_device_may_be_named_where_no_file_may_be_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)
    check_target(os.devnull, "--json")
    with pytest.raises(UserError, match="nothing may be written to"):
        check_target(str(tmp_path / "x.json"), "--json")


def test_a_name_of_standard_output_writes_to_what_is_open_there(tmp_path: Path) -> None:
    """A shell opened the file: what it held before and what is written after must stay."""
    code = (
        "import sys; from pathlib import Path; from deskcheck.format.files import replacing\n"
        "sys.stdout.write('before '); sys.stdout.flush()\n"
        "with replacing(Path(sys.argv[1])) as file: file.write(b'rows ')\n"
        "sys.stdout.write('after')"
    )
    for name in ("/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"):
        target = tmp_path / "out"
        with target.open("wb") as stdout:
            subprocess.run([sys.executable, "-c", code, name], stdout=stdout, check=True)
        assert target.read_text() == "before rows after", name
        assert [one.name for one in tmp_path.iterdir()] == ["out"]
