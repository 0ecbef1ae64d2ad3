"""Instruction data from docstrings: what is asked has no body, what is answered no docstring."""

from __future__ import annotations

import ast
import json
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

import docstrings

TAKEN = '''
def scaled(values, factor=2):
    """Return the values, each multiplied by the factor."""
    found = [one * factor for one in values]
    return found
'''
LEFT = '''
import functools

def short(n):
    """Too short."""
    n += 1
    return n

def plain(n):
    n += 1
    return n

@functools.cache
def decorated(n):
    """A docstring that is certainly long enough."""
    n += 1
    return n

def single(n):
    """A docstring that is certainly long enough."""
    return n

class Held:
    def method(self):
        """A docstring that is certainly long enough."""
        self.n = 1
        return self.n
'''


def test_a_row_asks_with_head_and_docstring_and_answers_with_the_code():
    ((asked, code),) = docstrings.rows(TAKEN + LEFT)
    head = ast.parse(asked.removeprefix(docstrings.ASKED)).body[0]
    assert isinstance(head, ast.FunctionDef) and ast.get_docstring(head) and len(head.body) == 1
    assert code.startswith("def scaled(values, factor=2):") and '"""' not in code
    space: dict[str, Any] = {}
    exec(code, space)
    assert space["scaled"]([1, 2]) == [2, 4]


def test_text_that_is_no_python_has_no_rows():
    assert list(docstrings.rows("def f(:")) == [] and list(docstrings.rows("\0")) == []


def test_wheels_and_folders_are_read_and_equal_functions_are_one_row(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    with zipfile.ZipFile(tmp_path / "a.whl", "w") as wheel:
        wheel.writestr("a/__init__.py", TAKEN)
        wheel.writestr("a/tests/test_a.py", TAKEN.replace("scaled", "tested"))
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "b.py").write_text(TAKEN + TAKEN.replace("scaled", "other"), encoding="utf-8")
    out = tmp_path / "rows.jsonl"
    monkeypatch.setattr(
        sys, "argv", ["docstrings.py", str(tmp_path / "a.whl"), str(tmp_path / "b"), "--out", str(out)]
    )
    assert docstrings.main() == 0
    assert "2 functions with docstrings in 2 places; 2 drawn" in capsys.readouterr().out
    rows = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert sorted(row["output"].split("(")[0] for row in rows) == ["def other", "def scaled"]
