"""Run jobs on untrusted programs in limited child processes; the outcome of each is data.

    sandbox.run([Job("1", "deskcheck.tracing.job:run", payload, Limits())]) -> JobResult, ...  in input order

Covered at level "limits", the only one so far: time (the parent's clock and SIGKILL to the whole group),
memory, output, file size, open files; crashes, forged or torn results, a killed zygote; nothing of the
caller's environment reaches the program.
Not covered yet: reading and writing files, network, signals to other processes of the same user, process
numbers for root. Run only programs that you would run yourself. Threat model: docs/sandbox.md.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from deskcheck.records import Job, JobResult

__all__ = ["check", "describe", "level", "run"]


def run(jobs: Iterable[Job], *, workers: int = 0, require: str = "limits") -> Iterator[JobResult]:
    """Results in input order; `workers` 0 = one per core. SandboxUnavailable when `require` cannot be had.

    Whatever a job does to its child is in its JobResult. Closing the iterator kills everything at once.
    """
    # Here, because a zygote imports this package too and must stay small.
    from deskcheck.sandbox.supervisor import run_jobs

    check(require)
    return run_jobs(jobs, workers=workers or os.cpu_count() or 1)


def check(require: str) -> None:
    """Nothing, or SandboxUnavailable when the level `require` cannot be had on this machine."""
    from deskcheck.sandbox.levels import check_level

    check_level(require)


def level() -> str:
    """The strongest level that a live self-test reached on this machine (run once per process)."""
    from deskcheck.sandbox.levels import find_level

    return find_level()


def describe() -> str:
    """One line for people: the level and what it does and does not keep in."""
    from deskcheck.sandbox.levels import describe_level

    return describe_level(level())
