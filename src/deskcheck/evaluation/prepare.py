"""What a run needs before the first question: models that open, tasks with a truth, warnings.

    open_model("openai/gpt-4o", plan) -> inspect_ai Model
    tasks_of("core", "output", plan, build_tasks, screen) -> [Task]
    marks_of(model, "line-1", strategy, settings, tasks, screen) -> ["layout not trained on", ..]

A mark is a warning about a model that a strategy does not suit: `deskcheck eval` writes it into the row,
`inspect eval` into the log's metadata and every score's.
"""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

from inspect_ai.model import Model, get_model

from deskcheck import plugins
from deskcheck.errors import DeskcheckError, UserError
from deskcheck.evaluation.client import watch
from deskcheck.evaluation.plan import Plan, built, filter_tasks, load_strategy
from deskcheck.evaluation.prices import Budget, Price, price_of
from deskcheck.evaluation.provider import DeskcheckAPI
from deskcheck.evaluation.run_info import hash_of_tasks, revision_of, versions
from deskcheck.evaluation.truth import TaskSet
from deskcheck.format.files import commit
from deskcheck.inference.engine import Card, read_card
from deskcheck.models import suited_strategy
from deskcheck.records import Score, Task
from deskcheck.sandbox.containment import level
from deskcheck.strategies import Settings, Strategy, check_program


class Screen(Protocol):
    """What the terminal is told (terminal.py)."""

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
    tasks = filter_tasks(found.tasks, plan.filters, limit=plan.limit)
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
    tasks = filter_tasks(found.tasks, plan.filters, limit=0)
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


NOT_TRAINED_ON = "layout not trained on"


class Saying(Protocol):
    """Receiver of warnings, such as a terminal."""

    def say(self, line: str) -> None: ...


def marks_of(
    model: Model, name: str, strategy: Strategy, settings: Settings, tasks: list[Task], screen: Saying
) -> list[str]:
    """Why the row of this model and strategy is no plain one; each reason is said too."""
    card = card_of(model)
    marks = warn_unless_trained(str(model), card, name, strategy, settings, screen)
    marks += warn_of_comments(str(model), card, strategy, tasks, screen)
    return marks + (["injected states"] if settings.inject_states != "0" else [])


def card_of(model: Model) -> Card:
    """What the model's card says; one that says nothing for models that cannot be looked into."""
    path = model.model_args.get("model_path", "")
    if isinstance(model.api, DeskcheckAPI):
        path = getattr(getattr(model.api.engine, "model", None), "path", "")
    return read_card(Path(str(path))) if path else Card()


def warn_unless_trained(
    model: str, card: Card, name: str, strategy: Strategy, settings: Settings, screen: Saying
) -> list[str]:
    """A layout that a model never saw measures the layout, not the model; say so, and mark the row."""
    trained = strategy.TRAINED and not settings.shots
    if trained and card.layouts:
        if name in card.layouts:
            return []
        known = ", ".join(card.layouts)
        screen.say(
            f"warning: {model} was not trained on the layout of strategy '{name}', so the row says little "
            f"about it; its card names {known}"
        )
        return [NOT_TRAINED_ON]
    if trained and not suited_strategy(model):
        shots = "; -S shots=3 shows it to a chat model" if "shots" in strategy.SETTINGS else ""
        screen.say(
            f"warning: strategy '{name}' is a layout for models trained on it; {model} is not known to be"
            + shots
        )
    elif not trained and suited_strategy(model):
        screen.say(
            f"warning: {model} is no chat model; strategy '{name}' asks it in words it was not trained on"
        )
        return ["words not trained on"]
    return []


def warn_of_comments(
    model: str, card: Card, strategy: Strategy, tasks: list[Task], screen: Saying
) -> list[str]:
    """A comment is text that a model trained without any has never met; the programs stay as they are."""
    if card.comments or not strategy.TRAINED:
        return []
    sources = {task.program.id: task.program.source for task in tasks if task.program.language == "python"}
    n = sum(map(has_comment, sources.values()))
    if not n:
        return []
    screen.say(
        f"warning: {n} of {len(sources)} programs hold comments, and {model} was trained without any (its "
        "card): expect more wrong answers there; the programs are asked about as they are"
    )
    return [f"comments in {n} of {len(sources)} programs, trained without"]


def has_comment(source: str) -> bool:
    """Is there one in a Python program?"""
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(source).readline))
    except (tokenize.TokenError, SyntaxError):
        return "#" in source
    return any(token.type == tokenize.COMMENT for token in tokens)
