"""Builds in children of one process that has loaded everything, each ended as its order says.

    python -m tests.dataset.killed       orders on stdin, one JSON list a line: [OUT, N, DELAY_S, HOW, AT]

HOW: "not" lets it run; "time" SIGKILLs it after AT seconds; "step" at its AT-th step on the disk (open,
fsync, rename, truncate, remove); "byte" when a file would grow beyond AT bytes, in the middle of the write;
"full" refuses that write with an error, as a disk does. The answer on stdout is its exit status: 0,
1 = DataError, -9, -25. fsync waits for nothing here: what a killed process wrote is in the kernel's hands.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import resource
import signal
import sys
import time
from pathlib import Path

from tests.dataset.fakes import FakeSource, FakeTracer

from deskcheck.dataset import build as building
from deskcheck.decontamination import near
from deskcheck.errors import DataError
from deskcheck.plugins import SourceOptions
from deskcheck.sandbox.containment import StrongestLevel

STEPS = {"open", "os.rename", "os.truncate", "os.remove", "os.mkdir"}


def kill_at_step(out: str, at: int) -> None:
    """SIGKILL this process at a step that the build takes on its folder."""
    steps = 0

    def step() -> None:
        nonlocal steps
        steps += 1
        if steps > at:
            os.kill(os.getpid(), signal.SIGKILL)

    def hook(event: str, arguments: tuple[object, ...]) -> None:
        if event in STEPS and str(arguments[0]).startswith(out):
            step()

    os.fsync = lambda fd: step()
    sys.addaudithook(hook)


def build(out: str, n: int, delay_s: float, how: str, at: float) -> int:
    """In the child."""
    os.fsync = lambda fd: None
    if how == "step":
        kill_at_step(out, int(at))
    if how in ("byte", "full"):
        signal.signal(signal.SIGXFSZ, signal.SIG_DFL if how == "byte" else signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (int(at), int(at)))
    building.load = lambda kind, name: FakeSource(range(n))  # type: ignore[assignment, return-value]
    building.containment.find = lambda warm=None: StrongestLevel("full", {})
    building.admit = lambda source, name: ""
    try:
        building.build(
            SourceOptions(source="fake"), Path(out), shard_size=10, trace=FakeTracer(delay_s=delay_s)
        )
    except DataError:
        return 1
    return 0


def main() -> None:
    # What pyarrow, the sandbox and the comparison with benchmarks load when they are first used: once, not in
    # each child, whose death would come before its first program.
    for name in ("numpy", "pandas", "deskcheck.sandbox.containment", "deskcheck.tracing.collect"):
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    near.edition()  # all fingerprints are read
    for line in sys.stdin:
        out, n, delay_s, how, at = json.loads(line)
        pid = os.fork()
        if pid == 0:
            code = 70
            try:
                code = build(out, n, delay_s, how, at)
            finally:
                os._exit(code)
        if how == "time":
            time.sleep(at)
            os.kill(pid, signal.SIGKILL)
        print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), flush=True)


if __name__ == "__main__":
    main()
