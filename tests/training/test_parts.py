"""Weights in parts of bounded size: nothing is lost but bits below fp16, and training goes on from them."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("numpy", reason="needs the extra 'train'")
pytest.importorskip("safetensors", reason="needs the extra 'train'")

import numpy as np
from tests.training.toys import SHAPE

from deskcheck.errors import DataError, UserError
from deskcheck.training.export import PART_BYTES, read_shape, read_weights, write_parts

WEIGHTS = {f"layer.{n}.weight": np.random.default_rng(n).normal(size=(64, 64)).astype("f4") for n in range(5)}


def test_files_are_small_and_hold_every_weight(tmp_path: Path):
    assert PART_BYTES < 15_000_000
    parts = tmp_path / "parts"
    files = write_parts(WEIGHTS, SHAPE, parts, part_bytes=20_000)
    assert [file.name for file in files] == [f"weights-{n}-of-3.safetensors" for n in (1, 2, 3)]
    assert all(file.stat().st_size < 21_000 for file in files)
    assert [path.name for path in tmp_path.iterdir()] == ["parts"]
    found = read_weights(str(parts))
    assert found.keys() == WEIGHTS.keys()
    assert all(np.array_equal(found[name], WEIGHTS[name].astype("f2")) for name in WEIGHTS)
    assert read_shape(str(parts)) == SHAPE


def test_files_of_an_earlier_time_go_and_a_missing_one_is_an_error(tmp_path: Path):
    parts = tmp_path / "parts"
    write_parts(WEIGHTS, SHAPE, parts, part_bytes=9_000)
    files = write_parts(WEIGHTS, SHAPE, parts, part_bytes=20_000)
    assert len(list(parts.glob("*.safetensors"))) == 3
    files[1].unlink()
    with pytest.raises(DataError, match="2 of 3 files"):
        read_weights(str(parts))


def test_parts_that_cannot_be_written_leave_the_earlier_ones(tmp_path: Path):
    parts = tmp_path / "parts"
    write_parts(WEIGHTS, SHAPE, parts)
    with pytest.raises(UserError, match="alone has 8,192 bytes"):
        write_parts(WEIGHTS, SHAPE, parts, part_bytes=8_000)
    assert read_weights(str(parts)).keys() == WEIGHTS.keys()
