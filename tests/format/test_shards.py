"""What is written is what is read, bit for bit; same rows, same bytes; all else is an error."""

from __future__ import annotations

import errno
import os
import struct
from pathlib import Path

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.format.traces import PROGRAMS, TEXT, TRACES, bits_of
from tests.scripts import load_script

from deskcheck.errors import CorruptShard, DataError, UserError
from deskcheck.format import shards
from deskcheck.format.buffers import escape, unescape
from deskcheck.records import (
    ChangeColumns,
    Determinism,
    EventColumns,
    Fidelity,
    FrameColumns,
    Granularity,
    Limits,
    ObjectColumns,
    Program,
    Returned,
    Trace,
    ValueColumns,
)


def small(**fields: object) -> Trace:
    """A trace of f(3) with two events."""
    trace = Trace(
        format_version=1,
        program_id="ab12",
        language="python",
        runtime="CPython 3.11",
        granularity=Granularity.LINE,
        fidelity=Fidelity("reference", ["values"]),
        limits=Limits(),
        determinism=Determinism(),
        outcome=Returned(0),
        codes=[],
        frames=FrameColumns([0], [-1]),
        events=EventColumns([0, 1], [0, 1], [0, 0], [1, 2], [-1, -1], [1, 1]),
        changes=ChangeColumns([0], [0], [1], [-1], [0], [0]),
        values=ValueColumns([2, 5], [3, 0], [0.0, 0.0], [b"", b"x"], [0, 1]),
        objects=ObjectColumns([], [], []),
        names=["int", "str"],
    )
    return msgspec.structs.replace(trace, **fields)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One for all examples of a law."""
    return tmp_path_factory.mktemp("storage")


@settings(max_examples=80)
@given(st.lists(st.tuples(st.none() | PROGRAMS, TRACES), max_size=4))
def test_pairs_come_back_bit_for_bit_and_the_same_rows_are_the_same_bytes(
    folder: Path, pairs: list[tuple[Program | None, Trace]]
):
    assert shards.write_pairs(folder / "a.parquet", pairs) == len(pairs)
    shards.write_pairs(folder / "b.parquet", pairs)
    assert (folder / "a.parquet").read_bytes() == (folder / "b.parquet").read_bytes()
    assert [bits_of(t) for t in shards.read_traces(folder / "a.parquet")] == [bits_of(t) for _, t in pairs]
    if all(program is not None for program, _ in pairs):
        assert [p for p, _ in shards.read_pairs(folder / "a.parquet")] == [p for p, _ in pairs]


@given(TEXT)
def test_escaped_text_is_utf8_and_comes_back(text: str):
    escape(text).encode("utf-8")
    assert unescape(escape(text)) == text


def test_nans_of_different_bits_stay_different(tmp_path: Path):
    bits = [b"\x01\0\0\0\0\0\xf8\x7f", b"\x02\0\0\0\0\0\xf8\x7f", b"\x01\0\0\0\0\0\xf0\xff"]
    reals = [struct.unpack("<d", b)[0] for b in bits] * 50
    n = len(reals)
    trace = small(values=ValueColumns([3] * n, [0] * n, reals, [b""] * n, [0] * n))
    shards.write_traces(tmp_path / "t.parquet", [trace])
    (back,) = shards.read_traces(tmp_path / "t.parquet")
    assert [struct.pack("<d", real) for real in back.values.real] == bits * 50


def test_row_groups_are_cut_by_rows_and_by_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    path = tmp_path / "t.parquet"
    shards.write_traces(path, [small()] * 4500)
    with pq.ParquetFile(path) as file:
        assert [file.metadata.row_group(i).num_rows for i in range(file.num_row_groups)] == [2000, 2000, 500]
    monkeypatch.setattr(shards, "GROUP_CELLS", 100)
    shards.write_traces(path, [small()] * 10)
    with pq.ParquetFile(path) as file:
        assert file.num_row_groups > 1
    assert len(list(shards.read_traces(path))) == 10


def test_a_number_that_does_not_fit_its_column_is_named_and_nothing_is_written(tmp_path: Path):
    trace = small(frames=FrameColumns([1 << 40], [-1]))
    with pytest.raises(DataError, match=r"frames\.code does not fit int32"):
        shards.write_traces(tmp_path / "t.parquet", [trace])
    assert list(tmp_path.iterdir()) == []


def test_duckdb_sees_nested_lists(tmp_path: Path):
    duckdb = pytest.importorskip("duckdb")
    program = Program("ab12", "python", "def f(x): ...", "f", "3", "here", "MIT")
    shards.write_pairs(tmp_path / "t.parquet", [(program, small()), (None, small())])
    rows = duckdb.sql(
        "SELECT program_id, program.entry, outcome, n_steps, events.line, values.number "
        f"FROM '{tmp_path / 't.parquet'}'"
    ).fetchall()
    assert rows == [
        ("ab12", "f", "returned", 1, [1, 2], [3, 0]),
        ("ab12", None, "returned", 1, [1, 2], [3, 0]),
    ]
    lines = duckdb.sql(f"SELECT unnest(events.line) FROM '{tmp_path / 't.parquet'}'").fetchall()
    assert lines == [(1,), (2,), (1,), (2,)]


def test_the_datasets_library_reads_a_shard(tmp_path: Path):
    datasets = pytest.importorskip("datasets")
    shards.write_traces(tmp_path / "t.parquet", [small()])
    rows = datasets.Dataset.from_parquet(str(tmp_path / "t.parquet"), cache_dir=str(tmp_path / "cache"))
    assert rows[0]["events"]["line"] == [1, 2]
    assert rows[0]["outcome_value"] == 0


# ------------------------------------------------------------------ what is not a shard


@pytest.fixture
def shard(tmp_path: Path) -> Path:
    path = tmp_path / "t.parquet"
    shards.write_traces(path, [small()] * 3)
    return path


@pytest.mark.parametrize("keep", [0, 3, 100, -1])
def test_a_cut_shard_is_corrupt_and_its_path_is_named(shard: Path, keep: int):
    data = shard.read_bytes()
    shard.write_bytes(data[:keep])
    with pytest.raises(CorruptShard, match=r"t\.parquet is not a readable shard"):
        list(shards.read_traces(shard))


def test_garbage_is_corrupt(shard: Path):
    shard.write_bytes(os.urandom(5000))
    with pytest.raises(CorruptShard, match="is not a readable shard"):
        list(shards.read_traces(shard))


def test_flipped_bytes_are_corrupt_or_read_as_a_shard_but_never_another_error(shard: Path):
    data = shard.read_bytes()
    for at in range(0, len(data), max(1, len(data) // 150)):
        shard.write_bytes(data[:at] + bytes([data[at] ^ 0x55]) + data[at + 1 :])
        try:
            list(shards.read_traces(shard))
        except CorruptShard:
            continue


def test_another_schema_names_the_column(tmp_path: Path):
    pq.write_table(pa.table({"a": [1]}), tmp_path / "other.parquet")
    with pytest.raises(CorruptShard, match="has no column 'format_version'"):
        list(shards.read_traces(tmp_path / "other.parquet"))


def test_a_column_of_another_type_is_named(shard: Path):
    table = pq.read_table(shard)
    at = table.schema.get_field_index("n_steps")
    pq.write_table(
        table.set_column(at, pa.field("n_steps", pa.int32(), nullable=False), table["n_steps"].cast("int32")),
        shard,
    )
    with pytest.raises(CorruptShard, match="column 'n_steps' is int32, not int64"):
        list(shards.read_traces(shard))


def test_an_unknown_outcome_is_corrupt(shard: Path):
    table = pq.read_table(shard)
    at = table.schema.get_field_index("outcome")
    pq.write_table(table.set_column(at, table.schema.field("outcome"), pa.array(["vanished"] * 3)), shard)
    with pytest.raises(CorruptShard, match="vanished"):
        list(shards.read_traces(shard))


def test_a_path_that_does_not_exist_and_a_folder_without_a_manifest_say_so(tmp_path: Path):
    with pytest.raises(UserError, match="no such file or folder"):
        list(shards.read_traces(tmp_path / "no"))
    with pytest.raises(DataError, match="is not a dataset"):
        list(shards.read_traces(tmp_path))


def test_traces_without_programs_have_no_pairs(shard: Path):
    with pytest.raises(DataError, match="without their programs"):
        list(shards.read_pairs(shard))


# ------------------------------------------------------------------ whole or not at all


def test_an_interrupted_write_leaves_the_old_file_and_nothing_else(shard: Path):
    before = shard.read_bytes()

    def rows():
        yield small()
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        shards.write_traces(shard, rows())
    assert shard.read_bytes() == before
    assert [p.name for p in shard.parent.iterdir()] == [shard.name]


def test_a_full_disk_is_one_clear_error_and_leaves_nothing(shard: Path, monkeypatch: pytest.MonkeyPatch):
    before = shard.read_bytes()

    def full(fd: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(DataError, match="the disk is full"):
        shards.write_traces(shard, [small()])
    assert shard.read_bytes() == before
    assert [p.name for p in shard.parent.iterdir()] == [shard.name]


def test_the_page_on_the_format_is_current():
    module = load_script("docs/make_format.py")
    page = module.PAGE.read_text(encoding="utf-8")
    assert module.render(page) == page, "run: python docs/make_format.py"
    assert [name for name in module.tables() if f"table: {name} " not in page] == []
