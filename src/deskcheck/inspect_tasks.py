"""Every benchmark an Inspect task, our models an Inspect provider; the only file that registers on import.

    inspect eval deskcheck/cruxeval --model openai/gpt-4o -T strategy=vanilla -T data=cruxeval.jsonl
    inspect eval deskcheck/core --model deskcheck/tiny -T strategy=line-1

Inspect finds this file through the entry-point group `inspect_ai`. A new file in `benchmarks/`, or a third
party's entry point in the group `deskcheck.benchmarks`, is a task at once. Programs are executed for their
truth when a task is made, not when this file is imported.
"""

from __future__ import annotations

from inspect_ai import Task, task
from inspect_ai.model import ModelAPI, modelapi

from deskcheck import plugins


@modelapi(name="deskcheck")  # type: ignore[untyped-decorator]
def deskcheck() -> type[ModelAPI]:
    """`deskcheck/tiny`, `deskcheck/scripted`, `deskcheck/replay`."""
    from deskcheck.models._provider import DeskcheckAPI

    return DeskcheckAPI


def make(benchmark: str, strategy: str, data: str, max_steps: int, policy: str) -> Task:
    """One benchmark, executed for its truth, with one strategy."""
    from deskcheck.errors import UserError
    from deskcheck.evaluation.inspect_task import Asked, make_task
    from deskcheck.evaluation.run_info import commit, hash_of_tasks, versions
    from deskcheck.evaluation.truth import build_tasks
    from deskcheck.sandbox import level
    from deskcheck.strategies import check_fit

    module = plugins.load("strategy", strategy)
    tasks = build_tasks(benchmark, data=data, ids=[], limit=0).tasks
    if not tasks:
        raise UserError(f"benchmark '{benchmark}' has no tasks: there is nothing to ask")
    check_fit(strategy, module, kind=tasks[0].kind)
    facts = {
        "commit": commit(),
        "versions": versions(),
        "sandbox": level(),
        "tasks_sha256": hash_of_tasks(tasks),
    }
    asked = Asked(strategy, module, max_steps, policy)
    return make_task(benchmark, tasks, asked, metadata=facts)


def register(benchmark: str) -> None:
    """Make one benchmark an Inspect task; -T sets what its function takes."""

    @task(name=benchmark)  # type: ignore[untyped-decorator]
    def evaluate(
        strategy: str = "vanilla", data: str = "", max_steps: int = 1000, policy: str = "strict"
    ) -> Task:
        return make(benchmark, strategy, data, max_steps, policy)


for name in plugins.names("benchmark"):
    register(name)
