"""Inspect's own tasks, before and after: asked of a small random model with stub data, paired by sample."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from deskcheck.errors import DataError, UnknownName, UserError
from deskcheck.training.downstream import Asked, checked, difference, downstream

ROWS = [
    {
        "question": f"Ann has {n} apples and buys {n}. How many?",
        "answer": f"{n} + {n} = {2 * n}\n#### {2 * n}",
    }
    for n in range(1, 13)
]
"""Questions in the layout of openai/gsm8k."""

SPEAKING = "{% for m in messages %}{{ m['content'] }}\n{% endfor %}"


def asked(**changes: Any) -> Asked:
    fields: dict[str, Any] = {"before": "mockllm/model", "after": "mockllm/model", "tasks": ("gsm8k",)}
    return Asked(**(fields | changes))


def test_what_cannot_be_asked_is_said_before_anything_is_asked():
    with pytest.raises(UnknownName, match="no downstream task called 'mmlu'"):
        checked(asked(tasks=("gsm8k", "mmlu")))
    with pytest.raises(UserError, match="--sandbox local would run what the model writes"):
        checked(asked(tasks=("humaneval",), sandbox="local"))


def test_the_difference_is_paired_by_sample_and_says_what_is_left_out():
    before = {f"s{n}": float(n % 2) for n in range(40)} | {"lost": 1.0}
    after = {f"s{n}": 1.0 for n in range(40)}
    found = difference("gsm8k", before, after)
    assert (found.before, found.after, found.points.mean, found.n, found.n_left_out) == (0.5, 1.0, 0.5, 40, 1)
    assert found.points.low < 0.5 < found.points.high
    with pytest.raises(DataError, match="no sample was scored with both models"):
        difference("gsm8k", {"a": 1.0}, {"b": 1.0})


STUB = """
import json, sys
import datasets
rows = json.loads(sys.argv.pop(1))
datasets.load_dataset = lambda *words, **settings: datasets.Dataset.from_list(rows)
from deskcheck.cli import main
main()
"""
"""The command with the hub's answer replaced: these rows for every split, nothing from the network."""


@pytest.mark.slow
def test_two_folders_are_asked_inspects_own_task(tmp_path: Path):
    pytest.importorskip("inspect_evals", reason="needs the extra 'downstream'")
    pytest.importorskip("torch", reason="needs the extra 'train'")
    from tests.training.small_model import write_small_model

    before, after = tmp_path / "before", tmp_path / "after"
    for folder in (before, after):
        folder.mkdir()
        write_small_model(folder, template=SPEAKING)
    words = ["downstream", str(before), str(after), "--tasks", "gsm8k", "--limit", "6", "--max-tokens", "4"]
    done = subprocess.run(
        [sys.executable, "-c", STUB, json.dumps(ROWS), *words, "--log-dir", str(tmp_path / "logs")],
        capture_output=True,
        text=True,
        env=os.environ | {"HF_HUB_OFFLINE": "1"},
    )
    assert done.returncode == 0, done.stderr[-2000:]
    last = done.stdout.splitlines()[-1]  # Inspect says before it what it loads
    assert last.startswith("gsm8k      before   0.0 %  after   0.0 %  after minus before +0.0 points")
    assert last.endswith("paired, n=6")
    assert len(list((tmp_path / "logs").glob("*.eval"))) == 2


@pytest.mark.filterwarnings("ignore")  # of inspect_evals and what it imports, about themselves
def test_right_answers_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A model that knows the answers is right by the task's own scorer; the other is not."""
    pytest.importorskip("inspect_evals", reason="needs the extra 'downstream'")
    import datasets
    from inspect_ai.model import get_model

    from deskcheck.training import downstream as module

    def saying(text: str) -> Any:
        return get_model("deskcheck/scripted", answers=[text], memoize=False)

    rows = datasets.Dataset.from_list(ROWS)
    monkeypatch.setattr(datasets, "load_dataset", lambda *words, **settings: rows)
    models = iter([saying("ANSWER: 0"), saying("ANSWER: 4")])
    monkeypatch.setattr(module, "opened", lambda name: next(models))
    wanted = asked(log_dir=str(tmp_path), options={"gsm8k": {"fewshot": 0}})
    (found,) = downstream(wanted, say=lambda text: None)
    assert (found.before, found.after, found.n) == (0.0, 1 / 12, 12)
