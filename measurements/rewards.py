"""Rewards a second on two cores, and what each reward pays to answers that execute nothing.

    python measurements/rewards.py [TASKS]

Completions are the true answers, in the form asked for, so each is read whole and compared; truths come from
the cache after the first round, as in a group of GRPO. Two processes count at once, each its own completions.
"""

from __future__ import annotations

import sys
import time
from concurrent.futures import ProcessPoolExecutor
from itertools import islice
from multiprocessing import get_context

from deskcheck.rewards import functions
from deskcheck.rewards.baselines import baselines, scored, table, written
from deskcheck.rewards.tasks import QUESTIONS, RewardTask, TaskOptions, tasks

PROCESSES, ROUNDS = 2, 40
OPTIONS = TaskOptions(questions=QUESTIONS, steps=(5, 60), seed=17)


def rewards_of(found: list[RewardTask], rounds: int) -> int:
    """Compute all four rewards of every task, so often; how many numbers came back."""
    completions = [written(task, task.expected) for task in found]
    n = 0
    for _ in range(rounds):
        for function in functions.ALL:
            n += sum(score is not None for score in scored(function, found, completions))
    return n


def counted(number: int, found: list[RewardTask]) -> tuple[int, float, float]:
    """Rewards, processor seconds and seconds of one process."""
    rewards_of(found, 1)
    cpu, wall = time.process_time(), time.perf_counter()
    n = rewards_of(found, ROUNDS)
    return n, time.process_time() - cpu, time.perf_counter() - wall


def main() -> None:
    """Print the table of baselines and the rates."""
    n_tasks = int(sys.argv[1]) if len(sys.argv) > 1 else 400
    found = list(islice(tasks(OPTIONS), n_tasks))
    print(table(baselines(found)))
    with ProcessPoolExecutor(PROCESSES, get_context("spawn")) as pool:
        parts = list(pool.map(counted, range(PROCESSES), [found] * PROCESSES))
    n, cpu = sum(part[0] for part in parts), sum(part[1] for part in parts)
    wall = max(part[2] for part in parts)
    print(f"{n:,} rewards, {cpu / n * 1e6:.0f} us of processor each: {PROCESSES * n / cpu:,.0f} a second on "
          f"{PROCESSES} cores; {n / wall:,.0f} a second by this clock")  # fmt: skip


if __name__ == "__main__":
    main()
