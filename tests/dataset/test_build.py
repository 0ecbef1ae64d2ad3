"""A build reads every program once, keeps or counts it, and can be stopped and gone on with at any moment."""

from __future__ import annotations

import errno
import json
import os
from pathlib import Path

import pytest
from tests.dataset.fakes import FakeSource, FakeTracer, outcome_of, program

from deskcheck.dataset import build as building
from deskcheck.dataset import folder as folders
from deskcheck.dataset.build import Summary, build
from deskcheck.dataset.command import as_text
from deskcheck.dataset.folder import read_quarantine, read_runs
from deskcheck.errors import CorruptShard, DataError, UserError
from deskcheck.format.shards import read_manifest, read_pairs, read_traces
from deskcheck.plugins import SourceOptions
from deskcheck.records import Limits, Returned
from deskcheck.sandbox.containment import StrongestLevel

OPTIONS = SourceOptions(source="fake")


@pytest.fixture(autouse=True)
def _fake_level(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(building.containment, "find", lambda warm=None: StrongestLevel("full", {}))


def make(
    out: Path,
    monkeypatch: pytest.MonkeyPatch,
    *,
    numbers: object = None,
    tracer: FakeTracer | None = None,
    shard_size: int = 10,
    **fields: object,
) -> Summary:
    """Build from the numbers 0..94, or others."""
    source = FakeSource(range(95) if numbers is None else numbers)  # type: ignore[arg-type]
    monkeypatch.setattr(building, "load", lambda kind, name: source)
    return build(OPTIONS, out, trace=tracer or FakeTracer(), shard_size=shard_size, **fields)  # type: ignore[arg-type]


def contents(out: Path) -> dict[str, bytes]:
    """Every file whose bytes inputs and configuration determine."""
    names = [p.name for p in out.iterdir() if p.name not in (".lock", "run.jsonl")]
    return {name: (out / name).read_bytes() for name in sorted(names)}


def test_every_input_is_kept_or_counted_with_its_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    summary = make(tmp_path / "out", monkeypatch)
    kept = [n for n in range(95) if isinstance(outcome_of(n), Returned)]
    assert (summary.n_read, summary.n_kept) == (95, len(kept))
    assert summary.dropped == {"crashed": 1, "memory limit": 9, "time limit": 10}
    assert summary.n_shards == 10
    assert [p.arguments for p, _ in read_pairs(tmp_path / "out")] == [str(n) for n in kept]
    entries = read_manifest(tmp_path / "out")
    assert [e.first for e in entries] == list(range(0, 95, 10))
    assert all(e.n_read == e.n_kept + sum(e.dropped.values()) for e in entries)
    assert summary.n_steps == sum(t.n_steps for t in read_traces(tmp_path / "out"))


def test_what_the_clock_memory_or_a_crash_ended_stands_in_the_quarantine_with_its_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    make(tmp_path / "out", monkeypatch)
    quarantined = read_quarantine(tmp_path / "out")
    numbers = [n for n in range(95) if not isinstance(outcome_of(n), Returned)]
    assert [q.input for q in quarantined] == numbers
    assert [q.program for q in quarantined] == [program(n) for n in numbers]
    assert [q.outcome for q in quarantined] == [outcome_of(n) for n in numbers]  # a lone surrogate too


def test_the_same_inputs_are_the_same_bytes_however_far_the_tracer_runs_ahead(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    make(tmp_path / "a", monkeypatch, tracer=FakeTracer(ahead=0), workers=1)
    make(tmp_path / "b", monkeypatch, tracer=FakeTracer(ahead=60), workers=7)
    assert contents(tmp_path / "a") == contents(tmp_path / "b")
    assert {"dataset.json", "manifest.jsonl", "quarantine.jsonl", "traces-000000090.parquet"} <= {
        *contents(tmp_path / "a")
    }


def test_the_same_program_again_is_a_duplicate_wherever_it_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    numbers = [0, 0, 1, 2, 1, 4, 5, 0, 5, 5, 7, 7]
    tracer = FakeTracer()
    summary = make(tmp_path / "out", monkeypatch, numbers=numbers, tracer=tracer, shard_size=4)
    assert summary.dropped == {"duplicate": 6}
    assert [p.arguments for p, _ in read_pairs(tmp_path / "out")] == ["0", "1", "2", "4", "5", "7"]
    assert len(tracer.traced) == 6
    assert [e.n_read for e in read_manifest(tmp_path / "out")] == [4, 4, 4]


def test_a_finished_dataset_is_not_run_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    first = make(tmp_path / "out", monkeypatch)
    before = contents(tmp_path / "out")
    tracer = FakeTracer()
    assert make(tmp_path / "out", monkeypatch, tracer=tracer) == first
    assert tracer.traced == []
    assert contents(tmp_path / "out") == before
    assert [type(line).__name__ for line in read_runs(tmp_path / "out")] == ["RunStarted", "RunEnded"] * 2


class Stopped(FakeTracer):
    """Stops the build, as Ctrl-C does, after some programs."""

    def __init__(self, after: int) -> None:
        super().__init__()
        self.after = after

    def trace(self, one, limits):  # type: ignore[no-untyped-def]
        if len(self.traced) == self.after:
            raise KeyboardInterrupt
        return super().trace(one, limits)


def test_ctrl_c_keeps_finished_shards_and_the_next_run_makes_only_the_rest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    with pytest.raises(KeyboardInterrupt):
        make(tmp_path / "out", monkeypatch, tracer=Stopped(after=37))
    assert len(read_manifest(tmp_path / "out")) == 3
    assert len(list(read_traces(tmp_path / "out"))) == 24
    tracer = FakeTracer()
    make(tmp_path / "out", monkeypatch, tracer=tracer)
    assert len(tracer.traced) < 95 - 30, "what was done of the open shard is not run again"
    make(tmp_path / "whole", monkeypatch)
    assert contents(tmp_path / "out") == contents(tmp_path / "whole")


def test_what_ctrl_c_kept_aside_may_be_torn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    with pytest.raises(KeyboardInterrupt):
        make(tmp_path / "out", monkeypatch, tracer=Stopped(after=37))
    (tmp_path / "out" / "unfinished.parquet").write_bytes(b"torn")
    make(tmp_path / "out", monkeypatch)
    make(tmp_path / "whole", monkeypatch)
    assert contents(tmp_path / "out") == contents(tmp_path / "whole")


def test_a_shard_that_was_lost_from_the_manifest_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    make(tmp_path / "out", monkeypatch)
    before = contents(tmp_path / "out")
    manifest = tmp_path / "out" / "manifest.jsonl"
    lines = manifest.read_bytes().splitlines(keepends=True)
    manifest.write_bytes(b"".join(lines[:4] + lines[5:]))
    tracer = FakeTracer()
    make(tmp_path / "out", monkeypatch, tracer=tracer)
    assert tracer.traced == [program(n).id for n in range(40, 50)]
    after = contents(tmp_path / "out")
    assert {**after, "manifest.jsonl": b"", "quarantine.jsonl": b""} == {
        **before, "manifest.jsonl": b"", "quarantine.jsonl": b""
    }  # fmt: skip
    assert sorted(after["manifest.jsonl"].splitlines()) == sorted(before["manifest.jsonl"].splitlines())
    assert len(read_quarantine(tmp_path / "out")) == 20


@pytest.mark.parametrize("torn", [b"", b'{"shard":"traces-0000', b"\0" * 50])
def test_a_torn_last_line_counts_for_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, torn: bytes):
    make(tmp_path / "whole", monkeypatch)
    with pytest.raises(KeyboardInterrupt):
        make(tmp_path / "out", monkeypatch, tracer=Stopped(after=37))
    for name in ("manifest.jsonl", "quarantine.jsonl", "run.jsonl"):
        with open(tmp_path / "out" / name, "ab") as file:
            file.write(torn)
    (tmp_path / "out" / ".traces-000000030.parquet.tmp-1").write_bytes(b"half")
    assert len(list(read_traces(tmp_path / "out"))) == 24
    make(tmp_path / "out", monkeypatch)
    assert contents(tmp_path / "out") == contents(tmp_path / "whole")


def test_other_options_into_the_same_folder_are_refused_by_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    make(tmp_path / "out", monkeypatch)
    before = contents(tmp_path / "out")
    with pytest.raises(UserError, match="shard_size is 10 there and 20 now"):
        make(tmp_path / "out", monkeypatch, shard_size=20)
    with pytest.raises(UserError, match=r"limits\.max_steps is 100000 there and 5 now"):
        make(tmp_path / "out", monkeypatch, limits=Limits(max_steps=5))
    assert contents(tmp_path / "out") == before


@pytest.mark.parametrize("numbers", [[*range(5), 77, *range(6, 95)], range(30), [1, *range(95)]])
def test_a_source_that_has_changed_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, numbers: object
):
    make(tmp_path / "out", monkeypatch)
    before = contents(tmp_path / "out")
    with pytest.raises(UserError, match="no longer gives the"):
        make(tmp_path / "out", monkeypatch, numbers=numbers)
    assert contents(tmp_path / "out") == before


def test_a_second_writer_is_refused_and_says_who_writes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    refused = []

    class Nosy(FakeTracer):
        def trace(self, one, limits):  # type: ignore[no-untyped-def]
            if not refused:
                with pytest.raises(
                    UserError, match=f"written by another process .pid {os.getpid()}."
                ) as error:
                    make(tmp_path / "out", monkeypatch)
                refused.append(error)
            return super().trace(one, limits)

    make(tmp_path / "out", monkeypatch, tracer=Nosy())
    assert len(refused) == 1
    assert len(read_manifest(tmp_path / "out")) == 10


def test_a_folder_with_other_things_and_a_file_are_not_written_into(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(UserError, match=r"holds other things \(notes.txt"):
        make(tmp_path, monkeypatch)
    with pytest.raises(UserError, match="is a file"):
        make(tmp_path / "notes.txt", monkeypatch)
    assert [p.name for p in tmp_path.iterdir()] == ["notes.txt"]


def test_a_source_without_programs_writes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    with pytest.raises(UserError, match="gives no program"):
        make(tmp_path / "out", monkeypatch, numbers=[])
    assert not (tmp_path / "out").exists()
    (tmp_path / "empty.py").touch()
    with pytest.raises(UserError, match=r"gives no program in '.*empty.py'; name other code"):
        build(SourceOptions(source="functions", path=str(tmp_path / "empty.py")), tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_limit_stops_after_that_many_programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(building, "load", lambda kind, name: FakeSource(range(95)))
    options = SourceOptions(source="fake", limit=12)
    assert build(options, tmp_path / "out", trace=FakeTracer(), shard_size=10).n_read == 12


# ------------------------------------------------------------------ damage


def test_a_changed_shard_is_corrupt_for_readers_and_for_the_next_build(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    make(tmp_path / "out", monkeypatch)
    shard = tmp_path / "out" / "traces-000000020.parquet"
    whole = shard.read_bytes()
    shard.write_bytes(whole[:-1] + b"X")
    with pytest.raises(CorruptShard, match=r"traces-000000020\.parquet is not what was written"):
        list(read_traces(tmp_path / "out"))
    with pytest.raises(CorruptShard, match="delete its line in manifest"):
        make(tmp_path / "out", monkeypatch)
    shard.unlink()
    with pytest.raises(CorruptShard, match="is missing"):
        list(read_traces(tmp_path / "out"))


def test_a_manifest_line_that_is_none_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    make(tmp_path / "out", monkeypatch)
    manifest = tmp_path / "out" / "manifest.jsonl"
    lines = manifest.read_bytes().splitlines(keepends=True)
    manifest.write_bytes(b"".join([lines[0], b'{"shard": 1}\n', *lines[1:]]))
    with pytest.raises(CorruptShard, match=r"manifest\.jsonl, line 2 is not a manifest entry"):
        list(read_traces(tmp_path / "out"))
    entry = json.loads(lines[0])
    entry["n_kept"] += 1
    manifest.write_bytes(json.dumps(entry).encode() + b"\n")
    with pytest.raises(CorruptShard, match="read is not kept"):
        list(read_traces(tmp_path / "out"))


@pytest.mark.parametrize("at", range(0, 24, 3))
def test_a_full_disk_is_one_clear_error_and_the_folder_can_be_gone_on_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at: int
):
    fsync, calls = os.fsync, 0

    def full(fd: int) -> None:
        nonlocal calls
        calls += 1
        if calls > at + 1:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        fsync(fd)

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(DataError, match="the disk is full"):
            make(tmp_path / "out", monkeypatch)
    make(tmp_path / "out", monkeypatch)
    make(tmp_path / "whole", monkeypatch)
    assert contents(tmp_path / "out") == contents(tmp_path / "whole")


# ------------------------------------------------------------------ shown


def test_a_dataset_is_shown_with_its_counts_and_some_traces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    make(tmp_path / "out", monkeypatch)
    # These runs are made up, and no call begins them: none is printed.
    monkeypatch.setattr("deskcheck.dataset.command.SHOWN_STEPS", -1)
    text = as_text(tmp_path / "out", n_shown=2)
    assert "read 95, kept 75, dropped 20 (1 crashed, 9 memory limit, 10 time limit); 10 shards" in text
    assert "outcomes: 75 returned" in text
    assert "fake:1, 2 steps\nf(1): too long to print; deskcheck view" in text
    assert "in quarantine.jsonl: 20" in text
    with pytest.raises(UserError, match="no such folder"):
        as_text(tmp_path / "no")


def test_a_changed_configuration_file_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    make(tmp_path / "out", monkeypatch)
    (tmp_path / "out" / folders.CONFIG).write_text("{}")
    with pytest.raises(CorruptShard, match=r"dataset\.json is not a configuration"):
        make(tmp_path / "out", monkeypatch)
