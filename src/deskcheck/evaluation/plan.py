"""Check the options of an evaluation before anything runs, so that a wrong name ends no run halfway.

    check(Plan(models=["tiny"], strategies=["direct"]))  -> the plan with full names, or UserError
    generation(temperature=0.2).of(prompt, timeout_s=600, ours=False) -> arguments of GenerateConfig
    filter_tasks(tasks, ["family=graphs", "steps<100"], limit=20) -> tasks that fulfil all of them

A model is named as Inspect names it, "provider/model"; a model of deskcheck needs only its name. --filter is
applied before --limit takes the first tasks. A filter compares a tag of the benchmark, `steps` (executed
lines of the true run), `lines` (of the program), `id` or `cluster`. `=` and `!=` compare text; `<`, `<=`, `>`
and `>=` compare numbers; `~` looks for a part of the text.
"""

from __future__ import annotations

import importlib.util
import inspect
import operator
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar, get_type_hints

import msgspec
from msgspec import Struct, field

from deskcheck import plugins
from deskcheck.cell_files import check_folder
from deskcheck.errors import MissingExtra, UnknownName, UserError
from deskcheck.evaluation.perturb import PERTURBATIONS
from deskcheck.evaluation.prices import Price, parse_prices
from deskcheck.languages import tolerance_of
from deskcheck.models import PROVIDER, stronger_strategy, suited_strategy
from deskcheck.plugins import key_values
from deskcheck.records import Prompt, Task
from deskcheck.strategies import Settings, Strategy, check_fit, settings_of
from deskcheck.turns.settings import WithOptions, make_settings
from deskcheck.turns.wording import as_text, wording

EFFORTS = ("none", "minimal", "low", "medium", "high", "xhigh")


class Generation(Struct, frozen=True):
    """Settings of every request of a cell: fields of Inspect's GenerateConfig, under their names there."""

    config: dict[str, Any] = field(default_factory=dict)
    """Strategy and provider decide the fields that are missing here."""

    @property
    def max_tokens(self) -> int:
        """Budget of a completion; 0 = the strategy's own."""
        return int(self.config.get("max_tokens") or 0)

    @property
    def temperature(self) -> float:
        """Temperature of sampling; -1 = the strategy's, or the provider's default."""
        found = self.config.get("temperature")
        return -1.0 if found is None else float(found)

    @property
    def effort(self) -> str:
        """Effort of a reasoning model; "" = the provider's default."""
        return str(self.config.get("reasoning_effort") or self.config.get("effort") or "")

    @property
    def reasoning_tokens(self) -> int:
        """Budget of the model's reasoning; 0 = the provider's default."""
        return int(self.config.get("reasoning_tokens") or 0)

    def of(self, prompt: Prompt, *, timeout_s: int, ours: bool) -> dict[str, Any]:
        """Return the arguments of GenerateConfig for a request.

        `ours`: the model runs in an engine of deskcheck. Stop strings are sent to such models only, because
        another model may stop within its reasoning. A batch may take hours, so it has no `timeout_s`.
        """
        chosen: dict[str, Any] = {**self.config, "max_tokens": prompt.max_tokens}
        chosen.pop("temperature", None)
        if prompt.temperature >= 0:
            chosen["temperature"] = prompt.temperature
        if prompt.stop and ours:
            chosen["stop_seqs"] = prompt.stop
        if prompt.logprobs:
            chosen["logprobs"] = True
        if prompt.schema and "response_schema" not in chosen:
            chosen["response_schema"] = {"name": "answer", "json_schema": msgspec.json.decode(prompt.schema)}
        if timeout_s and not ours and not chosen.get("batch"):
            chosen.setdefault("attempt_timeout", timeout_s)
        return chosen


def generation(
    max_tokens: int = 0,
    temperature: float | None = None,
    effort: str = "",
    reasoning_tokens: int = 0,
    **more: Any,
) -> Generation:
    """Return the settings of a command line; `more` are other fields of Inspect's GenerateConfig (-G)."""
    given = {"max_tokens": max_tokens, "reasoning_effort": effort, "reasoning_tokens": reasoning_tokens}
    chosen = {name: value for name, value in given.items() if value}
    if temperature is not None and temperature != -1:
        chosen["temperature"] = temperature
    return Generation({**more, **chosen})


OWN = frozenset({"max_tokens", "temperature"})
"""Fields that models in deskcheck's engines read."""


def check_generation(generation: Generation, models: Sequence[str] = ()) -> Generation:
    """Return the settings; UserError for a field that Inspect lacks and for a value out of range.

    UserError also for a field that deskcheck's engines do not read, if one of `models` runs in them.
    """
    if generation.effort and generation.effort not in EFFORTS:
        raise UserError(f"-G reasoning_effort={generation.effort}: one of {', '.join(EFFORTS)}")
    if generation.temperature < 0 and generation.temperature != -1:
        raise UserError(
            f"--temperature {generation.temperature}: 0 or more; without it strategy or provider decide"
        )
    for option, tokens in (
        ("--max-tokens", generation.max_tokens),
        ("-G reasoning_tokens", generation.reasoning_tokens),
    ):
        if tokens < 0:
            raise UserError(
                f"{option} {tokens}: a number of tokens; without it the strategy or the provider decides"
            )
    if others := sorted(generation.config.keys() - OWN):
        own = [name for name in models if name.startswith(PROVIDER)]
        if own and set(others) - {"reasoning_effort", "reasoning_tokens"}:
            raise UserError(
                f"{own[0]} runs here and reads {' and '.join(sorted(OWN))} only, not {', '.join(others)} (-G)"
            )
        _check_fields(generation.config)
    return generation


def _check_fields(config: dict[str, Any]) -> None:
    need_inspect()
    from inspect_ai.model import GenerateConfig

    known = set(GenerateConfig.model_fields)
    for name in config:
        if name not in known:
            raise UnknownName("setting of Inspect's GenerateConfig (-G)", name, sorted(known))
    try:
        GenerateConfig.model_validate(config)
    except ValueError as error:  # pydantic's
        said = "; ".join(line.strip() for line in str(error).splitlines()[1:3])
        raise UserError(f"-G: {said}") from None


_Set = TypeVar("_Set", bound=Any)
_FORM = re.compile(r"([\w-]+)\s*(<=|>=|!=|=|<|>|~)\s*(.*)")
_NUMBERS: dict[str, Callable[[float, float], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


class Filter(Struct, frozen=True):
    """One condition that tasks have to meet."""

    name: str
    """Tag of the benchmark, or steps, lines, id, cluster."""
    sign: str
    """Comparison of tag and value: one of = != < <= > >=, or ~ for a tag that contains the value."""
    value: str


def parse_filter(text: str) -> Filter:
    """Parse one filter. UserError if the text is no condition."""
    found = _FORM.fullmatch(text.strip())
    if found is None or (found[2] in _NUMBERS and not _is_number(found[3])):
        raise UserError(f"--filter '{text}': write NAME=VALUE, NAME!=VALUE, NAME~PART or NAME<NUMBER")
    if not found[3].strip(" ,") and (found[2] == "~" or found[1] == "id"):
        raise UserError(
            f"--filter '{text}' names nothing after {found[2]}; is a variable of the shell empty?"
        )
    return Filter(found[1], found[2], found[3].strip())


def split_ids(filters: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the ids of the tasks that filters `id=A,B` name, and the other filters."""
    ids: list[str] = []
    others: list[str] = []
    for text in filters:
        condition = parse_filter(text)
        if (condition.name, condition.sign) == ("id", "="):
            ids += [task.strip() for task in condition.value.split(",") if task.strip()]
        else:
            others.append(text)
    return ids, others


def take_number(fields: dict[str, Any], name: str, *, default: int) -> int:
    """Take a whole number, at least 1 (or the default, if that is less), from the fields of -G.

    The field is removed from `fields`. Without it the default is returned.
    """
    value = fields.pop(name, default)
    if type(value) is not int or value < min(1, default):
        raise UserError(f"-G {name}={value}: a whole number from 1 on is needed")
    return value


def shard_of(text: str) -> tuple[int, int]:
    """Return (2, 8) for "2/8", (1, 1) for "". UserError if the text is no part of a whole."""
    number, slash, n = text.partition("/")
    if not text:
        return 1, 1
    if not (slash and number.isdecimal() and n.isdecimal() and 1 <= int(number) <= int(n)):
        raise UserError(f"--shard {text}: write the part and how many there are, 1/8 to 8/8")
    return int(number), int(n)


def filter_tasks(tasks: Sequence[Task], filters: Sequence[str], *, limit: int) -> list[Task]:
    """Return the tasks that fulfil every filter, at most `limit` (0 = all).

    UserError for an unknown name, and if no task is left.
    """
    remaining = list(tasks)
    for text in filters:
        condition = parse_filter(text)
        known = {name for task in tasks for name in _facts(task)}
        if condition.name not in known:
            raise UserError(
                f"--filter '{text}': no task has '{condition.name}'; known: {', '.join(sorted(known))}"
            )
        values = [_facts(task).get(condition.name, "") for task in remaining]
        fulfilling = [task for task, value in zip(remaining, values, strict=True) if _holds(condition, value)]
        if remaining and not fulfilling:
            raise UserError(
                f"no task of benchmark '{tasks[0].benchmark}' fulfils --filter {' and '.join(filters)}; "
                f"{condition.name} is {_range(values)}"
            )
        remaining = fulfilling
    return remaining[:limit] if limit else remaining


def _range(values: Sequence[str]) -> str:
    """Return which values there are: "3 to 120", "graphs, loops, ..", "none"."""
    different = sorted({value for value in values if value})
    if different and all(map(_is_number, different)):
        numbers = sorted(different, key=float)
        return " to ".join(dict.fromkeys((numbers[0], numbers[-1])))
    return ", ".join([*different[:8], *([".."] if len(different) > 8 else [])]) or "none"


def filtered(task_set: _Set, filters: Sequence[str], *, limit: int) -> _Set:
    """Return the `truth.TaskSet` with only the tasks that `filter_tasks` returns."""
    return msgspec.structs.replace(task_set, tasks=filter_tasks(task_set.tasks, filters, limit=limit))


def _facts(task: Task) -> dict[str, str]:
    lines = sum(1 for line in task.program.source.split("\n") if line.strip())
    return {
        "steps": str(task.truth.n_steps),
        "lines": str(lines),
        "id": task.id,
        "cluster": task.cluster,
        **task.tags,
    }


def _holds(condition: Filter, value: str) -> bool:
    if condition.sign in _NUMBERS:
        return _is_number(value) and _NUMBERS[condition.sign](float(value), float(condition.value))
    if condition.sign == "~":
        return condition.value in value
    return (value == condition.value) == (condition.sign == "=")


def _is_number(text: str) -> bool:
    return re.fullmatch(r"-?\d+(\.\d+)?", text.strip()) is not None


DEFAULT_BENCHMARK, DEFAULT_TASK, DEFAULT_STRATEGY = "core", "output", "vanilla"


class Plan(Struct, frozen=True):
    """One evaluation: every model x benchmark x kind of question x strategy."""

    models: list[str]
    benchmarks: list[str] = field(default_factory=list)
    tasks: list[str] = field(default_factory=list)
    """Kinds of question: "output", "input", ..; empty = output."""
    strategies: list[str] = field(default_factory=list)
    options: dict[str, str] = field(default_factory=dict)
    """Options of the benchmarks (-T)."""
    data: dict[str, str] = field(default_factory=dict)
    """Benchmark -> path; a benchmark without a path ships, or comes from the hub."""
    ids: list[str] = field(default_factory=list)
    limit: int = 0
    """0 = all tasks."""
    filters: list[str] = field(default_factory=list)
    """Only tasks that fulfil all of them: "family=graphs", "steps<100"."""
    shard: str = ""
    """"2/8": the second of eight parts of the benchmark's programs, after `limit`; "" = all of them."""
    n_samples: int = -1
    """Answers to each task; -1 = as many as the source of the published prompt used, or 1 without one."""
    settings: dict[str, Any] = field(default_factory=dict)
    """Settings of the strategies (-S, --max-steps); each strategy takes those that it has."""
    policy: str = "strict"
    """Comparison of answers with the truth: "strict", "lenient", "lenient:1e-9", "published"."""
    generation: Generation = Generation()
    timeout_s: int = 600
    """Seconds for one request to a provider; 0 = the provider's own limit."""
    prices: dict[str, Price] = field(default_factory=dict)
    """Prices given by the user; key "" = every model."""
    max_cost: float = 0.0
    """US dollars that this run may spend; 0 = no limit."""
    max_connections: int = 0
    """Largest number of requests at once; 0 = the provider's default."""
    model_args: dict[str, Any] = field(default_factory=dict)
    """Arguments for opening the models (-M)."""
    log_dir: str = "logs"
    command: str = ""
    """Command line, as the results store it."""


def check(plan: Plan) -> Plan:
    """Return the plan with defaults filled in and every name checked; UserError for an unknown name."""
    models = [model_name(name, base_url=str(plan.model_args.get("base_url", ""))) for name in plan.models]
    benchmarks = plan.benchmarks or [DEFAULT_BENCHMARK]
    suited = {suited_strategy(name) for name in models}
    common = suited.pop() if len(suited) == 1 else ""
    plan, worded = _worded(plan)
    strategies = plan.strategies or worded or [common or DEFAULT_STRATEGY]
    tasks = plan.tasks or [DEFAULT_TASK]
    for name in benchmarks:
        check_name("benchmark", name)
        if plan.options:
            checked_options(plugins.load("benchmark", name), name, plan.options)
    for kind in tasks:
        check_name("question", kind)
    check_strategies(strategies, tasks, plan.settings)
    tolerance_of(plan.policy)
    check_generation(plan.generation, models)
    for text in plan.filters:
        parse_filter(text)
    if plan.n_samples < 1:
        raise UserError(f"--samples {plan.n_samples}: at least 1 is needed")
    if shard_of(plan.shard)[1] > 1 and plan.limit and plan.filters:
        raise UserError(
            f"--shard {plan.shard} with --limit {plan.limit} and --filter: the limit counts what the filter "
            "leaves, and no part knows what the others leave; give --limit or --filter"
        )
    if plan.limit < 0:
        raise UserError(
            f"--limit {plan.limit}: a number takes the first ones; without it all tasks are asked"
        )
    if plan.max_cost < 0:
        raise UserError(f"--max-cost {plan.max_cost}: give dollars from 0 on; 0 sets no limit")
    if plan.timeout_s < 0:
        raise UserError(f"timeout_s {plan.timeout_s}: seconds of one request")
    if plan.max_connections < 0:
        raise UserError(f"max_connections {plan.max_connections}: requests at once")
    check_folder(plan.log_dir, "--log-dir")
    for name, path in plan.data.items():
        if not Path(path).exists():
            raise UserError(f"no data for benchmark '{name}' at '{path}' (--data)")
    return msgspec.structs.replace(
        plan, models=models, benchmarks=benchmarks, tasks=tasks, strategies=strategies
    )


def checked_options(module: ModuleType, benchmark: str, options: Mapping[str, str]) -> dict[str, Any]:
    """Convert options to the benchmark's types; every benchmark also has the option "perturb".

    UserError for an unknown option or a value of another type.
    """
    parameters = inspect.signature(module.drafts).parameters
    known = [name for name, one in parameters.items() if one.kind is one.KEYWORD_ONLY]
    hints = get_type_hints(module.drafts)
    checked = {}
    for name, text in options.items():
        if name == "perturb":
            if text not in PERTURBATIONS:
                raise UnknownName("perturbation", text, list(PERTURBATIONS))
            checked[name] = text
            continue
        if name not in known:
            takes = ", ".join([*known, "perturb"])
            raise UserError(f"benchmark '{benchmark}' has no option '{name}'; it takes: {takes}")
        try:
            checked[name] = msgspec.convert(text, hints[name], strict=False)
        except msgspec.ValidationError as error:
            raise UserError(f"benchmark '{benchmark}', option {name}={text}: {error}") from None
    return checked


def stronger(asked: Plan, plan: Plan) -> str:
    """Return a line on a strategy that is right more often than the default ones of a plan; "" without one.

    `asked`: the plan before `check`, `plan`: after it.
    """
    if asked.strategies or plan.model_args:
        return ""
    for model in plan.models:
        name = stronger_strategy(model)
        if name and not load_strategy(name).FITS.isdisjoint(plan.tasks):
            return (
                f"{model} is asked in {', '.join(plan.strategies)}, its fast strategy; --strategy {name} "
                "asks step by step and is right more often"
            )
    return ""


def _worded(plan: Plan) -> tuple[Plan, list[str]]:
    """Read the plan's prompt and apply the sampling of its source; also return the strategies for it."""
    if "prompt" not in plan.settings:
        return msgspec.structs.replace(plan, n_samples=1 if plan.n_samples == -1 else plan.n_samples), []
    asked = wording(str(plan.settings["prompt"]))
    changed = msgspec.structs.replace(
        plan,
        settings={**plan.settings, "prompt": as_text(asked)},
        n_samples=asked.samples if plan.n_samples == -1 else plan.n_samples,
        generation=Generation({**asked.config, **plan.generation.config}),
    )
    takes = [name for name in plugins.names("strategy") if "prompt" in load_strategy(name).SETTINGS]
    return changed, takes


def check_strategies(names: list[str], kinds: list[str], values: dict[str, Any]) -> None:
    """Raise UserError if a strategy cannot ask a kind, or if no strategy has one of the settings."""
    turned = make_settings(values)
    known: set[str] = {"max_steps"}
    for name in names:
        strategy = load_strategy(name)
        settings = settings_of(name, strategy, turned)
        known |= strategy.SETTINGS
        for kind in kinds:
            check_fit(name, strategy, kind=kind, settings=settings)
        if str(values.get("shots")) == "0" and hasattr(strategy, "SHOTS"):
            raise UserError(
                f"setting shots=0: strategy '{name}' shows at least one worked example; without the "
                f"setting it shows {strategy.SHOTS}"
            )
    for setting in values:
        if setting not in known:
            raise UserError(
                f"setting '{setting}' belongs to none of the strategies {', '.join(names)}; "
                f"theirs: {', '.join(sorted(known))}"
            )


def chosen_settings(name: str, plan: Plan) -> Settings:
    """Return the settings of one strategy under this plan."""
    return settings_of(name, load_strategy(name), make_settings(plan.settings))


def check_name(kind: str, name: str) -> None:
    """Raise UnknownName, which lists the known names, unless the name is one of them."""
    if name not in plugins.names(kind):
        raise plugins.unknown(kind, name)


SERVER = "openai-api/server/"
"""Inspect's name of a server that speaks OpenAI's chat protocol, before the name that it gives a model."""


def model_name(name: str, *, base_url: str = "") -> str:
    """Return the full name: "tiny" -> "deskcheck/tiny"; a model behind `base_url` needs no provider."""
    if name in plugins.names("model"):
        return f"{PROVIDER}{name}"
    provider, slash, rest = name.partition("/")
    if base_url and name and not _is_provider(provider if slash else ""):
        return f"{SERVER}{name}"
    if not slash or not rest or not provider:
        from difflib import get_close_matches

        close = get_close_matches(name, plugins.names("model"), n=1)
        hint = f"; did you mean '{close[0]}'?" if close else ""
        raise UserError(
            f"no model called '{name}'; deskcheck's own: {', '.join(plugins.names('model'))}; any other is "
            "written provider/model as Inspect names it, for example openai/gpt-4o or ollama/qwen3, or has "
            f"a server of its own: --base-url http://HOST:PORT/v1{hint}"
        )
    if provider == "deskcheck" and rest not in plugins.names("model"):
        raise UnknownName("deskcheck model", rest, plugins.names("model"))
    return name


def _is_provider(name: str) -> bool:
    """Return whether a provider of Inspect has that name."""
    return name in PROVIDERS or name == PROVIDER.rstrip("/")


PROVIDERS = frozenset(
    "anthropic azureai bedrock cloudflare deepseek fireworks google grok groq hf hf-inference-providers "
    "litellm-proxy llama-cpp-python meta mistral mockllm moonshot nnterp none ollama openai openai-api "
    "openai-api-completions openrouter perplexity sagemaker sambanova sglang together transformer_lens vllm "
    "vllm-completions".split()
)
"""Providers of Inspect; any other word before the "/" is part of a name that a server gave."""


THINKS = re.compile(
    r"(^|[/-])(o[134]|gpt-5|gpt-oss|qwq|qwen3|magistral|deepseek-r|gemini-(2\.5|3)|grok-4)|think|reason", re.I
)
"""Names of models that reason in hidden tokens unless this is turned off; a list that goes out of date."""
ROOM = 4096
"""Tokens below which a reasoning model is often cut before it answers."""


def thinking_warning(model: str, generation: Generation, budget: int) -> str:
    """Return a warning if hidden reasoning may use up a small token budget; "" if there is no such risk."""
    told = generation.effort not in ("", "none") or generation.reasoning_tokens
    if not (told or (THINKS.search(model) and generation.effort != "none")):
        return ""
    if budget >= max(ROOM, generation.reasoning_tokens + 1):
        return ""
    return (
        f"warning: {model} thinks out of sight and hidden tokens count: {budget:,} tokens may be used up "
        f"before it answers; --max-tokens {max(16_000, 2 * generation.reasoning_tokens)} leaves room"
    )


def need_model(plan: Plan) -> None:
    """Raise UserError unless a model is named: there is no silent default."""
    if not plan.models:
        raise UserError(
            f"no model named; use --model with one of deskcheck's own ({', '.join(plugins.names('model'))}) "
            "or provider/model, for example --model tiny or --model openai/gpt-4o"
        )


def need_inspect() -> None:
    """Raise MissingExtra unless the evaluation engine is installed."""
    if importlib.util.find_spec("inspect_ai") is None:
        raise MissingExtra("inspect_ai", "eval", "asking a model")


MAX_STEPS = 1000
"""Most prompts of a step loop, unless chosen."""


def from_options(
    *,
    data: list[str],
    filters: list[str],
    model_args: list[str],
    options: list[str],
    settings: list[str],
    prices: list[str],
    argv: list[str],
    max_steps: int | None = None,
    prompt: str = "",
    **same: Any,
) -> Plan:
    """Return the plan of a command line; the options in `same` are fields of Plan already."""
    benchmarks = same["benchmarks"] or [DEFAULT_BENCHMARK]
    given: dict[str, Any] = {} if max_steps is None else {"max_steps": max_steps}
    given |= {"prompt": prompt} if prompt else {}
    chosen = key_values([*(f"{name}={value}" for name, value in given.items()), *settings], "-S")
    ids, conditions = split_ids(filters)
    return Plan(
        **same,
        data=data_paths(data, benchmarks),
        ids=ids,
        filters=conditions,
        model_args=parse_model_args(model_args),
        options=key_values(options, "-T"),
        settings={"max_steps": MAX_STEPS, **chosen, **given},
        prices=parse_prices(prices),
        command=" ".join(["deskcheck", *argv[1:]]),
    )


def data_paths(values: list[str], benchmarks: list[str]) -> dict[str, str]:
    """Parse --data PATH for a single benchmark, --data NAME=PATH for several."""
    pairs: list[str] = []
    for value in values:
        name, equals, _ = value.partition("=")
        if equals and name in benchmarks:
            pairs.append(value)
        elif len(benchmarks) == 1:
            pairs.append(f"{benchmarks[0]}={value}")
        else:
            raise UserError(f"--data '{value}': with several benchmarks write NAME=PATH, NAME one of "
                            f"{', '.join(benchmarks)}")  # fmt: skip
    return key_values(pairs, "--data")


def parse_model_args(values: list[str], option: str = "-M") -> dict[str, Any]:
    """Parse -M key=value (and -G); a value that is JSON is read as JSON, anything else is text."""
    args: dict[str, Any] = {}
    for key, text in key_values(values, option).items():
        try:
            args[key] = msgspec.json.decode(text)
        except msgspec.DecodeError:
            args[key] = text
    return args


def load_strategy(name: str) -> Strategy:
    """Return a strategy; one that asks in a trained layout also takes the options of every layout."""
    found: Any = plugins.load("strategy", name)
    return WithOptions(found) if found.TRAINED else found


def built(benchmark: str, kind: str, plan: Plan, build_tasks: Callable[..., Any], *, limit: int = 0) -> Any:
    """Call `build_tasks` with the plan's choice of tasks; if there are filters, --limit counts after them.

    A `limit` other than 0 replaces that of the plan.
    """
    given: dict[str, Any] = {"kind": kind} if kind != "output" else {}
    if plan.options:
        given["options"] = plan.options
    if plan.shard:
        given["shard"] = plan.shard
    limit = limit or plan.limit
    return build_tasks(
        benchmark,
        data=plan.data.get(benchmark, ""),
        ids=plan.ids,
        limit=0 if plan.filters else limit,
        **given,
    )


def by_tasks(plans: Sequence[Plan]) -> list[tuple[str, str, list[Plan]]]:
    """Group plans by tasks: (benchmark, kind, plans that ask the same tasks), in the order of the plans."""
    groups: dict[str, tuple[str, str, list[Plan]]] = {}
    for plan in plans:
        for benchmark in plan.benchmarks:
            for kind in plan.tasks:
                choice = (
                    plan.options,
                    plan.data.get(benchmark, ""),
                    plan.ids,
                    plan.limit,
                    plan.shard,
                    plan.filters,
                )
                key = repr((benchmark, kind, choice))
                groups.setdefault(key, (benchmark, kind, []))[2].append(plan)
    return list(groups.values())
