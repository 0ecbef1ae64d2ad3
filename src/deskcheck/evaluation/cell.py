"""A cell: one model x benchmark x strategy with all that its answers depend on, and the folder it lives in.

    logs/cruxeval-line-1-deskcheck-tiny-3f2a9c01/
        answers.jsonl   what was answered, appended as it comes (kept.py)
        results.jsonl   the last run: one line per sample with task, prompt, answer, expected, chain
        cell.json       its row, configuration and run information, written last
        *.eval          Inspect's logs (`inspect view --log-dir logs`)

The folder's key is a hash over everything that can change an answer; the choice of tasks and the number of
samples are not in it, so a larger run goes on from a smaller one. Secrets are never part of it, nor written
anywhere.
"""

from __future__ import annotations

import ast
import hashlib
import inspect
import re
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec
from msgspec import Struct

from deskcheck import __version__
from deskcheck.evaluation.generation import Generation
from deskcheck.strategies import Knobs, label

SECRET = re.compile(r"key|token(?!s)|secret|password|credential|authorization", re.IGNORECASE)


PACKAGE = Path(__file__).parents[1]
PROMPT_CODE = tuple(f"deskcheck.{name}." for name in ("strategies", "turns", "states", "representations"))
"""Packages whose code makes prompts; the settings themselves are in the key as values."""


class Cell(Struct, frozen=True):
    """What the answers of one table row depend on."""

    model: str
    """"provider/name"."""
    model_args: dict[str, str]
    """-M, as JSON text, secrets replaced."""
    fingerprint: str
    """Hash of weights, file or script for our own models; "" for those that cannot be looked into."""
    benchmark: str
    options: dict[str, str]
    """Of the benchmark."""
    task: str
    """Kind of task."""
    strategy: str
    strategy_code: str
    """Hash of the strategy's file, of the shared ones it imports, and of the layouts where it uses one."""
    knobs: Knobs
    generation: Generation
    version: str = __version__

    @property
    def key(self) -> str:
        """8 hex digits over every field."""
        return hashlib.sha256(msgspec.json.encode(self, order="sorted")).hexdigest()[:8]

    @property
    def strategy_label(self) -> str:
        """The strategy with the knobs that are not as they come."""
        return label(self.strategy, self.knobs)

    @property
    def folder_name(self) -> str:
        """Readable, and unique by the key."""
        kind = "" if self.task == "output" else f"-{self.task}"
        named = f"{self.benchmark}{kind}-{self.strategy_label}-{self.model}"
        plain = re.sub(r"[^A-Za-z0-9_.]+", "-", named).strip("-")
        return f"{plain[:120]}-{self.key}"


def code_hash(strategy: ModuleType) -> str:
    """Hash of the code that makes the prompts: the strategy, the turns, states and layouts that it uses."""
    digest = hashlib.sha256()
    for file in shared_files(Path(inspect.getfile(strategy))):
        digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


def shared_files(file: Path) -> list[Path]:
    """The file, and those of PROMPT_CODE that it imports, directly or not."""
    found = {file: True}
    waiting = [file]
    while waiting:
        for path in _imported(waiting.pop()):
            if path not in found and path.is_file():
                found[path] = True
                waiting.append(path)
    return [file, *sorted(path for path in found if path != file)]


def _imported(file: Path) -> list[Path]:
    tree = ast.parse(file.read_text(encoding="utf-8"))
    names = [
        f"{node.module}.{name.name}"
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module
        for name in node.names
    ]
    parts = [name.split(".")[1:3] for name in names if name.startswith(PROMPT_CODE)]
    return [PACKAGE.joinpath(*part).with_suffix(".py") for part in parts if part != ["turns", "knobs"]]


def without_secrets(args: dict[str, Any]) -> dict[str, str]:
    """Model arguments as text that may be written down; functions are shown by their name."""
    shown = {}
    for name, value in sorted(args.items()):
        if SECRET.search(name):
            shown[name] = "(secret)"
        elif callable(value):
            shown[name] = getattr(value, "__qualname__", type(value).__name__)
        else:
            shown[name] = msgspec.json.encode(value).decode()
    return shown
