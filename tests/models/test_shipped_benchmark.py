"""measurements/shipped_model.py: an evaluation of the card is made once, in a folder made for it."""

from __future__ import annotations

import argparse
import shutil
from pathlib import Path
from types import ModuleType

import pytest
from tests.scripts import load_script

from deskcheck.training.scores.long_runs import LongRow

pytestmark = pytest.mark.one_python

for library in ("onnxruntime", "inspect_ai"):
    pytest.importorskip(library, reason="needs the extra 'eval'")


@pytest.fixture(scope="module")
def shipped_model() -> ModuleType:
    return load_script("measurements/shipped_model.py")


@pytest.mark.slow
def test_an_evaluation_of_the_card_is_the_one_that_was_asked_for(shipped_model: ModuleType, tmp_path: Path):
    options = argparse.Namespace(out=tmp_path / "not" / "there", model="", limit=0)
    for limit in ("2", "3"):  # the same folder: the second is not taken for the first
        asked = shipped_model.Asked("easy", "direct", ("--limit", limit))
        run = shipped_model.evaluated(asked, options)
        assert run.row.n_tasks == int(limit)
        assert "| easy | direct" in shipped_model.by_strategy(asked, run)


def test_long_chains_are_asked_once_and_kept(
    shipped_model: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    row = LongRow("counter", 15_000, [1, 2], [900, 1100], [900, 7], 1, 0.1, 0.9, 50, 49, 0.9, 0.99)
    asked: list[tuple[str, ...]] = []

    def rows(
        model: object, layout: str, *, which: str, names: tuple[str, ...], targets: tuple[int, ...]
    ) -> list[LongRow]:
        asked.append((layout, which, *names, *map(str, targets)))
        return [row]

    monkeypatch.setattr("deskcheck.training.scores.long_runs.long_rows", rows)
    options = argparse.Namespace(out=tmp_path / "new", model="", chains=15_000)
    table = shipped_model.chains(options, "line-1")
    assert "| counter | 900 to 1,100 | 1 of 2 | 10 to 90 | 900 | 98.0 % | 90.0 to 99.0 | 50 |" in table
    assert shipped_model.chains(options, "line-1") == table
    assert asked == [("line-1", "evaluation", *shipped_model.CHAINS, "15000")]
    other = tmp_path / "other"
    shutil.copytree(shipped_model.SHIPPED, other)
    (other / "README.md").write_text("---\nlayouts: [line-1]\n---\n")
    options.model = str(other)
    shipped_model.chains(options, "line-1")
    assert len(asked) == 2  # another model in the same folder is asked for itself


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


def test_a_shipped_model_keeps_what_was_measured_apart_from_a_run(shipped_model: ModuleType, tmp_path: Path):
    model, place = tmp_path / "model", tmp_path / "place"
    for folder in (model, place):
        folder.mkdir()
        (folder / "model.onnx").write_bytes(folder.name.encode())
    old = "# tiny\n\n## Scores\nold\n\n{evaluations}## Speed\nfast\n\n## Training\nold\n\n## Limits\nold\n"
    marks = f"{shipped_model.BEGIN}\n## By what a line does\nold\n{shipped_model.END}\n\n"
    new = "# tiny\n\n## Scores\nnew\n\n## Training\nnew\n\n## Limits\nnew\n"
    for text in (old.format(evaluations=marks), old.format(evaluations="")):
        (place / "README.md").write_text(text)
        (model / "README.md").write_text(new)
        said = shipped_model.ship(model, place)
        assert said.endswith("to be read again: ## Speed")
        assert (place / "README.md").read_text() == new.replace("## Tr", "## Speed\nfast\n\n## Tr")
        assert (place / "model.onnx").read_bytes() == b"model"
    with pytest.raises(SystemExit, match="holds no model with a card; --ship takes the folder"):
        shipped_model.ship(tmp_path / "mistyped", place)
    shipped_model.write("numbers\n", place / "README.md")
    assert (place / "README.md").read_text().count("## Speed") == 1
