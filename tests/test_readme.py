"""The README's commands run in a fresh folder and print what it shows, figures of time and size apart."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
NUMBER = re.compile(r"\d[\d,.]*")


def blocks() -> list[tuple[str, list[str]]]:
    """(command, lines shown below it), in the order of the page."""
    found: list[tuple[str, list[str]]] = []
    for block in re.findall(r"```console\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.S):
        for line in block.splitlines():
            if line.startswith("$ "):
                found.append((line[2:], []))
            elif line.strip():
                found[-1][1].append(line.strip())
    return found


def shape(text: str) -> str:
    """A line without its figures and with single spaces: times and sizes differ from machine to machine."""
    return re.sub(r"\s+", " ", NUMBER.sub("N", text)).strip()


def test_every_command_of_the_readme_runs_and_prints_what_it_shows(tmp_path: Path):
    pytest.importorskip("inspect_ai", reason="needs the extra 'eval'")
    pytest.importorskip("onnxruntime", reason="needs the extra 'eval'")
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    assert len(blocks()) >= 9
    for command, shown in blocks():
        words = shlex.split(command)
        assert words[0] == "deskcheck"
        done = subprocess.run(
            [sys.executable, "-m", *words], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, (command, done.stderr)
        printed = {shape(line) for line in done.stdout.splitlines()}
        assert [line for line in shown if shape(line) not in printed] == [], (command, done.stdout)


def test_the_readme_is_short_enough_to_be_read():
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= 220
