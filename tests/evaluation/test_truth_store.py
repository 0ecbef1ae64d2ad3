"""The truth is executed once and kept: what is found again, what is never kept, what it takes in memory."""

from __future__ import annotations

import tracemalloc
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pyarrow as pa
import pytest
from msgspec.structs import replace
from tests.evaluation.fakes import NO_CHANGES, NO_OBJECTS, draft, loader, trace_of

from deskcheck import plugins
from deskcheck.errors import CorruptShard
from deskcheck.evaluation import stores, truth
from deskcheck.evaluation.stores import TruthStore, key_of
from deskcheck.format.buffers import Packed, packed_of
from deskcheck.records import (
    Crashed,
    Determinism,
    EventColumns,
    FrameColumns,
    Limits,
    Program,
    TimeLimit,
    Trace,
)


def program(number: int) -> Program:
    return Program(f"{number:016x}", "python", "def f(): ...", "f", "", "test", "MIT")


def trace(identity: str, n_steps: int) -> Trace:
    """A run of so many steps of one line."""
    number = list(range(1, n_steps + 1))
    same = [0] * n_steps
    return replace(
        trace_of(7),
        program_id=identity,
        frames=FrameColumns([0], [-1]),
        events=EventColumns([1] * n_steps, number, same, number, [-1] * n_steps, same),
        changes=NO_CHANGES,
        objects=NO_OBJECTS,
    )


class Sandbox:
    """Stands for it: makes a trace for each program, and counts."""

    def __init__(self, n_steps: int = 3, **changed: object) -> None:
        self.n_steps, self.changed, self.ran = n_steps, changed, 0

    def __call__(self, programs: Iterable[Program]) -> Iterator[tuple[Program, Packed]]:
        for one in programs:
            self.ran += 1
            yield one, packed_of(replace(trace(one.id, self.n_steps), **self.changed))


def test_a_program_runs_once_whatever_asks_for_it_again(tmp_path: Path) -> None:
    programs = [program(n) for n in (1, 2, 1, 3)]
    sandbox = Sandbox()
    first = [found.program_id for _, found in TruthStore(tmp_path).runs(programs, sandbox)]
    again = [found.program_id for _, found in TruthStore(tmp_path).runs([*programs, program(4)], sandbox)]
    assert first == [one.id for one in programs] and again[:4] == first
    assert sandbox.ran == 4


def test_a_trace_from_the_store_says_what_the_run_said(tmp_path: Path) -> None:
    for sandbox in (Sandbox(), Sandbox()):  # just run, then read
        ((_, found),) = TruthStore(tmp_path).runs([program(1)], sandbox)
        whole = trace(program(1).id, 3)
        assert found.n_steps == 3 and found.outcome == whole.outcome and found.names == whole.names
        assert list(found.events.step) == [1, 2, 3] and found.events.step[0] == 1
        assert list(found.events.line) == whole.events.line and found.values.data[0] == b""
        assert not found.changes.place


@pytest.mark.parametrize(
    "changed",
    [
        {"outcome": TimeLimit(1.0)},
        {"outcome": Crashed("SIGSEGV")},
        {"determinism": Determinism(reads=["time"])},
    ],
)
def test_what_another_run_may_not_repeat_is_not_kept(tmp_path: Path, changed: dict[str, object]) -> None:
    sandbox = Sandbox(**changed)
    for _ in range(2):
        ((_, found),) = TruthStore(tmp_path).runs([program(1)], sandbox)
        assert found.n_steps == 3
    assert sandbox.ran == 2


def test_a_file_that_cannot_be_read_counts_as_absent(tmp_path: Path) -> None:
    list(TruthStore(tmp_path).runs([program(1)], Sandbox()))
    (file,) = tmp_path.iterdir()
    file.write_bytes(file.read_bytes()[:100])
    sandbox = Sandbox()
    ((_, found),) = TruthStore(tmp_path).runs([program(1)], sandbox)
    assert sandbox.ran == 1 and list(found.events.line) == [1, 2, 3]
    assert [path.name for path in tmp_path.iterdir()] == [file.name]


def test_a_file_of_other_programs_under_the_same_name_is_said(tmp_path: Path) -> None:
    store = TruthStore(tmp_path)
    ((_, found),) = store.runs([program(1)], Sandbox())
    (file,) = tmp_path.iterdir()
    elsewhere = tmp_path / "other"
    elsewhere.mkdir()
    list(TruthStore(elsewhere).runs([program(2)], Sandbox()))
    (other,) = elsewhere.iterdir()
    other.replace(file)
    fresh = TruthStore(tmp_path)
    fresh._locations = {program(1).id: (file, 0)}
    with pytest.raises(CorruptShard, match="changed while it was in use"):
        fresh.read(found.program_id)


def test_limits_have_folders_of_their_own() -> None:
    assert key_of(Limits()) != key_of(Limits(max_steps=7)) and key_of(Limits()) == key_of(Limits())


def peak(n: int, folder: Path) -> tuple[int, int]:
    """Bytes of the columns of n runs of 2,000 steps, and most bytes in use to record and read them."""
    stores.SHARD_VALUES = stores.OPEN_VALUES = 40_000
    whole = packed_of(trace(program(1).id, 2_000))

    def run(programs: Iterable[Program]) -> Iterator[tuple[Program, Packed]]:
        for one in programs:  # columns of its own, as a run has
            columns = [bytes(bytearray(column)) for column in whole.columns]
            yield one, Packed(replace(whole.head, program_id=one.id), columns, whole.offsets)

    def twice(n: int, folder: Path) -> None:
        programs = [program(number) for number in range(n)]
        kept = [found for _, found in TruthStore(folder).runs(programs, run)]
        assert sum(found.events.line[-1] for found in kept) == 2_000 * n
        kept = [found for _, found in TruthStore(folder).runs(programs, Sandbox(0))]
        assert sum(found.n_steps for found in kept) == 2_000 * n

    (folder / "warm").mkdir()
    twice(2, folder / "warm")
    tracemalloc.start()
    twice(n, folder)
    assert pa.total_allocated_bytes() < 8 << 20
    return n * sum(map(len, whole.columns)), tracemalloc.get_traced_memory()[1]


def test_memory_does_not_grow_with_the_number_of_cases(tmp_path: Path) -> None:
    """In processes of their own: threads that other tests leave behind allocate too."""
    found = []
    for n in (20, 120):
        (tmp_path / str(n)).mkdir()
        with ProcessPoolExecutor(1, get_context("spawn")) as alone:
            found.append(alone.submit(peak, n, tmp_path / str(n)).result())
    (less, few), (more, many) = found
    assert more - less > 4_000_000
    assert many - few < (more - less) / 8, (few, many, more - less)


def test_tasks_share_the_runs_of_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two kinds of question, one execution; the folder is that of the environment variable."""
    ran: list[str] = []

    def packed(
        programs: Iterable[Program], limits: Limits, **how: object
    ) -> Iterator[tuple[Program, Packed]]:
        for one in programs:
            ran.append(one.id)
            yield one, packed_of(replace(trace_of(5), program_id=one.id))

    monkeypatch.setenv(stores.VARIABLE, str(tmp_path))
    monkeypatch.setattr(truth, "trace_packed", packed)
    monkeypatch.setattr(plugins, "load", loader(draft("a", "def f(): ..."), draft("b", "def f(): ...")))
    assert [task.expected for task in truth.build_tasks("fake").tasks] == ["5", "5"]
    assert truth.build_tasks("fake", kind="exception").ids == ["a", "b"]
    assert ran == ["a", "b"]
    assert next(tmp_path.rglob("*.parquet")).read_bytes()[:4] == b"PAR1"


def test_a_stored_run_can_be_continued_with_another_value(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    source = "def f():\n    total = 2\n    for i in range(3):\n        total += i\n    return total"
    monkeypatch.setenv(stores.VARIABLE, str(tmp_path))
    monkeypatch.setattr(plugins, "load", loader(draft("a", source)))
    (task,) = truth.build_tasks("fake", kind="counterfactual").tasks
    assert task.expected.lstrip("-").isdecimal() and task.expected != "5"
