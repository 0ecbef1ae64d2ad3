"""What a forked child does: give up what it inherited, take on its limits, run its batch, leave.

    run_child(command, function, batch, box, batch_fd=.., output_fd=.., result_fd=.., folder=.., ..)

Runs inside the zygote's fork and never returns. Between two programs it compares its own state with how it
was (batch.c, state.c) and ends itself at the first difference: the rest of its batch goes to a fresh child.
Everything it needs after a program has run is bound beforehand, because a program may replace builtins,
`os.write` or `sys.stdout`.
"""

from __future__ import annotations

import builtins
import ctypes
import functools
import gc
import os
import random
import resource
import signal
import sys
import sysconfig
from _thread import _count as count_threads
from abc import get_cache_token
from collections.abc import Callable, Sequence
from contextvars import Context
from types import FunctionType, ModuleType
from typing import Any, NoReturn, Protocol

from deskcheck.sandbox.confine import Box, take_refusals
from deskcheck.sandbox.wire import DONE, EXITED, OUT_OF_MEMORY, RAISED, Command

PR_SET_PDEATHSIG = 1
BROKEN = 70  # exit code: ours went wrong before or after the program, so nothing is a result
_LINUX = sys.platform.startswith("linux")
_PAGE = resource.getpagesize()
_exit, _seed, _modules = os._exit, random.seed, sys.modules


class Batch(Protocol):
    """`_batch`, or `single.Single` where that is not built."""

    def watch(self, tables: list[Any], functions: list[Any], probes: list[Any]) -> None: ...
    def open(self, batch_fd: int, result_fd: int, statm_fd: int) -> None: ...
    def next(self) -> bytes | None: ...
    def finish(self, kind: int, body: bytes, refusals: bytes) -> int: ...


def prctl(option: int, value: int) -> None:
    """One Linux process setting. OSError where the kernel refuses; nothing elsewhere than on Linux."""
    if _LINUX and _libc.prctl(option, value, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), f"prctl({option}, {value})")


_libc = ctypes.CDLL(None, use_errno=True)
if _LINUX:
    _libc.prctl.argtypes = [ctypes.c_int] + [ctypes.c_ulong] * 4


def watch(batch: Batch) -> None:
    """In the zygote, once everything is loaded: what must be the same after a program as before it."""
    _seed(b"")  # from 3.13 on the first one imports what it needs
    import copyreg
    import warnings

    partial = functools.partial
    streams = (sys.stdin, sys.stdout, sys.stderr)
    names = ("closed", "encoding", "errors", "line_buffering", "write_through")
    probes: list[Callable[[], object]] = [
        sys.getrecursionlimit, sys.getswitchinterval, sys.get_int_max_str_digits, sys.gettrace,
        sys.getprofile, sys.get_coroutine_origin_tracking_depth, gc.isenabled, gc.get_threshold,
        get_cache_token, count_threads,
        *(partial(getattr, stream, name) for stream in streams for name in names),
        *(partial(signal.getsignal, number) for number in signal.valid_signals()),
        *(partial(len, table) for table in (sys.path, sys.meta_path, sys.path_hooks)),
        *(partial(len, table) for table in (warnings.filters, gc.callbacks)),
    ]  # fmt: skip
    if sys.version_info >= (3, 12):
        probes += [partial(sys.monitoring.get_tool, tool) for tool in range(6)]
    ours = [module for name, module in sys.modules.items() if name.split(".")[0] == "deskcheck"]
    own = [value for module in ours for value in vars(module).values() if isinstance(value, FunctionType)]
    tables = [copyreg.dispatch_table, sysconfig.__dict__]
    environ = getattr(os.environ, "_data", None)
    if isinstance(environ, dict):
        tables.append(environ)
    batch.watch(list(tables), list(own), list(probes))


def run_child(
    command: Command,
    function: Callable[[bytes], bytes],
    batch: Batch,
    box: Box,
    *,
    batch_fd: int,
    output_fd: int,
    result_fd: int,
    foreign_fds: Sequence[int],
    folder: str,
) -> NoReturn:
    """Run `function` on each payload of the batch under the limits of `command`; then leave the process."""
    code = BROKEN
    try:
        _leave_family(foreign_fds, folder)
        _take_stdio(output_fd)
        streams = (sys.stdout, sys.stderr)
        statm_fd, base_bytes = _own_memory()
        box.confine(
            keep=(batch_fd, result_fd, statm_fd),
            memory_bytes=base_bytes + command.memory_bytes,
            cpu_s=command.cpu_s,
            output_bytes=command.output_bytes,
        )
        batch.open(batch_fd, result_fd, statm_fd)
    except BaseException as error:  # the supervisor finds it where output would be, and no frame
        os.write(1, f"{type(error).__name__}: {error}".encode("utf-8", "backslashreplace")[:1000])
        _exit(BROKEN)
    try:
        _run_all(batch, function, streams)
        code = 0
    except MemoryError:  # for the payload, or for the frame
        batch.finish(OUT_OF_MEMORY, b"", b"")
        code = 0
    finally:
        _exit(code)


def _run_all(batch: Batch, function: Callable[[bytes], bytes], streams: Sequence[Any]) -> None:
    take, finish, refused = batch.next, batch.finish, take_refusals
    refused()
    while (payload := take()) is not None:
        _seed(payload)  # of the program, not of its place in a batch
        kind, body = Context().run(
            _call, function, payload
        )  # its own context variables, decimal's among them
        if kind == DONE:
            _flush(streams)  # before the frame: output over the limit must end the run, not follow it
        if finish(kind, body, " ".join(refused()).encode()) or kind != DONE:
            return


def _call(function: Callable[[bytes], bytes], payload: bytes) -> tuple[int, bytes]:
    """The function's answer, or how it left."""
    own = ModuleType("builtins")  # a program that patches builtins patches its own
    own.__dict__.update(builtins.__dict__)
    _modules["builtins"] = own
    try:
        return DONE, function(payload)
    except MemoryError:
        return OUT_OF_MEMORY, b""
    except SystemExit as left:
        code = left.code if isinstance(left.code, int) else int(left.code is not None)
        return EXITED, b"%d" % code
    except BaseException as error:  # the boundary: whatever it is, the supervisor gets told
        return RAISED, _text_of(error)
    finally:
        _modules["builtins"] = builtins


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


def _take_stdio(output_fd: int) -> None:
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    os.dup2(output_fd, 1)
    os.dup2(output_fd, 2)
    os.close(output_fd)


def _own_memory() -> tuple[int, int]:
    """A descriptor that tells the address space of this process, and its bytes now; else -1, 0."""
    try:
        fd = os.open("/proc/self/statm", os.O_RDONLY)
    except OSError:
        return -1, 0
    return fd, int(os.pread(fd, 64, 0).split()[0]) * _PAGE


def _flush(streams: Sequence[Any]) -> None:
    for stream in streams:
        try:
            stream.flush()
        except (OSError, ValueError):  # closed by the program: then there is nothing left to flush
            continue
