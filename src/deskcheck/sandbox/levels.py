"""Which containment this machine can give: found by trying, never by kernel version.

    find_level() -> "limits"          the strongest level whose probe passed
    check_level("kernel")             SandboxUnavailable when that is more than there is

A new level is one entry in `LEVELS` with its probe: a function that runs real jobs in the sandbox and says
what held. The result is the strongest level whose probe, and every weaker one, passed.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache

from deskcheck.errors import SandboxUnavailable, UnknownName
from deskcheck.records import Job, JobDone, JobFailed, Limits, MemoryLimit, OutputLimit, TimeLimit
from deskcheck.sandbox.supervisor import run_jobs

# What `require` may name, from the weakest; docs/sandbox.md says what each promises.
KNOWN = ("limits", "seccomp", "kernel", "full")

_WORDS = {
    "limits": "time, memory, output and crashes are contained; files, network and other processes are not, "
    "so run only programs that you would run yourself",
}


def find_level() -> str:
    """The strongest level that works here. SandboxUnavailable, with what did not hold, if none does."""
    reached = ""
    for name, probe in LEVELS.items():
        failure = probe()
        if failure and not reached:
            raise SandboxUnavailable(f"the sandbox's self-test failed: {failure}; see docs/sandbox.md")
        if failure:
            break
        reached = name
    return reached


def check_level(require: str) -> None:
    """Nothing if `require` can be had. The weakest level is what every run has, so it costs no self-test."""
    if require not in KNOWN:
        raise UnknownName("sandbox level", require, list(KNOWN))
    if require == KNOWN[0]:
        return
    found = find_level()
    if KNOWN.index(found) < KNOWN.index(require):
        raise SandboxUnavailable(
            f"sandbox level '{require}' is required, but this version of deskcheck reaches '{found}' on "
            f"{sys.platform}; run with --require {found} if you trust the programs, or inside a container"
        )


def describe_level(name: str) -> str:
    """One printed line."""
    return f"sandbox: {name} ({_WORDS[name]})"


@cache
def _probe_limits() -> str:
    """What did not hold of the plain limits; "" when all did."""
    limits = Limits(time_s=20.0, memory_bytes=1 << 30, output_bytes=1 << 16)
    here = "deskcheck.sandbox.selftest"
    jobs = [
        Job("limits", f"{here}:report_limits", b"HOME", limits),
        Job("time", f"{here}:loop", b"", Limits(time_s=0.1)),
        Job("output", f"{here}:print_much", b"x" * 1000, limits),
    ]
    if sys.platform.startswith("linux"):
        jobs.append(Job("memory", f"{here}:take_memory", b"%d" % (1 << 32), limits))
    wanted = {"time": TimeLimit, "output": OutputLimit, "memory": MemoryLimit}
    for result in run_jobs(jobs, workers=1):
        match result.result:
            case JobDone(payload) if result.id == "limits" and payload == b"core=0 files=64 leaked=False":
                continue
            case JobFailed(outcome) if isinstance(outcome, wanted.get(result.id, ())):
                continue
            case found:
                return f"the probe '{result.id}' ended as {found}"
    return ""


LEVELS: dict[str, Callable[[], str]] = {"limits": _probe_limits}
