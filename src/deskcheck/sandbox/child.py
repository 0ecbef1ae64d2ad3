"""What a forked child does: take on its limits, run its batch, leave.

    run_child(command, function, batch, box, base_bytes=..)

Runs inside the zygote's fork and never returns. Between two programs it compares its own state with how it
was (batch.c, state.c) and ends itself at the first difference: the rest of its batch goes to a fresh child.
Everything it needs after a program has run is bound beforehand, because a program may replace builtins,
`os.write` or `sys.stdout`.
"""

from __future__ import annotations

import builtins
import functools
import gc
import os
import random
import signal
import sys
import sysconfig
import time
import zlib
from _random import Random as _CoreRandom
from _signal import getsignal  # type: ignore[import-not-found]  # C's own, without stubs
from _thread import _count as count_threads
from abc import get_cache_token
from collections.abc import Callable, Sequence
from contextvars import Context
from types import FunctionType, ModuleType
from typing import Any, NoReturn, Protocol

from deskcheck.sandbox import parts
from deskcheck.sandbox.confine import Box, take_refusals
from deskcheck.sandbox.wire import DONE, EXITED, FD_BATCH, FD_RESULT, FD_STATM, OUT_OF_MEMORY, RAISED, Command

BROKEN = 70  # exit code: ours went wrong before or after the program, so nothing is a result
_exit, _crc32, _modules = os._exit, zlib.crc32, sys.modules
# random.seed(n) for an int, without its Python code: the generator behind the module's functions.
_random: random.Random = random._inst
_seed = functools.partial(_CoreRandom.seed, _random)


class Batch(Protocol):
    """`_batch`, or `single.Single` where that is not built."""

    def watch(self, tables: list[Any], functions: list[Any], probes: list[Any]) -> None: ...
    def renew(self) -> None: ...
    def fill_holes(self) -> None: ...
    def fork(self, folder: str, batch_fd: int, output_fd: int, result_fd: int) -> int: ...
    def open(self) -> None: ...
    def next(self) -> bytes | None: ...
    def part(self, stream: int, data: bytes | memoryview, /) -> None: ...
    def finish(self, kind: int, body: bytes, refusals: bytes) -> int: ...


def watch(batch: Batch) -> None:
    """In the zygote, once everything is loaded: what must be the same after a program as before it.

    From here on `import builtins` gives a copy: a program that patches builtins patches what ours don't use.
    """
    import copyreg
    import warnings

    parts.send = batch.part
    own_builtins = ModuleType("builtins")
    own_builtins.__dict__.update(builtins.__dict__)
    _modules["builtins"] = own_builtins
    partial = functools.partial
    streams = (sys.stdin, sys.stdout, sys.stderr)
    names = ("closed", "encoding", "line_buffering")
    probes: list[Callable[[], object]] = [
        sys.getrecursionlimit, sys.getswitchinterval, sys.get_int_max_str_digits, sys.gettrace,
        sys.getprofile, sys.exception, sys.get_coroutine_origin_tracking_depth,
        gc.isenabled, gc.get_threshold, get_cache_token, count_threads,
        *(partial(getattr, stream, name) for stream in streams for name in names),
        *(partial(getsignal, number) for number in signal.valid_signals()),
        *(partial(len, table) for table in (sys.path, sys.meta_path, sys.path_hooks)),
        *(partial(len, table) for table in (warnings.filters, gc.callbacks)),
    ]  # fmt: skip
    if sys.version_info >= (3, 12):
        probes += [partial(sys.monitoring.get_tool, tool) for tool in range(6)]
    ours = [module for name, module in sys.modules.items() if name.split(".")[0] == "deskcheck"]
    own = [value for module in ours for value in vars(module).values() if isinstance(value, FunctionType)]
    tables = [builtins.__dict__, copyreg.dispatch_table, sysconfig.__dict__]
    environ = getattr(os.environ, "_data", None)
    if isinstance(environ, dict):
        tables.append(environ)
    for probe in probes:
        probe()  # caches are filled here and not in every child
    batch.watch(list(tables), list(own), list(probes))


class _Rehearsal:
    """Payloads as a batch gives them, while there is time; nobody takes the answers."""

    def __init__(self, payloads: Sequence[bytes], until: float) -> None:
        self._rest = list(payloads)
        self._until = until

    def next(self) -> bytes | None:
        return self._rest.pop() if self._rest and time.monotonic() < self._until else None

    def finish(self, kind: int, body: bytes, refusals: bytes) -> int:
        return 0


def rehearse(
    function: Callable[[bytes], bytes], payloads: Sequence[bytes], *, until: float = float("inf")
) -> None:
    """In the zygote: run jobs of our own as a child does; what a first run writes, no child has to write.

    The interpreter specialises code, gives classes their versions, fills its caches; a page that it writes to
    for that is one that every child would have to copy. None begins after `until` (`time.monotonic`).
    """
    _run_all(_Rehearsal(payloads, until), function, (sys.stdout, sys.stderr))


def run_child(
    command: Command, function: Callable[[bytes], bytes], batch: Batch, box: Box, *, base_bytes: int
) -> NoReturn:
    """Run `function` on each payload of the batch under the limits of `command`; then leave the process.

    `base_bytes`: the address space that the child starts with.
    """
    code = BROKEN
    try:
        streams = (sys.stdout, sys.stderr)
        box.confine(
            keep=(FD_RESULT, FD_BATCH, FD_STATM),
            memory_bytes=base_bytes + command.memory_bytes,
            cpu_s=command.cpu_s,
            output_bytes=command.output_bytes,
        )
        batch.open()
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


def _run_all(batch: Batch | _Rehearsal, function: Callable[[bytes], bytes], streams: Sequence[Any]) -> None:
    take, finish, refused = batch.next, batch.finish, take_refusals
    refused()
    while (payload := take()) is not None:
        _seed(_crc32(payload))  # of the program, not of its place in a batch
        _random.gauss_next = None  # type: ignore[attr-defined]  # an attribute of Random that the stubs leave out
        # In its own context variables, decimal's among them.
        kind, body = Context().run(_call, function, payload)
        if kind == DONE:
            _flush(streams)  # before the frame: output over the limit must end the run, not follow it
        if finish(kind, body, " ".join(refused()).encode()) or kind != DONE:
            return


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


def _flush(streams: Sequence[Any]) -> None:
    for stream in streams:
        try:
            stream.flush()
        except (OSError, ValueError):  # closed by the program: then there is nothing left to flush
            continue
