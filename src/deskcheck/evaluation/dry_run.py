"""Before a run: the prompt as it will be sent, and how many calls and tokens to expect.

    prompts(plan, build_tasks=..) -> text of the first task's opening prompt per benchmark and strategy
    estimate(plan, build_tasks=..) -> calls and tokens, an estimate that says how it was made

Tokens are estimated from characters (code has about 3 a token): good to a factor of about 1.5, and free.
The steps of a chain are taken from the true run; that is an estimate of cost and never part of the question.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from deskcheck import plugins
from deskcheck.errors import UserError
from deskcheck.evaluation.plan import Plan, check, load_strategy
from deskcheck.records import Prompt, Task
from deskcheck.strategies import check_fit

CHARACTERS_A_TOKEN = 3


def prompts(plan: Plan, *, build_tasks: Callable[..., Any]) -> str:
    """Every opening prompt of the first task, with its roles, budget and stop strings."""
    plan = check(plan)
    shown = []
    for benchmark in plan.benchmarks:
        task = _tasks(benchmark, plan, build_tasks, limit=1)[0]
        for name in plan.strategies:
            strategy = load_strategy(name)
            check_fit(name, strategy, kind=task.kind)
            shown.append(_shown(f"{benchmark} {task.id} · {name}", strategy.opening(task)))
    return "\n\n".join(shown)


def _shown(title: str, prompt: Prompt) -> str:
    lines = [f"=== {title} · at most {prompt.max_tokens} tokens · stop {prompt.stop or 'none'} · no tools"]
    for message in prompt.messages:
        lines += [f"--- {message.role}", message.text]
    return "\n".join(lines)


def estimate(plan: Plan, *, build_tasks: Callable[..., Any]) -> str:
    """One line per benchmark and strategy: calls, tokens in, at most how many out."""
    plan = check(plan)
    lines = []
    n_models = max(1, len(plan.models))
    for benchmark in plan.benchmarks:
        tasks = _tasks(benchmark, plan, build_tasks, limit=plan.limit)
        for name in plan.strategies:
            strategy = load_strategy(name)
            check_fit(name, strategy, kind=tasks[0].kind)
            times = plan.n_samples * n_models
            sizes = [size for task in tasks for size in _calls(name, strategy, task, plan.max_steps)]
            calls = times * len(sizes)
            n_in = times * sum(size // CHARACTERS_A_TOKEN + 1 for size in sizes)
            n_out = calls * (plan.max_tokens or strategy.opening(tasks[0]).max_tokens)
            lines.append(
                f"{benchmark} · {name}: {len(tasks)} tasks x {plan.n_samples} samples x {n_models} models = "
                f"{calls:,} calls, about {n_in:,} tokens in, at most {n_out:,} out"
            )
    lines.append(f"nothing was asked; tokens estimated at {CHARACTERS_A_TOKEN} characters each")
    return "\n".join(lines)


def _calls(name: str, strategy: Any, task: Task, max_steps: int) -> list[int]:
    """Characters of the prompt of every call; a step loop's are those of the true chain."""
    if strategy.TRAINED and name in plugins.names("representation"):
        examples = plugins.load("representation", name).render(task.truth, task.program)
        return [len(example.prompt) for example in examples[:max_steps]]
    return [sum(len(message.text) for message in strategy.opening(task).messages)]


def _tasks(benchmark: str, plan: Plan, build_tasks: Callable[..., Any], *, limit: int) -> list[Task]:
    tasks: list[Task] = build_tasks(
        benchmark, data=plan.data.get(benchmark, ""), ids=plan.ids, limit=limit
    ).tasks
    if not tasks:
        raise UserError(f"benchmark '{benchmark}' has no tasks: there is nothing to ask")
    return tasks
