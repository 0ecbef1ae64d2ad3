"""What a run needs before the first question: models that open, tasks with a truth, warnings.

open_model("openai/gpt-4o", plan) -> inspect_ai Model, tasks_of("core", plan, build_tasks, screen) -> [Task]
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Protocol

from inspect_ai.model import Model, get_model

from deskcheck.errors import DeskcheckError, UserError
from deskcheck.evaluation.plan import Plan
from deskcheck.evaluation.truth import TaskSet
from deskcheck.models import OWN
from deskcheck.records import Score, Task


class Screen(Protocol):
    """What the terminal is told (shown.py)."""

    def say(self, line: str) -> None: ...
    def begin(self, name: str, total: int, kept: int) -> None: ...
    def sample(self, verdict: Score) -> None: ...
    def end(self) -> None: ...


def warn_unless_trained(model: str, name: str, trained: bool, screen: Screen) -> None:
    """A layout that a model never saw measures the layout, not the model; say so."""
    if trained and model != "deskcheck/tiny":
        screen.say(
            f"warning: strategy '{name}' is a layout for models trained on it; {model} is not known to be"
        )
    elif not trained and model == "deskcheck/tiny":
        screen.say(
            f"warning: {model} is no chat model; strategy '{name}' asks it in words it was not trained on"
        )


def open_model(name: str, plan: Plan) -> Model:
    """Inspect's model; what it refuses becomes one line of ours."""
    try:
        # Not from Inspect's memory: that is keyed by the arguments' text, and a file may have changed.
        return get_model(name, memoize=False, **plan.model_args)
    except DeskcheckError:
        raise
    except Exception as error:  # whatever a provider raises when it lacks a key, a library or a name
        text = re.sub(r"\[/?[a-z ]+\]", "", " ".join(str(error).split()))
        raise UserError(
            f"cannot use model '{name}': {text or type(error).__name__} (deskcheck's own models: "
            f"{', '.join(sorted(OWN))}; others are provider/model as Inspect names them)"
        ) from None


def tasks_of(benchmark: str, plan: Plan, build_tasks: Callable[..., TaskSet], screen: Screen) -> list[Task]:
    """The tasks of one benchmark with executed truth; what was dropped or disagrees is said."""
    screen.say(f"{benchmark}: executing the programs for the truth ...")
    found = build_tasks(benchmark, data=plan.data.get(benchmark, ""), ids=plan.ids, limit=plan.limit)
    tasks = found.tasks
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
        raise UserError(f"benchmark '{benchmark}' has no tasks{asked}: there is nothing to ask")
    return tasks
