"""Names that tell runs apart: model and strategy, and whatever else differs between two that share both.

    told_apart(runs) -> {folder: "line-1(max_steps=60)", ..}        facts(run) -> {"max_steps": "60", ..}

Two runs of one model with one strategy differ in a setting, a budget, an argument of the model or
an option of
the benchmark; the name says in which, and where there is nothing else to say, in which folder they lie.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from deskcheck.report.read import Run

GROUPS = ("knobs", "generation", "model_args", "options")
"""Of a cell: what its answers depended on, by name."""
PLAIN = ("version", "strategy_code", "fingerprint")
"""Said only where nothing else differs."""


def facts(run: Run) -> dict[str, str]:
    """Everything by which a run can differ from one of the same model, benchmark, task and strategy."""
    found: dict[str, str] = {}
    for group in GROUPS:
        values: dict[str, Any] = run.cell.get(group) or {}
        found |= {name: _text(value) for name, value in values.items()}
    if run.every:
        found["policy"] = run.every[0].policy
    found |= {"samples": str(run.row.n_samples), "tasks": str(run.row.n_tasks)}
    return found


def told_apart(runs: Sequence[Run]) -> dict[str, str]:
    """Folder -> the strategy, with what tells it from the other runs of its model, benchmark and task."""
    groups: dict[tuple[str, ...], list[Run]] = {}
    for run in runs:
        row = run.row
        groups.setdefault((row.model, row.benchmark, row.task, row.strategy), []).append(run)
    return {run.folder: name for group in groups.values() for run, name in _named(group)}


def bare(strategy: str) -> str:
    """Name of a strategy without its settings: "line-1(max_steps=60)" -> "line-1"."""
    return strategy.partition("(")[0]


def _named(group: list[Run]) -> list[tuple[Run, str]]:
    if len({run.folder for run in group}) == 1:
        return [(run, run.row.strategy) for run in group]
    known = [facts(run) for run in group]
    names = list(dict.fromkeys(name for one in known for name in one))
    differ = [name for name in names if len({one.get(name) for one in known}) > 1]
    said = [_extra(one, differ) for one in known]
    if len(set(said)) < len(group):
        plain = [{name: str(run.cell.get(name, "")) for name in PLAIN} for run in group]
        differ = [name for name in PLAIN if len({one[name] for one in plain}) > 1]
        said = [", ".join(filter(None, (a, _extra(b, differ)))) for a, b in zip(said, plain, strict=True)]
    if len(set(said)) < len(group):
        said = [f"folder={Path(run.folder).name}" for run in group]
    return [(run, _with(run.row.strategy, text)) for run, text in zip(group, said, strict=True)]


def _extra(found: dict[str, str], names: list[str]) -> str:
    return ", ".join(f"{name}={found.get(name, 'as it comes')}" for name in names)


def _with(strategy: str, text: str) -> str:
    """Put this behind the settings in a strategy's name, unless the name says it already."""
    name, bracket, turned = strategy.partition("(")
    before = turned.removesuffix(")").split(", ") if bracket else []
    parts = [*before, *(part for part in text.split(", ") if part and part not in before)]
    return f"{name}({', '.join(parts)})" if parts else name


def _text(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)
