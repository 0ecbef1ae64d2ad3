"""What a job sends while it runs: numbered streams of bytes, which end in a file and not in anybody's memory.

    parts.send(3, b"..")                   in the child, at most PART_BYTES at a time; None elsewhere
    Parts(most_bytes).add(3, data)         in the supervisor, as the frames come
    .finished() -> {3: memoryview}         once the job has ended well: its streams, mapped

The file has no name and lies in the temporary folder (TMPDIR). Each stream has a range of its own in it, so
that it can be mapped in one piece; what no stream fills takes no room on the disk. The child has neither the
file nor a descriptor of it: it writes to its socket, and the supervisor to the disk.
"""

from __future__ import annotations

import mmap
import os
import tempfile
from collections.abc import Callable

from deskcheck.errors import DataError

PART_BYTES = 1 << 20
STREAMS = 64
_MOST_BYTES = 1 << 36  # of one stream: all of them fit into the largest file of a common file system

send: Callable[[int, bytes | memoryview], object] | None = None


class Parts:
    """The streams of one job."""

    def __init__(self, most_bytes: int) -> None:
        """`most_bytes`: of all of them together."""
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
        """The next bytes of a stream; ValueError where there is no room for them. DataError: the disk's."""
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
        """Views of the streams; the file goes with them."""
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
        """Forget the file that held the parts."""
        self._file.close()


def _unwritable(error: OSError) -> DataError:
    return DataError(
        f"what a job sends while it runs could not be kept in {tempfile.gettempdir()}: "
        f"{error.strerror or error}; free some space there, or name another folder in TMPDIR, and run the "
        "same command again"
    )
