"""Tracers side by side in one run: nanoseconds per event over untraced, events, bytes per event, growth.

    python measurements/tracing.py [--size small|big|both] [--tools ours,peers] [--json out.json]

Peers are those of measurements/peers.txt (its head says how to install them); one that is missing is
named. Each cell is the median of 7 pairs of an untraced and a traced call, CPU time of the thread; a cell
that takes long has fewer pairs and is marked *. Nanoseconds are per line event of the workload, for the
finer granularities per event of their own kind. The trace of our last timed call is checked by replay.
"""

from __future__ import annotations

import argparse
import json
import math
import platform
import sys
from pathlib import Path
from typing import Any

# Files beside this one may be called what libraries are called: those come first.
sys.path.append(sys.path.pop(0))

from workloads import growth, ours, peers
from workloads.pairs import PAIRS, Measured, measure
from workloads.programs import LIBRARIES, W, collatz

_SLOW_NS = 15_000  # peers above this, by the small size, are left out of the big one
_SLOW_EVENTS = 400_000  # no replay in Python of more events than this


class Row:
    """One tool on all workloads of one size."""

    def __init__(self, tool: Any, size: str) -> None:
        self.tool = tool
        self.name = tool.name
        self.records = tool.records
        self.size = size
        self.cells: dict[str, Measured] = {}
        self.events: dict[str, int] = {}

    def ns(self, workload: str) -> float:
        """Nanoseconds over untraced per event."""
        return self.cells[workload].over_ns / self.events[workload]

    def geo(self) -> float:
        """Geometric mean of ns per event over the six workloads; those of library code stand beside them."""
        return _geo([self.ns(name) for name in W])

    def ratio(self) -> float:
        """Geometric mean of traced / untraced."""
        return _geo([self.cells[name].ratio for name in W])

    def bytes_per_event(self) -> float:
        """Of all workloads together."""
        return sum(cell.n_bytes for cell in self.cells.values()) / sum(self.events.values())


def _geo(numbers: list[float]) -> float:
    return math.exp(sum(math.log(max(number, 0.1)) for number in numbers) / len(numbers))


def line_events(argument_index: int) -> dict[str, int]:
    """Line events of each workload, counted by a plain settrace callback."""
    found = {}
    for name, spec in (W | LIBRARIES).items():
        count = 0

        def local(frame: Any, event: str, _argument: Any) -> Any:
            nonlocal count
            count += event == "line" and frame.f_code.co_filename == collatz.__code__.co_filename
            return local

        sys.settrace(local)
        try:
            spec[0](spec[argument_index])
        finally:
            sys.settrace(None)
        found[name] = count
    return found


def run_row(tool: Any, size: str, lines: dict[str, int]) -> Row:
    """One tool on every workload; ours are checked."""
    row = Row(tool, size)
    for name, spec in (W | LIBRARIES).items():
        function, argument = spec[0], spec[1 if size == "small" else 2]
        row.cells[name] = measure(tool, function, argument)
        row.events[name] = lines[name]
        if hasattr(tool, "trace"):
            row.events[name] = _checked(tool, name, argument, function(argument), lines[name])
    return row


def _checked(tool: Any, name: str, argument: int, expected: object, n_lines: int) -> int:
    """Events of the tool's own kind in the trace of the last timed call, after its checks."""
    trace = tool.trace()
    if trace.n_steps != n_lines:
        raise AssertionError(f"{tool.name}: {trace.n_steps} steps of {name}, counted {n_lines}")
    if len(trace.events.kind) <= _SLOW_EVENTS:
        ours.checked(trace, name, argument, expected)
    return sum(kind == tool.kind for kind in trace.events.kind)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--size", choices=["small", "big", "both"], default="both")
    parser.add_argument("--tools", default="ours,peers,growth")
    parser.add_argument("--json", default="")
    asked = parser.parse_args()
    runtime = f"{platform.python_implementation()} {platform.python_version()}, {platform.machine()}"
    print(f"{runtime}; median of {PAIRS} pairs")
    makers = ours.known() if "ours" in asked.tools else []
    makers += peers.known() if "peers" in asked.tools else []
    rows: list[Row] = []
    missing: list[str] = []
    for size in ("small", "big") if asked.size == "both" else (asked.size,):
        rows += _table(size, makers, rows, missing)
    for name in dict.fromkeys(missing):
        print(f"missing: {name} is not installed; pip install -r measurements/peers.txt")
    grown = {}
    for text, name, numbers in growth.rows(ours.known()) if "growth" in asked.tools else ():
        grown[name] = numbers
        print(text, flush=True)
    if asked.json:
        document = {
            "python": platform.python_version(),
            "rows": [_as_json(row) for row in rows],
            "growth": grown,
        }
        Path(asked.json).write_text(json.dumps(document, indent=1) + "\n")


def _table(size: str, makers: list[Any], before: list[Row], missing: list[str]) -> list[Row]:
    lines = line_events(1 if size == "small" else 2)
    slow = {row.name for row in before if row.geo() > _SLOW_NS}
    print(f"\n{size}: line events " + ", ".join(f"{name} {count:,}" for name, count in lines.items()))
    print(
        f"{'ns per event over untraced':34}{'geo':>8}{'x':>8}{'B/event':>9} "
        + "".join(f"{name:>10}" for name in W | LIBRARIES)
    )
    rows = []
    for name, make in makers:
        if name in slow:
            print(f"{name:34}left out: above {_SLOW_NS:,} ns an event at the small size")
            continue
        try:
            tool = make()
        except ImportError:
            missing.append(name)
            continue
        row = run_row(tool, size, lines)
        rows.append(row)
        cells = (f"{row.ns(w):9,.0f}{'*' if row.cells[w].pairs < PAIRS else ' '}" for w in W | LIBRARIES)
        size_text = f"{row.bytes_per_event():9.1f}" if tool.n_bytes() else f"{'-':>9}"
        print(f"{name:34}{row.geo():8,.0f}{row.ratio():8,.1f}{size_text} " + "".join(cells), flush=True)
    _compare(rows)
    return rows


def _compare(rows: list[Row]) -> None:
    """How many times faster the native tracer is than what the requirements name."""
    geo = {row.name: row.geo() for row in rows}
    native = geo.get("deskcheck, native line")
    for name in ("settrace, changed reprs", "PySnooper", "deskcheck, reference"):
        if native and name in geo:
            print(f"native line tracer: {geo[name] / native:,.0f}x faster than {name}")


def _as_json(row: Row) -> dict[str, Any]:
    return {
        "tool": row.name, "version": peers.version_of(row.tool), "records": row.records, "size": row.size,
        "geo_ns_per_event": row.geo(), "geo_ratio": row.ratio(), "bytes_per_event": row.bytes_per_event(),
        "workloads": {
            name: {"events": row.events[name], "ns_per_event": row.ns(name), **cell._asdict()}
            for name, cell in row.cells.items()
        },
    }  # fmt: skip


if __name__ == "__main__":
    main()
