"""Await what a call gives back where that is a coroutine, as `asyncio.run` does.

    load_asyncio(function)      before the run: its import belongs to no program
    run_coroutine(coroutine)    what it returns

The same for `trace --call`, for `build` and for a function in one's own process. Not awaited: asynchronous
generators and other awaitables; nothing could be said of the loop that they want.
"""

from __future__ import annotations

import sys
from types import CoroutineType, FunctionType, MethodType
from typing import Any

from deskcheck.errors import UserError

_CO_COROUTINE = 0x80


def is_coroutine_function(function: object) -> bool:
    """Whether a call of the function or bound method gives a coroutine, as far as its code says."""
    plain = function.__func__ if type(function) is MethodType else function
    return type(plain) is FunctionType and bool(plain.__code__.co_flags & _CO_COROUTINE)


def load_asyncio(function: object) -> None:
    """Import `asyncio` where the function's call will need it."""
    if is_coroutine_function(function):
        import asyncio  # noqa: F401 - loaded now, so that the run does not do it


def refuse_inside_loop(name: str) -> None:
    """UserError where a loop runs in this thread: `asyncio.run` cannot run inside it."""
    loop = sys.modules.get("asyncio.events")
    if loop is not None and loop._get_running_loop() is not None:
        raise UserError(
            f"{name} is a coroutine function, which deskcheck.trace runs by asyncio.run, and an event loop "
            "is running in this thread already: call deskcheck.trace outside of it, or in a thread of its own"
        )


def run_coroutine(coroutine: CoroutineType[Any, Any, Any]) -> object:
    """Run it to its end in an event loop of its own; what it returns."""
    import asyncio

    return asyncio.run(coroutine)
