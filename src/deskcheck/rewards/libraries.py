"""Import optional libraries of the extra `rl` when needed, with a clear error if one is absent."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from deskcheck.errors import MissingExtra


def need(name: str) -> Any:
    """Return the imported library. MissingExtra with the install command if it is absent."""
    try:
        return import_module(name)
    except ImportError:
        raise MissingExtra(name, "rl", "reinforcement learning") from None
