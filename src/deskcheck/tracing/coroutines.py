"""Run the coroutine that a call returns, with `asyncio.run`.

    load_asyncio(function)      before the run, so that the import is not part of the program's trace
    run_coroutine(coroutine)    the coroutine's result

`trace --call`, `build` and `deskcheck.trace` all use this module. Asynchronous generators and other
awaitables are not awaited, because the event loop that they need is unknown.
"""

from __future__ import annotations

import sys
from types import CoroutineType, FunctionType, MethodType
from typing import Any

from deskcheck.errors import UserError
from deskcheck.tracing.access import unseen

_CO_COROUTINE = 0x80


def is_coroutine_function(function: object) -> bool:
    """Whether a call of the function or bound method returns a coroutine, by the flags of its code."""
    plain = function.__func__ if type(function) is MethodType else function
    return type(plain) is FunctionType and bool(plain.__code__.co_flags & _CO_COROUTINE)


def load_asyncio(function: object) -> None:
    """Import `asyncio` if the function's call will need it."""
    if is_coroutine_function(function):
        import asyncio  # noqa: F401 - loaded now, so that the run does not do it


def refuse_inside_loop(name: str) -> None:
    """Raise UserError if an event loop runs in this thread: `asyncio.run` cannot run inside it."""
    loop = sys.modules.get("asyncio.events")
    if loop is not None and loop._get_running_loop() is not None:
        raise UserError(
            f"{name} is a coroutine function, which deskcheck.trace runs by asyncio.run, and an event loop "
            "is running in this thread already: call deskcheck.trace outside of it, or in a thread of its own"
        )


def run_coroutine(coroutine: CoroutineType[Any, Any, Any]) -> object:
    """Run the coroutine to its end in a new event loop and return its result."""
    import asyncio

    return unseen(asyncio.run, coroutine)
