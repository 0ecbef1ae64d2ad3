"""Call foreign code so that it cannot see our frames, and so that none of it runs while our code does.

    guard.call(exec, code, names)          for code before the call: module bodies, arguments
    guard.call_last(call)                  the call itself; threads that it started and left end with it
    guard.keep(namespace)                  keeps it until the result is packed; finalizers run after that
    guard.outlived() -> bool               whether there were such threads
    guard.stopped()                        later output does not count as the program's

In a child of the sandbox, guard.c implements these functions; everywhere else they are plain calls.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def _call(function: Callable[..., Any], /, *arguments: Any) -> Any:
    return function(*arguments)


def _keep(thing: object, /) -> None:
    """Do nothing: outside the sandbox no object has to live longer."""


def _outlived() -> bool:
    return False


def _stopped() -> None:
    """Do nothing: outside a child the program's output is not captured."""


plainly = _call
"""The unguarded call: outside the sandbox, `call` and `call_last` are this function."""
call: Callable[..., Any] = _call
call_last: Callable[..., Any] = _call
keep: Callable[[object], None] = _keep
outlived: Callable[[], bool] = _outlived
stopped: Callable[[], None] = _stopped
