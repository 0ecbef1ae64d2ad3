"""What summaries of foreign values cost: nanoseconds of processor time per step, with and without them.

    python measurements/summaries.py

Each program runs in seven pairs of processes, with summaries and without, in turn. Of the twelve runs of a
process the smallest time counts. The median of the seven ratios is printed, then the smallest and the
largest.
`array` writes into an array of 100 numbers in every fourth line; the others are ordinary code.
"""

from __future__ import annotations

import dataclasses
import enum
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable

import deskcheck
from deskcheck.tracing import shapes


class Colour(enum.Enum):
    RED = 1
    BLUE = 2


@dataclasses.dataclass
class Point:
    x: int
    y: int


def plain(n: int) -> int:
    total, xs = 0, [3, 1, 2] * 10
    for _ in range(n // 30):
        for x in xs:
            if x % 2 == 0:
                total += x
            else:
                total -= 1
    return total


def objects(n: int) -> int:
    points, total = [Point(i, i) for i in range(20)], 0
    for _ in range(n // 20):
        for point in points:
            point.x += 1
            total += point.x * point.y
    return total


def enums(n: int) -> int:
    total = 0
    for i in range(n):
        colour = Colour.RED if i % 2 else Colour.BLUE
        if colour is Colour.RED:
            total += 1
    return total


def files(n: int) -> int:
    total = 0
    with open("/dev/null") as file:
        for i in range(n):
            total += i
            xs = [total]
            xs.append(i)
        file.read()
    return total


def array(n: int) -> int:
    import numpy as np

    xs, total = np.arange(100), 0
    for i in range(n):
        total += i
        xs[i % 100] = total
        double = total * 2
    return total + double


N_PAIRS, N_RUNS = 7, 12
ALONE = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
"""Environment without the threads of numpy's library, whose waiting counts as processor time."""
PROGRAMS: list[Callable[[int], int]] = [plain, objects, enums, files, array]


def nanoseconds(program: Callable[[int], int]) -> float:
    """Processor time per step: the smallest of twelve runs."""
    times = []
    for _ in range(N_RUNS):
        started = time.process_time()
        run = deskcheck.trace(program, 6000)
        times.append((time.process_time() - started) / len(run.steps) * 1e9)
    return min(times)


def main() -> None:
    if len(sys.argv) == 3:
        if sys.argv[2] == "without":
            shapes.summary_of = lambda *_: None
        print(nanoseconds(next(p for p in PROGRAMS if p.__name__ == sys.argv[1])))
        return
    print(f"{'program':10}{'without':>10}{'with':>10}   ns a step, ratio [smallest, largest of {N_PAIRS}]")
    for program in PROGRAMS:
        pairs = [[measured(program, how) for how in ("without", "with")] for _ in range(N_PAIRS)]
        without, with_ = (statistics.median(column) for column in zip(*pairs, strict=True))
        ratios = [pair[1] / pair[0] for pair in pairs]
        spread = f"{statistics.median(ratios):.2f} [{min(ratios):.2f}, {max(ratios):.2f}]"
        print(f"{program.__name__:10}{without:10.0f}{with_:10.0f}   {spread}")


def measured(program: Callable[[int], int], how: str) -> float:
    """Nanoseconds per step in a process of its own."""
    command = [sys.executable, __file__, program.__name__, how]
    return float(subprocess.check_output(command, env=ALONE))


if __name__ == "__main__":
    main()
