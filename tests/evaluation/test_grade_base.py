"""`deskcheck grade` with the libraries of the base install alone: no numpy, scipy or pyarrow."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from deskcheck.statistics import summary

ROOT = Path(__file__).parents[2]
BASE = """
import sys
for name in ("pyarrow", "scipy", "numpy", "pandas", "inspect_ai", "onnxruntime", "tokenizers"):
    sys.modules[name] = None
from deskcheck.cli import main
main()
"""


def grade(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", BASE, "grade", *words]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def test_answers_and_solutions_are_graded_with_wilson_intervals():
    answers = "examples/answers"
    done = grade(
        "--benchmark", "cruxeval", "--data", f"{answers}/tasks.jsonl",
        "--generations", f"{answers}/jsonl.jsonl",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "right 3, wrong 1, no answer 1" in done.stdout
    assert "23.07 to 88.24 (wilson over 5 programs" in done.stdout
    solutions = f"{answers}/humaneval"
    done = grade(
        "--benchmark", "humaneval", "--data", f"{solutions}/problems.jsonl",
        "--task", "solution", "--generations", f"{solutions}/samples.jsonl",
    )  # fmt: skip
    assert "right 3, wrong 2" in done.stdout, done.stderr
    assert "23.07 to 88.24 %" in done.stdout


def test_an_interval_that_needs_more_says_what_installs_it(monkeypatch: pytest.MonkeyPatch):
    for name in ("numpy", "scipy", "scipy.stats"):
        monkeypatch.setitem(sys.modules, name, None)
    values, clusters = [1.0, 0.0, 1.0, 1.0] * 4, [str(at // 2) for at in range(16)]
    found = summary.clustered_interval(values, clusters)
    assert (found.mean, found.method, found.note) == (0.75, "none", summary.NEEDS_DATA)
    assert "[data]'" in found.note
    assert summary.clustered_interval([1.0, 0.0], ["a", "b"]).method == "wilson"


def test_the_quantile_that_is_written_down_is_the_one_of_scipy():
    stats = pytest.importorskip("scipy.stats")
    assert float(stats.norm.ppf((1 + summary.CONFIDENCE) / 2)) == summary.NORMAL_QUANTILE
