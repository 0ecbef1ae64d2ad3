"""Run a batch of jobs in a forked child under its limits.

    run_child(command, function, batch, box, base_bytes=..)

`run_child` runs inside the zygote's fork and never returns. Between two programs the child compares its state
with the state before (batch.c, state.c) and ends at the first difference; the rest of its batch goes to a
fresh child. A frame is a job's result on its way to the supervisor (wire.py). All names that this file needs
after a program has run are bound beforehand, because a program may replace builtins, `os.write` or
`sys.stdout`.
"""

from __future__ import annotations

import builtins
import contextlib
import datetime
import enum
import functools
import gc
import io
import os
import random
import re
import signal
import sys
import sysconfig
import threading
import time
import types
import typing
import weakref
import zlib
from _random import Random as _CoreRandom
from _signal import getsignal  # type: ignore[import-not-found]  # a C module without stubs
from _thread import _count as count_threads
from abc import ABC, get_cache_token
from collections.abc import Callable, Sequence
from contextvars import Context, ContextVar
from types import FunctionType, ModuleType
from typing import Any, NoReturn, Protocol

from msgspec import Struct

from deskcheck.sandbox import guard, parts, temporary
from deskcheck.sandbox.confine import Box, refusals
from deskcheck.sandbox.wire import (
    DONE,
    EXITED,
    FD_BATCH,
    FD_RESULT,
    FD_STATM,
    INPUT,
    OUT_OF_MEMORY,
    RAISED,
    Command,
)

BROKEN = 70  # exit code after an error of deskcheck before or after the program: there is no result
_exit, _crc32, _modules = os._exit, zlib.crc32, sys.modules
# random.seed(n) for an int, without its Python code: the generator behind the module's functions.
_random: random.Random = random._inst
_seed = functools.partial(_CoreRandom.seed, _random)


Job = Callable[[bytes, object], tuple[int, bytes]]
Prepare = Callable[[bytes], tuple[object, bytes]]


class Function(Struct, frozen=True):
    """A job's function, and the preparer of its module."""

    run: Callable[..., bytes]
    """run(payload), or run(payload, prepared) if payloads are prepared."""
    preparer: Callable[[], Prepare] | None = None
    """Makes the function for the payloads of a batch: prepare(payload) -> (prepared, report).

    The report is about the payload (`wire.PREPARED`). `prepared` has constants and code objects, in tuples;
    batch.c hides it while other programs run."""

    @property
    def prepare(self) -> Prepare | None:
        """Function that prepares the payloads of one batch, newly made; None if payloads are not prepared."""
        return self.preparer() if self.preparer is not None else None


_seed_names = temporary.seed


class Batch(Protocol):
    """Interface of the C module `_batch`, and of `single.Single`, which replaces it if it was not built.

    batch.c describes each function in its first lines.
    """

    def watch(self, *lists: list[Any]) -> None: ...
    def watch_inside(
        self, caches: list[Any], emptying: list[Any], barrier: list[Any], opaque: tuple[type, ...], /
    ) -> None: ...
    def renew(self) -> None: ...
    def fill_holes(self) -> None: ...
    def fork(self, folder: str, batch_fd: int, output_fd: int, result_fd: int) -> int: ...
    def open(self, prepare: Prepare | None, /) -> None: ...
    def run(self, job: Job, flush: Callable[[], None], refused: Callable[[], bytes]) -> None: ...
    def part(self, stream: int, data: bytes | memoryview, /) -> None: ...
    def call(self, function: Callable[..., Any], /, *arguments: Any) -> Any: ...
    def call_last(self, function: Callable[..., Any], /, *arguments: Any) -> Any: ...
    def keep(self, thing: object, /) -> None: ...
    def outlived(self) -> bool: ...
    def stopped(self) -> None: ...


def watch(batch: Batch) -> None:
    """Tell `batch` which state must be the same after a program as before; call it after all imports.

    From now on `import builtins` returns a copy, so that a program's patches do not affect our code.
    """
    import copyreg
    import warnings

    parts.send = batch.part
    guard.call, guard.call_last = batch.call, batch.call_last
    guard.keep, guard.outlived, guard.stopped = batch.keep, batch.outlived, batch.stopped
    own_builtins = ModuleType("builtins")
    own_builtins.__dict__.update(builtins.__dict__)
    _modules["builtins"] = own_builtins
    partial = functools.partial
    streams = (sys.stdin, sys.stdout, sys.stderr)
    names = ("closed", "encoding", "line_buffering")
    probes: list[Callable[[], object]] = [
        sys.getrecursionlimit, sys.getswitchinterval, sys.get_int_max_str_digits, sys.gettrace,
        sys.getprofile, sys.exception, sys.get_coroutine_origin_tracking_depth,
        sys.get_asyncgen_hooks, sys.getdlopenflags,
        gc.isenabled, gc.get_threshold, gc.get_debug, get_cache_token, count_threads,
        *(partial(getattr, stream, name) for stream in streams for name in names),
        *(partial(len, table) for table in (sys.path, sys.meta_path, sys.path_hooks)),
        *(partial(len, table) for table in (warnings.filters, gc.callbacks)),
    ]  # fmt: skip
    if sys.version_info >= (3, 12):
        probes += [partial(sys.monitoring.get_tool, tool) for tool in range(6)]
    handlers: list[Callable[[], object]] = [partial(getsignal, number) for number in signal.valid_signals()]
    ours = [module for name, module in sys.modules.items() if name.split(".")[0] in _OURS]
    functions = [*_functions_of([m for m in ours if m.__name__.startswith("deskcheck")]), *_BORROWED]
    own = [builtins.__dict__, *(vars(module) for module in ours), *_classes_of(ours)]
    # These attributes are made at first access, which would count as a change of our class.
    for owner in (builtins, *ours, *(base for found in _classes_of(ours) for base in found.__mro__)):
        for made in ("__annotate__", "__annotations__"):  # the first one is new in 3.14
            getattr(owner, made, None)
    own += [f.__kwdefaults__ for f in functions if isinstance(f, FunctionType) and f.__kwdefaults__]
    tables = [builtins.__dict__, copyreg.dispatch_table, sysconfig.__dict__]
    environ = getattr(os.environ, "_data", None)
    if isinstance(environ, dict):
        tables.append(environ)
    for probe in (*probes, *handlers):
        probe()  # fills caches here instead of in every child
    batch.watch(list(tables), list(functions), list(probes), list(handlers), list(own))


def watch_inside(batch: Batch) -> None:
    """Tell `batch` what of all other objects must be the same after a program; call it after rehearsals."""
    ours = [m for name, m in sys.modules.items() if name.split(".")[0] in _OURS - {"contextlib"}]
    functions = [f for f in gc.get_objects() if isinstance(f, _CachedFunction)]
    foreign = [f for f in functions if str(f.__module__).split(".")[0] not in _OURS]
    emptying = [f.cache_clear for f in foreign]
    for empty in emptying:
        empty()
    caches = [cache for name in ("_cache", "_cache2") if isinstance(cache := vars(re).get(name), dict)]
    # A combination of flags is made, and stays in this table, when it is first asked for.
    flags = {c for m in sys.modules.values() for c in vars(m).values() if _is_flag(c)}
    caches += [vars(flag)["_value2member_map_"] for flag in flags]
    barrier = [*(vars(module) for module in ours), *_classes_of(ours)]
    # Names of the files in the folders of `sys.path`: the largest sets there are, read after every program.
    for finder in sys.path_importer_cache.values():
        for name in ("_path_cache", "_relaxed_path_cache"):
            if isinstance(names := getattr(finder, name, None), set):
                setattr(finder, name, frozenset(names))
    batch.watch_inside(caches, emptying, barrier, _OPAQUE)


def _is_flag(value: object) -> bool:
    return isinstance(value, enum.EnumMeta) and issubclass(value, enum.Flag)


_CachedFunction = type(functools.lru_cache(lambda: 0))
# Types whose inside changes with use and is not compared: weak references, caches of results, contexts,
# frames and generators, streams, and types that compute a part of themselves or their hash when first asked.
_OPAQUE: tuple[type, ...] = (
    weakref.ref, *weakref.ProxyTypes, _CachedFunction, type(vars(ABC)["_abc_impl"]), ContextVar, Context,
    types.FrameType, types.GeneratorType, types.CoroutineType, types.AsyncGeneratorType,
    io.TextIOWrapper, io.BufferedReader, io.BufferedWriter, io.BufferedRandom, io.BufferedRWPair, io.FileIO,
    io.BytesIO, io.StringIO, io.IncrementalNewlineDecoder, _CoreRandom, types.GenericAlias, types.UnionType,
    typing.TypeVar, typing.ParamSpec, typing.TypeVarTuple, datetime.date, datetime.time, datetime.timedelta,
    datetime.timezone,
)  # fmt: skip


# Functions of the standard library that run while a result is made.
_BORROWED = [
    threading.settrace, threading.gettrace, threading.enumerate,
    *(f for f in vars(contextlib._GeneratorContextManager).values() if isinstance(f, FunctionType)),
    *(f for f in vars(contextlib._GeneratorContextManagerBase).values() if isinstance(f, FunctionType)),
    contextlib.contextmanager,
]  # fmt: skip
# Modules that make a result; a program that changes any of them, even for a moment, gets no result.
_OURS = {"deskcheck", "msgspec", "contextlib"}


def _classes_of(modules: Sequence[ModuleType]) -> list[type]:
    """Return the classes that these modules define, each once."""
    names = {module.__name__ for module in modules}
    found = {
        value: None
        for module in modules
        for value in vars(module).values()
        if isinstance(value, type) and value.__module__ in names
    }
    return list(found)


def _functions_of(modules: Sequence[ModuleType]) -> list[FunctionType]:
    """Return the functions and methods that these modules name, each once."""
    functions: dict[FunctionType, None] = {}
    spaces = [*map(vars, modules), *map(vars, _classes_of(modules))]
    for value in (value for space in spaces for value in list(space.values())):
        for part in (value, *(getattr(value, name, None) for name in _PARTS)):
            if isinstance(part, FunctionType):
                functions[part] = None
    return list(functions)


# Attributes in which a property, class method or decorated function keeps its function.
_PARTS = ("__func__", "fget", "fset", "__wrapped__")


def rehearse(function: Function, payloads: Sequence[bytes], *, until: float = float("inf")) -> None:
    """Run sample jobs in the zygote, so that children need not write the memory that a first run writes.

    In a first run the interpreter specializes code, gives classes their versions and fills its caches. Every
    child would have to copy the memory pages written for that. No job begins after `until`
    (`time.monotonic`).
    """
    job, prepare, rest = _job_of(function.run), function.prepare, list(payloads)
    while rest and time.monotonic() < until:
        payload = rest.pop()
        job(payload, prepare(payload)[0] if prepare is not None else None)
        flush_all((sys.stdout, sys.stderr))


def run_child(command: Command, function: Function, batch: Batch, box: Box, *, base_bytes: int) -> NoReturn:
    """Run the function on each payload of the batch under the limits of `command`, then exit the process.

    `base_bytes`: address space that the child starts with.
    """
    code = BROKEN
    try:
        streams = (sys.stdout, sys.stderr)
        _take_stdin()
        box.confine(
            keep=(FD_RESULT, FD_BATCH, FD_STATM),
            memory_bytes=base_bytes + command.memory_bytes,
            cpu_s=command.cpu_s,
            output_bytes=command.output_bytes,
        )
        batch.open(function.prepare)
        moved = _take_memory() if command.is_moved else None
    except BaseException as error:  # the supervisor finds the text in the output file, and no frame
        os.write(1, f"{type(error).__name__}: {error}".encode("utf-8", "backslashreplace")[:1000])
        _exit(BROKEN)
    with contextlib.suppress(BaseException):  # after any error there is no frame
        batch.run(_job_of(function.run), functools.partial(flush_all, streams), _refused)
        code = 0
    del moved
    _exit(code)


def _take_stdin() -> None:
    """Make the file of standard input descriptor 0, if the job has one."""
    given = os.open(f"../{INPUT}", os.O_RDONLY | os.O_NOFOLLOW)
    if os.fstat(given).st_size:
        os.dup2(given, 0)
    os.close(given)


def _take_memory() -> list[object]:
    """Allocate small objects of every size, so that those of the program get other addresses than usual.

    They are made one by one, because the memory of a temporary list would go to the program's first list.
    """
    gc.collect()  # empties the lists of free objects too
    taken: list[object] = []
    for size in range(0, 512, 8):
        for _ in range(61):
            taken.append(bytes(size))
    for make in (object, list, dict, set, float):
        for _ in range(120):
            taken.append(make())
    return taken


def _job_of(function: Callable[..., bytes]) -> Job:
    """Return a job that calls the function on one payload as if no other program had run before it."""

    def job(payload: bytes, prepared: object) -> tuple[int, bytes]:
        number = _crc32(payload)  # depends on the program, not on its place in a batch
        _seed(number)
        _seed_names(number)
        _random.gauss_next = None  # type: ignore[attr-defined]  # an attribute that the stubs leave out
        try:  # a fresh context: it also holds decimal's settings
            return Context().run(_call, function, payload, prepared)
        finally:
            _random.gauss_next = None  # type: ignore[attr-defined]  # it counts as a change

    return job


def _refused() -> bytes:
    return " ".join(refusals()).encode()


def _call(function: Callable[..., bytes], payload: bytes, prepared: object) -> tuple[int, bytes]:
    """Call the function; return DONE and its answer, or the kind and text of its exception."""
    try:
        return DONE, function(payload) if prepared is None else function(payload, prepared)
    except MemoryError:
        return OUT_OF_MEMORY, b""
    except SystemExit as left:
        code = left.code if isinstance(left.code, int) else int(left.code is not None)
        return EXITED, b"%d" % code
    except BaseException as error:  # at this boundary, every exception is reported to the supervisor
        return RAISED, _text_of(error)


def _text_of(error: BaseException) -> bytes:
    name = type(error).__name__
    # str() of an exception class of the program would run the program's code again.
    text = str(error) if type(error).__module__ in ("builtins", "deskcheck.errors") else ""
    return f"{name}: {text}"[:500].encode("utf-8", "backslashreplace")


def flush_all(streams: Sequence[Any]) -> None:
    """Flush the streams now, so that output over the limit ends the run."""
    for stream in streams:
        try:
            stream.flush()
        except (OSError, ValueError):  # closed by the program, so there is nothing to flush
            continue
