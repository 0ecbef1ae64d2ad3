"""Work for a contained child process, and what became of it."""

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

# Why a result that came does not count; checks of Rejected.
NONDETERMINISTIC = "nondeterministic: it gave different results, alone in a process each time"
NOT_ALONE = "company: it gave another result behind other programs than alone, a defect of the sandbox"
COMPANY = "company: it ran with a program whose result was another one alone, a defect of the sandbox"


class Job(Struct, frozen=True, gc=False):
    """One piece of work for a contained child process."""

    id: str
    """Chosen by the caller; comes back with the result."""
    function: str
    """"module:function" inside deskcheck; takes the payload's bytes, returns bytes."""
    payload: bytes
    limits: Limits
    alone: bool = False
    """Never in one process with other jobs: the caller has a reason to suspect it."""
    files: dict[str, bytes] = field(default_factory=dict)
    """Files to read in its working folder: relative name -> contents. Such a job runs alone."""


class JobDone(Struct, frozen=True, tag="done", gc=False):
    """The function came back with bytes."""

    payload: bytes
    parts: dict[int, memoryview] = field(default_factory=dict)
    """Data that it sent while it ran, by stream number: views of a file that is deleted with the last one."""


class JobFailed(Struct, frozen=True, tag="failed", gc=False):
    """The child did not deliver: the reason is data."""

    outcome: TimeLimit | MemoryLimit | OutputLimit | Crashed | Refused | Rejected


class JobResult(Struct, frozen=True, gc=False):
    """Result of running one Job in the sandbox."""

    id: str
    result: JobDone | JobFailed
    output: bytes
    """Output of the program, up to the limit."""
    wall_s: float
    """Measured by the parent; never stored in a shard."""
    refusals: list[str] = field(default_factory=list)
    """Rules of the sandbox that refused the job a system call, and it: "write:unlink", "network:socket"."""
    prepared: bytes = b""
    """Facts that the function reported of the payload before any program ran in its child; b"" = none."""
    compared: list[JobResult] = field(default_factory=list)
    """Where the sandbox has found a defect of its own: the result in company, and the one alone."""
