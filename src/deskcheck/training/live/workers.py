"""Run processes that make training data: a dead process is logged and replaced, and the run continues.

    with Workers(14, log=folder / "failures.jsonl", say=print) as workers:
        workers.submit(make_part, plan, path, what="stage 2, programs 117, seed 8") -> Future

A pool of `concurrent.futures` fails all its tasks once one process dies, without naming the task that killed
it. Here only the task of the dead process fails, with WorkerDied: the signal, the task, and the number of the
program that it had begun to draw (`begin_draw`). Each process has a memory limit, so that one drawn program
cannot take what the training needs.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import threading
import time
import warnings
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from queue import SimpleQueue
from typing import Any, NamedTuple

from deskcheck.errors import DeskcheckError, UserError

MEMORY_BYTES = 4 << 30
"""Address space of a worker; a task that needs more fails with MemoryError."""
TASK_S = 600.0
"""Seconds after which a task counts as hung, and its process is killed."""
MOST_FAILURES = 8
"""Failed tasks in a row after which `submit` raises UserError."""
FEW_PROCESSORS = 8
"""Largest number of processors of a machine on which workers use all of them."""
SPARED = 2
"""Processors that workers leave to a training on a GPU, if the machine has more than FEW_PROCESSORS."""

_draw: Any = None
"""In a worker: number of the program being drawn, in memory that its parent reads."""


def begin_draw(number: int) -> None:
    """Record the number of the program to draw, for the report of a worker's death; no effect elsewhere."""
    if _draw is not None:
        _draw.value = number


class WorkerDied(DeskcheckError):
    """Error of a task whose worker ended first: killed by a signal, by the system, or after TASK_S."""

    def __init__(self, how: str, what: str, draw: int) -> None:
        self.how, self.what, self.draw = how, what, draw
        at = f", at draw {draw:,}" if draw >= 0 else ""
        super().__init__(f"a data worker died ({how}) making {what}{at}")


class _Task(NamedTuple):
    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    what: str
    future: Future[Any]


class _Process:
    """One worker process and the connection to it."""

    def __init__(self, spares: bool) -> None:
        context = get_context("spawn")
        self.connection, theirs = context.Pipe()
        self.draw = context.RawValue("q", -1)
        self.process = context.Process(target=_serve, args=(theirs, self.draw, spares), daemon=True)
        self.process.start()
        theirs.close()

    def result(self, task: _Task) -> Any:
        """Run one task. WorkerDied if the process ends first; the task's own exception if it raises one."""
        self.draw.value = -1
        try:
            self.connection.send((task.function, task.arguments))
            if not self.connection.poll(TASK_S):
                self.process.kill()
                raise self._death(task, f"killed: no result within {TASK_S:.0f} s")
            has_returned, result = self.connection.recv()
        except (EOFError, ConnectionError):
            raise self._death(task) from None
        if has_returned:
            return result
        raise result

    def _death(self, task: _Task, how: str = "") -> WorkerDied:
        self.process.join()
        code = self.process.exitcode or 0
        how = how or (signal.Signals(-code).name if code < 0 else f"exit status {code}")
        return WorkerDied(how, task.what, self.draw.value)


class Workers:
    """Worker processes with a queue of tasks; one thread of this process waits for each worker.

    `spares`: leave SPARED processors to a training on a GPU.
    """

    def __init__(
        self,
        n: int,
        *,
        log: Path | None = None,
        say: Callable[[str], None] = lambda text: None,
        spares: bool = False,
    ) -> None:
        self.n_deaths = self._in_a_row = 0
        self._log, self._say, self._spares = log, say, spares
        self._tasks: SimpleQueue[_Task | None] = SimpleQueue()
        self._processes: dict[int, _Process] = {}
        self._lock, self._is_closing = threading.Lock(), False
        self._threads = [threading.Thread(target=self._run, args=(k,), daemon=True) for k in range(n)]
        for thread in self._threads:
            thread.start()

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def submit(self, function: Callable[..., Any], *arguments: Any, what: str) -> Future[Any]:
        """Queue a task; `what` names it in a report. UserError after MOST_FAILURES failed tasks in a row."""
        if self._in_a_row >= MOST_FAILURES:
            raise UserError(
                f"{self._in_a_row} tasks of the data workers failed in a row ({self._log}); "
                "--workers 0 makes the data in this process and shows the first failure"
            )
        task = _Task(function, arguments, what, Future())
        self._tasks.put(task)
        return task.future

    def close(self) -> None:
        """End the processes, and cancel the waiting tasks."""
        self._is_closing = True
        while not self._tasks.empty():
            if (task := self._tasks.get()) is not None:
                task.future.cancel()
        for _ in self._threads:
            self._tasks.put(None)
        with self._lock:
            for process in list(self._processes.values()):
                process.process.kill()
        for thread in self._threads:
            thread.join()

    def _run(self, number: int) -> None:
        while (task := self._tasks.get()) is not None:
            if not task.future.set_running_or_notify_cancel():
                continue
            try:
                result = self._started(number).result(task)
            except WorkerDied as death:
                self._processes.pop(number).connection.close()
                self._report(task, death)
            except Exception as error:
                self._report(task, error)
            else:
                self._in_a_row = 0
                task.future.set_result(result)
        if (process := self._processes.pop(number, None)) is not None:
            process.process.kill()
            process.process.join()

    def _started(self, number: int) -> _Process:
        with self._lock:
            if number not in self._processes:
                if self._is_closing:
                    raise RuntimeError("the workers are being closed")
                self._processes[number] = _Process(self._spares)
            return self._processes[number]

    def _report(self, task: _Task, error: Exception) -> None:
        """Log and print a failure, and set it as the error of the task's future."""
        is_death = isinstance(error, WorkerDied)
        if not self._is_closing:
            self._in_a_row += 1
            self.n_deaths += is_death
            row = {
                "what": task.what,
                "error": f"{type(error).__name__}: {error}",
                "time": round(time.time(), 1),
            }
            row |= {"how": error.how, "draw": error.draw} if isinstance(error, WorkerDied) else {}
            self._say(f"{error}; another worker takes its place" if is_death else f"{task.what}: {error!r}")
            if self._log is not None:
                with suppress(OSError), self._log.open("a") as file:
                    file.write(json.dumps(row) + "\n")
        task.future.set_exception(error)


def _serve(connection: Connection, draw: Any, spares: bool) -> None:
    """Answer tasks until the other end closes; runs in a process of its own."""
    global _draw  # the process makes one task at a time
    _draw = draw
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the training's
    warnings.simplefilter("ignore", SyntaxWarning)  # drawn programs compare literals by `is`, as people do
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, resource.getrlimit(resource.RLIMIT_AS)[1]))
    if spares:
        _spare_processors()
    while True:
        try:
            function, arguments = connection.recv()
        except (EOFError, ConnectionError):
            return
        try:
            reply: tuple[bool, Any] = (True, function(*arguments))
        except Exception as error:
            reply = (False, error)
        try:
            connection.send(reply)
        except ConnectionError:
            return
        except Exception as error:  # an exception that cannot be pickled
            connection.send((False, RuntimeError(f"{reply[1]!r} cannot be sent: {error}")))


def _spare_processors() -> None:
    """Leave two processors, often one core, to the training: launching its kernels is what limits it."""
    os.nice(10)
    known = sorted(os.sched_getaffinity(0))
    if len(known) > FEW_PROCESSORS:
        os.sched_setaffinity(0, known[SPARED:])
