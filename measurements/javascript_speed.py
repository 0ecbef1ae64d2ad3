"""Measure the tracer of JavaScript: steps a second of processor time, and bytes a step on disk.

    python measurements/javascript_speed.py [--steps 100000]

Five workloads are loops over numbers and texts, five change arrays of 200 elements. Time is that of the process
that runs V8 (user and system), so a busy machine changes it little; the start of the process and one run to
warm up are left out. Disk is the run as `deskcheck trace --out` saves it. Needs the extra `javascript`.
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
    "sums": "function f(n) {\n  let s = 0;\n  for (let i = 0; i < n; i++) {\n    s += i % 7;\n  }\n  return s;\n}",
    "branches": (
        "function f(n) {\n  let a = 0, b = 0;\n  while (n > 0) {\n    if (n % 3 === 0) {\n      a += 1;\n"
        "    } else {\n      b += 2;\n    }\n    n -= 1;\n  }\n  return [a, b];\n}"
    ),
    "collatz": (
        "function f(n) {\n  let most = 0;\n  for (let k = 1; k < n; k++) {\n    let x = k, steps = 0;\n"
        "    while (x !== 1) {\n      x = x % 2 ? 3 * x + 1 : x / 2;\n      steps++;\n    }\n"
        "    most = Math.max(most, steps);\n  }\n  return most;\n}"
    ),
    "calls": (
        "function g(x, y) {\n  const z = x * y;\n  return z % 11;\n}\nfunction f(n) {\n  let s = 0;\n"
        "  for (let i = 0; i < n; i++) {\n    s = g(s, i) + 1;\n  }\n  return s;\n}"
    ),
    "texts": (
        "function f(n) {\n  let found = 0;\n  const text = 'the quick brown fox';\n  for (let i = 0; i < n; i++) {\n"
        "    const c = text[i % 19];\n    if ('aeiou'.includes(c)) found += 1;\n  }\n  return found;\n}"
    ),
}
_HEAD = "function f(n) {\n  const xs = Array.from({length: 200}, (_, i) => i * 37 % 101);\n"
ARRAYS = {
    "swaps": _HEAD
    + (
        "  for (let k = 0; k < n; k++) {\n    const i = k % 199;\n    if (xs[i] > xs[i + 1]) {\n"
        "      [xs[i], xs[i + 1]] = [xs[i + 1], xs[i]];\n    }\n  }\n  return xs;\n}"
    ),
    "writes": _HEAD + "  for (let k = 0; k < n; k++) {\n    xs[k % 200] += k;\n  }\n  return xs;\n}",
    "queue": _HEAD + "  for (let k = 0; k < n; k++) {\n    const x = xs.shift();\n    xs.push(x + 1);\n  }\n  return xs;\n}",
    "sieve": _HEAD
    + (
        "  for (let k = 0; k < n; k++) {\n    const p = 2 + k % 13;\n    for (let i = p; i < 200; i += p) {\n"
        "      xs[i] = 0;\n    }\n    xs[p] = k;\n  }\n  return xs;\n}"
    ),
    "sort": _HEAD + "  for (let k = 0; k < n; k++) {\n    xs[0] = k * 31 % 97;\n    xs.sort((a, b) => a - b);\n  }\n  return xs;\n}",
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
    process = engine._process
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
            speeds, sizes = zip(*rows.values(), strict=True)
            print(f"{title}: median {statistics.median(speeds):,.0f} steps/s, {statistics.median(sizes):.2f} B a step")


if __name__ == "__main__":
    main()
