"""Run one job in a forked child without the C extension: batch.c for a batch of one, in Python.

    batch = Single(); batch.fork(..); batch.open(prepare); batch.run(job, flush, refused)

It watches no state, so the supervisor gives every job a separate child. The key that marks the job's result
as genuine is a Python object here, which a program could find.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from collections.abc import Callable
from typing import Any

from deskcheck.sandbox import guard
from deskcheck.sandbox.wire import (
    ENTRY,
    FD_BATCH,
    FD_RESULT,
    FD_STATM,
    FILE_HEADER,
    FILE_MAGIC,
    FRAME,
    FRAME_MAGIC,
    OUT_OF_MEMORY,
    PART,
    PREPARED,
    STARTED,
)

PR_SET_PDEATHSIG = 1
_write, _pack, _len, _view = os.write, FRAME.pack, len, memoryview


class Single:
    """A batch that holds a single job."""

    def watch(self, *lists: list[Any]) -> None:
        """Do nothing: a single job is not watched."""

    def watch_inside(self, *lists: object) -> None:
        """Do nothing either: no other job follows."""

    def renew(self) -> None:
        """Do nothing: there is no state to renew."""

    def fill_holes(self) -> None:
        """Do nothing: a child with one job writes to few pages."""

    def fork(self, folder: str, batch_fd: int, output_fd: int, result_fd: int) -> int:
        """Fork a child in the folder, in a new session; it dies with the zygote."""
        pid = os.fork()
        if pid == 0:
            try:
                _settle_in(folder, batch_fd, output_fd, result_fd)
            except BaseException:  # a forked child must never continue in its parent's code
                os._exit(70)  # `child.BROKEN`
        return pid

    def open(self, prepare: Callable[[bytes], tuple[object, bytes]] | None, /) -> None:
        """Read the batch file and prepare its payload. ValueError if it is no batch of one job."""
        data = b"".join(iter(lambda: os.read(FD_BATCH, 1 << 20), b""))
        os.close(FD_BATCH)
        magic, count, *_ = FILE_HEADER.unpack_from(data)
        self._key, length = ENTRY.unpack_from(data, FILE_HEADER.size)
        payload = data[FILE_HEADER.size + ENTRY.size :]
        if magic != FILE_MAGIC or count != 1 or length != len(payload):
            raise ValueError("not a batch file of one job")
        self._payloads = [payload]
        self._send(STARTED, b"", b"", int(prepare is not None))
        self._prepared: list[object] = [None]
        if prepare is not None:
            prepared, said = prepare(payload)
            self._prepared = [prepared]
            self._send(PREPARED, said, b"")

    def run(
        self,
        job: Callable[[bytes, object], tuple[int, bytes]],
        flush: Callable[[], None],
        refused: Callable[[], bytes],
    ) -> None:
        """Run the job and send its frame."""
        try:
            kind, body = job(self._payloads.pop(), self._prepared.pop())
        except MemoryError:
            kind, body = OUT_OF_MEMORY, b""
        flush()
        self._send(kind, body, refused())

    call = call_last = staticmethod(guard.call)
    keep, outlived = staticmethod(guard.keep), staticmethod(guard.outlived)
    stopped = staticmethod(guard.stopped)

    def part(self, stream: int, data: bytes | memoryview, /) -> None:
        """Send the next bytes of one of the job's streams."""
        self._send(PART, data, b"", stream)

    def _send(self, kind: int, body: bytes | memoryview, refusals: bytes, stream: int = 0) -> None:
        head = _pack(FRAME_MAGIC, 0, kind, b"\0\0\0", stream, _len(refusals), 0, _len(body), self._key, 0)
        for part in (head + refusals, body):
            rest = _view(part)
            while _len(rest):
                rest = rest[_write(FD_RESULT, rest) :]


def prctl(option: int, value: int) -> None:
    """Change one Linux process setting; do nothing on other systems. OSError if the kernel refuses."""
    if not sys.platform.startswith("linux"):
        return
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl.argtypes = [ctypes.c_int] + [ctypes.c_ulong] * 4
    if libc.prctl(option, value, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), f"prctl({option}, {value})")


def _settle_in(folder: str, batch_fd: int, output_fd: int, result_fd: int) -> None:
    """Arrange the descriptors of a child as wire.py numbers them, in a new session and its folder."""
    prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    statm = os.open("/proc/self/statm", os.O_RDONLY) if os.path.exists("/proc/self/statm") else -1
    moved = [os.dup(fd) for fd in (os.open(os.devnull, os.O_RDONLY), output_fd, result_fd, batch_fd)]
    for fd, to in zip([moved[0], moved[1], *moved[1:]], (0, 1, 2, FD_RESULT, FD_BATCH), strict=True):
        os.dup2(fd, to)
    if statm >= 0:
        os.dup2(statm, FD_STATM)
    else:
        os.close(FD_STATM)
    os.setsid()
    os.chdir(folder)
