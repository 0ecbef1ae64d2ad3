"""Processes that run compiled C programs: one for traces, one with the sanitizers.

    with Engine(level="full") as engine:
        engine.run(path, limits, is_check=False) -> Reply, or TimeLimit
    engine.run(path, limits, is_check=False, pattern=PATTERNS[1])      other bytes in memory without a value

A worker process serves many programs and forks a child for each.
"""

from __future__ import annotations

import signal

import msgspec

from deskcheck.errors import SandboxUnavailable
from deskcheck.languages.c.compiler import sanitizer
from deskcheck.languages.c.worker import Reply, Request
from deskcheck.records import Limits, TimeLimit
from deskcheck.sandbox.service import Service

START_S = 60.0  # seconds within which a worker has to start
PATTERNS = (0xFE, 0x1D, 0xFB, 0x1B)
"""Bytes that fill memory without a value. They are rare in texts; as signed numbers, two are negative."""
_SANITIZERS = {
    "ASAN_OPTIONS": "detect_leaks=0:symbolize=0:exitcode=99:allocator_may_return_null=1:"
    "detect_stack_use_after_return=0:handle_segv=1:use_sigaltstack=1:color=never",
    "UBSAN_OPTIONS": "print_stacktrace=0:symbolize=0:color=never",
}


class Engine:
    """One worker for traces and one for checks; each starts at its first program, and again after a stop.

    `level`: containment level of both.
    """

    def __init__(self, *, level: str) -> None:
        self._workers = {is_check: _Worker(level, is_check=is_check) for is_check in (False, True)}

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End both worker processes and the processes that they started."""
        for worker in self._workers.values():
            worker.close()

    def run(
        self, path: str, limits: Limits, *, is_check: bool, pattern: int = PATTERNS[0]
    ) -> Reply | TimeLimit:
        """Run one compiled program in a process of its own; TimeLimit if it took longer than `limits.time_s`.

        `pattern`: byte that fills memory without a value; checks use zero.
        """
        sizes = limits.trace_bytes, limits.value_bytes, limits.output_bytes, limits.memory_bytes
        most = (limits.max_steps, *sizes, limits.nodes)
        return self._workers[is_check].run(
            Request(path, most, 0 if is_check else pattern, is_check), time_s=limits.time_s
        )


class _Worker:
    """One process, started again after it was stopped."""

    def __init__(self, level: str, *, is_check: bool) -> None:
        self._level = level
        self._is_check = is_check
        self._service: Service | None = None

    def run(self, request: Request, *, time_s: float) -> Reply | TimeLimit:
        service = self._service or self._start()
        data = service.ask(msgspec.msgpack.encode(request), time_s)
        if data:
            return msgspec.msgpack.decode(data, type=Reply)
        self.close()
        return TimeLimit(time_s) if data is None else Reply(-signal.SIGKILL, b"")

    def _start(self) -> Service:
        more = {"LD_PRELOAD": sanitizer(), **_SANITIZERS} if self._is_check else {}
        module = "deskcheck.languages.c.worker"
        self._service = Service(module, self._level, prefix="deskcheck-c-run-", more=more)
        if self._service.start(START_S) != b"ready":
            errors = self._service.errors()[-500:]
            self.close()
            raise SandboxUnavailable(
                f"the process that runs C programs did not start at level {self._level}: {errors}"
            )
        return self._service

    def close(self) -> None:
        """End the process and everything that it started."""
        if self._service is not None:
            self._service.close()
            self._service = None
