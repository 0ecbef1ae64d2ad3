"""Filters: each reason is counted, written with what it repeats, and the same after a stop."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.dataset.fakes import FakeSource

from deskcheck.dataset import build as building
from deskcheck.dataset.build import build
from deskcheck.dataset.filters import DEFAULTS, Filters
from deskcheck.dataset.folder import read_config, read_dropped
from deskcheck.errors import UnknownName, UserError
from deskcheck.format.shards import read_manifest, read_pairs
from deskcheck.plugins import SourceOptions
from deskcheck.tracing.collect import trace_packed
from deskcheck.tracing.program import make_program

LOOP = "def f(n):\n    s = 0\n    for i in range(n):\n        s += i * n\n    print(s)\n    return s\n"
SHORT = "def g(x):\n    return x\n"
BROKEN = "def h(x):\n    return missing(x)\n"
COPY = LOOP.replace("s ", "total ").replace("(s)", "(total)").replace("return s", "return total")
CALLS = [(LOOP, "f", "3"), (LOOP, "f", "3 + 0"), (LOOP, "f", "4"), (LOOP, "f", "60"), (SHORT, "g", "1"),
         (BROKEN, "h", "1"), (COPY, "f", "3")]  # fmt: skip


@pytest.fixture(autouse=True)
def _source(monkeypatch: pytest.MonkeyPatch):
    made = [make_program(s, e, a, origin=f"fake:{n}") for n, (s, e, a) in enumerate(CALLS)]
    source = FakeSource([])
    monkeypatch.setattr(source, "programs", lambda options: iter(made))
    monkeypatch.setattr(building, "load", lambda kind, name: source)


def made(out: Path, filters: list[str]) -> dict[str, int]:
    found = build(
        SourceOptions(source="fake"), out, filters=filters, decontaminate=False, shard_size=2, workers=1,
        trace=trace_packed,
    )  # fmt: skip
    assert found.n_read == len(CALLS) == found.n_kept + sum(found.dropped.values())
    return found.dropped


@pytest.mark.parametrize(
    ("name", "dropped"),
    [
        ("trivial=3", {"trivial": 2}),
        ("too-long=50", {"too long": 1}),
        ("too-large=100", {"too large": 7}),
        ("does-not-run", {"does not run": 1}),
        ("side-effects", {"side effects (print)": 5}),
        ("duplicate-path", {"duplicate path": 1}),
        ("near-duplicate", {"near duplicate": 1}),
    ],
)
def test_each_filter_counts_its_own_reason(tmp_path: Path, name: str, dropped: dict[str, int]):
    assert made(tmp_path / "out", [name]) == dropped
    assert read_config(tmp_path / "out").filters == [name if "=" in name else Filters([name]).recorded[0]]


def test_what_is_dropped_is_written_with_what_it_repeats(tmp_path: Path):
    made(tmp_path / "out", ["duplicate-path", "near-duplicate"])
    found = [(one.input, one.reason, one.like) for one in read_dropped(tmp_path / "out")]
    assert found == [(1, "duplicate path", "fake:0"), (6, "near duplicate", "fake:0")]
    assert [p.origin for p, _ in read_pairs(tmp_path / "out")] == [f"fake:{n}" for n in (0, 2, 3, 4, 5)]


def test_a_shard_that_is_made_again_drops_the_same(tmp_path: Path):
    filters = ["duplicate-path", "near-duplicate"]
    made(tmp_path / "whole", filters)
    made(tmp_path / "out", filters)
    manifest = tmp_path / "out" / "manifest.jsonl"
    for gone in range(4):
        lines = (tmp_path / "whole" / "manifest.jsonl").read_bytes().splitlines(keepends=True)
        manifest.write_bytes(b"".join(lines[:gone] + lines[gone + 1 :]))
        made(tmp_path / "out", filters)
        assert read_manifest(tmp_path / "out") == read_manifest(tmp_path / "whole")


def test_a_filter_of_ones_own_is_a_file_known_by_its_text(tmp_path: Path):
    own = tmp_path / "mine.py"
    own.write_text("def drop(program, trace):\n    return 'four' if program.arguments == '4' else ''\n")
    assert made(tmp_path / "out", [str(own)]) == {"four": 1}
    own.write_text(own.read_text() + "# other\n")
    with pytest.raises(UserError, match="built with other options: filters"):
        made(tmp_path / "out", [str(own)])
    own.write_text("drop = 3\n")
    with pytest.raises(UserError, match="defines no `drop"):
        Filters([str(own)])


def test_wrong_filters_are_named():
    with pytest.raises(UnknownName, match=r"known: FILE\.py, does-not-run, duplicate-path"):
        Filters(["trival"])
    for text in ("trivial=x", "near-duplicate=0.1", "duplicate-path=3", "too-long=-1"):
        with pytest.raises(UserError, match=text):
            Filters([text])
    assert Filters(DEFAULTS).recorded[3:5] == ["long-source=10000", "trivial=3"]
