"""Store on disk, not in memory, what a running job sends: up to STREAMS numbered streams of bytes.

    parts.send(3, b"..")                   in the child, at most PART_BYTES at a time
    streams = Streams(most_bytes)          in the supervisor
    streams.add(3, data)                   for each part that arrives
    streams.map() -> {3: memoryview}       after a successful job

`send` is None outside the child.
The file has no name and is in the temporary folder (TMPDIR). Each stream has a separate range of it, so that
it can be mapped in one piece; unused ranges take no space on the disk. The child has neither the file nor a
descriptor of it: it writes to its socket, and the supervisor writes to the disk.
"""

from __future__ import annotations

import mmap
import os
import tempfile
from collections.abc import Callable

from deskcheck.errors import DataError

PART_BYTES = 1 << 20
"""Most bytes of one part, as in batch.c."""
STREAMS = 64
"""Number of streams that a job may use."""
_MOST_BYTES = 1 << 36  # of a stream: 64 of them are 4 TiB, and a file of ext4 has at most 16 TiB

send: Callable[[int, bytes | memoryview], object] | None = None


class Streams:
    """The streams of one job, in one file."""

    def __init__(self, most_bytes: int) -> None:
        """Make the file; `most_bytes` limits all streams together. DataError if the disk refuses it."""
        self._most_bytes = self._bytes_left = most_bytes
        # Rounded up to a page, at which a mapping must begin.
        self._stride = (
            -(-min(most_bytes, _MOST_BYTES) // mmap.ALLOCATIONGRANULARITY) * mmap.ALLOCATIONGRANULARITY
        )
        self._ends: dict[int, int] = {}
        try:
            self._file = tempfile.TemporaryFile(prefix="deskcheck-")  # noqa: SIM115 - lives as long as this
        except OSError as error:
            raise _unwritable(error) from error

    def add(self, stream: int, data: memoryview) -> None:
        """Append bytes to a stream, whose number the caller has checked.

        ValueError if they exceed the limit, DataError if the disk refuses them; then only `close` may follow.
        """
        end = self._ends.get(stream, 0)
        self._bytes_left -= len(data)
        if self._bytes_left < 0 or end + len(data) > self._stride:
            raise ValueError(f"the job sent more than {self._most_bytes:,} bytes (stream {stream})")
        self._ends[stream] = end + len(data)
        try:
            while len(data):
                n = os.pwrite(self._file.fileno(), data, stream * self._stride + end)
                data, end = data[n:], end + n
        except OSError as error:
            raise _unwritable(error) from error

    def map(self) -> dict[int, memoryview]:
        """Return a view of each stream by its number; the file is deleted with the last view.

        ValueError if no stream has a byte, DataError if the file cannot be mapped.
        """
        try:
            size = max(stream * self._stride + end for stream, end in self._ends.items())
            view = memoryview(mmap.mmap(self._file.fileno(), size, access=mmap.ACCESS_READ))
        except OSError as error:
            raise _unwritable(error) from error
        finally:
            self.close()
        starts = {stream: stream * self._stride for stream in self._ends}
        return {stream: view[start : start + self._ends[stream]] for stream, start in starts.items()}

    def close(self) -> None:
        """Close the file, which deletes it if no view is left."""
        self._file.close()


def _unwritable(error: OSError) -> DataError:
    return DataError(
        f"the output of a running job could not be written to {tempfile.gettempdir()}: "
        f"{error.strerror or error}; free some space there, or name another folder in TMPDIR, and run the "
        "same command again"
    )
