"""Processes that run JavaScript: start one, send it programs, end it when a program breaks a limit.

    with Engine(level="full", limits=Limits()) as engine:
        answer = engine.run(request, time_s=10.0)       Reply, or the outcome that ended the process

A process runs many programs, each in an isolate of its own. Time is measured here, by the wall clock. When V8
runs out of memory it ends the process, and the text that it leaves tells that from a crash.
"""

from __future__ import annotations

import contextlib
import importlib.util
import os
import select
import signal
import subprocess
import sys
import tempfile
import time
from typing import IO

import msgspec

from deskcheck.errors import MissingExtra, SandboxUnavailable
from deskcheck.languages.javascript.worker import Reply, Request, write_message
from deskcheck.records import Crashed, Limits, MemoryLimit, TimeLimit

START_S = 60.0
PROGRAMS_A_PROCESS = 500
_OUT_OF_MEMORY = (b"out of memory", b"OOM", b"Allocation failed", b"bad_alloc")
_ENVIRONMENT = {"TZ": "UTC", "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8"}


def is_installed() -> bool:
    """Return whether the package that brings V8 is installed."""
    return importlib.util.find_spec("py_mini_racer") is not None


def need_engine() -> None:
    """Raise MissingExtra if the package that brings V8 is not installed."""
    if not is_installed():
        raise MissingExtra("py_mini_racer", "javascript", "JavaScript")


class Engine:
    """One process with V8, started at the first program and again after one that ended it."""

    def __init__(self, *, level: str, limits: Limits) -> None:
        need_engine()
        self._level = level
        self._limits = limits
        self._process: subprocess.Popen[bytes] | None = None
        self._errors: IO[bytes] | None = None
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._n_run = 0
        self.version = ""
        """Version of V8, known after the first start."""

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def run(self, request: Request, *, time_s: float) -> Reply | TimeLimit | MemoryLimit | Crashed:
        """Run one program; return what the worker answers, or the outcome of a run that ended the process."""
        if self._process is None or self._n_run >= PROGRAMS_A_PROCESS:
            self.close()
            self._start()
        process = self._process
        assert process is not None and process.stdin is not None
        self._n_run += 1
        try:
            write_message(process.stdin, msgspec.msgpack.encode(request))  # type: ignore[arg-type]  # a buffered pipe
            data = self._read(time.monotonic() + time_s)
        except OSError:  # it died before it had read the request
            data = b""
        if data is None:
            self.close()
            return TimeLimit(time_s)
        if data:
            return msgspec.msgpack.decode(data, type=Reply)
        return self._death()

    def _start(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="deskcheck-js-", ignore_cleanup_errors=True)
        inside = os.path.join(self._folder.name, "run")
        os.mkdir(inside)
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115  # open as long as the process
        words = [self._level, inside, str(self._limits.memory_bytes)]
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-m", "deskcheck.languages.javascript.worker", *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            env=_ENVIRONMENT,
            start_new_session=True,
        )
        self._n_run = 0
        version = self._read(time.monotonic() + START_S)
        if not version:
            said = self._stderr_text()
            self.close()
            raise SandboxUnavailable(
                f"the JavaScript engine did not start at level {self._level}: {said[-500:]}"
            )
        self.version = version.decode()

    def _read(self, deadline: float) -> bytes | None:
        """Return the next message; b"" if the process has ended, None if the time is up."""
        assert self._process is not None and self._process.stdout is not None
        fd = self._process.stdout.fileno()
        data = bytearray()
        wanted = 4
        while True:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([fd], [], [], left)[0]:
                return None
            piece = os.read(fd, min(wanted - len(data), 1 << 20))
            if not piece:
                return b""
            data += piece
            if len(data) == wanted:
                if wanted > 4 or not (n_bytes := int.from_bytes(data, "little")):
                    return bytes(data[4:])
                wanted = 4 + n_bytes

    def _death(self) -> MemoryLimit | Crashed:
        assert self._process is not None
        try:
            code = self._process.wait(10.0)
        except subprocess.TimeoutExpired:
            code = -signal.SIGKILL
        said = self._stderr_text().encode("utf-8", "replace")
        self.close()
        if any(text in said for text in _OUT_OF_MEMORY) or b"MemoryError" in said:
            return MemoryLimit(self._limits.memory_bytes)
        number = -code if code < 0 else code - 128 if code > 128 else 0
        known = {one.value: one.name for one in signal.Signals}
        return Crashed(known.get(number, f"exit {code}"))

    def _stderr_text(self) -> str:
        if self._errors is None:
            return ""
        self._errors.seek(0)
        return self._errors.read(1 << 16).decode("utf-8", "replace")

    def close(self) -> None:
        """End the process and everything that it started."""
        if self._process is not None:
            for stream in (self._process.stdin, self._process.stdout):
                if stream is not None:
                    with contextlib.suppress(OSError):  # a request that nobody reads any more
                        stream.close()
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
            self._process = None
        if self._errors is not None:
            self._errors.close()
            self._errors = None
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None
