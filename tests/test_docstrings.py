"""Calls in a module's docstring are calls that its functions take: no unknown keyword, none missing."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "src" / "deskcheck"
FOREIGN = {"corpus", "core_problems", "classic_programs", "solutions", "vendor"}
"""Folders of programs, whose docstrings are their authors'."""
Signature = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def modules() -> list[Path]:
    return [
        path for path in sorted(PACKAGE.rglob("*.py"))
        if not FOREIGN & set(path.relative_to(PACKAGE).parts) and "{{" not in path.name
    ]  # fmt: skip


def examples(text: str) -> Iterator[ast.Call]:
    """The calls on indented lines of a docstring, as far as they can be read as Python."""
    for line in text.split("\n"):
        if not line.startswith("    "):
            continue
        # An example is a call, then spaces or an arrow and its result; "..", as an argument, stands for any.
        for start in re.finditer(r"(?<![\w.])(?:[\w.]+ = )?([a-z_][\w.]*)\(", line):
            for end in range(start.end(), len(line) + 1):
                if line[end - 1] != ")":
                    continue
                source = re.sub(r"(?<=[=(, ])\.\.\.?(?=[,)\]])", "...", line[start.start(1) : end])
                try:
                    tree = ast.parse(source.strip(), mode="eval").body
                except (SyntaxError, ValueError):
                    continue
                if isinstance(tree, ast.Call):
                    yield tree
                break


def signatures(tree: ast.Module) -> dict[str, ast.arguments]:
    """Name of a function of the module, and of a class with a written constructor -> its parameters."""
    found = {}
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            found[node.name] = node.args
        elif isinstance(node, ast.ClassDef):
            for inner in node.body:
                if isinstance(inner, ast.FunctionDef) and inner.name == "__init__":
                    inner.args.args = inner.args.args[1:]
                    found[node.name] = inner.args
    return found


def faults(source: str) -> list[str]:
    """What the examples of a module's docstring pass that its functions do not take."""
    tree = ast.parse(source)
    known, wrong = signatures(tree), []
    for call in examples(ast.get_docstring(tree, clean=False) or ""):
        parameters = known.get(ast.unparse(call.func))
        if parameters is None:
            continue
        names = [each.arg for each in (*parameters.posonlyargs, *parameters.args, *parameters.kwonlyargs)]
        given = [keyword.arg for keyword in call.keywords if keyword.arg]
        text = ast.unparse(call)
        unknown = [name for name in given if name not in names and not parameters.kwarg]
        wrong += [f"{text}: no parameter {name}" for name in unknown]
        shortened = any(isinstance(each, ast.Constant) and each.value is ... for each in call.args)
        starred = any(isinstance(each, ast.Starred) for each in call.args)
        if shortened or starred or any(keyword.arg is None for keyword in call.keywords):
            continue
        positional = [each.arg for each in (*parameters.posonlyargs, *parameters.args)]
        if len(call.args) > len(positional) and not parameters.vararg:
            wrong.append(f"{text}: takes {len(positional)} by position")
        required = positional[: len(positional) - len(parameters.defaults)][len(call.args) :]
        required += [
            each.arg
            for each, default in zip(parameters.kwonlyargs, parameters.kw_defaults, strict=True)
            if default is None
        ]
        wrong += [f"{text}: lacks {name}" for name in required if name not in given]
    return wrong


@pytest.mark.parametrize("path", modules(), ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_the_examples_of_a_module_are_calls_that_it_takes(path: Path):
    assert faults(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    ("example", "fault"),
    [
        ("run(plan, render=..) -> 3", "no parameter render"),
        ("run() -> 3", "lacks plan"),
        ("run(plan, 4, build=..)", "takes 1 by position"),
        ("run(plan) -> 3", "lacks build"),
        ("run(plan, build=..) -> (3)", ""),
        ("run(..) -> 3", ""),
    ],
)
def test_a_wrong_example_is_noticed(example: str, fault: str):
    source = f'"""Run a plan.\n\n    {example}\n"""\n\ndef run(plan, *, build):\n    return 3\n'
    text = "; ".join(faults(source))
    assert fault in text
    assert bool(text) == bool(fault)
