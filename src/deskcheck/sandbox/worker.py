"""Plan which jobs share a child, audit their results, and exchange batches with a zygote.

    plan = Plan(batch=32, workers=2); plan.add(task); plan.take() -> [task, ..]
    audit = Audit(report)
    company = audit.begin(tasks)       a batch goes to its child; None if no result has to wait for an audit
    again, alone = audit.take(done)    for new results: tasks to run again at the head of a batch, and alone
    company.has_ended = True           the child is gone
    audit.release() -> results that are certain

A Worker holds no thread and never blocks: `supervisor.py` calls it when one of its descriptors is readable
or a deadline has passed. All clocks are the supervisor's. Bytes from a zygote or child are foreign data.

Waiting jobs go into one child in order. A batch has jobs of one function and one set of limits. A job that
must run alone is a batch by itself. Slow jobs make small batches, so that a crash, or a change of the child's
state that ends its batch, costs little.
A job that is audited runs again at the head of a batch: nothing has run in that child before it, later jobs
cannot reach its result, and it needs no separate child.

Of the jobs that ran after others, one in `AUDIT_EVERY`, by its payload's hash, runs once more, and the
results of its child are held until then. If the two results differ, the job runs twice more, each time in a
separate child, the second time in another zygote and with its objects at other addresses. If these last two
results differ too, or agree with the one after other jobs, the job is nondeterministic and has no result. The
same holds for a job that starts threads, because their order differs from run to run. If the last two results
are equal, but differ from the one after other jobs, the sandbox has a defect, and no result of that child
counts.
"""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import signal
import socket
import subprocess
import sys
import tempfile
import time
import zlib
from collections import deque
from importlib.util import find_spec
from itertools import count

from msgspec.structs import replace

from deskcheck.errors import DeskcheckError, SandboxUnavailable
from deskcheck.records import JobFailed, JobResult, Rejected
from deskcheck.records.job import COMPANY, NONDETERMINISTIC, NOT_ALONE
from deskcheck.sandbox import leftovers, wire
from deskcheck.sandbox.running import Company, Result, Running, Task, scratch_fd, send_kill
from deskcheck.sandbox.wire import INPUT, Report

START_S = 120.0
"""Time for a new zygote to get ready."""
SWEEP_S = 5.0
"""Time for a zygote to kill the processes of its programs, if they do not end with the zygote."""
# Children and seconds after which a zygote is replaced, so that leaks cannot grow without limit.
WORN_CHILDREN = 4_000
WORN_S = 1_800.0
# Batches that a zygote holds: one runs and one waits, so that the zygote need not wait for the supervisor. On
# a system without pidfds no batch waits.
DEPTH = 2 if hasattr(os, "pidfd_open") else 1
READ_BYTES = 1 << 16  # most bytes of a zygote's messages that are read at once
# msgspec imports `typing_extensions` only if it is installed. The modules of a zygote are compared after each
# program, so a zygote goes without this one everywhere.
_BOOT = (
    "import sys, json; sys.path[:] = json.loads(sys.argv[2]); sys.modules['typing_extensions'] = None; "
    "from deskcheck.sandbox.zygote import main; del sys.modules['typing_extensions']; "
    "main(int(sys.argv[1]), *sys.argv[3:])"
)
_ENVIRONMENT = {
    "PYTHONHASHSEED": "0",
    "PYTHONUTF8": "1",
    "LC_ALL": "C.UTF-8",
    "TZ": "UTC",
    "OMP_NUM_THREADS": "1",
    "PATH": "/usr/bin:/bin",
}


_numbers = count(1)


def can_batch() -> bool:
    """Whether a child can run several jobs, which needs the C extension to compare its state between them."""
    return sys.platform.startswith("linux") and find_spec("deskcheck.sandbox._batch") is not None


class Worker:
    """One zygote process with the batches given to it."""

    def __init__(self, function: str, level: str, selector: selectors.BaseSelector) -> None:
        self.number = next(_numbers)
        """Number of the zygote; no other zygote of this process has it."""
        self._selector = selector
        self.level = level
        self._ends_whole = level == "full"
        """Whether all processes of programs end with the zygote, as it is number 1 of a process namespace."""
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
        """True once the zygote has died, stopped answering or sent an invalid message."""
        self.given: deque[Running] = deque()
        """Running batch, then the waiting ones."""
        self._n_children = 0
        self._born = time.monotonic()

    @property
    def is_idle(self) -> bool:
        """Whether the worker could take a batch at once."""
        return self.ready and not self.lost and not self.given and not self.is_worn

    def move(self, selector: selectors.BaseSelector) -> None:
        """Move an idle worker to another selector."""
        self._selector.unregister(self.control)
        self._selector = selector
        self._selector.register(self.control, selectors.EVENT_READ, self)

    @property
    def is_worn(self) -> bool:
        """Whether the zygote has served long enough to be replaced."""
        return self._n_children >= WORN_CHILDREN or time.monotonic() - self._born > WORN_S

    @property
    def deadline(self) -> float:
        """Time at which the supervisor must act on this worker even if nothing arrives."""
        if self.given:
            return self.given[0].deadline
        return float("inf") if self.ready else self._born + START_S

    def give(self, tasks: list[Task]) -> None:
        """Send a batch to the zygote."""
        running = Running(tasks)
        for task in tasks:
            task.runs_in(self.number)
        message, fds = running.message()
        try:
            self.lost = socket.send_fds(self.control, [message], fds) != len(message)
        except (BrokenPipeError, ConnectionResetError, BlockingIOError):
            self.lost = True  # the zygote died or was stopped between two batches
        finally:
            running.sent()
        self._n_children += 1
        self.given.append(running)
        if len(self.given) == 1:
            self._selector.register(running.socket, selectors.EVENT_READ, self)

    def read_results(self) -> list[tuple[Task, JobResult]]:
        """Return the results of the running batch that are certain now."""
        done, open_end = self.given[0].read()
        if not open_end:
            self._unwatch()
        return done

    def has_behind(self, index: int) -> bool:
        """Whether the job with this index is in a batch that waits behind the running one."""
        return any(task.index == index for running in list(self.given)[1:] for task in running.tasks)

    def pause(self, paused: bool) -> None:
        """Stop reading results, and stop the clock, while nobody takes them; or resume both."""
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
        """Read the zygote's messages and return the batches whose child is gone.

        `lost` is set if the zygote is gone.
        """
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
        """Handle one message; a batch whose child is gone goes to `ended`. ValueError for a message not due.

        DeskcheckError or SandboxUnavailable if the zygote reports that it cannot run jobs.
        """
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
        """Kill the child because its time is up; if that does not help, give up the zygote."""
        if not self.given or not self.given[0].pass_deadline():
            self.lost = True

    def _unwatch(self, running: Running | None = None) -> None:
        with contextlib.suppress(KeyError):  # not watched
            self._selector.unregister((running or self.given[0]).socket)

    def start_failure(self) -> SandboxUnavailable:
        """Make the error for a zygote that never became ready, with its text on stderr."""
        self._errors.seek(0)
        said = self._errors.read()[-2000:].decode("utf-8", "replace").strip()
        return SandboxUnavailable(
            f"the sandbox's interpreter {sys.executable} did not start: {said or 'it said nothing'}; "
            "run `deskcheck doctor` to see what works here"
        )

    def stop(self) -> list[str]:
        """Kill the child and the zygote, wait for the zygote's end, close and remove everything.

        Return the names of files that programs left and that could not be removed."""
        for number, running in enumerate(self.given):
            if number == 0:
                self._unwatch(running)
                running.kill()
            running.close()
        self.given.clear()
        self._selector.unregister(self.control)
        self.control.close()
        if self.ready and not self.lost and not self._ends_whole:
            # The zygote kills the processes of programs when our end of the socket has closed.
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(timeout=SWEEP_S)
        if self._pidfd >= 0:
            send_kill(signal.pidfd_send_signal, self._pidfd)
            os.close(self._pidfd)
            # At level full this process only waits for the zygote, whose process namespace ends with it.
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(timeout=5)
        self._process.kill()
        self._process.wait()
        for fd in self._fds:
            os.close(fd)
        self._errors.close()
        with contextlib.suppress(OSError):
            os.unlink(os.path.join(self._folder, INPUT))
        for name in ("run", "run.root", ""):  # most often nothing is left in them
            with contextlib.suppress(OSError):
                os.rmdir(os.path.join(self._folder, name))
        return leftovers.remove(self._folder) if os.path.lexists(self._folder) else []


class Warm:
    """Idle zygotes that one supervisor leaves to the next, so that the self-test's zygote runs programs too.

    with Warm("deskcheck.tracing.job:run") as warm: both supervisors get it; unused zygotes are stopped.
    """

    def __init__(self, function: str) -> None:
        self.function = function
        """Job function whose module the zygotes load before they fork."""
        self._selector = selectors.DefaultSelector()
        self._workers: list[Worker] = []

    def keep(self, worker: Worker) -> None:
        """Take an idle worker from its supervisor."""
        worker.move(self._selector)
        self._workers.append(worker)

    def take(self, level: str, selector: selectors.BaseSelector) -> Worker | None:
        """Return a worker of this level and move it to that selector; None if there is none."""
        for worker in self._workers:
            if worker.level == level:
                self._workers.remove(worker)
                worker.move(selector)
                return worker
        return None

    def clear(self) -> None:
        """Stop all workers that no supervisor has taken."""
        for worker in self._workers:
            worker.stop()
        self._workers.clear()

    def __enter__(self) -> Warm:
        return self

    def __exit__(self, *_: object) -> None:
        self.clear()
        self._selector.close()


# Intended duration of a batch, estimated by the mean duration of the jobs so far.
BATCH_S = 0.5
# Most bytes of payloads in a batch, because the child holds the prepared forms of all of them at once.
BATCH_BYTES = 1 << 20
# Smallest size to which batches shrink so that more of them have an audited job at their head.
HEADED = 32
# Weight of the newest batch in the mean duration of a job.
WEIGHT = 0.2
# Of the jobs that ran after others in a child, one in so many runs again as the first of a child.
AUDIT_EVERY = 100


def is_audited(payload: bytes) -> bool:
    """Whether a job with this payload runs twice; the choice is the same in every run."""
    return zlib.crc32(payload) % AUDIT_EVERY == 0


def _go_together(task: Task, other: Task) -> bool:
    return task.job.function == other.job.function and task.job.limits == other.job.limits


class Plan:
    """Waiting jobs, which it divides into batches."""

    def __init__(self, *, batch: int, workers: int) -> None:
        self._batch = batch
        self._workers = workers
        self._company: deque[Task] = deque()
        self._alone: deque[Task] = deque()
        self._again: deque[Task] = deque()
        """Audited jobs; each must be the first of a child, so that nothing has run before it."""
        self._mean_s = 0.0
        self.needs_two = False
        """Whether some job must run in another zygote than an earlier run."""

    def __len__(self) -> int:
        return len(self._company) + len(self._alone) + len(self._again)

    def add(self, task: Task) -> None:
        """Add a job behind all others."""
        (self._alone if task.alone else self._company).append(task)
        self.needs_two |= task.needs_another_zygote

    def compare(self, task: Task) -> None:
        """Add a job that runs once more, at the head of a batch."""
        self._again.append(task)

    def put_back(self, tasks: list[Task]) -> None:
        """Add jobs that must run again, each at its old place, because the caller waits for the oldest.

        A job in its second, audited run waits for the head of a batch again.
        """
        self._again.extend(task for task in tasks if task.seen and not task.alone)
        tasks = [task for task in tasks if task.alone or not task.seen]
        self.needs_two |= any(task.needs_another_zygote for task in tasks)
        for waiting, alone in ((self._alone, True), (self._company, False)):
            returned = [task for task in tasks if task.alone == alone]
            if returned:
                both = sorted([*returned, *waiting], key=lambda task: task.index)
                waiting.clear()
                waiting.extend(both)

    def has(self, index: int, zygote: int) -> bool:
        """Whether the job with this index waits and may run in this zygote."""
        waiting = (task for tasks in (self._alone, self._company) for task in tasks)
        return any(task.index == index and task.may_run_in(zygote) for task in waiting)

    def take(self, zygote: int) -> list[Task]:
        """Return the next batch for a zygote; empty if no job that may run there waits."""
        alone = next((task for task in self._alone if task.may_run_in(zygote)), None)
        if alone is not None and not (self._company and self._company[0].index < alone.index):
            self._alone.remove(alone)
            return [alone]
        if not self._company:
            return [self._again.popleft()] if self._again else []
        share = -(-len(self._company) // self._workers)  # no worker idle while another has many jobs
        most = min(share, self.size)
        if self._again:  # the smaller the batches, the more of them have an audited job at their head
            most = min(most, max(HEADED, self.size // len(self._again)))
        taken = [self._again.popleft()] if self._again else []
        if not taken:
            taken.append(self._company.popleft())
        n_bytes = len(taken[0].job.payload)
        while len(taken) < most and self._company and _go_together(self._company[0], taken[0]):
            n_bytes += len(self._company[0].job.payload)
            if n_bytes > BATCH_BYTES:
                break
            taken.append(self._company.popleft())
        return taken

    @property
    def size(self) -> int:
        """Number of jobs in a batch at the present pace."""
        return self._batch if self._mean_s == 0 else max(1, min(self._batch, int(BATCH_S / self._mean_s)))

    def observe(self, n_jobs: int, seconds: float) -> None:
        """Update the mean duration of a job: a child ran `n_jobs` in `seconds`."""
        mean = seconds / n_jobs
        self._mean_s = mean if self._mean_s == 0 else self._mean_s + WEIGHT * (mean - self._mean_s)


MISMATCHES_NAMED = 20
"""Most mismatched jobs that a report names."""


class Audit:
    """Repeated runs of some jobs, to detect results that other jobs of the child have changed."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._companies: list[Company] = []
        self._certain: list[Result] = []

    def begin(self, tasks: list[Task]) -> Company | None:
        """Register the jobs of one child; return None if their results need not wait for each other."""
        company = Company() if any(map(_is_compared, tasks)) else None
        for task in tasks:
            if not task.seen:
                task.company = company
        if company is not None:
            self._companies.append(company)
        return company

    def is_waiting(self, index: int) -> bool:
        """Whether the result of this job has arrived but is not certain yet."""
        return any(task.index == index for company in self._companies for task, _ in company.results)

    def take(self, done: list[Result]) -> tuple[list[Task], list[Task]]:
        """Keep results; return the tasks to run again at the head of a batch, and those to run alone."""
        again, alone = [], []
        for task, result in done:
            if task.seen:
                task.seen.append(result)
                if not self._conclude(task):
                    task.alone = True
                    alone.append(task)
                continue
            if task.company is None:
                self._certain.append((task, result))
                continue
            task.company.results.append((task, result))
            if _is_compared(task):
                task.company.n_open += 1
                task.seen.append(result)
                again.append(task)
        return again, alone

    def release(self) -> list[Result]:
        """Return the results that are certain by now."""
        for company in [c for c in self._companies if c.has_ended and not c.n_open]:
            self._companies.remove(company)
            self._certain += [(task, _judged(company, task, result)) for task, result in company.results]
        certain, self._certain = self._certain, []
        return certain

    def _conclude(self, task: Task) -> bool:
        """Whether the runs of an audited task, with the newest, suffice; if so, count their verdict."""
        company = task.company
        assert company is not None
        shared, *alone = task.seen
        if len(alone) == 1 and _is_same(shared, alone[0]):
            self._report.n_audited += 1
        elif len(alone) < 3:
            return False
        else:
            self._report.n_audited += 1
            self._differs(company, task)
        company.n_open -= 1
        return True

    def _differs(self, company: Company, task: Task) -> None:
        """Give the verdict on a task whose runs differ: nondeterministic, or a defect of the sandbox."""
        shared, _, one, other = task.seen
        if task.has_threads or not _is_same(one, other) or _is_same(shared, one):
            self._report.n_unsteady += 1
            company.results = [
                (a_task, _rejected(result, NONDETERMINISTIC) if a_task is task else result)
                for a_task, result in company.results
            ]
            return
        self._report.n_mismatched += 1
        if len(self._report.mismatched) < MISMATCHES_NAMED:
            self._report.mismatched.append(task.job.id)
        company.mismatched[task.index] = shared, one


def _is_compared(task: Task) -> bool:
    """Whether a task is audited: picked by its payload's hash, and not the first of its child."""
    # A second run of the first job of a child could show nothing: no job had run before it.
    return not (task.seen or task.is_first or task.alone) and is_audited(task.job.payload)


def _is_same(result: JobResult, other: JobResult) -> bool:
    return (result.result, result.output, result.refusals) == (other.result, other.output, other.refusals)


def _judged(company: Company, task: Task, result: JobResult) -> JobResult:
    """Return the final result of a job whose company was audited."""
    if not company.mismatched:
        return result
    if task.index in company.mismatched:
        return _rejected(result, NOT_ALONE, *company.mismatched[task.index])
    return _rejected(result, COMPANY)


def _rejected(result: JobResult, why: str, *compared: JobResult) -> JobResult:
    return replace(result, result=JobFailed(Rejected(why)), refusals=[], compared=list(compared))
