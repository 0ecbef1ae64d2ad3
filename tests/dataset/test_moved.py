"""A dataset depends on what it is made from, not on where that lies; what others made is not trusted."""

from __future__ import annotations

import gzip
import json
import os
import tracemalloc
from pathlib import Path

import pytest
from tests.dataset.fakes import FakeTracer

from deskcheck import data_files
from deskcheck.dataset.build import build
from deskcheck.errors import CorruptShard, DataError, UserError
from deskcheck.format.shards import MANIFEST, read_manifest
from deskcheck.plugins import SourceOptions

SOURCE = "# deskcheck: f(3)\ndef f(n):\n    return {n: [n] * n}\n"


def project(folder: Path) -> Path:
    (folder / "package").mkdir(parents=True)
    (folder / "package" / "a.py").write_text(SOURCE)
    (folder / "b.py").write_text(SOURCE.replace("f(3)", "f(5)"))
    return folder


def test_the_same_project_in_another_folder_gives_the_same_dataset(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = project(tmp_path / "one"), project(tmp_path / "else" / "where")
    build(SourceOptions(source="files", path=str(first)), tmp_path / "d1", trace=FakeTracer())
    monkeypatch.chdir(second)
    build(SourceOptions(source="files", path="."), tmp_path / "d2", trace=FakeTracer())
    for name in (MANIFEST, "dataset.json", "traces-000000000.parquet"):
        assert (tmp_path / "d1" / name).read_bytes() == (tmp_path / "d2" / name).read_bytes(), name
    assert str(tmp_path) not in (tmp_path / "d1" / "dataset.json").read_text()


@pytest.mark.parametrize("shard", ["../outside.parquet", "/etc/passwd", "a/b.parquet", "", ".."])
def test_a_manifest_names_no_file_outside_its_folder(tmp_path: Path, shard: str) -> None:
    build(
        SourceOptions(source="files", path=str(project(tmp_path / "p"))), tmp_path / "d", trace=FakeTracer()
    )
    manifest = tmp_path / "d" / MANIFEST
    entry = json.loads(manifest.read_text())
    manifest.write_text(json.dumps({**entry, "shard": shard}) + "\n")
    with pytest.raises(CorruptShard, match="no file name"):
        read_manifest(tmp_path / "d")


def test_a_compressed_file_is_read_as_far_as_the_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(data_files, "MOST_BYTES", 1000)
    path, array = tmp_path / "rows.jsonl.gz", tmp_path / "rows.json.gz"
    path.write_bytes(gzip.compress(b'{"a": 1}\n' * 1000))  # of lines there may be any number
    assert len(list(data_files.read_rows(path))) == 1000
    path.write_bytes(gzip.compress(b" " * 10_000))
    array.write_bytes(gzip.compress(b"[" + b'{"a": 1},' * 200 + b'{"a": 1}]'))
    for one in (path, array):
        with pytest.raises(DataError, match="once decompressed"):
            list(data_files.read_rows(one))


def test_rows_are_streamed(tmp_path: Path) -> None:
    import pyarrow
    import pyarrow.parquet

    rows = [{"code": "x" * 10_000, "n": n} for n in range(3000)]
    (tmp_path / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    pyarrow.parquet.write_table(
        pyarrow.Table.from_pylist(rows), tmp_path / "rows.parquet", row_group_size=300
    )
    for name in ("rows.jsonl", "rows.parquet"):
        tracemalloc.start()
        assert [row["n"] for _, row in data_files.read_rows(tmp_path / name)] == [*range(3000)]
        assert tracemalloc.get_traced_memory()[1] < 10 << 20, name  # of 30 MB
        tracemalloc.stop()


def test_a_folder_that_cannot_be_written_is_a_message(tmp_path: Path) -> None:
    options = SourceOptions(source="files", path=str(project(tmp_path / "p")))
    place = Path("/proc/d") if os.path.isdir("/proc") else Path("/dev/null/d")
    with pytest.raises(UserError, match="cannot be written"):
        build(options, place, trace=FakeTracer())
