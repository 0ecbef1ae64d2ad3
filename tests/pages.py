"""Commands of a page with the lines that it shows below them, and what running them prints.

    for command, shown in blocks(ROOT / "README.md"):
        assert missing(shown, run(command, cwd)) == []

Figures differ from machine to machine (times, sizes), so lines are compared without them and without spacing.
"""

from __future__ import annotations

import ast
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
            elif line.strip() not in ("", "..."):  # dots stand for lines that the page leaves out
                found[-1][1].append(line.strip())
    return found


def shape(text: str) -> str:
    """A line without its figures and with single spaces."""
    return re.sub(r"\s+", " ", NUMBER.sub("N", text)).strip()


def run(command: str, cwd: Path, python: str = sys.executable) -> str:
    """What a command of the page prints, in a process of its own; it must end with 0."""
    words = shlex.split(command)
    assert words[0] == "deskcheck"
    done = subprocess.run([python, "-m", *words], cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, (command, done.stderr)
    return done.stdout


def missing(shown: list[str], printed: str) -> list[str]:
    """Lines that the page shows and the command did not print."""
    lines = {shape(line) for line in printed.splitlines()}
    return [line for line in shown if shape(line) not in lines]


def python_blocks(page: Path) -> list[str]:
    """Blocks of Python, in the order of the page."""
    return re.findall(r"^```python\n(.*?)^```", page.read_text(encoding="utf-8"), re.M | re.S)


def shown_values(text: str) -> list[tuple[int, str, str]]:
    """(line, expression, shown value) of a block; text behind two spaces is an explanation."""
    found = []
    lines = text.split("\n")
    for node in ast.parse(text).body:
        match = re.search(r"  # (.*)", lines[node.lineno - 1])
        if isinstance(node, ast.Expr) and match and not lines[node.lineno - 1].startswith("print("):
            found.append((node.lineno, ast.unparse(node.value), re.split(r"\s{2,}", match[1])[0]))
    return found


def checked(text: str) -> str:
    """The block as a program that fails where a line does not give the value shown behind it."""
    values = {line: (code, shown) for line, code, shown in shown_values(text)}
    lines = []
    for node in ast.parse(text).body:
        code, shown = values.get(node.lineno, ("", ""))
        lines.append(f"assert repr({code}) == {shown!r}, repr({code})" if code else ast.unparse(node))
    return "\n".join(lines)


def run_python(text: str, cwd: Path, python: str = sys.executable) -> None:
    """Run a block as a program in that folder; it must end with 0."""
    command = [python, "-c", checked(text)]
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, (text, done.stderr)
