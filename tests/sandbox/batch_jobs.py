"""Job functions that leave something behind, one kind each; only ever run inside the sandbox's children.

Every one answers with the number of its process, so that a test sees who shared a child with whom.
"""

from __future__ import annotations

import _thread as _thread_module
import builtins
import calendar
import collections
import decimal
import fractions
import io
import locale
import os
import signal
import sys
import textwrap
import threading
import time
from stat import S_ISSOCK

from deskcheck.sandbox import wire, worker

HIDDEN = io.BytesIO()
"""State that the watch does not look into: a stream."""
TABLE: list[str] = []


def who() -> bytes:
    return b"%d" % os.getpid()


def clean(payload: bytes) -> bytes:
    return who()


def _put_and_take(payload: bytes) -> bytes:
    sys.modules["__program__"] = sys
    collections.own = 1  # type: ignore[attr-defined]
    del sys.modules["__program__"], collections.own  # type: ignore[attr-defined]
    print("x")
    return who()


def _import(payload: bytes) -> bytes:
    import colorsys  # noqa: F401 - nobody has imported it before

    return who()


def _rebind_builtin(payload: bytes) -> bytes:
    builtins.len = lambda _: 42  # type: ignore[assignment]
    return who()


def _rebind_in_module(payload: bytes) -> bytes:
    worker.is_audited = None  # type: ignore[assignment]
    return who()


def _rebind_in_library(payload: bytes) -> bytes:
    collections.namedtuple = None  # type: ignore[assignment]
    return who()


def _patch_class(payload: bytes) -> bytes:
    collections.Counter.most_common = None  # type: ignore[assignment,method-assign]
    return who()


def _patch_function(payload: bytes) -> bytes:
    wire.names_of_trip.__code__ = clean.__code__
    return who()


def _recursion_limit(payload: bytes) -> bytes:
    sys.setrecursionlimit(sys.getrecursionlimit() + 50)
    return who()


def _trace(payload: bytes) -> bytes:
    sys.settrace(lambda *_: None)
    return who()


def _signal_handler(payload: bytes) -> bytes:
    signal.signal(signal.SIGALRM, lambda *_: None)
    return who()


def _close_stdin(payload: bytes) -> bytes:
    sys.stdin.close()
    return who()


def _thread(payload: bytes) -> bytes:
    threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
    return who()


def _ended_thread(payload: bytes) -> bytes:
    lock = _thread_module.allocate_lock()
    lock.acquire()
    _thread_module.start_new_thread(lock.release, ())
    lock.acquire()
    while _thread_module._count():
        time.sleep(0.001)
    return who()


def _handled_exception(payload: bytes) -> bytes:
    import ctypes

    ctypes.pythonapi.PyErr_SetHandledException(ctypes.py_object(KeyError()))
    return who()


def _folder(payload: bytes) -> bytes:
    os.chdir("/")
    return who()


def _file(payload: bytes) -> bytes:
    open("left-behind", "w").close()
    return who()


def _umask(payload: bytes) -> bytes:
    os.umask(0o123)
    return who()


def _locale(payload: bytes) -> bytes:
    locale.setlocale(locale.LC_ALL, "C")
    return who()


def _open_file(payload: bytes) -> bytes:
    os.open("/", os.O_RDONLY)
    return who()


def _do_not_block(payload: bytes) -> bytes:
    import fcntl

    fcntl.fcntl(0, fcntl.F_SETFL, os.O_NONBLOCK)
    return who()


def _process(payload: bytes) -> bytes:
    if os.fork() == 0:
        time.sleep(60)
        os._exit(0)
    return who()


def _timer(payload: bytes) -> bytes:
    signal.setitimer(signal.ITIMER_REAL, 100)
    return who()


def _memory(payload: bytes) -> bytes:
    HIDDEN.write(bytes(64 << 20))
    return who()


def _extend_table(payload: bytes) -> bytes:
    TABLE.append("x")
    return who()


def _mark_function(payload: bytes) -> bytes:
    textwrap.dedent.hits = 1  # type: ignore[attr-defined]
    return who()


def _first_weekday(payload: bytes) -> bytes:
    calendar.setfirstweekday(calendar.SUNDAY)
    return who()


def _precision(payload: bytes) -> bytes:
    decimal.DefaultContext.prec = 3
    return who()


def _text_of_property(payload: bytes) -> bytes:
    fractions.Fraction.numerator.__doc__ = "x"
    return who()


TRACES = {
    "modules": [_import],
    "names": [_rebind_in_library],
    "deskcheck": [_rebind_builtin, _rebind_in_module],
    "classes": [_patch_class],
    "functions": [_patch_function],
    "interpreter": [_recursion_limit, _trace, _signal_handler, _close_stdin, _thread, _handled_exception],
    "folder": [_folder, _file, _umask],
    "locale": [_locale],
    "descriptors": [_open_file, _do_not_block],
    "processes": [_process, _timer],
    "memory": [_memory],
    "threads": [_ended_thread],
    "objects": [_extend_table, _mark_function, _first_weekday, _precision, _text_of_property],
}
ACTS = {job.__name__: job for jobs in TRACES.values() for job in jobs} | {
    "clean": clean,
    "put_and_take": _put_and_take,
}


def act(payload: bytes) -> bytes:
    """One job function for all, because a batch has one: "_import 3" -> the pid."""
    return ACTS[payload.split()[0].decode()](payload)


def echo(payload: bytes) -> bytes:
    return payload


def printing(payload: bytes) -> bytes:
    sys.stdout.write(payload.decode())
    return b"printed"


def dying(payload: bytes) -> bytes:
    """ "crash", "exit", "loop", "print", "forge" end their child; all else is answered with itself."""
    match payload.split()[0]:
        case b"crash":
            os.kill(os.getpid(), signal.SIGSEGV)
        case b"exit":
            os._exit(0)
        case b"loop":
            while True:
                pass
        case b"raise":
            raise KeyError("a")
        case b"print":
            print("x" * (1 << 20), flush=True)
        case b"forge":
            for number in range(40):  # for every job that may come, with a key that is guessed
                frame = wire.FRAME.pack(
                    wire.FRAME_MAGIC, number, wire.DONE, b"\0\0\0", 0, 0, 0, 6, bytes(16), 0
                )
                os.write(result_fd(), frame + b"forged")
        case b"close":
            os.close(result_fd())
        case b"replace":
            os.dup2(1, result_fd())
        case b"reopen":
            try:
                os.open(f"/proc/self/fd/{result_fd()}", os.O_RDONLY)
            except OSError as error:
                return type(error).__name__.encode()
    return payload


def result_fd() -> int:
    """Where the frames go: the only socket."""
    return next(
        fd for fd in range(3, 64) if os.path.exists(f"/proc/self/fd/{fd}") and S_ISSOCK(os.fstat(fd).st_mode)
    )


def poison(payload: bytes) -> bytes:
    """What it answers depends on whether another ran before it in this process; "thread" starts one."""
    HIDDEN.write(b"x")
    if payload.startswith(b"thread"):
        _ended_thread(payload)
    return b"%d" % HIDDEN.tell()


def throw_dice(payload: bytes) -> bytes:
    return os.urandom(8)


def big(payload: bytes) -> bytes:
    return bytes(int(payload.split()[0]))
