"""What a run depended on: command, configuration, commit, versions, sandbox level. Secrets are left out.

run_info(plan) -> {"command": .., "config": {..}, "commit": .., "versions": {..}, "seed": 0, "sandbox": ..,
..}
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import platform
import re
import time
from typing import Any

import msgspec

from deskcheck import __version__
from deskcheck.evaluation.cell import SECRET, without_secrets
from deskcheck.evaluation.plan import Plan
from deskcheck.evaluation.prices import price_of
from deskcheck.provenance import commit
from deskcheck.records import RunInfo, Task

LIBRARIES = ("inspect_ai", "onnxruntime", "tokenizers", "openai", "msgspec")


def run_info(plan: Plan) -> dict[str, Any]:
    """The "run" part of a results file."""
    from deskcheck.sandbox import level

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
        "max_tokens": str(plan.generation.max_tokens),
        "temperature": "default" if plan.generation.temperature < 0 else str(plan.generation.temperature),
        "effort": plan.generation.effort or "default",
        "reasoning_tokens": str(plan.generation.reasoning_tokens),
        "timeout_s": str(plan.timeout_s),
        "max_cost": str(plan.max_cost),
        **{f"price {model}": _price(model, plan) for model in plan.models},
        **{f"-T {name}": value for name, value in plan.options.items()},
        **{f"-S {name}": str(value) for name, value in plan.knobs.items()},
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
