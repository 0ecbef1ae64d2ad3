"""The supervisor's side of one zygote: start it, hand it batches, hear what became of them, stop it.

A Worker holds no thread and never blocks: `supervisor.py` calls it when one of its descriptors is readable
or a deadline has passed. All clocks are the supervisor's. What a zygote or child sends is foreign data.
"""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import deque
from importlib.util import find_spec

from deskcheck.errors import DeskcheckError, SandboxUnavailable
from deskcheck.records import JobResult
from deskcheck.sandbox import wire
from deskcheck.sandbox.running import Running, Task, scratch_fd, send_kill

START_S = 120.0
SWEEP_S = 5.0
"""For a zygote to kill what its programs started, where that does not end with it."""
# Children and seconds after which a zygote is replaced, so that nothing it leaks grows for ever.
WORN_CHILDREN = 4_000
WORN_S = 1_800.0
# Batches that a zygote holds: one runs, one waits, so that it need not wait for the supervisor in between.
DEPTH = 2 if hasattr(os, "pidfd_open") else 1
READ_BYTES = 1 << 16
_BOOT = (
    "import sys, json; sys.path[:] = json.loads(sys.argv[2]); "
    "from deskcheck.sandbox.zygote import main; main(int(sys.argv[1]), *sys.argv[3:])"
)
_ENVIRONMENT = {
    "PYTHONHASHSEED": "0",
    "PYTHONUTF8": "1",
    "LC_ALL": "C.UTF-8",
    "TZ": "UTC",
    "OMP_NUM_THREADS": "1",
    "PATH": "/usr/bin:/bin",
}


def can_batch() -> bool:
    """Whether a child can run more than one job: the C extension compares its state between them."""
    return sys.platform.startswith("linux") and find_spec("deskcheck.sandbox._batch") is not None


class Worker:
    """One zygote process and the batches that it has been given."""

    def __init__(self, function: str, level: str, selector: selectors.BaseSelector) -> None:
        self._selector = selector
        self.level = level
        self._ends_whole = level == "full"
        """Whether all that programs started ends with the zygote: it is the first of its process numbers."""
        self._folder = tempfile.mkdtemp(prefix="deskcheck-")
        self._errors = open(scratch_fd(), "w+b")  # noqa: SIM115 - lives as long as the worker
        self.control, theirs = socket.socketpair()
        self._buffer = bytearray()
        self._fds: deque[int] = deque()
        paths = [os.path.abspath(p) for p in sys.path if p]
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-S", "-s", "-P", "-B", "-c", _BOOT, str(theirs.fileno()),
                 json.dumps(paths), function, self._folder, level],
                env=_ENVIRONMENT, cwd="/", stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                stderr=self._errors, pass_fds=[theirs.fileno()], start_new_session=True,
            )  # fmt: skip
        finally:
            theirs.close()
        self.control.setblocking(False)
        selector.register(self.control, selectors.EVENT_READ, self)
        self._pidfd = -1
        self.ready = False
        self.lost = False
        """True once the zygote has died, stopped answering or answered nonsense."""
        self.given: deque[Running] = deque()
        """The batch that runs, and those that wait."""
        self._n_children = 0
        self._born = time.monotonic()

    @property
    def is_idle(self) -> bool:
        """Whether it could take a batch at once."""
        return self.ready and not self.lost and not self.given and not self.is_worn

    def move(self, selector: selectors.BaseSelector) -> None:
        """Have an idle worker watched by another selector."""
        self._selector.unregister(self.control)
        self._selector = selector
        self._selector.register(self.control, selectors.EVENT_READ, self)

    @property
    def is_worn(self) -> bool:
        """Whether it has served long enough."""
        return self._n_children >= WORN_CHILDREN or time.monotonic() - self._born > WORN_S

    @property
    def deadline(self) -> float:
        """When this worker wants to be looked at even if nothing arrives."""
        if self.given:
            return self.given[0].deadline
        return float("inf") if self.ready else self._born + START_S

    def give(self, tasks: list[Task]) -> None:
        """Send a batch to the zygote."""
        running = Running(tasks)
        message, fds = running.message()
        try:
            self.lost = socket.send_fds(self.control, [message], fds) != len(message)
        except (BrokenPipeError, ConnectionResetError, BlockingIOError):
            self.lost = True  # it died, or was stopped, between two batches
        finally:
            running.sent()
        self._n_children += 1
        self.given.append(running)
        if len(self.given) == 1:
            self._selector.register(running.socket, selectors.EVENT_READ, self)

    def read_results(self) -> list[tuple[Task, JobResult]]:
        """Results of the running batch that are certain now."""
        done, open_end = self.given[0].read()
        if not open_end:
            self._unwatch()
        return done

    def has_behind(self, index: int) -> bool:
        """Whether the job with this index waits for the batch that runs."""
        return any(task.index == index for running in list(self.given)[1:] for task in running.tasks)

    def pause(self, paused: bool) -> None:
        """Leave the results where they are, and stop the clock, while nobody takes them; or go on."""
        if not self.given or not self.given[0].reader.started:
            return
        running = self.given[0]
        if paused and not running.paused:
            self._unwatch()
        elif running.paused and not paused:
            running.clock = time.monotonic()
            if not running.was_killed:
                self._selector.register(running.socket, selectors.EVENT_READ, self)
        running.paused = paused

    def read_control(self) -> list[Running]:
        """Take what the zygote says; batches whose child is gone. Sets `lost` when it is no zygote."""
        try:
            data, fds, _, _ = socket.recv_fds(self.control, READ_BYTES, 8)
        except BlockingIOError:
            return []
        except ConnectionResetError:
            data, fds = b"", []
        self._fds += fds
        self._buffer += data
        ended: list[Running] = []
        try:
            for message in wire.take_messages(self._buffer):
                self._hear(message, ended)
        except ValueError:
            self.lost = True
        except DeskcheckError:
            for running in ended:
                running.close()
            raise
        self.lost = self.lost or not data
        return ended

    def _hear(self, message: wire.Message, ended: list[Running]) -> None:
        """One message; a batch whose child is gone goes to `ended`. ValueError if no zygote would say it."""
        match message:
            case wire.Ready(has_fd) if not self.ready:
                self._pidfd = self._fds.popleft() if has_fd and self._fds else -1
                self.ready = True
            case wire.Started(pid, has_fd) if self.given and self.given[0].pid < 0:
                running = self.given[0]
                running.pid = pid
                running.pidfd = self._fds.popleft() if has_fd and self._fds else -1
                if running.was_killed:  # before it was forked
                    running.kill()
            case wire.Exited(status, cpu_s) if self.given and self.given[0].pid > 0:
                running = self.given.popleft()
                self._unwatch(running)
                running.exit = status, cpu_s
                if self.given:
                    self.given[0].begin()
                    self._selector.register(self.given[0].socket, selectors.EVENT_READ, self)
                ended.append(running)
            case wire.Unloadable(reason) if self.given:
                function = self.given[0].tasks[0].job.function
                raise DeskcheckError(f"the sandbox cannot load the job function '{function}': {reason}")
            case wire.Unable(reason):
                raise SandboxUnavailable(reason)
            case _:
                raise ValueError(f"not now: {message}")

    def pass_deadline(self) -> None:
        """The clock has run out: kill the child; where that does not help, give the zygote up."""
        if not self.given or not self.given[0].pass_deadline():
            self.lost = True

    def _unwatch(self, running: Running | None = None) -> None:
        with contextlib.suppress(KeyError):  # not watched
            self._selector.unregister((running or self.given[0]).socket)

    def start_failure(self) -> SandboxUnavailable:
        """Why the zygote never became ready, with what it wrote to stderr."""
        self._errors.seek(0)
        said = self._errors.read()[-2000:].decode("utf-8", "replace").strip()
        return SandboxUnavailable(
            f"the sandbox's interpreter {sys.executable} did not start: {said or 'it said nothing'}; "
            "run `deskcheck doctor` to see what works here"
        )

    def stop(self) -> None:
        """Kill the child and the zygote, wait for it, close and remove everything."""
        for number, running in enumerate(self.given):
            if number == 0:
                self._unwatch(running)
                running.kill()
            running.close()
        self.given.clear()
        self._selector.unregister(self.control)
        self.control.close()
        if self.ready and not self.lost and not self._ends_whole:
            # What a program left behind is the zygote's to kill: it does so when our end has closed.
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(timeout=SWEEP_S)
        if self._pidfd >= 0:
            send_kill(signal.pidfd_send_signal, self._pidfd)
            os.close(self._pidfd)
            # At level full this process only waits for the zygote, whose process numbers end with it.
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(timeout=5)
        self._process.kill()
        self._process.wait()
        for fd in self._fds:
            os.close(fd)
        self._errors.close()
        shutil.rmtree(self._folder, ignore_errors=True)


class Warm:
    """Idle zygotes that one supervisor leaves to the next: the self-test's goes on to run the programs.

    with Warm("deskcheck.tracing.job:run") as warm: both supervisors are given it; what is left is stopped.
    """

    def __init__(self, function: str) -> None:
        self.function = function
        """What the zygotes load before they fork."""
        self._selector = selectors.DefaultSelector()
        self._workers: list[Worker] = []

    def keep(self, worker: Worker) -> None:
        """Take an idle worker from its supervisor."""
        worker.move(self._selector)
        self._workers.append(worker)

    def take(self, level: str, selector: selectors.BaseSelector) -> Worker | None:
        """A worker of this level, watched by that selector from now on; None where there is none."""
        for worker in self._workers:
            if worker.level == level:
                self._workers.remove(worker)
                worker.move(selector)
                return worker
        return None

    def clear(self) -> None:
        """Stop all that nobody took."""
        for worker in self._workers:
            worker.stop()
        self._workers.clear()

    def __enter__(self) -> Warm:
        return self

    def __exit__(self, *_: object) -> None:
        self.clear()
        self._selector.close()
