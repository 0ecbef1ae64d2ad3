"""Microseconds of processor time a step adds to what a plain run takes, with few and with many objects alive.

    python measurements/flat.py [--rounds 5] [name ..]

Statements are those of tests/tracing/flat_cost.py. A figure is the median of the rounds, of a traced call
less an untraced one, for the steps between a short loop and a long one; the net is on.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
# Files beside this one may be called what libraries are called: those come first.
sys.path.append(sys.path.pop(0))
sys.path.insert(0, str(ROOT))

from tests.tracing import flat_cost  # noqa: E402

from deskcheck.records import Limits  # noqa: E402
from deskcheck.tracing import run  # noqa: E402
from deskcheck.tracing.program import make_program  # noqa: E402

_LIMITS = Limits(max_steps=10**6, nodes=10**6, trace_bytes=2**30)


def seconds(source: str, k: int, n: int) -> tuple[float, int]:
    """What tracing adds to a call, and its steps."""
    names: dict[str, Any] = {"__name__": "plain"}
    exec(compile(source, "<plain>", "exec"), names)
    depth = sys.getrecursionlimit()
    start = time.process_time()
    names["f"](k, n)
    plain = time.process_time() - start
    sys.setrecursionlimit(depth)
    program = make_program(source, "f", f"{k}, {n}", origin="flat")
    start = time.process_time()
    trace = run.trace_program(program, _LIMITS, tracer="native")
    return time.process_time() - start - plain, trace.n_steps


def each(source: str, k: int, first: int, last: int, rounds: int) -> float:
    """Microseconds for each step between the two lengths: the median."""
    found = []
    for _ in range(rounds):
        (short, few), (long, some) = seconds(source, k, first), seconds(source, k, last)
        found.append((long - short) / (some - few) * 1e6)
    return statistics.median(found)


def main() -> None:
    """Print a row each."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("names", nargs="*")
    given = parser.parse_args()
    for name in given.names or (*flat_cost.STATEMENTS, *flat_cost.RECURSION, "threads"):
        if name == "threads":
            few, many = (each(flat_cost.THREADS, k, 100, 600, given.rounds) for k in (2, 100))
            print(f"{name:20} {few:8.2f} us with 2 threads, {many:8.2f} with 100")
        elif name in flat_cost.RECURSION:
            source = flat_cost.recursion_of(name)
            few, many = each(source, 100, 0, 40, given.rounds), each(source, 10_000, 0, 2, given.rounds)
            print(f"{name:20} {few:8.2f} us at depth 100, {many:8.2f} at 10,000")
        else:
            source = flat_cost.source_of(name)
            few, many = (each(source, k, 100, 8_100, given.rounds) for k in (10, 10_000))
            print(f"{name:20} {few:8.2f} us with 10 alive, {many:8.2f} with 10,000")


if __name__ == "__main__":
    main()
