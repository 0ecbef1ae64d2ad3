"""One new file a kind of plug-in, in a copy of the checkout: what `deskcheck new` wrote makes all green."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow
pytest.importorskip("inspect_ai", reason="needs the extra 'eval'")
pytest.importorskip("onnxruntime", reason="needs the extra 'eval'")

ROOT = Path(__file__).parents[1]
COPIED = (
    "src",
    "tests",
    "docs",
    "examples",
    "measurements",
    "pyproject.toml",
    "README.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "Makefile",
    ".github",
)
NEW = (
    ("benchmark", "zoo"),
    ("layout", "zoo-line"),
    ("strategy", "zoo-steps", "--layout", "zoo-line"),
    ("strategy", "zoo-once"),
    ("question", "zoo-length"),
)
ENGINE = '''"""zoo-echo: an engine that answers with the last line of the question.

    deskcheck eval --model zoo-echo --benchmark core --limit 1
"""

from __future__ import annotations

from deskcheck.models import Question
from deskcheck.records import Completion


class Echo:
    """An engine that computes nothing; an answer depends on the question alone."""

    batch = 8
    fingerprint = "zoo-echo-1"

    def answer(self, questions: list[Question]) -> list[Completion]:
        """Answer every question with its own last line."""
        return [Completion(one.prompt.messages[-1].text.rsplit("\\n", 1)[-1], "stop") for one in questions]


def engine() -> Echo:
    """Make the engine; it takes no arguments."""
    return Echo()
'''
TESTS = (
    "tests/benchmarks/test_contract.py",
    "tests/benchmarks/test_pages.py",
    "tests/strategies",
    "tests/questions",
    "tests/representations",
    "tests/evaluation/test_pairs.py",
)
WHOLE = ("tests/test_layers.py", "tests/test_words.py", "tests/test_plugin_names.py", "tests/test_docs.py")


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("checkout")
    for name in COPIED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / name, folder)
    return folder


def run(checkout: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """A Python of this environment that imports the copy."""
    environment = {**os.environ, "PYTHONPATH": str(checkout / "src")}
    environment.pop("DESKCHECK_DATA", None)
    return subprocess.run(
        [sys.executable, *words], cwd=checkout, env=environment, capture_output=True, text=True, check=False
    )


def pages(checkout: Path) -> set[str]:
    return {path.relative_to(checkout).as_posix() for path in checkout.rglob("docs/**/*.md")}


def test_a_plug_in_of_each_kind_is_one_file_and_what_new_wrote(checkout: Path):
    before = pages(checkout)
    for words in NEW:
        done = run(checkout, "-m", "deskcheck", "new", *words)
        assert done.returncode == 0, done.stdout + done.stderr
    (checkout / "src/deskcheck/models/zoo_echo.py").write_text(ENGINE, encoding="utf-8")
    assert pages(checkout) - before == {
        "docs/benchmarks/zoo.md",
        "docs/strategies/zoo-once.md",
        "docs/strategies/zoo-steps.md",
    }
    assert "zoo-line" in (checkout / "docs/layouts.md").read_text(encoding="utf-8")
    assert "| `zoo-length` |" in (checkout / "docs/questions.md").read_text(encoding="utf-8")
    asked = run(checkout, "-m", "pytest", "-q", "-n", "2", "-p", "no:cacheprovider", *TESTS, "-k", "zoo")
    assert asked.returncode == 0, asked.stdout[-3000:] + asked.stderr[-500:]
    whole = run(checkout, "-m", "pytest", "-q", "-n", "2", "-p", "no:cacheprovider", *WHOLE)
    assert whole.returncode == 0, whole.stdout[-3000:] + whole.stderr[-500:]
    rows = "tests/benchmarks/rows_of/zoo.jsonl"
    words = ("eval", "--model", "zoo-echo", "--benchmark", "zoo", "--data", rows, "--strategy", "zoo-once")
    evaluated = run(checkout, "-m", "deskcheck", *words, "--limit", "1", "--log-dir", "logs")
    assert evaluated.returncode == 0 and "zoo-once" in evaluated.stdout, evaluated.stderr


def test_a_page_that_cannot_be_made_is_said(tmp_path: Path):
    from deskcheck.scaffold import make_pages

    assert "the page was not made" in make_pages("strategy", "a", tmp_path)
    assert make_pages("question", "a", tmp_path) == ""
