"""Commands of a page with the lines that it shows below them, and what running them prints.

    for command, shown in blocks(ROOT / "README.md"):
        assert missing(shown, run(command, cwd)) == []

Figures differ from machine to machine (times, sizes), so lines are compared without them and without spacing.
"""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
NUMBER = re.compile(r"\d[\d,.]*")


def blocks(page: Path) -> list[tuple[str, list[str]]]:
    """(command, lines shown below it), in the order of the page."""
    found: list[tuple[str, list[str]]] = []
    for block in re.findall(r"```console\n(.*?)```", page.read_text(encoding="utf-8"), re.S):
        for line in block.splitlines():
            if line.startswith("$ "):
                found.append((line[2:], []))
            elif line.strip():
                found[-1][1].append(line.strip())
    return found


def shape(text: str) -> str:
    """A line without its figures and with single spaces."""
    return re.sub(r"\s+", " ", NUMBER.sub("N", text)).strip()


def run(command: str, cwd: Path) -> str:
    """What a command of the page prints, in a process of its own; it must end with 0."""
    words = shlex.split(command)
    assert words[0] == "deskcheck"
    done = subprocess.run(
        [sys.executable, "-m", *words], cwd=cwd, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, (command, done.stderr)
    return done.stdout


def missing(shown: list[str], printed: str) -> list[str]:
    """Lines that the page shows and the command did not print."""
    lines = {shape(line) for line in printed.splitlines()}
    return [line for line in shown if shape(line) not in lines]
