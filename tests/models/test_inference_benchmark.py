"""The benchmark of the step engine compares like with like: every mode writes the same number of tokens."""

from __future__ import annotations

from types import ModuleType

import pytest
from tests.scripts import load_script

for library in ("numpy", "onnxruntime", "tokenizers"):
    pytest.importorskip(library, reason="needs the extra 'eval'")

from deskcheck.models.tiny import load  # noqa: E402


@pytest.fixture(scope="module")
def benchmark() -> ModuleType:
    return load_script("benchmarks/inference.py")


def test_every_mode_writes_the_same_tokens(benchmark: ModuleType) -> None:
    model, asked = load(threads=1), benchmark.questions()[:16]
    counts = {benchmark.by_engine(model, asked, 8, mode) for mode in ("all", "no drafts", "no reuse")}
    assert len(counts) == 1
    assert counts.pop() >= 2 * len(asked)


def test_chains_take_all_their_steps(benchmark: ModuleType) -> None:
    row = benchmark.chains(load(threads=1), "counter", 3, 10)
    assert (row["chains"], row["steps_each"]) == (3, 10)
    assert row["tokens_written"] >= 2 * 30
    assert len(row["resident_mib_by_tenths"]) == 10
