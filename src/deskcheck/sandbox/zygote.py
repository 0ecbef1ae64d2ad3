"""The warm interpreter that forks one limited child per command, and does nothing else.

Started by `worker.py` as a fresh process with an empty environment. It loads the job's module once,
freezes the collector so that children share its memory, then answers commands until its socket closes:
fork, report Started, wait, kill what the child left behind, report Exited. When the supervisor dies the
socket closes and the child is killed with it. No untrusted code ever runs in this process itself.
"""

from __future__ import annotations

import array
import contextlib
import gc
import importlib
import os
import select
import shutil
import signal
import socket
import sys
from collections.abc import Callable

from deskcheck.sandbox.child import prctl, run_child
from deskcheck.sandbox.wire import (
    LENGTH,
    Command,
    Exited,
    Ready,
    Started,
    Unloadable,
    decode_command,
    pack,
)

PR_SET_CHILD_SUBREAPER = 36
PR_SET_NO_NEW_PRIVS = 38
# Rounds of "kill every descendant": a program that forks faster than this is killed round after round.
SWEEPS = 200


class SupervisorGone(Exception):
    """The socket to the supervisor closed."""


def main(control_fd: int, function: str, folder: str) -> None:
    """Serve commands from the socket until it closes; then remove the scratch folder."""
    import site  # -S keeps start-up small; the names that site gives every program are still there

    site.setquit()
    site.sethelper()
    site.setcopyright()
    sys.argv = [""]
    control = socket.socket(fileno=control_fd)
    wake_read, wake_write = os.pipe()
    os.set_blocking(wake_read, False)
    os.set_blocking(wake_write, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wake_write, warn_on_full_buffer=False)
    prctl(PR_SET_NO_NEW_PRIVS, 1)
    prctl(PR_SET_CHILD_SUBREAPER, 1)  # orphans of a child come to this process, which kills them
    zygote = Zygote(control, wake_read=wake_read, wake_write=wake_write, folder=folder)
    try:
        with contextlib.suppress(Exception):  # reported when a job asks for it
            zygote.load(function)
        gc.collect()
        gc.disable()
        gc.freeze()
        control.sendall(pack(Ready()))
        while True:
            zygote.serve_one()
    except SupervisorGone:
        pass
    finally:
        shutil.rmtree(folder, ignore_errors=True)


class Zygote:
    """One socket, one child at a time."""

    def __init__(self, control: socket.socket, *, wake_read: int, wake_write: int, folder: str) -> None:
        self._control = control
        self._wake_read = wake_read
        self._wake_write = wake_write
        self._folder = folder
        self._functions: dict[str, Callable[[bytes], bytes]] = {}
        self._poll = select.poll()
        self._poll.register(control, select.POLLIN)
        self._poll.register(wake_read, select.POLLIN)

    def load(self, name: str) -> Callable[[bytes], bytes]:
        """The function "module:function"; the module is imported here, once, for all children."""
        found = self._functions.get(name)
        if found is None:
            module, _, attribute = name.partition(":")
            found = getattr(importlib.import_module(module), attribute)
            self._functions[name] = found
        return found

    def serve_one(self) -> None:
        """Read one command, run its child to the end, report."""
        command, fds = self._receive()
        try:
            function = self.load(command.function)
        except Exception as error:  # any import error is reported by name; the supervisor raises it
            self._control.sendall(pack(Unloadable(f"{type(error).__name__}: {error}"[:2000])))
            return
        run_folder = os.path.join(self._folder, "run")
        os.mkdir(run_folder)
        payload_fd, output_fd, result_fd = fds
        pid = os.fork()
        if pid == 0:
            run_child(
                command,
                function,
                payload_fd=payload_fd,
                output_fd=output_fd,
                result_fd=result_fd,
                foreign_fds=(self._control.fileno(), self._wake_read, self._wake_write),
                folder=run_folder,
            )
        for fd in fds:
            os.close(fd)
        self._control.sendall(pack(Started(pid)))
        status = self._wait(pid)
        _remove(run_folder)
        self._control.sendall(pack(Exited(status)))

    def _receive(self) -> tuple[Command, list[int]]:
        fds = array.array("i")
        space = socket.CMSG_SPACE(3 * fds.itemsize)
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

    def _wait(self, pid: int) -> int:
        """Status of the child once it, its group and its orphans are gone."""
        while True:
            ended, status = os.waitpid(pid, os.WNOHANG)
            if ended:
                break
            for fd, _ in self._poll.poll():
                if fd == self._wake_read:
                    _drain(fd)
                else:  # the supervisor sends nothing while a child runs: its end has closed
                    _kill(os.killpg, pid)
                    _kill(os.kill, pid)
                    os.waitpid(pid, 0)
                    kill_orphans()
                    raise SupervisorGone
        _kill(os.killpg, pid)  # whoever is left in its group
        kill_orphans()
        return status


def _kill(kill: Callable[[int, int], None], pid: int) -> None:
    # Gone already, or never led a group; macOS says EPERM for a group of zombies.
    with contextlib.suppress(ProcessLookupError, PermissionError):
        kill(pid, signal.SIGKILL)


def kill_orphans() -> None:
    """Kill every process that a child left to this one, whatever session it fled to."""
    for _ in range(SWEEPS):
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


def _drain(fd: int) -> None:
    try:
        while os.read(fd, 4096):
            pass
    except BlockingIOError:
        pass


def _remove(folder: str) -> None:
    try:
        os.rmdir(folder)
    except OSError:  # the program left files
        shutil.rmtree(folder, ignore_errors=True)
        if os.path.lexists(folder):  # and made them stick: the next child gets another name
            os.rename(folder, f"{folder}.{os.urandom(8).hex()}")
