"""A build of functions that was killed goes on without trying again what it has chosen."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from deskcheck.dataset.build import build, summarise
from deskcheck.dataset.journal import CHOICES, Journal
from deskcheck.errors import DataError
from deskcheck.format.buffers import Packed, packed_of
from deskcheck.format.shards import read_manifest
from deskcheck.plugins import SourceOptions
from deskcheck.records import Limits, Program
from deskcheck.tracers import Choice
from deskcheck.tracing.run import trace_program

CODE = """
def half(n: int) -> int:
    if n % 2:
        return n
    return n // 2


def longest(words: list[str]) -> str:
    best = ""
    for word in words:
        if len(word) > len(best):
            best = word
    return best


def never(n: int) -> int:
    raise RuntimeError(n)


def is_even(n: int) -> bool:
    return n % 2 == 0
"""


class Killed(BaseException):
    """In the place of SIGKILL: nothing is kept as on Ctrl-C."""


class Counting:
    """A tracer in this process, one program at a time; ends the build before one run more than `most`."""

    def __init__(self, most: int = 1_000_000) -> None:
        self.n_runs, self.most = 0, most

    def __call__(
        self, programs: Iterable[Program], limits: Limits, **how: Any
    ) -> Iterator[tuple[Program, Packed]]:
        for program in programs:
            self.n_runs += 1
            if self.n_runs > self.most:
                raise Killed
            yield program, packed_of(trace_program(program, limits))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of code, in which every file has other functions."""
    path = tmp_path_factory.mktemp("code") / "code"
    path.mkdir()
    for number in range(4):
        (path / f"m{number}.py").write_text(
            CODE.replace("n // 2", f"n // {number + 2}").replace('""', repr("x" * number))
        )
    return path


def built(code: Path, out: Path, tracer: Counting) -> dict[str, bytes]:
    """Build, and return the bytes of every file that inputs and options determine."""
    build(
        SourceOptions(source="functions", path=str(code)),
        out, workers=1, shard_size=5, trace=tracer, decontaminate=False,
    )  # fmt: skip
    return {
        p.name: p.read_bytes() for p in out.iterdir() if p.name not in (".lock", "run.jsonl", "README.md")
    }


def test_a_killed_build_tries_no_chosen_function_again(folder: Path, tmp_path: Path) -> None:
    whole = Counting()
    expected = built(folder, tmp_path / "whole", whole)
    n_functions = len(expected[CHOICES].splitlines())
    assert n_functions == 16
    assert whole.n_runs > 100
    for most in (whole.n_runs // 2, whole.n_runs - 1):
        out = tmp_path / f"out-{most}"
        with pytest.raises(Killed):
            built(folder, out, Counting(most))
        n_chosen = len(Journal(out))
        assert n_chosen
        again = Counting()
        assert built(folder, out, again) == expected
        without = Counting()
        (out / CHOICES).unlink()
        assert built(folder, out, without) == expected
        # Without its record, every call is tried again; those in finished shards are not confirmed again.
        assert without.n_runs == whole.n_runs - summarise(read_manifest(out)).n_kept
        # Only the programs of the open shard, five at most, run once more; no call is tried.
        assert again.n_runs <= whole.n_runs * (1 - n_chosen / n_functions) + 25
        assert again.n_runs < whole.n_runs
    last = Counting()
    assert built(folder, tmp_path / "whole", last) == expected
    assert last.n_runs == 0


def test_a_changed_function_is_tried_again(folder: Path, tmp_path: Path) -> None:
    code = tmp_path / "code"
    shutil.copytree(folder, code)
    with pytest.raises(Killed):
        built(code, tmp_path / "out", Counting(120))
    chosen = set(Journal(tmp_path / "out"))
    changed = code / "m0.py"
    changed.write_text(changed.read_text().replace("n % 2:", "n % 3:"))
    built(code, tmp_path / "whole", Counting())
    kept = chosen & set(Journal(tmp_path / "whole"))
    assert 0 < len(kept) == len(chosen) - 1


@pytest.mark.parametrize("damage", [b'{"key":"a","choi', b"nonsense\n", b"\xff\xfe\n", b'{"key":1}\n'])
def test_a_damaged_journal_counts_up_to_its_last_whole_line(tmp_path: Path, damage: bytes) -> None:
    first = Journal(tmp_path)
    with first.writing():
        first["one"] = Choice([("f", "'\ud800'", "functions:a.py:f:0")])
        first["two"] = Choice(reason="only raises")
    whole = (tmp_path / CHOICES).read_bytes()
    (tmp_path / CHOICES).write_bytes(whole + damage)
    again = Journal(tmp_path)
    assert dict(again) == dict(first)
    with again.writing():
        again["three"] = Choice()
    assert (tmp_path / CHOICES).read_bytes().startswith(whole)
    assert list(Journal(tmp_path)) == ["one", "two", "three"]


def test_nothing_is_written_before_the_folder_is_open(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "new")
    journal["one"] = Choice(reason="only raises")
    assert not (tmp_path / "new").exists()
    (tmp_path / "new").mkdir()
    with journal.writing():
        pass
    assert dict(Journal(tmp_path / "new")) == {"one": Choice(reason="only raises")}


def test_a_full_disk_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    journal = Journal(tmp_path)
    monkeypatch.setattr(journal, "_opened", partial(open, "/dev/full", "wb"))
    full = r"the disk is full: .*choices\.jsonl could not be written"
    with pytest.raises(DataError, match=full), journal.writing():
        journal["one"] = Choice()


def test_an_error_of_the_build_stays_what_it_is(tmp_path: Path) -> None:
    with pytest.raises(PermissionError), Journal(tmp_path).writing():
        raise PermissionError("of something else")
