"""Shards: data made beforehand is what the stages ask for, and rows of redexes do not see each other."""

from __future__ import annotations

from pathlib import Path
from random import Random

import msgspec
import pytest

pytest.importorskip("numpy", reason="needs the extra 'train'")
pytest.importorskip("torch", reason="needs the extra 'train'")

import numpy as np
import torch
from tests.training.toys import SHAPE

import gpu_shards as shards
from deskcheck.errors import DataError
from deskcheck.training import network
from deskcheck.training.presets import Mix, Preset, Stage
from deskcheck.training.redexes import rows
from deskcheck.training.tokenizer import COMPUTING_SIZE

COMPUTING = msgspec.structs.replace(SHAPE, vocabulary=COMPUTING_SIZE, trained_length=256, shift=2)
STAGES = (
    Stage(0.5, {}, redexes=1.0, operations="first", tokens=2_000),
    Stage(0.5, {"easy": 1.0}, redexes=0.4),
)
PRESET = Preset("toy", COMPUTING, 2, Mix({"line-1": 1.0}), STAGES, bf16=False)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shards, "ROWS_OF_REDEXES", 4)
    monkeypatch.setattr(shards, "CANDIDATES", 10)


def test_lines_packed_into_rows_have_the_losses_that_they_have_alone():
    read, rng = rows.Reader(), Random(0)
    lines = [rows.look_ups(rng, read) for _ in range(12)]
    packed = rows.packed(lines, 256)
    assert 1 < len(packed.ids) < len(lines)
    assert int((packed.group >= 0).sum()) == sum(line.n_tokens for line in lines)
    model = network.build_model(COMPUTING, seed=0, deviation=0.2)
    with torch.no_grad():
        together = float(network.loss_of(model, packed, bf16=False))
        alone = sum(float(network.loss_of(model, rows.arrays([line]).rows, bf16=False)) for line in lines)
    assert together == pytest.approx(alone, rel=1e-5)
    assert rows.packed([], 256).ids.shape == (0, 256)


@pytest.mark.usefixtures("small")
def test_shards_hold_the_rows_of_every_stage_and_are_made_once(tmp_path: Path):
    said: list[str] = []
    made = shards.make(PRESET, tmp_path, {0: 6, 1: 10}, seed=0, workers=1, say=said.append)
    assert made[shards.REDEXES] >= 10 and made[shards.PROGRAMS] >= 6
    files = {path.name: path.read_bytes() for path in tmp_path.glob("*.npz")}
    first = tmp_path / "stage-0-redexes-00000.npz"
    first.unlink()
    assert shards.make(PRESET, tmp_path, {0: 6, 1: 10}, seed=0, workers=1, say=said.append) == made
    again = shards.read(first)
    with np.load(first) as new:
        assert np.array_equal(new["ids"], again.ids)
    assert {path.name for path in tmp_path.glob("*.npz")} == files.keys()
    assert not (again.question.any() or set(again.group.max(1)) == {0})


@pytest.mark.usefixtures("small")
def test_a_stage_is_read_in_its_shares_and_its_shards_come_again(tmp_path: Path):
    shards.make(PRESET, tmp_path, {0: 4, 1: 6}, seed=0, workers=1, say=lambda text: None)
    source = shards.Shards(PRESET, tmp_path)
    while not source.is_spent or source.stage < 0:
        assert len(source.batch(0, 0.1).ids) == 2
    source.batch(0, 0.1)
    assert source.stage == source.place.reached == 1  # its tokens were spent
    for step in range(40):
        source.batch(step, 0.6)
    given = source._given
    assert given[shards.REDEXES] / sum(given.values()) == pytest.approx(0.4, abs=0.05)
    assert source.n_repeated > 0
    again = shards.Shards(PRESET, tmp_path)
    again.go_to(source.place)
    again.batch(0, 0.1)
    assert again.stage == 1


def test_a_folder_without_shards_is_said(tmp_path: Path):
    with pytest.raises(DataError, match="no redexes of stage 1"):
        shards.Shards(PRESET, tmp_path).batch(0, 0.0)
