"""Encode and decode the bytes between the supervisor, a zygote and a child.

    supervisor -> zygote   Command, length-prefixed msgpack, and descriptors: batch, output, result, files
    zygote -> supervisor   Ready | Started | Exited | Unloadable | Unable, length-prefixed msgpack
    supervisor -> child    the batch file: header, (key, length) of each payload, the payloads
    child -> supervisor    frames: a start; if the function prepares its payloads, a report about each of
                           them, before any program runs; then for each job of the batch, in order, the
                           parts that it sent while it ran (parts.py) and its result

Nothing is ever unpickled or evaluated. Bytes from a child are foreign: `FrameReader` accepts exactly the
frames that are due, each with its job's key and within its bounds, and refuses everything after the first
wrong byte. batch.c writes frames and reads batch files; it has the same numbers as this file.

Files for a job's working folder are sent in the same way (`pack_files`, `place_files`): the zygote writes
them before it forks the child. Their names are relative and below the folder. No link is followed and no
file is overwritten.
A `Report` counts the jobs and processes of a run.
"""

from __future__ import annotations

import os
import struct
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import msgspec
from msgspec import Struct, field

from deskcheck.errors import UserError
from deskcheck.sandbox.parts import PART_BYTES, STREAMS, Streams

LENGTH = struct.Struct("!I")
FILE_MAGIC, FRAME_MAGIC = b"deskjobs", b"deskchk2"
# magic, number of jobs, zero, most bytes of a job's output, zero
FILE_HEADER = struct.Struct("!8sIIQQ")
# key, number of bytes of the payload
ENTRY = struct.Struct("!16sQ")
# magic, index, kind, three zero bytes, trip, numbers of bytes of the refusals, the output and the body, key,
# zero
FRAME = struct.Struct("!8sIB3sIIQQ16sQ")
KEY_BYTES = 16

STARTED = 0  # no job's result: the child is set up; `trip` is 1 if its payloads are prepared first
DONE = 1  # the body is the function's answer
OUT_OF_MEMORY = 2  # no body
EXITED = 3  # SystemExit left the function; the body is its code in ASCII
RAISED = 4  # another exception left the function; the body is its text in UTF-8
PART = 5  # not a job's end: the body is the next piece of the job's stream of number `trip`
TAMPERED = 6  # the program has changed code that makes its result; no body
PREPARED = 7  # before the first program: the body is the function's report about this job's payload

# Bits of a frame's `trip`: kinds of state that a job left changed. After a frame with any of them the child
# ends.
TRIPS = (
    "modules",
    "names",
    "classes",
    "functions",
    "interpreter",
    "folder",
    "locale",
    "descriptors",
    "processes",
    "memory",
    "refused",
    "deskcheck",
    "threads",
    "objects",
)
THREADS = 1 << TRIPS.index("threads")
"""The job started a thread, which may have ended; the order in which threads run differs from run to run."""

# A child's descriptors besides 0, 1, 2: the socket for its frames, its batch file, /proc/self/statm.
FD_RESULT, FD_BATCH, FD_STATM = 3, 4, 5

# A zygote sends messages of a few dozen bytes; a longer message cannot come from one.
MAX_MESSAGE = 1 << 16
MAX_REFUSALS = 256  # most bytes of the refusals in a frame
PREPARED_BYTES = 1 << 24
"""Largest body of a frame that reports about a payload."""


class Command(Struct, frozen=True, forbid_unknown_fields=True):
    """Command to fork one child for one batch."""

    function: str
    """"module:function"."""
    memory_bytes: int
    """Address space that the child may take beyond what it starts with."""
    cpu_s: int
    """Limit in case the supervisor has died; normally the supervisor's clock stops a run."""
    output_bytes: int
    is_moved: bool = False
    """Whether the program's objects get other addresses in memory than in other runs."""


class Ready(Struct, frozen=True, tag="ready"):
    """Message that the zygote has loaded its modules and is ready."""

    has_fd: bool
    """Whether its pidfd came with the message."""


class Started(Struct, frozen=True, tag="started"):
    """Message that the next child has been forked; it leads a process group of this number."""

    pid: int
    """Process number of the child as the zygote sees it."""
    has_fd: bool
    """Whether its pidfd came with the message."""


class Exited(Struct, frozen=True, tag="exited"):
    """Message that the child and everything it left behind is gone."""

    status: int
    """Exit status as waitpid returns it."""
    cpu_s: float
    """Processor time that the child took."""


class Unloadable(Struct, frozen=True, tag="unloadable"):
    """Message that the job's function cannot be imported: an error of deskcheck, not of the program."""

    reason: str


class Unable(Struct, frozen=True, tag="unable"):
    """Message that the requested containment level does not hold here."""

    reason: str


Message = Ready | Started | Exited | Unloadable | Unable

encode = msgspec.msgpack.Encoder().encode
decode_command = msgspec.msgpack.Decoder(Command).decode
decode_message = msgspec.msgpack.Decoder(Message).decode


def pack(message: Struct) -> bytes:
    """Encode one message behind its length."""
    body = encode(message)
    return LENGTH.pack(len(body)) + body


def take_messages(buffer: bytearray) -> list[Message]:
    """Remove the complete messages from the front of the buffer. ValueError if they are no messages."""
    messages: list[Message] = []
    while len(buffer) >= LENGTH.size:
        (length,) = LENGTH.unpack_from(buffer)
        if length > MAX_MESSAGE:
            raise ValueError(f"a message of {length} bytes")
        end = LENGTH.size + length
        if len(buffer) < end:
            break
        messages.append(decode_message(bytes(buffer[LENGTH.size : end])))  # DecodeError is a ValueError
        del buffer[:end]
    return messages


def pack_batch(keys: Sequence[bytes], payloads: Sequence[bytes], *, output_bytes: int) -> bytes:
    """Encode the batch file, which the child reads."""
    head = FILE_HEADER.pack(FILE_MAGIC, len(payloads), 0, output_bytes, 0)
    entries = [ENTRY.pack(key, len(payload)) for key, payload in zip(keys, payloads, strict=True)]
    return b"".join([head, *entries, *payloads])


def names_of_trip(trip: int) -> list[str]:
    """Return the names of the changes of process state in a bit mask."""
    return [name for bit, name in enumerate(TRIPS) if trip >> bit & 1]


class Frame(Struct, frozen=True, gc=False):
    """Result of one job as its child sent it."""

    kind: int
    """DONE, OUT_OF_MEMORY, EXITED, RAISED or TAMPERED."""
    trip: int
    """Bit mask of TRIPS: kinds of state that the job left changed."""
    refusals: list[str]
    """Refused system calls, as `confine.refusals` returns them."""
    output: bytes
    """Printed output of the job."""
    body: bytes
    """The job's answer, or the text of its exception, by `kind`."""
    parts: dict[int, memoryview] = {}
    """Number of a stream -> bytes that the job sent in parts; only for DONE."""
    prepared: bytes = b""
    """Report of the child about the payload, made before any program ran."""


class TooLarge(ValueError):
    """Refusal of a frame: its body, or the parts of its job, exceed the limit of a result."""


class FrameReader:
    """Strict reader of the frames of one child, bounded by the limits of its jobs.

    `keys` has one key for each job of the batch; the other arguments are the most bytes of a job's body,
    output and parts.
    """

    def __init__(
        self, keys: Sequence[bytes], *, body_bytes: int, output_bytes: int, parts_bytes: int = 0
    ) -> None:
        self._keys = keys
        self._body_bytes = body_bytes
        self._output_bytes = output_bytes
        self._parts_bytes = parts_bytes
        self._parts: Streams | None = None
        self._buffer = bytearray()
        self.started = False
        """Whether the child has reported that it is set up."""
        self.index = 0
        """Index of the job whose result is due; the number of results so far."""
        self.prepared: list[bytes] = []
        """Reports of the child about its payloads, in order."""
        self.is_preparing = False
        """Whether some of these reports are still due."""
        self.ended = False
        """Whether no frame may follow: after the last job, a trip, or a result of a kind other than DONE."""
        self.fault: ValueError | None = None
        """Error in the bytes after the last accepted frame; then no more frames are accepted."""

    def feed(self, data: bytes | bytearray | memoryview) -> list[Frame]:
        """Return the results that are complete now; `fault` is set if the bytes after them are no frame."""
        if self.fault is not None:
            return []
        self._buffer += data
        at = 0
        frames: list[Frame] = []
        try:
            while len(self._buffer) - at >= FRAME.size:
                frame, size = self._take(at)
                if not size:
                    break
                at += size
                if frame is not None:
                    frames.append(frame)
            rest = self._buffer[at : at + len(FRAME_MAGIC)]
            if self.ended and rest:
                raise ValueError("more bytes than frames are due")
            if not FRAME_MAGIC.startswith(rest):  # raised now, because no more bytes may come
                raise ValueError("not a frame header")
        except ValueError as error:
            self.fault = error
            self._buffer.clear()
            self.close()
            return frames
        del self._buffer[:at]
        return frames

    def _take(self, at: int) -> tuple[Frame | None, int]:
        """Return the result in the frame at `at`, and the frame's size, 0 if it is not complete.

        The result is None for a frame of another kind. ValueError if this is not the frame that is due.
        """
        if self.ended:
            raise ValueError("more bytes than frames are due")
        magic, index, kind, zeros, trip, n_refusals, n_output, n_body, key, zero = FRAME.unpack_from(
            self._buffer, at
        )
        if magic != FRAME_MAGIC or zeros != b"\0\0\0" or zero:
            raise ValueError("not a frame header")
        due = len(self.prepared) if self.is_preparing else self.index
        is_due = index == due and (kind == STARTED) != self.started
        if not is_due or kind > PREPARED or (kind == PREPARED) != (self.is_preparing and self.started):
            raise ValueError("not the frame that is due")
        if key != self._keys[index]:
            raise ValueError("not this job's key")
        if kind == PART:
            return None, self._take_part(at, stream=trip, sizes=(n_refusals, n_output, n_body))
        if kind == PREPARED:
            return None, self._take_prepared(at, trip, sizes=(n_refusals, n_output, n_body))
        if trip >> len(TRIPS) or n_refusals > MAX_REFUSALS or n_output > self._output_bytes + 1:
            raise ValueError("a frame out of its bounds")
        if n_body > self._body_bytes:
            raise TooLarge(f"a body of {n_body} bytes")
        if kind == STARTED:
            if trip > 1 or n_refusals or n_output or n_body:
                raise ValueError("a start that carries something")
            self.started = True
            self.is_preparing = bool(trip)
            return None, FRAME.size
        a = at + FRAME.size
        b = a + n_refusals
        c = b + n_output
        end = c + n_body
        if len(self._buffer) < end:
            return None, 0
        with memoryview(self._buffer) as view:
            refusals = str(view[a:b], "ascii").split() if n_refusals else []  # UnicodeDecodeError: ValueError
            parts = self._parts.map() if self._parts is not None and kind == DONE else {}
            prepared = self.prepared[index] if self.prepared else b""
            frame = Frame(kind, trip, refusals, bytes(view[b:c]), bytes(view[c:end]), parts, prepared)
        self.close()
        self.index += 1
        self.ended = bool(trip) or kind != DONE or self.index == len(self._keys)
        return frame, end - at

    def _take_prepared(self, at: int, trip: int, *, sizes: tuple[int, int, int]) -> int:
        """Keep the child's report about one payload; return the frame's size, 0 if it is not complete."""
        n_refusals, n_output, n_body = sizes
        if trip or n_refusals or n_output or n_body > PREPARED_BYTES:
            raise ValueError("the report about a payload exceeds its bounds")
        end = at + FRAME.size + n_body
        if len(self._buffer) < end:
            return 0
        self.prepared.append(bytes(self._buffer[at + FRAME.size : end]))
        self.is_preparing = len(self.prepared) < len(self._keys)
        return end - at

    def _take_part(self, at: int, *, stream: int, sizes: tuple[int, int, int]) -> int:
        """Keep a part from the running job; return the frame's size, 0 if it is not complete."""
        n_refusals, n_output, n_body = sizes
        if stream >= STREAMS or n_refusals or n_output or not 0 < n_body <= PART_BYTES:
            raise ValueError("a part out of its bounds")
        start = at + FRAME.size
        if len(self._buffer) < start + n_body:
            return 0
        if self._parts is None:
            self._parts = Streams(self._parts_bytes)
        with memoryview(self._buffer) as view, view[start : start + n_body] as body:
            try:
                self._parts.add(stream, body)
            except ValueError as error:
                raise TooLarge(str(error)) from None
        return FRAME.size + n_body

    def close(self) -> None:
        """Discard the parts of a job that has not ended."""
        if self._parts is not None:
            self._parts.close()
            self._parts = None


STDIN = ".deskcheck-standard-input"
"""Name among a job's files for its standard input: the child reads it as descriptor 0, not as a file."""
INPUT = "input"
"""Name of the file of standard input beside the program's folder; it is empty if a job has none."""


def check_names(files: Iterable[str]) -> None:
    """Raise UserError for a file name that is not below the folder."""
    for name in files:
        parts = [part for part in name.split("/") if part not in ("", ".")]
        if not parts or ".." in parts or name.startswith("/") or "\0" in name:
            raise UserError(f"a program's file must lie in its folder: '{name}' does not")


def pack_files(files: Mapping[str, bytes], fd: int) -> None:
    """Write names and contents to the descriptor."""
    rest = memoryview(msgspec.msgpack.encode(dict(files)))
    while rest:
        rest = rest[os.write(fd, rest) :]


def place_files(fd: int, folder: str, given: str) -> None:
    """Make the files from a descriptor in the folder, and fill the file `given` with standard input.

    OSError if that fails.
    """
    with open(os.dup(fd), "rb") as source:
        source.seek(0)
        files = msgspec.msgpack.decode(source.read(), type=dict[str, bytes])
    for name, contents in files.items():
        path, new = (given, 0) if name == STDIN else (os.path.join(folder, name), os.O_CREAT | os.O_EXCL)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        descriptor = os.open(path, os.O_WRONLY | os.O_NOFOLLOW | new, 0o644)
        with open(descriptor, "wb") as target:
            target.write(contents)


LEFT_NAMED = 20
"""Most files that could not be removed and are named in a report."""


class Report(Struct, kw_only=True):
    """Counts of one run; the `report` function of `containment.run` gets it at the end."""

    n_jobs: int = 0
    n_children: int = 0
    """Child processes; a job may have run in several."""
    n_zygotes: int = 0
    n_lost: int = 0
    """Zygotes that died or stopped answering."""
    n_alone: int = 0
    """Jobs for which the caller asked for a separate child."""
    n_rerun: int = 0
    """Runs that were given up, or whose outcome did not count, and that were repeated."""
    trips: dict[str, int] = field(default_factory=dict)
    """Kind of state that a job left changed, which ended its batch -> number of such batches."""
    n_audited: int = 0
    """Jobs, chosen by their payload's hash, that ran after others and once more as the first of a child."""
    n_mismatched: int = 0
    """Audited jobs with one result after others and another one, twice the same, alone: a sandbox defect."""
    n_unsteady: int = 0
    """Audited jobs whose runs differ because of the program itself, or that start threads and differ."""
    mismatched: list[str] = field(default_factory=list)
    """Ids of the first jobs that mismatched."""
    n_left: int = 0
    """Files and folders of programs that could not be removed, as far as they were counted."""
    left: list[str] = field(default_factory=list)
    """Names of the first of these, with the reason."""

    def count_trip(self, names: list[str]) -> None:
        """Count a batch that ended early, by its reason."""
        counted = Counter(self.trips)
        counted.update(names)
        self.trips = dict(sorted(counted.items()))

    def count_left(self, names: list[str]) -> None:
        """Count files of programs that could not be removed; the first of them are named."""
        self.n_left += len(names)
        self.left = [*self.left, *names][:LEFT_NAMED]


def total(reports: list[Report]) -> Report | None:
    """Return the sums of several reports, None if there is none."""
    if not reports:
        return None
    counted: Counter[str] = Counter()
    for one in reports:
        counted.update(one.trips)
    numbers = [name for name in Report.__struct_fields__ if name.startswith("n_")]
    return Report(
        **{name: sum(getattr(one, name) for one in reports) for name in numbers},
        trips=dict(sorted(counted.items())),
        mismatched=[name for one in reports for name in one.mismatched],
        left=[name for one in reports for name in one.left][:LEFT_NAMED],
    )
