"""Time of a traced call over the same call untraced: pairs, run one right after the other, medians.

    measure(tool, function, argument) -> Measured

CPU time of this thread, so that a busy machine moves the figures less than it would move a clock on the wall;
what a tool does in other threads is not seen. The result of every traced call is compared with the untraced.
"""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

PAIRS = 7
_CELL_S = 5.0  # a cell that would take longer gets fewer pairs, and says how many


class Tool(Protocol):
    """One way to trace."""

    name: str

    def call(self, function: Callable[..., Any], argument: int) -> Any:
        """The result of function(argument), traced."""

    def n_bytes(self) -> int:
        """Size of what the last call recorded."""


class Measured(NamedTuple):
    """One tool on one workload."""

    traced_ns: float
    """Median CPU time of the traced call."""
    over_ns: float
    """Median of traced - untraced."""
    ratio: float
    """Median of traced / untraced."""
    n_bytes: int
    pairs: int


def cpu_ns(run: Callable[[], Any]) -> tuple[int, Any]:
    """CPU time of this thread in a call, and its result."""
    start = time.thread_time_ns()
    result = run()
    return time.thread_time_ns() - start, result


def measure(tool: Tool, function: Callable[..., Any], argument: int) -> Measured:
    """Medians over pairs of an untraced and a traced call, after one of each that is thrown away."""
    expected = function(argument)
    prepare = getattr(tool, "prepare", lambda: None)  # what a library does once, before it measures
    prepare()
    first_ns, _ = cpu_ns(lambda: tool.call(function, argument))
    pairs = min(PAIRS, max(1, int(_CELL_S * 1e9 / max(first_ns, 1))))
    rows = []
    for _ in range(pairs):
        prepare()
        gc.collect()
        plain_ns, _ = cpu_ns(lambda: function(argument))
        traced_ns, result = cpu_ns(lambda: tool.call(function, argument))
        if result != expected:
            raise AssertionError(f"{tool.name} changed the result of {function.__name__}({argument})")
        rows.append((traced_ns, traced_ns - plain_ns, traced_ns / max(plain_ns, 1)))
    return Measured(*(statistics.median(column) for column in zip(*rows, strict=True)), tool.n_bytes(), pairs)
