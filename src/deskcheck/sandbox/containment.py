"""Find the strongest containment level of this machine by trying it, and run jobs at that level.

    run(jobs, workers=2) -> JobResult, ..      at the strongest containment level
    find() -> StrongestLevel("kernel", {"full": "unshare: Operation not permitted"})          once per process
    check("full")             raises SandboxUnavailable with the reason and the remedy

The strongest containment level is tried first: real jobs in a child try to read, write, connect, signal and
fork. A level holds if no job can do more than the level allows, and the limits of time, memory and output end
the jobs that pass them. The failures of stronger levels are kept and shown; the kernel's version plays no
part. If the self-test has just run, its zygote goes on with the jobs.

Containment level "limits" protects neither your files nor the network. A program runs there only if deskcheck
made or ships it, its file has a known sha256, or the user named the file (`admit`). `trust_this_code` has the
effect of --require i-trust-this-code for the rest of the process.
"""

from __future__ import annotations

import os
import socket
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from pathlib import Path

import msgspec
from msgspec import Struct

from deskcheck.errors import SandboxUnavailable, UnknownName, install_line
from deskcheck.records import Job, JobDone, JobFailed, JobResult, Limits, MemoryLimit, OutputLimit, TimeLimit
from deskcheck.sandbox import LEVELS as KNOWN
from deskcheck.sandbox.selftest import EscapeTargets
from deskcheck.sandbox.supervisor import run_jobs
from deskcheck.sandbox.wire import Report
from deskcheck.sandbox.worker import Warm

_WORDS = {
    "limits": "time, memory, output and crashes are contained; files, network and other processes are not",
    "seccomp": "no write, network, process or signal; every file that you can read stays readable",
    "kernel": "no file outside the interpreter, no write, network, process or signal",
    "full": "own root, network, users and process numbers; no write, network, process or signal",
}
# Actions of `selftest.escape` that a containment level allows.
_ALLOWED = {
    "seccomp": {"read a file", "see a file", "see its parent's number"},
    "kernel": {"see a file", "see its parent's number"},
    "full": set[str](),
}
_MEND = {
    "full": "allow user namespaces (docs/sandbox.md: Ubuntu, Docker)",
    "kernel": "boot Linux 5.13 or newer with lsm=landlock,..",
    "seccomp": "on Linux (x86-64, aarch64) with a C compiler: "
    f"{install_line(is_again=True)}; elsewhere a container or VM",
}


class StrongestLevel(Struct, frozen=True):
    """The strongest containment level that holds here, and the failure of every stronger one."""

    level: str
    missing: dict[str, str]
    """Stronger level -> its failure."""


_found: list[StrongestLevel] = []


def find(warm: Warm | None = None) -> StrongestLevel:
    """Return the strongest containment level, tried once per process.

    The zygote of the self-test stays in `warm`, if that is given.
    """
    if not _found:
        _found.append(try_levels(warm))
    return _found[0]


def run(
    jobs: Iterable[Job],
    *,
    workers: int = 0,
    require: str = "limits",
    level: str = "",
    report: Callable[[Report], None] | None = None,
) -> Iterator[JobResult]:
    """Run jobs at the strongest containment level or at exactly `level`; yield results in input order.

    `workers`: 0 = one per core. SandboxUnavailable if `require` does not hold. A crash of a child is data in
    its JobResult. Closing the iterator kills everything at once. `report` gets the run's Report at the end.
    """
    check(level or require)
    workers = workers or os.cpu_count() or 1
    if level:
        return run_jobs(jobs, workers=workers, level=level, report=report)
    return run_at_strongest(jobs, workers=workers, report=report)


def run_at_strongest(
    jobs: Iterable[Job], *, workers: int, report: Callable[[Report], None] | None = None
) -> Iterator[JobResult]:
    """Run jobs at the strongest containment level, in the zygote of the self-test if it has just run."""
    source = iter(jobs)
    first = next(source, None)
    if first is None:
        return
    with Warm(first.function) as warm:
        strongest = find(warm).level
        yield from run_jobs(
            chain([first], source), workers=workers, level=strongest, report=report, warm=warm
        )


def try_levels(warm: Warm | None = None) -> StrongestLevel:
    """Try the containment levels and return the strongest that works. SandboxUnavailable if none does."""
    missing: dict[str, str] = {}
    for level in reversed(KNOWN):
        failure = probe(level, warm)
        if not failure:
            return StrongestLevel(level, missing)
        missing[level] = failure
        if warm is not None:
            warm.clear()
    raise SandboxUnavailable(f"the sandbox's self-test failed: {missing[KNOWN[0]]}; see docs/sandbox.md")


def check(require: str) -> None:
    """Raise SandboxUnavailable if the level `require` does not hold here; the weakest needs no self-test."""
    if require not in KNOWN:
        raise UnknownName("containment level", require, list(KNOWN))
    if require == KNOWN[0]:
        return
    found = find()
    if KNOWN.index(found.level) < KNOWN.index(require):
        raise SandboxUnavailable(
            f"containment level '{require}' is required, but only '{found.level}' can be had here "
            f"({found.missing[require]}); {_mend_of(found)}; or accept --require {found.level}"
        )


def _mend_of(level: StrongestLevel) -> str:
    """Return the remedy that gives the next stronger level; "" at the strongest of all."""
    return _MEND[min(level.missing, key=KNOWN.index)] if level.missing else ""


def mend() -> str:
    """Return the remedy that gives this machine the next stronger containment level; "" at the strongest."""
    return _mend_of(find())


def describe() -> str:
    """Return one printed line about this machine's containment level: its protection, and what is missing."""
    return describe_level(find())


def describe_level(level: StrongestLevel) -> str:
    """Return one printed line about a containment level: its protection, and why it is not stronger."""
    above = KNOWN[KNOWN.index(level.level) + 1 :][:1]
    why = f"; not {above[0]}: {level.missing[above[0]]}" if above else ""
    return f"sandbox: {level.level} ({_WORDS[level.level]}{why})"


def probe(level: str, warm: Warm | None = None) -> str:
    """Test a containment level and return its first failure, "" if there is none."""
    try:
        with tempfile.TemporaryDirectory(prefix="deskcheck-probe-") as folder, socket.socket() as listener:
            listener.bind(("127.0.0.1", 0))
            listener.listen()
            return _probe(level, folder, listener.getsockname()[1], warm)
    except SandboxUnavailable as error:
        return str(error)


def _probe(level: str, folder: str, port: int, warm: Warm | None) -> str:
    """Run the self-test's jobs at a level; return the first that ended otherwise than it must, or ""."""
    limits = Limits(time_s=20.0, memory_bytes=1 << 30, output_bytes=1 << 16)
    here = "deskcheck.sandbox.selftest"
    secret = Path(folder, "secret")
    secret.write_bytes(b"secret")
    secret.chmod(0o600)
    jobs = [
        Job("limits", f"{here}:report_limits", b"HOME", limits),
        Job("time", f"{here}:loop", b"", Limits(time_s=0.03)),
        Job("output", f"{here}:print_much", b"x" * 1000, limits),
    ]
    if sys.platform.startswith("linux"):
        jobs.append(Job("memory", f"{here}:take_memory", b"%d" % (1 << 32), limits))
    if level in _ALLOWED:
        targets = EscapeTargets(file=str(secret), folder=folder, port=port, pid=os.getpid())
        jobs.append(Job("escape", f"{here}:escape", msgspec.json.encode(targets), limits))
    wanted = {"time": TimeLimit, "output": OutputLimit, "memory": MemoryLimit}
    limited = b"core=0 files=65 leaked=False"  # no core file; MAX_FILES of confine.py; no variable of ours
    for result in run_jobs(jobs, workers=1, level=level, warm=warm):
        match result.result:
            case JobDone(payload) if result.id == "limits" and payload == limited:
                continue
            case JobDone(payload) if result.id == "escape":
                done = set(msgspec.json.decode(payload, type=list[str])) - _ALLOWED[level]
                if done:
                    return f"a program could {', '.join(sorted(done))}"
            case JobFailed(outcome) if isinstance(outcome, wanted.get(result.id, ())):
                continue
            case found:
                return f"the probe '{result.id}' ended as {found}"
    return ""


TRUST = {
    "ours": "its programs are made by or shipped with deskcheck",
    "pinned": "its programs are known by sha256",
    "named": "you named it",
    "untrusted": "nobody answers for its programs",
}
_said: list[str] = []


def trust_this_code() -> None:
    """Allow untrusted sources at containment level "limits" from now on (--require i-trust-this-code)."""
    _said.append("--require i-trust-this-code")


def admit(trust: str, source: str, *, i_trust_this_code: bool = False) -> str:
    """Return one line on why programs of this source may run here; SandboxUnavailable if they may not.

    `trust`: "ours" (made or shipped by deskcheck), "pinned" (known by sha256), "named" (a file that the user
    named), "untrusted" (scraped, written by a model, or fetched without a hash).
    """
    words = TRUST[trust]
    found = find()
    held = describe_level(found)
    if trust != "untrusted" or found.level != "limits":
        return f"{held}; {source}: {words}"
    if i_trust_this_code or _said:
        return f"{held}; {source}: {words}, and runs because you said --require i-trust-this-code"
    raise SandboxUnavailable(
        f"{source}: {words}, and at containment level 'limits' they could read and change your files "
        f"(no stronger level here: {found.missing['seccomp']}); run inside a container or VM that "
        "allows Landlock or seccomp (docs/sandbox.md), or say --require i-trust-this-code"
    )
