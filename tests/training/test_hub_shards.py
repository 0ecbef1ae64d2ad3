"""Examples on disk: the same after a kill, made by one process, and read without being held in memory."""

from __future__ import annotations

from pathlib import Path
from threading import Thread
from typing import Any

import msgspec
import numpy as np
import pytest

pytest.importorskip("trl", reason="needs the extra 'train'")

from tests.training.test_hub import examples, options, silent

from deskcheck.errors import UserError
from deskcheck.format.shards import write_pairs
from deskcheck.programs.generated import traced
from deskcheck.training.hub import rows as hub_rows
from deskcheck.training.hub import shards as hub_shards
from deskcheck.training.hub.data import with_layouts
from deskcheck.training.hub.model import open_tokenizer
from deskcheck.training.hub.rows import Rows
from deskcheck.training.hub.shards import PARTS, Stored, prepare, shared


def test_what_a_kill_left_is_kept_and_the_rest_is_the_same(
    base: Path, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hub_shards, "PROGRAMS", 3)
    whole, report = examples(options(base, data, tmp_path / "whole"))
    write, written = hub_shards._write_part, list[str]()

    def dying(folder: Path, file: str, *more: Any) -> Any:
        if len(written) == 2:
            (folder / file).write_bytes(b"half")
            with (folder / PARTS).open("ab") as lines:
                lines.write(b'{"file": "part-000')
            raise KeyboardInterrupt
        written.append(file)
        return write(folder, file, *more)

    monkeypatch.setattr(hub_shards, "_write_part", dying)
    with pytest.raises(KeyboardInterrupt):
        examples(options(base, data, tmp_path / "cut"))
    before = (tmp_path / "cut" / "examples" / "part-00001.arrow").stat().st_mtime_ns
    monkeypatch.setattr(hub_shards, "_write_part", write)
    cut, found = examples(options(base, data, tmp_path / "cut"))
    assert found == report
    assert (tmp_path / "cut" / "examples" / "part-00001.arrow").stat().st_mtime_ns == before, "made again"
    assert len(whole) == len(cut) == report.n_kept
    for number in range(len(whole)):
        assert all(np.array_equal(whole.row(number)[n], cut.row(number)[n]) for n in ("input_ids", "labels"))
    assert np.array_equal(whole.group, cut.group)
    assert len(set(whole.group.tolist())) == 24, "a group for each of 12 programs in 2 layouts"


def test_other_processes_wait_for_the_first(base: Path, data: Path, tmp_path: Path) -> None:
    chosen = options(base, data, tmp_path)
    tokenizer, folder = open_tokenizer(str(base), "main"), tmp_path / "examples"
    examples(msgspec.structs.replace(chosen, max_length=300))  # of another run: not taken for these
    found: list[Any] = []
    waiting = Thread(target=lambda: found.append(prepare(chosen, tokenizer, folder, silent, first=False)))
    waiting.start()
    report = prepare(chosen, tokenizer, folder, silent)
    waiting.join(60)
    assert found == [report]


def test_a_run_that_goes_on_keeps_its_examples(base: Path, tmp_path: Path) -> None:
    own = tmp_path / "traces.parquet"
    write_pairs(own, traced("easy", seed=6, n=4))
    chosen = options(base, own, tmp_path / "run")
    tokenizer, folder = open_tokenizer(str(base), "main"), tmp_path / "run" / "examples"
    _, report = examples(chosen)
    assert prepare(chosen, tokenizer, folder, silent, resumes=True) == report
    write_pairs(own, traced("easy", seed=7, n=4))
    with pytest.raises(UserError, match="other examples than when the run"):
        prepare(chosen, tokenizer, folder, silent, resumes=True)
    assert prepare(chosen, tokenizer, folder, silent).digest != report.digest


def test_rows_are_views_of_mapped_files(
    base: Path, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hub_rows, "WINDOW", 4)
    stored, _ = examples(options(base, data, tmp_path))
    ids = stored.row(3)["input_ids"]
    assert not ids.flags.owndata and not ids.flags.writeable
    kept = np.ones(len(stored), np.bool_)
    rows = [Rows(stored, kept, max_length=600, share=True, packing=True, seed=seed) for seed in (0, 0, 1)]
    assert np.array_equal(rows[0].unit, rows[1].unit) and not np.array_equal(rows[0].unit, rows[2].unit)
    assert max(len(row["input_ids"]) for row in rows[0]) <= 600
    assert rows[0].n_tokens == sum(len(row["input_ids"]) for row in rows[0])
    with pytest.raises(IndexError):
        rows[0][len(rows[0])]


def test_the_token_before_an_answer_is_never_shared() -> None:
    same = [np.array([1, 2, 3, 7]), np.array([1, 2, 3, 8])]
    assert shared(same, [3, 3]) == 2
    assert shared(same, [2, 3]) == 1
    assert shared(same[:1], [3]) == 0
    assert shared([np.array([1, 5]), np.array([2, 5])], [1, 1]) == 0


def test_a_folder_without_other_data_has_only_parts(base: Path, data: Path, tmp_path: Path) -> None:
    stored, report = examples(options(base, data, tmp_path))
    assert sorted(p.name for p in (tmp_path / "examples").iterdir()) == sorted(
        ["part-00000.arrow", PARTS, "plan.json", "removed.json", "report.json"]
    )
    assert isinstance(stored, Stored) and report.n_sft == 0


def test_the_report_of_a_mixture_adds_up_and_its_parts_are_in_the_plan(base: Path, tmp_path: Path) -> None:
    own = tmp_path / "traces.parquet"
    write_pairs(own, traced("easy", seed=6, n=8))
    file = tmp_path / "mix.toml"
    file.write_text(
        'split = "a"\nshares = { a = 0.7, b = 0.3 }\n'
        f'[[part]]\ndata = "{own}"\nlayouts = {{ line-1 = 0.7 }}\n'
        '[[part]]\ndata = "generated:first"\nlayouts = { direct = 1.0, compact = 0.5 }\n'
    )
    chosen = with_layouts(options(base, file, tmp_path / "run", programs=8))
    stored, report = examples(chosen)
    assert chosen.layouts == ["line-1", "direct", "compact"] and set(report.by_layout) == {*chosen.layouts}
    assert sum(report.by_layout.values()) == report.n_kept == len(stored)
    used = len(np.unique(stored.group // len(chosen.layouts)))
    left = (report.n_in_evaluation, report.n_unusable, report.n_other_split, report.n_not_drawn)
    assert report.n_programs == 16 == used + sum(left) and min(left[2:]) > 0
    tokenizer = open_tokenizer(str(base), "main")
    plan = hub_shards.plan_of(chosen, tokenizer)
    write_pairs(own, traced("easy", seed=7, n=8))
    assert hub_shards.plan_of(chosen, tokenizer) != plan
