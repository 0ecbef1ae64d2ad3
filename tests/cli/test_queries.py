"""The commands ask and diff: programs and saved runs, both formats, and errors in one line."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = "def f(n):\n    m = n + 1\n    if m > 3:\n        m = 0\n    return m\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a.py").write_text(SOURCE)
    (tmp_path / "b.py").write_text(SOURCE.replace("n + 1", "n + 2"))
    return tmp_path


def deskcheck(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "deskcheck", *words]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_a_program_and_its_saved_run_give_the_same_answer(folder: Path):
    deskcheck(folder, "trace", "a.py", "--call", "f(5)", "--out", "run.deskcheck")
    for question in ("why m", "where m > 3", "changes m", "raised"):
        direct = deskcheck(folder, "ask", "a.py", "--call", "f(5)", *question.split())
        saved = deskcheck(folder, "ask", "run.deskcheck", question)
        assert direct.returncode == 0 and direct.stdout == saved.stdout != ""


def test_before_and_after_a_change_of_the_source(folder: Path):
    done = deskcheck(folder, "diff", "a.py", "b.py", "--call", "f(2)", "--out", "d.json")
    assert done.returncode == 0 and done.stdout.startswith("values part:")
    answer = json.loads((folder / "d.json").read_text())
    assert answer["values"]["names"] == [{"name": "m", "a": "3", "b": "4"}]
    assert (answer["path"]["a"]["line"], answer["path"]["b"]["line"]) == (5, 4)


def test_out_writes_a_page_with_both_runs(folder: Path):
    done = deskcheck(folder, "diff", "a.py", "--call", "f(2)", "--call", "f(5)", "--out", "d.html")
    assert done.returncode == 0 and done.stderr.splitlines()[-1].startswith("d.html: ")
    page = (folder / "d.html").read_text()
    assert page.startswith("<!doctype html>") and "values part:" in page


def test_a_trusted_programs_secret_is_hidden(folder: Path):
    (folder / "s.py").write_text("password = 'hunter-2-long'\nx = password\n")
    shown = deskcheck(folder, "ask", "s.py", "--trust", "why", "x").stdout
    assert "x = " in shown and "hunter" not in shown
    assert "hunter" in deskcheck(folder, "ask", "s.py", "--trust", "--no-redact", "why", "x").stdout


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("ask a.py", "name a question"),
        ("ask", "name a question"),
        ("ask a.py --call f(1) why q", "recorded: n, m"),
        ("ask a.py --call f(1) raised --format yaml", "no format called 'yaml'"),
        ("ask nothing.py raised", "nothing.py"),
        ("ask a.py --call g(1) raised", "g"),
        ("diff a.py", "name two runs"),
        ("diff a.py --call f(1) --call f(2) --call f(3)", "diff takes 2"),
        ("diff a.py b.py --call f(1) --out page", "ends in .html"),
        ("diff a.py b.py --call f(1) --format json", "no such option: --format (Possible options: --out)"),
    ],
)
def test_a_mistake_is_named_in_one_line(folder: Path, words: str, message: str):
    done = deskcheck(folder, *words.split())
    assert done.returncode == 2 and len(done.stderr.splitlines()) == 1
    assert message in done.stderr
