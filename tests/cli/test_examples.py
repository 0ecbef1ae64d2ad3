"""Every example of `-h` is typed, at small sizes, one after another in one folder and one process.

`tests/test_newcomer.py` types them at their own sizes in an empty environment, which takes minutes.
"""

from __future__ import annotations

import importlib.util
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.pages import ROOT

from deskcheck import cli, validation
from deskcheck.cli.examples import EXAMPLES

NOT_TYPED = {
    "deskcheck demo": "typed by test_demo.py",
    "deskcheck mcp": "waits for a client: tests/queries/test_server.py",
    "deskcheck train --model": "downloads a model",
    "deskcheck downstream": "asks models that need a key",
    "deskcheck new": "writes into a checkout; typed by tests/test_new.py",
}
"""Beginnings of examples -> why they are not typed here."""
SMALLER = {
    "--n 1000": "--n 20",
    "--limit 20": "--limit 2",
    "--benchmark long --limit 2": "--benchmark long --limit 1 --dry-run",
    "core --strategy cot --dry-run": "core --strategy cot --dry-run --limit 3",
    "examples/study.toml": "examples/study.toml --limit 1",
    "n=200 --to me/fresh": "n=3 --out fresh",
    '"f(27)"': '"f(3)"',
    "train --preset tiny": "train --preset tiny --minutes 0.01 --set held_out=2",
}
"""What is typed in place of a size, and of an upload."""
pytestmark = pytest.mark.filterwarnings("default")  # of libraries, which a shell would not raise
TRAINS = ("train", "export")
ORDER = ("build", "eval", "grade")
"""Commands whose results others read; the others follow in the order of the help, studies last."""


def typed() -> list[str]:
    """Examples in an order in which each finds what it reads."""
    names = sorted(EXAMPLES, key=lambda name: ORDER.index(name) if name in ORDER else 3 + (name == "study"))
    return [
        line
        for name in names
        for line in EXAMPLES[name]
        if name not in TRAINS and not line.startswith(tuple(NOT_TYPED))
    ]


def smaller(line: str) -> str:
    for size, small in SMALLER.items():
        if size in line:
            return line.replace(size, small)
    return line


def run(line: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> str:
    """What an example prints; it must end with 0."""
    if "<" in line or ">" in line:
        command = f"{shlex.quote(sys.executable)} -m {line}"
        return (
            subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=True).stdout or line
        )
    monkeypatch.setattr(sys, "argv", shlex.split(line))
    code: object = 0
    try:
        cli.main()
    except SystemExit as ended:
        code = ended.code
    printed = capfd.readouterr()
    assert not code, (line, printed.out[-1000:], printed.err[-1000:])
    assert "\r" not in printed.err, (line, "a pipe sees no line of progress")
    return printed.out


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with what the examples name."""
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    (tmp_path / "script.py").write_text("import sys\nprint(sys.argv[1:], sys.stdin.read())\n")
    (tmp_path / "input.txt").write_text("hello\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_every_example_of_the_help_can_be_typed(
    here: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
):
    for library in ("inspect_ai", "onnxruntime", "pyarrow"):
        pytest.importorskip(library, reason="needs the extra 'eval'")
    assert len(typed()) >= 26
    monkeypatch.setattr(validation, "N", 8)  # of each kind, as in tests/test_validation.py
    for line in typed():
        if line.startswith("deskcheck merge logs/1 logs/2"):
            for number, cell in enumerate(sorted((here / "logs").iterdir()), 1):
                shutil.copytree(cell, here / "logs" / str(number) / cell.name)
        assert run(smaller(line), monkeypatch, capfd), line
        shutil.rmtree(here / "logs/1", ignore_errors=True)
        shutil.rmtree(here / "logs/2", ignore_errors=True)


@pytest.mark.slow
def test_a_small_model_is_trained_and_exported_as_the_examples_say(
    here: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
):
    if importlib.util.find_spec("onnx") is None:
        pytest.skip("needs the extra 'train'")
    for name in TRAINS:
        run(smaller(EXAMPLES[name][0]), monkeypatch, capfd)
    assert (here / "model/model.onnx").exists()
