"""The bytes between the supervisor, a zygote and a child; both ends of every channel read this file.

    supervisor -> zygote   Command, length-prefixed msgpack, and descriptors: batch, output, result, files
    zygote -> supervisor   Ready | Started | Exited | Unloadable | Unable, length-prefixed msgpack
    supervisor -> child    the batch file: header, (key, length) of each payload, the payloads
    child -> supervisor    frames: "it has begun"; where the function prepares its payloads, what it says of
                           each of them, before anything of a program runs; then one for each job of the
                           batch, in order, and before it the parts that the job sent while it ran (parts.py)

Nothing is ever unpickled or evaluated. What comes from a child is foreign: `FrameReader` takes exactly the
frames that are due, each with its job's key and within its bounds, and refuses everything after the first
byte that is not so. batch.c writes frames and reads batch files; the numbers below are its numbers.

Files that a job finds in its working folder go the same way (`pack_files`, `place_files`): written by the
zygote before it forks the child. Their names are relative and lie below the folder. No link is followed and
nothing is written over.
A `Report` counts what a run sent and took back.
"""

from __future__ import annotations

import os
import struct
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePosixPath

import msgspec
from msgspec import Struct, field

from deskcheck.errors import UserError
from deskcheck.sandbox.parts import PART_BYTES, STREAMS, Parts

LENGTH = struct.Struct("!I")
FILE_MAGIC, FRAME_MAGIC = b"deskjobs", b"deskchk2"
FILE_HEADER = struct.Struct("!8sIIQQ")
ENTRY = struct.Struct("!16sQ")
# magic, index, kind, three zero bytes, trip, bytes of refusals, of output, of the body, key, zero
FRAME = struct.Struct("!8sIB3sIIQQ16sQ")
KEY_BYTES = 16

STARTED = 0  # no job's result: the child is set up; `trip` is 1 where its payloads are prepared first
DONE = 1  # the body is the function's answer
OUT_OF_MEMORY = 2  # no body
EXITED = 3  # SystemExit left the function; the body is its code in ASCII
RAISED = 4  # another exception left the function; the body says which, in UTF-8
PART = 5  # not its end: the body goes on with the stream of the job that `trip` names
TAMPERED = 6  # the program has touched what makes its result; no body
PREPARED = 7  # before the first program: the body is what the function says of this job's payload

# Bits of `trip`: what a job left changed. After a frame with any of them the child ends.
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
)
THREADS = 1 << TRIPS.index("threads")
"""It started one, whether or not that had ended: what its threads did in turn is not the same twice."""

# A child's descriptors beside 0, 1, 2: its frames, its batch file, /proc/self/statm.
FD_RESULT, FD_BATCH, FD_STATM = 3, 4, 5

# A zygote speaks in messages of a few dozen bytes; more than this is not a zygote any more.
MAX_MESSAGE = 1 << 16
MAX_REFUSALS = 256
PREPARED_BYTES = 1 << 24
"""Largest body of a frame that says something of a payload."""


class Command(Struct, frozen=True, forbid_unknown_fields=True):
    """Fork one child for one batch."""

    function: str
    """"module:function"."""
    memory_bytes: int
    """Address space that the child may take beyond what it starts with."""
    cpu_s: int
    """Backstop for a supervisor that died; its own clock is what normally stops a run."""
    output_bytes: int
    is_moved: bool = False
    """Whether the program's objects shall lie elsewhere in memory than in other runs."""


class Ready(Struct, frozen=True, tag="ready"):
    """The zygote has loaded what it was told to."""

    has_fd: bool
    """Whether its pidfd came with the message."""


class Started(Struct, frozen=True, tag="started"):
    """The next child has been forked; it leads a process group of this number (in the zygote's numbers)."""

    pid: int
    has_fd: bool
    """Whether its pidfd came with the message."""


class Exited(Struct, frozen=True, tag="exited"):
    """The child and everything it left behind is gone."""

    status: int
    """As waitpid gives it."""
    cpu_s: float
    """Processor time that the child took."""


class Unloadable(Struct, frozen=True, tag="unloadable"):
    """The function that the job names cannot be imported: a mistake of ours, not of the program."""

    reason: str


class Unable(Struct, frozen=True, tag="unable"):
    """The level that was asked for cannot be had here."""

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
    """The complete messages at the front of the buffer, removed from it. ValueError when it holds no such."""
    found: list[Message] = []
    while len(buffer) >= LENGTH.size:
        (length,) = LENGTH.unpack_from(buffer)
        if length > MAX_MESSAGE:
            raise ValueError(f"a message of {length} bytes")
        end = LENGTH.size + length
        if len(buffer) < end:
            break
        found.append(decode_message(bytes(buffer[LENGTH.size : end])))  # DecodeError is a ValueError
        del buffer[:end]
    return found


def pack_batch(keys: Sequence[bytes], payloads: Sequence[bytes], *, output_bytes: int) -> bytes:
    """Encode the file that a batch reads."""
    head = FILE_HEADER.pack(FILE_MAGIC, len(payloads), 0, output_bytes, 0)
    entries = [ENTRY.pack(key, len(payload)) for key, payload in zip(keys, payloads, strict=True)]
    return b"".join([head, *entries, *payloads])


def names_of_trip(trip: int) -> list[str]:
    """Names of the changes of process state in a bit mask."""
    return [name for bit, name in enumerate(TRIPS) if trip >> bit & 1]


class Frame(Struct, frozen=True, gc=False):
    """One job's result as its child sent it."""

    kind: int
    trip: int
    refusals: list[str]
    output: bytes
    body: bytes
    parts: dict[int, memoryview] = {}
    prepared: bytes = b""
    """What the child has said of its payload, before any program ran."""


class TooLarge(ValueError):
    """A frame says that its body is larger than a result may be, or the parts of one job are."""


class FrameReader:
    """Takes the stream of one child apart; strict, and bounded by what the jobs may send."""

    def __init__(
        self, keys: Sequence[bytes], *, body_bytes: int, output_bytes: int, parts_bytes: int = 0
    ) -> None:
        self._keys = keys
        self._body_bytes = body_bytes
        self._output_bytes = output_bytes
        self._parts_bytes = parts_bytes
        self._parts: Parts | None = None
        self._buffer = bytearray()
        self.started = False
        """The child has said that it is set up."""
        self.index = 0
        """The job whose frame is due; the number of frames that came."""
        self.prepared: list[bytes] = []
        """What the child has said of its payloads, in order."""
        self.is_preparing = False
        """It has not said it of all of them yet."""
        self.ended = False
        """No frame may follow: the last job's came, or one with a trip or of another kind than DONE."""
        self.fault: ValueError | None = None
        """What was wrong with the bytes after the last frame that was taken; then nothing more is."""

    def feed(self, data: bytes | bytearray | memoryview) -> list[Frame]:
        """The frames that are complete now. What follows them and is none is in `fault`."""
        if self.fault is not None:
            return []
        self._buffer += data
        at = 0
        found: list[Frame] = []
        try:
            while len(self._buffer) - at >= FRAME.size:
                frame, size = self._take(at)
                if not size:
                    break
                at += size
                if frame is not None:
                    found.append(frame)
            rest = self._buffer[at : at + len(FRAME_MAGIC)]
            if self.ended and rest:
                raise ValueError("more bytes than frames are due")
            if not FRAME_MAGIC.startswith(rest):  # said even where no more bytes will come
                raise ValueError("not a frame header")
        except ValueError as error:
            self.fault = error
            self._buffer.clear()
            self.close()
            return found
        del self._buffer[:at]
        return found

    def _take(self, at: int) -> tuple[Frame | None, int]:
        """The frame that begins there and its size; 0 when it is not complete."""
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
            parts = self._parts.finished() if self._parts is not None and kind == DONE else {}
            prepared = self.prepared[index] if self.prepared else b""
            frame = Frame(kind, trip, refusals, bytes(view[b:c]), bytes(view[c:end]), parts, prepared)
        self.close()
        self.index += 1
        self.ended = bool(trip) or kind != DONE or self.index == len(self._keys)
        return frame, end - at

    def _take_prepared(self, at: int, trip: int, *, sizes: tuple[int, int, int]) -> int:
        """Keep what the child says of one payload; its size, 0 when it is not complete."""
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
        """Keep a part of the job that runs; its size, 0 when it is not complete."""
        n_refusals, n_output, n_body = sizes
        if stream >= STREAMS or n_refusals or n_output or not 0 < n_body <= PART_BYTES:
            raise ValueError("a part out of its bounds")
        start = at + FRAME.size
        if len(self._buffer) < start + n_body:
            return 0
        if self._parts is None:
            self._parts = Parts(self._parts_bytes)
        with memoryview(self._buffer) as view, view[start : start + n_body] as body:
            try:
                self._parts.add(stream, body)
            except ValueError as error:
                raise TooLarge(str(error)) from None
        return FRAME.size + n_body

    def close(self) -> None:
        """Forget the parts of a job that has not come to its end."""
        if self._parts is not None:
            self._parts.close()
            self._parts = None


def check_names(files: Iterable[str]) -> None:
    """UserError for a name that is not below the folder."""
    for name in files:
        parts = PurePosixPath(name).parts
        if not parts or ".." in parts or name.startswith("/") or "\0" in name:
            raise UserError(f"a program's file must lie in its folder: '{name}' does not")


def pack_files(files: Mapping[str, bytes], fd: int) -> None:
    """Write names and contents to the descriptor."""
    rest = memoryview(msgspec.msgpack.encode(dict(files)))
    while rest:
        rest = rest[os.write(fd, rest) :]


def place_files(fd: int, folder: str) -> None:
    """Make the files. OSError where they cannot be made."""
    with open(os.dup(fd), "rb") as source:
        source.seek(0)
        files = msgspec.msgpack.decode(source.read(), type=dict[str, bytes])
    for name, contents in files.items():
        path = os.path.join(folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        made = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o644)
        with open(made, "wb") as target:
            target.write(contents)


class Report(Struct, kw_only=True):
    """Counts of one run; `containment.run(.., report=..)` is given it at the end."""

    n_jobs: int = 0
    n_children: int = 0
    """Child processes; a job may have run in several."""
    n_zygotes: int = 0
    n_lost: int = 0
    """Zygotes that died or stopped answering."""
    n_alone: int = 0
    """Jobs that their caller wanted in a child of their own."""
    n_rerun: int = 0
    """Runs that were given up, or whose outcome did not count, and that were made again."""
    trips: dict[str, int] = field(default_factory=dict)
    """What a job left changed, so that its batch ended there -> how often."""
    n_audited: int = 0
    """Jobs that ran behind others and, chosen by their payload's hash, once more as the first of a child."""
    n_mismatched: int = 0
    """Of those, with one result in company and another one, the same twice, alone: a defect of ours."""
    n_unsteady: int = 0
    """Of those, with different results alone: the program itself differs from run to run."""
    mismatched: list[str] = field(default_factory=list)
    """Ids of the first jobs that mismatched."""

    def count_trip(self, names: list[str]) -> None:
        """Count a batch that ended early, by its reason."""
        counted = Counter(self.trips)
        counted.update(names)
        self.trips = dict(sorted(counted.items()))


def total(reports: list[Report]) -> Report | None:
    """The sums of several runs; None where there was none."""
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
    )
