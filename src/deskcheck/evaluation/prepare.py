"""What a run needs before the first question: models that open, tasks with a truth.

open_model("openai/gpt-4o", plan) -> inspect_ai Model, tasks_of("core", plan, build_tasks, screen) -> [Task]
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Protocol

from inspect_ai.model import Model, get_model

from deskcheck import plugins
from deskcheck.errors import DeskcheckError, UserError
from deskcheck.evaluation.budget import Budget
from deskcheck.evaluation.chosen import chosen
from deskcheck.evaluation.plan import Plan, built, load_strategy
from deskcheck.evaluation.prices import Price, price_of
from deskcheck.evaluation.run_info import hash_of_tasks, versions
from deskcheck.evaluation.sending import watch
from deskcheck.evaluation.truth import TaskSet
from deskcheck.provenance import commit
from deskcheck.records import Score, Task
from deskcheck.sandbox import level
from deskcheck.strategies import check_program


class Screen(Protocol):
    """What the terminal is told (shown.py)."""

    def say(self, line: str) -> None: ...
    def begin(self, name: str, total: int, kept: int) -> None: ...
    def sample(self, verdict: Score) -> None: ...
    def end(self) -> None: ...


def open_model(name: str, plan: Plan) -> Model:
    """Inspect's model; what it refuses becomes one line of ours."""
    try:
        # Not from Inspect's memory: that is keyed by the arguments' text, and a file may have changed.
        return watch(get_model(name, memoize=False, **plan.model_args))
    except DeskcheckError:
        raise
    except Exception as error:  # whatever a provider raises when it lacks a key, a library or a name
        text = re.sub(r"\[/?[a-z ]+\]", "", " ".join(str(error).split()))
        raise UserError(
            f"cannot use model '{name}': {text or type(error).__name__} (deskcheck's own models: "
            f"{', '.join(plugins.names('model'))}; others are provider/model as Inspect names them)"
        ) from None


def budget_of(models: list[Model], prices: dict[str, Price], max_cost: float) -> Budget | None:
    """The budget of --max-cost, None where there is none; UserError where a model's price is not known."""
    if not max_cost:
        return None
    for model in models:
        if price_of(str(model), prices) is None:
            raise UserError(
                f"--max-cost needs the price of {model}, which is not known; "
                "give it in dollars per million tokens: --price IN,OUT"
            )
    return Budget(max_cost)


def tasks_of(
    benchmark: str, kind: str, plan: Plan, build_tasks: Callable[..., TaskSet], screen: Screen
) -> list[Task]:
    """The tasks of one kind and benchmark with executed truth; what was dropped or disagrees is said."""
    screen.say(f"{benchmark}: executing the programs for the truth ...")
    found = built(benchmark, kind, plan, build_tasks)
    tasks = chosen(found.tasks, plan.filters, limit=plan.limit)
    if found.dropped:
        reasons = ", ".join(f"{count} {reason}" for reason, count in found.dropped_by_reason.items())
        screen.say(f"{benchmark}: {len(found.dropped)} items have no truth and are left out: {reasons}")
    for one in found.disagreements[:5]:
        screen.say(
            f"{benchmark} {one.id}: the file says {one.recorded[:80]}, the program gives {one.executed[:80]}"
        )
    if len(found.disagreements) > 5:
        screen.say(f"{benchmark}: {len(found.disagreements)} such disagreements; the executed answer counts")
    if not tasks:
        asked = f" with --ids {','.join(plan.ids)}" if plan.ids else ""
        asked += f" that fulfil {', '.join(plan.filters)}" if plan.filters else ""
        raise UserError(f"benchmark '{benchmark}' has no tasks{asked}: there is nothing to ask")
    return tasks


def made_for_inspect(benchmark: str, kind: str, plan: Plan) -> tuple[TaskSet, list[Task]]:
    """The tasks of an Inspect task; UserError where there is nothing to ask, or nothing that can be asked."""
    from deskcheck.evaluation.truth import build_tasks

    found: TaskSet = built(benchmark, kind, plan, build_tasks)
    tasks = chosen(found.tasks, plan.filters, limit=0)
    if not tasks:
        raise UserError(f"benchmark '{benchmark}' has no tasks: there is nothing to ask")
    for name in plan.strategies:
        for task in tasks:
            check_program(name, load_strategy(name), task)
    return found, tasks


def facts_of(found: TaskSet, tasks: list[Task]) -> dict[str, Any]:
    """What a log says about where its tasks come from and what ran them."""
    return {
        "commit": commit(),
        "versions": versions(),
        "sandbox": level(),
        "tasks_sha256": hash_of_tasks(tasks),
        "data": revision_of(found.benchmark),
        "origin": found.note,
        "disagreements": len(found.disagreements),
        "dropped": found.dropped_by_reason,
    }


def revision_of(benchmark: str) -> str:
    """The pinned revision of the benchmark's data: "repository@commit/file", or that it ships."""
    hub = getattr(plugins.load("benchmark", benchmark), "HUB", None)
    return f"{hub[0]}@{hub[1]}/{hub[2]}" if hub else "ships with deskcheck"
