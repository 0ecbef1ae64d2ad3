"""From source to validated Parquet: generated programs with six calls each, on one core, on two, on Ray.

    python measurements/building.py                              # 2,000 programs, one core and two
    python measurements/building.py --n 250000 --cores 2         # 1.5 million executions (some 40 minutes)
    python measurements/building.py --ray                        # also on a local Ray cluster

Each build is a process of its own; it and all its processes are bound to so many cores. Prints executions and
events per second, executions per second of processor time, bytes per event, and the memory of the process
that writes, halfway and at most. The last column compares the rate with that of the first row of its kind.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from deskcheck.dataset.build import Summary, summarise
from deskcheck.format.shards import read_manifest

CALLS_EACH = 6


def memory_mb(pid: int, what: str) -> float:
    """Memory of a process from /proc: "VmRSS" now, "VmHWM" at most."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0.0
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith(what)), 0.0)


class Watch(threading.Thread):
    """Reads the memory of a process once a second."""

    def __init__(self, pid: int) -> None:
        super().__init__(daemon=True)
        self.pid, self.now, self.most = pid, [], 0.0

    def run(self) -> None:
        """Read until the process has ended."""
        while found := memory_mb(self.pid, "VmRSS"):
            self.now.append(found)
            self.most = max(self.most, memory_mb(self.pid, "VmHWM"))
            time.sleep(1.0)


def build(out: Path, n: int, family: str, cores: int, more: list[str]) -> tuple[Summary, float, float, Watch]:
    """Build; return the counts, wall seconds, processor seconds of all its processes, and its memory."""
    command = [
        sys.executable, "-m", "deskcheck", "build", "generated", "--family", family, "--n", str(n),
        "--calls-each", str(CALLS_EACH), "--out", str(out), *more,
    ]  # fmt: skip
    mine = sorted(os.sched_getaffinity(0))[:cores]
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    with subprocess.Popen(
        command,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        preexec_fn=lambda: os.sched_setaffinity(0, mine),
    ) as process:
        watch = Watch(process.pid)
        watch.start()
        if process.wait():
            sys.exit(f"{' '.join(command)}: status {process.returncode}")
    wall_s = time.perf_counter() - started
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu_s = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return summarise(read_manifest(out)), wall_s, cpu_s, watch


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--n", type=int, default=2_000, help="programs; each is called six times")
    parser.add_argument("--family", default="easy")
    parser.add_argument("--cores", default="1,2", help="numbers of cores, separated by commas")
    parser.add_argument("--ray", action="store_true", help="also on a local Ray cluster, with two workers")
    options = parser.parse_args()
    runs = [(f"{c} cores", int(c), ["--workers", c]) for c in options.cores.split(",")]
    if options.ray:
        runs += [(f"Ray, {w} cores", w, ["--ray", "local", "--workers", str(w)]) for w in (1, 2)]
    print("| | executions | s | per s | events per s | per CPU s | bytes an event | MB halfway, most | |")
    print("|---|---|---|---|---|---|---|---|---|")
    first: dict[bool, float] = {}
    for name, cores, more in runs:
        with tempfile.TemporaryDirectory() as folder:
            found, wall_s, cpu_s, watch = build(Path(folder) / "out", options.n, options.family, cores, more)
        rate = found.n_kept / wall_s
        base = first.setdefault("--ray" in more, rate)
        half = watch.now[len(watch.now) // 2] if watch.now else 0.0
        print(
            f"| {name} | {found.n_kept:,} | {wall_s:.0f} | {rate:,.0f} | {found.n_events / wall_s:,.0f} "
            f"| {found.n_kept / cpu_s:,.0f} | {found.n_bytes / found.n_events:.1f} "
            f"| {half:.0f} {watch.most:.0f} | {rate / base:.2f} x |",
            flush=True,
        )


if __name__ == "__main__":
    main()
