"""Jobs of the sandbox's self-test (`containment.py`); most try an action that a level should stop."""

from __future__ import annotations

import os
import resource
from collections.abc import Callable

import msgspec
from msgspec import Struct


class EscapeTargets(Struct, frozen=True):
    """Targets of `escape`; all belong to the supervisor, and losing them does no harm."""

    file: str
    """File that only its owner may read."""
    folder: str
    """Folder to write to."""
    port: int
    """Port of a listener on 127.0.0.1."""
    pid: int
    """Number of a process of the same user."""


def report_limits(payload: bytes) -> bytes:
    """Return soft limits of this child and whether the parent's environment leaked in: "core=0 files=65 ..".

    The payload is the name of an environment variable of the parent.
    """
    core = resource.getrlimit(resource.RLIMIT_CORE)[0]
    files = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    leaked = payload.decode() in os.environ
    return f"core={core} files={files} leaked={leaked}".encode()


def give_back(payload: bytes) -> bytes:
    """Return the payload, to measure the cost of a job that does nothing."""
    return payload


def take_memory(payload: bytes) -> bytes:
    """Allocate the number of bytes that the payload names, which is more than the limit allows."""
    return str(len(bytearray(int(payload)))).encode()


def loop(payload: bytes) -> bytes:
    """Run forever, for the test of the time limit."""
    while True:
        pass


def print_much(payload: bytes) -> bytes:
    """Print the payload without end, for the test of the output limit."""
    while True:
        print(payload.decode())


def escape(payload: bytes) -> bytes:
    """Return the names of the actions that succeeded, as JSON; containment level full promises [].

    The payload is an EscapeTargets as JSON.
    """
    targets = msgspec.json.decode(payload, type=EscapeTargets)
    tried: dict[str, Callable[[], bool]] = {
        "read a file": lambda: bool(_read(targets.file)),
        "see a file": lambda: bool(os.stat(targets.file)),
        "write a file": lambda: bool(_write(f"{targets.folder}/written")),
        "remove a file": lambda: _done(os.remove, targets.file),
        "connect": lambda: _connect(targets.port),
        "signal a process": lambda: _done(os.kill, targets.pid, 0),
        "see its parent's number": lambda: os.getppid() != 1,
        "execute": lambda: _execute(targets.folder),
        "fork": _fork,
    }
    return msgspec.json.encode([name for name, attempt_it in tried.items() if _can(attempt_it)])


def _can(attempt: Callable[[], bool]) -> bool:
    try:
        return attempt()
    except OSError:
        return False


def _done(call: Callable[..., None], *arguments: object) -> bool:
    call(*arguments)
    return True


def _read(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def _write(path: str) -> int:
    with open(path, "wb") as file:
        return file.write(b"x")


def _connect(port: int) -> bool:
    import socket

    with socket.create_connection(("127.0.0.1", port), timeout=1.0):
        return True


def _execute(folder: str) -> bool:
    """Whether the kernel looks for the file to execute, instead of refusing the call."""
    try:
        os.execv(os.path.join(folder, "no-such-file"), ["no-such-file"])
    except FileNotFoundError:
        return True
    return False


def _fork() -> bool:
    pid = os.fork()
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)
    return True
