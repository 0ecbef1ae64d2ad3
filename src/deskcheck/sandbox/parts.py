"""Keep the numbered byte streams that a job sends while it runs in a file instead of memory.

    parts.send(3, b"..")                   in the child, at most PART_BYTES at a time; None elsewhere
    Parts(most_bytes).add(3, data)         in the supervisor, as the frames arrive
    .finished() -> {3: memoryview}         after a successful job: its streams, mapped

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
STREAMS = 64
_MOST_BYTES = 1 << 36  # per stream, so that all streams fit into the largest file of common file systems

send: Callable[[int, bytes | memoryview], object] | None = None


class Parts:
    """Byte streams of one job, in one file."""

    def __init__(self, most_bytes: int) -> None:
        """Make the file; `most_bytes` limits all streams together. DataError if the disk refuses it."""
        self.room = most_bytes
        self._stride = (
            -(-min(most_bytes, _MOST_BYTES) // mmap.ALLOCATIONGRANULARITY) * mmap.ALLOCATIONGRANULARITY
        )
        self._ends: dict[int, int] = {}
        try:
            self._file = tempfile.TemporaryFile(prefix="deskcheck-")  # noqa: SIM115 - lives as long as this
        except OSError as error:
            raise _unwritable(error) from error

    def add(self, stream: int, data: memoryview) -> None:
        """Append bytes to a stream. ValueError: they exceed the limit; DataError: the disk refuses them."""
        end = self._ends.get(stream, 0)
        self.room -= len(data)
        if self.room < 0 or end + len(data) > self._stride:
            raise ValueError("more parts than there may be")
        self._ends[stream] = end + len(data)
        try:
            while len(data):
                n = os.pwrite(self._file.fileno(), data, stream * self._stride + end)
                data, end = data[n:], end + n
        except OSError as error:
            raise _unwritable(error) from error

    def finished(self) -> dict[int, memoryview]:
        """Return views of the streams; the file is deleted with the last of them."""
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
        f"what a job sends while it runs could not be kept in {tempfile.gettempdir()}: "
        f"{error.strerror or error}; free some space there, or name another folder in TMPDIR, and run the "
        "same command again"
    )
