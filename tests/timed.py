"""Run a command, print its processor time, and leave the figure for tests/test_bars.py.

    python -m tests.timed .venv/quick.json python -m pytest tests/format

Processor time of the command and of all its processes: unlike a clock it says the same on a busy machine.
A slow machine still takes more of it, so a reference job runs before and after: the figure that is
judged is the time of the command at the speed of a machine that does the reference job in one second.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from pathlib import Path

REFERENCE = """
words = {}
for i in range(3_000_000):
    words[str(i % 10_007)] = words.get(str(i % 9_973), 0) + i * i % 7
"""
"""A job of strings, dictionaries and numbers, as tests are; 1.3 to 2.1 s where it was written."""


def spent() -> float:
    """Processor seconds of all processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def reference_s(*, processes: int = 2) -> float:
    """Processor seconds that one of `processes` reference jobs takes when they run side by side."""
    before = spent()
    jobs = [subprocess.Popen([sys.executable, "-c", REFERENCE]) for _ in range(processes)]
    if any(job.wait() for job in jobs):
        raise RuntimeError("the reference job failed")
    return (spent() - before) / processes


def main(record: str, *command: str) -> int:
    """Run the command and return its exit status; only a success is recorded."""
    first, before = reference_s(), spent()
    status = subprocess.run(command, check=False).returncode
    seconds = spent() - before
    reference = (first + reference_s()) / 2
    figures = {"processor_s": round(seconds, 1), "reference_s": round(reference, 2)}
    print(f"{seconds:.1f} s of processor time; the reference job takes {reference:.2f} s")
    if not status:
        Path(record).write_text(json.dumps(figures), encoding="utf-8")
    return status


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
