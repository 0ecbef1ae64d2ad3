"""How long the first things take, cold: processor seconds of processes of their own, the best of 10.

    python measurements/start.py

Byte-compiled modules are assumed (`make setup` does that). Processor time, so that a busy machine says nearly
the same; the aims are those of the project.
"""

from __future__ import annotations

import resource
import statistics
import subprocess
import sys
from pathlib import Path

RUNS = 10
PROGRAM = Path(__file__).parents[1] / "examples/collatz.py"
MEASURED = [
    ("python -c pass", ["-c", "pass"], 0.0),
    ("import deskcheck", ["-c", "import deskcheck"], 0.05),
    ("deskcheck --help", ["-m", "deskcheck", "--help"], 0.2),
    ("deskcheck trace, 12 steps", ["-m", "deskcheck", "trace", str(PROGRAM), "--call", "f(3)"], 0.6),
]


def processor_s(arguments: list[str]) -> list[float]:
    """Processor seconds of each of RUNS processes and their children, after one that is thrown away."""
    times_s = []
    for _ in range(RUNS + 1):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        times_s.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return times_s[1:]


def main() -> None:
    for name, arguments, aim_s in MEASURED:
        times_s = processor_s(arguments)
        aim = f"   aim: under {aim_s:g} s" if aim_s else ""
        print(f"{name:26} {min(times_s):.3f} s, median {statistics.median(times_s):.3f} s (n = {RUNS}){aim}")


if __name__ == "__main__":
    main()
