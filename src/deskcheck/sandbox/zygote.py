"""The warm interpreter that forks one limited child per command, and does nothing else.

Started by `worker.py` as a fresh process with an empty environment. It loads the job's module and what
programs commonly import, freezes the collector so that children share its memory, then answers commands
until its socket closes: fork, report Started, wait, kill what the child left behind, report Exited. When the
supervisor dies the socket closes and the child is killed with it. No untrusted code runs in this process.
"""

from __future__ import annotations

import array
import contextlib
import fcntl
import gc
import importlib
import os
import resource
import select
import shutil
import signal
import socket
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from types import FrameType

from msgspec import Struct

from deskcheck.errors import DeskcheckError
from deskcheck.sandbox import temporary
from deskcheck.sandbox.child import Batch, Function, rehearse, run_child, watch
from deskcheck.sandbox.confine import Box, prepare
from deskcheck.sandbox.single import Single, prctl
from deskcheck.sandbox.wire import (
    FD_STATM,
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
# Rounds of "kill every descendant": a program that forks faster than this is killed round after round.
SWEEPS = 200
# Where there are no descriptors of processes, a child's end is looked for this often.
NO_PIDFD_MS = 2
_PAGE = resource.getpagesize()


# Loaded before the first fork: a module that a program is the first to import would end its batch.
PRELOADED = (
    "__future__", "abc", "array", "bisect", "calendar", "cmath", "collections.abc", "contextlib", "copy",
    "dataclasses", "datetime", "decimal", "enum", "fractions", "functools", "heapq", "itertools", "json",
    "keyword", "math", "numbers", "operator", "random", "re", "statistics", "string", "struct", "tempfile",
    "textwrap", "time", "typing", "unicodedata", "deskcheck.sandbox.selftest",
)  # fmt: skip
# What else than its end the poll of a socket would report: commands that wait for their turn.
_HANGUP = getattr(select, "POLLRDHUP", select.POLLIN)


# What is rehearsed takes milliseconds; a zygote that is not ready after `worker.START_S` would be given up.
REHEARSAL_S = 10.0


class SupervisorGone(Exception):
    """The socket to the supervisor closed."""


def main(control_fd: int, function: str, folder: str, level: str) -> None:
    """Serve commands from the socket until it closes; then remove the scratch folder."""
    import site  # -S keeps start-up small; the names that site gives every program are still there

    site.setquit()
    site.sethelper()
    site.setcopyright()
    sys.argv = [""]
    # A child's own descriptors have the lowest numbers; nothing of the zygote's may lie there.
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
        run_folder = os.path.join(folder, "run")
        os.mkdir(run_folder)
        try:
            box = prepare(level, run_folder)
        except (OSError, DeskcheckError) as error:
            control.sendall(pack(Unable(str(error)[:2000])))
            return
        if box.folder:
            temporary.prepare(box.folder)
        zygote.serve(box, run_folder)
    except (SupervisorGone, BrokenPipeError, ConnectionResetError):
        kill_orphans()  # whatever the last child was just about to start
    finally:
        shutil.rmtree(folder, ignore_errors=True)


class Zygote:
    """One socket, one child at a time."""

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
        # The interpreter ignores it; by default it ends a child at once that writes past its output limit.
        signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
        prctl(PR_SET_NO_NEW_PRIVS, 1)
        prctl(PR_SET_CHILD_SUBREAPER, 1)  # orphans of a child come to this process, which kills them
        watch(self._batch)
        for function, samples in self._samples:  # after the watching, which fills the cache of attributes
            with at_most(REHEARSAL_S):
                rehearse(function, samples, until=time.monotonic() + REHEARSAL_S)
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
        """The function "module:function"; its module is imported here, once, for all children.

        A module's `preparer()` gives what its payloads are prepared with (`child.Function`).
        A module's `samples()` are payloads of its own, to be rehearsed (`child.rehearse`). Where they take
        too long, children do without: they are slower, and nothing else.
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
        """Read one command, run its child to the end, report."""
        command, fds = self._receive()
        try:
            function = self.load(command.function)
        except Exception as error:  # any import error is reported by name; the supervisor raises it
            self._control.sendall(pack(Unloadable(f"{type(error).__name__}: {error}"[:2000])))
            return
        batch_fd, output_fd, result_fd, *files_fd = fds
        if files_fd:
            place_files(files_fd[0], self._run_folder)
        base_bytes = _address_space()
        pid = self._batch.fork(self._run_folder, batch_fd, output_fd, result_fd)
        if pid == 0:
            run_child(command, function, self._batch, self._box, base_bytes=base_bytes)
        for fd in fds:
            os.close(fd)
        pidfd = self._send(partial(Started, pid), pid)
        status, cpu_s = self._wait(pid, pidfd)
        clean = _clear(self._run_folder)
        self._control.sendall(pack(Exited(status, cpu_s)))
        if not clean:  # a fresh zygote has a fresh folder
            raise SupervisorGone

    def _send(self, message: Callable[[bool], Struct], pid: int) -> int:
        """A message with a descriptor of the process, returned too: its number may mean nothing outside."""
        try:
            fd = os.pidfd_open(pid)
        except (AttributeError, OSError):  # not Linux, or an old one
            self._control.sendall(pack(message(False)))
            return -1
        socket.send_fds(self._control, [pack(message(True))], [fd])
        return fd

    def _receive(self) -> tuple[Command, list[int]]:
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
        """Status and processor time of the child once it, its group and its orphans are gone."""
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
        _kill(os.killpg, pid)  # whoever is left in its group
        kill_orphans()
        _, status, used = ended
        return status, used.ru_utime + used.ru_stime


@contextlib.contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """What runs inside is ended by a TimeoutError after so long, which goes no further."""

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


def _find_batch() -> Batch:
    try:
        from deskcheck.sandbox import _batch
    except ImportError:  # installed without a compiler
        return Single()
    return _batch


def _kill(kill: Callable[[int, int], None], pid: int) -> None:
    # Gone already, or never led a group; macOS says EPERM for a group of zombies.
    with contextlib.suppress(ProcessLookupError, PermissionError):
        kill(pid, signal.SIGKILL)


def kill_orphans() -> None:
    """Kill every process that a child left to this one, whatever session it fled to."""
    for _ in range(SWEEPS):
        if os.getpid() == 1:  # of its own process numbers: everybody else is a child's
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
    """Processes whose parent is this one (Linux)."""
    own, found = str(os.getpid()), []
    for name in os.listdir("/proc") if os.path.isdir("/proc") else []:
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat", "rb") as file:
                    parent = file.read().rpartition(b")")[2].split()[1].decode()
            except (OSError, IndexError):
                continue
            if parent == own:
                found.append(int(name))
    return found


def _address_space() -> int:
    """Bytes that a child starts with; 0 where that is not to be had."""
    try:
        with open("/proc/self/statm", "rb") as file:
            return int(file.read().split()[0]) * _PAGE
    except OSError:
        return 0


def _clear(folder: str) -> bool:
    """Make the folder empty again; False if the child left something that sticks."""
    try:
        if os.listdir(folder):
            for entry in os.scandir(folder):
                if entry.is_dir(follow_symlinks=False):
                    shutil.rmtree(entry.path)
                else:
                    os.unlink(entry.path)
    except OSError:
        return False
    return True
