"""deskcheck demo: how many steps of two programs are right, and a page of each that shows it."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest
from tests.evaluation.inspecting import MARKS
from tests.pages import blocks, missing

from deskcheck import cli
from deskcheck.cli.demo import ARGUMENTS
from deskcheck.corpus.long_programs import COLLATZ

pytestmark = [*MARKS, pytest.mark.one_python]

ROOT = Path(__file__).parents[2]


def test_the_demo_executes_every_step_and_writes_its_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    pytest.importorskip("inspect_ai", reason="needs the extra 'eval'")
    pytest.importorskip("onnxruntime", reason="needs the extra 'eval'")
    ((command, shown),) = [one for one in blocks(ROOT / "README.md") if " demo" in one[0]]
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", shlex.split(command))
    with pytest.raises(SystemExit) as ended:
        cli.main()
    done = capsys.readouterr()
    assert not ended.value.code, done.err
    assert missing(shown, done.out) == []
    assert "447 of 447 steps right" in done.out and "model: 111    truth: 111" in done.out
    for name, call in (("demo.html", "f(27)"), ("demo-unseen.html", "multiply(42, 766)")):
        assert str(tmp_path / name) in done.out
        page = (tmp_path / name).read_text(encoding="utf-8")
        assert page.startswith("<!doctype html>") and call in page
    assert "step 1 of" not in done.err  # quiet when piped


def test_its_program_is_the_example(tmp_path: Path):
    assert (ROOT / "examples/collatz.py").read_text() == COLLATZ
    assert ARGUMENTS == "27"
