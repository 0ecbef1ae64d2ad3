"""What a forked child does: give up what it inherited, take on its limits, run one function, write one frame.

Runs inside the zygote's fork and never returns. Everything it needs after the program has run is bound
beforehand, because a program may replace builtins, `os.write` or `sys.stdout`.
"""

from __future__ import annotations

import ctypes
import os
import random
import resource
import signal
import sys
from collections.abc import Callable, Sequence
from typing import NoReturn

from deskcheck.sandbox.wire import DONE, EXITED, HEADER, MAGIC, OUT_OF_MEMORY, RAISED, Command

PR_SET_PDEATHSIG = 1
MAX_FILES = 64
# Root is not bound by it, and it counts all processes of the user, so it only blunts a fork bomb.
MAX_PROCESSES = 4096
STACK_BYTES = 8 << 20
_LINUX = sys.platform.startswith("linux")

_write, _exit, _len, _view = os.write, os._exit, len, memoryview


def prctl(option: int, value: int) -> None:
    """One Linux process setting. OSError where the kernel refuses; nothing elsewhere than on Linux."""
    if _LINUX and _libc.prctl(option, value, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), f"prctl({option}, {value})")


_libc = ctypes.CDLL(None, use_errno=True)
if _LINUX:
    _libc.prctl.argtypes = [ctypes.c_int] + [ctypes.c_ulong] * 4


def run_child(
    command: Command,
    function: Callable[[bytes], bytes],
    *,
    payload_fd: int,
    output_fd: int,
    result_fd: int,
    foreign_fds: Sequence[int],
    folder: str,
) -> NoReturn:
    """Run `function` on the payload under the limits of `command`; write the frame; leave the process."""
    code = 70  # ours went wrong before or after the program: never taken for a result
    try:
        _leave_family(foreign_fds, folder)
        payload = _read_all(payload_fd)
        _take_stdio(output_fd)
        random.seed(payload)  # of the program, not of its place in a batch
        streams = (sys.stdout, sys.stderr)
        _limit(command)
        kind, body = _call(function, payload)
        if kind == DONE:
            _flush(streams)  # before the frame: output over the limit must end the run, not follow it
        _send(result_fd, HEADER.pack(MAGIC, kind, command.nonce, _len(body)), body)
        code = 0
    except MemoryError:
        _send(result_fd, HEADER.pack(MAGIC, OUT_OF_MEMORY, command.nonce, 0), b"")
        code = 0
    finally:
        _exit(code)


def _call(function: Callable[[bytes], bytes], payload: bytes) -> tuple[int, bytes]:
    """The function's answer, or how it left."""
    try:
        return DONE, function(payload)
    except MemoryError:
        return OUT_OF_MEMORY, b""
    except SystemExit as left:
        code = left.code if isinstance(left.code, int) else int(left.code is not None)
        return EXITED, b"%d" % code
    except BaseException as error:  # the boundary: whatever it is, the supervisor gets told
        return RAISED, _text_of(error)


def _text_of(error: BaseException) -> bytes:
    name = type(error).__name__
    # str() of a class that the program made would run the program's code again.
    text = str(error) if type(error).__module__ in ("builtins", "deskcheck.errors") else ""
    return f"{name}: {text}"[:500].encode("utf-8", "backslashreplace")


def _leave_family(foreign_fds: Sequence[int], folder: str) -> None:
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    # The interpreter ignores it; the default ends a run at once that writes past its output limit.
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
    os.setsid()
    prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    for fd in foreign_fds:
        os.close(fd)
    os.chdir(folder)


def _read_all(fd: int) -> bytes:
    size = os.fstat(fd).st_size
    parts: list[bytes] = []
    while size > 0:
        part = os.pread(fd, size, sum(map(len, parts)))
        if not part:
            raise OSError("the payload is shorter than its file")
        parts.append(part)
        size -= len(part)
    os.close(fd)
    return b"".join(parts)


def _take_stdio(output_fd: int) -> None:
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    os.dup2(output_fd, 1)
    os.dup2(output_fd, 2)
    os.close(output_fd)


def _limit(command: Command) -> None:
    _cap(resource.RLIMIT_CORE, 0)
    _cap(resource.RLIMIT_NOFILE, MAX_FILES)
    _cap(resource.RLIMIT_CPU, command.cpu_s)
    # One byte more than allowed: a file of that size is the proof that the limit was passed.
    _cap(resource.RLIMIT_FSIZE, command.output_bytes + 1)
    _cap(resource.RLIMIT_STACK, STACK_BYTES)
    if _LINUX:  # macOS counts shared libraries into AS and refuses any useful value
        _cap(resource.RLIMIT_NPROC, MAX_PROCESSES)
        _cap(resource.RLIMIT_AS, command.memory_bytes)


def _cap(what: int, value: int) -> None:
    hard = resource.getrlimit(what)[1]
    if hard != resource.RLIM_INFINITY:
        value = min(value, hard)
    resource.setrlimit(what, (value, value))


def _flush(streams: Sequence[object]) -> None:
    for stream in streams:
        try:
            stream.flush()  # type: ignore[attr-defined]
        except (OSError, ValueError):  # closed by the program: then there is nothing left to flush
            continue


def _send(fd: int, header: bytes, body: bytes) -> None:
    _write(fd, header)
    rest = _view(body)
    while _len(rest):
        rest = rest[_write(fd, rest) :]
