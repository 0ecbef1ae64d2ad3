"""Show the prompts before a run, and estimate its calls, tokens and dollars.

    prompts(plan, build_tasks=..) -> text of the first task's opening prompt per benchmark, kind and strategy
    estimate(plan, build_tasks=..) -> calls, tokens and money, with the basis of the estimate; and the
                                      detectable difference between two models on these tasks

Tokens are estimated from characters (`prices.CHARACTERS_A_TOKEN`), which needs no tokenizer of the model.
The number of steps of a loop is taken from the true run; it serves the estimate alone and is never part of a
prompt. Money is a range: its lower end pays for the prompts alone, its upper end also for every completion at
its full budget.
"""

from __future__ import annotations

import json
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
from deskcheck.states.steps import unstated
from deskcheck.statistics.paired import smallest_detectable_difference
from deskcheck.strategies import Settings, check_program, label, sends_one_request


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
    """Return a JSON line for each task: id, benchmark, kind, strategy, messages, max_tokens, stop.

    UserError for more than one benchmark or kind, and for a strategy that sends several requests for a task,
    since its later ones depend on the replies.
    """
    plan = check(plan)
    if len(plan.benchmarks) > 1 or len(plan.tasks) > 1:
        named = ", ".join([*plan.benchmarks, *plan.tasks])
        raise UserError(f"prompts are written for one benchmark and one kind of question; named: {named}")
    lines = []
    for name in plan.strategies:
        settings, strategy = chosen_settings(name, plan), load_strategy(name)
        if not sends_one_request(name, settings):
            others = [each for each in plugins.listed("strategy") if sends_one_request(each, Settings())]
            raise UserError(
                f"'{label(name, settings)}' sends several requests for a task, and the later ones "
                f"depend on the replies; strategies with one request are {', '.join(others)}"
            )
        for task in _tasks(plan.benchmarks[0], plan.tasks[0], plan, build_tasks, limit=plan.limit):
            check_program(name, strategy, task, settings=settings)
            prompt = strategy.opening(task, settings)
            row = {
                "id": task.id,
                "benchmark": plan.benchmarks[0],
                "kind": plan.tasks[0],
                "strategy": label(name, settings),
                "messages": [{"role": message.role, "content": message.text} for message in prompt.messages],
                "max_tokens": prompt.max_tokens,
                "stop": list(prompt.stop or []),
            }
            lines.append(msgspec.json.encode(row) + b"\n")
    return lines


def _shown(title: str, prompt: Prompt) -> str:
    stop = f" · stops at {', '.join(json.dumps(text) for text in prompt.stop)}" if prompt.stop else ""
    lines = [f"=== {title} · at most {prompt.max_tokens} tokens{stop}"]
    for message in prompt.messages:
        lines += [f"--- {message.role}", message.text]
    return "\n".join(lines)


def estimate(plan: Plan, *, build_tasks: Callable[..., Any]) -> str:
    """Return a line per benchmark, kind and strategy: calls, tokens in, most tokens out; then the money."""
    return estimate_all([check(plan)], build_tasks=build_tasks, max_cost=plan.max_cost)


def estimate_all(plans: Sequence[Plan], *, build_tasks: Callable[..., Any], max_cost: float) -> str:
    """Return the estimate of several checked plans.

    It has a line for each benchmark, kind and strategy, about all models together; then the detectable
    differences, warnings, and the dollars of each model.
    """
    lines: list[str] = []
    warnings: dict[str, str] = {}
    tokens: dict[str, tuple[Plan, int, int]] = {}
    for benchmark, kind, group in by_tasks(plans):
        tasks = _tasks(benchmark, kind, group[0], build_tasks, limit=group[0].limit)
        title = benchmark if kind == "output" else f"{benchmark} · {kind}"
        title += f" ({_in_words(group[0].options)})" if group[0].options else ""
        for plan in group:
            for name in plan.strategies:
                calls, n_in, n_out = _sizes(name, plan, tasks)
                lines.append(f"{title} · {_cell(name, plan, len(tasks), (calls, n_in, n_out))}")
                for model in plan.models:
                    budget = n_out // max(1, calls)
                    if warning := thinking_warning(model, plan.generation, budget):
                        warnings[f"{model} {budget}"] = warning
                    _, before_in, before_out = tokens.get(model, (plan, 0, 0))
                    # If two blocks of a study price a model differently, the later price counts.
                    tokens[model] = (plan, before_in + n_in, before_out + n_out)
        lines.append(f"{title}: {_can_show(tasks)}")
    lines += warnings.values()
    costs = [_money(model, plan, n_in, n_out) for model, (plan, n_in, n_out) in tokens.items()]
    lines += [line for line, _ in costs]
    if len(costs) > 1:
        lines.append(_sum_of_money([bounds for _, bounds in costs]))
    if max_cost:
        lines.append(f"--max-cost ends the run when all models together have cost ${max_cost:g}")
    lines.append(f"nothing was asked; tokens estimated at {CHARACTERS_A_TOKEN} characters each")
    return "\n".join(lines)


def _cell(name: str, plan: Plan, n_tasks: int, sizes: tuple[int, int, int]) -> str:
    """Return the line of a strategy: its settings, and calls and tokens of all models together."""
    calls, n_in, n_out = (size * max(1, len(plan.models)) for size in sizes)
    return (
        f"{label(name, chosen_settings(name, plan))}{_generation(plan)}: {_counted(n_tasks, 'task')}, "
        f"{_counted(plan.n_samples, 'sample')} each, {_models(plan)}: {_counted(calls, 'call')}, about "
        f"{n_in:,} tokens in, at most {n_out:,} out"
    )


def _models(plan: Plan) -> str:
    if len(plan.models) < 2:
        return plan.models[0] if plan.models else "no model named"
    return _counted(len(plan.models), "model")


def _counted(n: int, noun: str) -> str:
    return f"{n:,} {noun}" + "s" * (n != 1)


def _generation(plan: Plan) -> str:
    """Return the settings of requests that differ from their defaults, as text."""
    non_defaults = {
        name.replace("reasoning_effort", "effort"): value for name, value in config_words(plan).items()
    }
    return f", {_in_words(non_defaults)}" if non_defaults else ""


def config_words(plan: Plan) -> dict[str, str]:
    """Return the settings of every request, under Inspect's names, as text."""
    config = plan.generation.config.items()
    return {name: f"{value:g}" if isinstance(value, float) else str(value) for name, value in config}


def _in_words(values: dict[str, str]) -> str:
    return ", ".join(f"{name}={value}" for name, value in values.items())


def _sum_of_money(bounds: list[tuple[float, float] | None]) -> str:
    known = [each for each in bounds if each is not None]
    unknown = len(bounds) - len(known)
    rest = f", without the price of {_counted(unknown, 'model')}, which is unknown" if unknown else ""
    return f"all models: ${sum(low for low, _ in known):.2f} to ${sum(high for _, high in known):.2f}{rest}"


def _can_show(tasks: list[Task]) -> str:
    """Return the detectable difference of one comparison on these tasks."""
    by_task, by_program = (
        smallest_detectable_difference(n) for n in (len(tasks), len({task.cluster for task in tasks}))
    )
    if math.isinf(by_task):
        return "no difference of two models or strategies is detectable on so few tasks"
    alike = "none" if math.isinf(by_program) else f"{100 * by_program:.1f} points"
    more = "" if by_program == by_task else f"; {alike} if all tasks of a program get the same verdict"
    return (
        "detectable difference of two models or strategies that disagree on a fifth of the tasks: "
        f"{100 * by_task:.1f} points (80 % power){more}"
    )


def _sizes(name: str, plan: Plan, tasks: list[Task]) -> tuple[int, int, int]:
    """Return calls, tokens in and tokens out of one model on these tasks."""
    settings, strategy = chosen_settings(name, plan), load_strategy(name)
    for task in tasks:
        check_program(name, strategy, task, settings=settings)
    sizes = [size for task in tasks for size in _calls(name, strategy, task, settings)]
    budget = plan.generation.max_tokens or max(strategy.opening(task, settings).max_tokens for task in tasks)
    calls = plan.n_samples * len(sizes)
    return calls, plan.n_samples * sum(sizes), calls * budget


def _money(model: str, plan: Plan, n_in: int, n_out: int) -> tuple[str, tuple[float, float] | None]:
    """Return a line about a model, and its least and most dollars; None if its price is unknown."""
    price = price_of(model, plan.prices)
    if price is None:
        unknown = f"{model}: cost unknown: no price; give it in dollars per million tokens: --price IN,OUT"
        return unknown, None
    low, high = price.of(n_in, 0), price.of(n_in, n_out)
    if price.is_free:
        return f"{model}: $0, {price.source}", (0.0, 0.0)
    words = (
        f"{model}: ${low:.2f} for what is asked, at most ${high:.2f} with every answer at its full budget "
        f"(${price.tokens_in:g} in, ${price.tokens_out:g} out per million tokens, {price.origin})"
    )
    return words, (low, high)


def _calls(name: str, strategy: Any, task: Task, settings: Settings) -> list[int]:
    """Return the tokens of the prompt of every call; those of a step loop come from the true run."""
    first = tokens_of(strategy.opening(task, settings))
    if hasattr(strategy, "estimate"):
        counted: list[int] = strategy.estimate(task, settings, first)
        return counted
    has_layout = name in plugins.names("layout") and not unstated(task.truth)
    if strategy.TRAINED and not settings.shots and has_layout:
        examples = plugins.load("layout", name).render(task.truth, task.program)
        return [len(example.prompt) // CHARACTERS_A_TOKEN + 1 for example in examples[: settings.max_steps]]
    return [first] * (settings.votes if "votes" in strategy.SETTINGS else 1) * settings.passes


def _tasks(
    benchmark: str, kind: str, plan: Plan, build_tasks: Callable[..., Any], *, limit: int
) -> list[Task]:
    found = built(benchmark, kind, plan, build_tasks, limit=limit)
    tasks: list[Task] = filter_tasks(found.tasks, plan.filters, limit=limit)
    if not tasks:
        counts = found.dropped_by_reason | found.skipped_by_reason
        reasons = "".join(f"; {reason} ({count})" for reason, count in counts.items())
        raise UserError(f"benchmark '{benchmark}' has no tasks of kind '{kind}'{reasons}")
    return tasks
