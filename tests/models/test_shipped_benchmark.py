"""benchmarks/shipped_model.py: an evaluation of the card is made once, in a folder that need not be there."""

from __future__ import annotations

import argparse
from pathlib import Path
from types import ModuleType

import pytest
from tests.scripts import load_script

for library in ("onnxruntime", "inspect_ai"):
    pytest.importorskip(library, reason="needs the extra 'eval'")


@pytest.fixture(scope="module")
def shipped_model() -> ModuleType:
    return load_script("benchmarks/shipped_model.py")


def test_an_evaluation_of_the_card_is_the_one_that_was_asked_for(shipped_model: ModuleType, tmp_path: Path):
    options = argparse.Namespace(out=tmp_path / "not" / "there", model="", limit=0)
    for limit in ("2", "3"):  # the same folder: the second is not taken for the first
        asked = shipped_model.Asked("easy", "direct", ("--limit", limit))
        run = shipped_model.evaluated(asked, options)
        assert run.row.n_tasks == int(limit)
        assert "| easy | direct" in shipped_model.by_strategy(asked, run)


def test_the_text_goes_into_the_card_between_its_marks(shipped_model: ModuleType, tmp_path: Path):
    card = tmp_path / "README.md"
    card.write_text("# tiny\n\n## Scores\nx\n\n## Layouts alone\ny\n\n## Training\nz\n")
    shipped_model.write("first\n", card)
    once = card.read_text()
    assert (
        once.index("## Scores")
        < once.index("first")
        < once.index("## Layouts alone")
        < once.index("## Training")
    )
    shipped_model.write("second\n", card)
    assert card.read_text() == once.replace("first", "second")
