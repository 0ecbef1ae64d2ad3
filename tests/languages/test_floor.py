"""Only `languages/` and a named list of files read Python's text: all others ask `deskcheck.languages`.

A question, a page or a table that parses Python itself refuses or misreads a program in another language. So
every spelling of an import of a parser counts, and so do `compile`, `eval` and `exec`, which parse too, and
an import of a part of `languages/python` around the interface. Nothing of deskcheck is imported here.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.trees import nodes, parsed

pytestmark = pytest.mark.one_python

SOURCE = Path(__file__).parents[2] / "src" / "deskcheck"
PARSERS = frozenset({
    "ast", "_ast", "tokenize", "_tokenize", "token", "symtable", "_symtable", "dis", "opcode", "codeop",
    "lib2to3", "libcst", "parso",
})  # fmt: skip
PYTHON = "deskcheck.languages.python"
FREE = ("languages", "corpus", "benchmarks", "tracing", "decontamination")
"""Folders whose files may parse: the languages; Python programs that are written, read or traced; texts of
benchmarks. `corpus/written` and the problems of `benchmarks` are programs to execute."""
NONE = ("questions", "strategies", "layouts", "states", "viewer", "report", "grading")
"""Folders in which no file may."""
ALLOWED = {
    "sandbox/compiling.py": "compiles the Python programs that the sandbox runs",
    "sandbox/script.py": "runs a Python script in the sandbox",
    "solutions/answer_job.py": "runs calls of a Python program with predicted inputs, in the sandbox",
    "solutions/check_jobs.py": "runs Python solutions and their tests, in the sandbox",
    "statements/decisions.py": "experimental: checks statements in English about Python",
    "statements/expressions.py": "experimental: checks statements in English about Python",
    "statements/growth.py": "experimental: checks statements in English about Python",
    "statements/occurrences.py": "experimental: checks statements in English about Python",
    "statements/rounds.py": "experimental: checks statements in English about Python",
    "statements/values.py": "experimental: checks statements in English about Python",
    "statements/verdicts.py": "experimental: checks statements in English about Python",
    "turns/wording.py": "takes published prompts out of the Python files of their source",
}
"""File -> the reason why it may parse Python."""


def parses(text: str) -> set[str]:
    """Return the spellings by which a file reads Python's text or goes around the interface."""
    return {spelling for node in nodes(parsed(text)) for spelling in _spellings(node)}


def _spellings(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (f"import {a.name}" for a in node.names if _is_parser(a.name))
    elif isinstance(node, ast.ImportFrom):
        names = [node.module or "", *(f"{node.module}.{a.name}" for a in node.names)]
        yield from (f"from {node.module}" for name in names if _is_parser(name))
    elif isinstance(node, ast.Call):
        function = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        texts = [a.value for a in node.args if isinstance(a, ast.Constant) and isinstance(a.value, str)]
        if function in ("import_module", "__import__"):
            yield from (f"{function} {text}" for text in texts if _is_parser(text))
        if function in ("compile", "eval", "exec") and _is_builtin(node.func):
            yield f"{function}(..)"
    elif (
        isinstance(node, ast.Subscript)
        and isinstance(node.slice, ast.Constant)
        and node.slice.value in PARSERS
        and ast.unparse(node.value).endswith("modules")
    ):
        yield f"modules[{node.slice.value}]"


def _is_parser(name: str) -> bool:
    return name.split(".")[0] in PARSERS or f"{name}.".startswith(f"{PYTHON}.")


def _is_builtin(function: ast.expr) -> bool:
    """Tell `compile(..)` and `builtins.compile(..)` from `re.compile(..)` and `model.eval()`."""
    if isinstance(function, ast.Name):
        return True
    return isinstance(function, ast.Attribute) and ast.unparse(function.value) in ("builtins", "__builtins__")


def readers() -> dict[str, set[str]]:
    """Return path below deskcheck -> spellings, of all files outside the free folders that parse Python."""
    spellings = {}
    for path in sorted(SOURCE.rglob("*.py")):
        name = path.relative_to(SOURCE).as_posix()
        if not name.startswith(tuple(f"{folder}/" for folder in FREE)):
            spellings[name] = parses(path.read_text(encoding="utf-8"))
    return {name: ways for name, ways in spellings.items() if ways}


def test_no_other_file_reads_the_text_of_a_program():
    unexpected = {name: ways for name, ways in readers().items() if name not in ALLOWED}
    assert unexpected == {}, "ask deskcheck.languages instead of parsing"


def test_no_file_of_the_packages_that_answer_for_every_language_is_on_the_list():
    assert [name for name in ALLOWED if name.startswith(tuple(f"{folder}/" for folder in NONE))] == []


MOST = 12
"""Files on the list, which may become shorter, not longer."""


def test_the_list_does_not_grow():
    assert len(ALLOWED) <= MOST


def test_every_file_on_the_list_still_needs_its_place():
    assert ALLOWED.keys() - readers().keys() == set()


@pytest.mark.parametrize(
    "text",
    [
        "import ast",
        "import os, tokenize as t",
        "from symtable import symtable",
        "def f():\n    import dis",
        "from importlib import import_module\nimport_module('ast')",
        "import importlib as i\ni.import_module('libcst.matchers')",
        "__import__('ast')",
        "import sys\nsys.modules['ast'].parse('1')",
        "compile('1', '', 'eval')",
        "import builtins\nbuiltins.eval('1')",
        "exec('x = 1')",
        "from deskcheck.languages.python.parsing import parse_module",
        "from deskcheck.languages.python import facts",
        "from deskcheck.languages import python",
        "import deskcheck.languages.python.literals",
    ],
)
def test_a_reader_is_seen_in_every_spelling(text: str):
    assert parses(text)


@pytest.mark.parametrize(
    "text",
    [
        "import re\nre.compile('a')",
        "model.eval()",
        "import astral, distutils",
        "from deskcheck.languages import facts",
        "import json\njson.loads('1')",
    ],
)
def test_another_text_is_not_a_reader(text: str):
    assert not parses(text)
