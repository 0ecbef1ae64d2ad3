"""Call foreign code so that it cannot see our frames, and so that none of it runs while our code does.

    guard.call(exec, code, names)          runs code that comes before the program's call: module, arguments
    guard.call_last(call)                  runs the program's call; threads that it started end with it
    guard.keep(namespace)                  keeps an object until the result is packed; finalizers run later
    guard.outlived() -> bool               whether threads were still running after the last call
    guard.stopped()                        output from here on does not count as the program's

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
