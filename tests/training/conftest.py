"""What the tests of tuning share: a small model of the hub's layout, and traces to tune it on."""

from __future__ import annotations

from pathlib import Path

import pytest

from deskcheck.format.shards import write_pairs
from deskcheck.programs.generated import traced


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder of a base model: no chat template."""
    from tests.training.small_model import write_small_model  # needs the extra 'train'

    return write_small_model(tmp_path_factory.mktemp("base"))


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Twelve programs with their traces."""
    path = tmp_path_factory.mktemp("data") / "traces.parquet"
    write_pairs(path, traced("easy", seed=6, n=12))
    return path
