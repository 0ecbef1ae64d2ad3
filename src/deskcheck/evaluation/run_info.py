"""What the answers of a cell depend on, and what a run depended on. Secrets are left out.

    Cell(model=.., benchmark=.., strategy=.., ..).folder_name -> "cruxeval-line-1-deskcheck-tiny-3f2a9c01"
    run_info(plan) -> {"command": .., "config": {..}, "commit": .., "versions": {..}, "sandbox": .., ..}

    logs/cruxeval-line-1-deskcheck-tiny-3f2a9c01/
        answers.jsonl   what was answered, appended as it comes (stores.py)
        results.jsonl   the last run: one line per sample with task, prompt, answer, expected, chain
        cell.json       its row, configuration and run information, written last
        *.eval          Inspect's logs (`inspect view --log-dir logs`)

A cell is one model x benchmark x strategy. Its folder's key is a hash over everything that can change an
answer; the choice of tasks and the number of samples are not in it, so a larger run goes on from a smaller
one.
"""

from __future__ import annotations

import ast
import hashlib
import importlib.metadata
import platform
import re
import time
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct, field

from deskcheck import __version__, plugins
from deskcheck.evaluation.plan import Plan
from deskcheck.evaluation.prices import price_of
from deskcheck.format.files import commit
from deskcheck.records import RunInfo, Task
from deskcheck.strategies import Settings, Strategy, label
from deskcheck.turns import layout_options
from deskcheck.turns.wording import title

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
    settings: Settings = field(name="knobs")  # its name in stored files
    generation: dict[str, str]
    """Of every call, by the names of Inspect's GenerateConfig, as JSON text, secrets replaced."""
    version: str = __version__

    @property
    def key(self) -> str:
        """8 hex digits over every field."""
        return hashlib.sha256(msgspec.json.encode(self, order="sorted")).hexdigest()[:8]

    @property
    def strategy_label(self) -> str:
        """The strategy with the settings that are not as they come."""
        return label(self.strategy, self.settings)

    @property
    def folder_name(self) -> str:
        """Readable, and unique by the key."""
        kind = "" if self.task == "output" else f"-{self.task}"
        named = f"{self.benchmark}{kind}-{self.strategy_label}-{self.model}"
        plain = re.sub(r"[^A-Za-z0-9_.]+", "-", named).strip("-")
        return f"{plain[:120]}-{self.key}"


def code_hash(strategy: Strategy, settings: Settings) -> str:
    """Hash of the code that makes the prompts: the strategy, the turns, states and layouts that it uses."""
    digest = hashlib.sha256()
    files = shared_files(Path(str(getattr(strategy, "__file__", ""))))
    if layout_options.is_turned(settings):
        files += shared_files(Path(layout_options.__file__))
    for file in files:
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
    return [PACKAGE.joinpath(*part).with_suffix(".py") for part in parts if part != ["turns", "settings"]]


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


LIBRARIES = ("inspect_ai", "onnxruntime", "tokenizers", "openai", "msgspec")


def run_info(plan: Plan) -> dict[str, Any]:
    """The "run" part of a results file."""
    from deskcheck.sandbox.containment import level

    config = {
        "models": ", ".join(plan.models),
        "benchmarks": ", ".join(plan.benchmarks),
        "strategies": ", ".join(plan.strategies),
        "data": ", ".join(f"{name}={path}" for name, path in plan.data.items()),
        "ids": ",".join(plan.ids),
        "tasks": ", ".join(plan.tasks),
        "limit": str(plan.limit),
        "filter": ", ".join(plan.filters),
        "samples": str(plan.n_samples),
        "policy": plan.policy,
        **{f"-G {name}": text for name, text in without_secrets(plan.generation.config).items()},
        "timeout_s": str(plan.timeout_s),
        "max_cost": str(plan.max_cost),
        **{f"price {model}": _price(model, plan) for model in plan.models},
        **{f"-T {name}": value for name, value in plan.options.items()},
        **{f"-S {name}": shown(name, str(value)) for name, value in plan.settings.items()},
        **{f"-M {name}": text for name, text in without_secrets(plan.model_args).items()},
    }
    info = RunInfo(
        command=public_command(plan.command),
        config=config,
        commit=commit(),
        versions=versions(),
        seed=0,
        sandbox=level(),
        started_unix_s=round(time.time(), 3),
    )
    facts: dict[str, Any] = msgspec.to_builtins(info)
    return facts


def shown(name: str, value: str) -> str:
    """A setting for people: of a prompt its name and hash, since its text is in the cell."""
    return title(value) if name == "prompt" else value


def _price(model: str, plan: Plan) -> str:
    found = price_of(model, plan.prices)
    if found is None:
        return "unknown"
    return f"${found.tokens_in:g} in, ${found.tokens_out:g} out per million tokens ({found.origin})"


def public_command(command: str) -> str:
    """The command line without the values of secrets."""
    names = rf"(\S*(?:{SECRET.pattern})\S*?=)\S+"
    return re.sub(names, r"\1(secret)", command, flags=re.IGNORECASE)


def versions() -> dict[str, str]:
    """Ours, Python's and those of the libraries that decide results."""
    found = {"deskcheck": __version__, "python": platform.python_version()}
    for name in LIBRARIES:
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            found[name] = "absent"
    return found


def hash_of_tasks(tasks: list[Task]) -> str:
    """sha256 over ids, programs and true answers: the data that was asked, whatever file it came from."""
    digest = hashlib.sha256()
    for task in tasks:
        digest.update(f"{task.id}\0{task.program.id}\0{task.expected}\n".encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


def revision_of(benchmark: str) -> str:
    """The pinned revision of the benchmark's data: "repository@commit/file", or that it ships."""
    hub = getattr(plugins.load("benchmark", benchmark), "HUB", None)
    return f"{hub[0]}@{hub[1]}/{hub[2]}" if hub else "ships with deskcheck"
