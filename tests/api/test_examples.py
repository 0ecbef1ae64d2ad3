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
from deskcheck import errors

pytestmark = MARKS
PAGE = Path(__file__).parents[2] / "docs/python.md"
NEEDS = ("inspect_ai", "onnxruntime", "pandas", "datasets")


LIBRARIES = {
    "load_environment": "verifiers.v1",
    "register_dataset": "reasoning_gym",
    "create_environment": "openenv",
}
"""Functions that wrap a library of the extra `rl`, whose examples run where it is installed."""
PLUG_INS = set(deskcheck._PLUG_INS)
PUBLIC = [name for name in deskcheck.__all__ if callable(getattr(deskcheck, name)) and name not in PLUG_INS]
UNITS = ("seconds", "bytes", "steps", "executed lines", "dollars", "tokens", "number", "calls", "answers")


@pytest.mark.parametrize("name", PUBLIC)
def test_the_example_of_a_public_name_holds(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    for library in (*NEEDS, *([LIBRARIES[name]] if name in LIBRARIES else [])):
        pytest.importorskip(library, reason="needs the extras 'eval', 'train' and 'rl'")
    monkeypatch.chdir(tmp_path)
    runner, finder = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS), doctest.DocTestFinder(recurse=False)
    (example,) = finder.find(getattr(deskcheck, name), name, globs={"deskcheck": deskcheck})
    _known(example)
    assert runner.run(example).failed == 0


@pytest.mark.parametrize("name", PUBLIC)
def test_a_public_name_says_what_it_takes_and_how_it_fails(name: str):
    member = getattr(deskcheck, name)
    text = inspect.getdoc(member) or ""
    assert len(text.split("\n")[0].split()) >= 5 and ">>> " in text, "a sentence, and an example that runs"
    if inspect.isfunction(member):
        names = list(inspect.signature(member).parameters)
        assert [one for one in names if f"`{one}`" not in text and f"`*{one}`" not in text
                and f"`**{one}`" not in text] == []  # fmt: skip
        assert "\nErrors: " in text
        numbers = [one.name for one in inspect.signature(member).parameters.values()
                   if str(one.annotation).startswith(("int", "float"))]  # fmt: skip
        assert not numbers or any(unit in text for unit in UNITS), numbers


@pytest.mark.parametrize("name", [name for name in PUBLIC if isinstance(getattr(deskcheck, name), type)])
def test_a_public_class_lists_its_attributes_where_help_shows_them(name: str):
    member = getattr(deskcheck, name)
    names = [*getattr(member, "__struct_fields__", ())]
    if inspect.isfunction(member.__init__):
        names += re.findall(
            r"^        self\.([a-z]\w*)(?:: .*?)? = ", inspect.getsource(member.__init__), re.M
        )
    assert [one for one in names if f"- `{one}`: " not in (inspect.getdoc(member) or "")] == []


@pytest.mark.parametrize("name", PUBLIC)
def test_the_errors_that_a_public_name_speaks_of_are_public(name: str):
    known = {one for one, of in vars(errors).items() if isinstance(of, type)}
    words = set(re.findall(r"\w+", str(inspect.getdoc(getattr(deskcheck, name)))))
    assert words & known <= set(deskcheck.__all__)


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
