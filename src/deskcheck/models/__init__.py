"""Engines: each file has `engine(...)`, which gives an engine that answers questions in batches.

    load_engine("scripted", {"answers": ["[ANSWER]1[/ANSWER]"]}) -> Engine

A file may also state `STRATEGY`, the strategy that suits it where it is no chat model. One Inspect provider
(`evaluation/inspect_task.py`) serves all engines as `deskcheck/<name>`; every other model comes from Inspect.
"""

from __future__ import annotations

from typing import Any

from deskcheck import plugins
from deskcheck.errors import UnknownName, UserError
from deskcheck.inference.engine import Engine as Engine
from deskcheck.inference.engine import Question as Question
from deskcheck.inference.engine import Stream as Stream

PROVIDER = "deskcheck/"
"""How the name of an engine begins where a provider is named."""


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
