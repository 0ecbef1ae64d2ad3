"""The same as batch.c for one job, in Python: what a child runs where the C extension is not built.

    batch = Single(); batch.open(batch_fd, result_fd, statm_fd); batch.next(); batch.finish(DONE, b"..", b"")

It watches nothing, so the supervisor gives every job a child of its own, and the key of the frame is a
Python object that a program could find.
"""

from __future__ import annotations

import os

from deskcheck.sandbox.wire import ENTRY, FILE_HEADER, FILE_MAGIC, FRAME, FRAME_MAGIC, STARTED

_write, _pack, _len, _view = os.write, FRAME.pack, len, memoryview


class Single:
    """A batch of one."""

    def watch(self, tables: list[object], functions: list[object], probes: list[object]) -> None:
        """Nothing is watched."""

    def open(self, batch_fd: int, result_fd: int, statm_fd: int) -> None:
        """Read the batch file; say that the clock may run. ValueError when it is none of one job."""
        data = b"".join(iter(lambda: os.read(batch_fd, 1 << 20), b""))
        os.close(batch_fd)
        magic, count, *_ = FILE_HEADER.unpack_from(data)
        self._key, length = ENTRY.unpack_from(data, FILE_HEADER.size)
        payload = data[FILE_HEADER.size + ENTRY.size :]
        if magic != FILE_MAGIC or count != 1 or length != len(payload):
            raise ValueError("not a batch file of one job")
        self._payloads = [payload]
        self._fd = result_fd
        self._send(STARTED, b"", b"")

    def next(self) -> bytes | None:
        """The payload, once."""
        return self._payloads.pop() if self._payloads else None

    def finish(self, kind: int, body: bytes, refusals: bytes) -> int:
        """Send the frame."""
        self._send(kind, body, refusals)
        return 0

    def _send(self, kind: int, body: bytes, refusals: bytes) -> None:
        head = _pack(FRAME_MAGIC, 0, kind, b"\0\0\0", 0, _len(refusals), 0, _len(body), self._key, 0)
        for part in (head + refusals, body):
            rest = _view(part)
            while _len(rest):
                rest = rest[_write(self._fd, rest) :]
