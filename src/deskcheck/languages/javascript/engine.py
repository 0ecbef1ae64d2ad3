"""Processes that run JavaScript: start one, send it programs, end it when a program breaks a limit.

    with Engine(level="full", limits=Limits()) as engine:
        answer = engine.run(request, time_s=10.0)       Reply, or the outcome that ended the process

A process runs many programs, each in an isolate of its own. When V8 runs out of memory, it ends the process;
its message on standard error tells this end from a crash.
"""

from __future__ import annotations

import importlib.util
import signal

import msgspec

from deskcheck.errors import MissingExtra, SandboxUnavailable
from deskcheck.languages.javascript.worker import Reply, Request
from deskcheck.records import Crashed, Limits, MemoryLimit, TimeLimit
from deskcheck.sandbox.service import Service

START_S = 60.0  # seconds within which the process has to start
PROGRAMS_A_PROCESS = 500  # then a new process takes its place
_OUT_OF_MEMORY = ("out of memory", "OOM", "Allocation failed", "bad_alloc", "MemoryError")


def is_installed() -> bool:
    """Return whether the package that brings V8 is installed."""
    return importlib.util.find_spec("py_mini_racer") is not None


def need_engine() -> None:
    """Raise MissingExtra if the package that brings V8 is not installed."""
    if not is_installed():
        raise MissingExtra("py_mini_racer", "javascript", "JavaScript")


class Engine:
    """One process with V8. It starts at the first program, and again after a program that ended it."""

    def __init__(self, *, level: str, limits: Limits) -> None:
        need_engine()
        self._level = level
        self._limits = limits
        words = (str(limits.memory_bytes),)
        self._service = Service(
            "deskcheck.languages.javascript.worker", level, *words, prefix="deskcheck-js-"
        )
        self._n_run = 0
        self.version = ""
        """Version of V8, known after the first start."""

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def run(self, request: Request, *, time_s: float) -> Reply | TimeLimit | MemoryLimit | Crashed:
        """Run one program; return the worker's reply, or the outcome of a run that ended the process.

        SandboxUnavailable if the process does not start.
        """
        if not self._service.is_running or self._n_run >= PROGRAMS_A_PROCESS:
            self.close()
            self._start()
        self._n_run += 1
        data = self._service.ask(msgspec.msgpack.encode(request), time_s)
        if data is None:
            self.close()
            return TimeLimit(time_s)
        return msgspec.msgpack.decode(data, type=Reply) if data else self._death()

    def _start(self) -> None:
        self._n_run = 0
        version = self._service.start(START_S)
        if not version:
            errors = self._service.errors()[-500:]
            self.close()
            raise SandboxUnavailable(f"the JavaScript engine did not start at level {self._level}: {errors}")
        self.version = version.decode()

    def _death(self) -> MemoryLimit | Crashed:
        code, errors = self._service.exit_code(), self._service.errors()
        self.close()
        if any(text in errors for text in _OUT_OF_MEMORY):
            return MemoryLimit(self._limits.memory_bytes)
        number = -code if code < 0 else code - 128 if code > 128 else 0
        known = {one.value: one.name for one in signal.Signals}
        return Crashed(known.get(number, f"exit {code}"))

    def close(self) -> None:
        """End the process and everything that it started."""
        self._service.close()
