"""The process that runs C programs: python -I -m deskcheck.languages.c.worker LEVEL FOLDER

It reads requests from its standard input and answers on its standard output. Each program runs in a child
process, which loads the program, confines itself and then calls it. Loading runs no code of a program,
because `source.py` refuses attributes and assembly. A worker that was started with libasan in `LD_PRELOAD`
runs the programs that have gcc's sanitizers.

The child is limited in files, network and processes (by the containment level), in memory and in stack, and
its crash ends no other process. The engine, which started the worker, limits the time.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys

import msgspec
from msgspec import Struct

from deskcheck.sandbox.service import read_message, write_message

_MAPPED = 512 << 20
"""Address space of Python itself, of libraries and of buffers that grow."""
_NO_LIMIT = 1 << 62  # bytes of address space for a program with sanitizers: no bound in practice
MAX_CPU_S = 1 << 20  # no bound in practice: the engine limits the time of each program


class Request(Struct, frozen=True, array_like=True):
    """One program to run, with its limits, as the engine sends it."""

    path: str
    limits: tuple[int, int, int, int, int, int]
    """Numbers of steps, of bytes of trace, value, output and memory, and of objects, in this order."""
    pattern: int
    """Byte that memory without a value is filled with."""
    is_check: bool
    """Whether the program has gcc's sanitizers."""


class Reply(Struct, frozen=True, array_like=True):
    """Exit status and data of a program's process."""

    status: int
    """As from `os.waitstatus_to_exitcode`: negative for a signal."""
    data: bytes
    """The recorder's bytes, or the report of a sanitizer."""


def main(level: str, folder: str) -> None:
    """Serve requests until the standard input ends."""
    from deskcheck.sandbox.confine import prepare

    box = prepare(level, folder)
    requests, replies = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    write_message(replies, b"ready")
    while True:
        try:
            request = msgspec.msgpack.decode(read_message(requests), type=Request)
        except EOFError:
            return
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                _run(box, request, writing)
            finally:
                os._exit(71)  # only after an error: `_run` ends the process itself
        os.close(writing)
        data = _read(reading, child, most=2 * request.limits[1] + request.limits[3] + _MAPPED)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        write_message(replies, msgspec.msgpack.encode(Reply(status, data)))


def _read(reading: int, child: int, *, most: int) -> bytes:
    """Return the bytes that a child writes until it ends; b"" if it writes more than `most` and is killed."""
    data = bytearray()
    while piece := os.read(reading, 1 << 20):
        data += piece
        if len(data) > most:
            os.kill(child, signal.SIGKILL)
            data.clear()
            break
    os.close(reading)
    return bytes(data)


def _run(box: object, request: Request, writing: int) -> None:
    """Run one program in this process, which ends with it."""
    from deskcheck.sandbox.confine import Box

    assert isinstance(box, Box)
    null = os.open(os.devnull, os.O_RDWR)
    for fd in (0, 1, 2):
        os.dup2(writing if fd == 2 and request.is_check else null, fd)
    program = ctypes.CDLL(request.path)
    limits = (ctypes.c_long * 7)(*request.limits, request.pattern)
    _, trace_bytes, _, _, memory_bytes, _ = request.limits
    box.confine(
        keep=(writing,),
        memory_bytes=_NO_LIMIT if request.is_check else _MAPPED + 2 * memory_bytes + 4 * trace_bytes,
        cpu_s=MAX_CPU_S,
        output_bytes=1 << 20,
    )
    os._exit(program.dk_run(writing, limits, int(request.is_check)))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
