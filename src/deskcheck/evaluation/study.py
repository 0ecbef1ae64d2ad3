"""Read and run a study file: models x benchmarks x strategies x settings under one budget.

    read_study("study.toml") -> Study(plans, baselines, max_cost, ..)
    run_study(study, build_tasks=..) -> Results of all cells

EXAMPLE shows a study file. A list of values is tried value by value: for settings of a strategy, options of a
benchmark, effort, temperature and budgets. Each `[[cells]]` block is a separate product, so that a checkpoint
can have its own layout. Fields missing from a block are taken from the top of the file. Nothing runs before
the whole file has been checked. An interrupted study can be resumed with the same command.
"""

from __future__ import annotations

import difflib
import itertools
import tomllib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct, field
from msgspec.structs import force_setattr

from deskcheck.errors import UserError
from deskcheck.evaluation.plan import MAX_STEPS, Plan, check, generation, need_inspect
from deskcheck.evaluation.prices import parse_prices

EXAMPLE = """\
models = ["openai/gpt-4o-mini", "ollama/qwen3"]
benchmarks = ["core"]
baselines = ["vanilla"]    # what every other strategy is compared with; several are possible
strategies = ["vanilla", "cot", { name = "iip-dynamic", settings = { history = ["full", "state"] } }]
max_cost = 5.0             # dollars, for all cells together
# also: tasks, limit, ids, filters, samples, policy, log_dir, max_steps, max_connections, prices, timeout_s
# a value, or a list that is tried value by value: effort, temperature, max_tokens, reasoning_tokens
# [options] NAME = VALUE    options of the benchmarks; a list is tried value by value
# [data] BENCHMARK = PATH   data files
# [config] NAME = VALUE     for every request: seed, top_p, batch, ..
# a model with arguments is { name = "replay", args = { path = "answers.jsonl" } }

# [[cells]]                # a block of its own, instead of the product above: a checkpoint with its layout
# models = ["hf/line-by-line"]
# strategies = ["line-1"]"""

LIKE_THIS = f"such a file looks like this:\n\n{EXAMPLE}"
TOP = frozenset({"baselines", "log_dir", "max_cost", "cells", "tables"})
"""Fields that are allowed only at the top of a file."""


class StudyStrategy(Struct, frozen=True, forbid_unknown_fields=True):
    """One strategy of a study, with the values of its settings."""

    name: str
    settings: dict[str, Any] = field(default_factory=dict)
    """Setting -> value; a list is tried value by value."""
    knobs: dict[str, Any] = field(default_factory=dict)
    """The spelling of `settings` in older files."""

    def __post_init__(self) -> None:
        force_setattr(self, "settings", {**self.knobs, **self.settings})


class StudyModel(Struct, frozen=True, forbid_unknown_fields=True):
    """One model of a study, with its arguments (-M)."""

    name: str
    args: dict[str, Any] = field(default_factory=dict)


class Block(Struct, frozen=True, forbid_unknown_fields=True):
    """A product of models, strategies and benchmarks, with values for the options of `deskcheck eval`.

    Defaults: 0 of `limit` asks every task; -1, "" and any other 0 leave the choice to prompt, strategy or
    provider.
    """

    models: list[str | StudyModel]
    strategies: list[str | StudyStrategy]
    benchmarks: list[str] = field(default_factory=list)
    tasks: list[str] = field(default_factory=list)
    data: dict[str, str] = field(default_factory=dict)
    ids: list[str] = field(default_factory=list)
    limit: int = 0
    filters: list[str] = field(default_factory=list)
    samples: int = -1
    policy: str = "strict"
    max_steps: int = MAX_STEPS
    max_tokens: int | list[int] = 0
    reasoning_tokens: int | list[int] = 0
    temperature: float | list[float] = -1.0
    effort: str | list[str] = ""
    config: dict[str, Any] = field(default_factory=dict)
    """Other fields of Inspect's GenerateConfig: seed, top_p, batch, cache, .."""
    max_connections: int = 0
    model_args: dict[str, Any] = field(default_factory=dict)
    """Arguments of every model (-M); a model's own `args` win."""
    timeout_s: int = 600
    prices: list[str] = field(default_factory=list)
    options: dict[str, str | list[str]] = field(default_factory=dict)


class StudyTop(Struct, frozen=True):
    """Fields at the top of a study file, for all its cells."""

    baselines: list[str]
    log_dir: str = "logs"
    max_cost: float = 0.0
    cells: list[dict[str, Any]] = field(default_factory=list)
    tables: str = "results"
    """Kind of tables in which its runs are shown (`deskcheck table --as`)."""


class Given(Struct, frozen=True):
    """Options of the command line, which win over those of the study file; 0, "" and empty are not given."""

    models: list[str] = field(default_factory=list)
    benchmarks: list[str] = field(default_factory=list)
    """Benchmarks to ask; in a file with `[[cells]]`, blocks without one of these are left out."""
    data: dict[str, str] = field(default_factory=dict)
    options: dict[str, str] = field(default_factory=dict)
    limit: int = 0
    timeout_s: int = 0
    prices: list[str] = field(default_factory=list)
    model_args: dict[str, Any] = field(default_factory=dict)
    """Arguments of every model (-M), over those of the file."""
    max_cost: float = 0.0
    log_dir: str = ""


class Study(Struct, frozen=True):
    """Checked plans, one for each model, strategy and combination of listed values."""

    plans: list[Plan]
    baselines: list[str]
    log_dir: str
    max_cost: float
    """Dollars that all cells together may spend; 0 = no limit."""
    tables: str = "results"
    """Kind of tables in which its runs are shown."""


def read_study(path: str, *, command: str = "", given: Given | None = None) -> Study:
    """Read and check a study file. UserError names its mistake."""
    return parse_study(text_of_file(path), f"study file '{path}'", command=command, given=given)


def text_of_file(path: str) -> str:
    """Return the text of a study file. UserError if it cannot be read."""
    try:
        return Path(path).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise UserError(f"cannot read the study file '{path}': {reason}; {LIKE_THIS}") from None


def known_or_refused(name: str, presets: Sequence[str]) -> None:
    """Raise UserError, listing presets and nearby study files, if `name` is neither a file nor a preset."""
    if Path(name).exists():
        return
    here = sorted(path.name for path in (Path(name).parent or Path()).glob("*.toml"))
    close = difflib.get_close_matches(name, [*presets, *here], n=1)
    hint = f"; did you mean '{close[0]}'?" if close else ""
    files = f"; files there: {', '.join(here[:5])}" if here else ""
    raise UserError(
        f"no study file at '{name}', and no preset of that name; presets: {', '.join(presets)}{files}{hint}; "
        f"{LIKE_THIS}"
    )


def parse_study(text: str, where: str, *, command: str = "", given: Given | None = None) -> Study:
    """Check the text of a study file and return its study; `where` names the file in a UserError."""
    try:
        fields = _with(tomllib.loads(text), given or Given(), where)
        top = msgspec.convert(fields, StudyTop)
        shared = {name: value for name, value in fields.items() if name not in TOP}
        blocks = [msgspec.convert({**shared, **cells}, Block) for cells in top.cells or [{}]]
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        reason = str(error).replace("Object missing required field", "it lacks")
        reason = reason.replace("Object contains unknown field", "unknown field")
        reason = reason if text.strip() else "the file is empty"
        raise UserError(f"{where}: {reason}; {LIKE_THIS}") from None
    _check_baselines(top, blocks, where)
    plans = [plan for block in blocks for plan in _checked(block, top, where, command)]
    return Study(plans, top.baselines, top.log_dir, top.max_cost, top.tables)


def _with(fields: dict[str, Any], given: Given, where: str) -> dict[str, Any]:
    """Return the values of a study file, with those of the command line in place of its own."""
    fields = dict(fields)
    for name in ("models", "limit", "timeout_s", "prices", "max_cost", "log_dir"):
        if getattr(given, name):
            fields[name] = getattr(given, name)
    for name in ("data", "options", "model_args"):
        if getattr(given, name) and isinstance(fields.get(name, {}), dict):
            fields[name] = {**fields.get(name, {}), **getattr(given, name)}
    if not given.benchmarks:
        return fields
    blocks = fields.get("cells")
    if not blocks:
        return fields | {"benchmarks": given.benchmarks}
    shared = fields.get("benchmarks", [])
    asked = [
        (block, [name for name in block.get("benchmarks", shared) if name in given.benchmarks])
        for block in blocks
    ]
    kept = [block | {"benchmarks": names} for block, names in asked if names]
    if not kept:
        known = dict.fromkeys(name for block in blocks for name in block.get("benchmarks", shared))
        raise UserError(
            f"{where}: none of its blocks asks {', '.join(given.benchmarks)}; they ask {', '.join(known)}"
        )
    return fields | {"cells": kept}


def run_study(study: Study, *, build_tasks: Callable[..., Any], screen: Any = None) -> Any:
    """Return the results of all cells, in the order of the file. Stored answers are not asked again."""
    need_inspect()
    from deskcheck.evaluation.run import run_plans

    return run_plans(study.plans, build_tasks=build_tasks, screen=screen, max_cost=study.max_cost)


def _check_baselines(top: StudyTop, blocks: list[Block], where: str) -> None:
    names = dict.fromkeys(_strategy(entry).name for block in blocks for entry in block.strategies)
    if not top.baselines:
        raise UserError(f"{where}: names no baseline; {LIKE_THIS}")
    for baseline in top.baselines:
        if baseline not in names:
            raise UserError(
                f"{where}: the baseline '{baseline}' is none of the strategies {', '.join(names)}"
            )
    if top.max_cost < 0:
        raise UserError(f"{where}: max_cost {top.max_cost}: give dollars from 0 on; 0 sets no limit")


def _checked(block: Block, top: StudyTop, where: str, command: str) -> Iterator[Plan]:
    if not block.models:
        raise UserError(f"{where}: names no model; {LIKE_THIS}")
    for entry, strategy in itertools.product(block.models, map(_strategy, block.strategies)):
        model = StudyModel(entry) if isinstance(entry, str) else entry
        values = {
            **strategy.settings,
            **block.options,
            "effort": block.effort,
            "temperature": block.temperature,
        }
        values |= {"max_tokens": block.max_tokens, "reasoning_tokens": block.reasoning_tokens}
        empty = [name for name, found in values.items() if found == []]
        if empty:
            raise UserError(f"{where}: {empty[0]} of '{strategy.name}' has no value to try")
        try:
            yield from [check(plan) for plan in _plans(model, strategy, block, top, command)]
        except UserError as error:
            raise UserError(f"{where}, {model.name} with {strategy.name}: {error}") from None


def _plans(
    model: StudyModel, strategy: StudyStrategy, block: Block, top: StudyTop, command: str
) -> Iterator[Plan]:
    generations = itertools.product(
        *map(_values, (block.max_tokens, block.temperature, block.effort, block.reasoning_tokens))
    )
    for options, combination, settings in itertools.product(
        _products(block.options), list(generations), _products(strategy.settings)
    ):
        yield Plan(
            models=[model.name],
            benchmarks=block.benchmarks,
            tasks=block.tasks,
            strategies=[strategy.name],
            options=options,
            data=block.data,
            ids=block.ids,
            limit=block.limit,
            filters=block.filters,
            n_samples=block.samples,
            settings={"max_steps": block.max_steps, **settings},
            policy=block.policy,
            generation=generation(*combination, **block.config),
            prices=parse_prices(block.prices),
            max_connections=block.max_connections,
            model_args={**block.model_args, **model.args},
            timeout_s=block.timeout_s,
            log_dir=top.log_dir,
            command=command,
        )


def _strategy(strategy: str | StudyStrategy) -> StudyStrategy:
    return StudyStrategy(strategy) if isinstance(strategy, str) else strategy


def _values(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _products(table: dict[str, Any]) -> list[dict[str, Any]]:
    """Return every combination of the values of a table."""
    return [
        dict(zip(table, values, strict=True)) for values in itertools.product(*map(_values, table.values()))
    ]
