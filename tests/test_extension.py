"""A contributor's day in a copy of the checkout: after `deskcheck new` of each kind, all is still green.

The kinds come from `scaffold.KINDS`, so a kind that is added there is tried here. The slow test runs
`make check` and every test that goes through the plug-ins; tests/test_new.py asks ruff about each new file.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from deskcheck import scaffold

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
NEW = [(kind, f"zoo-{kind}", "") for kind in scaffold.KINDS]
NEW += [(kind, f"zoo-{kind}-steps", "zoo-layout") for kind, what in scaffold.KINDS.items() if what.stepping]
"""Kind, name and layout of what is written."""
ENGINE = '''"""zoo-echo: an engine that answers with the last line of the question.

    deskcheck eval --model zoo-echo --benchmark core --limit 1

It computes nothing, so every answer is known.
"""

from __future__ import annotations

from deskcheck.models import Question
from deskcheck.records import Completion


class Echo:
    """An engine whose answer depends on the question alone."""

    batch = 8
    fingerprint = "zoo-echo-1"

    def answer(self, questions: list[Question]) -> list[Completion]:
        """Answer every question with its own last line."""
        return [Completion(one.prompt.messages[-1].text.rsplit("\\n", 1)[-1], "stop") for one in questions]


def engine() -> Echo:
    """Make the engine; it takes no arguments."""
    return Echo()
'''


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the checkout into which everything of NEW was written."""
    folder = tmp_path_factory.mktemp("checkout")
    for path in (ROOT / name for name in COPIED):
        if path.is_dir():
            shutil.copytree(path, folder / path.name, ignore=shutil.ignore_patterns("*.egg-info"))
        else:
            shutil.copy(path, folder)
    return folder


@pytest.fixture(scope="module")
def printed(checkout: Path) -> dict[str, str]:
    """Name of each plug-in that `deskcheck new` wrote, without its page -> the command that tries it."""
    for kind, name, layout in NEW:
        scaffold.write_new(kind, name, checkout, layout=layout)
    return {name: scaffold.next_step(kind, name, checkout) for kind, name, _ in NEW}


def run(checkout: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """A program of this environment that imports the copy."""
    environment = {**os.environ, "PYTHONPATH": str(checkout / "src")}
    environment.pop("DESKCHECK_DATA", None)
    return subprocess.run(words, cwd=checkout, env=environment, capture_output=True, text=True, check=False)


def python(checkout: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return run(checkout, sys.executable, *words)


def passes(done: subprocess.CompletedProcess[str]) -> None:
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]


def test_there_is_a_new_plug_in_of_every_kind_that_can_be_written():
    assert {kind for kind, *_ in NEW} == set(scaffold.KINDS)


def test_the_printed_commands_select_tests_of_the_new_plug_in(checkout: Path, printed: dict[str, str]):
    """Selected as pytest's -k does: by a part of the test's name; each file of tests is read once."""
    folders = {
        name: command.partition(" -q ")[2].partition(" -k ")[0].split() for name, command in printed.items()
    }
    every = sorted({place for places in folders.values() for place in places})
    done = python(checkout, "-m", "pytest", "-q", "--collect-only", "-p", "no:cacheprovider", *every)
    passes(done)
    lines = done.stdout.splitlines()
    for name, places in folders.items():
        selected = [
            line for line in lines if line.startswith(tuple(places)) and name in line.partition("::")[2]
        ]
        assert selected, f"{printed[name]} selects no test"


SLOW_PARTS = {"tests/test_imports.py", "tests/test_cli_start.py", "tests/test_bars.py"}
"""Of `make check`: they start many processes, and the slow test below runs them too."""


def test_a_checkout_with_a_plug_in_of_each_kind_passes_the_fast_parts_of_make_check(
    checkout: Path, printed: dict[str, str]
):
    assert printed
    makefile = (checkout / "Makefile").read_text(encoding="utf-8")
    recipe = re.search(r"^check:.*\n((?:\t.*\n)+)", makefile, re.M)
    assert recipe
    parts = [part for part in re.findall(r"tests/\w+\.py", recipe[1]) if part not in SLOW_PARTS]
    assert len(parts) > 4
    passes(python(checkout, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--every-test", *parts))
    if ruff := shutil.which("ruff", path=str(Path(sys.executable).parent)):
        passes(run(checkout, ruff, "check", "--no-cache"))
        passes(run(checkout, ruff, "format", "--check", "--no-cache"))


@pytest.mark.slow
def test_a_checkout_with_a_plug_in_of_each_kind_passes_make_check_and_their_tests(
    checkout: Path, printed: dict[str, str]
):
    for kind, name, _ in NEW:
        assert scaffold.make_pages(kind, name, checkout) == ""
    (checkout / "src/deskcheck/models/zoo_echo.py").write_text(ENGINE, encoding="utf-8")
    folder = Path(sys.executable).parents[1]
    passes(run(checkout, "make", "check", f"VENV={folder}", f"--old-file={folder}/.dev"))
    for command in printed.values():
        passes(python(checkout, *command.split()[1:]))
    passes(
        python(checkout, "-m", "pytest", "-q", "tests/test_docs.py", *walking(checkout), "-k", "not [core")
    )
    rows = "tests/benchmarks/rows_of/zoo-benchmark.jsonl"
    words = (
        "eval",
        "--model",
        "zoo-echo",
        "--benchmark",
        "zoo-benchmark",
        "--data",
        rows,
        "--strategy",
        "zoo-strategy",
    )
    evaluated = python(checkout, "-m", "deskcheck", *words, "--limit", "1", "--log-dir", "logs")
    assert evaluated.returncode == 0 and "zoo-strategy" in evaluated.stdout, evaluated.stderr


def walking(checkout: Path) -> list[str]:
    """Files of tests that go through all plug-ins of a kind."""
    files = [
        file for file in sorted((checkout / "tests").rglob("test_*.py")) if file.name != Path(__file__).name
    ]
    return [
        file.relative_to(checkout).as_posix()
        for file in files
        if re.search(r"\bnames\(", file.read_text(encoding="utf-8"))
    ]


def test_a_page_that_cannot_be_made_is_said(tmp_path: Path):
    assert "the page was not made" in scaffold.make_pages("strategy", "a", tmp_path)
    assert scaffold.make_pages("question", "a", tmp_path) == ""
