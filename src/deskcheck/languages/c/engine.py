"""Processes that run compiled C programs: one for traces, one with the sanitizers.

    with Engine(level="full") as engine:
        engine.run(path, limits, is_check=False) -> Reply, or TimeLimit

A worker stays for many programs and gives each a child of its own. Time is measured here, by the wall clock.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import sys
import tempfile
import time

import msgspec

from deskcheck.errors import SandboxUnavailable
from deskcheck.languages.c.compiler import sanitizer
from deskcheck.languages.c.worker import Reply, Request, write_message
from deskcheck.records import Limits, TimeLimit

START_S = 60.0
_ENVIRONMENT = {"TZ": "UTC", "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8"}
_SANITIZERS = {
    "ASAN_OPTIONS": "detect_leaks=0:symbolize=0:exitcode=99:allocator_may_return_null=1:"
    "detect_stack_use_after_return=0:handle_segv=1:use_sigaltstack=1:color=never",
    "UBSAN_OPTIONS": "print_stacktrace=0:symbolize=0:color=never",
}


class Engine:
    """A worker for traces and one for checks, started at their first program and after one was stopped."""

    def __init__(self, *, level: str) -> None:
        self._workers = {is_check: _Worker(level, is_check=is_check) for is_check in (False, True)}

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End both processes and what they started."""
        for worker in self._workers.values():
            worker.close()

    def run(self, path: str, limits: Limits, *, is_check: bool) -> Reply | TimeLimit:
        """Run one compiled program in a process of its own."""
        sizes = limits.trace_bytes, limits.value_bytes, limits.output_bytes, limits.memory_bytes
        most = (limits.max_steps, *sizes, limits.nodes)
        return self._workers[is_check].run(Request(path, most, is_check), time_s=limits.time_s)


class _Worker:
    """One process, which may be started again."""

    def __init__(self, level: str, *, is_check: bool) -> None:
        self._level = level
        self._is_check = is_check
        self._process: subprocess.Popen[bytes] | None = None
        self._folder: tempfile.TemporaryDirectory[str] | None = None

    def run(self, request: Request, *, time_s: float) -> Reply | TimeLimit:
        if self._process is None:
            self._start()
        process = self._process
        assert process is not None and process.stdin is not None
        write_message(process.stdin, msgspec.msgpack.encode(request))  # type: ignore[arg-type]  # a buffered pipe
        data = self._read(time.monotonic() + time_s)
        if data:
            return msgspec.msgpack.decode(data, type=Reply)
        self.close()
        if data is None:
            return TimeLimit(time_s)
        return Reply(-signal.SIGKILL, b"")

    def _start(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="deskcheck-c-run-", ignore_cleanup_errors=True)
        inside = os.path.join(self._folder.name, "run")
        os.mkdir(inside)
        more = {"LD_PRELOAD": sanitizer(), **_SANITIZERS} if self._is_check else {}
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-m", "deskcheck.languages.c.worker", self._level, inside],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=_ENVIRONMENT | more,
            start_new_session=True,
        )
        if self._read(time.monotonic() + START_S) != b"ready":
            self.close()
            raise SandboxUnavailable(f"the process that runs C programs did not start at level {self._level}")

    def _read(self, deadline: float) -> bytes | None:
        """Return the next message; b"" if the process has ended, None if the time is up."""
        assert self._process is not None and self._process.stdout is not None
        fd = self._process.stdout.fileno()
        data = bytearray()
        wanted = 8
        while True:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([fd], [], [], left)[0]:
                return None
            piece = os.read(fd, min(wanted - len(data), 1 << 20))
            if not piece:
                return b""
            data += piece
            if len(data) == wanted:
                if wanted > 8:
                    return bytes(data[8:])
                wanted = 8 + int.from_bytes(data, "little")

    def close(self) -> None:
        """End the process and everything that it started."""
        if self._process is not None:
            for stream in (self._process.stdin, self._process.stdout):
                if stream is not None:
                    with contextlib.suppress(OSError):
                        stream.close()
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
            self._process = None
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None
