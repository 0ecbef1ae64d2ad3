"""What was asked for, checked before anything runs: a wrong name costs one line, not half a run.

    check(Plan(models=["tiny"], strategies=["direct"]))  -> the plan with full names, or UserError

A model is named as Inspect names it, "provider/model"; our own go by their name alone.
"""

from __future__ import annotations

import difflib
import importlib.util
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec
from msgspec import Struct, field

from deskcheck import plugins
from deskcheck.errors import MissingExtra, UnknownName, UserError
from deskcheck.evaluation.chosen import parse_filter
from deskcheck.evaluation.generation import Generation, check_generation
from deskcheck.evaluation.prices import Price, parse_prices
from deskcheck.grading.compare import tolerance_of
from deskcheck.models import suited_strategy
from deskcheck.options import key_values
from deskcheck.strategies import Knobs, check_fit, knobs_of
from deskcheck.turns.knobs import make_knobs

DEFAULT_BENCHMARK, DEFAULT_TASK, DEFAULT_STRATEGY = "core", "output", "vanilla"


class Plan(Struct, frozen=True):
    """One evaluation: every model x benchmark x kind of task x strategy."""

    models: list[str]
    benchmarks: list[str] = field(default_factory=list)
    tasks: list[str] = field(default_factory=list)
    """Kinds: "output", "input", ..; none = output."""
    strategies: list[str] = field(default_factory=list)
    options: dict[str, str] = field(default_factory=dict)
    """Of the benchmarks (-T)."""
    data: dict[str, str] = field(default_factory=dict)
    """Benchmark -> path; a benchmark without one ships, or comes from the hub."""
    ids: list[str] = field(default_factory=list)
    limit: int = 0
    """0 = all tasks."""
    filters: list[str] = field(default_factory=list)
    """Only tasks that fulfil all of them: "family=graphs", "steps<100"."""
    n_samples: int = 1
    knobs: dict[str, Any] = field(default_factory=dict)
    """Of the strategies (-S, --max-steps); each takes those that it has."""
    policy: str = "strict"
    generation: Generation = Generation()
    timeout_s: int = 600
    """Of one request to a provider; 0 = the provider's own."""
    prices: dict[str, Price] = field(default_factory=dict)
    """Given by the user; "" = every model."""
    max_cost: float = 0.0
    """US dollars that this run may spend; 0 = no limit."""
    max_connections: int = 0
    """0 = what the provider gives."""
    model_args: dict[str, Any] = field(default_factory=dict)
    log_dir: str = "logs"
    command: str = ""


def check(plan: Plan) -> Plan:
    """The plan with defaults filled in and every name known; UserError otherwise."""
    models = [model_name(name) for name in plan.models]
    benchmarks = plan.benchmarks or [DEFAULT_BENCHMARK]
    suited = {suited_strategy(name) for name in models}
    common = suited.pop() if len(suited) == 1 else ""
    strategies = plan.strategies or [common or DEFAULT_STRATEGY]
    tasks = plan.tasks or [DEFAULT_TASK]
    for name in benchmarks:
        check_name("benchmark", name)
    for kind in tasks:
        check_name("question", kind)
    check_strategies(strategies, tasks, plan.knobs)
    tolerance_of(plan.policy)
    check_generation(plan.generation)
    for text in plan.filters:
        parse_filter(text)
    if plan.n_samples < 1:
        raise UserError(f"--samples {plan.n_samples}: at least 1 is needed")
    if plan.limit < 0:
        raise UserError(f"--limit {plan.limit}: 0 means all tasks, a number takes the first ones")
    if plan.max_cost < 0:
        raise UserError(f"--max-cost {plan.max_cost}: dollars that may be spent; 0 means no limit")
    if plan.timeout_s < 0:
        raise UserError(f"--timeout {plan.timeout_s}: seconds of one request; 0 means the provider's own")
    if plan.max_connections < 0:
        raise UserError(f"--max-connections {plan.max_connections}: requests at once; 0 = the provider's own")
    if Path(plan.log_dir).is_file():
        raise UserError(f"--log-dir {plan.log_dir} is a file; name a folder")
    for name, path in plan.data.items():
        if not Path(path).exists():
            raise UserError(f"no data for benchmark '{name}' at '{path}' (--data)")
    return msgspec.structs.replace(
        plan, models=models, benchmarks=benchmarks, tasks=tasks, strategies=strategies
    )


def check_strategies(names: list[str], kinds: list[str], values: dict[str, Any]) -> None:
    """Every pair fits, and every knob that was turned belongs to one of them; UserError otherwise."""
    turned = make_knobs(values)
    known: set[str] = {"max_steps"}
    for name in names:
        strategy = load_strategy(name)
        knobs = knobs_of(name, strategy, turned)
        known |= strategy.KNOBS
        for kind in kinds:
            check_fit(name, strategy, kind=kind, knobs=knobs)
    for knob in values:
        if knob not in known:
            raise UserError(
                f"knob '{knob}' belongs to none of the strategies {', '.join(names)}; "
                f"theirs: {', '.join(sorted(known))}"
            )


def chosen_knobs(name: str, plan: Plan) -> Knobs:
    """The knobs of one strategy under this plan."""
    return knobs_of(name, load_strategy(name), make_knobs(plan.knobs))


def check_name(kind: str, name: str) -> None:
    """UnknownName lists what there is."""
    known = plugins.names(kind)
    if name not in known:
        raise UnknownName(kind, name, known)


def model_name(name: str) -> str:
    """ "tiny" -> "deskcheck/tiny"; anything else must say its provider."""
    if name in plugins.names("model"):
        return f"deskcheck/{name}"
    provider, slash, rest = name.partition("/")
    if not slash or not rest or not provider:
        close = difflib.get_close_matches(name, plugins.names("model"), n=1)
        hint = f"; did you mean '{close[0]}'?" if close else ""
        raise UserError(
            f"no model called '{name}'; deskcheck's own: {', '.join(plugins.names('model'))}; any other is "
            f"written provider/model as Inspect names it, for example openai/gpt-4o or ollama/qwen3{hint}"
        )
    if provider == "deskcheck" and rest not in plugins.names("model"):
        raise UnknownName("deskcheck model", rest, plugins.names("model"))
    return name


def need_model(plan: Plan) -> None:
    """UserError unless a model is named: there is no silent default."""
    if not plan.models:
        raise UserError(
            f"no model named; use --model with one of deskcheck's own ({', '.join(plugins.names('model'))}) "
            "or provider/model, for example --model tiny or --model openai/gpt-4o"
        )


def need_inspect() -> None:
    """MissingExtra unless the evaluation engine is installed."""
    if importlib.util.find_spec("inspect_ai") is None:
        raise MissingExtra("inspect_ai", "eval", "deskcheck eval")


def from_options(
    *,
    data: list[str],
    ids: str,
    model_args: list[str],
    options: list[str],
    knobs: list[str],
    max_steps: int,
    prices: list[str],
    argv: list[str],
    **same: Any,
) -> Plan:
    """The plan of a command line; the rest of the options are fields of Plan already."""
    benchmarks = same["benchmarks"] or [DEFAULT_BENCHMARK]
    return Plan(
        **same,
        data=data_paths(data, benchmarks),
        ids=[one.strip() for one in ids.split(",") if one.strip()],
        model_args=parse_model_args(model_args),
        options=key_values(options, "-T"),
        knobs={"max_steps": max_steps, **key_values(knobs, "-S")},
        prices=parse_prices(prices),
        command=" ".join(["deskcheck", *argv[1:]]),
    )


def data_paths(values: list[str], benchmarks: list[str]) -> dict[str, str]:
    """--data PATH for a single benchmark, --data NAME=PATH where there are several."""
    named: dict[str, str] = {}
    for value in values:
        name, equals, path = value.partition("=")
        if equals and name in benchmarks:
            named[name] = path
        elif len(benchmarks) == 1:
            named[benchmarks[0]] = value
        else:
            raise UserError(f"--data '{value}': with several benchmarks write NAME=PATH, NAME one of "
                            f"{', '.join(benchmarks)}")  # fmt: skip
    return named


def parse_model_args(values: list[str]) -> dict[str, Any]:
    """-M key=value; a value that is JSON is read as JSON, anything else is text."""
    args: dict[str, Any] = {}
    for value in values:
        key, equals, text = value.partition("=")
        if not equals or not key:
            raise UserError(f"-M '{value}': write it as key=value")
        try:
            args[key] = msgspec.json.decode(text)
        except msgspec.DecodeError:
            args[key] = text
    return args


def load_strategy(name: str) -> ModuleType:
    """The module of a strategy."""
    return plugins.load("strategy", name)


def built(benchmark: str, kind: str, plan: Plan, build_tasks: Callable[..., Any], *, limit: int = 0) -> Any:
    """What the plan says about the tasks, said to `build_tasks`; with filters --limit counts after them."""
    given: dict[str, Any] = {"kind": kind} if kind != "output" else {}
    if plan.options:
        given["options"] = plan.options
    limit = limit or plan.limit
    return build_tasks(
        benchmark,
        data=plan.data.get(benchmark, ""),
        ids=plan.ids,
        limit=0 if plan.filters else limit,
        **given,
    )


def by_tasks(plans: Sequence[Plan]) -> list[tuple[str, str, list[Plan]]]:
    """(benchmark, kind, the plans that ask the same tasks of it), in the order of the plans."""
    groups: dict[str, tuple[str, str, list[Plan]]] = {}
    for plan in plans:
        for benchmark in plan.benchmarks:
            for kind in plan.tasks:
                chosen = (plan.options, plan.data.get(benchmark, ""), plan.ids, plan.limit, plan.filters)
                key = repr((benchmark, kind, chosen))
                groups.setdefault(key, (benchmark, kind, []))[2].append(plan)
    return list(groups.values())
