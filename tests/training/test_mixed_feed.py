"""Steps that mix redexes and programs: their shares, what repeats, dead workers, and a whole run by them."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

pytest.importorskip("numpy", reason="needs the extra 'train'")
pytest.importorskip("torch", reason="needs the extra 'train'")

import numpy as np
import torch
from tests.training.little_shards import LITTLE, dying, little_shard
from tests.training.toys import SHAPE

from deskcheck.errors import UserError
from deskcheck.inference.engine import Model
from deskcheck.inference.slots import Request, Row
from deskcheck.training import network, record
from deskcheck.training.data import Rows
from deskcheck.training.export import read_shape, read_weights
from deskcheck.training.live import mixed_feed
from deskcheck.training.live.mixed_feed import MixedFeed, Shard, make_shard
from deskcheck.training.presets import PRESETS, Mix, Preset, Stage
from deskcheck.training.redexes import rows
from deskcheck.training.stream import read_part
from deskcheck.training.tokenizer import COMPUTING_SIZE
from deskcheck.training.train import TrainOptions, train

COMPUTING = msgspec.structs.replace(SHAPE, vocabulary=COMPUTING_SIZE, trained_length=256, shift=2)
STAGES = (
    Stage(0.5, {"easy": 1.0}, redexes=0.5, operations="first"),
    Stage(0.5, {"easy": 1.0}, redexes=0.25),
)
PRESET = Preset("toy", COMPUTING, 8, Mix({"line-1": 1.0}), STAGES, bf16=False, mixed=True)


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    torch.set_num_threads(1)
    for name, number in LITTLE.items():
        monkeypatch.setattr(mixed_feed, name, number)
    monkeypatch.setattr(mixed_feed, "make_shard", little_shard)


def feed(folder: Path, **changes: Any) -> MixedFeed:
    return MixedFeed(PRESET, folder / "data", **{"seed": 1, "workers": 0, **changes})


def n_of_redexes(batch: Rows) -> int:
    """Rows of redexes: each of their groups is one sequence, so no token belongs to a question of a head."""
    return int((~batch.question.any(1)).sum())


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


def test_a_shard_depends_on_its_number_and_seed_alone(tmp_path: Path):
    for kind in (mixed_feed.REDEXES, mixed_feed.PROGRAMS):
        ids = []
        for number, name in ((3, "a"), (3, "b"), (4, "c")):
            report = make_shard(Shard(PRESET, 0, kind, number, 1), str(tmp_path / name))
            found, stored = read_part(tmp_path / name)
            assert stored == report
            assert report.examples.n_tokens == int((found.group >= 0).sum())
            ids.append(found.ids)
        assert np.array_equal(ids[0], ids[1])
        assert not np.array_equal(ids[0], ids[2])


def test_every_step_has_rows_of_both_kinds_in_the_shares_of_its_stage(tmp_path: Path):
    with feed(tmp_path) as source:
        for share, wanted in ((0.1, 0.5), (0.9, 0.25)):
            batches = [source.batch(step, share) for step in range(12)]
            assert all(len(batch.ids) == PRESET.rows_per_step for batch in batches)
            counts = [n_of_redexes(batch) for batch in batches]
            assert sum(counts) == wanted * PRESET.rows_per_step * len(batches)
            assert min(counts) > 0
        assert source.n_repeated == 0
        assert source.report.n_programs > 0
    assert not list((tmp_path / "data").iterdir())


def test_a_resumed_run_reads_other_shards(tmp_path: Path):
    with feed(tmp_path) as source:
        first = source.batch(0, 0.1)
        place = source.place
    with feed(tmp_path) as again:
        again.go_to(place)
        assert not np.array_equal(again.batch(0, 0.1).ids, first.ids)
        assert again.place.part > place.part


def test_rows_come_again_only_while_nothing_new_is_ready(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    with feed(tmp_path, workers=1) as source:
        source.batch(0, 0.1)
        monkeypatch.setattr(source, "_ask", lambda: None)  # nothing more is made
        source.settle()
        for step in range(400):
            source.batch(step, 0.1)
        assert source.n_repeated > 0
        assert source.waited_s > 0, "for the first shard"


def test_the_run_goes_on_without_the_shards_of_dead_workers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(mixed_feed, "make_shard", dying)
    said: list[str] = []
    with feed(tmp_path, workers=2, say=said.append) as source:
        step, until = 0, time.monotonic() + 60
        while source.n_lost < 2 and time.monotonic() < until:
            assert len(source.batch(step, 0.9).ids) == PRESET.rows_per_step
            step += 1
        assert source.n_parts > 0
    assert "a data worker died (SIGKILL) making stage " in said[0]
    failures = [json.loads(line) for line in (tmp_path / "failures.jsonl").read_text().splitlines()]
    assert all(failure["how"] == "SIGKILL" and "seed 1" in failure["what"] for failure in failures)


def test_rows_that_nothing_fits_into_end_the_run(tmp_path: Path):
    shape = msgspec.structs.replace(COMPUTING, trained_length=40)
    preset = msgspec.structs.replace(PRESET, shape=shape, stages=(Stage(1.0, {"easy": 1.0}),))
    with (
        MixedFeed(preset, tmp_path / "data", seed=1, workers=0) as source,
        pytest.raises(UserError, match="rows of 40 tokens are too short"),
    ):
        source.batch(0, 0.0)


@pytest.fixture
def toy_h100(monkeypatch: pytest.MonkeyPatch) -> Iterator[Preset]:
    """`tiny-h100` with a small network and two rows a step, and its own stages and mixture."""
    recipe = PRESETS["tiny-h100"]
    shape = msgspec.structs.replace(
        recipe.shape, hidden=32, layers=2, heads=2, intermediate=64, trained_length=320
    )
    toy = msgspec.structs.replace(recipe, shape=shape, rows_per_step=2, rows_per_pass=2, bf16=False)
    monkeypatch.setitem(PRESETS, "tiny-h100", toy)
    encoded = Model.row

    def short(self: Model, request: Request, ticket: object) -> Row:
        return encoded(self, msgspec.structs.replace(request, max_tokens=8), ticket)

    monkeypatch.setattr(Model, "row", short)
    yield toy


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning", "ignore::UserWarning")
def test_the_recipe_for_a_gpu_runs_whole_on_a_processor(toy_h100: Preset, tmp_path: Path):
    """Rows of both kinds, weights in parts, an attempt that goes on, a run that goes on from parts."""
    assert toy_h100.mixed
    assert sum(stage.share for stage in toy_h100.stages) == pytest.approx(1)
    said: list[str] = []
    out = tmp_path / "run"
    asked = TrainOptions(
        preset="tiny-h100", out=str(out), minutes=0.12, threads=1, workers=0, seed=8, n_held_out=0
    )
    train(msgspec.structs.replace(asked, stop_minutes=0.01), say=said.append)
    stopped = record.read(out)
    assert stopped is not None and stopped.n_steps > 0
    assert read_weights(str(out / "parts")), "an attempt that is stopped leaves its weights in parts"
    model = train(msgspec.structs.replace(asked, resume=True), say=said.append)
    run = record.read(out)
    assert run is not None and run.n_steps > stopped.n_steps
    assert run.data.n_programs > 0 and run.n_loss > 0
    parts, final = read_weights(str(out / "parts")), read_weights(str(out / "checkpoint"))
    assert parts.keys() == final.keys()
    assert all(np.array_equal(parts[name], final[name].astype("f2")) for name in final)
    assert read_shape(str(out / "parts")) == toy_h100.shape
    text = (model / "README.md").read_text()
    assert "tiny-h100" in text and "## Scores" not in text
    assert "without scores" in said[-1]
    again = msgspec.structs.replace(
        asked, out=str(tmp_path / "on"), start_from=str(out / "parts"), stop_minutes=0.001
    )
    train(again, say=said.append)
    went_on = read_weights(str(tmp_path / "on" / "parts"))
    name = "model.layers.0.self_attn.q_proj.weight"
    assert np.abs(went_on[name] - parts[name]).max() < np.abs(parts[name]).max() / 2
