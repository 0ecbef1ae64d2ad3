"""What became of the job that a child was running when it ended: an outcome, from facts of the kernel's.

    judge(limits, Ended(status=.., killed_for=.., printed=..)) -> TimeLimit(10.0)

Only for a job whose frame did not come, or came with something else than an answer (`of_frame`).
"""

from __future__ import annotations

import os
import signal

from msgspec import Struct

from deskcheck.records import (
    Crashed,
    JobDone,
    JobFailed,
    Limits,
    MemoryLimit,
    OutputLimit,
    Refused,
    Rejected,
    TimeLimit,
)
from deskcheck.sandbox import wire

Failure = TimeLimit | MemoryLimit | OutputLimit | Crashed | Refused | Rejected


class Ended(Struct, frozen=True):
    """A child that is gone."""

    status: int
    """As waitpid gives it."""
    cpu_s: float
    killed_for: Failure | None
    """Why the supervisor killed it, if it did."""
    printed: int
    """Bytes in the output file."""


def judge(limits: Limits, ended: Ended) -> Failure:
    """The outcome of the job that sent no frame."""
    number = os.WTERMSIG(ended.status) if os.WIFSIGNALED(ended.status) else 0
    # First, because it is the same on every machine; whether the clock also ran out is not.
    if ended.printed > limits.output_bytes or number == signal.SIGXFSZ:
        return OutputLimit(limits.output_bytes)
    if ended.killed_for is not None:
        return ended.killed_for
    if number == signal.SIGXCPU:
        return TimeLimit(limits.time_s)
    if number == signal.SIGSYS:
        return Refused("system call")
    if number:
        return Crashed(_signal_name(number))
    code = os.waitstatus_to_exitcode(ended.status)
    return Crashed("exit 0 without a result" if code == 0 else f"exit {code}")


def is_doubtful(outcome: Failure, ended: Ended) -> bool:
    """Whether the machine rather than the program may have caused it: worth one more run.

    No time limit is: a job's clock stands while it waits for a processor (`running.waited_s`).
    """
    # Not by us: by the program itself, or by a kernel that was out of memory.
    return outcome == Crashed("SIGKILL") and ended.killed_for is None


def of_frame(frame: wire.Frame, limits: Limits) -> JobDone | JobFailed:
    """What a frame says, once its child is known to have printed no more than allowed."""
    match frame.kind:
        case wire.DONE:
            return JobDone(frame.body, frame.parts)
        case wire.OUT_OF_MEMORY:
            return JobFailed(MemoryLimit(limits.memory_bytes))
        case wire.TAMPERED:
            return JobFailed(Rejected("the program changed deskcheck's own modules in its process"))
        case wire.EXITED:
            return JobFailed(Crashed(f"exit {frame.body.decode('ascii', 'replace')}"))
        case _:
            return JobFailed(Rejected(f"job function raised {frame.body.decode('utf-8', 'replace')}"))


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
