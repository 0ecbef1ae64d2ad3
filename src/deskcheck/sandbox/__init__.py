"""Run jobs on untrusted programs in contained child processes; the outcome of each is data.

    sandbox.run([Job("1", "deskcheck.tracing.job:run", payload, Limits())]) -> JobResult, ...  in input order

Covered at every level: time (the parent's clock and SIGKILL to the whole group), memory, output, file
size, open files; crashes, forged or torn results, a killed zygote; nothing of the caller's environment,
descriptors or import path reaches the program. From level "seccomp" on: writing, network, processes,
signals; from "kernel" on (Landlock): reading outside the interpreter's own files; at "full" (namespaces):
seeing that anything else exists.
Not covered: bugs of the kernel behind the allowed calls; timing; at "limits" all but time, memory and
output; a program that lies about itself (whoever runs in a process can say anything in its name; the parent
checks that a result is well formed and consistent, not that it is true). Threat model: docs/sandbox.md.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from deskcheck.records import Job, JobResult
    from deskcheck.sandbox.batching import Report
    from deskcheck.sandbox.levels import Found

LEVELS = ("limits", "seccomp", "kernel", "full")
"""From the weakest; docs/sandbox.md says what each promises."""

__all__ = ["LEVELS", "admit", "check", "describe", "find", "level", "mend", "run", "trust_this_code"]


def run(
    jobs: Iterable[Job],
    *,
    workers: int = 0,
    require: str = "limits",
    level: str = "",
    report: Callable[[Report], None] | None = None,
) -> Iterator[JobResult]:
    """Results in input order; `workers` 0 = one per core. SandboxUnavailable when `require` cannot be had.

    Runs at the strongest level that holds here, or at exactly `level`. Whatever a job does to its child is
    in its JobResult. Closing the iterator kills everything at once. `report` is given what was grouped and
    run again.
    """
    # Here, because a zygote imports this package too and must stay small.
    from deskcheck.sandbox.levels import run_at_strongest
    from deskcheck.sandbox.supervisor import run_jobs

    check(level or require)
    workers = workers or os.cpu_count() or 1
    if level:
        return run_jobs(jobs, workers=workers, level=level, report=report)
    return run_at_strongest(jobs, workers=workers, report=report)


def check(require: str) -> None:
    """Nothing, or SandboxUnavailable when the level `require` cannot be had on this machine."""
    from deskcheck.sandbox.levels import check_level

    check_level(require)


def find() -> Found:
    """The strongest level that a live self-test reached on this machine, and what stronger ones lack."""
    from deskcheck.sandbox.levels import find_level

    return find_level()


def level() -> str:
    """The strongest level that a live self-test reached on this machine (run once per process)."""
    return find().level


def describe() -> str:
    """One line for people: the level, what it keeps in, and why it is not a stronger one."""
    from deskcheck.sandbox.levels import describe_level

    return describe_level(find())


def mend() -> str:
    """What to do for the next stronger level; "" at the strongest."""
    from deskcheck.sandbox import levels

    return levels.mend(find())


def admit(trust: str, source: str, *, i_trust_this_code: bool = False) -> str:
    """One line that says why programs of this source may run here; SandboxUnavailable when they may not.

    `trust`: "ours" (made or shipped by deskcheck), "pinned" (known by sha256), "named" (a file that the user
    named), "untrusted" (scraped, written by a model, or fetched without a hash).
    """
    from deskcheck.sandbox.levels import admit_source

    return admit_source(trust, source, i_trust_this_code=i_trust_this_code)


def trust_this_code() -> None:
    """What --i-trust-this-code says: untrusted sources may run at level "limits" too, in this process."""
    from deskcheck.sandbox import levels

    levels.trust_this_code()
