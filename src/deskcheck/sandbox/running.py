"""Follow one child from the supervisor: its batch of jobs, its clock, its messages, the end of each job.

A `Running` never blocks: `worker.py` calls it when its socket is readable, when its deadline has passed, and
when the child has exited. A crash or a timeout counts only for the first job of a child. For a later job, an
earlier one may be to blame, so the job runs again in a separate process. The outcome of a job without a
result follows from the child's exit status. A frame is a message of the child about one job (wire.py).
"""

from __future__ import annotations

import fcntl
import os
import signal
import socket
import tempfile
import threading
import time
from collections.abc import Callable

from msgspec import Struct

from deskcheck.errors import SandboxUnavailable
from deskcheck.records import (
    Crashed,
    Job,
    JobDone,
    JobFailed,
    JobResult,
    Limits,
    MemoryLimit,
    OutputLimit,
    Refused,
    Rejected,
    TimeLimit,
)
from deskcheck.sandbox import wire
from deskcheck.sandbox.wire import check_names, pack_files

Failure = TimeLimit | MemoryLimit | OutputLimit | Crashed | Refused | Rejected


class Ended(Struct, frozen=True):
    """End of a child: its exit status, and why the supervisor killed it."""

    status: int
    """Exit status as waitpid returns it."""
    cpu_s: float
    killed_for: Failure | None
    """Reason why the supervisor killed it, None if it did not."""
    printed: int
    """Number of bytes in the output file."""


def judge(limits: Limits, ended: Ended) -> Failure:
    """Return the outcome of a job that sent no frame."""
    number = os.WTERMSIG(ended.status) if os.WIFSIGNALED(ended.status) else 0
    # Checked first, because it is the same on every machine, unlike the time limit.
    if ended.printed > limits.output_bytes or number == signal.SIGXFSZ:
        return OutputLimit(limits.output_bytes)
    if ended.killed_for is not None:
        return ended.killed_for
    if number == signal.SIGXCPU:
        return TimeLimit(limits.time_s)
    if number == signal.SIGSYS:
        return Refused("system call")
    if number:
        return Crashed(_signal_name(number))
    code = os.waitstatus_to_exitcode(ended.status)
    return Crashed("exit 0 without a result" if code == 0 else f"exit {code}")


def is_doubtful(outcome: Failure, ended: Ended) -> bool:
    """Whether the machine rather than the program may have caused the outcome, so that the job runs again.

    A time limit is not doubtful: a job's clock stands while it waits for a processor (`waited_s`).
    """
    # A SIGKILL that was not ours came from the program itself, or from a kernel that was out of memory.
    return outcome == Crashed("SIGKILL") and ended.killed_for is None


def of_frame(frame: wire.Frame, limits: Limits) -> JobDone | JobFailed:
    """Return the result in a frame; the caller has checked that the child printed no more than allowed."""
    match frame.kind:
        case wire.DONE:
            return JobDone(frame.body, frame.parts)
        case wire.OUT_OF_MEMORY:
            return JobFailed(MemoryLimit(limits.memory_bytes))
        case wire.TAMPERED:
            return JobFailed(
                Rejected("the program changed a module, class, function or built-in that deskcheck uses")
            )
        case wire.EXITED:
            return JobFailed(Crashed(f"exit {frame.body.decode('ascii', 'replace')}"))
        case _:
            return JobFailed(Rejected(f"job function raised {frame.body.decode('utf-8', 'replace')}"))


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


# Time for a child to start, before any program runs in it.
SETUP_S = 60.0
# Time for a zygote to report the end of a child that was killed or has sent its last frame: usually
# milliseconds, on a busy machine a second or two.
GRACE_S = 10.0
# A later job of a batch that takes longer than this runs again alone, with its whole time limit.
PATIENCE_S = 1.0
READ_BYTES = 1 << 18  # most bytes of one read
# Extra time for a job that waited for a processor: at most this many times its time limit.
MOST_EXTRA = 3.0
# Reads of one child's socket in a row; then other children and the caller have their turn.
READS = 4
# More reads than the socket of a child that is gone can need.
ALL = 1 << 16
# After this many children that end before they run a job, or zygotes that never get ready, give up.
START_ATTEMPTS = 3


class _Scratch(threading.local):
    """Buffer for bytes from a socket, one per thread, because supervisors can run in several threads."""

    def __init__(self) -> None:
        self.view = memoryview(bytearray(READ_BYTES))


_scratch = _Scratch()


LAST_SEEN = 3
"""Number of results that an audit has when it runs a job for the last time, with everything at new addresses.

A child's memory is a copy of its zygote's, so two runs in one zygote have the same addresses. A program that
prints an address would give one result in both runs alone and another after other jobs, as if these had
changed it. Another zygote has its libraries elsewhere, and its child moves the objects of the program."""


class Task:
    """One job with its place in the input and the facts known about it."""

    __slots__ = (
        "alone",
        "broken_starts",
        "company",
        "doubted",
        "has_threads",
        "index",
        "is_first",
        "is_settled",
        "job",
        "last_zygote",
        "made_in",
        "seen",
        "strikes",
        "twin",
    )

    def __init__(self, index: int, job: Job, twin: Task | None = None) -> None:
        check_names(job.files)
        self.index = index
        self.job = job
        self.twin = twin
        """Task with whose result the caller will compare this one's; None = with none."""
        self.alone = job.alone or twin is not None or bool(job.files)
        """Whether it must be the only job of its next child."""
        self.is_first = False
        """Whether it is the first job of the child that it was given to last."""
        self.doubted = False
        """Whether its outcome was doubtful once; the next outcome counts."""
        self.strikes = 0
        """Number of zygotes that died while it ran."""
        self.broken_starts = 0
        """Number of children that ended before any job ran and had it as their first job."""
        self.has_threads = False
        """Whether it started a thread in one of its runs."""
        self.seen: list[JobResult] = []
        """Results of earlier runs with which the next result will be compared."""
        self.company: Company | None = None
        """Jobs whose results wait together with this job's."""
        self.last_zygote = self.made_in = 0
        """Numbers of the zygotes of its last run, and of the run whose result counts; 0 = there was none."""
        self.is_settled = False
        """Whether its result is certain."""

    @property
    def needs_another_zygote(self) -> bool:
        """Whether its next run must not be in the zygote of an earlier one."""
        return self.twin is not None or len(self.seen) == LAST_SEEN

    def may_run_in(self, zygote: int) -> bool:
        """Whether its next run may be in this zygote, and now."""
        if self.twin is not None:
            return self.twin.is_settled and self.twin.made_in != zygote
        return len(self.seen) < LAST_SEEN or self.last_zygote != zygote

    def runs_in(self, zygote: int) -> None:
        """Note that it was given to this zygote."""
        self.last_zygote = zygote
        if not self.seen:
            self.made_in = zygote


Result = tuple[Task, JobResult]


class Company:
    """Jobs of one child whose results wait for each other, because one of them is audited."""

    def __init__(self) -> None:
        self.results: list[Result] = []
        self.n_open = 0
        """Number of its jobs whose audit is not over."""
        self.has_ended = False
        """Whether its child is gone."""
        self.mismatched: dict[int, tuple[JobResult, JobResult]] = {}
        """Index -> the job's result after others, and its result alone."""


class Running:
    """A batch in a child, or waiting for its child."""

    def __init__(self, tasks: list[Task]) -> None:
        self.tasks = tasks
        for number, task in enumerate(tasks):
            task.is_first = number == 0
        self.limits = tasks[0].job.limits
        self.company: Company | None = None
        """Jobs of the batch whose results wait for each other, if there are any."""
        random = os.urandom(wire.KEY_BYTES * len(tasks))
        keys = [random[at : at + wire.KEY_BYTES] for at in range(0, len(random), wire.KEY_BYTES)]
        self.reader = wire.FrameReader(
            keys,
            # Twice the trace's limit, because of its encoding, and a little more.
            body_bytes=2 * self.limits.trace_bytes + (1 << 20),
            output_bytes=self.limits.output_bytes,
            # Four times, because an event takes three times as many bytes in its columns as the limit counts.
            parts_bytes=4 * self.limits.trace_bytes + (1 << 20),
        )
        self._keys = keys
        self._files_fd = -1
        self.output_fd = scratch_fd()
        self.socket, self._theirs = socket.socketpair()
        self.socket.setblocking(False)
        self.pid = -1
        self.pidfd = -1
        self.clock = self.began = time.monotonic()
        """Seconds of `time.monotonic`: `began` is when the child was started, `clock` when its current phase
        began (its start, a job, or its end)."""
        self._extra_s = 0.0
        """Extra time of the first job, equal to the time that it has waited for a processor."""
        self.paused = False
        """Whether its clock stands, because nobody takes its results at the moment."""
        self.exit = 0, 0.0
        """Exit status as waitpid returns it and processor time, once the end was reported."""
        self.killed_for: Failure | None = None
        self.was_killed = False
        self._killed_at = 0.0
        self._was_recalled = False
        self._held: wire.Frame | None = None
        """Last frame of the child; its result counts once the child and its processes are gone."""
        self._held_s = 0.0

    # ------------------------------------------------------------------ sending

    def message(self) -> tuple[bytes, list[int]]:
        """Return the command for the zygote and its descriptors; `sent` closes the supervisor's copies."""
        payloads = [task.job.payload for task in self.tasks]
        self._batch_fd = scratch_fd(sealable=True)
        _write_all(
            self._batch_fd, wire.pack_batch(self._keys, payloads, output_bytes=self.limits.output_bytes)
        )
        _seal(self._batch_fd)
        command = wire.Command(
            function=self.tasks[0].job.function,
            memory_bytes=self.limits.memory_bytes,
            cpu_s=int(self.limits.time_s * len(self.tasks)) + 2,
            output_bytes=self.limits.output_bytes,
            is_moved=len(self.tasks) == 1 and len(self.tasks[0].seen) == LAST_SEEN,
        )
        fds = [self._batch_fd, self.output_fd, self._theirs.fileno()]
        if self.tasks[0].job.files:
            self._files_fd = scratch_fd()
            fds.append(self._files_fd)
            pack_files(self.tasks[0].job.files, self._files_fd)
        return wire.pack(command), fds

    def sent(self) -> None:
        """Close the descriptors that were sent to the zygote, even if sending failed."""
        os.close(self._batch_fd)
        self._theirs.close()
        if self._files_fd >= 0:
            os.close(self._files_fd)

    # ------------------------------------------------------------------ watching

    @property
    def next_index(self) -> int:
        """Index of the job whose result is next."""
        return self.tasks[self.reader.index - self.reader.ended].index

    @property
    def _place(self) -> int:
        """Place in the batch of the job that is being prepared or runs, or that sent the last frame."""
        if self.reader.is_preparing:
            return len(self.reader.prepared)
        return self.reader.index - (self._held is not None)

    @property
    def _is_shared_preparation(self) -> bool:
        """Whether payloads of several jobs are being prepared; an end then is no job's outcome."""
        return self.reader.is_preparing and len(self.tasks) > 1

    def begin(self) -> None:
        """Start the clock: the zygote begins this batch."""
        self.clock = self.began = time.monotonic()

    @property
    def deadline(self) -> float:
        """Time, as of `time.monotonic`, at which the supervisor must act even if nothing arrives."""
        if self.paused:
            return float("inf")
        if self.was_killed:
            return self._killed_at + GRACE_S
        if self.reader.ended:
            return self.clock + GRACE_S
        if not self.reader.started:
            return self.clock + SETUP_S
        if self.reader.index == 0 and not self._is_shared_preparation:
            return self.clock + self.limits.time_s + self._extra_s
        return self.clock + self._patience_s

    @property
    def _patience_s(self) -> float:
        return min(self.limits.time_s, PATIENCE_S)

    def pass_deadline(self) -> bool:
        """Kill the child because its time is up; return False if no answer can be expected any more.

        A first job that has waited for a processor gets that time in addition, and is not killed yet.
        """
        if self.was_killed or not self.reader.started or self.reader.ended:
            return False
        if self.reader.index == 0 and not self._is_shared_preparation:
            extra_s = min(waited_s(self.pidfd), MOST_EXTRA * self.limits.time_s)
            if self.clock + self.limits.time_s + extra_s > time.monotonic():
                self._extra_s = extra_s
                return True
        self.killed_for = TimeLimit(self.limits.time_s)
        self.kill()
        return True

    def kill(self) -> None:
        """Send SIGKILL to the child; the zygote ends the processes that it leaves behind."""
        self.was_killed = True
        self._killed_at = time.monotonic()
        if self.pidfd >= 0:
            send_kill(signal.pidfd_send_signal, self.pidfd)
        elif self.pid > 0:
            send_kill(os.killpg, self.pid)
            send_kill(os.kill, self.pid)

    def recall(self) -> None:
        """Kill the child to make room for another batch; unfinished jobs run again later."""
        self._was_recalled = True
        self.kill()

    def read(self, reads: int = READS) -> tuple[list[tuple[Task, JobResult]], bool]:
        """Return the results that are certain now, and whether more may come."""
        done: list[tuple[Task, JobResult]] = []
        scratch = _scratch.view
        for _ in range(reads):
            if self.was_killed:
                return done, False
            try:
                n = self.socket.recv_into(scratch)
            except BlockingIOError:
                return done, True
            except ConnectionResetError:
                n = 0
            if not n:
                return done, False
            before = self.reader.started, len(self.reader.prepared), self.reader.index
            frames = self.reader.feed(scratch[:n])
            fault = self.reader.fault
            if fault is not None:
                too_large = isinstance(fault, wire.TooLarge)
                self.killed_for = (
                    OutputLimit(self.limits.trace_bytes, "trace")
                    if too_large
                    else Rejected(f"result frame: {fault}")
                )
                self.kill()
            after = self.reader.started, len(self.reader.prepared), self.reader.index
            if after == before:
                continue  # a part of a frame
            first, now = before[2], time.monotonic()
            if after[2] == first and before[0] and len(self.tasks) == 1:
                continue  # the time limit of a single job covers its preparation and its run together
            wall_s = (now - self.clock) / max(1, len(frames))
            self.clock = now  # the next job begins
            if self.reader.ended:
                self._held, self._held_s = frames.pop(), wall_s  # until the child and its processes are gone
            done += [
                (task, self._result(task, frame, wall_s=wall_s))
                for task, frame in zip(self.tasks[first:], frames, strict=False)
            ]
        return done, True

    # ------------------------------------------------------------------ the end

    def finish(self) -> tuple[list[tuple[Task, JobResult]], list[Task]]:
        """Return the last results of a child that is gone, and the tasks that must run again.

        SandboxUnavailable if children ended too often before they ran a job.
        """
        done, _ = self.read(ALL)
        status, cpu_s = self.exit
        index = self._place
        task, rest = self.tasks[index], self.tasks[index + 1 :]
        if self._is_shared_preparation:
            task.alone = task.alone or not self._was_recalled
            return done, self.tasks
        if self._was_recalled and self._held is None:
            return done, self.tasks[index:]
        if not self.reader.started and self.killed_for is None:
            self._note_broken_start(task)
            return done, self.tasks
        printed = os.fstat(self.output_fd).st_size
        ended = Ended(status=status, cpu_s=cpu_s, killed_for=self.killed_for, printed=printed)
        wall_s = self._held_s if self._held is not None else time.monotonic() - self.clock
        result = self._ending(task, ended, wall_s)
        broken = len(self.tasks) > 1 and os.WIFEXITED(status) and os.WEXITSTATUS(status) != 0
        if isinstance(result.result, JobFailed) and (
            index > 0 or broken or (not task.doubted and is_doubtful(result.result.outcome, ended))
        ):
            task.doubted = index == 0
            task.alone = True
            return done, [task, *rest]
        return [*done, (task, result)], rest

    def _note_broken_start(self, task: Task) -> None:
        """Count a child in which no program ran. SandboxUnavailable after START_ATTEMPTS of them."""
        task.broken_starts += 1
        if task.broken_starts >= START_ATTEMPTS:
            said = os.pread(self.output_fd, 1000, 0).decode("utf-8", "replace")
            raise SandboxUnavailable(
                f"a child process of the sandbox could not be set up: {said or f'status {self.exit[0]}'}; "
                "run `deskcheck doctor` to see what works here"
            )

    def lose(self) -> tuple[list[tuple[Task, JobResult]], list[Task]]:
        """Do the same as `finish` after the loss of the zygote; the end of the running job is unknown."""
        done, _ = self.read(ALL)
        if self.pid < 0 and not self.reader.started:  # the batch before it is to blame
            return done, self.tasks
        index = self._place
        task, rest = self.tasks[index], self.tasks[index + 1 :]
        task.alone = True
        task.strikes += 1
        if self._is_shared_preparation:
            return done, self.tasks
        outcome: Failure | None = Crashed("loss of its zygote, twice") if task.strikes > 1 else None
        if index == 0 and self.killed_for is not None:
            outcome = self.killed_for
        if outcome is None:
            return done, [task, *rest]
        wall_s = time.monotonic() - self.clock
        return [*done, (task, JobResult(task.job.id, JobFailed(outcome), b"", wall_s))], rest

    def _ending(self, task: Task, ended: Ended, wall_s: float) -> JobResult:
        """Return the result of the job at whose end the child ended, from its last frame or exit status."""
        if self._held is not None and self.killed_for is None and ended.printed <= self.limits.output_bytes:
            return self._result(task, self._held, wall_s=wall_s)
        n = min(ended.printed, self.limits.output_bytes)
        return JobResult(
            task.job.id, JobFailed(judge(self.limits, ended)), os.pread(self.output_fd, n, 0), wall_s
        )

    def _result(self, task: Task, frame: wire.Frame, *, wall_s: float) -> JobResult:
        """Return a job's result from its frame, with its output, which is at most as long as allowed."""
        output = frame.output
        task.has_threads |= bool(frame.trip & wire.THREADS)
        if len(self.tasks) == 1:
            output = os.pread(self.output_fd, self.limits.output_bytes + 1, 0)
        if len(output) > self.limits.output_bytes:
            failed = JobFailed(OutputLimit(self.limits.output_bytes))
            return JobResult(task.job.id, failed, output[:-1], wall_s, frame.refusals)
        done = of_frame(frame, self.limits)
        return JobResult(task.job.id, done, output, wall_s, frame.refusals, frame.prepared)

    @property
    def trip(self) -> int:
        """Bit mask of the state that its last program left changed (`wire.TRIPS`)."""
        return self._held.trip if self._held is not None else 0

    def close(self) -> None:
        """Close the descriptors of a batch."""
        self.reader.close()
        self.socket.close()
        os.close(self.output_fd)
        if self.pidfd >= 0:
            os.close(self.pidfd)


def waited_s(pidfd: int) -> float:
    """Return the seconds that a child was ready to run but no processor was free; 0 if unknown."""
    try:
        with open(f"/proc/self/fdinfo/{pidfd}", encoding="ascii") as file:
            pid = next(line.split()[1] for line in file if line.startswith("Pid:"))
        with open(f"/proc/{pid}/schedstat", encoding="ascii") as file:
            return int(file.read().split()[1]) / 1e9
    except (OSError, StopIteration, ValueError, IndexError):
        return 0.0


def scratch_fd(*, sealable: bool = False) -> int:
    """Open a file without a name: in memory on Linux, in the temporary folder elsewhere."""
    if hasattr(os, "memfd_create"):
        return os.memfd_create("deskcheck", os.MFD_CLOEXEC | (os.MFD_ALLOW_SEALING if sealable else 0))
    with tempfile.TemporaryFile() as file:
        return os.dup(file.fileno())


def _seal(fd: int) -> None:
    """Forbid further writing to the file, because the child maps it while programs run."""
    if hasattr(fcntl, "F_ADD_SEALS"):
        seals = fcntl.F_SEAL_SEAL | fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_WRITE
        fcntl.fcntl(fd, fcntl.F_ADD_SEALS, seals)
    os.lseek(fd, 0, os.SEEK_SET)


def _write_all(fd: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(fd, rest) :]


def send_kill(kill: Callable[[int, int], None], target: int) -> None:
    """Send SIGKILL to a target that may already be gone."""
    try:
        kill(target, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):  # already gone
        return
