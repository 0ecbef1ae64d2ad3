"""A dataset's card says what it holds, and other libraries read its shards as they are."""

from __future__ import annotations

from pathlib import Path

import pytest

from deskcheck.dataset.build import build
from deskcheck.dataset.command import CARD, card, write_card
from deskcheck.dataset.folder import read_dropped
from deskcheck.format.shards import read_pairs
from deskcheck.plugins import SourceOptions


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("card") / "easy"
    build(
        SourceOptions(source="generated", family="easy", n=30, seed=2),
        out,
        filters=["trivial=4"],
        shard_size=20,
    )
    write_card(out)
    return out


def test_the_card_counts_what_the_shards_hold(dataset: Path):
    text = (dataset / CARD).read_text("utf-8")
    pairs = list(read_pairs(dataset))
    assert text.startswith("---\nconfigs:\n") and 'data_files: "traces-*.parquet"' in text
    assert f"| runs | {len(pairs)} |" in text
    assert f"| functions | {len({(p.source, p.entry) for p, _ in pairs})} |" in text
    assert f"| trivial | {sum(one.reason == 'trivial' for one in read_dropped(dataset))} |" in text
    assert (
        "## Functions" not in text
        and "| filters | trivial=4 |" in text
        and "hours for 300,000 functions" in text
    )
    assert str(dataset.parent) not in text


def test_the_card_counts_functions_found_and_executed(tmp_path: Path):
    code = tmp_path / "code.py"
    code.write_text(
        "import socket\n"
        "def twice(xs: list[int]):\n    out = []\n    for x in xs:\n        out += [2 * x]\n    return out\n"
        "def host():\n    return socket.gethostname()\n"
        "def port():\n    return socket.SOL_TCP\n"
        "def broken(obj: Unknown):\n    return obj.a.b\n"
    )
    out = tmp_path / "out"
    build(SourceOptions(source="functions", path=str(code)), out, filters=[])
    text = card(out)
    assert len(list(read_pairs(out))) > 1, "several calls of the one function"
    assert "Of 4 functions and methods found, 1 (25.0 %) have a row." in text
    assert "| needs a module that acts on the machine, or a package | 2 | 50.0 % |" in text


def test_a_killed_run_leaves_no_rate(dataset: Path, tmp_path: Path):
    for file in dataset.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    log = tmp_path / "run.jsonl"
    log.write_bytes(b"".join(log.read_bytes().splitlines(keepends=True)[:1]))
    assert "hours for" not in card(tmp_path)


def test_duckdb_reads_the_shards_as_they_are(dataset: Path):
    duckdb = pytest.importorskip("duckdb", reason="duckdb is not installed: pip install 'deskcheck[dev]'")
    files = str(dataset / "traces-*.parquet")
    (found,) = duckdb.sql(f"select count(*), max(len(events.line)) from read_parquet('{files}')").fetchall()
    pairs = list(read_pairs(dataset))
    assert found == (len(pairs), max(len(trace.events.line) for _, trace in pairs))


def test_polars_reads_the_shards_as_they_are(dataset: Path):
    polars = pytest.importorskip("polars", reason="polars is not installed: pip install 'deskcheck[dev]'")
    n_lines = polars.col("events").struct.field("line").list.len().max()
    rows = polars.scan_parquet(dataset / "traces-*.parquet")
    found = rows.select(polars.len(), n_lines, polars.col("program").struct.field("entry").first()).collect()
    pairs = list(read_pairs(dataset))
    most = max(len(trace.events.line) for _, trace in pairs)
    assert found.row(0) == (len(pairs), most, pairs[0][0].entry)


def test_datasets_reads_the_folder_as_it_is(dataset: Path, tmp_path: Path):
    datasets = pytest.importorskip(
        "datasets", reason="datasets is not installed: pip install 'deskcheck[train]'"
    )
    found = datasets.load_dataset(str(dataset), split="train", cache_dir=str(tmp_path))
    assert len(found) == len(list(read_pairs(dataset)))
    assert found[0]["program"]["source"] == next(read_pairs(dataset))[0].source
