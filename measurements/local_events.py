"""What a source of events for own code alone could gain: CPython 3.12 and later, work that libraries do.

    python3.12 measurements/local_events.py

A trace function gets the events of every line that the thread runs, those of libraries too. `sys.monitoring`
can ask for the events of chosen code objects. Each row is one function whose lines mostly call libraries in
Python: processor time of a traced run and of a run with a Python callback for LINE, PY_START and PY_RETURN of
that function alone, both over an untraced run; medians of 9. The callback records nothing, so the last column
is a bound of the gain, not a gain.
"""

from __future__ import annotations

import copy
import difflib
import statistics
import sys
import textwrap
import time
from collections.abc import Callable
from typing import Any

# Files beside this one may be called what libraries are called: those come first.
sys.path.append(sys.path.pop(0))

import deskcheck
from workloads.programs import LIBRARIES

N = 9
TOOL = 3


def differences(n: int) -> int:
    total = 0
    for i in range(n):
        before = [str(k * k % 7) for k in range(40)]
        after = [str(k * (i + 1) % 5) for k in range(40)]
        total += len(list(difflib.unified_diff(before, after)))
    return total


def copies(n: int) -> int:
    total = 0
    for i in range(n):
        record = {"a": [1, 2, [3, 4, {"x": i}]], "b": (1, 2)}
        total += len(copy.deepcopy(record))
    return total


def wrapped(n: int) -> int:
    total = 0
    for _ in range(n):
        total += len(textwrap.wrap("lorem ipsum dolor sit amet " * 20, 40))
    return total


WORK: dict[str, tuple[Callable[[int], Any], int]] = {
    "words": (LIBRARIES["words"][0], 100),
    "orders": (LIBRARIES["orders"][0], 1000),
    "differences": (differences, 60),
    "copies": (copies, 1500),
    "wrapped": (wrapped, 150),
}


def seconds(call: Callable[[], Any]) -> float:
    """Processor seconds of one call."""
    began = time.process_time()
    call()
    return time.process_time() - began


def local_seconds(function: Callable[[int], Any], n: int) -> float:
    """Processor seconds with a callback for the lines, calls and returns of this function alone."""
    monitoring = sys.monitoring
    kinds = monitoring.events
    monitoring.use_tool_id(TOOL, "local")
    for kind in (kinds.LINE, kinds.PY_START, kinds.PY_RETURN):
        monitoring.register_callback(TOOL, kind, lambda *_: None)
    monitoring.set_local_events(TOOL, function.__code__, kinds.LINE | kinds.PY_START | kinds.PY_RETURN)
    try:
        return seconds(lambda: function(n))
    finally:
        monitoring.set_local_events(TOOL, function.__code__, 0)
        monitoring.free_tool_id(TOOL)


def row(name: str) -> str:
    """Return the line of the table for one function of WORK."""
    function, n = WORK[name]
    function(n)
    plain = statistics.median(seconds(lambda: function(n)) for _ in range(N))
    traced = statistics.median(seconds(lambda: deskcheck.trace(function, n)) for _ in range(N))
    local = statistics.median(local_seconds(function, n) for _ in range(N))
    return (
        f"| {name} | {1e3 * plain:.1f} | {traced / plain:.1f} | {local / plain:.1f} | {traced / local:.1f} |"
    )


def main() -> None:
    if sys.version_info < (3, 12):
        print("sys.monitoring begins with CPython 3.12: run local_events.py with that Python")
        return
    print(f"CPython {sys.version.split()[0]}\n")
    print("| work | untraced, ms | traced, times that | local events, times that | bound of the gain |")
    print("|---|---|---|---|---|")
    for name in WORK:
        print(row(name), flush=True)


if __name__ == "__main__":
    main()
