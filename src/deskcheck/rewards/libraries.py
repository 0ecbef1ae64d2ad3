"""Libraries of others that only the extra `rl` brings: imported when needed, named when absent."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from deskcheck.errors import MissingExtra


def need(name: str) -> Any:
    """The imported library. MissingExtra with the install line where it is absent."""
    try:
        return import_module(name)
    except ImportError:
        raise MissingExtra(name, "rl", "reinforcement learning") from None
