"""Measure the tracer of C: steps a second of processor time, and bytes a step on disk.

    python measurements/c_speed.py [--steps 500000]

Five workloads are loops over numbers and texts, five change arrays of 200 elements. Time is that of the
process that runs the program and writes the columns (user and system), both times that a traced program
runs there (`unassigned.py`), without the compiler and the sanitizers. Disk is the run as `deskcheck trace
--out` saves it. The last line times one small program.
"""

from __future__ import annotations

import argparse
import os
import statistics
import tempfile
import time
from pathlib import Path

from deskcheck.languages.c.compiler import Toolbox
from deskcheck.languages.c.engine import PATTERNS, Engine
from deskcheck.languages.c.instrument import instrument
from deskcheck.languages.c.tracer import trace_in
from deskcheck.records import Limits
from deskcheck.sandbox import containment
from deskcheck.tracing.packed import write_run
from deskcheck.tracing.program import make_program

LOOPS = {
    "sums": """long f(long n) {
  long s = 0;
  for (long i = 0; i < n; i++) {
    s += i % 7;
  }
  return s;
}""",
    "branches": """long f(long n) {
  long a = 0, b = 0;
  while (n > 0) {
    if (n % 3 == 0) {
      a += 1;
    } else {
      b += 2;
    }
    n -= 1;
  }
  return a * b;
}""",
    "collatz": """long f(long n) {
  long most = 0;
  for (long k = 1; k < n; k++) {
    long x = k, steps = 0;
    while (x != 1) {
      x = x % 2 ? 3 * x + 1 : x / 2;
      steps++;
    }
    most = steps > most ? steps : most;
  }
  return most;
}""",
    "calls": """static long g(long x, long y) {
  long z = x * y;
  return z % 11;
}
long f(long n) {
  long s = 0;
  for (long i = 0; i < n; i++) {
    s = g(s, i) + 1;
  }
  return s;
}""",
    "texts": """#include <string.h>
long f(long n) {
  long found = 0;
  const char *text = "the quick brown fox";
  for (long i = 0; i < n; i++) {
    char c = text[i % 19];
    if (strchr("aeiou", c) != NULL)
      found += 1;
  }
  return found;
}""",
}
BODIES = {
    "swaps": """    long i = k % 199;
    if (xs[i] > xs[i + 1]) {
      long kept = xs[i];
      xs[i] = xs[i + 1];
      xs[i + 1] = kept;
    }""",
    "writes": "    xs[k % 200] += k % 1000;",
    "queue": """    long x = xs[0];
    memmove(xs, xs + 1, 199 * sizeof *xs);
    xs[199] = (x + 1) % 1000;""",
    "sieve": """    long p = 2 + k % 13;
    for (long i = p; i < 200; i += p) {
      xs[i] = 0;
    }
    xs[p] = k;""",
    "structs": """    cells[k % 50].n += 1;
    cells[k % 50].last = &cells[k % 7];
    xs[k % 200] = cells[k % 50].n;""",
}
ARRAYS = {
    name: "#include <string.h>\nstruct cell { long n; struct cell *last; };\n"
    "long f(long n) {\n  long xs[200];\n  struct cell cells[50] = {{0, NULL}};\n"
    "  for (long i = 0; i < 200; i++) {\n    xs[i] = i * 37 % 101;\n  }\n"
    f"  for (long k = 0; k < n; k++) {{\n{body}\n  }}\n  return xs[0] + cells[0].n;\n}}"
    for name, body in BODIES.items()
}
TICKS = os.sysconf("SC_CLK_TCK")


def seconds_of(pid: int) -> float:
    """Return the processor time of a worker's children that have ended, and of theirs."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    inner = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return (int(fields[13]) + int(fields[14])) / TICKS + sum(seconds_of(int(child)) for child in inner)


def measured(source: str, n_steps: int, tools: Toolbox, engine: Engine) -> tuple[float, float]:
    """Return steps a second and bytes a step of the first `n_steps` steps."""
    limits = Limits(max_steps=n_steps, time_s=300.0, trace_bytes=1 << 30)
    program = make_program(source, "f", "100000000", origin="speed", language="c")
    path = tools.build(instrument(program).text, is_check=False)
    engine.run(path, Limits(max_steps=2_000), is_check=False)
    service = engine._workers[False]._service
    assert service is not None
    process = service._process
    assert process is not None
    before = seconds_of(process.pid)
    for pattern in PATTERNS[:2]:  # as a traced program runs
        engine.run(path, limits, is_check=False, pattern=pattern)
    used = seconds_of(process.pid) - before
    packed = trace_in(tools, engine, program, limits).packed
    assert packed.n_steps == n_steps, packed.head.outcome
    with tempfile.TemporaryDirectory() as folder:
        saved = Path(folder, "run.deskcheck")
        write_run(saved, program, packed)
        return n_steps / used, saved.stat().st_size / n_steps


def main() -> None:
    """Print a row for each workload and the medians, then the time for a small program."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=500_000)
    given = parser.parse_args()
    with Toolbox() as tools, Engine(level=containment.find().level) as engine:
        for title, workloads in (("loops", LOOPS), ("arrays of 200", ARRAYS)):
            rows = {name: measured(source, given.steps, tools, engine) for name, source in workloads.items()}
            for name, (speed, size) in rows.items():
                print(f"{title}: {name:<10} {speed:>10,.0f} steps/s  {size:5.2f} B a step")
            speed, size = (statistics.median(column) for column in zip(*rows.values(), strict=True))
            print(f"{title}: median {speed:,.0f} steps/s, {size:.2f} B a step")
        begin = time.perf_counter()
        trace_in(tools, engine, make_program(LOOPS["sums"], "f", "3", origin="speed", language="c"), Limits())
        print(f"a program of 8 steps, compiled twice and checked: {time.perf_counter() - begin:.2f} s")


if __name__ == "__main__":
    main()
