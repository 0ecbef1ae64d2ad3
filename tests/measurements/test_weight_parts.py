"""Weights in parts of bounded size: nothing is lost but bits below fp16, and joined they are a checkpoint."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("numpy", reason="needs the extra 'train'")
pytest.importorskip("safetensors", reason="needs the extra 'train'")

import numpy as np
from tests.training.toys import SHAPE

from deskcheck.errors import DataError, UserError
from deskcheck.training.export import read_shape, read_weights
from weight_parts import join, read_parts, write_parts

WEIGHTS = {f"layer.{n}.weight": np.random.default_rng(n).normal(size=(64, 64)).astype("f4") for n in range(5)}


def test_files_are_small_and_hold_every_weight(tmp_path: Path):
    files = write_parts(WEIGHTS, SHAPE, tmp_path, part_bytes=20_000)
    assert [file.name for file in files] == [f"weights-{n}-of-3.safetensors" for n in (1, 2, 3)]
    assert all(file.stat().st_size < 21_000 for file in files)
    join(tmp_path, tmp_path / "joined")
    found = read_weights(str(tmp_path / "joined"))
    assert found.keys() == WEIGHTS.keys()
    assert all(np.array_equal(found[name], WEIGHTS[name].astype("f2")) for name in WEIGHTS)
    assert read_shape(str(tmp_path / "joined")) == SHAPE


def test_weights_in_bf16_are_those_that_torch_rounds_to(tmp_path: Path):
    torch = pytest.importorskip("torch", reason="needs the extra 'train'")
    write_parts(WEIGHTS, SHAPE, tmp_path)
    (file,) = write_parts(WEIGHTS, SHAPE, tmp_path, bf16=True)
    assert [one.name for one in tmp_path.glob("*.safetensors")] == [file.name]
    found = read_parts(tmp_path)
    for name, value in WEIGHTS.items():
        assert np.array_equal(found[name], torch.tensor(value).bfloat16().float().numpy())
        assert not np.array_equal(found[name], value.astype("f2").astype("f4"))


def test_files_of_an_earlier_time_go_and_a_missing_one_is_an_error(tmp_path: Path):
    write_parts(WEIGHTS, SHAPE, tmp_path, part_bytes=9_000)
    files = write_parts(WEIGHTS, SHAPE, tmp_path, part_bytes=20_000)
    assert len(list(tmp_path.glob("*.safetensors"))) == 3
    files[1].unlink()
    with pytest.raises(DataError, match="2 of 3 files"):
        read_parts(tmp_path)
    with pytest.raises(UserError, match="alone has 8,192 bytes"):
        write_parts(WEIGHTS, SHAPE, tmp_path, part_bytes=8_000)
