"""Tests in processes that are forked when all are collected: `pytest --forks 3`.

What tests import, torch among it, is imported once and not once per process. A file is run by one process;
whichever is free takes the next. When a process dies, the test that it ran has failed; another one runs the
rest of the file.
"""

from __future__ import annotations

import atexit
import contextlib
import itertools
import os
import signal
import sys
import time
import traceback
from collections.abc import Iterator
from dataclasses import dataclass
from multiprocessing import Pipe
from multiprocessing.connection import Connection, wait
from tempfile import TemporaryFile
from typing import Any

import pytest
from _pytest.capture import FDCapture

PATIENCE_S = 20
"""What processes have to take their fixtures down when the run is broken off."""


class Terminal:
    """In a process of tests: what pytest-timeout writes its stacks to."""

    def __init__(self, config: pytest.Config) -> None:
        self._tw = pytest.TerminalReporter(config, sys.stderr)._tw


class Sender:
    """In a process of tests: reports go to the process that has the terminal."""

    def __init__(self, config: pytest.Config, pipe: Connection) -> None:
        self._config, self._pipe = config, pipe

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        hook = self._config.hook
        self._pipe.send(("report", hook.pytest_report_to_serializable(config=self._config, report=report)))

    def pytest_runtest_logfinish(self, nodeid: str, location: tuple[str, int | None, str]) -> None:
        self._pipe.send(("finish", (nodeid, location)))


@dataclass
class Worker:
    pid: int
    at: int = -1
    """The item that it runs."""


class Forks:
    """Runs the tests of a session in `n` processes."""

    def __init__(self, n: int, *quiet: object) -> None:
        self._n, self._quiet = n, quiet
        """Plug-ins that only the process with the terminal needs."""

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool | None:
        if session.testsfailed or session.config.option.collectonly:
            return None
        self._session = session
        folders: Any = session.config
        self._folders = folders._tmp_path_factory
        self._folders.getbasetemp()  # locked by this process: a test may run what is for the end of its own
        files = [len(list(items)) for _, items in itertools.groupby(session.items, lambda item: item.path)]
        self._ends = [*itertools.accumulate(files)]
        self._queue, fill = os.pipe()  # of numbers of files; its end is the end of the tests
        os.write(fill, b"".join(number.to_bytes(2, "big") for number in range(len(files))))
        os.close(fill)
        self._workers: dict[Connection, Worker] = {}
        try:
            for _ in range(min(self._n, len(files))):
                self._start([])
            while self._workers:
                for pipe in wait([*self._workers], timeout=1) or self._silent():
                    self._hear(pipe)
                if session.shouldfail:
                    raise session.Failed(session.shouldfail)
        finally:
            self._stop()
            os.close(self._queue)
        return True

    # ---------------------------------------------------------------- with the terminal

    def _start(self, items: list[int]) -> None:
        """A process that runs these, then what the queue gives."""
        ours, theirs = Pipe(duplex=False)
        pid = os.fork()
        if pid == 0:
            code = 1
            try:
                self._work(theirs, items)
                code = 0
            except BaseException as error:
                if not isinstance(error, KeyboardInterrupt):
                    traceback.print_exc()
            finally:
                os._exit(code)
        theirs.close()
        self._workers[ours] = Worker(pid)

    def _silent(self) -> list[Connection]:
        """Pipes of processes that are no more, though some child of theirs holds the other end."""
        return [
            pipe
            for pipe, worker in self._workers.items()
            if os.waitid(os.P_PID, worker.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) and not pipe.poll()
        ]

    def _hear(self, pipe: Connection) -> None:
        session, worker, hook = self._session, self._workers[pipe], self._session.config.hook
        kind, what = "end", None
        with contextlib.suppress(EOFError, OSError):
            if pipe.poll():
                kind, what = pipe.recv()
        if kind == "start":
            worker.at = what
        elif kind == "report":
            report = hook.pytest_report_from_serializable(config=session.config, data=what)
            hook.pytest_runtest_logreport(report=report)
        elif kind == "finish":
            hook.pytest_runtest_logfinish(nodeid=what[0], location=what[1])
        else:
            del self._workers[pipe]
            pipe.close()
            status = os.waitstatus_to_exitcode(os.waitpid(worker.pid, 0)[1])
            if status:
                self._blame(worker, status)

    def _blame(self, worker: Worker, status: int) -> None:
        """The test that a process ran when it died has failed; the rest of its file is run by another."""
        item = self._session.items[max(worker.at, 0)]
        how = f"the process of its tests ended with {status} while it ran"
        report = pytest.TestReport(item.nodeid, item.location, {}, "failed", how, "call")
        self._session.config.hook.pytest_runtest_logreport(report=report)
        if worker.at >= 0:
            self._start([*range(worker.at + 1, next(end for end in self._ends if end > worker.at))])

    def _stop(self) -> None:
        """Of a run that was broken off."""
        for worker in self._workers.values():
            os.kill(worker.pid, signal.SIGINT)
        deadline = time.monotonic() + PATIENCE_S
        while self._workers:
            for pipe in wait([*self._workers], timeout=0.1):
                with contextlib.suppress(EOFError, OSError):
                    pipe.recv()
            for pipe, worker in [*self._workers.items()]:
                if time.monotonic() > deadline:
                    os.kill(worker.pid, signal.SIGKILL)
                if os.waitpid(worker.pid, os.WNOHANG)[0]:
                    del self._workers[pipe]

    # ---------------------------------------------------------------- with the tests

    def _work(self, pipe: Connection, items: list[int]) -> None:
        session, manager = self._session, self._session.config.pluginmanager
        capture: Any = manager.get_plugin("capturemanager")
        for stream in (capture._global_capturing.out, capture._global_capturing.err):
            if isinstance(stream, FDCapture):  # its file is shared with the other processes
                with TemporaryFile(buffering=0) as own:
                    os.dup2(own.fileno(), stream.tmpfile.fileno(), inheritable=False)
        self._folders._basetemp = self._folders.getbasetemp() / f"process-{os.getpid()}"
        self._folders._basetemp.mkdir(mode=0o700)
        for plugin in (manager.get_plugin("terminalreporter"), *self._quiet):
            manager.unregister(plugin)
        manager.register(Terminal(session.config), "terminalreporter")
        manager.register(Sender(session.config, pipe))
        state: Any = session._setupstate
        try:
            for numbers in itertools.chain([items], self._files()):
                for number in numbers:
                    item = session.items[number]
                    pipe.send(("start", number))
                    following: Any = session.items[number + 1] if number + 1 in numbers else session
                    item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        finally:
            state.teardown_exact(None)
            atexit._run_exitfuncs()

    def _files(self) -> Iterator[range]:
        """Items of one file after another, until none is left."""
        while number := os.read(self._queue, 2):
            n = int.from_bytes(number, "big")
            yield range(self._ends[n - 1] if n else 0, self._ends[n])
