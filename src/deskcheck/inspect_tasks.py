"""Make every benchmark an Inspect task and our engines models of Inspect, for users of `inspect eval`.

    inspect eval deskcheck/cruxeval --model openai/gpt-4o -T strategy=iip-dynamic -T history=last-3
    inspect eval deskcheck/core --model deskcheck/tiny -T strategy=line-1
    inspect eval-set deskcheck/core deskcheck/easy --log-dir logs --model deskcheck/tiny -T strategy=direct

-T also takes `task` (the kind: output, input, coverage, ..), `data`, `policy`, `ids`, `filter`, every setting
of the strategy, and `options` for the benchmark ("seed=1,n=20"). Inspect finds this file through the
entry-point group `inspect_ai`. A new file in `benchmarks/`, or an entry point in the group
`deskcheck.benchmarks`, becomes a task without further code. Programs are executed for their true answers
when a task is created, not on import. Only this file and `evaluation/provider.py` register anything on
import.
"""

from __future__ import annotations

import sys
from typing import Any

from inspect_ai import Task, task
from inspect_ai.model import Model, get_model
from inspect_ai.util import SandboxEnvironment, sandboxenv

from deskcheck import plugins
from deskcheck.evaluation import provider  # noqa: F401  # registers deskcheck/tiny and our other engines


@sandboxenv(name="deskcheck")  # type: ignore[untyped-decorator]  # mypy skips Inspect
def contained() -> type[SandboxEnvironment]:
    """Inspect's `--sandbox deskcheck`: our own containment, for scorers that run `python -c CODE`."""
    from deskcheck.solutions.inspect_sandbox import Contained

    return Contained


def make(benchmark: str, strategy: str, kind: str, **given: Any) -> Task:
    """Create the task of one benchmark and one strategy; UserError if they do not fit.

    `kind`: kind of question, "output"; `given`: the other options of -T, by name.
    """
    from deskcheck.evaluation.inspect_task import Asked, make_task
    from deskcheck.evaluation.plan import Plan, check, chosen_settings, load_strategy
    from deskcheck.evaluation.prepare import facts_of, made_for_inspect, marks_of

    data, ids = given.pop("data", ""), given.pop("ids", "")
    plan = check(
        Plan(
            models=[],
            benchmarks=[benchmark],
            tasks=[kind],
            strategies=[strategy],
            data={benchmark: data} if data else {},
            ids=_several(ids),
            filters=_several(given.pop("filter", "")),
            options=dict(one.split("=", 1) for one in _several(given.pop("options", ""))),
            policy=given.pop("policy", "strict"),
            settings={name: value for name, value in given.items() if value is not None},
        )
    )
    found, tasks = made_for_inspect(benchmark, kind, plan)
    asked = Asked(strategy, load_strategy(strategy), chosen_settings(strategy, plan), plan.policy)
    facts = facts_of(found, tasks)
    if (model := _chosen_model()) is not None:
        facts["marks"] = marks_of(model, strategy, asked.strategy, asked.settings, tasks, Stderr())
    return make_task(benchmark, tasks, asked, metadata=facts)


def _chosen_model() -> Model | None:
    """The model of the running `inspect eval`; None if Inspect has not chosen one yet."""
    try:
        return get_model()
    except ValueError:
        return None


class Stderr:
    """Print warnings to standard error before Inspect's display starts."""

    def say(self, line: str) -> None:
        """Print one line to standard error."""
        print(f"deskcheck: {line}", file=sys.stderr)


def _several(value: Any) -> list[str]:
    """Split a comma-separated value; Inspect may have split it already."""
    parts = value if isinstance(value, list | tuple) else str(value).split(",")
    return [str(part).strip() for part in parts if str(part).strip()]


# These tasks are functions of their own, because public lists of evaluations and `inspect list tasks` look
# for functions. The others are registered from the plug-ins. The version that Inspect stores with a task is
# `TASK_VERSION`; `-T options=version=..` chooses the version of the benchmark's programs.


@task  # type: ignore[untyped-decorator]  # mypy skips Inspect
def core(strategy: str = "vanilla", task: str = "output", **given: Any) -> Task:
    """Ask about the project's own problems, which ship with it (-T options=version=2 for older ones)."""
    return make("core", strategy, task, **given)


@task  # type: ignore[untyped-decorator]  # mypy skips Inspect
def fresh(strategy: str = "vanilla", task: str = "output", **given: Any) -> Task:
    """Ask about programs that are generated from a seed (-T options=seed=1,n=100)."""
    return make("fresh", strategy, task, **given)


@task  # type: ignore[untyped-decorator]  # mypy skips Inspect
def cruxeval(strategy: str = "vanilla", task: str = "output", **given: Any) -> Task:
    """Ask about CRUXEval's 800 functions (-T data=FILE)."""
    return make("cruxeval", strategy, task, **given)


ASKED = ("strategy", "task")
WRITTEN_OUT = {one.__name__ for one in (core, fresh, cruxeval)}


def register(benchmark: str) -> None:
    """Register one benchmark as an Inspect task; its parameters are the options of -T."""

    @task(name=benchmark)  # type: ignore[untyped-decorator]  # mypy skips Inspect
    def evaluate(
        strategy: str = "vanilla",
        task: str = "output",
        data: str = "",
        ids: str | list[str] = "",
        filter: str | list[str] = "",
        options: str | list[str] = "",
        policy: str = "strict",
        max_steps: int | None = None,
        language: str | None = None,
        history: str | None = None,
        on_error: str | None = None,
        passes: int | None = None,
        votes: int | None = None,
        shots: int | None = None,
        skip: str | int | None = None,
        sure: float | None = None,
        jump: str | None = None,
        teacher_forcing: str | None = None,
        inject_states: str | None = None,
    ) -> Task:
        given = {name: value for name, value in locals().items() if name not in ("benchmark", *ASKED)}
        return make(benchmark, strategy, task, **given)


for name in plugins.names("benchmark"):
    if name not in WRITTEN_OUT:
        register(name)
