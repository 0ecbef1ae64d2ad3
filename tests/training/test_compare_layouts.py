"""The table pools seeds, pairs programs, and says what was not run."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("numpy", reason="needs the extra 'eval'")

from deskcheck.training import compare_layouts, record
from deskcheck.training.compare_layouts import Comparison, folder, run_all, table
from deskcheck.training.evaluate import LayoutScore, read_scores, write_scores
from deskcheck.training.presets import PRESETS
from deskcheck.training.record import TrainRun


def score(layout: str, question: str, verdicts: list[bool]) -> LayoutScore:
    n = len(verdicts)
    return LayoutScore(
        layout, question, n, sum(verdicts), 0.0, float("nan"), 0, 5.0, verdicts, [f"p{k}" for k in range(n)]
    )


def finished(comparison: Comparison, layout: str, seed: int, scores: list[LayoutScore]) -> None:
    out = folder(comparison, layout, seed)
    record.write(TrainRun("c", PRESETS["micro"], seed, 1, "", "easy", {}, "", "m"), out)
    write_scores(scores, out / "scores.json")


def test_scores_are_read_back_as_written(tmp_path: Path):
    rows = [score("direct", "whole run", [True, False])]
    write_scores(rows, tmp_path / "s.json")
    assert str(read_scores(tmp_path / "s.json")) == str(rows)


def test_the_table_pools_seeds_and_pairs_programs(tmp_path: Path):
    comparison = Comparison(out=str(tmp_path), seeds=(0, 1, 2), layouts=("direct", "line-1", "compact"))
    for seed in (0, 1):
        finished(comparison, "direct", seed, [score("direct", "whole run", [seed == 1] * 20 + [False] * 20)])
        steps, chain = (
            score("line-1", "one step", [True] * 60 + [False] * 20),
            score("line-1", "chained", [True] * 20 + [False] * 20),
        )
        finished(comparison, "line-1", seed, [steps, chain])
    text = table(comparison)
    assert "| direct | whole run | 25.0 %" in text
    assert "0.0, 50.0, not run" in text
    assert "| line-1 | one step | 75.0 %" in text
    assert "| compact | not run |" in text
    assert "line-1 chained minus direct whole run: +25.0 points" in text
    assert "2 seeds" in text


def test_finished_runs_are_not_made_again_and_begun_ones_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    comparison = Comparison(out=str(tmp_path), seeds=(0,), layouts=("direct", "line-1", "compact"))
    finished(comparison, "direct", 0, [score("direct", "whole run", [True])])
    finished(comparison, "line-1", 0, [])
    (folder(comparison, "line-1", 0) / "scores.json").unlink()
    asked = []
    monkeypatch.setattr(compare_layouts, "train", lambda options, say: asked.append(options))
    run_all(comparison, say=lambda text: None)
    assert [(o.layouts, o.resume, o.tokens) for o in asked] == [
        (["line-1"], True, comparison.tokens),
        (["compact"], False, comparison.tokens),
    ]
