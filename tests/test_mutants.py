"""Every planted fault of tests/mutants.py still has its place, so that `make slow` can plant it."""

from __future__ import annotations

import pytest
from tests.mutants import MUTANTS, ROOT, Mutant


@pytest.mark.parametrize(
    "mutant", MUTANTS, ids=lambda mutant: f"{mutant.file}: {mutant.instead.strip()[:40]}"
)
def test_a_planted_fault_has_a_place_and_a_test(mutant: Mutant):
    text = (ROOT / mutant.folder / mutant.file).read_text(encoding="utf-8")
    assert text.count(mutant.text) >= 1, "adapt tests/mutants.py to the text of today"
    assert (ROOT / mutant.test.split()[0]).exists(), mutant.test
