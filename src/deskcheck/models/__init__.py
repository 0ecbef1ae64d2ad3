"""Engines: each file has `engine(...)`, which gives an engine that answers questions in batches.

    load_engine("scripted", {"answers": ["[ANSWER]1[/ANSWER]"]}) -> Engine

A file may also state `STRATEGY`, the strategy that suits it where it is no chat model. One Inspect provider
(`_provider.py`) serves all engines as `deskcheck/<name>`; every other model comes from Inspect.
"""

from __future__ import annotations

import zlib
from typing import Any, Protocol

from msgspec import Struct

from deskcheck import plugins
from deskcheck.errors import UnknownName, UserError
from deskcheck.records import Completion, Prompt

PROVIDER = "deskcheck/"
"""How the name of an engine begins where a provider is named."""


class Question(Struct, frozen=True):
    """One prompt, and where it stands; `replay` and `scripted` look their answer up by it."""

    prompt: Prompt
    task_id: str
    """Task.id; "" where a prompt does not come from a task of ours."""
    sample: int
    """0-based sample of the task."""
    call: int
    """0-based call within the sample: the step of a step loop."""

    @property
    def seed(self) -> int:
        """Of a draw at a temperature: every call of every sample has its own."""
        return zlib.crc32(f"{self.task_id}\n{self.sample}\n{self.call}".encode())


class Engine(Protocol):
    """Answers batches of questions; called from one thread only."""

    batch: int
    """How many questions it answers best at once."""

    @property
    def fingerprint(self) -> str:
        """Changes when its answers may change: a hash of weights, file or script."""
        ...

    def answer(self, questions: list[Question]) -> list[Completion]:
        """One completion per question, in order; one that fails has finish reason "error"."""
        ...


class Stream(Engine, Protocol):
    """An engine that takes questions while it works on others, and gives each answer when it is ready."""

    def submit(self, question: Question, ticket: object) -> None:
        """Take a question; its ticket comes back with the answer."""
        ...

    def step(self) -> list[tuple[object, Completion]]:
        """Work a little; the answers that are ready."""
        ...

    def clear(self) -> None:
        """Forget everything under way, after an error."""
        ...


def load_engine(name: str, args: dict[str, Any]) -> Engine:
    """The engine of that name; UserError names an argument that it does not take."""
    if name not in plugins.names("model"):
        raise UnknownName("deskcheck model", name, plugins.names("model"))
    module = plugins.load("model", name)
    try:
        engine: Engine = module.engine(**args)
    except TypeError as error:
        if "argument" not in str(error):
            raise
        raise UserError(
            f"{PROVIDER}{name}: {error}; given with -M: {', '.join(sorted(args)) or 'nothing'}"
        ) from None
    return engine


def suited_strategy(model: str) -> str:
    """The strategy that a model's engine names, for one that is no chat model; "" for all others."""
    name = model.removeprefix(PROVIDER)
    if name == model or name not in plugins.names("model"):
        return ""
    return str(getattr(plugins.load("model", name), "STRATEGY", ""))
