"""Shapes in the margin: a function that computes with tensors says what their dimensions are."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

TRAINING = Path(__file__).parents[2] / "src" / "deskcheck" / "training"
FILES = ["fast.py", "network.py", "muon.py", "hub/head.py", "hub/shared.py"]
TENSOR = re.compile(r"\btorch\.Tensor\b|\bTensor\b")
SHAPE = re.compile(r"\((?:[\w.*+ /]+(?: or \w+)?, ?)*[\w.*+ /]*\)|shape")
"""A shape: "(R, L, E)", "(2 * layers, R, H, P, D)", "(.., E)", "(M)", or a word that refers to one."""


def without_shapes(source: str) -> list[str]:
    """Functions with two tensors or more in their signature, and no shape in their docstring or margin."""
    lines = source.split("\n")
    missing: list[str] = []
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.FunctionDef):
            continue
        parameters = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
        texts = [ast.unparse(one.annotation) for one in parameters if one.annotation]
        texts += [ast.unparse(node.returns)] if node.returns else []
        if sum(bool(TENSOR.search(text)) for text in texts) < 2:
            continue
        body = lines[node.body[0].lineno - 1 : node.end_lineno]
        comments = [line.partition("#")[2] for line in body if "#" in line]
        if not any(map(SHAPE.search, [ast.get_docstring(node) or "", *comments])):
            missing.append(node.name)
    return missing


@pytest.mark.parametrize("name", FILES)
def test_tensor_functions_have_shapes(name: str) -> None:
    assert without_shapes((TRAINING / name).read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    ("body", "missing"),
    [
        ('    """Multiply two matrices."""\n    return a @ b', ["product"]),
        ('    """Multiply matrices (N, K) and (K, M)."""\n    return a @ b', []),
        ('    """Multiply two matrices."""\n    return a @ b  # (N, M)', []),
    ],
)
def test_a_missing_shape_is_seen(body: str, missing: list[str]) -> None:
    head = "def product(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:\n"
    assert without_shapes(head + body) == missing
