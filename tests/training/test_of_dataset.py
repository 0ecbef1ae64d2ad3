"""Training from scratch on a dataset: rows in a fixed order, no benchmark program, no code run again."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from pathlib import Path
from random import Random

import pytest

pytest.importorskip("numpy", reason="needs the extra 'eval'")
pytest.importorskip("tokenizers", reason="needs the extra 'eval'")

from deskcheck.benchmarks.core import folder_of, problems
from deskcheck.dataset.build import build
from deskcheck.errors import UserError
from deskcheck.plugins import SourceOptions
from deskcheck.training import record, traces
from deskcheck.training.presets import Mix, preset
from deskcheck.training.stream import PartPlan, generated_examples
from deskcheck.training.traces import family_of_folder, runs_of

OURS = """
def spread(words: list[str], n: int) -> list[str]:
    found = []
    for word in words:
        if len(word) > n:
            found.append(word[:n] + "-")
        else:
            found.insert(0, word * 2)
    return found


def endless(n: int) -> int:
    while n >= 0:
        n += 1
    return n
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A dataset with functions of ours and one of a benchmark, which its builder did not compare."""
    root = tmp_path_factory.mktemp("data")
    (root / "code").mkdir()
    (root / "code" / "a.py").write_text(OURS)
    (root / "code" / "b.py").write_text(problems(folder_of(""))[0].source)
    options = SourceOptions(source="functions", path=str(root / "code"))
    build(options, root / "out", workers=1, decontaminate=False)
    return str(root / "out")


def plan(folder: str, **changes: object) -> PartPlan:
    given = {"stage": 0, "number": 0, "families": {family_of_folder(folder): 1.0}, "seed": 1,
             "mix": Mix({"direct": 1.0, "line-1": 1.0}, max_steps=3), "max_length": 512,
             "candidates": 40}  # fmt: skip
    return PartPlan(**(given | changes))  # type: ignore[arg-type]


def test_runs_come_without_end_in_an_order_of_the_seed(folder: str) -> None:
    first, again, other = (
        [program.id for program, _ in islice(runs_of(folder, Random(seed)), 60)] for seed in (0, 0, 1)
    )
    assert first == again != other
    assert len(set(first)) < 60


def test_programs_of_a_benchmark_are_left_out_and_counted(folder: str) -> None:
    examples, counts = generated_examples(plan(folder))
    assert all("def spread" in example.prompt for example in examples)
    found = counts()
    assert found.n_candidates == 40 == found.n_unfit + found.n_held_out + found.n_programs
    assert found.n_held_out and found.n_programs


def test_the_code_of_a_dataset_does_not_run_again(folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(traces, "in_process", lambda *_: pytest.fail("foreign code in this process"))
    monkeypatch.setattr("deskcheck.training.stream.in_process", traces.in_process)
    mix = Mix({"line-1": 1.0, "instruction-1": 1.0}, max_steps=3)
    examples, counts = generated_examples(plan(folder, mix=mix))
    layouts = Counter(example.layout for example in examples)
    assert set(layouts) == {"line-1"}
    assert counts().n_not_finer == counts().n_programs > 0


def test_a_folder_that_is_no_dataset_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no folder of `deskcheck build`"):
        family_of_folder(str(tmp_path / "nowhere"))


def test_a_run_on_other_data_is_not_resumed_with_a_dataset(folder: str, tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="needs the extra 'train'")
    from deskcheck.training.train import TrainOptions, first_rows
    from deskcheck.training.train import train as run_train

    given = {"preset": "tiny", "out": str(tmp_path / "run"), "tokens": 8_192, "threads": 1}
    assert "def spread" in first_rows(TrainOptions(**given, data=folder))
    run = record.TrainRun(
        command="", preset=preset("tiny"), seed=0, budget=8_192, start_from="", held_out="easy", versions={},
        commit="", machine="", decontamination="",
    )  # fmt: skip
    record.write(run, tmp_path / "run")
    with pytest.raises(UserError, match="has another --data"):
        run_train(TrainOptions(**given, data=folder, resume=True))
