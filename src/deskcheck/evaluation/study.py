"""A study file: models x benchmarks x strategies x knobs, run as evaluations that go on where they stopped.

    read_study("study.toml") -> Study(plans, baseline, ..)
    run_study(study, build_tasks=..) -> folders of the finished cells

EXAMPLE is such a file. A knob with several values is tried with each. Nothing runs before the whole file has
been checked.
"""

from __future__ import annotations

import itertools
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct, field

from deskcheck.errors import UserError
from deskcheck.evaluation.generation import Generation
from deskcheck.evaluation.plan import Plan, check, need_inspect
from deskcheck.evaluation.prices import parse_prices

EXAMPLE = """\
models = ["openai/gpt-4o-mini", "ollama/qwen3"]
benchmarks = ["core"]
baseline = "vanilla"    # what every other strategy is compared with
strategies = ["vanilla", "cot", { name = "iip-dynamic", knobs = { history = ["full", "state"] } }]
# also: tasks, limit, ids, filters, samples, policy, log_dir, max_steps, max_tokens, temperature, effort,
# max_cost, max_connections, prices, [data] NAME = PATH, [options];
# a model with arguments is { name = "replay", args = { path = "answers.jsonl" } }"""

LIKE_THIS = f"such a file looks like this:\n\n{EXAMPLE}"


class StudyStrategy(Struct, frozen=True, forbid_unknown_fields=True):
    """One way to ask, with the values of its knobs."""

    name: str
    knobs: dict[str, Any] = field(default_factory=dict)
    """A list is tried value by value."""


class StudyModel(Struct, frozen=True, forbid_unknown_fields=True):
    """One model, with its arguments (-M)."""

    name: str
    args: dict[str, Any] = field(default_factory=dict)


class StudyFile(Struct, frozen=True, forbid_unknown_fields=True):
    """What the file may say; names as on the command line of `deskcheck eval`."""

    models: list[str | StudyModel]
    strategies: list[str | StudyStrategy]
    baseline: str
    benchmarks: list[str] = field(default_factory=list)
    tasks: list[str] = field(default_factory=list)
    data: dict[str, str] = field(default_factory=dict)
    ids: list[str] = field(default_factory=list)
    limit: int = 0
    filters: list[str] = field(default_factory=list)
    samples: int = 1
    policy: str = "strict"
    max_steps: int = 1000
    max_tokens: int = 0
    temperature: float = -1.0
    effort: str = ""
    max_cost: float = 0.0
    max_connections: int = 0
    prices: list[str] = field(default_factory=list)
    options: dict[str, str] = field(default_factory=dict)
    log_dir: str = "logs"


class Study(Struct, frozen=True):
    """Checked plans, one per model and combination of knobs."""

    plans: list[Plan]
    baseline: str
    log_dir: str


def read_study(path: str, *, command: str = "") -> Study:
    """UserError says what in the file is not right."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise UserError(f"cannot read the study file '{path}': {reason}; {LIKE_THIS}") from None
    try:
        wanted = msgspec.convert(tomllib.loads(text), StudyFile)
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        what = str(error).replace("Object missing required field", "it lacks")
        what = what.replace("Object contains unknown field", "unknown field")
        what = what if text.strip() else "the file is empty"
        raise UserError(f"study file '{path}': {what}; {LIKE_THIS}") from None
    chosen = [StudyStrategy(one) if isinstance(one, str) else one for one in wanted.strategies]
    if wanted.baseline not in {one.name for one in chosen}:
        raise UserError(
            f"study file '{path}': the baseline '{wanted.baseline}' is none of the strategies "
            f"{', '.join(one.name for one in chosen)}"
        )
    models = [StudyModel(one) if isinstance(one, str) else one for one in wanted.models]
    if not models:
        raise UserError(f"study file '{path}': names no model; {LIKE_THIS}")
    plans = []
    for model, one in itertools.product(models, chosen):
        empty = [knob for knob, values in one.knobs.items() if values == []]
        if empty:
            raise UserError(f"study file '{path}': knob {empty[0]} of '{one.name}' has no value to try")
        try:
            plans += [check(plan) for plan in _plans(model, one, wanted, command)]
        except UserError as error:
            raise UserError(f"study file '{path}', {model.name} with {one.name}: {error}") from None
    return Study(plans, wanted.baseline, wanted.log_dir)


def _plans(model: StudyModel, strategy: StudyStrategy, wanted: StudyFile, command: str) -> list[Plan]:
    values = [value if isinstance(value, list) else [value] for value in strategy.knobs.values()]
    return [
        Plan(
            models=[model.name],
            benchmarks=wanted.benchmarks,
            tasks=wanted.tasks,
            strategies=[strategy.name],
            options=wanted.options,
            data=wanted.data,
            ids=wanted.ids,
            limit=wanted.limit,
            filters=wanted.filters,
            n_samples=wanted.samples,
            knobs={"max_steps": wanted.max_steps, **dict(zip(strategy.knobs, combination, strict=True))},
            policy=wanted.policy,
            generation=Generation(wanted.max_tokens, wanted.temperature, wanted.effort),
            prices=parse_prices(wanted.prices),
            max_cost=wanted.max_cost,
            max_connections=wanted.max_connections,
            model_args=model.args,
            log_dir=wanted.log_dir,
            command=command,
        )
        for combination in itertools.product(*values)
    ]


def run_study(study: Study, *, build_tasks: Callable[..., Any], screen: Any = None) -> list[Path]:
    """Folders of all cells, in the order of the file. What an earlier run finished is not asked again."""
    need_inspect()
    from deskcheck.evaluation.run import run_plan

    built: dict[str, Any] = {}

    def build_once(*names: str, **options: Any) -> Any:
        key = repr((names, sorted(options.items())))
        if key not in built:
            built[key] = build_tasks(*names, **options)
        return built[key]

    folders: list[Path] = []
    for plan in study.plans:
        results = run_plan(plan, build_tasks=build_once, screen=screen)
        folders += [Path(folder) for folder in results.folders]
    return list(dict.fromkeys(folders))
