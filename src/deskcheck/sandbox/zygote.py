"""Serve as the zygote: a warm interpreter that forks one limited child per command.

`worker.py` starts it as a fresh process with an almost empty environment. It loads the job's module and the
modules that programs commonly import. It exempts its objects from garbage collection (`gc.freeze`), so that
children share the memory of the process. Then it answers commands until its socket closes: fork, report
Started, wait, kill all processes that the child left behind, report Exited. When the supervisor dies, the
socket closes and the child is killed. No untrusted code runs in this process.
"""

from __future__ import annotations

import array
import contextlib
import fcntl
import gc
import importlib
import os
import platform
import resource
import select
import signal
import socket
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from types import FrameType
from typing import Any

from msgspec import Struct

from deskcheck.errors import DeskcheckError
from deskcheck.sandbox import leftovers, temporary
from deskcheck.sandbox.child import Batch, Function, rehearse, run_child, watch, watch_inside
from deskcheck.sandbox.confine import Box, prepare
from deskcheck.sandbox.single import Single, prctl
from deskcheck.sandbox.wire import (
    FD_STATM,
    INPUT,
    LENGTH,
    Command,
    Exited,
    Ready,
    Started,
    Unable,
    Unloadable,
    decode_command,
    pack,
    place_files,
)

PR_SET_CHILD_SUBREAPER = 36
PR_SET_NO_NEW_PRIVS = 38
# Most rounds of killing every descendant: a program that forks quickly needs more than one.
SWEEPS = 200
# Time between two checks for a child's end on systems without pidfds.
NO_PIDFD_MS = 2
_PAGE = resource.getpagesize()


# Loaded before the first fork, because the first import of a module by a program would end its batch.
PRELOADED = (
    "__future__", "abc", "array", "bisect", "calendar", "cmath", "collections.abc", "contextlib", "copy",
    "dataclasses", "datetime", "decimal", "enum", "fractions", "functools", "heapq", "itertools", "json",
    "keyword", "math", "numbers", "operator", "random", "re", "statistics", "string", "struct", "tempfile",
    "textwrap", "time", "types", "typing", "unicodedata", "deskcheck.sandbox.selftest",
)  # fmt: skip
# Event of a closed socket; without POLLRDHUP, waiting commands would be reported as well.
_HANGUP = getattr(select, "POLLRDHUP", select.POLLIN)


# A rehearsal normally takes milliseconds; a zygote that is not ready after `worker.START_S` is given up.
REHEARSAL_S = 10.0


class SupervisorGone(Exception):
    """Signal that the socket to the supervisor has closed."""


def main(control_fd: int, function: str, folder: str, level: str) -> None:
    """Serve commands from the socket until it closes; then remove the scratch folder.

    `control_fd`: descriptor of the socket. `function`: "module:name" of the job's function, which is loaded
    before any command. `folder`: the scratch folder. `level`: containment level.
    """
    import site  # -S makes the start faster; the names that site adds to builtins are added here

    site.setquit()
    site.sethelper()
    site.setcopyright()
    sys.argv = [""]
    # The lowest descriptor numbers belong to a child; the zygote must not use them.
    control = socket.socket(fileno=fcntl.fcntl(control_fd, fcntl.F_DUPFD_CLOEXEC, 16))
    os.close(control_fd)
    while os.open(os.devnull, os.O_RDONLY) < FD_STATM:
        pass
    zygote = Zygote(control, folder=folder)
    try:
        for name in PRELOADED:
            importlib.import_module(name)
        with contextlib.suppress(Exception):  # reported when a job asks for it
            zygote.load(function)
        run_folder, given = os.path.join(folder, "run"), os.path.join(folder, INPUT)
        os.mkdir(run_folder)
        os.close(os.open(given, os.O_WRONLY | os.O_CREAT, 0o644))
        try:
            box = prepare(level, run_folder, given)
        except (OSError, DeskcheckError) as error:
            control.sendall(pack(Unable(str(error)[:2000])))
            return
        if box.folder:
            temporary.prepare(box.folder)
        if level != "limits":
            name_processor()
        zygote.serve(box, run_folder)
    except (SupervisorGone, BrokenPipeError, ConnectionResetError):
        kill_orphans()  # the last child may just have started a process
    finally:
        leftovers.remove(folder)  # the worker tries again, and counts what stays


class Zygote:
    """Server of one socket that runs one child at a time."""

    def __init__(self, control: socket.socket, *, folder: str) -> None:
        self._control = control
        self._folder = folder
        self._functions: dict[str, Function] = {}
        self._samples: list[tuple[Function, list[bytes]]] = []
        self._batch = _find_batch()

    def serve(self, box: Box, run_folder: str) -> None:
        """Answer commands until the supervisor is gone."""
        self._box = box
        self._run_folder = run_folder
        # The interpreter ignores SIGXFSZ; its default ends a child that writes past the output limit at once.
        signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
        prctl(PR_SET_NO_NEW_PRIVS, 1)
        prctl(PR_SET_CHILD_SUBREAPER, 1)  # orphans of a child come to this process, which kills them
        watch(self._batch)
        for function, samples in self._samples:  # after `watch`, which fills the cache of attributes
            with at_most(REHEARSAL_S):
                rehearse(function, samples, until=time.monotonic() + REHEARSAL_S)
        watch_inside(self._batch)
        self._batch.renew()
        gc.collect()
        gc.disable()
        gc.freeze()
        self._batch.fill_holes()
        if (own := self._send(Ready, os.getpid())) >= 0:
            os.close(own)
        while True:
            self._serve_one()

    def load(self, name: str) -> Function:
        """Return the function "module:function"; its module is imported once, for all children.

        A module's `preparer()` makes the function that prepares its payloads (`child.Function`).
        A module's `samples()` returns payloads to rehearse (`child.rehearse`). If that takes too long, it is
        cut short, and children are only slower.
        """
        found = self._functions.get(name)
        if found is None:
            module, _, attribute = name.partition(":")
            loaded = importlib.import_module(module)
            found = Function(getattr(loaded, attribute), getattr(loaded, "preparer", None))
            samples = getattr(loaded, "samples", None)
            if samples is not None:
                with at_most(REHEARSAL_S):
                    self._samples.append((found, samples()))
            self._functions[name] = found
        return found

    def _serve_one(self) -> None:
        """Read one command, run its child to the end, and report it.

        SupervisorGone if the socket has closed, or to end a zygote whose folder could not be emptied.
        """
        command, fds = self._receive()
        try:
            function = self.load(command.function)
        except Exception as error:  # any import error is reported by name; the supervisor raises it
            self._control.sendall(pack(Unloadable(f"{type(error).__name__}: {error}"[:2000])))
            return
        batch_fd, output_fd, result_fd, *files_fd = fds
        if files_fd:
            place_files(files_fd[0], self._run_folder, os.path.join(self._folder, INPUT))
        base_bytes = _address_space()
        pid = self._batch.fork(self._run_folder, batch_fd, output_fd, result_fd)
        if pid == 0:
            run_child(command, function, self._batch, self._box, base_bytes=base_bytes)
        for fd in fds:
            os.close(fd)
        pidfd = self._send(partial(Started, pid), pid)
        status, cpu_s = self._wait(pid, pidfd)
        if files_fd:  # the next child must not read this job's standard input
            os.truncate(os.path.join(self._folder, INPUT), 0)
        left = leftovers.empty(self._run_folder)
        self._control.sendall(pack(Exited(status, cpu_s)))
        if left:  # this zygote ends, because the next child needs an empty folder
            raise SupervisorGone

    def _send(self, message: Callable[[bool], Struct], pid: int) -> int:
        """Send a message with a pidfd of the process and return it; -1 on systems without pidfds.

        The process number alone may have no meaning for the supervisor.
        """
        try:
            fd = os.pidfd_open(pid)
        except (AttributeError, OSError):  # not Linux, or an old one
            self._control.sendall(pack(message(False)))
            return -1
        socket.send_fds(self._control, [pack(message(True))], [fd])
        return fd

    def _receive(self) -> tuple[Command, list[int]]:
        """Receive one command and its descriptors. SupervisorGone if the socket has closed."""
        fds = array.array("i")
        space = socket.CMSG_SPACE(4 * fds.itemsize)
        data, ancillary, _, _ = self._control.recvmsg(1 << 16, space)
        for level, kind, content in ancillary:
            if level == socket.SOL_SOCKET and kind == socket.SCM_RIGHTS:
                fds.frombytes(content[: len(content) - len(content) % fds.itemsize])
        while data and len(data) < LENGTH.size + LENGTH.unpack_from(data)[0]:
            more = self._control.recv(1 << 16)
            if not more:
                raise SupervisorGone
            data += more
        if not data:
            raise SupervisorGone
        return decode_command(data[LENGTH.size :]), list(fds)

    def _wait(self, pid: int, pidfd: int) -> tuple[int, float]:
        """Wait until the child, its group and its orphans are gone; return its status and processor time.

        SupervisorGone if the socket closes meanwhile; then the child is killed.
        """
        poll = select.poll()
        poll.register(self._control, _HANGUP)
        if pidfd >= 0:
            poll.register(pidfd, select.POLLIN)
        try:
            while not (ended := os.wait4(pid, os.WNOHANG))[0]:
                happened = poll.poll(None if pidfd >= 0 else NO_PIDFD_MS)
                if any(fd != pidfd for fd, _ in happened):  # the supervisor's end has closed
                    _kill(os.killpg, pid)
                    _kill(os.kill, pid)
                    os.waitpid(pid, 0)
                    kill_orphans()
                    raise SupervisorGone
        finally:
            if pidfd >= 0:
                os.close(pidfd)
        _kill(os.killpg, pid)  # processes left in its group
        kill_orphans()
        _, status, used = ended
        return status, used.ru_utime + used.ru_stime


@contextlib.contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """End the `with` block after some seconds; the TimeoutError that ends it is suppressed."""

    def end(number: int, frame: FrameType | None) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, end)
    try:
        try:
            signal.setitimer(signal.ITIMER_REAL, seconds)
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
    except TimeoutError:
        pass
    finally:
        signal.signal(signal.SIGALRM, before)


def name_processor() -> None:
    """Make `platform` answer with what `uname -p` prints here, as a program cannot start that command."""
    command, text = ["uname", "-p"], b""
    reader, writer = os.pipe()
    with open(reader, "rb") as printed, contextlib.suppress(OSError):
        try:
            process = os.posix_spawnp(
                command[0], command, {}, file_actions=[(os.POSIX_SPAWN_DUP2, writer, 1)]
            )
        finally:
            os.close(writer)
        text = printed.read()
        os.waitpid(process, 0)
    processors: Any = vars(platform).get("_Processor")
    if processors is not None and not hasattr(processors, "get_linux"):
        processors.get_linux = text.decode("utf-8", "replace").strip


def _find_batch() -> Batch:
    try:
        from deskcheck.sandbox import _batch
    except ImportError:  # installed without a compiler
        return Single()
    return _batch


def _kill(kill: Callable[[int, int], None], pid: int) -> None:
    # The process is gone or led no group; macOS returns EPERM for a group of zombies.
    with contextlib.suppress(ProcessLookupError, PermissionError):
        kill(pid, signal.SIGKILL)


def kill_orphans() -> None:
    """Kill every process that a child left to this one, in any session."""
    for _ in range(SWEEPS):
        if os.getpid() == 1:  # in a separate process namespace all other processes belong to a child
            _kill(os.kill, -1)
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return
        for pid in _children():
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                continue
        select.select([], [], [], 0.002)


def _children() -> list[int]:
    """Return the processes whose parent is this one (Linux)."""
    own, children = str(os.getpid()), []
    for name in os.listdir("/proc") if os.path.isdir("/proc") else []:
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat", "rb") as file:
                    parent = file.read().rpartition(b")")[2].split()[1].decode()
            except (OSError, IndexError):
                continue
            if parent == own:
                children.append(int(name))
    return children


def _address_space() -> int:
    """Return the bytes of address space that a child starts with; 0 if unknown."""
    try:
        with open("/proc/self/statm", "rb") as file:
            return int(file.read().split()[0]) * _PAGE
    except OSError:
        return 0
