"""Records of the jobs that the sandbox runs in child processes, and of their results."""

from __future__ import annotations

from msgspec import Struct, field

from deskcheck.records.trace import (
    Crashed,
    Limits,
    MemoryLimit,
    OutputLimit,
    Refused,
    Rejected,
    TimeLimit,
)

# Reasons why a result does not count; values of `Rejected.check`.
NONDETERMINISTIC = "nondeterministic: it gave different results, alone in a process each time"
NOT_ALONE = "company: it gave another result behind other programs than alone, a defect of the sandbox"
UNEXPLAINED = "unexplained: no recorded step says what changed an object of type "
"""The tracer's own reason for a run in which something changed unseen; the name of the type follows."""
COMPANY = "company: it ran with a program whose result was another one alone, a defect of the sandbox"


class Job(Struct, frozen=True, gc=False):
    """One piece of work for a contained child process."""

    id: str
    """Id chosen by the caller, which the result repeats."""
    function: str
    """Function "module:function" inside deskcheck; it takes the payload's bytes and returns bytes."""
    payload: bytes
    limits: Limits
    alone: bool = False
    """Whether the job must not share a process with other jobs, because the caller suspects its program."""
    is_second: bool = False
    """Whether the job repeats the job before it, so that the two results can be compared.

    It runs alone, because the same neighbors could change both results, and in a child of another zygote. All
    children of one zygote have its libraries at the same addresses, so that `hash(int)`, which depends on an
    address, would be the same in both runs."""
    files: dict[str, bytes] = field(default_factory=dict)
    """Files for its working folder: relative name -> contents. A job with files runs alone."""


class JobDone(Struct, frozen=True, tag="done", gc=False):
    """Success of a job: its function returned bytes."""

    payload: bytes
    parts: dict[int, memoryview] = field(default_factory=dict)
    """Number of a stream -> data sent during the run: views of a file that is deleted with the last view."""


class JobFailed(Struct, frozen=True, tag="failed", gc=False):
    """Failure of a job: the outcome gives the reason as data."""

    outcome: TimeLimit | MemoryLimit | OutputLimit | Crashed | Refused | Rejected


class JobResult(Struct, frozen=True, gc=False):
    """Result of running one Job in the sandbox."""

    id: str
    result: JobDone | JobFailed
    output: bytes
    """Output of the program, up to the limit."""
    wall_s: float
    """Duration measured by the parent; never stored in a shard."""
    refusals: list[str] = field(default_factory=list)
    """Refused system calls, each with its rule of the sandbox: "write:unlink", "network:socket"."""
    prepared: bytes = b""
    """Report of the function about the payload, made before any program ran in the child; b"" = none."""
    compared: list[JobResult] = field(default_factory=list)
    """[result after other jobs, result alone] if the two differ, a defect of the sandbox; else empty."""
