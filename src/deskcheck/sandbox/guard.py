"""How a job calls foreign code: with our frames out of its sight, and nothing of it running while ours does.

    guard.call(exec, code, names)          module bodies, arguments: what comes before the call
    guard.call_last(call)                  the call itself; threads that it left behind end with it
    guard.keep(namespace)                  lives until the job's frame is made: finalizers run after that
    guard.outlived() -> bool               whether there were such threads
    guard.stopped()                        what is printed from here on does not count as the program's

Plain calls everywhere but in a child of the sandbox, where guard.c stands behind them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def _call(function: Callable[..., Any], /, *arguments: Any) -> Any:
    return function(*arguments)


def _keep(thing: object, /) -> None:
    """Nothing has to live longer."""


def _outlived() -> bool:
    return False


def _stopped() -> None:
    """What is printed elsewhere than in a child goes where it goes."""


plainly = _call
"""What the two below are where no sandbox has put in its own."""
call: Callable[..., Any] = _call
call_last: Callable[..., Any] = _call
keep: Callable[[object], None] = _keep
outlived: Callable[[], bool] = _outlived
stopped: Callable[[], None] = _stopped
