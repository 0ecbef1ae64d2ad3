"""Examples run: those of the public docstrings, and every line of docs/python.md that shows a value."""

from __future__ import annotations

import ast
import doctest
import inspect
import linecache
import re
from pathlib import Path

import pytest
from tests.evaluation.inspecting import MARKS, collect_here  # noqa: F401
from tests.pages import shown_values

import deskcheck

pytestmark = MARKS
PAGE = Path(__file__).parents[2] / "docs/python.md"
NEEDS = ("inspect_ai", "onnxruntime", "pandas", "datasets")


def test_every_public_function_has_a_docstring_and_its_examples_hold(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    for library in NEEDS:
        pytest.importorskip(library, reason="needs the extras 'eval' and 'train'")
    monkeypatch.chdir(tmp_path)
    runner, finder = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS), doctest.DocTestFinder(recurse=False)
    examples = set()
    for name in deskcheck.__all__:
        member = getattr(deskcheck, name)
        if not callable(member):
            continue
        assert len((inspect.getdoc(member) or "").split()) >= 5, name
        for example in finder.find(member, name, globs={"deskcheck": deskcheck}):
            if example.examples:
                examples.add(name)
                _known(example)
                assert runner.run(example).failed == 0, name
    assert {"trace", "record", "load", "grade", "execute", "evaluate", "results", "build"} <= examples


def _known(example: doctest.DocTest) -> None:
    """Let the source of functions that an example defines be found, as a terminal or a notebook does."""
    for number, one in enumerate(example.examples):
        name = f"<doctest {example.name}[{number}]>"
        linecache.cache[name] = (len(one.source), None, one.source.splitlines(keepends=True), name)


def test_the_page_of_the_api_shows_what_its_lines_give(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    for library in NEEDS:
        pytest.importorskip(library, reason="needs the extras 'eval' and 'train'")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("webbrowser.open", lambda address: True)
    namespace: dict[str, object] = {"__name__": "page"}
    n_checked = 0
    for number, text in enumerate(re.findall(r"^```python\n(.*?)^```", PAGE.read_text("utf-8"), re.M | re.S)):
        name = f"<page {number}>"
        linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
        values = {line: (code, shown) for line, code, shown in shown_values(text)}
        for node in ast.parse(text).body:
            if node.lineno in values:
                code, shown = values[node.lineno]
                value = eval(compile(code, name, "eval"), namespace)
                assert repr(value) == shown, (node.lineno, code)
                n_checked += 1
            else:
                module = ast.Module([node], [])
                exec(compile(module, name, "exec"), namespace)
    assert n_checked >= 15
