"""What a step costs as containers, strings and traces grow.

rows(tools) -> [(line to print, name, numbers)]
"""

from __future__ import annotations

import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from deskcheck.tracing.collect import check_packed
from deskcheck.tracing.packed import pack, unpack
from deskcheck.tracing.source_facts import table_of
from workloads import programs
from workloads.pairs import measure
from workloads.programs import UNKNOWN, append, dp

_STEPS = 1_000_000


def rows(tools: list[tuple[str, Callable[[], Any]]]) -> Iterator[tuple[str, str, dict[str, float]]]:
    """One row a tool and question."""
    made = [(name, make()) for name, make in tools]
    for name, tool in made:
        small, large = (_ns_per_step(tool, dp, n) for n in (2, 12))
        yield (
            f"{name:34} a step in a table of 21x21 {small:9,.0f} ns, of 121x121 {large:9,.0f} ns",
            f"table, {name}",
            {"ns_21": small, "ns_121": large},
        )
    for name, tool in made:
        if name != "deskcheck, reference":
            yield from _unknown(name, tool)
    floor = 0.0
    for name, tool in made:
        cell = measure(tool, append, 20_000)
        floor = floor or cell.traced_ns
        yield (
            f"{name:34} a string appended to 20,000 times {cell.traced_ns / 1e6:9,.2f} ms, "
            f"{cell.traced_ns / floor:5.1f} times the empty callback",
            f"append, {name}",
            {"ms": cell.traced_ns / 1e6, "over_floor": cell.traced_ns / floor},
        )
    for name, tool in made[1:]:
        if hasattr(tool, "packed"):
            yield _to_parquet(name, tool)
    for name, _ in made[1:]:
        yield _million(name)


def _unknown(name: str, tool: Any) -> Iterator[tuple[str, str, dict[str, float]]]:
    """What a step costs where its line calls code that the tracer does not know, by the objects alive."""
    for function in UNKNOWN:
        numbers = {}
        for n_alive in (10, 16_000):
            programs.ALIVE[:] = [[i] for i in range(n_alive)]
            short, long = (measure(tool, function, n) for n in (500, 3_000))
            steps = _steps(function, 3_000) - _steps(function, 500)
            numbers[f"ns_{n_alive}"] = (long.over_ns - short.over_ns) / steps
        programs.ALIVE.clear()
        yield (
            f"{name:34} a step of {function.__name__:10} with 10 objects alive {numbers['ns_10']:7,.0f} ns, "
            f"with 16,000 {numbers['ns_16000']:7,.0f}",
            f"{function.__name__}, {name}",
            numbers,
        )


def _ns_per_step(tool: Any, function: Callable[..., Any], argument: int) -> float:
    return measure(tool, function, argument).over_ns / _steps(function, argument)


def _steps(function: Callable[..., Any], argument: int) -> int:
    steps = 0

    def local(frame: Any, event: str, _argument: Any) -> Any:
        nonlocal steps
        steps += event == "line" and frame.f_code.co_filename == programs.__file__
        return local

    sys.settrace(local)
    try:
        function(argument)
    finally:
        sys.settrace(None)
    return steps


def _to_parquet(name: str, tool: Any) -> tuple[str, str, dict[str, float]]:
    """Recorded events to validated Parquet: packed, unpacked, checked, written; CPU time, median of 7."""
    from deskcheck.format.shards import write_packed
    from workloads import ours

    tool.call(dp, 12)
    packed = tool.packed()
    program = ours.program_of("dp", 12)
    times = []
    with tempfile.TemporaryDirectory() as folder:
        for number in range(7):
            start = time.process_time_ns()
            arrived = unpack(pack(packed))
            check_packed(arrived, program, ours.LIMITS, table_of(program))
            write_packed(Path(folder) / f"{number}.parquet", [(program, arrived)])
            times.append(time.process_time_ns() - start)
    per_second = packed.n_events / statistics.median(times) * 1e9
    return (
        f"{name:34} {packed.n_events:,} events to validated Parquet: {per_second / 1e6:.2f} M a second",
        f"parquet, {name}",
        {"events": packed.n_events, "per_second": per_second},
    )


def _million(name: str) -> tuple[str, str, dict[str, float]]:
    """Memory of a process that traces a million steps."""
    command = [sys.executable, "-m", "workloads.growth", name]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env={"PYTHONPATH": _folder()})
    steps, n_bytes, before, after = map(int, done.stdout.split())
    grown = (after - before) / 1024
    return (
        f"{name:34} {steps:,} steps: {n_bytes / steps:.1f} bytes a step, the process grew by {grown:,.0f} MB",
        f"million steps, {name}",
        {"steps": steps, "bytes": n_bytes, "grown_mb": grown},
    )


def _folder() -> str:
    return str(Path(__file__).parents[1])


def _trace_a_million(name: str) -> None:
    from workloads import ours
    from workloads.programs import collatz

    tool = dict(ours.known())[name]()
    tool.call(collatz, 40)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    tool.call(collatz, 3_400)
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(tool.trace().n_steps, tool.n_bytes(), before, after)


if __name__ == "__main__":
    _trace_a_million(sys.argv[1])
