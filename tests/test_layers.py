"""Who may import whom: the table of lines, read from the syntax trees. Nothing of deskcheck is imported here.

A file imports only from lower lines or from its own package; a plug-in never imports another plug-in of its
own line (files that begin with "_" belong to the package, not to a plug-in); the packages of one line do not
import each other. No modules import each other in a circle, and no package another's private module.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest
from tests.trees import nodes, parsed

pytestmark = pytest.mark.one_python

SOURCE = Path(__file__).parents[1] / "src" / "deskcheck"
LINES = {
    "__main__": 10,
    "cli": 9.5, "api": 9.2, "inspect_tasks": 9, "lm_eval_tasks": 9, "pytest_plugin": 9,
    "tables": 8.2,  # made of what report reads
    "browser": 8.3,  # the page that runs the shipped model, by evaluation and viewer
    "validation": 8.5,  # of benchmarks by evaluation, and of rewards
    "doctor": 8, "scaffold": 8, "dataset": 8, "training": 8, "evaluation": 8, "report": 8,
    "queries": 7.6,  # questions to a run, in the words of the viewer
    "viewer": 7.5,  # the report walks through runs by it
    "statements": 7.4,  # experimental: `view --statements` asks for it
    "solutions": 7.5,
    "rewards": 7.2,  # questions about fresh programs, and what an answer earns
    "benchmarks": 7, "strategies": 7,
    "turns": 6.5,  # what strategies are made of
    "programs": 6, "layouts": 6, "models": 6, "questions": 6,
    "inference": 5.9, "corpus": 5.9,  # what engines and sources of programs are made of
    "importers": 5.5,
    "states": 5.2,  # reads literals as grading does
    "grading": 5, "statistics": 5, "decontamination": 5,
    "file_requests": 4.7,  # a file, by the tracer of its language
    "tracers": 4.5,  # a language each
    "languages": 4.3,  # what everything above asks about a program's text
    "tracing": 4,
    "summaries": 3.5,  # a library each; the tracers read values by them
    "sandbox": 3,
    "result_rows": 2.5,
    "data_files": 2, "plugins": 2, "cell_files": 2, "environments": 2,
    "format": 1.5,
    "records": 1, "errors": 1, "pace": 1,
}  # fmt: skip
PLUG_IN_LINES = {3.5, 4.5, 5.5, 6, 7}


def imports(tree: ast.AST) -> Iterator[tuple[int, list[str]]]:
    """Line and path below deskcheck of all of ours that a file imports, at the top or in a function."""
    for node in nodes(tree):
        if isinstance(node, ast.Import):
            yield from (
                (node.lineno, a.name.split(".")[1:]) for a in node.names if a.name.startswith("deskcheck.")
            )
        elif isinstance(node, ast.ImportFrom) and (
            node.level or (node.module or "").split(".")[0] == "deskcheck"
        ):
            assert not node.level, f"line {node.lineno}: relative import; write deskcheck.…"
            base = (node.module or "").split(".")[1:]
            names = [a.name for a in node.names if base or a.name != "__version__"]
            yield from ((node.lineno, [*base, name]) for name in names)


def plug_ins() -> set[tuple[str, str]]:
    """(folder, name) of every plug-in: one file or folder each, without those that begin with "_"."""
    folders = [f for f in LINES if LINES[f] in PLUG_IN_LINES]
    return {(f, p.stem) for f in folders for p in (SOURCE / f).iterdir() if p.name[0] != "_"}


def fault(own: tuple[str, ...], target: list[str], known: set[tuple[str, str]]) -> str:
    """Why this import is not allowed, or ''."""
    package, other = own[0], target[0]
    if package not in LINES or other not in LINES:
        return f"'{other if package in LINES else package}' has no line in the table"
    if package != other and LINES[other] >= LINES[package]:
        return f"line {LINES[package]} imports '{other}' of line {LINES[other]}"
    if package == other and own[:2] in known and tuple(target[:2]) in known and own[1] != target[1]:
        return f"plug-in '{own[1]}' imports plug-in '{target[1]}'"
    return ""


def unseen(tree: ast.AST) -> list[int]:
    """Lines that import ours for type checkers only. (A heavy library's types may be imported so.)"""
    tests = (node for node in nodes(tree) if isinstance(node, ast.If))
    blocks = [node for node in tests if "TYPE_CHECKING" in ast.dump(node.test)]
    return sorted({line for block in blocks for line, _ in imports(block)})


def faults(path: str, text: str, known: set[tuple[str, str]]) -> list[str]:
    """All faults of one file; `path` is relative to deskcheck: "models/tiny.py"."""
    own = tuple(part for part in path.removesuffix(".py").split("/") if part != "__init__")
    tree = parsed(text)
    found = [f"{path}:{line}: {why}" for line, target in imports(tree) if (why := fault(own, target, known))]
    if not path.endswith("__init__.py"):
        found += [f"{path}:{line}: a circle of imports hides under TYPE_CHECKING" for line in unseen(tree)]
    return found


PROGRAMS = ("benchmarks/core_problems", "benchmarks/classic_programs", "corpus/written")
"""Folders of programs to execute, which are no modules of the package."""


def files() -> list[str]:
    paths = (p.relative_to(SOURCE).as_posix() for p in SOURCE.rglob("*.py"))
    return sorted(p for p in paths if p != "__init__.py" and not p.startswith(PROGRAMS))


def test_every_file_imports_only_from_lower_lines_or_its_own_package():
    known = plug_ins()
    texts = {path: (SOURCE / path).read_text(encoding="utf-8") for path in files()}
    found = [fault for path, text in texts.items() for fault in faults(path, text, known)]
    assert not found, "\n".join(dict.fromkeys(found))


MOST_FILES = 25


def test_no_package_but_folders_of_plug_ins_has_more_files_than_a_reader_takes_in():
    folders = {path.parent for path in SOURCE.rglob("*.py")} - {SOURCE / folder for folder in PROGRAMS}
    counts = {folder.relative_to(SOURCE).as_posix(): len(list(folder.glob("*.py"))) for folder in folders}
    plug_in_folders = {name for name, line in LINES.items() if line in PLUG_IN_LINES}
    assert {name: n for name, n in counts.items() if n > MOST_FILES and name not in plug_in_folders} == {}


@cache
def modules() -> dict[str, ast.Module]:
    """Path below deskcheck with dots -> syntax tree; a package under its own name."""
    trees = {path: parsed((SOURCE / path).read_text(encoding="utf-8")) for path in files()}
    return {
        path.removesuffix(".py").removesuffix("/__init__").replace("/", "."): t for path, t in trees.items()
    }


def edges(own: str, tree: ast.Module, known: Collection[str], *, is_package: bool) -> set[str]:
    """Modules that a module imports. A package may name its own files in functions: it is their face."""
    statements: Iterable[ast.AST] = tree.body if is_package else [tree]
    found = set()
    for node in statements:
        if is_package and not isinstance(node, ast.Import | ast.ImportFrom):
            continue
        for _, target in imports(node):
            path = ".".join(target)
            found.add(path if path in known else path.rpartition(".")[0])
    return {path for path in found if path in known and path != own}


def circles(graph: dict[str, set[str]]) -> list[list[str]]:
    """Groups of modules that import each other, directly or not; each sorted."""

    def reached(start: str) -> set[str]:
        seen: set[str] = set()
        waiting = [start]
        while waiting:
            for other in graph.get(waiting.pop(), ()):
                if other not in seen:
                    seen.add(other)
                    waiting.append(other)
        return seen

    ways = {name: reached(name) for name in graph}
    groups = {tuple(sorted({m for m in ways[n] if n in ways.get(m, ())})) for n in ways if n in ways[n]}
    return [list(group) for group in sorted(groups)]


def test_no_modules_import_each_other_in_a_circle():
    trees = modules()
    packages = {path.removesuffix("/__init__.py").replace("/", ".") for path in files() if "__init__" in path}
    graph = {name: edges(name, tree, trees, is_package=name in packages) for name, tree in trees.items()}
    assert circles(graph) == []


def test_no_package_imports_a_private_module_of_another():
    trees = modules()
    found = {
        target: name
        for name, tree in trees.items()
        for target in edges(name, tree, trees, is_package=False)
        if "._" in target and target.partition(".")[0] != name.partition(".")[0]
    }
    assert found == {}


def private_names(tree: ast.Module, package: str) -> list[str]:
    """Names of a foreign package that begin with "_": modules imported, and attributes of what is."""
    found, imported = [], set()
    for node in nodes(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == package:
            found += [
                f"{node.module}.{one.name}" for one in node.names if "._" in f"{node.module}.{one.name}"
            ]
            imported |= {one.asname or one.name for one in node.names}
        elif isinstance(node, ast.Import):
            foreign = [one for one in node.names if one.name.partition(".")[0] == package]
            found += [one.name for one in foreign if "._" in one.name]
            imported |= {one.asname or package for one in foreign}
    for node in nodes(tree):
        if isinstance(node, ast.Attribute) and node.attr.startswith("_") and not node.attr.startswith("__"):
            root: ast.expr = node
            while isinstance(root, ast.Attribute | ast.Call):
                root = root.func if isinstance(root, ast.Call) else root.value
            if isinstance(root, ast.Name) and root.id in imported:
                found.append(ast.unparse(node))
    return found


def test_no_private_name_of_inspect_is_used():
    found = {name: private_names(tree, "inspect_ai") for name, tree in modules().items()}
    assert {name: names for name, names in found.items() if names} == {}


@pytest.mark.parametrize(
    "text",
    [
        "from inspect_ai.log import _transcript",
        "from inspect_ai.log._transcript import Transcript",
        "import inspect_ai.log._transcript",
        "from inspect_ai.log import transcript\ntranscript()._events",
    ],
)
def test_a_private_name_of_inspect_is_found(text: str):
    assert len(private_names(ast.parse(text), "inspect_ai")) == 1


DOORS = {"__main__", "cli", "api", "inspect_tasks", "lm_eval_tasks.tasks", "pytest_plugin"}
"""Where users come in; besides, every plug-in, every language, and every name in quotes: "deskcheck.a:b"."""
_QUOTED = re.compile(r"deskcheck\.([a-z_0-9.]+)")


def reached(trees: dict[str, ast.Module], doors: Iterable[str]) -> set[str]:
    """Modules that the doors import, directly or not, at the top or in a function, or name in quotes."""
    seen: set[str] = set()
    waiting = [name for name in doors if name in trees]
    while waiting:
        name = waiting.pop()
        if name in seen:
            continue
        seen.add(name)
        waiting += [name.rpartition(".")[0]] if "." in name else []
        waiting += edges(name, trees[name], trees, is_package=False)
        texts = (n.value for n in nodes(trees[name]) if isinstance(n, ast.Constant))
        quoted = {path for text in texts if isinstance(text, str) for path in _QUOTED.findall(text)}
        waiting += [path for path in quoted if path in trees and not _is_docstring_of(trees[name], path)]
    return seen


def _is_docstring_of(tree: ast.Module, path: str) -> bool:
    """Whether a module is named in docstrings alone."""
    docs = {id(n.value) for n in nodes(tree) if isinstance(n, ast.Expr)}
    return not any(
        isinstance(n, ast.Constant) and isinstance(n.value, str) and id(n) not in docs and path in n.value
        for n in nodes(tree)
    )


def test_every_module_is_reached_from_a_command_a_public_name_or_a_plug_in():
    trees = modules()
    root = ast.parse((SOURCE / "__init__.py").read_text(encoding="utf-8"))
    public = set(edges("", root, trees, is_package=False)) | {
        path
        for n in nodes(root)
        if isinstance(n, ast.Constant) and isinstance(n.value, str)
        for path in _QUOTED.findall(n.value)
    }
    files = (SOURCE / "languages").iterdir()
    spoken = {f"languages.{path.stem}" for path in files if path.stem[0] != "_"}
    doors = DOORS | public | spoken | {".".join(one) for one in plug_ins()}
    assert trees.keys() - reached(trees, doors) == set()


def test_a_module_that_nothing_imports_is_not_reached():
    texts = {"cli": "def f():\n    from deskcheck.a import b", "a": "", "a.b": "X = 'deskcheck.c:run'",
             "c": "", "d": '"""See deskcheck.e."""', "e": "import deskcheck.d"}  # fmt: skip
    trees = {name: ast.parse(text) for name, text in texts.items()}
    assert reached(trees, {"cli"}) == {"cli", "a", "a.b", "c"}
    assert reached(trees, {"d"}) == {"d"}


@pytest.mark.parametrize(
    ("graph", "found"),
    [
        ({"a": {"b"}, "b": {"a"}}, [["a", "b"]]),
        ({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}}, [["a", "b", "c"]]),
        ({"a": {"b"}, "b": {"c"}, "c": set()}, []),
    ],
)
def test_a_circle_is_found(graph: dict[str, set[str]], found: list[list[str]]):
    assert circles(graph) == found


def test_an_import_inside_a_function_is_an_edge_and_that_of_a_face_is_not():
    tree = ast.parse("def f():\n    from deskcheck.models import _private")
    assert edges("evaluation.a", tree, {"models._private"}, is_package=False) == {"models._private"}
    assert edges("models", tree, {"models._private"}, is_package=True) == set()


KNOWN = {("layouts", "direct"), ("layouts", "line_1")}


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("tracing/a.py", "import deskcheck.grading.verdict"),
        ("tracing/a.py", "def f():\n    from deskcheck.models import tiny"),
        ("tracing/a.py", "from deskcheck import evaluation"),
        ("training/a.py", "from deskcheck.evaluation.truth import build_tasks"),
        ("strategies/a.py", "from deskcheck.benchmarks import core"),
        ("layouts/line_1.py", "from deskcheck.layouts.direct import render"),
        ("layouts/line_1.py", "from deskcheck.layouts import direct"),
        ("records.py", "from deskcheck.errors import DataError"),
        ("nowhere/a.py", "from deskcheck.errors import DataError"),
        ("grading/a.py", "import typing\nif typing.TYPE_CHECKING:\n    from deskcheck.grading.b import C"),
    ],
)
def test_a_forbidden_import_is_found(path: str, text: str):
    assert len(faults(path, text, KNOWN)) == 1


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("tracing/a.py", "from deskcheck.sandbox import run\nfrom deskcheck.tracing.replay import State"),
        ("layouts/line_1.py", "from deskcheck.states.tree import x"),
        ("layouts/_tree.py", "from deskcheck.layouts import _reader"),
        ("strategies/line_1.py", "from deskcheck.layouts import line_1"),
        ("evaluation/a.py", "from deskcheck import __version__"),
        ("models/a.py", "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import numpy"),
    ],
)
def test_an_allowed_import_is_not_found(path: str, text: str):
    assert faults(path, text, KNOWN) == []
