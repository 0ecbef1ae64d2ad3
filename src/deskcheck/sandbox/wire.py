"""The bytes that pass between the supervisor, a zygote and a child; both ends of every pipe read this file.

    supervisor -> zygote   Command, length-prefixed msgpack, three descriptors beside it
    zygote -> supervisor   Ready | Started | Exited | Unloadable, length-prefixed msgpack
    child -> supervisor    one result frame: header (magic, kind, nonce, length), then that many bytes

Nothing is ever unpickled or evaluated. What comes from a child is foreign: whatever is not exactly one
frame with this job's nonce is refused (`parse_frame`), and a child that is killed has sent nothing.
"""

from __future__ import annotations

import struct

import msgspec
from msgspec import Struct

LENGTH = struct.Struct("!I")
HEADER = struct.Struct("!8sB16sQ")
MAGIC = b"deskchk1"

DONE = 1  # the bytes are the function's answer
OUT_OF_MEMORY = 2  # no bytes
EXITED = 3  # SystemExit left the function; the bytes are its code in ASCII
RAISED = 4  # another exception left the function; the bytes say which, in UTF-8

# A zygote speaks in messages of a few dozen bytes; more than this is not a zygote any more.
MAX_MESSAGE = 1 << 16


class Command(Struct, frozen=True, forbid_unknown_fields=True):
    """Fork one child for one job."""

    function: str
    """"module:function"."""
    nonce: bytes
    """16 bytes that the result frame must repeat: a frame written blindly is refused."""
    memory_bytes: int
    cpu_s: int
    """Backstop for a supervisor that died; its own clock is what normally stops a run."""
    output_bytes: int


class Ready(Struct, frozen=True, tag="ready"):
    """The zygote has loaded what it was told to."""


class Started(Struct, frozen=True, tag="started"):
    """The child runs; it leads a process group of this number."""

    pid: int


class Exited(Struct, frozen=True, tag="exited"):
    """The child and everything it left behind is gone."""

    status: int
    """As waitpid gives it."""


class Unloadable(Struct, frozen=True, tag="unloadable"):
    """The function that the job names cannot be imported: a mistake of ours, not of the program."""

    reason: str


Message = Ready | Started | Exited | Unloadable

encode = msgspec.msgpack.Encoder().encode
decode_command = msgspec.msgpack.Decoder(Command).decode
decode_message = msgspec.msgpack.Decoder(Message).decode


def pack(message: Struct) -> bytes:
    """One length-prefixed message."""
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


def parse_frame(data: bytes | bytearray, nonce: bytes) -> tuple[int, bytes]:
    """Kind and bytes of the one frame that `data` is. ValueError says what is wrong with it."""
    if len(data) < HEADER.size:
        raise ValueError("shorter than a frame header")
    magic, kind, echoed, length = HEADER.unpack_from(data)
    if magic != MAGIC or kind not in (DONE, OUT_OF_MEMORY, EXITED, RAISED):
        raise ValueError("not a frame header")
    if echoed != nonce:
        raise ValueError("not this job's nonce")
    if len(data) - HEADER.size != length:
        raise ValueError(f"{len(data) - HEADER.size} bytes where the header says {length}")
    return kind, bytes(data[HEADER.size :])
