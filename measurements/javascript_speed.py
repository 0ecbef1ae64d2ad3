"""Measure the tracer of JavaScript: steps a second of processor time, and bytes a step on disk.

    python measurements/javascript_speed.py [--steps 100000]

Five workloads are loops over numbers and texts, five change arrays of 200 elements. Time is that of the
process that runs V8 (user and system), so a busy machine changes it little. The start of the process and one
run to warm up are left out. Disk is the run as `deskcheck trace --out` saves it.
"""

from __future__ import annotations

import argparse
import os
import statistics
import tempfile
from pathlib import Path

from deskcheck.languages.javascript.engine import Engine
from deskcheck.languages.javascript.tracer import trace_in
from deskcheck.records import Limits
from deskcheck.sandbox import containment
from deskcheck.tracing.packed import write_run
from deskcheck.tracing.program import make_program

LOOPS = {
    "sums": """function f(n) {
  let s = 0;
  for (let i = 0; i < n; i++) {
    s += i % 7;
  }
  return s;
}""",
    "branches": """function f(n) {
  let a = 0, b = 0;
  while (n > 0) {
    if (n % 3 === 0) {
      a += 1;
    } else {
      b += 2;
    }
    n -= 1;
  }
  return [a, b];
}""",
    "collatz": """function f(n) {
  let most = 0;
  for (let k = 1; k < n; k++) {
    let x = k, steps = 0;
    while (x !== 1) {
      x = x % 2 ? 3 * x + 1 : x / 2;
      steps++;
    }
    most = Math.max(most, steps);
  }
  return most;
}""",
    "calls": """function g(x, y) {
  const z = x * y;
  return z % 11;
}
function f(n) {
  let s = 0;
  for (let i = 0; i < n; i++) {
    s = g(s, i) + 1;
  }
  return s;
}""",
    "texts": """function f(n) {
  let found = 0;
  const text = 'the quick brown fox';
  for (let i = 0; i < n; i++) {
    const c = text[i % 19];
    if ('aeiou'.includes(c)) found += 1;
  }
  return found;
}""",
}
BODIES = {
    "swaps": """    const i = k % 199;
    if (xs[i] > xs[i + 1]) {
      [xs[i], xs[i + 1]] = [xs[i + 1], xs[i]];
    }""",
    "writes": "    xs[k % 200] += k;",
    "queue": """    const x = xs.shift();
    xs.push(x + 1);""",
    "sieve": """    const p = 2 + k % 13;
    for (let i = p; i < 200; i += p) {
      xs[i] = 0;
    }
    xs[p] = k;""",
    "sort": """    xs[0] = k * 31 % 97;
    xs.sort((a, b) => a - b);""",
}
ARRAYS = {
    name: "function f(n) {\n  const xs = Array.from({length: 200}, (_, i) => i * 37 % 101);\n"
    f"  for (let k = 0; k < n; k++) {{\n{body}\n  }}\n  return xs;\n}}"
    for name, body in BODIES.items()
}
TICKS = os.sysconf("SC_CLK_TCK")


def seconds_of(pid: int) -> float:
    """Return the processor time that a process and its children have used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return (int(fields[11]) + int(fields[12])) / TICKS + sum(seconds_of(int(child)) for child in children)


def measured(source: str, n_steps: int, engine: Engine) -> tuple[float, float]:
    """Return steps a second and bytes a step of the first `n_steps` steps."""
    limits = Limits(max_steps=n_steps, time_s=300.0, trace_bytes=1 << 30)
    program = make_program(source, "f", "1000000", origin="speed", language="javascript")
    trace_in(engine, program, Limits(max_steps=2_000))
    process = engine._service._process
    assert process is not None
    before = seconds_of(process.pid)
    packed = trace_in(engine, program, limits).packed
    used = seconds_of(process.pid) - before
    assert packed.n_steps == n_steps, packed.outcome
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "run.deskcheck")
        write_run(path, program, packed)
        size = path.stat().st_size
    return packed.n_steps / used, size / packed.n_steps


def main() -> None:
    """Print a row for each workload and the medians."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=100_000)
    given = parser.parse_args()
    with Engine(level=containment.find().level, limits=Limits()) as engine:
        for title, workloads in (("loops", LOOPS), ("arrays of 200", ARRAYS)):
            rows = {name: measured(source, given.steps, engine) for name, source in workloads.items()}
            for name, (speed, size) in rows.items():
                print(f"{title}: {name:<10} {speed:>10,.0f} steps/s  {size:5.2f} B a step")
            speed, size = (statistics.median(column) for column in zip(*rows.values(), strict=True))
            print(f"{title}: median {speed:,.0f} steps/s, {size:.2f} B a step")


if __name__ == "__main__":
    main()
