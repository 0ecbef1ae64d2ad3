"""Show the prompts before a run, and estimate its calls, tokens and dollars.

    prompts(plan, build_tasks=..) -> text of the first task's opening prompt per benchmark, kind and strategy
    estimate(plan, build_tasks=..) -> calls, tokens and money, with the basis of the estimate; and the
                                      detectable difference between two models on these tasks

Tokens are estimated from characters (code has about 3 per token), which is accurate to a factor of about 1.5
and costs nothing. The number of steps of a loop is that of the true run; it only serves the estimate and is
never part of a prompt. Money is a range, from the prompts alone to every completion at its full budget.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from deskcheck import plugins
from deskcheck.errors import UserError
from deskcheck.evaluation.plan import (
    Plan,
    built,
    by_tasks,
    check,
    chosen_settings,
    filter_tasks,
    load_strategy,
    thinking_warning,
)
from deskcheck.evaluation.prices import CHARACTERS_A_TOKEN, price_of, tokens_of
from deskcheck.records import Prompt, Task
from deskcheck.statistics.paired import smallest_detectable_difference
from deskcheck.strategies import Settings, check_program, label, says


def prompts(plan: Plan, *, build_tasks: Callable[..., Any]) -> str:
    """Return every opening prompt of the first task, with its roles, budget and stop strings."""
    plan = check(plan)
    shown = []
    for benchmark in plan.benchmarks:
        for kind in plan.tasks:
            task = _tasks(benchmark, kind, plan, build_tasks, limit=1)[0]
            for name in plan.strategies:
                settings, strategy = chosen_settings(name, plan), load_strategy(name)
                check_program(name, strategy, task, settings=settings)
                title = f"{benchmark} {task.id} · {kind} · {label(name, settings)}"
                shown.append(_shown(title, strategy.opening(task, settings)))
    return "\n\n".join(shown)


def prompt_lines(plan: Plan, *, build_tasks: Callable[..., Any]) -> list[bytes]:
    """Return a JSON line for each task: id, kind, strategy, messages, max_tokens, stop.

    UserError for a strategy that asks again after a reply, since its later prompts depend on the replies.
    """
    plan = check(plan)
    lines = []
    for name in plan.strategies:
        settings, strategy = chosen_settings(name, plan), load_strategy(name)
        if not says(name, "AT_ONCE"):
            once = [one for one in plugins.listed("strategy") if says(one, "AT_ONCE")]
            raise UserError(f"'{name}' asks again after a reply; those that ask once are {', '.join(once)}")
        for task in _tasks(plan.benchmarks[0], plan.tasks[0], plan, build_tasks, limit=plan.limit):
            check_program(name, strategy, task, settings=settings)
            prompt = strategy.opening(task, settings)
            row = {
                "id": task.id,
                "benchmark": plan.benchmarks[0],
                "kind": plan.tasks[0],
                "strategy": label(name, settings),
                "messages": [{"role": one.role, "content": one.text} for one in prompt.messages],
                "max_tokens": prompt.max_tokens,
                "stop": list(prompt.stop or []),
            }
            lines.append(msgspec.json.encode(row) + b"\n")
    return lines


def _shown(title: str, prompt: Prompt) -> str:
    lines = [f"=== {title} · at most {prompt.max_tokens} tokens · stop {prompt.stop or 'none'} · no tools"]
    for message in prompt.messages:
        lines += [f"--- {message.role}", message.text]
    return "\n".join(lines)


def estimate(plan: Plan, *, build_tasks: Callable[..., Any]) -> str:
    """Return a line per benchmark, kind and strategy: calls, tokens in, most tokens out; then the money."""
    return estimate_all([check(plan)], build_tasks=build_tasks, max_cost=plan.max_cost)


def estimate_all(plans: Sequence[Plan], *, build_tasks: Callable[..., Any], max_cost: float) -> str:
    """Return the same for several checked plans; the money of a model is that of all its cells."""
    lines: list[str] = []
    warnings: dict[str, str] = {}
    tokens: dict[str, tuple[Plan, int, int]] = {}
    for benchmark, kind, group in by_tasks(plans):
        tasks = _tasks(benchmark, kind, group[0], build_tasks, limit=group[0].limit)
        what = benchmark if kind == "output" else f"{benchmark} · {kind}"
        what += f" ({_in_words(group[0].options)})" if group[0].options else ""
        for plan in group:
            for name in plan.strategies:
                calls, n_in, n_out = _sizes(name, plan, tasks)
                title = f"{what} · {label(name, chosen_settings(name, plan))}{_generation(plan)}"
                n_models = max(1, len(plan.models))
                lines.append(
                    f"{title}: {len(tasks)} tasks x "
                    f"{plan.n_samples} samples x {_models(plan)} = {calls * n_models:,} calls, about "
                    f"{n_in * n_models:,} tokens in, at most {n_out * n_models:,} out"
                )
                for model in plan.models:
                    budget = n_out // max(1, calls)
                    if warning := thinking_warning(model, plan.generation, budget):
                        warnings[f"{model} {budget}"] = warning
                    _, before_in, before_out = tokens.get(model, (plan, 0, 0))
                    tokens[model] = (plan, before_in + n_in, before_out + n_out)
        lines.append(f"{what}: {_can_show(tasks)}")
    lines += warnings.values()
    known = [_money(model, plan, n_in, n_out) for model, (plan, n_in, n_out) in tokens.items()]
    lines += [line for line, _, _ in known]
    if len(known) > 1:
        lines.append(_sum_of_money([(low, high) for _, low, high in known]))
    if max_cost:
        lines.append(f"--max-cost stops asking at ${max_cost:g} for all of it together")
    lines.append(f"nothing was asked; tokens estimated at {CHARACTERS_A_TOKEN} characters each")
    return "\n".join(lines)


def _models(plan: Plan) -> str:
    return plan.models[0] if len(plan.models) == 1 else f"{max(1, len(plan.models))} models"


def _generation(plan: Plan) -> str:
    """Return the settings of requests that differ from their defaults, as text."""
    turned = {name.replace("reasoning_effort", "effort"): value for name, value in config_words(plan).items()}
    return f", {_in_words(turned)}" if turned else ""


def config_words(plan: Plan) -> dict[str, str]:
    """Return the settings of every request, under Inspect's names, as text."""
    found = plan.generation.config.items()
    return {name: f"{value:g}" if isinstance(value, float) else str(value) for name, value in found}


def _in_words(values: dict[str, str]) -> str:
    return ", ".join(f"{name}={value}" for name, value in values.items())


def _sum_of_money(bounds: list[tuple[float, float]]) -> str:
    known = [one for one in bounds if one[0] >= 0]
    unknown = len(bounds) - len(known)
    rest = f"; {unknown} models without a price are not in it" if unknown else ""
    return f"all models: ${sum(low for low, _ in known):.2f} to ${sum(high for _, high in known):.2f}{rest}"


def _can_show(tasks: list[Task]) -> str:
    """Return the smallest difference that one comparison on these tasks finds with 80 % power."""
    each, by_program = (
        smallest_detectable_difference(n) for n in (len(tasks), len({task.cluster for task in tasks}))
    )
    if math.isinf(each):
        return "so few tasks can show no difference between two models or strategies"
    alike = "none" if math.isinf(by_program) else f"{100 * by_program:.1f}"
    more = "" if by_program == each else f" ({alike} where tasks of one program are answered alike)"
    return (
        f"two models or strategies whose answers differ on a fifth: a difference of {100 * each:.1f} points "
        f"can be seen with 80 % power{more}"
    )


def _sizes(name: str, plan: Plan, tasks: list[Task]) -> tuple[int, int, int]:
    """Return calls, tokens in and tokens out of one model on these tasks."""
    settings, strategy = chosen_settings(name, plan), load_strategy(name)
    for task in tasks:
        check_program(name, strategy, task, settings=settings)
    sizes = [size for task in tasks for size in _calls(name, strategy, task, settings)]
    budget = plan.generation.max_tokens or strategy.opening(tasks[0], settings).max_tokens
    calls = plan.n_samples * len(sizes)
    return calls, plan.n_samples * sum(sizes), calls * budget


def _money(model: str, plan: Plan, n_in: int, n_out: int) -> tuple[str, float, float]:
    """Return a line, and the least and most dollars; -1 if the price is unknown."""
    price = price_of(model, plan.prices)
    if price is None:
        unknown = f"{model}: cost unknown: no price; give it in dollars per million tokens: --price IN,OUT"
        return unknown, -1.0, -1.0
    low, high = price.of(n_in, 0), price.of(n_in, n_out)
    if price.is_free:
        return f"{model}: $0, {price.source}", 0.0, 0.0
    words = (
        f"{model}: ${low:.2f} for what is asked, at most ${high:.2f} with every answer at its full budget "
        f"(${price.tokens_in:g} in, ${price.tokens_out:g} out per million tokens, {price.origin})"
    )
    return words, low, high


def _calls(name: str, strategy: Any, task: Task, settings: Settings) -> list[int]:
    """Return the tokens of the prompt of every call; those of a step loop come from the true run."""
    first = tokens_of(strategy.opening(task, settings))
    counted: list[int] | None = getattr(strategy, "estimate", lambda task, settings, first: None)(
        task, settings, first
    )
    if counted is not None:
        return counted
    if strategy.TRAINED and not settings.shots and name in plugins.names("layout"):
        examples = plugins.load("layout", name).render(task.truth, task.program)
        return [len(example.prompt) // CHARACTERS_A_TOKEN + 1 for example in examples[: settings.max_steps]]
    return [first] * (settings.votes if "votes" in strategy.SETTINGS else 1) * settings.passes


def _tasks(
    benchmark: str, kind: str, plan: Plan, build_tasks: Callable[..., Any], *, limit: int
) -> list[Task]:
    found = built(benchmark, kind, plan, build_tasks, limit=limit).tasks
    tasks: list[Task] = filter_tasks(found, plan.filters, limit=limit)
    if not tasks:
        raise UserError(f"benchmark '{benchmark}' has no tasks: there is nothing to ask")
    return tasks
