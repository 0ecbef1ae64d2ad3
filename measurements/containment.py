"""What containment costs: programs a second and a core, by size of batch, beside other ways to run one.

    python measurements/containment.py [--rounds 5] [--programs 1500] [--level kernel] [--json FILE]
    python measurements/containment.py --beside 6047933 [--rounds 5] [--programs 1500]

Jobs: "nothing" gives its payload back; "trace" is the whole way of a program through `deskcheck build`:
request, screen, contained run under the tracer, packed trace, every check in the parent; "six
inputs" is the same with six calls of each source, "two imports" the same programs with two imports,
after which the inside of objects is compared. Beside them, in the same rounds: a fresh `python -I
-S` for each program, the same under bubblewrap where that is installed, and a bare fork of a
process as large as a zygote. Rates are programs for each second of processor time, of the parent
and of all its children together, so that other work on the machine counts as little as it can; the
wall clock's rate with one worker stands beside them (bubblewrap's: what it runs is not in its
processor time). Start-up of a zygote is measured apart and taken off. Then: by how much an endless
loop, an endless output and a memory bomb pass their limits.
Medians of rounds.

`--beside COMMIT` takes that commit from git, builds its extensions, and has both trees trace the same
programs in turns: the rates of each, and the median of the ratios of the rounds.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from deskcheck.records import Job, JobDone, JobFailed, JobResult, Limits
from deskcheck.sandbox import containment
from deskcheck.sandbox.supervisor import run_jobs
from deskcheck.sandbox.wire import Report
from deskcheck.tracing.collect import is_suspicious, read_packed
from deskcheck.tracing.job import FUNCTION
from deskcheck.tracing.program import encode_request, make_program

BATCHES = (1, 32, 64, 256)
LOOP_S = 0.2
LIMITS = Limits()
# Tiny programs as the generated families have them: 5 to 20 steps.
TEXTS = [
    "def f(n):\n    t = 0\n    for i in range(n):\n        t += i * i\n    return t\n",
    "def f(n):\n    seen = {}\n    for i in range(n):\n        seen[i % 3] = i\n    return seen\n",
    "def f(n):\n    xs = [n, 1, 4]\n    xs.append(xs[0] + n)\n    xs.sort()\n    return xs[-1]\n",
    "def f(n):\n    if n < 2:\n        return n\n    return f(n - 1) + f(n - 2)\n",
    "def f(n):\n    s = ''\n    while n:\n        s += str(n % 2)\n        n //= 2\n    return s\n",
]
IMPORTS = "import math\nfrom collections import Counter\n"
TINY = "n = 5\nt = 0\nfor i in range(n):\n    t += i * i\nprint(t)"


def cpu_s() -> float:
    """Processor time of this process and of its ended children."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + used.ru_utime + used.ru_stime


def measured(work: Callable[[], int]) -> tuple[float, float]:
    """(processor seconds, wall seconds) of each thing that `work` says it did."""
    cpu, wall = cpu_s(), time.perf_counter()
    n = work()
    return (cpu_s() - cpu) / n, (time.perf_counter() - wall) / n


def run_nothing(n: int, batch: int, level: str, reports: list[Report]) -> int:
    jobs = (Job(str(i), "deskcheck.sandbox.selftest:give_back", b"%d" % i, LIMITS) for i in range(n))
    for result in run_jobs(jobs, workers=1, batch=batch, level=level, report=reports.append):
        assert isinstance(result.result, JobDone), result
    return n


def run_traces(
    n: int, batch: int, level: str, reports: list[Report], *, n_inputs: int = 1, head: str = ""
) -> int:
    programs = [
        make_program(
            f"{head}{TEXTS[i // n_inputs % len(TEXTS)]}# {i // n_inputs}\n",
            "f",
            str(4 + i % n_inputs),
            origin="benchmark",
        )
        for i in range(n)
    ]

    def jobs() -> Iterator[Job]:
        for i, program in enumerate(programs):
            alone = is_suspicious(program.source + program.prelude + program.arguments)
            yield Job(str(i), FUNCTION, encode_request(program, LIMITS), LIMITS, alone=alone)

    results = run_jobs(jobs(), workers=1, batch=batch, level=level, report=reports.append)
    for program, result in zip(programs, results, strict=True):
        outcome = read_packed(result, program, LIMITS).head.outcome
        assert type(outcome).__name__ == "Returned", outcome
    return n


def run_fresh(n: int, prefix: list[str]) -> int:
    for _ in range(n):
        subprocess.run([*prefix, sys.executable, "-I", "-S", "-c", TINY], check=True, capture_output=True)
    return n


def run_forks(n: int) -> int:
    """Forks that end at once, from a process that has loaded what a zygote loads."""
    script = (
        "import os, sys, gc, importlib, deskcheck.tracing.job\n"
        "from deskcheck.sandbox.zygote import PRELOADED\n"
        "for name in PRELOADED: importlib.import_module(name)\n"
        "gc.collect(); gc.disable(); gc.freeze()\n"
        f"for _ in range({n}):\n"
        "    pid = os.fork()\n"
        "    if pid == 0: os._exit(0)\n"
        "    os.waitpid(pid, 0)\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True)
    return n


def bubblewrap() -> list[str]:
    """The command before `python`, or [] where it is not installed or does not work here."""
    found = shutil.which("bwrap")
    prefix = [found or "", "--unshare-all", "--die-with-parent", "--ro-bind", "/", "/", "--dev", "/dev", "--"]
    works = found and subprocess.run([*prefix, "true"], capture_output=True, check=False).returncode == 0
    return prefix if works else []


def per_item(work: Callable[[int], int], n: int, *, start: int) -> dict[str, float]:
    """Rates of `n` things, less what `start` of them cost: what it takes to begin at all."""
    first_cpu, first_wall = (start * s for s in measured(lambda: work(start)))
    cpu, wall = (n * s for s in measured(lambda: work(n)))
    return {
        "cpu_us": (cpu - first_cpu) / (n - start) * 1e6,
        "wall_us": (wall - first_wall) / (n - start) * 1e6,
    }


def rates(rounds: int, n: int, level: str) -> tuple[dict[str, dict[str, float]], Report]:
    """Every way, in turn, round after round; medians."""
    total = Report()
    ways: dict[str, tuple[Callable[[int], int], int]] = {}
    reports: list[Report] = []
    for batch in BATCHES:
        size = n if batch > 1 else max(50, n // 10)
        ways[f"nothing, batch {batch}"] = (lambda k, b=batch: run_nothing(k, b, level, reports), size)
        ways[f"trace, batch {batch}"] = (lambda k, b=batch: run_traces(k, b, level, reports), size)
        if batch in (32, BATCHES[-1]):
            ways[f"two imports, batch {batch}"] = (
                lambda k, b=batch: run_traces(k, b, level, reports, head=IMPORTS),
                size,
            )
    many = BATCHES[-1]
    ways[f"six inputs, batch {many}"] = (lambda k: run_traces(k, many, level, reports, n_inputs=6), n)
    ways["python -I -S each"] = (lambda k: run_fresh(k, []), 20)
    if prefix := bubblewrap():
        ways["bubblewrap each"] = (lambda k: run_fresh(k, prefix), 20)
    ways["bare fork"] = (run_forks, 300)
    found: dict[str, list[dict[str, float]]] = {name: [] for name in ways}
    for _ in range(rounds):
        for name, (work, size) in ways.items():
            found[name].append(per_item(work, size, start=1))
    for report in reports:
        total.n_audited += report.n_audited
        total.n_mismatched += report.n_mismatched
        total.n_unsteady += report.n_unsteady
        total.n_jobs += report.n_jobs
        total.n_children += report.n_children
    rows = {}
    for name, all_rounds in found.items():
        cpu = statistics.median(r["cpu_us"] for r in all_rounds)
        wall = statistics.median(r["wall_us"] for r in all_rounds)
        rows[name] = {"cpu_us": cpu, "wall_us": wall, "per_cpu_s": 1e6 / cpu, "per_wall_s": 1e6 / wall,
                      "n": ways[name][1], "rounds": rounds}  # fmt: skip
    return rows, total


def overshoot(rounds: int, level: str) -> dict[str, dict[str, float | str]]:
    """How far runs that never end pass their limits."""
    small = Limits(time_s=20.0, memory_bytes=256 << 20, output_bytes=1 << 16)
    jobs = {
        "endless loop": Job("0", "deskcheck.sandbox.selftest:loop", b"", Limits(time_s=LOOP_S)),
        "memory bomb": Job("1", "deskcheck.sandbox.selftest:take_memory", b"%d" % (1 << 32), small),
        "endless output": Job("2", "deskcheck.sandbox.selftest:print_much", b"x" * 1000, small),
    }
    rows: dict[str, dict[str, float | str]] = {}
    for name, job in jobs.items():
        results: list[JobResult] = list(run_jobs([job] * rounds * 2, workers=1, batch=1, level=level))
        limit_s = LOOP_S if name == "endless loop" else 0.0
        over = sorted((r.wall_s - limit_s) * 1e3 for r in results)
        assert all(isinstance(r.result, JobFailed) for r in results), results
        rows[name] = {
            "outcome": str(results[0].result),
            "over_ms_median": statistics.median(over),
            "over_ms_most": over[-1],
            "output_bytes": max(len(r.output) for r in results),
            "n": len(results),
        }
    return rows


SIDE_BY_SIDE = {"trace, batch 32": "", "trace, batch 256": "", "two imports, batch 32": IMPORTS,
                "two imports, batch 256": IMPORTS}  # fmt: skip


def one_way(name: str, n: int, level: str) -> None:
    """Print the programs a second of processor time of one way, by the tree that is imported."""
    batch = int(name.rpartition(" ")[2])
    cost = per_item(lambda k: run_traces(k, batch, level, [], head=SIDE_BY_SIDE[name]), n, start=1)
    print(1e6 / cost["cpu_us"])


def beside(commit: str, rounds: int, n: int, level: str) -> None:
    """Print the rates of both trees."""
    root = Path(__file__).resolve().parents[1]
    with tempfile.TemporaryDirectory() as folder:
        packed = subprocess.run(["git", "archive", commit], cwd=root, check=True, capture_output=True).stdout
        subprocess.run(["tar", "-x", "-C", folder], input=packed, check=True)
        build = [sys.executable, "setup.py", "-q", "build_ext", "--inplace"]
        subprocess.run(build, cwd=folder, check=True, capture_output=True)
        trees = {"then": Path(folder) / "src", "now": root / "src"}
        found: dict[str, dict[str, list[float]]] = {name: {"then": [], "now": []} for name in SIDE_BY_SIDE}
        for round_ in range(rounds):
            for name, of_tree in found.items():
                for tree in sorted(trees, reverse=bool(round_ % 2)):
                    command = [
                        sys.executable,
                        __file__,
                        "--one-way",
                        name,
                        "--programs",
                        str(n),
                        "--level",
                        level,
                    ]
                    made = subprocess.run(
                        command,
                        env=os.environ | {"PYTHONPATH": str(trees[tree])},
                        check=True,
                        capture_output=True,
                        text=True,
                    )
                    of_tree[tree].append(float(made.stdout))
    print(f"Python {platform.python_version()}, level {level}, load {os.getloadavg()[0]:.1f}; "
          f"{n} programs, medians of {rounds} rounds, programs a second of processor time")  # fmt: skip
    print(f"{'':24}{commit[:10]:>12}{'now':>10}{'ratio':>8}{'  of each round'}")
    for name, of_tree in found.items():
        ratios = [now / then for then, now in zip(of_tree["then"], of_tree["now"], strict=True)]
        print(
            f"{name:24}{statistics.median(of_tree['then']):12.0f}{statistics.median(of_tree['now']):10.0f}"
            f"{statistics.median(ratios):8.2f}  {' '.join(f'{ratio:.2f}' for ratio in ratios)}"
        )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--programs", type=int, default=1500)
    parser.add_argument(
        "--level", default="", help="of the sandbox; the strongest that works here if not given"
    )
    parser.add_argument("--json", default="", help="also write the numbers to this file")
    parser.add_argument("--beside", default="", metavar="COMMIT", help="a commit to compare with")
    parser.add_argument("--one-way", choices=SIDE_BY_SIDE, help="print the rate of this way alone")
    asked = parser.parse_args()
    level = asked.level or containment.find().level
    if asked.one_way:
        one_way(asked.one_way, asked.programs, level)
        return
    if asked.beside:
        beside(asked.beside, asked.rounds, asked.programs, level)
        return
    os.chdir(tempfile.gettempdir())  # the `python -I -S` runs must find nothing of ours
    rows, report = rates(asked.rounds, asked.programs, level)
    over = overshoot(asked.rounds, level)
    load = os.getloadavg()[0]
    print(f"Python {platform.python_version()}, level {level}, {os.cpu_count()} cores, load {load:.1f}; "
          f"medians of {asked.rounds} rounds")  # fmt: skip
    print(f"{'':24}{'us of cpu':>10}{'a cpu second':>14}{'wall us':>10}{'a second':>10}")
    for name, row in rows.items():
        print(
            f"{name:24}{row['cpu_us']:10.0f}{row['per_cpu_s']:14.0f}{row['wall_us']:10.0f}{row['per_wall_s']:10.0f}"
        )
    if "bubblewrap each" not in rows:
        print("bubblewrap is not installed, or does not work here")
    print(f"run again in a fresh process and compared: {report.n_audited} of {report.n_jobs}, "
          f"mismatches {report.n_mismatched}, unsteady {report.n_unsteady}")  # fmt: skip
    for name, row in over.items():
        times = f"median {row['over_ms_median']:.0f} ms, most {row['over_ms_most']:.0f} ms, n {row['n']}"
        after = "over its time" if name == "endless loop" else "after its start"
        print(f"{name}: {row['outcome']}; {times} {after}; {row['output_bytes']} bytes of output")
    if asked.json:
        found = {
            "python": platform.python_version(),
            "level": level,
            "load": load,
            "rates": rows,
            "limits": over,
            "audited": report.n_audited,
            "mismatched": report.n_mismatched,
        }
        Path(asked.json).write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
