"""Memory that a long run takes: in the traced child, in the parent that checks it, and while it is written.

    python measurements/long_traces.py [--steps 1000000 5000000]

One loop in the sandbox, three lines a turn, a new value in three steps of five; then one Parquet file.
Printed is the most memory of its own of each process (RssAnon of /proc, looked at every 20 ms; pages of
files are not in it): what could not be dropped and read again. Linux only.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from deskcheck.format import shards
from deskcheck.records import Limits
from deskcheck.tracing.collect import trace_packed
from deskcheck.tracing.program import make_program

LIMITS = Limits(max_steps=1 << 40, time_s=3600.0, memory_bytes=4 << 30, trace_bytes=4 << 30)
LOOP = """def f(n):
    seen = {}
    total = 0
    for i in range(n):
        total += i * 7 % 13
        seen[i % 50] = total
    return total
"""


def _numbers(pid: str) -> dict[str, int]:
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:  # gone
        return {}
    return {name: int(rest.split()[0]) for name, _, rest in (line.partition(":") for line in lines)
            if name in ("PPid", "RssAnon")}  # fmt: skip


def _look(most: dict[str, int]) -> None:
    own = os.getpid()
    found = {pid: _numbers(pid) for pid in os.listdir("/proc") if pid.isdigit()}
    zygotes = {pid for pid, numbers in found.items() if numbers.get("PPid") == own}
    for pid, numbers in found.items():
        parent = str(numbers.get("PPid"))
        above = str(found.get(parent, {}).get("PPid"))  # at level full the zygote has one process more
        who = "parent" if int(pid) == own else "child" if {parent, above} & zygotes else ""
        if who:
            most[who] = max(most.get(who, 0), numbers.get("RssAnon", 0) >> 10)


@contextmanager
def watched(label: str) -> Iterator[None]:
    """Print the most memory that the block took."""
    most: dict[str, int] = {}
    over = threading.Event()

    def watch() -> None:
        while not over.wait(0.02):
            _look(most)

    thread = threading.Thread(target=watch)
    thread.start()
    started = time.monotonic()
    try:
        yield
    finally:
        over.set()
        thread.join()
    took = time.monotonic() - started
    print(f"  {label}: {', '.join(f'{who} {mb} MB' for who, mb in sorted(most.items()))}, {took:.1f} s")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, nargs="+", default=[1000, 1_000_000, 5_000_000])
    for steps in parser.parse_args().steps:
        program = make_program(LOOP, "f", str(steps // 3), origin="benchmark")
        print(f"{steps:,} steps")
        with watched("run and check"):
            ((_, packed),) = trace_packed([program], LIMITS, workers=1)
        n_bytes = sum(map(len, packed.columns)) + len(packed.offsets)
        with tempfile.TemporaryDirectory() as folder, watched("write"):
            path = Path(folder) / "t.parquet"
            shards.write_packed(path, [(program, packed)])
            size = path.stat().st_size
        print(f"  {packed.n_steps:,} steps, columns {n_bytes / 1e6:.1f} MB, Parquet {size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
