"""The supervisor's side of one zygote: start it, hand it a job, kill it, say what became of it.

A Worker holds no thread and never blocks: `supervisor.py` calls it when one of its descriptors is readable
or a deadline has passed. All clocks are the supervisor's. What a child or zygote sends is foreign data.
"""

from __future__ import annotations

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
from collections.abc import Callable

from deskcheck.errors import DeskcheckError, SandboxUnavailable
from deskcheck.records import (
    Crashed,
    Job,
    JobDone,
    JobFailed,
    JobResult,
    MemoryLimit,
    OutputLimit,
    Rejected,
    TimeLimit,
)
from deskcheck.sandbox import wire

# After SIGKILL a zygote answers within milliseconds; one that does not is stopped or gone.
GRACE_S = 2.0
START_S = 120.0
READ_BYTES = 1 << 20
_BOOT = (
    "import sys, json; sys.path[:] = json.loads(sys.argv[2]); "
    "from deskcheck.sandbox.zygote import main; main(int(sys.argv[1]), sys.argv[3], sys.argv[4])"
)
_ENVIRONMENT = {
    "PYTHONHASHSEED": "0",
    "PYTHONUTF8": "1",
    "LC_ALL": "C.UTF-8",
    "TZ": "UTC",
    "OMP_NUM_THREADS": "1",
    "PATH": "/usr/bin:/bin",
}


class Running:
    """One job in a child: its descriptors, its clock, what it has sent so far."""

    def __init__(self, job: Job, *, result_fd: int, output_fd: int, nonce: bytes) -> None:
        self.job = job
        self.result_fd = result_fd
        self.output_fd = output_fd
        self.nonce = nonce
        self.received = bytearray()
        self.started = time.monotonic()
        self.deadline = self.started + job.limits.time_s
        self.pid = -1
        self.killed_for: TimeLimit | OutputLimit | None = None
        self.watched = False

    @property
    def room(self) -> int:
        """Bytes that a result may have: the trace's own limit twice over (its encoding) and a little."""
        return 2 * self.job.limits.trace_bytes + (1 << 20)


class Worker:
    """One zygote process and at most one running job."""

    def __init__(self, function: str, selector: selectors.BaseSelector) -> None:
        self._selector = selector
        self._folder = tempfile.mkdtemp(prefix="deskcheck-")
        self._errors = open(scratch_fd(), "w+b")  # noqa: SIM115 - lives as long as the worker
        self.control, theirs = socket.socketpair()
        self._buffer = bytearray()
        paths = [os.path.abspath(p) for p in sys.path if p]
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-S", "-s", "-P", "-B", "-c", _BOOT, str(theirs.fileno()),
                 json.dumps(paths), function, self._folder],
                env=_ENVIRONMENT, cwd="/", stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                stderr=self._errors, pass_fds=[theirs.fileno()], start_new_session=True,
            )  # fmt: skip
        finally:
            theirs.close()
        self.control.setblocking(False)
        selector.register(self.control, selectors.EVENT_READ, self)
        self.ready = False
        self.lost = False
        """True once the zygote has died, stopped answering or answered nonsense."""
        self.running: Running | None = None
        self._start_deadline = time.monotonic() + START_S

    @property
    def deadline(self) -> float:
        """When this worker wants to be looked at even if nothing arrives."""
        if self.running is not None:
            return self.running.deadline
        return float("inf") if self.ready else self._start_deadline

    def start_job(self, job: Job) -> None:
        """Send the job to the zygote, its payload in an unnamed file."""
        payload_fd = scratch_fd()
        output_fd = scratch_fd()
        result_fd, write_fd = os.pipe()
        os.set_blocking(result_fd, False)
        nonce = os.urandom(16)
        self.running = Running(job, result_fd=result_fd, output_fd=output_fd, nonce=nonce)
        command = wire.Command(
            function=job.function,
            nonce=nonce,
            memory_bytes=job.limits.memory_bytes,
            cpu_s=int(job.limits.time_s) + 2,
            output_bytes=job.limits.output_bytes,
        )
        try:
            _write_all(payload_fd, job.payload)
            message = wire.pack(command)
            sent = socket.send_fds(self.control, [message], [payload_fd, output_fd, write_fd])
            self.lost = sent != len(message)
        except (BrokenPipeError, ConnectionResetError, BlockingIOError):
            self.lost = True  # it died, or was stopped, between two jobs
        finally:
            os.close(payload_fd)
            os.close(write_fd)
        self._selector.register(result_fd, selectors.EVENT_READ, self)
        self.running.watched = True

    def read_result(self) -> None:
        """Take what the child has written; a child that writes more than its room is killed."""
        running = self.running
        assert running is not None
        while len(running.received) <= running.room:
            try:
                part = os.read(running.result_fd, READ_BYTES)
            except BlockingIOError:
                return
            if not part:
                break
            running.received += part
        self._unwatch(running)  # its end has closed, or it is over its room
        if len(running.received) > running.room and running.killed_for is None:
            self._kill_child(OutputLimit(running.job.limits.trace_bytes, "trace"))

    def read_control(self) -> JobResult | None:
        """Take what the zygote says; the result when the job has ended. Sets `lost` when it is no zygote."""
        try:
            data = self.control.recv(READ_BYTES)
        except BlockingIOError:
            return None
        except ConnectionResetError:
            data = b""
        if not data:
            self.lost = True
            return None
        self._buffer += data
        try:
            messages = wire.take_messages(self._buffer)
        except ValueError:
            self.lost = True
            return None
        for message in messages:
            match message:
                case wire.Ready():
                    self.ready = True
                case wire.Started(pid) if self.running is not None:
                    self.running.pid = pid
                    if self.running.killed_for is not None:  # its time was over before it was forked
                        self._kill_child(self.running.killed_for)
                case wire.Exited(status) if self.running is not None:
                    return self._finish(status)
                case wire.Unloadable(reason) if self.running is not None:
                    function = self.running.job.function
                    raise DeskcheckError(f"the sandbox cannot load the job function '{function}': {reason}")
                case _:
                    self.lost = True
        return None

    def pass_deadline(self) -> None:
        """The clock has run out: kill the child; a second time, give the zygote up."""
        running = self.running
        if running is None or running.killed_for is not None:
            self.lost = True
        else:
            self._kill_child(TimeLimit(running.job.limits.time_s))

    def _kill_child(self, reason: TimeLimit | OutputLimit) -> None:
        running = self.running
        assert running is not None
        running.killed_for = reason
        running.deadline = time.monotonic() + GRACE_S
        if running.pid > 0:
            _kill(os.killpg, running.pid)
            _kill(os.kill, running.pid)

    def _finish(self, status: int) -> JobResult:
        running = self.running
        assert running is not None
        self.read_result()  # what still lies in the pipe
        limits = running.job.limits
        printed = os.fstat(running.output_fd).st_size
        output = os.pread(running.output_fd, min(printed, limits.output_bytes), 0)
        result = JobResult(
            id=running.job.id,
            result=judge(running, status=status, printed=printed),
            output=output,
            wall_s=time.monotonic() - running.started,
        )
        self.drop_job()
        return result

    def drop_job(self) -> Job | None:
        """Forget the running job and close its descriptors."""
        running, self.running = self.running, None
        if running is None:
            return None
        self._unwatch(running)
        os.close(running.result_fd)
        os.close(running.output_fd)
        return running.job

    def _unwatch(self, running: Running) -> None:
        if running.watched:
            self._selector.unregister(running.result_fd)
            running.watched = False

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
        if self.running is not None and self.running.pid > 0:
            _kill(os.killpg, self.running.pid)
        self.drop_job()
        self._process.kill()
        self._process.wait()
        self._selector.unregister(self.control)
        self.control.close()
        self._errors.close()
        shutil.rmtree(self._folder, ignore_errors=True)


def judge(running: Running, *, status: int, printed: int) -> JobDone | JobFailed:
    """What became of a child, from its exit status, its frame and how much it printed."""
    limits = running.job.limits
    number = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
    # First, because it is the same on every machine; whether the clock also ran out is not.
    if printed > limits.output_bytes or number == signal.SIGXFSZ:
        return JobFailed(OutputLimit(limits.output_bytes))
    if running.killed_for is not None:
        return JobFailed(running.killed_for)
    if number == signal.SIGXCPU:
        return JobFailed(TimeLimit(limits.time_s))
    if number:
        return JobFailed(Crashed(_signal_name(number)))
    code = os.waitstatus_to_exitcode(status)
    if code != 0:
        return JobFailed(Crashed(f"exit {code}"))
    if not running.received:
        return JobFailed(Crashed("exit 0 without a result"))
    try:
        kind, body = wire.parse_frame(running.received, running.nonce)
    except ValueError as error:
        return JobFailed(Rejected(f"result frame: {error}"))
    if kind == wire.DONE:
        return JobDone(body)
    if kind == wire.OUT_OF_MEMORY:
        return JobFailed(MemoryLimit(limits.memory_bytes))
    text = body.decode("utf-8", "replace")
    return JobFailed(
        Crashed(f"exit {text}") if kind == wire.EXITED else Rejected(f"job function raised {text}")
    )


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def scratch_fd() -> int:
    """A file without a name: in memory on Linux, in the temporary folder elsewhere."""
    if hasattr(os, "memfd_create"):
        return os.memfd_create("deskcheck")
    with tempfile.TemporaryFile() as file:
        return os.dup(file.fileno())


def _write_all(fd: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(fd, rest) :]


def _kill(kill: Callable[[int, int], None], pid: int) -> None:
    try:
        kill(pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):  # already gone
        return
