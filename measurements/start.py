"""How long `deskcheck --help` takes, beside a bare `python -c pass`: median of 10 after one warm-up each.

    python measurements/start.py

Byte-compiled modules are assumed (`make setup` does that); the aim is under 0.2 s.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time

RUNS = 10


def median_s(command: list[str]) -> float:
    """Median wall time of a command in seconds; the first run is thrown away."""
    times_s = []
    for _ in range(RUNS + 1):
        start = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        times_s.append(time.perf_counter() - start)
    return statistics.median(times_s[1:])


def main() -> None:
    bare = median_s([sys.executable, "-c", "pass"])
    start = median_s([sys.executable, "-m", "deskcheck", "--help"])
    print(f"deskcheck --help: {start:.3f} s, of which python itself {bare:.3f} s (median of {RUNS})")


if __name__ == "__main__":
    main()
