"""What is said before a run about a model that a strategy does not suit, and marked in its row and logs.

    marks_of(model, "line-1", strategy, knobs, tasks, screen) -> ["layout not trained on", ..]

`deskcheck eval` writes the marks into the row, `inspect eval` into the log's metadata and every score's.
"""

from __future__ import annotations

import io
import tokenize
from pathlib import Path
from typing import Protocol

from inspect_ai.model import Model

from deskcheck.models import suited_strategy
from deskcheck.models._card import Card, read_card
from deskcheck.models._provider import DeskcheckAPI
from deskcheck.records import Task
from deskcheck.strategies import Knobs, Strategy

NOT_TRAINED_ON = "layout not trained on"


class Saying(Protocol):
    """Receiver of warnings, such as a terminal."""

    def say(self, line: str) -> None: ...


def marks_of(
    model: Model, name: str, strategy: Strategy, knobs: Knobs, tasks: list[Task], screen: Saying
) -> list[str]:
    """Why the row of this model and strategy is no plain one; each reason is said too."""
    card = card_of(model)
    marks = warn_unless_trained(str(model), card, name, strategy, knobs, screen)
    marks += warn_of_comments(str(model), card, strategy, tasks, screen)
    return marks + (["planted states"] if knobs.planted != "0" else [])


def card_of(model: Model) -> Card:
    """What the model's card says; one that says nothing for models that cannot be looked into."""
    path = model.model_args.get("model_path", "")
    if isinstance(model.api, DeskcheckAPI):
        path = getattr(getattr(model.api.engine, "model", None), "path", "")
    return read_card(Path(str(path))) if path else Card()


def warn_unless_trained(
    model: str, card: Card, name: str, strategy: Strategy, knobs: Knobs, screen: Saying
) -> list[str]:
    """A layout that a model never saw measures the layout, not the model; say so, and mark the row."""
    trained = strategy.TRAINED and not knobs.shots
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
        shots = "; -S shots=3 shows it to a chat model" if "shots" in strategy.KNOBS else ""
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
