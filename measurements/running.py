"""Programs a second: bare jobs, traced in this process, traced in the sandbox; microseconds a line event.

    python measurements/running.py

Programs are 400 of the generated family `easy`. Medians of 3 after one warm-up; the machine is yours to name.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

from deskcheck.corpus.long_programs import COLLATZ
from deskcheck.programs.generated import traced
from deskcheck.records import Limits
from deskcheck.sandbox import containment
from deskcheck.tracing.collect import trace_programs
from deskcheck.tracing.program import make_program
from deskcheck.tracing.reference import trace_program

N = 400


def median_s(run: Callable[[], object]) -> float:
    """Median wall time in seconds of three runs after one that is thrown away."""
    times_s = []
    for _ in range(4):
        start = time.perf_counter()
        run()
        times_s.append(time.perf_counter() - start)
    return statistics.median(times_s[1:])


def main() -> None:
    programs = [program for program, _ in traced("easy", seed=1, n=N)]
    limits = Limits()
    here_s = median_s(lambda: [trace_program(program, limits) for program in programs])
    print(f"traced in this process: {N / here_s:,.0f} programs/s")
    for workers in (1, 2):
        contained_s = median_s(lambda w=workers: list(trace_programs(programs, limits, workers=w)))
        level = containment.find().level
        print(f"traced in the sandbox ({level}), {workers} workers: {N / contained_s:,.0f} programs/s")
    long = make_program(COLLATZ, "f", "3038", origin="benchmark")
    n_steps = trace_program(long, limits).n_steps
    line_s = median_s(lambda: trace_program(long, limits))
    print(f"Collatz(3038), {n_steps} steps: {line_s / n_steps * 1e6:.0f} us a line event, reference tracer")


if __name__ == "__main__":
    main()
